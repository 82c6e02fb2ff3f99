"""Edits and undo: how a changed design or changed inputs take effect, each as one entry that can be taken back (U-4, U-16)."""

from __future__ import annotations

from dataclasses import replace

from workbench.bench import design_edits, study, texts
from workbench.bench.controller import Controller, Text, call_of
from workbench.bench.study import Study
from workbench.bench.work import Work, long
from workbench.config.diff import diff
from workbench.config.model import SchedulerConfig
from workbench.explain import catalogue
from workbench.scheduler.releases.profiles import profile_of
from workbench.values.errors import CommandError

RERUN, RELOAD = "rerun", "reload"
MOST_ENTRIES = 100


class Edits(Controller):
    """Undo, redo, and the switch between running again from the start and a reload at this step.

    Attributes:
        edits: "rerun" or "reload": what an edit does in mid-run.
        differs_at: the first step whose outcome the last edit changed, 0 when none did.
    """

    def _forget_edits(self) -> None:
        self.edits = RERUN
        self.differs_at = 0
        self._past: list[Study] = []
        self._future: list[Study] = []

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def edit_mode(self, mode: str) -> None:
        """What later edits do: "rerun" plays the same inputs again from the start, "reload" applies them at this step.

        CommandError for another mode.
        """
        with self._verb(call_of("edit_mode", mode), repeats="wb.edit_mode(") as say:
            if mode not in (RERUN, RELOAD):
                raise CommandError(texts.no_such("edit mode", mode, (RERUN, RELOAD)))
            self.edits = mode
            say(catalogue.EDIT_MODES[mode])

    @long
    def engine(self, version: str) -> Work:
        """Follow the rules of another release, "1.8" or "1.4": the same design and inputs are played again. One undo entry.

        CommandError if that release is not known, ConfigError if it would refuse the design; then nothing changes.
        """
        with self._verb(call_of("engine", version), works=True) as say:
            profile_of(version)
            before = self._study()
            if version == self.simulation.version:
                say(catalogue.engine_is(version))
            else:
                scenario = replace(before.scenario, engine=version)
                outcome = yield from self._restudy(replace(before, scenario=scenario))
                if outcome is not None:
                    self._remember(before)
                say(f"{catalogue.engine_is(version)} {outcome}" if outcome is not None else catalogue.EDIT_STOPPED)
        return Text(self.status.text)

    @long
    def undo(self) -> Work:
        """Take back the last edit or input. CommandError if there is none."""
        with self._verb("wb.undo()", works=True) as say:
            if not self._past:
                raise CommandError("there is no edit to undo")
            wanted, present = self._past[-1], self._study()
            undone, same = self.config, wanted.name == self.name
            outcome = yield from self._return_to(wanted, restores=True)
            if outcome is not None:
                self._past, self._future = self._past[:-1], [*self._future, present]
            again = catalogue.in_force_again(diff(undone, self.config) if same else ())
            say(f"{texts.undone(again)} {outcome}" if outcome is not None else catalogue.EDIT_STOPPED)
        return Text(self.status.text)

    @long
    def redo(self) -> Work:
        """Make the last undone edit or input again. CommandError if there is none."""
        with self._verb("wb.redo()", works=True) as say:
            if not self._future:
                raise CommandError("there is no edit to make again")
            wanted, present = self._future[-1], self._study()
            outcome = yield from self._return_to(wanted)
            if outcome is not None:
                self._past, self._future = [*self._past, present], self._future[:-1]
            say(f"{texts.redone()} {outcome}" if outcome is not None else catalogue.EDIT_STOPPED)
        return Text(self.status.text)

    def _remember(self, before: Study) -> None:
        """`before` is what undo goes back to; the way forward ends here."""
        self._past, self._future = [*self._past, before][-MOST_ENTRIES:], []

    def _redesign(self, config: SchedulerConfig) -> Work:
        """Work: another design takes effect, as the switch says, and one undo entry is made. How the outcome changed, or None
        when it was stopped and nothing changed."""
        before, ahead = self._study(), self._ahead
        if self.edits == RELOAD:
            old_next, position = self.simulation.preview(), self.simulation.position
            self.simulation.reload(config)
            self._turns, self.differs_at = None, 0
            outcome = catalogue.reloaded(position, old_next, self.simulation.preview())
        else:
            outcome = yield from self._restudy(study.with_design(before, self.config, config))
        if outcome is None:
            return None
        self._remember(before)
        return f"{outcome} {catalogue.steps_dropped(ahead)}".rstrip()

    @property
    def _ahead(self) -> int:
        """Recorded steps behind the present one, which an edit or an input drops."""
        return self.simulation.recorded - self.simulation.position

    def _return_to(self, wanted: Study, *, restores: bool = False) -> Work:
        """Work: play an earlier or later study, at the present step if it is of the same design. What to say about it, or None.

        With `restores` it is something that was in force before, so nothing is said to differ.
        """
        if wanted.name == self.name:
            return (yield from self._restudy(replace(wanted, step=self.simulation.position), restores=restores))
        after = yield from study.replayed(wanted)
        if after is None:
            return None
        self.simulation, self.name, self._turns, self.differs_at = after, wanted.name, None, 0
        self._drop_lost_selection()
        return texts.opened(wanted.name)

    def _restudy(self, wanted: Study, *, restores: bool = False) -> Work:
        """Work: play another study up to its step. How the outcome changed, or None when it was stopped."""
        before, position = self.simulation, self.simulation.position
        after = yield from study.replayed(wanted)
        if after is None:
            return None
        old_next, new_next = before.preview(), after.preview()
        self.simulation, self._turns = after, None
        self.differs_at = 0 if restores else design_edits.first_difference(before.steps, after.steps, position)
        self._drop_lost_selection()
        if restores:
            return texts.restored(position, after.position, new_next)
        return texts.outcome(position, after.position, self.differs_at, old_next, new_next)
