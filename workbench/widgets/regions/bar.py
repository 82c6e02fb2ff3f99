"""The bar: the design, undo, where we are in time and what moves it. Buttons call verbs of the same name (U-5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from workbench.bench import marks, texts
from workbench.bench.conditions import CONDITIONS
from workbench.bench.present import Present
from workbench.bench.templates import TEMPLATE_NAMES
from workbench.bench.verbs.time import FASTEST, SLOWEST
from workbench.bench.views import VIEWS
from workbench.bench.workbench import Workbench
from workbench.explain import wording
from workbench.scheduler.releases.profiles import PROFILES
from workbench.simulation.scenario import all_example_names
from workbench.widgets.parts.live_text import LiveText
from workbench.widgets.parts.step_rail import MOST_DOTS, StepRail

EDIT_MODE_LABELS: Mapping[str, str] = {"rerun": "Re-run from start", "reload": "Apply from now"}
NEEDED_FIRST: Mapping[str, str] = {
    "queue": "Select a queue first.",
    "request": "Select a request in Pending first.",
    "application": "Select a request of the app in Pending first.",
}
RELEASE = "Release"
RELEASE_HINT = "The release of the YuniKorn core whose rules are followed"
FIND_HINT = "queue or request"

RAIL_CHARACTERS = 80
"""Characters that all labels of the rail may have together, to stand side by side on a small screen."""

CarryOut = Callable[..., "Exception | None"]


class Bar:
    """`widget` is what is displayed. `carry_out` takes the name of a verb; `find` what was typed into the search box."""

    def __init__(self, workbench: Workbench, carry_out: CarryOut, find: Callable[[str], Exception | None]):
        self._workbench, self._carry_out, self._filling = workbench, carry_out, False
        self.design = widgets.Dropdown(description="Design", options=self._designs(), value=workbench.name)
        self.design.observe(self._chosen(lambda name: name != workbench.name and carry_out("load", name)), "value")
        self.release = widgets.Dropdown(
            description=RELEASE, tooltip=RELEASE_HINT, options=tuple(PROFILES), value=workbench.simulation.release
        )
        self.release.observe(self._chosen(lambda release: carry_out("release", release)), "value")
        self.undo = self._button("Undo", "Take back the last edit (u)", "undo")
        self.redo = self._button("Redo", "Make the undone edit again", "redo")
        self.edits = widgets.ToggleButtons(
            description=texts.EDIT_MODE,
            value=workbench.edits,
            options=[(label, mode) for mode, label in EDIT_MODE_LABELS.items()],
            tooltips=list(texts.EDIT_MODES.values()),
        )
        self.edits.observe(self._chosen(lambda mode: carry_out("edit_mode", mode)), "value")
        self.view = widgets.Dropdown(description=texts.VIEW, options=tuple(VIEWS), value=workbench.view)
        self.view.observe(self._chosen(lambda view: carry_out("show_as", view)), "value")
        self.find = widgets.Text(description=texts.FIND, placeholder=FIND_HINT, continuous_update=False)
        self.find.observe(self._chosen(lambda text: text.strip() and find(text)), "value")
        self.find.add_class("wb-find")
        self.help = widgets.Button(description=texts.HELP, tooltip=texts.HELP_HINT)
        self.reset = self._button("Reset", "Go to the start; the steps stay on the rail", "reset")
        self.back = self._button("Back", "One step back (p)", "back")
        self.step = self._button("Step", "Take the next decision that changes something (n)", "step")
        self.step.add_class("wb-primary")
        self.cycle = self._button(texts.CYCLE, texts.CYCLE_HINT, "cycle")
        self.skip = self._button(texts.SKIP, texts.SKIP_HINT, "skip")
        self.until = widgets.Dropdown(description=texts.UNTIL, options=[(each.label, name) for name, each in CONDITIONS.items()])
        self.until.observe(lambda change: self._show_number(), "value")
        self.number = widgets.BoundedIntText(description=texts.NUMBER, value=5, min=1, max=1_000_000)
        self.run = widgets.Button(description=texts.RUN, tooltip=texts.RUN_HINT)
        self.run.on_click(lambda _button: self.press_run())
        self.play = widgets.Button(description=texts.PLAY, tooltip=texts.PLAY_HINT)
        self.play.on_click(lambda _button: self.press_play())
        self.speed = widgets.IntSlider(description=texts.SPEED, value=2, min=SLOWEST, max=FASTEST)
        self.count = LiveText(name="Progress", live=False)
        self.rail = StepRail()
        self.rail.on_goto(lambda step: carry_out("goto", step))
        for control in (self.undo, self.redo, self.reset, self.help):
            control.add_class("wb-quiet")
        self._show_number()
        first = _line(self.design, self.release, self.undo, self.redo, self.edits, self.view, self.find, self.help)
        second = _line(
            self.reset,
            self.back,
            self.step,
            self.cycle,
            self.skip,
            self.until,
            self.number,
            self.run,
            self.play,
            self.speed,
            self.count,
        )
        self.widget = widgets.VBox([first, second, _line(self.rail)])

    # -- showing ------------------------------------------------------------------------------------------------

    def show(self, present: Present) -> None:
        """Show the present."""
        workbench, simulation = self._workbench, present.simulation
        self._filling = True
        try:
            designs = self._designs()
            if self.design.options != designs:
                self.design.options = designs
            self.design.value = workbench.name
            self.edits.value, self.view.value = workbench.edits, workbench.view
            self.release.value = simulation.release
        finally:
            self._filling = False
        if not workbench.player.busy:
            self.undo.disabled, self.redo.disabled = not workbench.can_undo, not workbench.can_redo
            self.reset.disabled = self.back.disabled = simulation.position == 0
        self.count.show(("title", texts.progress(simulation.position, len(present.waiting), present.refused.many)))
        self._show_rail(present)

    def _show_rail(self, present: Present) -> None:
        simulation, rail = present.simulation, self.rail
        with rail.hold_sync():
            # How far the steps ahead go tells whether there is a next one.
            recorded = simulation.position if present.covered else simulation.recorded
            rail.recorded, rail.position = recorded, simulation.position
            rail.total = max(recorded, simulation.position + len(present.waiting))
            # A long rail is drawn without dots, so nobody would see their names.
            steps = simulation.steps if rail.total <= MOST_DOTS else ()
            if present.covered:
                steps = steps[: simulation.position]
            most = max(3, RAIL_CHARACTERS // max(1, rail.total))
            rail.labels = [wording.name(step.decision.key, most) for step in steps]
            rail.hints = [texts.stepped(step.number, step.decision) for step in steps]
            rail.marks = marks.of(simulation)
            rail.differs_at = self._workbench.differs_at
            rail.difference = mark_difference(rail.differs_at) if rail.differs_at else ""
            rail.caption = texts.progress(simulation.position, len(present.waiting), present.refused.many)

    def show_busy(self, busy: bool) -> None:
        """While something goes on, Play stops what is played and Run everything else; the other controls wait."""
        progress = self._workbench.player.progress
        plays = busy and progress is not None and progress.show
        runs = busy and not plays
        self.run.description, self.run.tooltip = (texts.STOP, texts.STOP_HINT) if runs else (texts.RUN, texts.RUN_HINT)
        self.play.description, self.play.tooltip = (texts.STOP, texts.STOP_HINT) if plays else (texts.PLAY, texts.PLAY_HINT)
        self.run.disabled, self.play.disabled = plays, runs
        if busy:
            self.undo.disabled = self.redo.disabled = self.reset.disabled = self.back.disabled = True
        for control in (
            self.design,
            self.release,
            self.edits,
            self.step,
            self.cycle,
            self.skip,
            self.until,
            self.number,
            self.speed,
        ):
            control.disabled = busy

    # -- answering ----------------------------------------------------------------------------------------------

    def press_run(self) -> None:
        """Run until the chosen condition holds, or stop what goes on."""
        workbench = self._workbench
        if workbench.player.busy:
            workbench.stop()
            return
        name = self.until.value
        if name == "end":
            self._carry_out("run")
            return
        needs = CONDITIONS[name].needs
        request = workbench.selected_request
        argument = {
            "queue": workbench.selected,
            "request": request[1] if request else "",
            "number": str(self.number.value),
            "application": request[0] if request else "",
            "nothing": "",
        }[needs]
        if not argument and needs in NEEDED_FIRST:
            workbench.refuse(NEEDED_FIRST[needs])
            return
        self._carry_out("run_until", name, *([argument] if argument else []))

    def press_play(self) -> None:
        """Play, or stop what goes on."""
        if self._workbench.player.busy:
            self._workbench.stop()
        else:
            self._carry_out("play", self.speed.value)

    def _button(self, description: str, tooltip: str, verb: str) -> widgets.Button:
        button = widgets.Button(description=description, tooltip=tooltip)
        button.on_click(lambda _button: self._carry_out(verb))
        return button

    def _chosen(self, handler: Callable[[str], object]) -> Callable[[dict[str, Any]], None]:
        def changed(change: dict[str, Any]) -> None:
            if not self._filling:
                handler(change["new"])

        return changed

    def _show_number(self) -> None:
        self.number.layout.display = "" if self.until.value == "steps" else "none"

    def _designs(self) -> tuple[tuple[str, str], ...]:
        """What is open, marked if it was modified, then all examples by their groups, each as its label and its name."""
        here, names = self._workbench.name, (*TEMPLATE_NAMES, *all_example_names())
        listed = names if here in names else (here, *names)
        return tuple((texts.design_label(each, each == here and self._workbench.is_modified), each) for each in listed)


def _line(*controls: widgets.Widget) -> widgets.Widget:
    line = widgets.HBox(controls)
    line.add_class("wb-bar-line")
    return line


# ---- in words ---------------------------------------------------------------------------------------------------------


def mark_difference(step: int) -> str:
    return f"The last edit changed the outcome from step {step} on."
