"""A plotly figure that is created once, then only updated, and that survives a page reload.

A plain FigureWidget sends its traits once, at construction; later changes travel as messages only, so a view made
after a reload would draw the oldest picture. `LiveFigure` answers with the present data instead. The two private
names are those of plotly 6 and 7, which the project pins; a browser test reloads the page.
"""

from __future__ import annotations

import copy
from typing import Any

import plotly.graph_objects as go


class LiveFigure(go.FigureWidget):
    """A FigureWidget for a picture whose traces keep their number and kind. Make it from the first figure."""

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """The widget state for a new view: the present picture, not the one at construction."""
        state = super().get_state(key=key, drop_defaults=drop_defaults)
        # The base class asks during its own construction, before there is a picture.
        if key is None and "_data" in self.__dict__ and "_layout" in self.__dict__:
            state["_widget_data"] = copy.deepcopy(self._data)
            state["_widget_layout"] = copy.deepcopy(self._layout)
        return state
