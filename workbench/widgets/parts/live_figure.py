"""A plotly figure as a widget whose state is the whole picture.

plotly's own FigureWidget sends its picture once and every later change as a message. A view made later, by a page reload, in
a second cell or by running a cell again, then shows the oldest picture or stops following. Here the figure is one trait: a new
view draws what is there, and plotly.js itself finds out what changed. plotly.js comes from the installed package, once for
a page and when it is first needed; nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import anywidget
import plotly.graph_objects as go
import traitlets
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from workbench.widgets.parts.browser_part import script


@cache
def _library() -> bytes:
    """plotly.js as a module. It is written for many loaders, finds this one and leaves itself there."""
    return f"const module = {{ exports: {{}} }};\n{get_plotlyjs()}\nexport default module.exports;\n".encode()


class LiveFigure(anywidget.AnyWidget):
    """A picture made from a plotly Figure, with `show` for every later one.

    Traits:
        figure: the figure as data, {"data": [...], "layout": {...}}.
        label: text alternative, normally the picture's title sentence.
        version: of plotly.js; pictures of one version share it.
    """

    _esm = script("live_figure.js")

    figure = traitlets.Dict().tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    version = traitlets.Unicode(get_plotlyjs_version()).tag(sync=True)

    def __init__(self, figure: go.Figure, label: str = ""):
        super().__init__(figure=figure.to_plotly_json(), label=label)
        self.on_msg(self._give_library)

    def _give_library(self, _widget: object, content: object, _buffers: object) -> None:
        if isinstance(content, dict) and content.get("event") == "library":
            self.send({"event": "library"}, [_library()])

    def show(self, figure: go.Figure, label: str = "") -> None:
        """Become another figure, in one message."""
        with self.hold_sync():
            self.figure, self.label = figure.to_plotly_json(), label

    def on_click(self, handler: Callable[[dict[str, Any], int], None]) -> None:
        """Call `handler(trace, point)` when a mark is clicked: the properties of its trace, and its index there."""

        def received(_widget: object, content: object, _buffers: object) -> None:
            if not isinstance(content, dict) or content.get("event") != "click":
                return
            at, point, traces = content.get("trace"), content.get("point"), self.figure["data"]
            if isinstance(at, int) and isinstance(point, int) and 0 <= at < len(traces) and point >= 0:
                handler(traces[at], point)

        self.on_msg(received)
