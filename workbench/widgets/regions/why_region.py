"""The Why region: what comes next and why, in a few sentences, and behind two buttons everything that was compared and what the
last step changed.

The tables are made only while they are open; both stay where they are in the region, so that every preset has them (U-19).
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets

from workbench import explain
from workbench.bench import texts
from workbench.bench.present import Present
from workbench.bench.reasons import Offer, just_happened, offers, paragraphs, rival
from workbench.bench.workbench import Workbench
from workbench.explain import words
from workbench.explain.wording import name
from workbench.simulation.waiting import Waiting
from workbench.widgets.parts.data_table import DataTable
from workbench.widgets.parts.live_text import LiveText

SHOW_LESS = "Show less"
WHAT_CHANGED = "What changed"
HIDE_CHANGES = "Hide changes"
CLEAR_REQUEST = "Clear"
SHOW_ALL_HINT = "Every queue, application, request and node that was compared, with the values"
WHAT_CHANGED_HINT = "What the last step changed: queues, applications, nodes, allocations"
WHY_NOT_HINT = "Select this request: why it is not next, and what would help it"
JUST_HAPPENED = "What just happened"
CLEAR_HINT = "Select nothing"

MOST_ROWS = 1000
"""Rows of a table that are sent to the browser, which shows them by pages."""


class WhyRegion:
    """`widget` is what is displayed, `text` the sentences; `carry_out` takes the name of a verb, `tools` stand in the head, too."""

    def __init__(self, workbench: Workbench, carry_out: Callable[..., Exception | None], tools: widgets.Widget):
        self._workbench, self._carry_out = workbench, carry_out
        self._present: Present | None = None
        self._rival: Waiting | None = None
        heading = LiveText(name=texts.WHY, live=False)
        heading.show(("heading", texts.WHY))
        self.why_not = _quiet(widgets.Button(tooltip=WHY_NOT_HINT))
        self.why_not.on_click(lambda _button: self._ask())
        self.clear = _quiet(widgets.Button(description=CLEAR_REQUEST, tooltip=CLEAR_HINT))
        self.clear.on_click(lambda _button: carry_out("select"))
        self.all = _quiet(widgets.ToggleButton(description=words.SHOW_ALL, tooltip=SHOW_ALL_HINT))
        self.changed = _quiet(widgets.ToggleButton(description=WHAT_CHANGED, tooltip=WHAT_CHANGED_HINT))
        for toggle in (self.all, self.changed):
            toggle.observe(lambda _change: self._draw(), "value")
        self.text = LiveText(name="Why")
        self.past = LiveText(name=JUST_HAPPENED, live=False)
        self.past.add_class("wb-why-past")
        self.remedies = widgets.HBox()
        self.remedies.add_class("wb-why-remedies")
        self._offered: tuple[tuple[str, str], ...] = ()
        self.more = LiveText(name=words.SHOW_ALL, live=False)
        self.records = DataTable(name=words.RECORD_CAPTION, empty=words.NO_RECORDS)
        self.changes = DataTable(name=WHAT_CHANGED, empty=words.NO_STEPS)
        self._all_box = widgets.VBox([self.records, self.more])
        self._changed_heading = LiveText(name=WHAT_CHANGED, live=False)
        self._changed_box = widgets.VBox([self._changed_heading, self.changes])
        for box in (self._all_box, self._changed_box):
            box.add_class("wb-why-more")
        head = widgets.HBox([heading, tools, self.why_not, self.clear, self.all, self.changed])
        head.add_class("wb-why-head")
        body = widgets.VBox([self.past, self.text, self._all_box, self._changed_box])
        body.add_class("wb-why-text")
        # Above the sentences, so that it is seen however many these are.
        _display(self.remedies, False)
        self.widget = widgets.VBox([head, self.remedies, body])

    def show(self, present: Present) -> None:
        """Show the present of the workbench."""
        self._present = present
        chosen = self._workbench.selected_request
        self._rival = None if chosen is not None or present.covered else rival(present)
        self.why_not.description = "" if self._rival is None else why_not_button(self._rival.ask.key)
        _display(self.why_not, self._rival is not None)
        _display(self.clear, chosen is not None and not present.covered)
        _display(self.all, not present.covered)
        # What the last step did to priorities tells what they are now.
        _display(self.changed, not present.blind)
        self._offer(present)
        self._draw()

    def _offer(self, present: Present) -> None:
        """A button for each change that was found to help the selected request, and for the time that has to pass."""
        found = offers(self._workbench, present)
        told = tuple((each.label, each.hint) for each in found)
        if told == self._offered and len(found) == len(self.remedies.children):
            return
        self._offered = told
        self.remedies.children = tuple(self._button(each) for each in found)
        _display(self.remedies, bool(found))

    def _button(self, offer: Offer) -> widgets.Button:
        button = _quiet(widgets.Button(description=offer.label, tooltip=offer.hint))
        button.on_click(lambda _button: self._carry_out(offer.verb, *offer.arguments, **offer.options))
        return button

    def _ask(self) -> None:
        if self._rival is not None:
            self._carry_out("select", request=self._rival.ask.key, application=self._rival.application.id)

    def _draw(self) -> None:
        """Fill what is open; what is closed costs nothing. An open table leaves only the headlines above it."""
        with self._workbench.turn:
            present = self._present
            changed = self.changed.value and not (present is not None and present.blind)
            everything = self.all.value and not (present is not None and present.covered)
            if present is not None:
                shown, rest = paragraphs(self._workbench, present)
                if (everything or changed) and not present.covered:
                    rest = [(kind, text) for kind, text in shown if kind == "body"] + rest
                    shown = [(kind, text) for kind, text in shown if kind == "title"]
                self.past.show(*(("past", sentence) for sentence in just_happened(self._workbench, present)))
                self.text.show(*shown)
                self.more.show(*rest)
            self.all.description = SHOW_LESS if everything else words.SHOW_ALL
            self.changed.description = HIDE_CHANGES if changed else WHAT_CHANGED
            if present is not None and present.covered:
                self.records.rows = []
            if present is not None and present.blind:
                self.changes.rows = []
            if present is not None and everything:
                table = explain.record_rows(present.decision, MOST_ROWS)
                self.records.show(table, note=table.note)
            if present is not None and changed:
                table = explain.change_rows(present.simulation, partition=present.partition.name)
                self.changes.empty = table.empty
                self._changed_heading.show(("note", table.caption if table.rows else ""))
                self.changes.show(table)
            _display(self._all_box, everything)
            _display(self._changed_box, changed)


def _quiet(button: widgets.DOMWidget) -> widgets.DOMWidget:
    button.add_class("wb-quiet")
    return button


def _display(widget: widgets.DOMWidget, wanted: bool) -> None:
    widget.layout.display = None if wanted else "none"


# ---- in words ---------------------------------------------------------------------------------------------------------


def why_not_button(key: str) -> str:
    return f"Why not {name(key, 16)}"
