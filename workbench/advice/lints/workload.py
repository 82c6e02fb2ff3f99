"""What the applications that are there have to say to a configuration: L-12, L-17, L-19, L-27, and leaves that starve (E-40).

A configuration that is right for one workload is wrong for another. What is found here holds for the applications, asks and
allocations of the present instant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice.edits import SetProperty
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.advice.lints import looking
from workbench.advice.lints.priorities import beyond_the_range
from workbench.config.facts import Design, QueueFacts
from workbench.config.properties import APPLICATION_SORT_POLICY
from workbench.config.validation.limits import WILDCARD
from workbench.explain.wording import amounts, counted, name, seconds
from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Application, Cluster, Partition
from workbench.values.durations import SECOND
from workbench.values.quantities import format_quantity
from workbench.values.resources import EMPTY, Resource, fit_in_max_undef, is_zero

LONG_WAIT_NS = 60 * SECOND
"""After this an ask of a queue that holds nothing has waited long. The longest delay that preemption has by default is 30 s."""


def offsets_and_priorities(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-12 for the priorities in use: with the offsets on their way they leave the 32 bits."""
    priorities = [ask.priority for app in partition.applications.values() for ask in app.asks.values() if not ask.allocated]
    if priorities:
        yield from beyond_the_range(design, min(priorities), max(priorities))


@dataclass(frozen=True, slots=True)
class GangInAFairLeaf(Lint):
    """A leaf that sorts fair has rejected so many gang applications."""

    code = "L-17"
    rules = ("C-135", "PL-91", "E-40")
    assumption = "This assumes that more gang applications will come."
    applications: int

    def sentence(self, where: str) -> str:
        return (
            f"{where} sorts its applications fair, and such queues reject gang applications: "
            f"{counted(self.applications, 'application')} so far. Set application.sort.policy: fifo, or send gangs elsewhere."
        )


def gang_in_a_fair_leaf(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-17: gang applications came to a leaf that sorts fair, which rejects them."""
    refused = Counter(app.queue_path.lower() for app in partition.rejected.values() if not is_zero(app.placeholder_ask))
    for leaf in design.leaves:
        if leaf.settings.application_sort_policy == "fair" and refused[leaf.path]:
            fifo = (SetProperty(design.place(leaf), APPLICATION_SORT_POLICY, "fifo"),)
            yield finding(design, leaf, f"properties.{APPLICATION_SORT_POLICY}", GangInAFairLeaf(refused[leaf.path]), fifo)


@dataclass(frozen=True, slots=True)
class SmallerThanEveryAsk(Lint):
    """The maximum of a type is below the smallest of so many asks."""

    code = "L-19"
    rules = ("R-57", "C-124", "E-40")
    assumption = "This assumes that later requests are no smaller."
    type: str
    smallest: int
    maximum: int
    asks: int

    def sentence(self, where: str) -> str:
        return (
            f"Every request in {where} ({self.asks}) needs {name(self.type)} {format_quantity(self.smallest, self.type)} or "
            f"more, and it may use {format_quantity(self.maximum, self.type)} in all: none of them can ever run. Raise the "
            "maximum on its path."
        )


def smaller_than_every_ask(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-19, by size: nothing that is asked for in the leaf fits its maximum, even when the leaf is empty."""
    for leaf in design.leaves:
        asks = looking.asks(partition, leaf.path)
        limit = leaf.limit
        if not asks or limit is None or any(fit_in_max_undef(limit, ask.resource) for ask in asks):
            continue
        kind = min(kind for kind, amount in asks[0].resource.items() if amount > limit.get(kind, amount))
        smallest = min(ask.resource.get(kind, 0) for ask in asks)
        lint = SmallerThanEveryAsk(kind, smallest, limit[kind], len(asks))
        yield finding(design, leaf, f"resources.max.{kind}", lint)


@dataclass(frozen=True, slots=True)
class UserOfSeveralGroups(Lint):
    """A user is in several groups that have a limit; `counts` is the only one that counts."""

    code = "L-27"
    rules = ("PL-111", "PL-110", "PL-113")
    user: str
    counts: str
    others: tuple[str, ...]

    @property
    def about(self) -> str:
        return self.user

    def sentence(self, where: str) -> str:
        return (
            f"User {name(self.user)} belongs to {named((self.counts, *self.others))}, which all have a limit "
            f"here. Only the first in the list counts: {name(self.counts)}; use by that user counts in no other. Put the "
            "tightest first, or let groups not overlap."
        )


def users_of_several_groups(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-27: a user counts in one group only, the first of the list, so the other group limits do not hold for him."""
    apps = sorted(partition.applications.values(), key=lambda app: app.seq)
    for queue in design.queues.values():
        limited = list(dict.fromkeys(group for limit in queue.config.limits for group in limit.groups if group != WILDCARD))
        told: set[tuple[str, ...]] = set()
        for app in apps if len(limited) > 1 else ():
            mine = tuple(group for group in limited if group in app.groups)
            if len(mine) > 1 and mine not in told and _is_below(app, queue):
                told.add(mine)
                yield finding(design, queue, "limits", UserOfSeveralGroups(app.user, mine[0], mine[1:]))


def _is_below(app: Application, queue: QueueFacts) -> bool:
    return app.queue is not None and f"{app.queue.path}.".startswith(f"{queue.path}.")


@dataclass(frozen=True, slots=True)
class WaitsForLong(Lint):
    """So many asks of a leaf wait, the oldest for `waits_ns`; `short` is what it holds less than its guarantee."""

    code = "starving"
    rules = ("P-22", "R-521")
    asks: int
    waits_ns: int
    allocated: Resource
    short: Resource

    def sentence(self, where: str) -> str:
        has = f"holds {amounts(self.allocated, 'nothing')}"
        owed = f", {amounts(self.short)} less than its guarantee" if self.short else ""
        return (
            f"{where} {has}{owed}, and {counted(self.asks, 'request')} wait there, the oldest for "
            f"{seconds(self.waits_ns)}. Ask why for one of them."
        )


def waits_for_long(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """A leaf that starves: its asks wait, and it holds less than its guarantee, or nothing at all."""
    for leaf in design.leaves:
        waiting, state = looking.waiting(partition, leaf.path), tree.find(partition, leaf.path)
        if not waiting or state is None:
            continue
        oldest_ns = cluster.now_ns - min(ask.created_ns for ask in waiting)
        wanted = {kind for ask in waiting for kind, amount in ask.resource.items() if amount > 0}
        short = Resource(
            {
                kind: amount - state.allocated.get(kind, 0)
                for kind, amount in (leaf.guaranteed or EMPTY).items()
                if kind in wanted and state.allocated.get(kind, 0) < amount
            }
        )
        if oldest_ns >= LONG_WAIT_NS and (short or is_zero(state.allocated)):
            yield finding(design, leaf, "", WaitsForLong(len(waiting), oldest_ns, state.allocated, short))


CHECKS = (
    offsets_and_priorities,
    gang_in_a_fair_leaf,
    smaller_than_every_ask,
    users_of_several_groups,
    waits_for_long,
)
