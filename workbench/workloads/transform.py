"""What can be done to any workload: cut, scaled, merged, sampled, its people renamed. Each makes a new one. WL-16.

What is assumed on the way is in the `notes` of the result. A job that waits for one that is no longer there waits for what that
one waited for. Nothing is left to chance but what a seed decides.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from workbench.values.errors import CommandError, WorkloadError
from workbench.values.found import found, shown
from workbench.workloads.checks import MOST_TASKS, check_workload
from workbench.workloads.dependencies import without
from workbench.workloads.model import LAST_MS, Job, NodeEvent, Pool, Tasks, Workload
from workbench.workloads.nodes import parse_nodes
from workbench.workloads.spans import parse_span, span_text

MOST_FACTOR = 1000


def cut(workload: Workload, since: object = None, until: object = None, warm_up: object = None) -> Workload:
    """The jobs that arrive in a window of time; its start is the new zero.

    Args:
        since, until: spans since the workload's zero, such as `2h` or a number of seconds; from its beginning, to its end.
        warm_up: so much before `since` is kept as well and becomes the warm-up: it fills the cluster, and measures begin behind it.

    Raises:
        CommandError: the window is empty, or a time is none.
    """
    begins = _span("since", since) if since is not None else 0
    ends = _span("until", until) if until is not None else None
    if ends is not None and ends <= begins:
        raise CommandError(f"the window from {span_text(begins)} to {span_text(ends)} is empty; 'until' must be later than 'since'")
    warm = _span("warm_up", warm_up) if warm_up is not None else 0
    start = max(0, begins - warm)
    measured = begins - start if warm_up is not None else max(0, workload.warm_up_ms - start)
    stop = LAST_MS + 1 if ends is None else ends
    jobs = without(workload.jobs, lambda job: start <= job.submit_ms < stop)
    notes = list(workload.notes)
    before = [job for job in workload.jobs if job.submit_ms < start]
    running = sum(_ends_at_best(job) is None or (_ends_at_best(job) or 0) > start for job in before)
    if running:
        notes.append(
            f"{_jobs(running)} that had arrived before the window would still run at its beginning; left out, so that the cluster "
            "begins empty: a warm-up fills it."
        )
    last = min((each for each in (ends, workload.ends_ms) if each is not None), default=None)
    if ends is not None:
        over = sum(_ends_at_best(job) is None or (_ends_at_best(job) or 0) > ends for job in jobs)
        if over:
            notes.append(f"{_jobs(over)} would run beyond the end of the window; their durations are kept whole.")
    return replace(
        workload,
        jobs=tuple(replace(job, submit_ms=job.submit_ms - start) for job in jobs),
        # What had happened to nodes before is as if it happened at the beginning.
        node_events=tuple(
            replace(event, at_ms=max(0, event.at_ms - start)) for event in workload.node_events if event.at_ms < stop
        ),
        warm_up_ms=measured,
        ends_ms=None if last is None else max(last - start, measured),
        zero=_later(workload.zero, start),
        notes=tuple(notes),
    )


def scale_load(workload: Workload, factor: float, seed: int = 0, *, spread: object = "10m") -> Workload:
    """More or fewer jobs of the same kind at the same times of day: `factor` times as many, chosen by the seed.

    Below 1 so many of the jobs are drawn; above 1 jobs are copied, each copy up to `spread` later than what it is a copy of, since
    people do not submit in the same instant. Copies are called `id~2`, `id~3` and so on, and wait for copies of the same number.

    Raises:
        CommandError: the factor is not from above 0 to 1000.
        WorkloadError: there would be too many tasks.
    """
    part = _factor(factor)
    late = _span("spread", spread)
    if part <= 1:
        return sample(workload, factor, seed)
    chance = random.Random(f"scale_load {seed}")
    whole, rest = divmod(part, 1)
    once_more = set(chance.sample(range(len(workload.jobs)), round(rest * len(workload.jobs))))
    size = sum(job.size * (int(whole) + (place in once_more)) for place, job in enumerate(workload.jobs))
    taken = {job.id for job in workload.jobs}
    names: dict[tuple[str, int], str] = {}
    made: list[Job] = []
    _refuse_many(size)
    for place, job in enumerate(workload.jobs):
        for copy in range(2, int(whole) + 1 + (place in once_more)):
            name = f"{job.id}~{copy}"
            while name in taken:
                name += "'"
            taken.add(name)
            names[job.id, copy] = name
            made.append(replace(job, id=name, submit_ms=min(LAST_MS, job.submit_ms + chance.randint(0, late))))
    numbers = {name: number for (_, number), name in names.items()}
    copies = []
    for job in made:
        after = tuple(names.get((each, numbers[job.id]), each) for each in job.after)
        copies.append(replace(job, after=after) if after else job)
    return replace(workload, jobs=_by_time([*workload.jobs, *copies]))


def scale_time(workload: Workload, factor: float, *, durations: bool = True) -> Workload:
    """All times `factor` times as long: arrivals, what happens to nodes, warm-up and end; and durations, unless they are to stay.

    With durations the load is the same; without them a factor of 0.5 doubles it.

    Raises:
        CommandError: the factor is not from above 0 to 1000, or times would be longer than a hundred years.
    """
    part = _factor(factor)

    def scaled(ms: int) -> int:
        long = round(ms * part)
        if long > LAST_MS:
            raise CommandError(f"{span_text(ms)} times {factor} is longer than a hundred years")
        return long

    def tasks(each: Tasks) -> Tasks:
        if isinstance(each.duration_ms, tuple):
            return replace(each, duration_ms=tuple(None if ms is None else scaled(ms) for ms in each.duration_ms))
        return each if each.duration_ms is None else replace(each, duration_ms=scaled(each.duration_ms))

    return replace(
        workload,
        jobs=tuple(
            replace(job, submit_ms=scaled(job.submit_ms), tasks=tuple(map(tasks, job.tasks)) if durations else job.tasks)
            for job in workload.jobs
        ),
        node_events=tuple(replace(event, at_ms=scaled(event.at_ms)) for event in workload.node_events),
        warm_up_ms=scaled(workload.warm_up_ms),
        ends_ms=None if workload.ends_ms is None else scaled(workload.ends_ms),
    )


def merge(*workloads: Workload) -> Workload:
    """All jobs of several workloads on one cluster, their zeros laid on each other.

    Ids that occur in several get the number of the workload in front, such as `2/etl`. Pools that are equal are the same nodes.

    Raises:
        WorkloadError: two pools of one name differ, or there would be too many tasks.
    """
    if not workloads:
        raise CommandError("there is nothing to merge; give at least one workload")
    first = workloads[0]
    seen: dict[str, int] = {}
    for each in workloads:
        for job in each.jobs:
            seen[job.id] = seen.get(job.id, 0) + 1
    taken = set(seen)
    jobs: list[Job] = []
    notes: list[str] = []
    pools: dict[str, Pool] = {}
    events: list[NodeEvent] = []
    for number, each in enumerate(workloads, 1):
        names = {job.id: _unused(f"{number}/{job.id}", taken) for job in each.jobs if seen[job.id] > 1}
        for job in each.jobs:
            after = tuple(names.get(other, other) for other in job.after)
            jobs.append(replace(job, id=names.get(job.id, job.id), after=after))
        for pool in each.pools:
            if pools.setdefault(pool.name, pool) != pool:
                raise WorkloadError(f"two pools are called {shown(pool.name)} and differ", hint="give one of them another name")
        events += [event for event in each.node_events if event not in events]
        notes += [note for note in each.notes if note not in notes]
        if (each.restarts, each.start_delay_ms) != (first.restarts, first.start_delay_ms):
            notes.append(f"Workload {number} has other restarts or another start delay; those of the first hold for all.")
        if each.zero and first.zero and each.zero != first.zero:
            notes.append(f"Workload {number} begins at {each.zero}; it is moved to the beginning of the first, {first.zero}.")
    ends = [each.ends_ms for each in workloads]
    merged = replace(
        first,
        jobs=_by_time(jobs),
        pools=tuple(pools.values()),
        node_events=tuple(sorted(events, key=lambda event: event.at_ms)),
        warm_up_ms=max(each.warm_up_ms for each in workloads),
        ends_ms=None if None in ends else max(each for each in ends if each is not None),
        name=" and ".join(dict.fromkeys(each.name for each in workloads if each.name)),
        notes=tuple(notes),
    )
    check_workload(merged)
    return merged


def rename_users(workload: Workload, mapping: Mapping[str, str] | Callable[[str], str]) -> Workload:
    """The same with other names of users; who is not in the mapping keeps theirs. Several may become one.

    Raises:
        CommandError: no user has a name that the mapping names.
    """
    if callable(mapping):
        new = {job.user: mapping(job.user) for job in workload.jobs}
    else:
        there = {job.user for job in workload.jobs}
        unknown = [each for each in mapping if each not in there]
        if unknown:
            raise CommandError(f"no job has the user {shown(unknown[0])}; there are {', '.join(sorted(there)[:20])}")
        new = dict(mapping)
    return replace(workload, jobs=tuple(replace(job, user=new.get(job.user, job.user)) for job in workload.jobs))


def anonymise(workload: Workload, seed: int = 0) -> Workload:
    """The same without names: users, groups, ids and the values of tags are numbered, in an order that the seed decides.

    The name of a user or a group that is a whole part of a queue's path is replaced there as well. Kept are the other names of
    queues, classes, names of task groups and of nodes; left out are the name of the workload, its notes, and the date of its zero.
    """
    chance = random.Random(f"anonymise {seed}")
    users = _numbered("user", {job.user for job in workload.jobs}, chance)
    groups = _numbered("group", {each for job in workload.jobs for each in job.groups}, chance)
    values = _numbered("value", {each for job in workload.jobs for tags in _all_tags(job) for each in tags.values()}, chance)
    ids = {job.id: f"job-{number:06d}" for number, job in enumerate(workload.jobs, 1)}
    parts = {_in_path(name): new for names in (groups, users) for name, new in names.items() if name}

    def tags(given: Mapping[str, str]) -> dict[str, str]:
        return {key: values[value] for key, value in given.items()}

    return replace(
        workload,
        jobs=tuple(
            replace(
                job,
                id=ids[job.id],
                user=users[job.user],
                groups=tuple(groups[each] for each in job.groups),
                queue=".".join(parts.get(part, part) for part in job.queue.split(".")),
                tags=tags(job.tags),
                tasks=tuple(replace(each, tags=tags(each.tags)) for each in job.tasks),
                after=tuple(ids[each] for each in job.after),
            )
            for job in workload.jobs
        ),
        name="",
        zero="",
        notes=(),
    )


def sample(workload: Workload, fraction: float, seed: int = 0) -> Workload:
    """So many of the jobs, drawn by the seed.

    Raises:
        CommandError: the fraction is not above 0 and at most 1.
    """
    part = _factor(fraction)
    if part > 1:
        raise CommandError(f"'fraction' must be above 0 and at most 1, found {found(fraction)}")
    chance = random.Random(f"sample {seed}")
    drawn = {workload.jobs[place].id for place in chance.sample(range(len(workload.jobs)), round(part * len(workload.jobs)))}
    return replace(workload, jobs=without(workload.jobs, lambda job: job.id in drawn))


def with_nodes(workload: Workload, nodes: str | Pool | Iterable[Pool]) -> Workload:
    """The same on other nodes: a text such as `20 x vcore=8,memory=32Gi`, or pools. What happens to nodes that are gone goes, too.

    Raises:
        WorkloadError: the text names no nodes, or the pools make no sense.
    """
    pools = parse_nodes(nodes) if isinstance(nodes, str) else (nodes,) if isinstance(nodes, Pool) else tuple(nodes)
    events = workload.node_events
    notes = workload.notes
    changed = replace(workload, pools=pools)
    if events and pools != workload.pools:
        changed = replace(
            changed,
            node_events=(),
            notes=(*notes, f"What happened to the nodes before is left out, {len(events)} events: these are other nodes."),
        )
    check_workload(changed)
    return changed


# -- parts ------------------------------------------------------------------------------------------------------------


def _span(what: str, value: object) -> int:
    try:
        return parse_span(value)
    except ValueError as error:
        raise CommandError(f"'{what}' {error}") from None


def _factor(factor: object) -> Fraction:
    if isinstance(factor, bool) or not isinstance(factor, int | float | Fraction) or not 0 < factor <= MOST_FACTOR:
        raise CommandError(f"the factor must be a number above 0 and at most {MOST_FACTOR}, found {found(factor)}")
    # What was typed, not the double next to it: 0.1 of ten jobs is one.
    return Fraction(str(factor)) if isinstance(factor, float) else Fraction(factor)


def _refuse_many(size: int) -> None:
    if size > MOST_TASKS:
        raise WorkloadError(f"there would be {size:,} tasks", hint=f"at most {MOST_TASKS:,} can be simulated")


def _by_time(jobs: Iterable[Job]) -> tuple[Job, ...]:
    return tuple(sorted(jobs, key=lambda job: job.submit_ms))


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def _ends_at_best(job: Job) -> int | None:
    """When the job would end if it started at once; None if it does not end."""
    longest = 0
    for tasks in job.tasks:
        given = tasks.duration_ms if isinstance(tasks.duration_ms, tuple) else (tasks.duration_ms,)
        for each in given:
            if each is None:
                return None
            longest = max(longest, each)
    return job.submit_ms + longest


def _later(zero: str, ms: int) -> str:
    """The instant so much later; as it was where it is no date."""
    if not zero or not ms:
        return zero
    try:
        moment = datetime.fromisoformat(zero)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return (moment + timedelta(milliseconds=ms)).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return ""


def _numbered(what: str, names: set[str], chance: random.Random) -> dict[str, str]:
    """A number for each name, as many digits as are needed; the empty name stays."""
    ordered = sorted(names - {""})
    chance.shuffle(ordered)
    digits = len(str(len(ordered)))
    return {"": "", **{name: f"{what}-{number:0{digits}d}" for number, name in enumerate(ordered, 1)}}


def _all_tags(job: Job) -> list[Mapping[str, str]]:
    return [job.tags, *(each.tags for each in job.tasks)]


def _in_path(name: str) -> str:
    """A name as placement rules write it into the path of a queue."""
    return name.replace(".", "_dot_")


def _jobs(count: int) -> str:
    return "1 job" if count == 1 else f"{count:,} jobs"
