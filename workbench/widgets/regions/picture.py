"""The picture region: one tab per picture, each figure made when its tab is first seen and kept from then on.

Only the visible tab is redrawn; the others catch up when they are opened. What a picture shows is decided in
`workbench.plots`; its title sentence stands above it as text, where it can wrap and be read aloud.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import ipywidgets as widgets

from workbench.bench import texts
from workbench.bench.pictures import PICTURES, PictureOption
from workbench.bench.present import Present
from workbench.plots.selection import ring
from workbench.plots.theme import LIGHT, Theme
from workbench.widgets.parts.live_figure import LiveFigure
from workbench.widgets.parts.live_text import LiveText
from workbench.widgets.parts.region_width import RegionWidth

FIRST_WIDTH, SMALLEST_WIDTH = 560, 320
FRAME, HEIGHT, LOWEST, HEAD = 4, 228, 170, 26
"""Pixels: before a browser has measured its region, the least that a picture is laid out for, what the tab takes; the height
that a picture has below a head of the last number, and the least that it shrinks to below a higher one."""


class Picture:
    """Tabs of live figures. `show` gives the present, `on_select` hears the path of a clicked queue, `on_option` the picture, the
    option and the value that was chosen in its head; `turn` is held to draw."""

    def __init__(
        self, on_select: Callable[[str], object], on_option: Callable[[str, str, str], object], turn: AbstractContextManager[object]
    ):
        self._on_select, self._on_option, self._turn = on_select, on_option, turn
        self._filling = False
        self._present: tuple[Present, Theme] | None = None
        self._brought = 0
        self.figures: dict[str, LiveFigure] = {}
        self.captions = {name: LiveText(name=kind.title, live=False) for name, kind in PICTURES.items()}
        self.controls = {
            name: {option: self._control(name, option, of) for option, of in kind.options.items()}
            for name, kind in PICTURES.items()
        }
        self.heads = {name: widgets.HBox([self.captions[name], *self.controls[name].values()]) for name in PICTURES}
        for head in self.heads.values():
            head.add_class("wb-picture-head")
        self.boxes = {name: widgets.VBox([self.heads[name]]) for name in PICTURES}
        self.tabs = widgets.Tab(
            children=tuple(self.boxes.values()), titles=tuple(kind.title for kind in PICTURES.values()), selected_index=0
        )
        self.tabs.observe(lambda _change: self.draw(), "selected_index")
        self.region = RegionWidth()
        self.region.observe(lambda _change: self.draw(), ["width", "head"])
        self.widget = widgets.VBox([self.region, self.tabs])
        self.widget.add_class("wb-picture-region")

    @property
    def visible(self) -> str:
        """Name of the picture in front."""
        return tuple(PICTURES)[self.tabs.selected_index or 0]

    @property
    def width(self) -> int:
        return max(SMALLEST_WIDTH, self.region.width - FRAME) if self.region.width else FIRST_WIDTH

    @property
    def height(self) -> int:
        """A sentence of two lines takes its second one from the picture, so that the region keeps its height (U-10)."""
        return max(LOWEST, HEIGHT - max(0, self.region.head - HEAD))

    def show(self, present: Present, theme: Theme = LIGHT) -> None:
        """Show the present, with a ring around the selected queue. Only the picture in front is drawn now."""
        self._present = present, theme
        wanted, number = present.wanted_picture
        if number != self._brought:
            # Once: whoever opens another tab afterwards stays there.
            self._brought = number
            self.tabs.selected_index = tuple(PICTURES).index(wanted)
        self.draw()

    def draw(self) -> None:
        """Redraw the picture in front."""
        with self._turn:
            if self._present is not None:
                self._draw(*self._present)

    def _draw(self, present: Present, theme: Theme) -> None:
        name = self.visible
        kind = PICTURES[name]
        chosen = present.pictures.get(name, {})
        covered = present.covered and kind.tells_next
        if name in self.figures:
            self.figures[name].layout.display = "none" if covered else None
        if covered:
            self.captions[name].show(("title", texts.COVERED_AFTER_ANSWER if present.answered else texts.COVERED_PICTURE))
            for control in self.controls[name].values():
                control.layout.display = "none"  # what can be chosen may tell what comes next, such as the stages of a preemption
            return
        self._fill(name, present, chosen)
        data = kind.data(present, chosen)
        self.captions[name].show(("title", data.sentence))
        figure = ring(kind.figure(data, theme, width=self.width, height=self.height, titled=False), present.selected, theme)
        if name in self.figures:
            self.figures[name].show(figure, data.sentence)
            return
        self.figures[name] = LiveFigure(figure, data.sentence)
        self.figures[name].on_click(self._clicked)
        self.boxes[name].children = (self.heads[name], self.figures[name])

    def _control(self, name: str, option: str, of: PictureOption) -> widgets.Dropdown | widgets.ToggleButtons:
        control = (widgets.ToggleButtons if of.is_toggle else widgets.Dropdown)(description=of.label)

        def changed(change: dict[str, Any]) -> None:
            if not self._filling and change["new"]:
                self._on_option(name, option, change["new"])

        control.observe(changed, "value")
        return control

    def _fill(self, name: str, present: Present, chosen: Mapping[str, str]) -> None:
        """Let the controls of a picture show what holds."""
        self._filling = True
        try:
            for option, of in PICTURES[name].options.items():
                control, choices = self.controls[name][option], of.choices(present)
                options = tuple((word, value) for value, word in choices.items())
                if control.options != options:
                    control.options = options
                control.value = of.value(present, chosen.get(option, "")) or None
                # Where there is nothing to choose, no control promises it.
                control.layout.display = None if len(options) > 1 else "none"
        finally:
            self._filling = False

    def _clicked(self, trace: dict[str, Any], point: int) -> None:
        """A mark was clicked; one that stands for a queue carries its path."""
        paths = trace.get("customdata") or ()
        if point < len(paths):
            self._on_select(str(paths[point]))
