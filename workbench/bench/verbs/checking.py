"""Checking the design: what the scheduler would refuse, ignore or never do, and applying what would mend it."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice import Check, Remedy, Trial, can_be_tried, checks, try_out
from workbench.bench.controller import Text, call_of
from workbench.bench.verbs.edits import Edits
from workbench.bench.work import Work, long
from workbench.config import validate
from workbench.config.model import SchedulerConfig
from workbench.explain import catalogue
from workbench.values.errors import CommandError

LINE_WIDTH = 112
"""Columns of text that fit beside the file list on a screen of 1366 pixels."""
SLOW_SECONDS = 0.05
"""Checks that took longer than that are not made anew at every step."""


class Checks(tuple[Check, ...]):
    """Checks that show themselves in a notebook as lines of text, wrapped between words (JupyterLab would do it within them)."""

    __slots__ = ()

    def __repr__(self) -> str:
        lines = [line for each in self for line in _lines(each)]
        return "\n".join(lines or _wrapped(catalogue.NO_CHECKS, ""))


@dataclass(frozen=True, slots=True)
class Checked:
    """Checks, of which design and inputs, when, and how long they took."""

    checks: Checks
    config: SchedulerConfig
    inputs: int
    instant: tuple[int, int]
    seconds: float

    @property
    def step(self) -> int:
        return self.instant[0]


class Checking(Edits):
    """Verbs about what is wrong with the design."""

    _checked: Checked | None = None
    _trials: tuple[SchedulerConfig, dict[str, Trial]] | None = None

    def check(self) -> Checks:
        """Every check of the design in force with the present nodes and applications: errors, then warnings, then hints."""
        with self._verb("wb.check()", silent=True) as say:
            found = self.checked(anew=True).checks
            say(catalogue.checks_summary(_counts(found)))
        return found

    @long
    def mend(self, code: str, path: str = "", remedy: str = "", *, partition: str = "") -> Work:
        """Apply a remedy of a check of that code and queue: by its text, or the first one. One undo entry.

        `partition` is the one on the screen unless it is given.

        Raises:
            CommandError: there is no such check now, or it has no such remedy.
            ConfigError: the scheduler would refuse the result. The design is unchanged.
        """
        with self._verb(call_of("mend", code, path, remedy=remedy, partition=partition), works=True) as say:
            wanted = self._remedy(code, path, remedy, partition or self.partition.name)
            config = wanted.apply(self.config)
            if config == self.config:
                say(catalogue.NOTHING_CHANGED)
            else:
                validate(config)
                outcome = yield from self._redesign(config)
                say(catalogue.EDIT_STOPPED if outcome is None else f"{catalogue.mended(wanted.description)} {outcome}")
        return Text(self.status.text)

    def try_out(self, code: str, path: str = "", *, partition: str = "") -> Text:
        """Play a small workload that should bring about what a check of that code and queue says, in a cluster of its own.

        What came of it, as a sentence. CommandError if there is no such check now, or nothing to try for it.
        """
        with self._verb(call_of("try_out", code, path, partition=partition), silent=True) as say:
            found = self._found(code, path, partition or self.partition.name)
            wanted = next((each for each in found if can_be_tried(each)), None)
            if wanted is None:
                raise CommandError(catalogue.nothing_to_try(code, path, bool(found)))
            trial = try_out(wanted, self.config)
            known = self._trials[1] if self._trials is not None and self._trials[0] is self.config else {}
            self._trials = self.config, {**known, str(wanted): trial}
            say(trial.text)
        return Text(trial.text)

    def trial_of(self, check: Check) -> Trial | None:
        """What came of trying that check of the design in force; None if it was not tried."""
        if self._trials is None or self._trials[0] is not self.config:
            return None
        return self._trials[1].get(str(check))

    def checked(self, *, anew: bool = False) -> Checked:
        """The checks of the present. Mere steps make them anew only where that is quick, or with `anew`."""
        found, wanted = self._checked, self._of_present()
        if found is None or self.checks_are_due or anew and found.instant != wanted[2]:
            started = time.perf_counter()
            made = Checks(checks(self.config, self.simulation.state))
            found = self._checked = Checked(made, *wanted, time.perf_counter() - started)
        return found

    @property
    def last_checked(self) -> Checked | None:
        """The checks made last, of whatever that was; None before the first."""
        return self._checked

    @property
    def checks_are_due(self) -> bool:
        """Whether `checked` would make the checks anew."""
        found, (config, inputs, instant) = self._checked, self._of_present()
        return (
            found is None
            or found.config is not config
            or found.inputs != inputs
            or found.instant != instant
            and found.seconds <= SLOW_SECONDS
        )

    def _of_present(self) -> tuple[SchedulerConfig, int, tuple[int, int]]:
        """What checks depend on: the design, the inputs and the instant."""
        simulation = self.simulation
        return self.config, len(simulation.inputs), (simulation.position, simulation.now_ns)

    def _remedy(self, code: str, path: str, text: str, partition: str) -> Remedy:
        found = self._found(code, path, partition)
        remedies = [one for each in found for one in each.remedies]
        wanted = next((one for one in remedies if text in ("", one.description)), None)
        if wanted is None:
            raise CommandError(catalogue.no_remedy(code, path, bool(found), [one.description for one in remedies]))
        return wanted

    def _found(self, code: str, path: str, partition: str) -> list[Check]:
        return [
            each for each in self.checked(anew=True).checks if (each.code, each.path, each.partition) == (code, path, partition)
        ]


def _counts(found: Checks) -> dict[str, int]:
    counts = dict.fromkeys(catalogue.SEVERITY_NAMES, 0)
    for each in found:
        counts[each.severity] += 1
    return counts


def _lines(check: Check) -> Iterator[str]:
    yield from _wrapped(str(check), "  ")
    for remedy in check.remedies:
        yield from _wrapped(catalogue.remedy_line(remedy.description), "      ")


def _wrapped(line: str, indent: str) -> list[str]:
    return textwrap.wrap(line, LINE_WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
