"""A bound on a number: `measure: wait.p95, of: root.prod, at_most: 5m`.

Of any measure and any scope (`wb.measures.catalogue()`). With `compared_to: other.yaml` the same arrivals are played under another
design as well, and the bound is on the change: `at_least: -2%` of the other's number, or so much in the measure's unit. A workload
with seeds is judged seed by seed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.config.diff import diff
from workbench.config.model import SchedulerConfig
from workbench.expectations.bounds import RELATIONS, Bound, difference, percent, read_bounds
from workbench.expectations.kinds.registry import Case, Kind, Place, register_kind
from workbench.expectations.offenders import Blame, idle_because, offender
from workbench.expectations.story import RunStory
from workbench.expectations.verdicts import CannotFail, Outcome, Verdict
from workbench.explain.wording import listing, name
from workbench.measures import Measure, Scope, measure_named, scope_of
from workbench.measures.scopes import WHOLE
from workbench.simulation.scenario.document import Cursor
from workbench.values.errors import CommandError

if TYPE_CHECKING:
    from workbench.measures import MeasureTable


@dataclass(frozen=True)
class Measured:
    """A number within bounds, or one that may change so much.

    Attributes:
        measure: its name.
        of: whose.
        bounds: what it has to keep.
        other, other_name: the design that it is compared with, and what that is called; None for none.
    """

    measure: str
    of: Scope
    bounds: tuple[Bound, ...]
    other: SchedulerConfig | None = None
    other_name: str = ""

    @property
    def designs(self) -> tuple[SchedulerConfig, ...]:
        """The other design, if there is one."""
        return () if self.other is None else (self.other,)

    def __str__(self) -> str:
        compared = f" compared with {name(self.other_name)}" if self.other is not None else ""
        return f"{self._what}{compared}: {self._wanted}"

    @property
    def _known(self) -> Measure:
        return measure_named(self.measure)

    @property
    def _what(self) -> str:
        return f"{self._known.title}, {name(str(self.of))}"

    @property
    def _wanted(self) -> str:
        compared = self.other is not None
        said = listing([bound.words(self._known, signed=compared) for bound in self.bounds], most=len(RELATIONS))
        return f"a change of {said}" if compared else said

    def judge(self, case: Case) -> Verdict:
        story = case.story
        assert isinstance(story, RunStory)
        value = self._value(case.table, story)
        if self.other is None:
            return self._verdict(story, value, value, self._known.show(value))
        return self._changed(case, story, value)

    def _value(self, table: MeasureTable, story: RunStory) -> float:
        """The number. CommandError if there is none of that name, CannotFail if there was nothing to measure."""
        value = table[self.measure, self.of]
        idle = idle_because(story, self._known, table.scope(self.of))
        if idle:
            raise CannotFail(idle)
        if value is None:
            raise CannotFail(f"{self._what}: {self._known.empty}, so this could not fail")
        return value

    def _changed(self, case: Case, story: RunStory, value: float) -> Verdict:
        assert self.other is not None
        _, table = case.against(self.other)
        other = table[self.measure, self.of]
        if other is None:
            raise CannotFail(
                f"{self._what}: {self._known.empty} under {name(self.other_name)}, so there is nothing to compare with"
            )
        change = value - other
        if self.bounds[0].relative:
            change = change / abs(other) if other else math.copysign(math.inf, change) if change else 0.0
        known = self._known
        said = percent(change) if self.bounds[0].relative else difference(change, known)
        if not diff(case.design, self.other):  # as it is until somebody changes the one or the other
            shown = f"{known.show(value)} as with {name(self.other_name)}, which means the same"
            return self._verdict(story, value, change, shown)
        shown = f"{known.show(value)} instead of {known.show(other)} with {name(self.other_name)}, {said}"
        return self._verdict(story, value, change, shown)

    def _verdict(self, story: RunStory, value: float, judged: float, shown: str) -> Verdict:
        broken = [bound for bound in self.bounds if not bound.keeps(judged)]
        sentence = f"{self._what}: {shown}, expected {self._wanted}"
        if not broken:
            room = min((abs(bound.limit - judged) for bound in self.bounds if bound.key != "equals"), default=0.0)
            return Verdict(Outcome.PASSED, sentence, value, room)
        bound = max(broken, key=lambda each: each.excess(judged))
        blame = Blame(story, self._known, self.of, bound if self.other is None else None, judged < bound.limit)
        # What is exactly on a bound that it must be beyond is broken, too.
        margin = -max(bound.excess(judged), 5e-324)
        return Verdict(Outcome.FAILED, sentence, value, margin, offender(blame))


def read(at: Cursor, given: Mapping[str, Cursor], place: Place) -> Measured:
    """The bound of a file."""
    try:
        measure = measure_named(at.name())
    except CommandError as error:
        raise at.fault(str(error)) from None
    of = WHOLE
    if "of" in given:
        try:
            of = scope_of(given["of"].name())
        except CommandError as error:
            raise given["of"].fault(str(error)) from None
    if of.kind not in measure.scopes:
        kinds = ", ".join(sorted(measure.scopes))
        raise given.get("of", at).fault(f"{measure.name} is not measured for {name(str(of))}", f"it is measured for {kinds}")
    compared = given.get("compared_to")
    bounds = read_bounds(given, measure, at, compared=compared is not None)
    if compared is None:
        return Measured(measure.name, of, bounds)
    other = place.other(compared)
    if place.is_design(compared):
        raise compared.fault("is the design that is tested, so that this can never fail", "name another one")
    called = compared.value if isinstance(compared.value, str) and "\n" not in compared.value else "the other design"
    return Measured(measure.name, of, bounds, other, called)


register_kind("measure", Kind("a bound on a number", read, (*RELATIONS, "of", "compared_to")))
