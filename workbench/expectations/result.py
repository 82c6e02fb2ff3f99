"""What became of the expectations of a design: as text, in a notebook, as JUnit XML, as a page; and each at its moment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import escape

from workbench.expectations.moments import Moment
from workbench.expectations.suite import Expectation, Suite, no_such
from workbench.expectations.verdicts import Judgement, Outcome
from workbench.explain.wording import counted, listing, name
from workbench.files.writing import write_file
from workbench.simulation import Simulation
from workbench.values.errors import CommandError

NOT_JUDGED = "it was ended before this one's turn came"
NO_MOMENT = "it failed at no single moment; {}"


@dataclass(frozen=True, eq=False)
class Result:
    """What became of one expectation.

    Attributes:
        expectation: what was expected.
        judgements: one for each run; none if it was not judged.
        notes: what is to be known beside.
    """

    expectation: Expectation
    judgements: tuple[Judgement, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def name(self) -> str:
        """Of the expectation."""
        return self.expectation.name

    @cached_property
    def outcome(self) -> Outcome:
        """Of all runs together: one that failed, fails it; an error in one is an error; so it is if no run could have broken it."""
        if not self.judgements:
            return Outcome.NOT_JUDGED
        if self._of(Outcome.FAILED):
            return Outcome.FAILED
        errors = self._of(Outcome.ERROR)
        if any(not each.verdict.idle for each in errors) or len(errors) == len(self.judgements):
            return Outcome.ERROR
        if self.expectation.explicit and any(self._never_tested(workload) for workload in self.expectation.workloads):
            return Outcome.ERROR
        return Outcome.PASSED

    @property
    def passed(self) -> bool:
        """Whether it holds."""
        return self.outcome is Outcome.PASSED

    @cached_property
    def worst(self) -> Judgement | None:
        """The judgement that tells most: of what failed the farthest beyond its bound, of what passed the closest to it."""
        outcome = self.outcome
        found = self._of(outcome)
        if outcome is Outcome.ERROR:
            return next((each for each in found if not each.verdict.idle), found[0] if found else None)
        return min(found, key=lambda each: each.verdict.margin, default=None)

    @property
    def failed_with(self) -> tuple[str, ...]:
        """The runs in which it failed, in words: workload and seed."""
        return tuple(each.where for each in self._of(Outcome.FAILED))

    @property
    def failed_seeds(self) -> tuple[int, ...]:
        """The seeds with which it failed."""
        return tuple(dict.fromkeys(each.seed for each in self._of(Outcome.FAILED) if each.seed is not None))

    @cached_property
    def sentence(self) -> str:
        """The number and the bound, and in which runs, in words."""
        worst = self.worst
        if worst is None:
            return NOT_JUDGED
        said = worst.verdict.sentence
        count = len(self.judgements)
        if count == 1:
            return f"{said} ({worst.where})" if worst.where else said
        if self.outcome is Outcome.FAILED:
            failed = self._of(Outcome.FAILED)
            which = f": {_runs(failed)}" if len(failed) > 1 else ""
            return f"{said} ({worst.where}); failed in {len(failed)} of {count} runs{which}"
        if self.outcome is Outcome.ERROR:
            return f"{said} ({worst.where})" if worst.where else said
        return f"{said} ({worst.where}, the closest of {count} runs)"

    @cached_property
    def why(self) -> tuple[str, ...]:
        """What the worst offender did and why, in sentences; nothing of what passed."""
        worst = self.worst
        offender = worst.verdict.offender if worst is not None else None
        return tuple(dict.fromkeys(offender.why)) if offender is not None else ()

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What is to be known beside: runs that could not have broken it, and notes on workloads."""
        if self.outcome is Outcome.ERROR and self.worst is not None and self.worst.verdict.idle:
            return self.notes
        idle = [f"it says nothing of {each.where}: {each.verdict.sentence}" for each in self.judgements if each.verdict.idle]
        more = [f"and of {len(idle) - 3} more runs"] if len(idle) > 3 else []
        return (*idle[:3], *more, *dict.fromkeys(self.notes))

    @property
    def moment(self) -> Moment | None:
        """The step at which it failed; None if it did not, or at no single one."""
        worst = self.worst
        return worst.verdict.offender.moment if worst is not None and worst.verdict.offender is not None else None

    @property
    def lines(self) -> tuple[str, ...]:
        """Everything in lines: the outcome with the name and the number, and below it who broke it and why."""
        called = "" if self.sentence.startswith(self.name) else f"{name(self.name, 100)}: "
        return (f"{self.outcome.value:<10}  {called}{self.sentence}", *(f"    {each}" for each in self.details))

    @property
    def details(self) -> tuple[str, ...]:
        """What stands below the line: the Why of what failed, and remarks."""
        return (*self.why, *(f"note: {each}" for each in self.remarks))

    def __str__(self) -> str:
        return "\n".join(self.lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p><strong>{escape(self.lines[0])}</strong></p>{''.join(f'<p>{escape(each)}</p>' for each in self.details)}"

    def _of(self, outcome: Outcome) -> list[Judgement]:
        return [each for each in self.judgements if each.verdict.outcome is outcome]

    def _never_tested(self, workload: str) -> bool:
        mine = [each for each in self.judgements if each.workload == workload]
        return bool(mine) and all(each.verdict.idle for each in mine)


@dataclass(frozen=True, eq=False)
class Expectations:
    """What became of all expectations of a file. `print` it, or let a notebook show it.

    Attributes:
        suite: what was expected.
        results: one for each, in the order of the file.
    """

    suite: Suite
    results: tuple[Result, ...]

    @property
    def passed(self) -> bool:
        """Whether all of them hold."""
        return all(each.passed for each in self.results)

    def of(self, outcome: Outcome) -> tuple[Result, ...]:
        """Those of an outcome."""
        return tuple(each for each in self.results if each.outcome is outcome)

    @property
    def failed(self) -> tuple[Result, ...]:
        """Those that do not hold."""
        return self.of(Outcome.FAILED)

    @property
    def errors(self) -> tuple[Result, ...]:
        """Those that could not be judged, or could not fail."""
        return self.of(Outcome.ERROR)

    @property
    def sentence(self) -> str:
        """How many came to what."""
        said = [f"{len(found)} {outcome.value}" for outcome in Outcome if (found := self.of(outcome))]
        return f"{name(self.suite.name)}: {', '.join(said)}"

    @property
    def exit_code(self) -> int:
        """0 if all hold, 1 if any failed, 2 if any could not be judged."""
        return 1 if self.failed else 0 if self.passed else 2

    def __getitem__(self, wanted: str) -> Result:
        """One by its name. CommandError if there is none."""
        for each in self.results:
            if each.name == wanted:
                return each
        raise CommandError(no_such(wanted, [each.name for each in self.results]))

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def moment(self, wanted: str | None = None) -> Moment:
        """The moment at which an expectation failed; without a name that of the only one that did.

        Raises:
            CommandError: there is none of that name, it did not fail, or at no single moment.
        """
        if wanted is None:
            if len(self.failed) != 1:
                which = listing([name(each.name) for each in self.failed], most=6)
                what = f"{counted(len(self.failed), 'expectation')} failed: {which}; name one" if self.failed else "none failed"
                raise CommandError(f"{name(self.suite.name)}: {what}")
            wanted = self.failed[0].name
        result = self[wanted]
        if result.outcome is not Outcome.FAILED:
            which = listing([name(each.name) for each in self.failed], most=6)
            others = f"; those that failed are {which}" if self.failed else "; none failed"
            raise CommandError(f"{name(wanted)} has not failed, it is: {result.outcome.value}{others}")
        if result.moment is None:
            raise CommandError(NO_MOMENT.format(" ".join(result.why) or result.sentence))
        return result.moment

    def open(self, wanted: str | None = None) -> Simulation:
        """The simulation as it stood at the moment at which an expectation failed, to step on and to ask. As `moment` raises.

        Where somebody was placed or stopped who should not have been, that is the next step; where somebody waited too long, all
        has happened until the wait broke the bound.
        """
        return self.moment(wanted).simulation()

    def to_junit(self, path: str | os.PathLike[str] | None = None) -> str:
        """As JUnit XML, as build servers read it; also written to a file, if one is named. FileError if it cannot be."""
        from workbench.expectations.junit import junit

        return _written(junit([self]), path)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """As one page that needs no network; also written to a file, if one is named. FileError if it cannot be."""
        from workbench.expectations.page import page

        return _written(page([self]), path)

    def __str__(self) -> str:
        return "\n".join([*(str(each) for each in self.results), self.sentence])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from workbench.expectations.page import table

        return f"<p><strong>{escape(self.sentence)}</strong></p>{table([self])}"


def _runs(judgements: list[Judgement]) -> str:
    """Workloads with their seeds: `burst with seeds 1 and 3; monday`."""
    seeds: dict[str, list[str]] = {}
    for each in judgements:
        mine = seeds.setdefault(each.workload, [])
        if each.seed is not None:
            mine.append(str(each.seed))
    said = (
        name(workload) + (f" with seed{'s' * (len(mine) > 1)} {listing(mine, most=8)}" if mine else "")
        for workload, mine in seeds.items()
    )
    return "; ".join(said)


def _written(text: str, path: str | os.PathLike[str] | None) -> str:
    if path is not None:
        write_file(path, text)
    return text
