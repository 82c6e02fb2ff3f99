"""What protects a candidate victim."""

from __future__ import annotations

from workbench.explain.refusals.preemption import why_fence
from workbench.explain.refusals.saying import reason, says
from workbench.explain.wording import amounts, counted, listing, name
from workbench.scheduler.records.refusals.victims import (
    AlreadyGoing,
    BehindPriorityFence,
    BoundToNode,
    ByRule,
    DoesNotHelp,
    Elsewhere,
    Foreign,
    KeepsGuarantee,
    LargerThanTarget,
    NoCommonType,
    NodeLost,
    NoHelpOnNode,
    NoShare,
    NothingOfTarget,
    NothingToGive,
    NotNeeded,
    OnUnusableNode,
    OutsideFence,
    OverBudget,
    PreemptionDisabled,
    PriorityTooHigh,
    SameQueue,
    SearchStopped,
    TargetReached,
    WithinGuarantee,
)
from workbench.values.quantities import format_quantity


@says(SameQueue, "same-app")
def _same_queue(it: SameQueue) -> str:
    return "It is in the request's own queue."


@says(OutsideFence, "outside-fence")
def _outside_fence(it: OutsideFence) -> str:
    return f"Outside {name(it.fence)}, to which the search is limited: {why_fence(it.reason)}."


@says(PreemptionDisabled, "preemption-disabled")
def _preemption_disabled(it: PreemptionDisabled) -> str:
    return f"{name(it.subject)} has preemption.policy: disabled."


@says(WithinGuarantee, "victim-not-over-guarantee")
def _within_guarantee(it: WithinGuarantee) -> str:
    suppliers = dict(it.suppliers)
    left = [
        f"{name(kind)} {format_quantity(amount, kind)} left"
        + (f" of {name(suppliers[kind])}'s" if suppliers.get(kind) not in ("", None, it.subject) else "")
        for kind, amount in sorted(it.remaining.items())
    ]
    return f"{name(it.subject)} holds no more than its guarantee: {listing(left)}."


@says(NoCommonType, "no-common-type")
def _no_common_type(it: NoCommonType) -> str:
    return "It holds nothing of what the request needs."


@says(BoundToNode, "required-node")
def _bound_to_node(it: BoundToNode) -> str:
    return f"It must run on its node, {name(it.node)}."


@says(AlreadyGoing, "already-going")
def _already_going(it: AlreadyGoing) -> str:
    return "It is being stopped already." if it.preempted else "It is being replaced already."


@says(PriorityTooHigh, "higher-priority")
def _priority_too_high(it: PriorityTooHigh) -> str:
    way = [f"{name(path)} {value}" for path, value in (*it.up, *it.down)]
    steps = f" ({', '.join(way)})" if way else ""
    return f"Its priority {it.priority} is above {it.value}, which is what the request counts as here{steps}."


@says(BehindPriorityFence, "priority-fence")
def _behind_priority_fence(it: BehindPriorityFence) -> str:
    return (
        f"The priority fence of {name(it.subject)} has the offset {it.offset}, above {it.priority}, which is what "
        "the request counts as there."
    )


@says(Foreign, "foreign")
def _foreign(it: Foreign) -> str:
    return "These pods are not of this scheduler."


@says(OnUnusableNode, "unusable-node")
def _on_unusable_node(it: OnUnusableNode) -> str:
    return f"It runs on a node that cannot be used. {reason(it.why)}" if it.why is not None else "Its node cannot be used."


@says(NothingToGive, "victim-not-over-guarantee")
def _nothing_to_give(it: NothingToGive) -> str:
    return (
        f"{name(it.queue)} is not above its guarantee in anything that the request needs: "
        f"{amounts(it.remaining, 'nothing')} left when it was its turn."
    )


@says(OverBudget, "over-budget")
def _over_budget(it: OverBudget) -> str:
    return (
        f"With {amounts(it.size)} it is larger than what is left of the guarantee of {name(it.queue)}, "
        f"{amounts(it.budget, 'nothing')}; the search of its node stopped there."
    )


@says(SearchStopped, "not-reached")
def _search_stopped(it: SearchStopped) -> str:
    return f"The search of its node stopped before it, at {name(it.stop)}."


WAS_CHOSEN = " was chosen."
"""How a sentence ends that tells on which node room is made."""


@says(DoesNotHelp, "does-not-help")
def _does_not_help(it: DoesNotHelp) -> str:
    return f"Stopping it would not lessen what is missing on {name(it.node)}."


@says(NotNeeded, "not-needed")
def _not_needed(it: NotNeeded) -> str:
    return f"Not needed: there is enough room on {name(it.node)} without stopping it."


@says(Elsewhere, "other-node")
def _elsewhere(it: Elsewhere) -> str:
    return f"It runs on {name(it.node)}, which cannot be cleared for the request; {name(it.chosen)}{WAS_CHOSEN}"


@says(NodeLost, "other-node")
def _node_lost(it: NodeLost) -> str:
    costs, chosen = counted(it.victims, "victim"), counted(it.chosen_victims, "victim")
    return f"It runs on {name(it.node)}, at the cost of {costs}; {name(it.chosen)}, with {chosen},{WAS_CHOSEN}"


@says(ByRule, "protected")
def _by_rule(it: ByRule) -> str:
    return it.words


@says(NoHelpOnNode, "does-not-help")
def _no_help_on_node(it: NoHelpOnNode) -> str:
    return f"Stopping all that may be stopped on {name(it.node)} would not make room."


@says(NoShare, "no-share")
def _no_share(it: NoShare) -> str:
    return f"{name(it.subject)} has no share in what has to go."


@says(NothingOfTarget, "no-common-type")
def _nothing_of_target(it: NothingOfTarget) -> str:
    return "It holds nothing of what has to go."


@says(LargerThanTarget, "too-large")
def _larger_than_target(it: LargerThanTarget) -> str:
    return f"With {amounts(it.size)} it is larger than what has to go, {amounts(it.target)}."


@says(KeepsGuarantee, "would-break-guarantee")
def _keeps_guarantee(it: KeepsGuarantee) -> str:
    return f"Without it {name(it.queue)} would be below its guarantee."


@says(TargetReached, "not-needed")
def _target_reached(it: TargetReached) -> str:
    return "Not needed: enough goes without it."
