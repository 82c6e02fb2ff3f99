"""The picture region: one tab per picture, each figure made when its tab is first seen and kept from then on.

Only the visible tab is redrawn; the others catch up when they are opened. What a picture shows is decided in
`workbench.plots`; its title sentence stands above it as text, where it can wrap and be read aloud.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets
import plotly.graph_objects as go

from workbench.widgets.live_figure import LiveFigure
from workbench.widgets.live_text import LiveText

FigureFunction = Callable[[], go.Figure]


class Picture:
    """Tabs of figures. `show(makers)` gives the functions that make the present figures, by title."""

    def __init__(self, titles: tuple[str, ...], on_select: Callable[[str], None]):
        self._on_select = on_select
        self._makers: dict[str, FigureFunction] = {}
        self.figures: dict[str, LiveFigure] = {}
        self.captions = {title: LiveText(name=title, live=False) for title in titles}
        self.boxes = {title: widgets.VBox([self.captions[title]]) for title in titles}
        self.widget = widgets.Tab(children=tuple(self.boxes.values()), titles=titles, selected_index=0)
        self.widget.add_class("wb-picture")
        self.widget.observe(lambda _change: self.draw(), "selected_index")

    @property
    def visible(self) -> str:
        """Title of the tab in front."""
        return tuple(self.boxes)[self.widget.selected_index or 0]

    def show(self, makers: dict[str, FigureFunction]) -> None:
        """Take new figures; only the one in front is made now."""
        self._makers = makers
        self.draw()

    def draw(self) -> None:
        """Redraw the picture in front."""
        title = self.visible
        figure = self._makers[title]()
        sentence = figure.layout.title.text or ""
        figure.layout.title = None
        self.captions[title].show(("title", sentence))
        if title in self.figures:
            self.figures[title].show_figure(figure)
        else:
            self.figures[title] = LiveFigure(figure)
            self._listen(self.figures[title])
            self.boxes[title].children = (self.captions[title], self.figures[title])

    def _listen(self, figure: LiveFigure) -> None:
        """A click on a mark that stands for a queue selects it."""
        for trace in figure.data:
            if trace.customdata is not None:
                trace.on_click(self._clicked)

    def _clicked(self, trace: go.Scatter, points: object, _state: object) -> None:
        for index in points.point_inds[:1]:
            self._on_select(str(trace.customdata[index]))
