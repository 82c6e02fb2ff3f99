"""Where two designs part: the first decision that differs, why each decided so, and which edit is behind it. CP-3.

Then the first difference in each queue, and the one that cost somebody most.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape

from workbench import explain
from workbench.comparison.decisions import (
    PLACES,
    Decision,
    attempt_of,
    decisions,
    first_difference,
    in_words,
    task_words,
)
from workbench.comparison.edits import Edit
from workbench.comparison.sides import Side
from workbench.comparison.variants import Variants, replayed
from workbench.explain.tables import Table
from workbench.explain.wording import listing, name
from workbench.measures import units
from workbench.runs import Run
from workbench.runs.keys import ask_key
from workbench.runs.record import NEVER
from workbench.simulation import Simulation


@dataclass(frozen=True)
class Cause:
    """Which edits are behind a parting.

    Attributes:
        edits: none if it could not be told.
        alone: each of them alone makes the first design decide as the second; otherwise they do so only with others.
    """

    edits: tuple[Edit, ...] = ()
    alone: bool = False

    def __str__(self) -> str:
        if not self.edits:
            return "no single edit decides it"
        which = listing([str(each) for each in self.edits], most=3)
        return which if self.alone else f"{which}, together with other edits"


@dataclass(frozen=True)
class Parting:
    """A moment at which two designs decide differently after they had decided alike, everywhere or in one queue.

    Attributes:
        at_ns: when.
        queue: in which queue; empty for the first of all.
        ours, theirs: what each decided; None where it decided nothing more.
        names: of the two designs.
        runs: that part.
        cost_s: by how much longer the task waits under the second design, where that is why it is shown.
    """

    at_ns: int
    queue: str
    ours: Decision | None
    theirs: Decision | None
    names: tuple[str, str]
    runs: tuple[Run, Run]
    cost_s: float | None = None

    @property
    def when(self) -> str:
        """The moment in words."""
        return units.short(self.at_ns / 1e9, units.SECONDS)

    @property
    def played(self) -> int:
        """How many placements come before it: so many have to be played again to tell the reasons."""
        return sum(NEVER < placed < self.at_ns for placed in self.runs[0].record.placed_ns)

    def says(self, side: int) -> str:
        """What the first (0) or second (1) design does at this moment."""
        decision = (self.ours, self.theirs)[side]
        record = self.runs[side].record
        if decision is None:
            return "does nothing more"
        if decision.at_ns > self.at_ns:
            later = units.short((decision.at_ns - self.at_ns) / 1e9, units.SECONDS)
            return f"waits; {later} later it {in_words(record, decision)}"
        return in_words(record, decision)

    @property
    def sentence(self) -> str:
        """What differs, in a sentence."""
        where = f"in {name(self.queue)} " if self.queue else ""
        told = f"At {self.when} {where}{name(self.names[0])} {self.says(0)}; {name(self.names[1])} {self.says(1)}."
        if self.cost_s is not None and self.ours is not None:
            who = task_words(self.runs[0].record, self.ours)
            told += f" That costs {who} {units.short(self.cost_s, units.SECONDS)} of waiting."
        return told

    @cached_property
    def reasons(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Why each design decided so, in sentences. The moment is played again for it."""
        return self._reason(0), self._reason(1)

    def simulation(self, side: int) -> Simulation:
        """The first (0) or second (1) design right before this decision, to step on and to ask."""
        decision, run = (self.ours, self.theirs)[side], self.runs[side]
        if decision is not None and decision.at_ns == self.at_ns and decision.kind == PLACES:
            attempt = attempt_of(run.record, decision)
            assert attempt is not None
            return run.before_placement(run.record.order[attempt])
        return run.at(self.at_ns)

    def _reason(self, side: int) -> tuple[str, ...]:
        decision, other = (self.ours, self.theirs)[side], (self.ours, self.theirs)[1 - side]
        simulation = self.simulation(side)
        preview = simulation.preview()
        if decision is not None and decision.at_ns == self.at_ns and decision.kind == PLACES:
            found = explain.why(preview)
            return (found.headline, *found.sentences)
        if other is not None:
            wanted = self._key(other)
            for item in simulation.waiting():
                if (item.application.id, item.ask.key) == wanted:
                    return explain.why_not(item, preview)
        if decision is not None and decision.at_ns == self.at_ns:
            return (f"{name(self.names[side])} {in_words(self.runs[side].record, decision)}.",)
        found = explain.why(preview)
        return (found.headline, *found.sentences)

    def _key(self, decision: Decision) -> tuple[str, str]:
        job = self.runs[0].workload.jobs[decision.job]
        number = sum(each.count for each in job.tasks[: max(decision.group, 0)]) + max(decision.number, 0)
        return job.id, ask_key(job.id, number, restart=decision.restart, placeholder=decision.placeholder)


class Partings:
    """Where two designs part, in the first run of each that differ."""

    def __init__(self, variants: Variants):
        self.variants = variants

    @property
    def first_side(self) -> Side:
        return self.variants.first

    @cached_property
    def runs(self) -> tuple[Run, Run] | None:
        """The runs of the first seed in which the two decide differently; None if they never do."""
        ours, theirs = self.variants.first, self.variants.other
        for mine, other, one, two in zip(ours.runs, theirs.runs, ours.digests, theirs.digests):
            if one != two:
                return mine, other
        return None

    @property
    def _names(self) -> tuple[str, str]:
        return self.variants.first.name, self.variants.other.name

    @cached_property
    def _decided(self) -> tuple[list[Decision], list[Decision]]:
        assert self.runs is not None
        return decisions(self.runs[0].record), decisions(self.runs[1].record)

    @cached_property
    def first(self) -> Parting | None:
        """The first decision that differs; None if none does."""
        return None if self.runs is None else self._parting("", *self._decided)

    @cached_property
    def by_queue(self) -> tuple[Parting, ...]:
        """The first decision that differs in each queue, by time."""
        if self.runs is None:
            return ()
        ours, theirs = (_by_queue(run, found) for run, found in zip(self.runs, self._decided))
        made = [
            found
            for queue in dict.fromkeys((*ours, *theirs))
            if (found := self._parting(queue, ours.get(queue, []), theirs.get(queue, []))) is not None
        ]
        return tuple(sorted(made, key=lambda each: (each.at_ns, each.queue)))

    @cached_property
    def costliest(self) -> Parting | None:
        """The moment at which the first design places the task that the second one makes wait longest beyond it; None if there is
        no such task. One that never runs again waits until the end."""
        if self.runs is None:
            return None
        ours, theirs = (_first_placements(run, found) for run, found in zip(self.runs, self._decided))
        ended = self.runs[1].record.ended_ns
        losses = {task: (theirs[task].at_ns if task in theirs else ended) - decision.at_ns for task, decision in ours.items()}
        worst = max(losses, key=lambda task: losses[task], default=None)
        if worst is None or losses[worst] <= 0:
            return None
        mine = ours[worst]
        instead = next((each for each in self._decided[1] if each.kind == PLACES and each.at_ns >= mine.at_ns), None)
        queue = self.runs[0].record.job_queue[mine.job]
        return Parting(
            mine.at_ns,
            self.runs[0].record.queues[queue] if queue >= 0 else "",
            mine,
            instead,
            self._names,
            self.runs,
            losses[worst] / 1e9,
        )

    @cached_property
    def cause(self) -> Cause:
        """The edits behind the first parting: tried one by one up to that moment."""
        parting = self.first
        if parting is None or self.runs is None:
            return Cause()
        edits = self.variants.edits
        if len(edits) == 1:
            return Cause(edits, True)
        place = first_difference(*self._decided)
        assert place is not None

        def upto(found: list[Decision]) -> list[Decision]:
            return [each for each in found[: place + 1] if each.at_ns <= parting.at_ns]

        ours, theirs = upto(self._decided[0]), upto(self._decided[1])

        def does(chosen: frozenset[Edit]) -> list[Decision] | None:
            config = self.variants.config(each for each in edits if each in chosen)
            assert self.runs is not None
            if config is None:
                return None
            return upto(decisions(replayed(self.runs[0], config, until_ns=max(parting.at_ns, 1)).record, parting.at_ns))

        alone = tuple(each for each in edits if does(frozenset((each,))) == theirs)
        if alone:
            return Cause(alone, True)
        return Cause(tuple(each for each in edits if does(self.variants.without(each)) == ours), False)

    def _parting(self, queue: str, ours: list[Decision], theirs: list[Decision]) -> Parting | None:
        assert self.runs is not None
        place = first_difference(ours, theirs)
        if place is None:
            return None
        mine, other = (found[place] if place < len(found) else None for found in (ours, theirs))
        at_ns = min(each.at_ns for each in (mine, other) if each is not None)
        return Parting(at_ns, queue, mine, other, self._names, self.runs)

    def table(self) -> Table:
        """The partings by queue."""
        one, two = (name(each) for each in self._names)
        return Table(
            "Where they part, queue by queue",
            ("queue", "time", one, two),
            tuple((name(each.queue), each.when, each.says(0), each.says(1)) for each in self.by_queue),
            keys=tuple(each.queue for each in self.by_queue),
            empty="They decide alike throughout.",
        )

    def __str__(self) -> str:
        if self.first is None:
            return "They decide alike throughout."
        lines = [f"They part first here. {self.first.sentence}", f"What decides it: {self.cause}."]
        for side in (0, 1):
            lines += [f"Why {self._names[side]}:", *(f"  {each}" for each in self.first.reasons[side])]
        if self.costliest is not None:
            lines += ["", f"The costliest parting. {self.costliest.sentence}"]
        return "\n".join([*lines, "", str(self.table())])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _by_queue(run: Run, found: list[Decision]) -> dict[str, list[Decision]]:
    """What was decided about the jobs of each queue; within a queue the turns count anew."""
    record = run.record
    made: dict[str, list[Decision]] = {}
    for each in found:
        place = record.job_queue[each.job]
        if place >= 0:
            # The turn is that among all queues, which says nothing about this one.
            made.setdefault(record.queues[place], []).append(each._replace(turn=0))
    return made


def _first_placements(run: Run, found: list[Decision]) -> dict[tuple[int, int, int], Decision]:
    """The first placement of each task; places that are only held do not count."""
    made: dict[tuple[int, int, int], Decision] = {}
    for each in found:
        if each.kind == PLACES and not each.placeholder and each.at_ns != NEVER:
            made.setdefault((each.job, each.group, each.number), each)
    return made
