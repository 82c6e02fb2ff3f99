"""Whose waits change from one design to another: jobs and users, with what held them back in each. CP-5.

A job waits from its arrival to its start; one that never started waits until the end of the run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from html import escape
from typing import NamedTuple

from workbench.comparison.sides import Side
from workbench.comparison.words import MINUS
from workbench.explain.html import table_html
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.files.rows import Rows
from workbench.measures import MeasureTable, Scope, units
from workbench.measures.reasons import waited_ns
from workbench.measures.words import UNKNOWN, reason_words
from workbench.runs.rows import JobRow

MOST = 10
"""Winners and losers that are named."""


class MovedJob(NamedTuple):
    """One job under two designs. Times in seconds.

    Attributes:
        job, user, queue, kind: as in `JobRow`; the queue is that of the first design that took it.
        seed: of the runs.
        submit_s: when it arrived under the first design.
        wait_a, wait_b: how long it waited; None if it did not arrive at all.
        change: by how much longer under the second design.
        started_a, started_b: whether it started at all.
        reason_a, reason_b: what held it back longest, in words; empty if it did not wait.
    """

    job: str
    user: str
    queue: str
    kind: str
    seed: int
    submit_s: float | None
    wait_a: float
    wait_b: float
    change: float
    started_a: bool
    started_b: bool
    reason_a: str
    reason_b: str


class MovedUser(NamedTuple):
    """The jobs of one user under two designs: how many, and how long they wait on average, in seconds."""

    user: str
    jobs: int
    wait_a: float
    wait_b: float
    change: float


class Moved:
    """Every job under two designs."""

    def __init__(self, first: Side, other: Side):
        self.first, self.other = first, other

    @cached_property
    def jobs(self) -> Rows[MovedJob]:
        """One row a job that arrived under both, in the order of the workload, seed by seed."""
        return Rows(MovedJob._fields, self._jobs())

    def winners(self, most: int | None = MOST) -> tuple[MovedJob, ...]:
        """The jobs that wait less under the second design, those that gain most first."""
        found = sorted((each for each in self.jobs if each.change < 0), key=lambda each: (each.change, each.seed, each.job))
        return tuple(found[:most])

    def losers(self, most: int | None = MOST) -> tuple[MovedJob, ...]:
        """The jobs that wait longer under the second design, those that lose most first."""
        found = sorted((each for each in self.jobs if each.change > 0), key=lambda each: (-each.change, each.seed, each.job))
        return tuple(found[:most])

    @cached_property
    def users(self) -> Rows[MovedUser]:
        """One row a user, the largest change first."""
        mine: dict[str, list[MovedJob]] = {}
        for each in self.jobs:
            mine.setdefault(each.user, []).append(each)
        made = []
        for user, jobs in mine.items():
            before, after = (math.fsum(waits) / len(jobs) for waits in zip(*((each.wait_a, each.wait_b) for each in jobs)))
            made.append(MovedUser(user, len(jobs), before, after, after - before))
        return Rows(MovedUser._fields, sorted(made, key=lambda each: (-abs(each.change), each.user)))

    @property
    def sentence(self) -> str:
        """How many win and lose, and who most."""
        won, lost = (self.winners(None), self.losers(None))
        if not won and not lost:
            return f"No job waits longer or shorter with {name(self.other.name)}."
        parts = [
            f"{len(found):,} of {len(self.jobs):,} jobs wait {how}, most of all {name(found[0].job)}: {_amount(found[0].change)}"
            for found, how in ((won, "less"), (lost, "longer"))
            if found
        ]
        return f"With {name(self.other.name)} {'; '.join(parts)}."

    def table(self, most: int = MOST) -> Table:
        """Winners and losers as text."""
        rows = [("sooner", each) for each in self.winners(most)] + [("later", each) for each in self.losers(most)]
        one, two = name(self.first.name), name(self.other.name)
        return Table(
            "Jobs whose waits change most",
            ("", "job", "user", "queue", one, two, "change", f"what held it back with {one}", f"with {two}"),
            tuple(
                (
                    which,
                    name(each.job),
                    name(each.user) if each.user else "",
                    name(each.queue) if each.queue else "",
                    _wait(each.wait_a, each.started_a),
                    _wait(each.wait_b, each.started_b),
                    _signed(each.change),
                    each.reason_a,
                    each.reason_b,
                )
                for which, each in rows
            ),
            keys=tuple(each.job for _, each in rows),
            empty="No job waits longer or shorter.",
        )

    def user_table(self, most: int = MOST) -> Table:
        """The users whose waits change most, as text."""
        rows = [each for each in self.users if each.change][:most]
        one, two = name(self.first.name), name(self.other.name)
        return Table(
            "Users whose average wait changes most",
            ("user", "jobs", one, two, "change"),
            tuple(
                (
                    name(each.user) if each.user else "no user",
                    f"{each.jobs:,}",
                    _wait(each.wait_a, True),
                    _wait(each.wait_b, True),
                    _signed(each.change),
                )
                for each in rows
            ),
            frozenset(("jobs",)),
            tuple(each.user for each in rows),
            "No user waits longer or shorter.",
        )

    def __str__(self) -> str:
        return "\n".join([self.sentence, str(self.table()), "", str(self.user_table())])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p><strong>{escape(self.sentence)}</strong></p>{table_html(self.table())}{table_html(self.user_table())}"

    def _jobs(self) -> Iterator[MovedJob]:
        for at, (ours, theirs) in enumerate(zip(self.first.runs, self.other.runs)):
            tables = self.first.tables[at], self.other.tables[at]
            ends = ours.record.ended_ns / 1e9, theirs.record.ended_ns / 1e9
            for mine, other in zip(ours.jobs, theirs.jobs):
                if mine.submit_s is None or other.submit_s is None or "rejected" in (mine.state, other.state):
                    continue
                waits = _waited(mine, ends[0]), _waited(other, ends[1])
                change = waits[1] - waits[0]
                reasons = (_reason(table, mine.job) if change else "" for table in tables)
                yield MovedJob(
                    mine.job,
                    mine.user,
                    mine.queue,
                    mine.kind,
                    ours.seed,
                    mine.submit_s,
                    *waits,
                    change,
                    mine.wait_s is not None,
                    other.wait_s is not None,
                    *reasons,
                )


def _waited(row: JobRow, ended_s: float) -> float:
    assert row.submit_s is not None
    if row.wait_s is not None:
        return row.wait_s
    return max((ended_s if row.end_s is None else row.end_s) - row.submit_s, 0.0)


def _reason(table: MeasureTable, job: str) -> str:
    held = waited_ns(table.reading, Scope("job", job))
    worst = max(held, key=lambda code: held[code], default="")
    return reason_words(worst) if worst and held[worst] > 0 and worst != UNKNOWN else ""


def _wait(seconds: float, started: bool) -> str:
    return units.short(seconds, units.SECONDS) if started else f"never ran, {units.short(seconds, units.SECONDS)} until the end"


def _amount(seconds: float) -> str:
    return f"{units.short(abs(seconds), units.SECONDS)} {'sooner' if seconds < 0 else 'later'}"


def _signed(seconds: float) -> str:
    return f"{MINUS if seconds < 0 else '+'}{units.short(abs(seconds), units.SECONDS)}"
