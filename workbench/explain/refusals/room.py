"""Too little room in a queue, or for a user or group."""

from __future__ import annotations

from workbench.explain.refusals.saying import says
from workbench.explain.wording import alike, name
from workbench.scheduler.records.refusals.room import AskEmpty, NoQueueRoom, NoRoomForRequiredNode, NoUserRoom, OverMaximum


@says(NoUserRoom, "user-limit")
def _no_user_room(it: NoUserRoom) -> str:
    kind = it.type
    need, left, most, used, missing = alike(kind, it.need, it.headroom, it.maximum, it.used, it.missing)
    who, where = f"{name(it.kind)} {name(it.who)}", f"in {name(it.subject)}"
    if it.never:
        return f"Can never run: it needs {name(kind)} {need}, and {who} may hold {most} {where}."
    return f"Needs {name(kind)} {need}; {who} has {left} left {where} ({used} of {most} used), {missing} missing."


@says(NoQueueRoom, "queue-headroom")
def _no_queue_room(it: NoQueueRoom) -> str:
    kind = it.type
    need, left, most, used, missing = alike(kind, it.need, it.headroom, it.maximum, it.allocated, it.missing)
    whose = "the cluster" if it.cluster else f"queue {name(it.subject)}"
    if it.never:
        return f"Can never run: it needs {name(kind)} {need}, and {whose} has {most} in all."
    return f"Needs {name(kind)} {need}; {whose} has {left} left ({used} of {most} used), {missing} missing."


@says(NoRoomForRequiredNode, "required-node")
def _no_room_for_required_node(it: NoRoomForRequiredNode) -> str:
    return f"{_no_queue_room(it)} Only when there is room in the queues does it look at its node, {name(it.node)}."


@says(OverMaximum, "queue-headroom")
def _over_maximum(it: OverMaximum) -> str:
    kind = it.type
    used, most, need = alike(kind, it.allocated, it.maximum, it.need)
    return f"Queue {name(it.subject)} would exceed its maximum: {name(kind)} {used} used and {need} needed, of {most}."


@says(AskEmpty, "ask-empty")
def _ask_empty(it: AskEmpty) -> str:
    return "It asks for nothing."
