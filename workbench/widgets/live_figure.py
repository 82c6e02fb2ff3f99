"""A plotly figure that is created once, then only updated, and of which every new view shows the present picture.

A plain FigureWidget fails at that. Its traits are set at construction and later changes travel as messages, so a view made
after a page reload draws the oldest picture; the browser's own copy takes placeholders of a message for values, so a second
view of a changed picture fails; and what a browser reports as the values in use, arrays among them, is taken out of the
figure's own data. `LiveFigure` sets its traits after every batch of changes and keeps its data. The private names are those
of plotly 6 and 7, which the project pins; browser tests reload the page and open a second view.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import plotly.graph_objects as go


class LiveFigure(go.FigureWidget):
    """A FigureWidget for a picture whose traces keep their number and kind. Change it inside `batch_update` only."""

    @contextmanager
    def batch_update(self) -> Iterator[None]:
        """As in plotly: the changes made inside are one message. Afterwards new views start from the changed picture."""
        with super().batch_update():
            yield
        with self.hold_sync():
            self._widget_data = copy.deepcopy(self._data)
            self._widget_layout = copy.deepcopy(self._layout)

    @staticmethod
    def _remove_overlapping_props(input_data: Any, delta_data: Any, prop_path: tuple = ()) -> list:
        """Nothing: what the figure was given stays its own, also when a browser reports the same value back."""
        return []
