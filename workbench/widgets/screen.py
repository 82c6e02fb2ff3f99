"""The screen: fixed regions around one `Workbench`, redrawn from its state after every verb.

Regions are Bar, Queues, Editor, Picture, Why, Tables and Status (U-10). Handlers call verbs and nothing else; a redraw
reads the simulation once and hands the same decision and ranking to every region, so that they cannot disagree. All
state is in the workbench and in widget models, so that two views stay in step and a reload shows the present (U-29).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import ipywidgets as widgets

from workbench import explain
from workbench.errors import WorkbenchError
from workbench.explain import wording
from workbench.plots.theme import DARK, THEMES, Theme
from workbench.scheduler.decision import Decision
from workbench.scheduler.tree import find
from workbench.simulation.scenario import example_names
from workbench.simulation.waiting import Waiting
from workbench.widgets import texts
from workbench.widgets.editor import QueueEditor
from workbench.widgets.live_text import LiveText
from workbench.widgets.picture import Picture
from workbench.widgets.queue_rows import queue_rows
from workbench.widgets.queue_tree import QueueTree
from workbench.widgets.step_rail import MOST_DOTS, StepRail
from workbench.widgets.tables import Tables

if TYPE_CHECKING:
    from workbench.widgets.workbench import Workbench

STYLE = (Path(__file__).parent / "screen.css").read_text(encoding="utf-8")
LOG = logging.getLogger(__name__)
RAIL_CHARACTERS = 80
"""Characters that all labels of the rail may have together, to stand side by side on a small screen."""
MOST_NOTES = 20
"""Of a long list of reasons only so many are shown; Pending has one for every request."""


@dataclass(frozen=True, slots=True)
class Present:
    """What one redraw shows: the decision Step would make and the ranking of everything that waits."""

    decision: Decision
    waiting: tuple[Waiting, ...]


class Screen:
    """The view of one workbench. `widget` is what is displayed; everything else is for the tests."""

    def __init__(self, workbench: Workbench):
        self.workbench = workbench
        self._filling = False
        self._running = False
        self._build_bar()
        self.tree = QueueTree(headings=["Queues", "priority", "next"], empty=texts.NO_QUEUES)
        self.tree.observe(self._on_tree, "selected")
        self.tree.observe(lambda _change: self.redraw(), "theme")
        self.editor = QueueEditor(self._on_set, lambda: self._do(lambda: workbench.select()))
        self.picture = Picture(lambda path: self._do(lambda: workbench.select(path)))
        self.why = LiveText(name="Why")
        self.tables = Tables(workbench, self._on_request)
        self.status = LiveText(name="Status")
        self.widget = self._layout()
        workbench.on_change(self.redraw)
        self.redraw()

    # -- building -----------------------------------------------------------------------------------------------

    def _build_bar(self) -> None:
        workbench = self.workbench
        self.design = widgets.Dropdown(description="Design", options=self._designs(), value=workbench.name)
        self.design.observe(self._on_design, "value")
        self.undo = self._button("Undo", "Take back the last edit", workbench.undo)
        self.redo = self._button("Redo", "Make the undone edit again", workbench.redo)
        self.reset = self._button("Reset", "Go to the start; the steps stay on the rail", workbench.reset)
        self.back = self._button("Back", "One step back", workbench.back)
        self.step = self._button("Step", "Take the next decision that changes something", workbench.step)
        self.step.add_class("wb-primary")
        for button in (self.undo, self.redo, self.reset):
            button.add_class("wb-quiet")
        self.run = widgets.Button(description="Run", tooltip="Step until nothing more can be allocated")
        self.run.on_click(self._on_run)
        self.count = LiveText(name="Progress", live=False)
        self.rail = StepRail()
        self.rail.on_goto(lambda step: self._do(lambda: workbench.goto(step)))

    def _button(self, description: str, tooltip: str, verb: Callable[[], object]) -> widgets.Button:
        button = widgets.Button(description=description, tooltip=tooltip)
        button.on_click(lambda _button: self._do(verb))
        return button

    def _layout(self) -> widgets.Widget:
        first = _classed(widgets.HBox([self.design, self.undo, self.redo, self.count]), "wb-bar-line")
        second = _classed(widgets.HBox([self.reset, self.back, self.step, self.run, self.rail]), "wb-bar-line")
        bar = _classed(widgets.VBox([first, second]), "wb-bar-region")
        why = _classed(_titled(texts.WHY, self.why), "wb-why")
        middle = _classed(widgets.HBox([_region(each) for each in (self.tree, self.picture.widget, self.editor.widget, why)]),
                          "wb-middle")
        tables = _classed(_region(self.tables.widget), "wb-tables")
        status = _classed(widgets.HBox([self.status]), "wb-status")
        style = widgets.HTML(f"<style>{STYLE}</style>", layout={"display": "none"})
        return _classed(widgets.VBox([style, bar, middle, tables, status]), "wb-screen")

    def _designs(self) -> tuple[str, ...]:
        names = tuple(example_names())
        return names if self.workbench.name in names else (self.workbench.name, *names)

    # -- redrawing ----------------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Show the workbench as it is now. A failure is told in the status line; it never stops a verb."""
        try:
            self._redraw_status()
            if not self._running:
                self._redraw_all()
        except Exception as error:
            LOG.exception("redraw")
            self.workbench.report(error, self.workbench.status.call)
            self._redraw_status()

    def _redraw_all(self) -> None:
        workbench = self.workbench
        if self.theme is DARK:
            self.widget.add_class("wb-dark")
        else:
            self.widget.remove_class("wb-dark")
        simulation = workbench.simulation
        present = Present(simulation.preview(), simulation.waiting())
        self._filling = True
        try:
            self._redraw_bar(present)
            self._redraw_queues(present)
            self.editor.show(find(workbench.partition, workbench.selected) if workbench.selected else None,
                             workbench.partition.profile.properties)
            self.tables.show(present.waiting)
            self.why.show(*why_paragraphs(workbench, present))
        finally:
            self._filling = False
        self.picture.show(workbench.partition, present.decision, workbench.selected, self.theme)

    @property
    def theme(self) -> Theme:
        return THEMES[self.tree.theme]

    def _redraw_status(self) -> None:
        status = self.workbench.status
        self.status.show(("error" if status.is_error else "body", status.text), ("code", status.call))

    def _redraw_bar(self, present: Present) -> None:
        workbench, simulation = self.workbench, self.workbench.simulation
        self.design.options, self.design.value = self._designs(), workbench.name
        self.undo.disabled, self.redo.disabled = not workbench.can_undo, not workbench.can_redo
        self.reset.disabled = self.back.disabled = simulation.position == 0
        self.count.show(("title", texts.progress(simulation.position, len(present.waiting))))
        with self.rail.hold_sync():
            self.rail.recorded, self.rail.position = simulation.recorded, simulation.position
            self.rail.total = max(simulation.recorded, simulation.position + len(present.waiting))
            # A long rail is drawn without dots, so nobody would see their names.
            steps = simulation.steps if self.rail.total <= MOST_DOTS else ()
            most = max(3, RAIL_CHARACTERS // max(1, self.rail.total))
            self.rail.labels = [wording.name(step.decision.key, most) for step in steps]
            self.rail.hints = [texts.stepped(step.number, step.decision) for step in steps]
            self.rail.differs_at = workbench.differs_at
            self.rail.caption = texts.progress(simulation.position, len(present.waiting))

    def _redraw_queues(self, present: Present) -> None:
        workbench = self.workbench
        with self.tree.hold_sync():
            self.tree.rows = queue_rows(workbench.partition, present.decision, present.waiting, self.theme)
            self.tree.selected = workbench.selected

    # -- answering ----------------------------------------------------------------------------------------------

    def _do(self, verb: Callable[[], object]) -> None:
        """Carry out a verb for a button. The verb tells its own failures in the status line (P10)."""
        try:
            verb()
        except WorkbenchError:
            LOG.debug("refused", exc_info=True)
        except Exception:
            LOG.exception("verb")

    def _on_design(self, change: dict) -> None:
        if not self._filling and change["new"] != self.workbench.name:
            self._do(lambda: self.workbench.load(change["new"]))

    def _on_tree(self, change: dict) -> None:
        if not self._filling and change["new"] != self.workbench.selected:
            self._do(lambda: self.workbench.select(change["new"]))

    def _on_request(self, request: tuple[str, str] | None) -> None:
        if request is None:
            self._do(lambda: self.workbench.select(self.workbench.selected))
        else:
            application, key = request
            self._do(lambda: self.workbench.select(request=key, application=application))

    def _on_set(self, path: str, key: str, text: str | None) -> str:
        self._do(lambda: self.workbench.set(path, key, text))
        status = self.workbench.status
        return status.text if status.is_error else ""

    def _on_run(self, _button: object) -> None:
        if self._running:
            self._running = False
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._do(self.workbench.run)
        else:
            # In chunks, so that the kernel can serve Stop between them (P9).
            self._task = loop.create_task(self._run())

    async def _run(self) -> None:
        self._set_running(True)
        try:
            await self.workbench.run_while(lambda: self._running)
        except WorkbenchError:
            LOG.debug("refused", exc_info=True)
        except Exception:
            LOG.exception("run")
        finally:
            self._set_running(False)
            self.redraw()

    def _set_running(self, running: bool) -> None:
        """While a run is under way the Run button stops it and the others wait."""
        self._running = running
        self.run.description, self.run.tooltip = (texts.STOP, texts.STOP_HINT) if running else (texts.RUN, texts.RUN_HINT)
        for control in (self.design, self.undo, self.redo, self.reset, self.back, self.step):
            control.disabled = running


def _classed(widget: widgets.Widget, *names: str) -> widgets.Widget:
    for name in names:
        widget.add_class(name)
    return widget


def _region(content: widgets.Widget) -> widgets.Widget:
    return _classed(widgets.VBox([content]), "wb-region")


def _titled(title: str, content: widgets.Widget) -> widgets.Widget:
    head = LiveText(live=False, name=title)
    head.show(("heading", title))
    return widgets.VBox([head, content])


def why_paragraphs(workbench: Workbench, present: Present) -> Iterator[tuple[str, str]]:
    """The Why region: the next choice, then the selected request if it has to wait."""
    chosen = workbench.selected_request
    for item in present.waiting:
        if (item.application.id, item.ask.key) == chosen and item.refusal is not None:
            first, *rest = explain.why_not(item, present.decision)
            yield "title", first
            yield from (("body", sentence) for sentence in rest)
    answer = explain.why(present.decision)
    yield "title", answer.headline
    yield from (("body", sentence) for sentence in answer.sentences)
    yield from (("note", sentence) for sentence in answer.more[:MOST_NOTES])
    if chosen is None and len(present.waiting) > 1:
        yield "note", texts.SELECT_A_REQUEST
