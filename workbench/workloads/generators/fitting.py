"""`fit`: a measured workload described as a made-up one, which can be scaled, drawn again and shared without names. WL-15.

What jobs ask for in all stays: where the product of independent draws would be more or less than what was measured, because large
jobs run longer or a tail was seen by chance, durations are scaled so that it is the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from workbench.values.errors import CommandError
from workbench.values.resources import Resource
from workbench.workloads.generators.distributions import Distribution, Empirical
from workbench.workloads.generators.likelihood import best, ks_distance, rounded, zipf_exponent
from workbench.workloads.generators.rates import best_arrivals, number_of
from workbench.workloads.generators.report import ClassFit, FitReport
from workbench.workloads.generators.sizes import Size, fixed_size
from workbench.workloads.generators.spec import JobClass, Synthetic, capacity_of
from workbench.workloads.generators.users import MOST_USERS, Users
from workbench.workloads.model import NOTHING, Job, Workload

MOST_SIZES = 20
"""So many sizes stand for those of a class; more of them are grouped into their means."""
OFTEN = 50
"""A size with so many jobs may become a class of its own."""
MOST_SPLIT = 6
APART = 0.25
"""So far apart the durations of two sizes are (Kolmogorov-Smirnov) before each becomes a class of its own."""


def fit(workload: Workload) -> Synthetic:
    """A description from which workloads like this one can be drawn; its `report` says how like, and what was lost.

    Jobs of one class, queue and priority become a class, and their sizes classes of their own where their durations differ.

    Raises:
        CommandError: there are no jobs in it.
    """
    if not workload.jobs:
        raise CommandError("a workload without jobs cannot be described; there is nothing to learn from")
    length_ms = max(workload.ends_ms or 0, workload.jobs[-1].submit_ms + 1)
    capacity = capacity_of(workload.pools)
    everybody = Counter(job.user for job in workload.jobs)
    groups = {group for job in workload.jobs for group in job.groups}
    users = _users(everybody, len(groups), "user-")
    classes: list[JobClass] = []
    fits: list[ClassFit] = []
    for name, jobs in _grouped(workload.jobs):
        made, told = _class(name, jobs, length_ms, capacity)
        own = Counter(job.user for job in jobs)
        if 2 * len(own) < len(everybody):
            made = replace(made, users=_users(own, len(groups), f"{name}-user-"))
        classes.append(made)
        fits.append(told)
    return Synthetic(
        classes=tuple(classes),
        length_ms=length_ms,
        pools=workload.pools,
        users=users,
        warm_up_ms=workload.warm_up_ms if workload.warm_up_ms < length_ms else 0,
        start_delay_ms=workload.start_delay_ms,
        restarts=workload.restarts,
        name=f"like {workload.name}" if workload.name else "",
        report=FitReport(tuple(fits), _lost(workload, fits)),
    )


# -- Classes ------------------------------------------------------------------------------------------------------------


def _grouped(jobs: Sequence[Job]) -> list[tuple[str, list[Job]]]:
    """Jobs by class, queue and priority, and by size where sizes run differently long, each with a name of its own."""
    groups: dict[tuple[str, str, int], list[Job]] = {}
    for job in jobs:
        groups.setdefault((job.kind, job.queue, job.priority), []).append(job)
    named: list[tuple[str, list[Job]]] = []
    taken: set[str] = set()
    for (kind, queue, _), members in sorted(groups.items()):
        base = kind or queue.rpartition(".")[2] or "jobs"
        for part in _by_size(members):
            name, number = base, 1
            while name in taken:
                number += 1
                name = f"{base}-{number}"
            taken.add(name)
            named.append((name, part))
    return named


def _by_size(jobs: list[Job]) -> list[list[Job]]:
    sizes: dict[Resource, list[Job]] = {}
    for job in jobs:
        sizes.setdefault(job.tasks[0].resource, []).append(job)
    if not 2 <= len(sizes) <= MOST_SPLIT or any(len(each) < OFTEN for each in sizes.values()):
        return [jobs]
    parts = [sizes[size] for size in sorted(sizes, key=lambda size: tuple(size.items()))]
    lengths = [sorted(_length(job, 0) for job in part) for part in parts]
    apart = max(_two_sample(one, other) for place, one in enumerate(lengths) for other in lengths[place + 1 :])
    return parts if apart > APART else [jobs]


def _class(name: str, jobs: list[Job], length_ms: int, capacity: dict[str, int]) -> tuple[JobClass, ClassFit]:
    several = [job for job in jobs if job.size > 1]
    same = bool(several) and sum(len(set(_durations(job, length_ms))) == 1 for job in several) >= 0.9 * len(several)
    values = [
        float(duration) for job in jobs for duration in (_durations(job, length_ms)[:1] if same else _durations(job, length_ms))
    ]
    chosen = best(values)
    rate = best_arrivals([job.submit_ms for job in jobs], length_ms)
    gangs = [job.gang for job in jobs if job.gang is not None]
    first = jobs[0].tasks[0]
    made = JobClass(
        name=name,
        arrivals=rate.arrivals,
        duration=chosen.distribution,
        sizes=_sizes(jobs),
        tasks=number_of([job.size for job in jobs]),
        same_duration=same,
        gang=Counter(gangs).most_common(1)[0][0] if gangs else None,
        gang_share=rounded(len(gangs) / len(jobs)) if gangs else 1.0,
        queue=jobs[0].queue,
        priority=jobs[0].priority,
        preemptible=2 * sum(job.tasks[0].preemptible for job in jobs) >= len(jobs),
        may_preempt=2 * sum(job.tasks[0].may_preempt for job in jobs) >= len(jobs),
        node_selector=first.node_selector if all(job.tasks[0].node_selector == first.node_selector for job in jobs) else NOTHING,
        tolerations=first.tolerations if all(job.tasks[0].tolerations == first.tolerations for job in jobs) else (),
    )
    measured = _work(jobs, length_ms)
    independent = made.work(length_ms)
    # The resource of which the class takes most of the cluster.
    main = max(sorted(measured), key=lambda type_name: measured[type_name] / (capacity.get(type_name) or math.inf))
    if not any(capacity.get(type_name) for type_name in measured) and "vcore" in measured:
        main = "vcore"
    factor = measured[main] / independent[main]
    duration = _whole_ms(made.duration.scaled(factor) if abs(factor - 1) > 0.005 else made.duration)
    distance = ks_distance(duration, sorted(values))
    told = ClassFit(
        name=name,
        jobs=len(jobs),
        duration=duration,
        distance=distance,
        arrivals=rate.arrivals,
        gap_distance=rate.distance,
        scaled=factor,
        empirical_sizes=len({tasks.resource for job in jobs for tasks in job.tasks}),
    )
    return replace(made, duration=duration), told


def _whole_ms(duration: Distribution) -> Distribution:
    """The same with parameters that are worth writing."""
    if isinstance(duration, Empirical):
        return Empirical(tuple(max(float(round(value)), 1.0) for value in duration.values), duration.weights)
    parts = duration.parameters().items()
    return type(duration).of({key: max(float(round(value)), 1.0) if key in duration.VALUES else value for key, value in parts})


def _sizes(jobs: Sequence[Job]) -> tuple[Size, ...]:
    """The sizes with how often they occur; where there are many, the means of those next to each other."""
    counts = Counter[Resource]()
    for job in jobs:
        for tasks in job.tasks:
            counts[tasks.resource] += tasks.count if len(job.tasks) > 1 else 1
    # Nothing can be made of a request for nothing.
    ordered = sorted(
        ((size, count) for size, count in counts.items() if any(size.values())), key=lambda each: tuple(each[0].items())
    )
    if not ordered:
        raise CommandError("there are jobs that ask for nothing; leave them out")
    if len(ordered) > MOST_SIZES:
        total, done = sum(count for _, count in ordered), 0
        grouped: list[list[tuple[Resource, int]]] = [[] for _ in range(MOST_SIZES)]
        for size, count in ordered:
            grouped[min(done * MOST_SIZES // total, MOST_SIZES - 1)].append((size, count))
            done += count
        ordered = [_merged(part) for part in grouped if part]
    return tuple(fixed_size(size, float(count)) for size, count in ordered)


def _merged(part: list[tuple[Resource, int]]) -> tuple[Resource, int]:
    total = sum(count for _, count in part)
    types = sorted({name for size, _ in part for name in size})
    means = {name: round(sum(size.get(name, 0) * count for size, count in part) / total) for name in types}
    return Resource({name: amount for name, amount in means.items() if amount}), total


def _users(counts: Counter[str], groups: int, prefix: str) -> Users:
    """Numbered ones that share the work as these do."""
    return Users(
        count=min(len(counts), MOST_USERS),
        zipf=zipf_exponent(list(counts.values())),
        prefix=prefix,
        groups=tuple(f"group-{number + 1}" for number in range(groups)),
    )


# -- What was measured --------------------------------------------------------------------------------------------------


def _length(job: Job, length_ms: int) -> float:
    return float(_durations(job, length_ms)[0])


def _durations(job: Job, length_ms: int) -> list[int]:
    """How long each of its tasks runs, in milliseconds; one without end, until the end of the record."""
    found = []
    for tasks in job.tasks:
        for number in range(tasks.count):
            duration = tasks.duration_of(number)
            found.append(max(length_ms - job.submit_ms if duration is None else duration, 1))
    return found


def _work(jobs: Sequence[Job], length_ms: int) -> dict[str, int]:
    total: dict[str, int] = {}
    for job in jobs:
        durations = iter(_durations(job, length_ms))
        for tasks in job.tasks:
            ms = sum(next(durations) for _ in range(tasks.count))
            for name, amount in tasks.resource.items():
                if amount:
                    total[name] = total.get(name, 0) + amount * ms
    return total


def _two_sample(one: Sequence[float], other: Sequence[float]) -> float:
    """The distance of two samples in order, by Kolmogorov and Smirnov."""
    largest, i, j = 0.0, 0, 0
    while i < len(one) and j < len(other):
        value = min(one[i], other[j])
        while i < len(one) and one[i] == value:
            i += 1
        while j < len(other) and other[j] == value:
            j += 1
        largest = max(largest, abs(i / len(one) - j / len(other)))
    return largest


def _lost(workload: Workload, fits: Sequence[ClassFit]) -> tuple[str, ...]:
    """What the description does not say any more, in sentences."""
    jobs = workload.jobs
    found = ["Users and groups are numbered, jobs too; names of queues and classes are kept."]
    for condition, sentence in (
        (any(job.after for job in jobs), "Jobs that wait for others arrive when they were submitted."),
        (any(len(job.tasks) > 1 for job in jobs), "Jobs with several kinds of tasks became jobs of one kind."),
        (any(job.tags or each.tags for job in jobs for each in job.tasks), "Tags are gone."),
        (
            any(each.required_node or each.allowed_nodes is not None for job in jobs for each in job.tasks),
            "Tasks are no longer bound to nodes.",
        ),
        (
            any(each.duration_ms is None for job in jobs for each in job.tasks),
            "Tasks without an end were taken to run until the end of the record.",
        ),
        (bool(workload.node_events), "What happens to nodes is gone."),
        (
            any(each.gap_distance > 0.1 for each in fits),
            "Some arrivals depend on each other in a way that is not described; they come more evenly now.",
        ),
    ):
        if condition:
            found.append(sentence)
    return tuple(found)
