"""What happens to what runs and waits now, if the file comes into force: against what would happen without it. RO-1"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.rollouts.admission import Admission
from workbench.rollouts.course import Course, Started, Stopped, Use, Who
from workbench.rollouts.lasting import Stays
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.state import Cluster, Queue
from workbench.values.resources import Resource

MINUTE_NS = 60 * 10**9


@dataclass(frozen=True, slots=True)
class Drained:
    """A queue that the file takes away, with all below it.

    Attributes:
        applications: how many are there and stay until they end.
        running, waiting: how many of their pods.
        gone_ns: when it is cleaned up, after the change; None if it outlasts what was played.
    """

    queue: str
    applications: int
    running: int
    waiting: int
    gone_ns: int | None


@dataclass(frozen=True, slots=True)
class Over:
    """A queue that holds more than it may from now on.

    Attributes:
        maximum: that it has now.
        use: what it holds, of the types of the maximum.
        above: how much too much that is.
        starts_ns: when quota preemption begins to stop what is too much, after the change; None for never.
    """

    queue: str
    maximum: Resource
    use: Resource
    above: Resource
    starts_ns: int | None


@dataclass(frozen=True, slots=True)
class Waited:
    """A request that waits now, and when it is served, after the change; None for not within what was played."""

    who: Who
    queue: str
    today_ns: int | None
    new_ns: int | None


@dataclass(frozen=True, slots=True)
class Minute:
    """What happens in one minute: queue -> (how many start, how many are stopped), today and with the file."""

    number: int
    today: Mapping[str, tuple[int, int]]
    new: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class Effects:
    """Attributes:
    today, new: what happens without the file and with it, from the same moment on.
    drained, over: queues that are taken away, and those above a maximum that they were not above before.
    stays: what stays in force until a restart, although the file says otherwise.
    admissions: applications that would go elsewhere, be refused, or be let in, if they came again.
    """

    today: Course
    new: Course
    drained: tuple[Drained, ...] = ()
    over: tuple[Over, ...] = ()
    stays: tuple[Stays, ...] = ()
    admissions: tuple[Admission, ...] = ()

    @property
    def stopped(self) -> tuple[Stopped, ...]:
        """Who is stopped with the file and not without it, each when it first happens."""
        return only(self.new.stopped, self.today.stopped)

    @property
    def again_and_again(self) -> tuple[Who, ...]:
        """Who is stopped more than once with the file, and not without it."""
        today = {each.who for each in self.today.stopped if each.again}
        return tuple(dict.fromkeys(each.who for each in self.new.stopped if each.again and each.who not in today))

    @property
    def spared(self) -> tuple[Stopped, ...]:
        """Who is stopped without the file and not with it."""
        return only(self.today.stopped, self.new.stopped)

    @property
    def refused(self) -> tuple[Admission, ...]:
        """Applications that are taken today and would be refused."""
        return tuple(each for each in self.admissions if each.queue and not each.new_queue)

    @property
    def waits(self) -> tuple[Waited, ...]:
        """Those who wait now and are served at another time, or only in one of the two; the order is that of their arrival."""
        today, new = self.today.started_ns(), self.new.started_ns()
        found = (Waited(who, queue, today.get(who), new.get(who)) for who, queue in self.new.waiting.items())
        return tuple(each for each in found if each.today_ns != each.new_ns)

    @property
    def never(self) -> tuple[Waited, ...]:
        """Those who wait now and would be served within what was played, but are not with the file."""
        return tuple(each for each in self.waits if each.new_ns is None)

    @property
    def order_changes(self) -> bool:
        """Whether others start, or in another order."""
        return [each.who for each in self.today.started] != [each.who for each in self.new.started]

    @property
    def first(self) -> tuple[tuple[Started | None, Started | None], ...]:
        """Who is served first, second, ... today and with the file; None where nobody is any more."""
        today, new = self.today.started, self.new.started
        length = max(len(today), len(new))
        return tuple((today[at] if at < len(today) else None, new[at] if at < len(new) else None) for at in range(length))

    @property
    def minutes(self) -> tuple[Minute, ...]:
        """The minutes in which something starts or is stopped."""
        today, new = _by_minute(self.today), _by_minute(self.new)
        return tuple(Minute(number, today.get(number, {}), new.get(number, {})) for number in sorted({*today, *new}))

    @property
    def uses(self) -> tuple[tuple[str, tuple[tuple[Use | None, Use | None], ...]], ...]:
        """(queue, its use today and with the file at the start and after each minute), where they are not the same."""
        paths = dict.fromkeys(path for use in (*self.today.uses, *self.new.uses) for path in use)
        both = list(zip(self.today.uses, self.new.uses))
        found = ((path, tuple((one.get(path), other.get(path)) for one, other in both)) for path in paths)
        return tuple((path, pairs) for path, pairs in found if any(one != other for one, other in pairs))

    @property
    def nothing(self) -> bool:
        """Whether everything goes on as it would without the file."""
        alike = (self.today.started, self.today.stopped) == (self.new.started, self.new.stopped)
        return alike and not (self.drained or self.over or self.stays or self.admissions)


def only(some: tuple[Stopped, ...], others: tuple[Stopped, ...]) -> tuple[Stopped, ...]:
    """Those of some who are not among the others, whenever it happens to them; each when it first does."""
    there = {each.who for each in others}
    first: dict[Who, Stopped] = {}
    for each in some:
        if each.who not in there:
            first.setdefault(each.who, each)
    return tuple(first.values())


def _by_minute(course: Course) -> dict[int, dict[str, tuple[int, int]]]:
    found: dict[int, dict[str, tuple[int, int]]] = {}
    happened: tuple[Started | Stopped, ...] = (*course.started, *course.stopped)
    for each in sorted(happened, key=lambda each: each.at_ns):
        of = found.setdefault(each.at_ns // MINUTE_NS, {})
        starts, stops = of.get(each.queue, (0, 0))
        of[each.queue] = (starts + isinstance(each, Started), stops + isinstance(each, Stopped))
    return found


# ---- what a reload does at once ----------------------------------------------------------------------------------------


def over_maximum(cluster: Cluster) -> Iterator[Over]:
    """The queues that hold more than their own maximum, at this moment."""
    for partition in cluster.partitions.values():
        for queue in walk(partition.root):
            if queue.maximum is None or queue.parent is None:
                continue
            use = Resource({kind: queue.allocated.get(kind, 0) for kind in queue.maximum})
            above = {kind: amount - queue.maximum[kind] for kind, amount in use.items() if amount > queue.maximum[kind]}
            if above:
                starts = queue.quota_start_ns if partition.quota_preemption_enabled and queue.is_managed else None
                starts_ns = None if starts is None else max(0, starts - cluster.now_ns)
                yield Over(queue.path, queue.maximum, use, Resource(above), starts_ns)


def draining(cluster: Cluster) -> Iterator[Queue]:
    """The topmost queues that drain, at this moment."""
    for partition in cluster.partitions.values():
        for queue in walk(partition.root):
            if queue.status == "Draining" and (queue.parent is None or queue.parent.status != "Draining"):
                yield queue


def drained(queue: Queue) -> Drained:
    """What is in a queue that drains, at this moment; when it goes is not known yet."""
    there = [each for below in walk(queue) for each in below.applications.values()]
    return Drained(
        queue.path,
        len(there),
        sum(len(each.allocations) for each in there),
        sum(not ask.allocated for each in there for ask in each.ask_order),
        None,
    )
