"""Why an ask does not make room for itself."""

from __future__ import annotations

from workbench.explain.refusals.saying import says
from workbench.explain.wording import amounts, listing, name, seconds
from workbench.scheduler.records.refusals.preemption import (
    AboveGuarantee,
    AttemptsUsedUp,
    CheckedRecently,
    MayNotPreempt,
    NoGuarantee,
    NotEnough,
    NoUsableNode,
    NoVictims,
    NoVictimsOnANode,
    PredicatesRefuse,
    PreemptedBefore,
    PreemptionOff,
    PreemptsOnItsNode,
    ReservesInstead,
    TooEarly,
    UserRoomFirst,
    WouldBreakGuarantee,
)


@says(UserRoomFirst, "user-limit")
def _user_room_first(it: UserRoomFirst) -> str:
    return "It does not preempt: the room of its user or group is asked for first."


@says(ReservesInstead, "reserves")
def _reserves_instead(it: ReservesInstead) -> str:
    return f"It does not preempt in this step: it reserves {name(it.node)} instead."


@says(PreemptionOff, "preemption-off")
def _preemption_off(it: PreemptionOff) -> str:
    return f"It does not preempt: preemption is switched off for partition {name(it.subject)}."


@says(MayNotPreempt, "may-not-preempt")
def _may_not_preempt(it: MayNotPreempt) -> str:
    return "It does not preempt: its own settings forbid it."


@says(PreemptedBefore, "preempted-before")
def _preempted_before(it: PreemptedBefore) -> str:
    return "It has preempted before, and a request does so once."


@says(PreemptsOnItsNode, "required-node")
def _preempts_on_its_node(it: PreemptsOnItsNode) -> str:
    return "It preempts on its required node only."


@says(TooEarly, "preemption-delay")
def _too_early(it: TooEarly) -> str:
    return (
        f"It may not preempt before {seconds(it.delay_ns)} after it was created, the delay of {name(it.subject)}: "
        f"{seconds(it.left_ns)} left."
    )


@says(CheckedRecently, "checked-recently")
def _checked_recently(it: CheckedRecently) -> str:
    return f"It tried to preempt a moment ago and may try again in {seconds(it.left_ns)}."


@says(AttemptsUsedUp, "attempts-used")
def _attempts_used_up(it: AttemptsUsedUp) -> str:
    return f"It does not preempt now: {name(it.subject)} has used up its attempts of this cycle."


@says(NoGuarantee, "not-under-guarantee")
def _no_guarantee(it: NoGuarantee) -> str:
    return f"It does not preempt: no queue from root to {name(it.subject)} has a guarantee left for it."


@says(AboveGuarantee, "not-under-guarantee")
def _above_guarantee(it: AboveGuarantee) -> str:
    return (
        f"It does not preempt: with {amounts(it.need)} queue {name(it.subject)} would be above its guarantee, of which "
        f"{amounts(it.remaining, 'nothing')} is left."
    )


@says(NoVictims, "no-victims")
def _no_victims(it: NoVictims) -> str:
    fence = f", to which the search is limited ({why_fence(it.reason)})" if it.reason != "root" else ""
    return f"It does not preempt: nothing below {name(it.subject)}{fence} may be stopped for it."


@says(NoUsableNode, "no-usable-node")
def _no_usable_node(it: NoUsableNode) -> str:
    return "It does not preempt: no node can be used for it."


@says(NoVictimsOnANode, "no-victims-on-a-node")
def _no_victims_on_a_node(it: NoVictimsOnANode) -> str:
    return "It does not preempt: no node has victims that would make enough room."


@says(PredicatesRefuse, "node-constraint")
def _predicates_refuse(it: PredicatesRefuse) -> str:
    return f"It does not preempt: the node constraints refuse {listing([name(node) for node in it.nodes])}."


@says(WouldBreakGuarantee, "would-break-guarantee")
def _would_break_guarantee(it: WouldBreakGuarantee) -> str:
    return f"It does not preempt: further victims would leave {name(it.subject)} above its guarantee."


@says(NotEnough, "not-enough")
def _not_enough(it: NotEnough) -> str:
    return (
        f"It does not preempt: stopping all that may be stopped would free {amounts(it.collected, 'nothing')} of the "
        f"{amounts(it.need)} needed."
    )


def why_fence(reason: str) -> str:
    """Why the search for victims begins where it does."""
    return _WHY_FENCE.get(reason) or name(reason)


_WHY_FENCE = {
    "policy": "it has preemption.policy: fence",
    "full": "it is exactly at its maximum",
    "no room": "with this request it would exceed its maximum",
    "root": "it is the root",
}
