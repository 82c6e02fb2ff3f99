"""What happened because of a known surprise of the real scheduler."""

from __future__ import annotations

from workbench.explain.refusals.saying import says
from workbench.explain.wording import name
from workbench.scheduler.records.refusals.surprises import (
    DrainedNodeUsed,
    FreeRoomNotCounted,
    FullerNodeReserved,
    LeftBelowGuarantee,
    OneSidedPriority,
    PathsComparedAsText,
    ReservationRefused,
    RoomAskedFirst,
    SlotOfReservation,
    SmallerRestAbove,
    StalePriority,
    StaleScore,
    WildcardKept,
)


@says(OneSidedPriority)
def _one_sided_priority(it: OneSidedPriority) -> str:
    return f"The offset or fence of the queue that {name(it.subject)} and the request have in common counts for one side only."


@says(SmallerRestAbove)
def _smaller_rest_above(it: SmallerRestAbove) -> str:
    return "Its queue is within its own guarantee, but a queue above it is not, and the smaller rest counts."


@says(PathsComparedAsText)
def _paths_compared_as_text(it: PathsComparedAsText) -> str:
    return "The path of its queue begins like the request's, so it is taken for a queue above the request and loses its guarantee."


@says(LeftBelowGuarantee)
def _left_below_guarantee(it: LeftBelowGuarantee) -> str:
    return "Only what the queue holds before counts: stopping this one leaves it below its guarantee."


@says(FreeRoomNotCounted)
def _free_room_not_counted(it: FreeRoomNotCounted) -> str:
    return f"What is free on {name(it.subject)} is not counted when victims are collected."


@says(RoomAskedFirst)
def _room_asked_first(it: RoomAskedFirst) -> str:
    return f"Stopping others on {name(it.subject)} would make room, but the room of the whole cluster or queue is asked for first."


@says(WildcardKept)
def _wildcard_kept(it: WildcardKept) -> str:
    return f"The limit of a wildcard that was removed still counts for {name(it.who)}."


@says(SlotOfReservation)
def _slot_of_reservation(it: SlotOfReservation) -> str:
    return f"{name(it.holder)} has taken a slot although it only holds a reservation."


@says(FullerNodeReserved)
def _fuller_node_reserved(it: FullerNodeReserved) -> str:
    return f"{name(it.other)} lacks less, but a node with little free counts as the best one to reserve."


@says(ReservationRefused)
def _reservation_refused(it: ReservationRefused) -> str:
    return (
        f"{name(it.subject)} would be reserved, but its constraints refuse the request; then no other node is, "
        f"although {name(it.other)} would do."
    )


@says(StaleScore)
def _stale_score(it: StaleScore) -> str:
    return (
        "The score of a node is out of date after a change in other pods or sizes; with the present ones "
        f"{name(it.other)} comes first."
    )


@says(DrainedNodeUsed)
def _drained_node_used(it: DrainedNodeUsed) -> str:
    return f"{name(it.subject)} takes no new work, but its reservation still holds."


@says(StalePriority)
def _stale_priority(it: StalePriority) -> str:
    return (
        f"After a change of the configuration the priority of {name(it.subject)} is out of date: "
        f"{it.priority} instead of {it.present}."
    )
