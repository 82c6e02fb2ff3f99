"""A made-up workload as a description of a few lines, from which any number of weeks is drawn. WL-15.

Every class of jobs has a random stream of its own for each purpose (arrivals, users, tasks, sizes, durations), so that a class
more changes nothing of the others, a longer duration moves no arrival, and designs that are compared get the very same jobs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from workbench.values.errors import CommandError
from workbench.values.resources import Resource
from workbench.workloads.generators.arrivals import Arrivals
from workbench.workloads.generators.counts import count_of, mean_count
from workbench.workloads.generators.distributions import Constant, Distribution
from workbench.workloads.generators.sizes import Size, chooser, mean_size
from workbench.workloads.generators.streams import stream
from workbench.workloads.generators.users import Users
from workbench.workloads.model import LAST_MS, NOTHING, Gang, Job, Pool, Restarts, Tasks, Workload

if TYPE_CHECKING:
    from workbench.workloads.generators.report import FitReport

MOST_JOBS = 20_000_000
WEEK_MS = 7 * 24 * 3_600_000
SINGLE: Distribution = Constant(1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobClass:
    """Jobs of one kind.

    Attributes:
        name: of the class, unique in the workload; the ids of its jobs begin with it.
        arrivals: when they arrive.
        duration: how long a task runs, in milliseconds.
        sizes: what a task asks for.
        tasks: how many tasks a job has.
        same_duration: all tasks of a job run equally long, as in a gang; otherwise each has a duration of its own.
        gang: how gangs behave; `gang_share` of the jobs are one.
        queue, priority, preemptible, may_preempt, node_selector, tolerations, tags: of its jobs and tasks, as in `Job` and `Tasks`.
        users: who submits them; None for those of the workload.
        share: its part of the workload's load, which then scales its arrivals; None to take the arrivals as they are, or in
            proportion if none of the classes has a share.
    """

    name: str
    arrivals: Arrivals
    duration: Distribution
    sizes: tuple[Size, ...]
    tasks: Distribution = SINGLE
    same_duration: bool = False
    gang: Gang | None = None
    gang_share: float = 1.0
    queue: str = ""
    priority: int = 0
    preemptible: bool = True
    may_preempt: bool = True
    node_selector: Mapping[str, str] = field(default_factory=lambda: NOTHING, hash=False)
    tolerations: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=lambda: NOTHING, hash=False)
    users: Users | None = None
    share: float | None = None

    def __post_init__(self) -> None:
        if not self.sizes:
            raise ValueError(f"class {self.name!r} needs a size")
        if not 0 <= self.gang_share <= 1:
            raise ValueError(f"class {self.name!r}: the share of gangs is from 0 to 1, found {self.gang_share:g}")
        if self.share is not None and not 0 < self.share <= 1:
            raise ValueError(f"class {self.name!r}: its share of the load is above 0 and at most 1, found {self.share:g}")

    def work(self, length_ms: int) -> dict[str, float]:
        """What its jobs ask for on average in this time, by resource type: amount times milliseconds."""
        times = self.arrivals.expected(length_ms) * mean_count(self.tasks) * self.duration.mean()
        return {name: amount * times for name, amount in mean_size(self.sizes).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthetic:
    """A made-up workload: `workload(seed)` draws one.

    Attributes:
        classes: its classes of jobs.
        length_ms: until when jobs arrive.
        pools: the nodes; needed for `load`.
        load: what the jobs ask for, as a share of what the cluster can do in that time of the resource asked for most; the rates
            of arrival are scaled to it. None to take them as they are.
        users: who submits the jobs of classes without users of their own.
        seed: goes into every random stream, besides the seed that `workload` is given.
        warm_up_ms, start_delay_ms, restarts: as in `Workload`.
        name: for people.
        report: how well it describes the workload that it was fitted to; None if it was not.
    """

    classes: tuple[JobClass, ...]
    length_ms: int = WEEK_MS
    pools: tuple[Pool, ...] = ()
    load: float | None = None
    users: Users = Users()
    seed: int = 0
    warm_up_ms: int = 0
    start_delay_ms: int = 0
    restarts: Restarts = Restarts()
    name: str = ""
    report: FitReport | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        names = [each.name for each in self.classes]
        if not names:
            raise ValueError("a synthetic workload needs at least one class")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"two classes are called {twice!r}; each needs a name of its own")
        if not 0 < self.length_ms <= LAST_MS:
            raise ValueError("the length must be above 0 and at most 100 years")
        if not 0 <= self.warm_up_ms < self.length_ms:
            raise ValueError("the warm-up must end before the workload does")
        shares = [each.share for each in self.classes if each.share is not None]
        if shares and (len(shares) < len(names) or not math.isclose(math.fsum(shares), 1.0, abs_tol=1e-6)):
            raise ValueError("the shares of the classes must sum to 1, and each class needs one if any has")
        if self.load is None and shares:
            raise ValueError("classes with a share need a load, such as load: 0.9")
        if self.load is not None:
            if not 0 < self.load <= 100:
                raise ValueError(f"the load must be above 0 and at most 100 times the cluster, found {self.load:g}")
            if not self.pools:
                raise ValueError("a load is a share of the cluster: give its nodes, too, such as pools: 20 x vcore=8,memory=32Gi")

    # -- Rates and load -------------------------------------------------------------------------------------------------

    def scaled_classes(self) -> tuple[JobClass, ...]:
        """The classes with the rates of arrival at which the load is the one asked for. CommandError if there are none."""
        if self.load is None:
            return self.classes
        capacity = capacity_of(self.pools)
        if all(each.share is not None for each in self.classes):
            factors = [self.load * (each.share or 0.0) / _dominant([each], capacity, self.length_ms)[1] for each in self.classes]
            # Classes whose dominant resources differ add up to less than their shares do; then all are raised alike.
            scaled = [replace(each, arrivals=each.arrivals.scaled(factor)) for each, factor in zip(self.classes, factors)]
        else:
            scaled = list(self.classes)
        factor = self.load / _dominant(scaled, capacity, self.length_ms)[1]
        return tuple(replace(each, arrivals=each.arrivals.scaled(factor)) for each in scaled)

    def offered(self) -> tuple[str, float] | None:
        """The resource type asked for most, and its share of the cluster on average; None without nodes.

        CommandError where no load can be told.
        """
        if not self.pools:
            return None
        return _dominant(self.scaled_classes(), capacity_of(self.pools), self.length_ms)

    def expected_jobs(self) -> float:
        """How many jobs arrive on average."""
        return math.fsum(each.arrivals.expected(self.length_ms) for each in self.scaled_classes())

    # -- Drawing --------------------------------------------------------------------------------------------------------

    def workload(self, seed: int = 0) -> Workload:
        """One draw: the same for the same seed, on every machine.

        Raises:
            CommandError: it would have more than twenty million jobs, or no load can be told.
        """
        classes = self.scaled_classes()
        expected = math.fsum(each.arrivals.expected(self.length_ms) for each in classes)
        if expected > MOST_JOBS:
            raise CommandError(f"this would be {expected:,.0f} jobs; at most {MOST_JOBS:,} are made, so take a shorter length")
        arriving: list[tuple[int, int, Job]] = []
        for place, each in enumerate(classes):
            arriving += [(job.submit_ms, place, job) for job in self._jobs(each, seed)]
        arriving.sort(key=lambda entry: entry[:2])
        return Workload(
            jobs=tuple(job for _, _, job in arriving),
            pools=self.pools,
            restarts=self.restarts,
            start_delay_ms=self.start_delay_ms,
            warm_up_ms=self.warm_up_ms,
            ends_ms=self.length_ms,
            name=self.name,
            notes=self._notes([job for _, _, job in arriving], seed),
        )

    def _jobs(self, each: JobClass, seed: int) -> list[Job]:
        sources = {
            purpose: stream(self.seed, seed, each.name, purpose)
            for purpose in ("arrivals", "users", "tasks", "sizes", "durations", "gangs")
        }
        users = each.users or self.users
        user_of, size_of = users.chooser(), chooser(each.sizes)
        people = [(users.name(rank), users.groups_of(rank)) for rank in range(users.count)]
        times = each.arrivals.times(self.length_ms, sources["arrivals"])
        digits = len(str(len(times)))
        jobs = []
        for number, submit_ms in enumerate(times, 1):
            user, groups = people[user_of(sources["users"])]
            count = count_of(each.tasks, sources["tasks"])
            resource = size_of(sources["sizes"])
            gang = each.gang is not None and sources["gangs"].random() < each.gang_share
            duration: int | tuple[int, ...]
            if count == 1 or each.same_duration:
                duration = _ms(each.duration.sample(sources["durations"]))
            else:
                duration = tuple(_ms(each.duration.sample(sources["durations"])) for _ in range(count))
            tasks = Tasks(
                resource=resource,
                count=count,
                name="tasks" if gang else "",
                duration_ms=duration,
                preemptible=each.preemptible,
                may_preempt=each.may_preempt,
                node_selector=each.node_selector,
                tolerations=each.tolerations,
            )
            jobs.append(
                Job(
                    id=f"{each.name}-{number:0{digits}d}",
                    submit_ms=submit_ms,
                    tasks=(tasks,),
                    user=user,
                    groups=groups,
                    queue=each.queue,
                    tags=each.tags,
                    kind=each.name,
                    priority=each.priority,
                    gang=each.gang if gang else None,
                )
            )
        return jobs

    def _notes(self, jobs: list[Job], seed: int) -> tuple[str, ...]:
        notes = [f"Made up, not measured: drawn from a description with seed {seed}."]
        if self.pools:
            too_large: dict[str, int] = {}
            known: dict[Resource, bool] = {}
            for job in jobs:
                for tasks in job.tasks:
                    fits = known.get(tasks.resource)
                    if fits is None:
                        fits = known[tasks.resource] = any(_fits(tasks.resource, pool.capacity) for pool in self.pools)
                    if not fits:
                        too_large[job.kind] = too_large.get(job.kind, 0) + 1
            for kind, count in too_large.items():
                notes.append(f"{count:,} jobs of class {kind} ask for more than any node has; they will wait for ever.")
        return tuple(notes)

    # -- Showing --------------------------------------------------------------------------------------------------------

    def sentence(self) -> str:
        """What it is, in one sentence."""
        from workbench.workloads.generators.showing import sentence

        return sentence(self)

    def __str__(self) -> str:
        from workbench.workloads.generators.showing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from workbench.workloads.generators.showing import as_html

        return as_html(self)

    def written(self) -> dict[str, object]:
        """The description as plain values, as they stand under `synthetic:` in a file; `read` makes an equal one of them."""
        from workbench.workloads.generators.writing import written

        return written(self)


def capacity_of(pools: tuple[Pool, ...]) -> dict[str, int]:
    """What all nodes have together, by type; of a pool that grows, as many as it may have."""
    total: dict[str, int] = {}
    for pool in pools:
        count = pool.count if pool.maximum is None else max(pool.count, pool.maximum)
        for name, amount in pool.capacity.items():
            total[name] = total.get(name, 0) + amount * count
    return total


def _dominant(classes: list[JobClass] | tuple[JobClass, ...], capacity: dict[str, int], length_ms: int) -> tuple[str, float]:
    work: dict[str, float] = {}
    for each in classes:
        for name, amount in each.work(length_ms).items():
            if amount == math.inf:
                raise CommandError(
                    f"class {each.name} has no finite load: the mean of its durations or sizes is infinite; give the Pareto "
                    "distribution a shape above 1, or a bound with most="
                )
            work[name] = work.get(name, 0.0) + amount
    lacking = sorted(name for name, amount in work.items() if amount and not capacity.get(name))
    if lacking:
        raise CommandError(f"no node has {lacking[0]}, which the jobs ask for; add it to a pool, or leave it out of the sizes")
    shares = {name: amount / capacity[name] / length_ms for name, amount in sorted(work.items())}
    name = max(shares, key=shares.__getitem__)
    if not shares[name] > 0:
        raise CommandError("the jobs ask for nothing in this time, so no load can be told; make it longer, or jobs more frequent")
    return name, shares[name]


def _fits(resource: Resource, capacity: Resource) -> bool:
    return all(amount <= capacity.get(name, 0) for name, amount in resource.items())


def _ms(value: float) -> int:
    return max(round(value), 1) if value < LAST_MS else LAST_MS
