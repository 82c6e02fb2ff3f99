"""The sets of rules for quota preemption, by the name that a release's profile gives. P-130, R-900."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from workbench.scheduler.preemption import quota, quota_each_second
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Trace
from workbench.scheduler.records.state import Allocation, Cluster, Partition, Queue
from workbench.scheduler.releases.profiles import Profile
from workbench.values.resources import Resource


class QuotaRules(Protocol):
    """What releases do in their own way; a module each."""

    def start_after_change(self, queue: Queue, old_maximum: Resource | None, old_delay_ns: int, now_ns: int) -> int | None:
        """When the queue's run may start, after a configuration change; None for never."""

    def usage_grew(self, ctx: Context, partition: Partition, queue: Queue) -> None:
        """Use of the queue grew, and not by scheduling."""

    def next_look_ns(self, partition: Partition, since_ns: int) -> int | None:
        """The first instant after `since_ns` at which a look beside the cycles finds something to do, or None."""

    def look(self, ctx: Context, partition: Partition) -> None:
        """Look at all queues, beside the cycles, and enforce what is due."""

    def is_due(self, ctx: Context, partition: Partition, queue: Queue) -> bool:
        """Whether the time of the queue has come; what is within its maximum is no longer scheduled."""

    def target(self, queue: Queue) -> Resource:
        """What has to go from a queue that is due."""

    def distribution(self, queue: Queue, amount: Resource) -> Iterator[tuple[Queue, Resource]]:
        """(leaf, share) of what has to go."""

    def enforce(self, ctx: Context, partition: Partition, queue: Queue, trace: Trace | None = None) -> tuple[Allocation, ...]:
        """Stop what is too much in a queue that is due; what was stopped."""


RULES: Mapping[str, QuotaRules] = {quota.IN_CYCLES: quota, quota_each_second.EACH_SECOND: quota_each_second}


def rules_of(profile: Profile) -> QuotaRules:
    """Those of a release."""
    return RULES[profile.quota_preemption]


def next_look_ns(cluster: Cluster, since_ns: int) -> int | None:
    """The first instant after `since_ns` at which a look beside the cycles finds something to do, in any partition."""
    rules = rules_of(cluster.profile)
    found = [rules.next_look_ns(partition, since_ns) for partition in cluster.partitions.values()]
    return min((each for each in found if each is not None), default=None)


def look(ctx: Context) -> None:
    """Look at all queues of all partitions, beside the cycles."""
    for partition in list(ctx.cluster.partitions.values()):
        rules_of(ctx.profile).look(ctx, partition)
