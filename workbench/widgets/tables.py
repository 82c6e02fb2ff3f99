"""The table region: what waits, what was decided, and the calls that lead here. Only the tab in front is redrawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import ipywidgets as widgets

from workbench import explain
from workbench.simulation.waiting import Waiting
from workbench.widgets import forecast, texts
from workbench.widgets.data_table import DataTable
from workbench.widgets.live_text import LiveText

if TYPE_CHECKING:
    from workbench.widgets.workbench import Workbench

MOST_ROWS = 1000
"""Rows that are sent to the browser, which shows them by pages."""


class Tables:
    """Three tabs. `on_select` hears the (application id, ask key) of the selected row of Pending, or None."""

    def __init__(self, workbench: Workbench, on_select: Callable[[tuple[str, str] | None], None]):
        self._workbench, self._on_select = workbench, on_select
        self._waiting: tuple[Waiting, ...] = ()
        self._filling = False
        self.pending = DataTable(name=texts.PENDING, empty=texts.NOTHING_PENDING)
        self.pending.observe(self._selected, "selected")
        self.order = DataTable(name=texts.ORDER, empty=texts.NO_STEPS)
        self.calls = LiveText(name=texts.CALLS, live=False)
        self.widget = widgets.Tab(children=(self.pending, self.order, self.calls),
                                  titles=(texts.PENDING, texts.ORDER, texts.CALLS), selected_index=0)
        self.widget.observe(lambda _change: self.draw(), "selected_index")

    def show(self, waiting: tuple[Waiting, ...]) -> None:
        """Show the workbench as it is now, of which `waiting` is the ranking."""
        self._waiting = waiting
        self.draw()

    def draw(self) -> None:
        """Redraw the tab in front."""
        self._filling = True
        try:
            (self._draw_pending, self._draw_order, self._draw_calls)[self.widget.selected_index or 0]()
        finally:
            self._filling = False

    def _draw_pending(self) -> None:
        table = forecast.pending_table(self._waiting[:MOST_ROWS], self._workbench.turns)
        self.pending.show(table, self._workbench.selected_request, texts.more_rows(len(self._waiting) - MOST_ROWS))

    def _draw_order(self) -> None:
        table = explain.order_rows(self._workbench.simulation)
        latest = replace(table, rows=table.rows[-MOST_ROWS:], keys=table.keys[-MOST_ROWS:])
        self.order.show(latest, note=texts.earlier_rows(len(table.rows) - MOST_ROWS))

    def _draw_calls(self) -> None:
        self.calls.show(*(("code", call) for call in self._workbench.calls))

    def _selected(self, _change: dict) -> None:
        if not self._filling:
            self._on_select(self.pending.selected_key)
