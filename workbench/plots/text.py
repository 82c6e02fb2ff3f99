"""Text for plotly, which reads a subset of HTML in titles, labels and hover boxes: escaped, shortened and broken into lines.

Everything that is not written in this package, such as names of queues, applications and nodes, passes through `plain`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from html import escape

from workbench.explain.wording import name, shorten
from workbench.values.quantities import format_quantity

CHARACTER = 6.7
"""Width of an average character of a label in pixels, at the text size of the theme."""
SMALL_CHARACTER = 5.6
"""The same of the small print, which is mostly prose."""
BOLD = 0.62
"""Width of an average character of a title, as a share of its size, in the widest of the fonts that may be there."""
SEPARATOR = "   ·   "
HOVER_NAME = 300
"""Characters of a name in a hover box; "full", but a megabyte of name helps nobody."""


def plain(text: str) -> str:
    """Text that plotly shows as it is: no tags, no links, no entities, no formulas.

    >>> plain("<b>R&D</b> $x$")
    '&lt;b&gt;R&amp;D&lt;/b&gt; &#36;x&#36;'
    """
    # Quotes stay: plotly does not know &quot;, and the text never stands inside an attribute.
    return escape(text, quote=False).replace("$", "&#36;")


def label(text: str, pixels: float) -> str:
    """A name, shortened in the middle to fit about that many pixels, and escaped."""
    return plain(shorten(name(text, None), max(1, int(pixels / CHARACTER))))


def bold(text: str) -> str:
    return f"<b>{plain(text)}</b>"


def coloured_markup(markup: str, colour: str) -> str:
    """Markup of this package, its texts escaped already, in another colour."""
    return f'<span style="color:{colour}">{markup}</span>'


def pixels(text: str) -> float:
    """About how wide a label is."""
    return len(text) * CHARACTER


def hover(lines: Iterable[str]) -> str:
    """Lines of a hover box; the first one is its title."""
    first, *rest = lines
    broken = [line for text in rest for line in textwrap.wrap(text, 64) or [""]]
    return "<br>".join([f"<b>{'<br>'.join(plain(part) for part in textwrap.wrap(first, 64))}</b>", *map(plain, broken)])


def key_line(parts: Sequence[str], pixels: float) -> str:
    """What the signs of a picture mean, in small print, as many of the parts as fit; the first ones are the most needed."""
    shown = SEPARATOR.join(parts[:1])
    for part in parts[1:]:
        if len(f"{shown}{SEPARATOR}{part}") * SMALL_CHARACTER <= pixels:
            shown = f"{shown}{SEPARATOR}{part}"
    return plain(shown)


def full_name(text: str) -> str:
    """A name as long as a hover box may show it."""
    return name(text, HOVER_NAME)


def title(sentence: str, width: float, size: float) -> str:
    """A title sentence on at most two lines of `width` pixels, escaped."""
    most = max(20, int(width / (size * BOLD)))
    lines = textwrap.wrap(sentence, most, break_on_hyphens=False)
    if len(lines) > 2:
        lines = [lines[0], shorten(" ".join(lines[1:]), most)]
    return "<br>".join(plain(line) for line in lines)


def amount(what: str, value: int, kind: str) -> str:
    """A line of a hover box that gives an amount in configuration units.

    >>> amount("used", 500, "vcore")
    'used: vcore 500m'
    """
    return f"{what}: {name(kind)} {format_quantity(value, kind)}"
