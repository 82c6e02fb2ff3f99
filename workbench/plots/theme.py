"""Colours by role, and the figure template, for the light and the dark theme.

The Okabe-Ito set, which people with any common kind of colour vision can tell apart.

Every filled mark has an outline in the theme's text colour: some fills alone would be too faint on white (U-22), and with
outlines a grey-scale print stays readable (U-21). Paper is transparent; the notebook's own background shows through (U-23).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.scheduler.records.state import Queue

FONT = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', 'Noto Sans', sans-serif"
TITLE_SIZE = 14
TEXT_SIZE = 12
SMALL_SIZE = 11


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours by role.

    Attributes:
        backgrounds: the notebook backgrounds it is meant for; contrast is checked against each.
        text: texts, axes, outlines, limits, and the path that was chosen.
        muted: skipped and unchanged things, and the small print.
        grid: faint lines that carry no meaning.
        hues: fills of queues; the top-level queue sets the hue.
        chosen: the arrow of the next choice, victims, "later".
        line: lines that show use of one's own.
        free, others: room left on a node, and what the scheduler does not manage there.
        hover: background of hover boxes.
    """

    name: str
    backgrounds: tuple[str, ...]
    text: str
    muted: str
    grid: str
    hues: tuple[str, ...]
    chosen: str
    line: str
    free: str
    others: str
    hover: str


BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#F0E442"
VERMILLION, GREY = "#D55E00", "#767676"
HUES = (BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW)

LIGHT = Theme(
    name="light",
    backgrounds=("#FFFFFF",),
    text="#1A1A1A",
    muted=GREY,
    grid="#E3E3E3",
    hues=HUES,
    chosen=VERMILLION,
    line=BLUE,
    free="#F2F2F2",
    others="#A6A6A6",
    hover="#FFFFFF",
)
DARK = Theme(
    name="dark",
    backgrounds=("#111111", "#212121"),
    text="#EDEDED",
    muted="#BFBFBF",
    grid="#3D3D3D",
    hues=HUES,
    chosen=VERMILLION,
    line=SKY,
    free="#333333",
    others="#8A8A8A",
    hover="#2B2B2B",
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}

ON_FILL = {
    BLUE: "#FFFFFF",
    ORANGE: "#000000",
    GREEN: "#000000",
    PURPLE: "#000000",
    SKY: "#000000",
    YELLOW: "#000000",
    VERMILLION: "#000000",
    GREY: "#FFFFFF",
}
"""Colour of text that stands on a fill."""


def hue_slots(root: Queue) -> dict[str, int]:
    """Short name of each top-level queue -> number of its hue, in creation order; after the last hue they start again."""
    children = sorted(root.children.values(), key=lambda child: child.seq)
    return {child.name: number % len(HUES) for number, child in enumerate(children)}


def slot_of(path: str, slots: Mapping[str, int]) -> int | None:
    """The hue number of the queue at `path`; None for root, which has no hue of its own."""
    names = path.split(".", 2)
    return slots.get(names[1]) if len(names) > 1 else None


def queue_colours(root: Queue, theme: Theme = LIGHT) -> dict[str, str]:
    """Path -> fill colour for every queue of the tree: the hue of its top-level queue; root is muted."""
    slots = hue_slots(root)
    colours = {root.path: theme.muted}
    below = sorted(root.children.values(), key=lambda child: child.seq)
    while below:
        queue = below.pop()
        colours[queue.path] = theme.hues[slots[queue.path.split(".", 2)[1]]]
        below.extend(queue.children.values())
    return colours


def template(theme: Theme) -> dict[str, Any]:
    """The plotly template of a theme: transparent paper, the theme's text colour, quiet axes, readable hover boxes."""
    axis = {"gridcolor": theme.grid, "linecolor": theme.text, "tickcolor": theme.text, "zeroline": False, "automargin": False}
    return {
        "layout": {
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": FONT, "size": TEXT_SIZE, "color": theme.text},
            "xaxis": axis,
            "yaxis": axis,
            "hoverlabel": {
                "bgcolor": theme.hover,
                "bordercolor": theme.text,
                "align": "left",
                "font": {"family": FONT, "size": TEXT_SIZE, "color": theme.text},
            },
        }
    }


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours `#RRGGBB`, 1 to 21, as WCAG defines it.

    >>> round(contrast("#000000", "#FFFFFF"))
    21
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
