"""The table region: tabs for what waits, what was decided, the inputs, the configuration and the calls.

A tab is one entry of `TABS`: its title and what makes it. Only the tab in front is redrawn; the others catch up when they come
there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import ipywidgets as widgets

from workbench import explain
from workbench.bench import forecast, prediction, texts
from workbench.bench.designs import Draft
from workbench.bench.present import Present
from workbench.explain import words
from workbench.widgets.parts.data_table import DataTable
from workbench.widgets.parts.later import Later
from workbench.widgets.parts.live_text import LiveText
from workbench.widgets.parts.text_editor import TextEditor
from workbench.widgets.regions.checks_tab import ChecksTab
from workbench.widgets.regions.hooks import Hooks, Tab
from workbench.widgets.regions.inputs_tab import InputsTab

YAML_HINT = "The design in force. Edit it and press Apply."

MOST_ROWS = 1000
"""Rows that are sent to the browser, which shows them by pages."""


class RequestTab:
    """A table whose rows stand for requests, waiting or running ones. A row can be selected."""

    name, empty = "", ""

    def __init__(self, hooks: Hooks):
        self._hooks, self._filling = hooks, False
        self.widget = DataTable(name=self.name, empty=self.empty)
        self.widget.observe(self._selected, "selected")

    def draw(self, present: Present) -> None:
        self._filling = True
        try:
            table, note = self.table(present)
            self.widget.show(table, self._hooks.workbench.selected_request, note)
        finally:
            self._filling = False

    def table(self, present: Present) -> tuple[explain.Table, str]:
        """The rows, and what to say below them."""
        raise NotImplementedError

    def _selected(self, _change: dict[str, Any]) -> None:
        if not self._filling:
            key = self.widget.selected_key
            self._hooks.select_request(None if key is None else (str(key[0]), str(key[1])))


class PendingTab(RequestTab):
    """What waits, in the order in which the scheduler comes to it."""

    name, empty = texts.PENDING, texts.NOTHING_PENDING

    def table(self, present: Present) -> tuple[explain.Table, str]:
        waiting = present.waiting[:MOST_ROWS]
        rows = (
            prediction.covered_table(waiting) if present.covered else forecast.pending_table(waiting, self._hooks.workbench.turns)
        )
        return rows, texts.more_rows(len(present.waiting) - MOST_ROWS)


class RunningTab(RequestTab):
    """What runs, the oldest first; where there is too much, the latest of it."""

    name, empty = texts.RUNNING, words.NOTHING_RUNS

    def table(self, present: Present) -> tuple[explain.Table, str]:
        rows = explain.running_rows(present.simulation.state, present.partition.name)
        latest = replace(rows, rows=rows.rows[-MOST_ROWS:], keys=rows.keys[-MOST_ROWS:])
        return latest, texts.earlier_allocations(len(rows.rows) - MOST_ROWS)


class EventsTab:
    """What the scheduler said so far, newest first."""

    def __init__(self, hooks: Hooks):
        self.widget = DataTable(name=texts.EVENTS, empty=words.NOTHING_SAID)

    def draw(self, present: Present) -> None:
        table = explain.event_rows(present.simulation, MOST_ROWS)
        self.widget.show(table, note=table.note)


class OrderTab:
    """What was decided so far."""

    def __init__(self, hooks: Hooks):
        self.widget = DataTable(name=texts.ORDER, empty=texts.NO_STEPS)

    def draw(self, present: Present) -> None:
        table = explain.order_rows(present.simulation)
        latest = replace(table, rows=table.rows[-MOST_ROWS:], keys=table.keys[-MOST_ROWS:])
        self.widget.show(latest, note=texts.earlier_rows(len(table.rows) - MOST_ROWS))


def state_tab(
    title: str, rows: Callable[..., explain.Table], covered: Callable[..., explain.Table] | None = None
) -> Callable[[Hooks], Tab]:
    """A tab for a table of the cluster's state, such as `explain.queue_rows`; `covered` makes it during a prediction."""

    class StateTab:
        def __init__(self, hooks: Hooks):
            self.widget = DataTable(name=title, empty="")

        def draw(self, present: Present) -> None:
            make = covered if covered is not None and present.covered else rows
            table = make(present.simulation.state, present.partition.name)
            if present.blind:
                table = prediction.without_priorities(table)
            self.widget.empty = table.empty
            # Rows of state stand for no request, so they cannot be selected.
            self.widget.show(replace(table, rows=table.rows[:MOST_ROWS], keys=table.keys[:MOST_ROWS]))

    return StateTab


class YamlTab:
    """The design in force as text, both ways."""

    def __init__(self, hooks: Hooks):
        self._hooks = hooks
        self.widget = TextEditor(lambda text: hooks.carry_out("edit_yaml", text), name=texts.YAML, hint=YAML_HINT, lines=5)

    def draw(self, present: Present) -> None:
        self.widget.show(str(self._hooks.workbench.to_yaml()))

    def offer(self, draft: Draft) -> None:
        """Show a text that is to become the design, with what is wrong with it."""
        self.widget.show(str(self._hooks.workbench.to_yaml()))
        self.widget.offer(draft.text, draft.error)


class CallsTab:
    """The calls that lead to the present state."""

    def __init__(self, hooks: Hooks):
        self._hooks = hooks
        self.widget = LiveText(name=texts.CALLS, live=False)

    def draw(self, present: Present) -> None:
        self.widget.show(*(("code", call) for call in self._hooks.workbench.calls))


TABS: Mapping[str, tuple[str, Callable[[Hooks], Tab]]] = {
    "pending": (texts.PENDING, PendingTab),
    "running": (texts.RUNNING, RunningTab),
    "events": (texts.EVENTS, EventsTab),
    "order": (texts.ORDER, OrderTab),
    "queues": (texts.QUEUES, state_tab(texts.QUEUES, explain.queue_rows)),
    "nodes": (texts.NODES, state_tab(texts.NODES, explain.node_rows, prediction.covered_nodes)),
    "inputs": (texts.INPUTS, InputsTab),
    "checks": (texts.CHECKS, ChecksTab),
    "yaml": (texts.YAML, YamlTab),
    "calls": (texts.CALLS, CallsTab),
}
"""Name -> title and maker, in the order of the tabs."""


class Tables:
    """The region. `widget` is what is displayed; `tabs` has each tab by its name."""

    def __init__(self, hooks: Hooks):
        self._present: Present | None = None
        self._offered: Draft | None = None
        self._workbench, self._turn = hooks.workbench, hooks.workbench.turn
        self._later = Later(self._check)
        self.tabs: dict[str, Tab] = {name: make(hooks) for name, (_, make) in TABS.items()}
        self.widget = widgets.Tab(
            children=tuple(tab.widget for tab in self.tabs.values()),
            titles=tuple(title for title, _ in TABS.values()),
            selected_index=0,
        )
        self.widget.observe(lambda _change: self._open(), "selected_index")

    @property
    def front(self) -> str:
        """Name of the tab in front."""
        return tuple(TABS)[self.widget.selected_index or 0]

    def bring(self, name: str) -> Tab:
        """The tab of that name, brought to the front."""
        self.widget.selected_index = tuple(TABS).index(name)
        return self.tabs[name]

    def show(self, present: Present) -> None:
        """Show the present of the workbench."""
        self._present = present
        draft = self._workbench.draft
        if draft is not None and draft is not self._offered:
            tab = self.bring("yaml")
            assert isinstance(tab, YamlTab)
            tab.offer(draft)
        self._offered = draft
        self.draw()
        self._entitle()
        if self._workbench.checks_are_due:
            self._later.wish()

    def _check(self) -> None:
        """Make the checks that the last redraw has left for a quiet moment, for the number in the title of their tab."""
        with self._turn:
            if not self._workbench.player.busy:  # its end is a redraw, which comes back here
                self._workbench.checked()
                self._entitle()

    def _entitle(self) -> None:
        titles = tuple(
            tab.title() if isinstance(tab, ChecksTab) else title
            for tab, (title, _) in zip(self.tabs.values(), TABS.values(), strict=True)
        )
        if titles != self.widget.titles:
            self.widget.titles = titles

    def draw(self) -> None:
        """Redraw the tab in front."""
        with self._turn:
            if self._present is not None:
                self.tabs[self.front].draw(self._present)

    def _open(self) -> None:
        """Another tab comes to the front."""
        tab = self.tabs[self.front]
        if isinstance(tab, ChecksTab):
            tab.open()
        self.draw()
