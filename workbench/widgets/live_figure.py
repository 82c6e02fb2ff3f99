"""A plotly figure that is created once, then only updated, and of which every new view shows the present picture.

A plain FigureWidget fails at that twice. It sends its traits once, at construction, and later changes as messages only,
so a view made after a page reload draws the oldest picture. And it forgets: what a browser reports as the values in use,
arrays among them, is taken out of the figure's own data on both sides, so a view made later draws without them.
`LiveFigure` keeps its data and answers with it. The private names are those of plotly 6 and 7, which the project
pins; browser tests reload the page and open a second view.
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

    @staticmethod
    def _remove_overlapping_props(input_data: Any, delta_data: Any, prop_path: tuple = ()) -> list:
        """Nothing: what the figure was given stays its own, also when a browser reports the same value back."""
        return []
