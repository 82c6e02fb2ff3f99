"""How a queue is drawn, the same in every picture of a run and of a comparison: the hue of its top-level queue, and a shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from workbench.plots import theme as themes
from workbench.plots.theme import Theme

PATTERNS = ("", "/", "\\", "x", ".", "-", "|", "+")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "pentagon")


@dataclass(frozen=True)
class Mark:
    """The hue of a queue's top-level queue, and a shape among those of one hue. Without a hue it is grey."""

    hue: int | None
    shape: int

    def colour(self, theme: Theme) -> str:
        """The colour of areas and lines."""
        return theme.others if self.hue is None else theme.hues[self.hue]

    @property
    def pattern(self) -> str:
        """The pattern of areas, for grey prints and for eyes that tell no hues apart."""
        return PATTERNS[self.shape % len(PATTERNS)]

    @property
    def dash(self) -> str:
        """The pattern of lines."""
        return DASHES[self.shape % len(DASHES)]

    @property
    def symbol(self) -> str:
        """The symbol of points."""
        return SYMBOLS[self.shape % len(SYMBOLS)]

    def fill(self, theme: Theme) -> dict[str, object]:
        """The properties of an area in a plotly figure."""
        colour = self.colour(theme)
        foreground = themes.ON_FILL.get(colour, theme.text)
        pattern = {"shape": self.pattern, "fgcolor": foreground, "bgcolor": colour, "fgopacity": 0.6, "size": 6, "solidity": 0.2}
        return {"fillcolor": colour, "fillpattern": pattern}


def queue_marks(paths: Iterable[str]) -> Callable[[str], Mark]:
    """Path -> its mark, of queues in the order in which the design names them; an unknown queue is grey."""
    tops: dict[str, int] = {}
    shapes: dict[str, int] = {}
    counts: dict[int, int] = {}
    for path in paths:
        parts = path.split(".")
        if len(parts) < 2 or path in shapes:
            continue
        hue = tops.setdefault(parts[1], len(tops)) % len(themes.HUES)
        # Top-level queues differ in shape as they do in hue; queues below go on counting.
        shapes[path] = hue if len(parts) == 2 else hue + counts.setdefault(hue, 1)
        counts[hue] = counts.get(hue, 0) + (len(parts) > 2)

    def mark(path: str) -> Mark:
        if path not in shapes:
            return Mark(None, 0)
        return Mark(tops[path.split(".")[1]] % len(themes.HUES), shapes[path])

    return mark
