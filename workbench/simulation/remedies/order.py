"""An order that was lost: what the order of that level looks at."""

from __future__ import annotations

from math import ceil

from workbench.config.properties import PRIORITY_OFFSET, PRIORITY_POLICY
from workbench.scheduler import policies
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.records.commands import (
    AddAsk,
    Advance,
    AskSpec,
    Release,
)
from workbench.scheduler.records.refusals.taking_part import Lost, NotReached, OneStart
from workbench.scheduler.records.state import NO_PRIORITY, Queue
from workbench.simulation import driver
from workbench.simulation.remedies import edits
from workbench.simulation.remedies.case import Case, Trial, Trials, proposes
from workbench.simulation.remedies.remedy import Remedy
from workbench.values.resources import EMPTY, Resource

INT_32 = (-(2**31), 2**31 - 1)


SORT_PRIORITY, SORT_POLICY = "application.sort.priority", "application.sort.policy"


@proposes(NotReached)
def _overtake(case: Case, refusal: NotReached) -> Trials:
    """W-03: at the level where the branch lost, what the order of that level looks at."""
    lost = refusal.lost
    if lost is None:
        return
    level = next((at for at in ancestry(case.application.leaf) if at.path == lost.level), None)
    if level is None or level.is_leaf:
        yield from _overtake_in_leaf(case, lost, level)
        return
    child = level.children.get(lost.loser)
    if child is None:
        return
    field = lost.field
    if field == "priority" or level.settings.priority_sorting:
        yield from _more_offset(case, lost, child)
    if child.settings.priority_policy == "fence":
        yield from case.edit_property(Remedy("no-fence", child.path, before="fence", after="default"), PRIORITY_POLICY)
    if field == "share":
        yield from _more_guarantee_for_share(case, child, policies.largest(lost.winner_value))
    if field in ("priority", "share"):
        yield from _other_sort_priority(case, level)


def _more_offset(case: Case, lost: Lost, child: Queue) -> Trials:
    """As much as the winner first, which is enough where the next key decides; then one more."""
    offset, behind = child.settings.priority_offset, 0
    if lost.field == "priority":
        if -lost.loser_value == NO_PRIORITY:
            return
        behind = lost.loser_value - lost.winner_value
    for wanted in (offset + behind, offset + behind + 1):
        if wanted != offset and INT_32[0] <= wanted <= INT_32[1]:
            yield from case.edit_property(Remedy("offset", child.path, before=offset, after=wanted), PRIORITY_OFFSET)


def _more_guarantee_for_share(case: Case, child: Queue, share: float) -> Trials:
    """The guarantee at which the branch's largest share is that of the winner; then a unit more. R-521, R-528."""
    if share <= 0:
        return
    measured: Resource | None = None
    for at in reversed(list(ancestry(child))):
        measured = policies.fair_maximum(measured, at)
    guaranteed = child.guaranteed or EMPTY
    raw = policies.QUEUE_ORDERS[case.partition.profile.queue_order].unlimited
    for more in (0, 1):
        wanted = dict(guaranteed.items())
        for name, amount in child.allocated.items():
            measure = guaranteed[name] if name in guaranteed else 1 if raw else (measured or EMPTY).get(name, 0)
            if amount > 0 and measure > 0 and amount / measure >= share:
                wanted[name] = ceil(amount / share) + more
        yield from edits.guarantee(case, child, wanted)


def _other_sort_priority(case: Case, queue: Queue) -> Trials:
    before, after = ("enabled", "disabled") if queue.settings.priority_sorting else ("disabled", "enabled")
    yield from case.edit_property(Remedy("sort-priority", queue.path, before=before, after=after), SORT_PRIORITY)


def _overtake_in_leaf(case: Case, lost: Lost, leaf: Queue | None) -> Trials:
    """Lost among the applications of its leaf, or, without `leaf`, among the asks of its application."""
    ask = case.ask
    if leaf is None or lost.field == "priority" or leaf.settings.priority_sorting:
        if lost.field == "priority":
            wanted = [-lost.winner_value, -lost.winner_value + 1]
        else:
            wanted = [(case.application.priority if leaf is not None else ask.priority) + 1]
        for priority in wanted:
            yield from _own_priority(case, priority)
    if leaf is None:
        return
    yield from _other_sort_priority(case, leaf)
    policy = leaf.settings.application_sort_policy
    other = {"fifo": "fair", "fair": "fifo"}.get(policy)
    if other is not None:
        yield from case.edit_property(Remedy("sort-policy", leaf.path, before=policy, after=other), SORT_POLICY)


def _own_priority(case: Case, priority: int) -> Trials:
    """A new ask of another priority, created now, beside the old one, which then goes. A placeholder belongs to its gang."""
    ask, application = case.ask, case.application
    if ask.placeholder or not ask.priority < priority <= INT_32[1]:
        return
    key = f"{ask.key}-again"
    while key in application.asks:
        key += "-again"
    again = AskSpec(
        application_id=application.id,
        key=key,
        resource=ask.resource,
        priority=priority,
        task_group=ask.task_group,
        originator=ask.originator,
        allow_preempt_self=ask.allow_preempt_self,
        allow_preempt_other=ask.allow_preempt_other,
        required_node=ask.required_node,
        allowed_nodes=tuple(sorted(ask.allowed_nodes)) if ask.allowed_nodes is not None else None,
        node_selector=ask.node_selector,
        tolerations=ask.tolerations,
        tags=ask.tags,
    )
    commands = (
        AddAsk(ask=again, partition=case.partition.name),
        Release(application_id=application.id, key=ask.key, type=driver.BY_RESOURCE_MANAGER, partition=case.partition.name),
    )
    yield Trial(Remedy("ask-priority", ask.key, before=ask.priority, after=priority), commands, key)


@proposes(OneStart)
def _start_sooner(case: Case, refusal: OneStart) -> Trials:
    """W-24: until the one that is starting runs, or a policy that lets all start."""
    leaf = case.application.leaf
    if refusal.starting:
        left = case.partition.profile.state_timers["Starting"].length_ns - refusal.age_ns
        yield case.trial(Remedy("wait", case.application.id, after=left), Advance(ns=left))
    policy = leaf.settings.application_sort_policy
    yield from case.edit_property(Remedy("sort-policy", leaf.path, before=policy, after="fifo"), SORT_POLICY)
