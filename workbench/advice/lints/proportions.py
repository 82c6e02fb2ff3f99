"""What the order of siblings by fair share makes of their guarantees: L-44 (E-40).

A share is the use divided by the guarantee, or by the fair maximum for types that the guarantee does not name (R-521, R-522). Where
one request is a large part of a small guarantee, a queue has a larger share than its siblings can ever come to, and waits for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.advice.edits import Repair, SetGuaranteed, accepted
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.config.facts import Design, QueueFacts, texts_with
from workbench.explain.wording import name
from workbench.scheduler.objects import tree
from workbench.scheduler.policies.orders import QUEUE_ORDERS
from workbench.scheduler.records.state import Cluster, Partition
from workbench.values.quantities import format_quantity
from workbench.values.resources import EMPTY, Resource, fair_share, strictly_greater_than_zero


@dataclass(frozen=True, slots=True)
class StarvedByShares(Lint):
    """One request of a queue makes its share larger than the siblings can ever come to.

    Attributes:
        size, guaranteed: of that request and of the queue, of this type; `share` is what the one makes of the other.
        capacity: what the share would be measured by without the guarantee.
        most: the largest share that one of the `others` can come to.
    """

    code = "L-44"
    rules = ("R-521", "R-522", "E-40")
    assumption = "This assumes that the queues beside it go on requesting."
    type: str
    size: int
    guaranteed: int
    capacity: int
    share: float
    most: float
    others: tuple[str, ...]

    def sentence(self, where: str) -> str:
        kind, others = name(self.type), named(self.others)
        size, promised = (format_quantity(amount, self.type) for amount in (self.size, self.guaranteed))
        used = (
            f"one request in {where} needs {kind} {size} of {promised} guaranteed, which makes its share {self.share:.3g}"
            if self.guaranteed > 0
            else f"{where} is guaranteed {kind} {promised}, and any use of that makes its share {self.share:.3g}"
        )
        return (
            f"{used[:1].upper()}{used[1:]}; {others} cannot come to more than {self.most:.3g} with all the rest. The smaller "
            f"share is served first, so while they request, {where} gets no second one. Make the guarantee larger than a few "
            f"requests, or take {kind} out of it."
        )


@dataclass(frozen=True, slots=True)
class _Sibling:
    """A queue that asks for something beside others that do.

    Attributes:
        requests: the sizes of what waits in it or below it, each once.
        measure: its fair maximum.
        room: what it may come to, of each type that the nodes or its maxima bound.
    """

    queue: QueueFacts
    priority: int
    requests: tuple[Resource, ...]
    measure: Resource
    room: Mapping[str, int]

    def share(self, used: Resource, guaranteed: Resource | None) -> float:
        return fair_share(used, guaranteed, self.measure)

    def most(self, besides: Resource, guaranteed: Resource | None) -> float:
        """The largest share that it can come to, while somebody else holds something."""
        return max(self.share(each, guaranteed) for each in self.reached(besides))

    def reached(self, besides: Resource) -> list[Resource]:
        """What it holds when no further request of a size fits, for each size."""
        found = []
        for request in self.requests:
            sizes = {kind: amount for kind, amount in request.items() if amount > 0}
            pods = min(max(0, self.room.get(kind, 0) - besides.get(kind, 0)) // amount for kind, amount in sizes.items())
            found.append(Resource({kind: pods * amount for kind, amount in sizes.items()}))
        return found


def starved_by_shares(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-44: with one request a queue has a larger share than siblings can come to, which then can take all the rest."""
    if not QUEUE_ORDERS[cluster.profile.queue_order].to_fair_maximum:
        return
    for parent in design.queues.values():
        siblings = [found for child in parent.children if (found := _sibling(child, partition)) is not None]
        for one in siblings if len(siblings) > 1 else ():
            starved = _starved(design, parent, one, [other for other in siblings if other is not one])
            if starved is not None:
                yield starved


def _starved(design: Design, parent: QueueFacts, one: _Sibling, others: list[_Sibling]) -> Finding | None:
    promised = one.queue.guaranteed or EMPTY
    size = min(one.requests, key=lambda request: one.share(request, promised))
    share = one.share(size, promised)
    kind = max(sorted(size), key=lambda each: one.share(Resource({each: size[each]}), promised))
    if kind not in promised.amounts:
        return None
    rivals = [
        other
        for other in others
        if (not parent.settings.priority_sorting or one.priority <= other.priority)
        and 0 < other.most(size, other.queue.guaranteed) <= share
        and one.share(size, None) < other.most(size, None)
    ]
    if not _can_fill(one, rivals, size):
        return None
    lint = StarvedByShares(
        type=kind,
        size=size[kind],
        guaranteed=promised[kind],
        capacity=one.measure.get(kind, size[kind]),
        share=share,
        most=max(other.most(size, other.queue.guaranteed) for other in rivals),
        others=tuple(other.queue.path for other in rivals),
    )
    repairs = (_named_no_more(design, one, kind), _as_much_as_they_can_hold(design, size, share, rivals))
    return finding(design, one.queue, f"resources.guaranteed.{kind}", lint, *repairs)


def _can_fill(one: _Sibling, rivals: list[_Sibling], size: Resource) -> bool:
    """Whether what these siblings may come to leaves no room for a second request, in a type that they ask for."""
    return any(
        sum(max(each.get(kind, 0) for each in other.reached(size)) for other in rivals) + 2 * amount > one.room[kind]
        for kind, amount in size.items()
        if rivals and amount > 0 and kind in one.room
    )


def _named_no_more(design: Design, one: _Sibling, kind: str) -> Repair | None:
    """The guarantee without the type: use of it is then measured against the fair maximum."""
    left = texts_with(one.queue.config.resources.guaranteed, {kind: None})
    return accepted(design, SetGuaranteed(design.place(one.queue), left))


def _as_much_as_they_can_hold(design: Design, size: Resource, share: float, rivals: list[_Sibling]) -> Repair | None:
    """Guarantees of the siblings lowered to what they can come to, if that is what keeps their shares small."""
    edits = []
    for other in rivals:
        promised = other.queue.guaranteed or EMPTY
        lower = {kind: other.room[kind] for kind, amount in promised.items() if amount > other.room.get(kind, amount)}
        if not lower or other.most(size, Resource({**promised.amounts, **lower})) <= share:
            return None
        texts = texts_with(other.queue.config.resources.guaranteed, lower)
        edits.append(SetGuaranteed(design.place(other.queue), texts))
    return accepted(design, *edits)


def _sibling(queue: QueueFacts, partition: Partition) -> _Sibling | None:
    """The queue, if something waits there, and leaves of it are configured."""
    state = tree.find(partition, queue.path)
    sizes = {
        tuple(sorted(ask.resource.items())): ask.resource
        for app in sorted(partition.applications.values(), key=lambda each: each.seq)
        if app.queue is not None and f"{app.queue.path}.".startswith(f"{queue.path}.")
        for ask in app.asks.values()
        if not ask.allocated and strictly_greater_than_zero(ask.resource)
    }
    requests = tuple(sizes.values())
    total = partition.root.maximum
    if state is None or not requests or not queue.leaves() or not total:
        return None
    measure = dict(total.amounts)
    for at in reversed([*queue.up()]):
        measure |= (at.maximum or EMPTY).amounts
    limit = queue.limit or EMPTY
    room = {kind: min(amount, limit.get(kind, amount)) for kind, amount in {**limit.amounts, **total.amounts}.items()}
    return _Sibling(queue, state.priority, requests, Resource(measure), room)


CHECKS = (starved_by_shares,)
