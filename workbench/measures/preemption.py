"""M-6: who was stopped for whom, what it cost, and whether it helped.

Counted is what was stopped in the window; a scope has those stopped that are its own.

- `preempted`: attempts that the scheduler stopped for others. `preempted.for_quota` are those of them that were stopped because
  their own queue was over its maximum, `preempted.for_others` the rest. `preempted.by` counts the other way: stopped for
  requests of this scope.
- `lost.R`: work lost to that, in resource-hours: what a task held from its placement to its end, less what the workload's rule for
  restarts keeps of it; all that it ever did if it does not come back. `lost_with_nodes.R`: the same for tasks whose
  node was removed or failed. Placeholders do no work.
- `storm`: tasks that were stopped for others more than once.
- `preempted_in_vain`: stopped for a request that was not placed after it, or for a queue that from then to the end of the run
  stayed short of its guarantee. The queue is the lowest on the way up from the request's that has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Literal

from workbench.files.rows import Rows
from workbench.measures import units
from workbench.measures.debt import debts_of
from workbench.measures.measure import Measure
from workbench.measures.reading import Reading
from workbench.measures.registry import register_measure
from workbench.measures.scopes import WHOLE, Scope
from workbench.measures.timeline import shapes_of
from workbench.measures.tree import tree_of
from workbench.runs.record import NEVER, NOBODY, Fate

QUOTA = "a quota"
MS_NS = 10**6


def stopped(reading: Reading, scope: Scope, *fates: Fate) -> Iterator[int]:
    """The attempts of a scope that were stopped in the window, in one of these ways."""
    by_job = reading.once(("stopped", fates), lambda: _stopped_by_job(reading, fates))
    for job in reading.scopes.jobs(scope) if scope.kind != "cluster" else sorted(by_job):
        yield from by_job.get(job, ())


def _stopped_by_job(reading: Reading, fates: tuple[Fate, ...]) -> dict[int, list[int]]:
    record = reading.record
    found: dict[int, list[int]] = {}
    wanted = {int(fate) for fate in fates}
    for attempt, fate in enumerate(record.fate):
        if fate in wanted and record.placed_ns[attempt] != NEVER and record.ended_at_ns[attempt] >= reading.from_ns:
            found.setdefault(record.job[attempt], []).append(attempt)
    return found


def lost_ns(reading: Reading, attempt: int) -> int:
    """How much of what a stopped attempt did has to be done again, or was for nothing, in nanoseconds of running."""
    record = reading.record
    if record.placeholder[attempt]:
        return 0
    held, kept = record.ended_at_ns[attempt] - record.placed_ns[attempt], record.kept_ns[attempt]
    again = reading.once("came back", lambda: _came_back(reading)).get(_task(reading, attempt, record.restart[attempt] + 1))
    return held + kept - (record.kept_ns[again] if again is not None else _will_keep(reading, attempt))


def _task(reading: Reading, attempt: int, restart: int) -> tuple[int, int, int, int]:
    record = reading.record
    return record.job[attempt], record.group[attempt], record.number[attempt], restart


def _came_back(reading: Reading) -> dict[tuple[int, int, int, int], int]:
    record = reading.record
    return {
        _task(reading, attempt, restart): attempt
        for attempt, restart in enumerate(record.restart)
        if restart and not record.placeholder[attempt]
    }


def _will_keep(reading: Reading, attempt: int) -> int:
    """What a task that did not come back before the end of the run would keep."""
    record = reading.record
    workload, restarts = record.workload, record.workload.restarts
    ended = record.ended_at_ns[attempt]
    if restarts.comes_back_after_ms is None or ended + restarts.comes_back_after_ms * MS_NS < record.ended_ns:
        return 0
    ran = max(ended - record.placed_ns[attempt] - workload.start_delay_ms * MS_NS, 0)
    done = record.kept_ns[attempt] + ran
    if restarts.how == "keeps":
        return done
    return done // (restarts.checkpoint_ms * MS_NS) * restarts.checkpoint_ms * MS_NS if restarts.how == "checkpoint" else 0


def who_for_whom(
    reading: Reading, by: Literal["queue", "user", "class", "job"] = "queue", scope: Scope = WHOLE
) -> Rows[tuple[Any, ...]]:
    """Who of a scope was stopped for whom: how often, and the work lost in resource-hours; the most first.

    `for` is empty where the queue was over its maximum.
    """
    name = _namer(reading, by)
    stops: Counter[tuple[str, str]] = Counter()
    lost: dict[tuple[str, str], list[int]] = {}
    shapes = shapes_of(reading)
    for attempt in stopped(reading, scope, Fate.PREEMPTED):
        beneficiary = reading.record.stopped_for[attempt]
        pair = (name(attempt), QUOTA if beneficiary == NOBODY else name(beneficiary))
        stops[pair] += 1
        sums = lost.setdefault(pair, [0] * len(reading.resources))
        for place, amount in enumerate(shapes.amounts[shapes.of[attempt]]):
            sums[place] += amount * lost_ns(reading, attempt)
    columns = ["stopped", "for", "times", *(f"lost {units.hours_of(resource)}" for resource in reading.resources)]
    return Rows(
        columns,
        (
            (*pair, times, *map(units.resource_hours, lost[pair], reading.resources))
            for pair, times in sorted(stops.items(), key=lambda each: (-each[1], each[0]))
        ),
    )


def _namer(reading: Reading, by: Literal["queue", "user", "class", "job"]) -> Callable[[int], str]:
    record = reading.record
    if by == "queue":
        return record.queue_of
    if by == "user":
        return lambda attempt: record.job_of(attempt).user
    return (lambda attempt: record.job_of(attempt).kind) if by == "class" else (lambda attempt: record.job_of(attempt).id)


def _count(reading: Reading, scope: Scope) -> float:
    return sum(1 for _ in stopped(reading, scope, Fate.PREEMPTED))


def _for_quota(reading: Reading, scope: Scope) -> float:
    return sum(reading.record.stopped_for[each] == NOBODY for each in stopped(reading, scope, Fate.PREEMPTED))


def _for_others(reading: Reading, scope: Scope) -> float:
    return _count(reading, scope) - _for_quota(reading, scope)


def _by(reading: Reading, scope: Scope) -> float:
    counts = reading.once("preempting jobs", lambda: _preempting(reading))
    return sum(counts.values()) if scope == WHOLE else sum(counts.get(job, 0) for job in reading.scopes.jobs(scope))


def _preempting(reading: Reading) -> Counter[int]:
    record = reading.record
    return Counter(
        record.job[record.stopped_for[each]]
        for each in stopped(reading, WHOLE, Fate.PREEMPTED)
        if record.stopped_for[each] != NOBODY
    )


def _lost_to(fate: Fate) -> Callable[[Reading, Scope, str], float | None]:
    def lost(reading: Reading, scope: Scope, resource: str) -> float | None:
        if resource not in reading.resources:
            return None
        place, shapes = reading.resources.index(resource), shapes_of(reading)
        total = sum(
            shapes.amounts[shapes.of[attempt]][place] * lost_ns(reading, attempt) for attempt in stopped(reading, scope, fate)
        )
        return units.resource_hours(total, resource)

    return lost


def _storm(reading: Reading, scope: Scope) -> float:
    placeholder = reading.record.placeholder
    times = Counter(
        (_task(reading, each, 0), placeholder[each]) for each in stopped(reading, scope, Fate.PREEMPTED) if not placeholder[each]
    )
    return sum(count > 1 for count in times.values())


def _in_vain(reading: Reading, scope: Scope) -> float:
    return sum(_was_in_vain(reading, attempt) for attempt in stopped(reading, scope, Fate.PREEMPTED))


def _was_in_vain(reading: Reading, attempt: int) -> bool:
    record = reading.record
    beneficiary, at_ns = record.stopped_for[attempt], record.ended_at_ns[attempt]
    if beneficiary == NOBODY:
        return False
    if record.placed_ns[beneficiary] == NEVER or record.placed_ns[beneficiary] < at_ns:
        return True
    tree = tree_of(reading)
    for queue in tree.up(tree.paths[record.queue_of(beneficiary)]):
        if tree.queues[queue].guaranteed.amounts:
            stretches = debts_of(reading).own_stretches[queue]
            return any(each.since_ns <= at_ns < each.until_ns == record.ended_ns for each in stretches[-1:])
    return False


register_measure("preempted", Measure("tasks stopped for others", "tasks", "lower", _count, headline=True))
register_measure("preempted.for_others", Measure("tasks stopped for requests of others", "tasks", "lower", _for_others))
register_measure(
    "preempted.for_quota", Measure("tasks stopped because their queue was over its maximum", "tasks", "lower", _for_quota)
)
register_measure("preempted.by", Measure("tasks of others stopped for it", "tasks", "neither", _by))
register_measure("lost", Measure("{of} lost with stopped tasks", "{hours}", "lower", _lost_to(Fate.PREEMPTED), each="resource"))
register_measure("lost_with_nodes", Measure("{of} lost with nodes", "{hours}", "lower", _lost_to(Fate.NODE_LOST), each="resource"))
register_measure("storm", Measure("tasks stopped more than once", "tasks", "lower", _storm))
register_measure("preempted_in_vain", Measure("tasks stopped in vain", "tasks", "lower", _in_vain))
