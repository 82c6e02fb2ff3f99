"""The picture region: one tab per picture, each figure made when its tab is first seen and kept from then on.

Only the visible tab is redrawn; the others catch up when they are opened. What a picture shows is decided in
`workbench.plots`; its title sentence stands above it as text, where it can wrap and be read aloud.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import ipywidgets as widgets

from workbench.plots.selection import ring
from workbench.plots.theme import LIGHT, Theme
from workbench.widgets.live_figure import LiveFigure
from workbench.widgets.live_text import LiveText
from workbench.widgets.pictures import PICTURES
from workbench.widgets.present import Present
from workbench.widgets.region_width import RegionWidth

FIRST_WIDTH, SMALLEST_WIDTH = 560, 320
FRAME, HEIGHT = 4, 238
"""Pixels: before a browser has measured its region, the least that a picture is laid out for, what the tab takes; and the
height that the region has."""


class Picture:
    """Tabs of live figures. `show` gives the present, `on_select` hears the path of a clicked queue, `turn` is held to draw."""

    def __init__(self, on_select: Callable[[str], None], turn: AbstractContextManager):
        self._on_select, self._turn = on_select, turn
        self._present: tuple[Present, Theme] | None = None
        self.figures: dict[str, LiveFigure] = {}
        self.captions = {name: LiveText(name=kind.title, live=False) for name, kind in PICTURES.items()}
        self.boxes = {name: widgets.VBox([self.captions[name]]) for name in PICTURES}
        self.tabs = widgets.Tab(
            children=tuple(self.boxes.values()), titles=tuple(kind.title for kind in PICTURES.values()), selected_index=0
        )
        self.tabs.observe(lambda _change: self.draw(), "selected_index")
        self.region = RegionWidth()
        self.region.observe(lambda _change: self.draw(), "width")
        self.widget = widgets.VBox([self.region, self.tabs])
        self.widget.add_class("wb-picture-region")

    @property
    def visible(self) -> str:
        """Name of the picture in front."""
        return tuple(PICTURES)[self.tabs.selected_index or 0]

    @property
    def width(self) -> int:
        return max(SMALLEST_WIDTH, self.region.width - FRAME) if self.region.width else FIRST_WIDTH

    def show(self, present: Present, theme: Theme = LIGHT) -> None:
        """Show the present, with a ring around the selected queue. Only the picture in front is drawn now."""
        self._present = present, theme
        self.draw()

    def draw(self) -> None:
        """Redraw the picture in front."""
        with self._turn:
            if self._present is not None:
                self._draw(*self._present)

    def _draw(self, present: Present, theme: Theme) -> None:
        name = self.visible
        kind = PICTURES[name]
        data = kind.data(present)
        self.captions[name].show(("title", data.sentence))
        figure = ring(kind.figure(data, theme, width=self.width, height=HEIGHT, titled=False), present.selected, theme)
        if name in self.figures:
            self.figures[name].show(figure, data.sentence)
            return
        self.figures[name] = LiveFigure(figure, data.sentence)
        self.figures[name].on_click(self._clicked)
        self.boxes[name].children = (self.captions[name], self.figures[name])

    def _clicked(self, trace: dict, point: int) -> None:
        """A mark was clicked; one that stands for a queue carries its path."""
        paths = trace.get("customdata") or ()
        if point < len(paths):
            self._on_select(str(paths[point]))
