"""M-1: how long requests waited.

A request waits from when the scheduler got it to its placement. Those that were not placed wait until they were withdrawn or
timed out, or until the end of the run; they are among the percentiles and are counted apart as well (`wait.never`). What the
scheduler refused is not counted. A task that was stopped and comes back is a new request.

A gang is one request: from its first request to the placement of the last of its tasks; placeholders are part of it. If not all
of its tasks were placed, it waits until its job ended, or the run. Tasks of it that were stopped and come back are requests of
their own.

`wait.total.*` take a task, or a gang, with all its restarts together. Counted are requests that arrived after the warm-up; in
`wait.total` tasks whose first request did. Percentiles are those of `measures.spread`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import NamedTuple

from workbench.measures import units
from workbench.measures.measure import Computed, Measure
from workbench.measures.reading import Reading
from workbench.measures.registry import register_measure
from workbench.measures.scopes import Scope
from workbench.measures.spread import STATISTICS, Spread, gathered, spread, title_of
from workbench.runs.record import NEVER, Fate


class Waits(NamedTuple):
    """Every wait by job: that of job `j` from `starts[j]` to `starts[j + 1]`; `never` says which did not end in a placement."""

    starts: array[int]
    wait_ns: array[int]
    never: array[int]
    total_starts: array[int]
    total_ns: array[int]


class _Wait(NamedTuple):
    task: tuple[int, int]
    is_first: bool
    arrived_ns: int
    wait_ns: int
    never: bool


_GANG = (-1, -1)
_REJECTED = int(Fate.REJECTED)


def waits_of(reading: Reading, scope: Scope) -> list[float]:
    """Every wait in a scope, in seconds."""
    waits = _waits(reading)
    return [ns / units.NS for ns in gathered(waits.wait_ns, waits.starts, reading.scopes.jobs(scope))]


def job_waits(reading: Reading, job: int) -> Iterable[_Wait]:
    """The waits of one job, warm-up or not."""
    record = reading.record
    the_job = record.workload.jobs[job]
    gang: list[int] = []
    for attempt in reading.attempts_of_job(job):
        if record.fate[attempt] == _REJECTED:
            continue
        is_first = record.restart[attempt] == 0
        if the_job.gang is not None and (is_first or record.placeholder[attempt]):
            gang.append(attempt)
            continue
        arrived, never = record.arrived_ns[attempt], record.placed_ns[attempt] == NEVER
        wait = reading.waited_until[attempt] - arrived
        yield _Wait((record.group[attempt], record.number[attempt]), is_first, arrived, wait, never)
    if gang:
        yield _gang_wait(reading, job, gang)


def _gang_wait(reading: Reading, job: int, gang: list[int]) -> _Wait:
    record = reading.record
    arrived = min(record.arrived_ns[attempt] for attempt in gang)
    placed = [
        record.placed_ns[attempt] for attempt in gang if not record.placeholder[attempt] and record.placed_ns[attempt] != NEVER
    ]
    if len(placed) == record.workload.jobs[job].size:
        return _Wait(_GANG, True, arrived, max(placed) - arrived, False)
    ended = record.job_ended_ns[job]
    return _Wait(_GANG, True, arrived, (ended if ended != NEVER else record.ended_ns) - arrived, True)


def _waits(reading: Reading) -> Waits:
    return reading.once("waits", lambda: _collect(reading))


def _collect(reading: Reading) -> Waits:
    starts, wait_ns, never = array("l", [0]), array("q"), array("b")
    total_starts, total_ns = array("l", [0]), array("q")
    record, until = reading.record, reading.waited_until
    arrived, placed, restart, fate = record.arrived_ns, record.placed_ns, record.restart, record.fate
    for job, the_job in enumerate(reading.record.workload.jobs):
        is_gang = the_job.gang is not None
        mine = reading.attempts_of_job(job)
        if not is_gang and not any(map(restart.__getitem__, mine)):
            # The usual job, in line: every task asked once.
            for attempt in mine:
                if arrived[attempt] >= reading.from_ns and fate[attempt] != _REJECTED:
                    wait = until[attempt] - arrived[attempt]
                    wait_ns.append(wait)
                    total_ns.append(wait)
                    never.append(placed[attempt] == NEVER)
            starts.append(len(wait_ns))
            total_starts.append(len(total_ns))
            continue
        totals: dict[tuple[int, int], int] = {}
        again: list[_Wait] = []
        for each in job_waits(reading, job):
            if each.arrived_ns >= reading.from_ns:
                wait_ns.append(each.wait_ns)
                never.append(each.never)
            if not each.is_first:
                again.append(each)
            elif each.arrived_ns >= reading.from_ns:
                totals[each.task] = each.wait_ns
        for each in again:
            task = _GANG if is_gang else each.task
            if task in totals:
                totals[task] += each.wait_ns
        total_ns.extend(totals.values())
        starts.append(len(wait_ns))
        total_starts.append(len(total_ns))
    return Waits(starts, wait_ns, never, total_starts, total_ns)


def _spread(reading: Reading, scope: Scope) -> Spread | None:
    waits = _waits(reading)
    return reading.once(("wait", scope), lambda: spread(gathered(waits.wait_ns, waits.starts, reading.scopes.jobs(scope))))


def _spread_of_totals(reading: Reading, scope: Scope) -> Spread | None:
    waits = _waits(reading)
    return reading.once(
        ("wait.total", scope), lambda: spread(gathered(waits.total_ns, waits.total_starts, reading.scopes.jobs(scope)))
    )


def _never(reading: Reading, scope: Scope) -> float | None:
    waits = _waits(reading)
    found = gathered(waits.never, waits.starts, reading.scopes.jobs(scope))
    return sum(found) if found else None


def _requests(reading: Reading, scope: Scope) -> float:
    found = _spread(reading, scope)
    return found.count if found else 0


def _register(name: str, what: str, found: Callable[[Reading, Scope], Spread | None], *headlines: str) -> None:
    def of(statistic: str) -> Computed:
        def value(reading: Reading, scope: Scope) -> float | None:
            waits = found(reading, scope)
            return None if waits is None else getattr(waits, statistic) / units.NS

        return value

    for statistic in STATISTICS:
        title, headline = title_of(statistic, what), statistic in headlines
        measure = Measure(title, units.SECONDS, "lower", of(statistic), empty="nobody asked", headline=headline)
        register_measure(f"{name}.{statistic}", measure)


_register("wait", "wait", _spread, "mean", "p95")
register_measure("wait.never", Measure("requests that never ran", "requests", "lower", _never, empty="nobody asked", headline=True))
register_measure("requests", Measure("requests", "requests", "neither", _requests))
_register("wait.total", "wait with all restarts", _spread_of_totals)
