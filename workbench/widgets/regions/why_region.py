"""The Why region: what comes next and why, in a few sentences, and behind two buttons everything that was compared and what the
last step changed.

The tables are made only while they are open; both stay where they are in the region, so that every preset has them (U-19).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import ipywidgets as widgets

from workbench import explain
from workbench.bench import texts
from workbench.bench.present import Present
from workbench.bench.views import VIEWS
from workbench.bench.workbench import Workbench
from workbench.explain import words
from workbench.explain.running import running, since_ns
from workbench.explain.why import MOST_SENTENCES
from workbench.explain.wording import name, seconds
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
CLEAR_HINT = "Select nothing"

Paragraph = tuple[str, str]
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
        body = widgets.VBox([self.text, self._all_box, self._changed_box])
        body.add_class("wb-why-text")
        self.widget = widgets.VBox([head, body])

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
        self._draw()

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


def rival(present: Present) -> Waiting | None:
    """The request that somebody would expect first and that is not next: the one of the highest priority of its own."""
    waiting = [item for item in present.waiting if item.refusal is not None]
    return max(waiting, key=lambda item: (item.ask.priority, -item.rank), default=None)


def paragraphs(workbench: Workbench, present: Present) -> tuple[list[Paragraph], list[Paragraph]]:
    """The sentences, and those that are left for whoever wants everything: each answer has five at most (U-19)."""
    shown: list[Paragraph] = []
    rest: list[Paragraph] = []
    if workbench.question_open:
        question, how = workbench.question
        said = workbench.reply.splitlines() or how.splitlines()
        return [("title", question), *(("body", line) for line in said)], []
    if present.covered:  # whether the answer was right, and no word about what may be asked for next
        first, *others = workbench.verdict.splitlines()
        told = [("title", first), *(("body", sentence) for sentence in others)]
        return [*told, ("note", texts.COVERED_AFTER_ANSWER)], []
    for first, *others in _about_selected(workbench, present):
        shown += [("title", first), *(("body", sentence) for sentence in others[: MOST_SENTENCES - 1])]
        rest += [("note", sentence) for sentence in others[MOST_SENTENCES - 1 :]]
    if not present.waiting and not present.decision.changed_something and present.decision.skipped is None:
        # An application that has never asked for anything is New.
        asked = present.taken or any(each.state != "New" for each in present.partition.applications.values())
        nothing = texts.NOTHING_MORE if asked else texts.NOTHING_ASKED
        return [*shown, ("title", nothing)], rest
    answer = explain.why(present.decision)
    shown += [("title", answer.headline), *(("body", sentence) for sentence in answer.sentences)]
    rest += [("note", sentence) for sentence in answer.more]
    if workbench.selected_request is None and len(present.waiting) > 1 and "tables" in VIEWS[workbench.view]:
        shown.append(("note", texts.SELECT_A_REQUEST))
    return shown, rest


def _about_selected(workbench: Workbench, present: Present) -> Iterator[tuple[str, ...]]:
    """Why the selected request has to wait and what would help it, or where it runs."""
    chosen = workbench.selected_request
    if chosen is None:
        return
    for item in present.waiting:
        if (item.application.id, item.ask.key) == chosen and item.refusal is not None:
            yield workbench.why_not_sentences(item)
    for owner, allocation in running(present.partition):
        if (owner.id, allocation.key) == chosen:
            who = words.request(allocation.key, owner.id)
            yield (runs(who, owner.queue_path, allocation.node_id, since_ns(allocation)),)


def _quiet(button: widgets.DOMWidget) -> widgets.DOMWidget:
    button.add_class("wb-quiet")
    return button


def _display(widget: widgets.DOMWidget, wanted: bool) -> None:
    widget.layout.display = None if wanted else "none"


# ---- in words ---------------------------------------------------------------------------------------------------------


def runs(who: str, queue: str, node: str, since_ns: int) -> str:
    return f"{who} in {name(queue)} runs on {name(node)} since {seconds(since_ns)}."


def why_not_button(key: str) -> str:
    return f"Why not {name(key, 16)}"
