"""What holds back whoever waits, second by second. M-7, chapter 09.

Whenever a run has come to rest every request that waits was asked in vain, and its record says at which test: the limit on running
applications (R-543), the limit of its user, the room of its queue (R-582); who passed these found no node. Which queue, and what
about the nodes, is asked here. A reason holds until another one is found, so that the seconds of all reasons add up
to the wait exactly.

With many waiting, not every rest is looked at: at most `MOST` requests for each rest on the average, so that a run does not become
slower with the square of its backlog. A change of reason is then noticed some rests late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.runs.record import Record
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.policies.predicates import refusal_text, unconstrained
from workbench.scheduler.records.state import Allocation, Application, Node, Partition, Queue
from workbench.values.resources import Resource, fit_in, fit_in_max_undef, sub_only_existing

if TYPE_CHECKING:
    from workbench.runs.player import Player

MOST = 200
"""Requests that are looked at in one rest, on the average."""

TITLES = {
    "queue maximum": "the maximum of its own queue",
    "parent maximum": "the maximum of a queue above its own",
    "user limit": "the limit of its user or group",
    "applications": "the limit on running applications of a queue",
    "user applications": "the limit on running applications of its user or group",
    "no node": "no node with room",
    "constraint": "the nodes with room are none that it may run on",
    "reservation": "the nodes with room are reserved for others",
    "gang": "its gang was not complete",
    "others first": "others were served before it",
    "queue stopped": "its queue or partition takes no part",
    "backoff": "its application was set back after attempts in vain",
}
"""Reason -> what it means, as the end of "it waited for ..."."""

CODES = {name: code for code, name in enumerate(TITLES)}


class Reasons:
    """Writes the holds of one record."""

    def __init__(self, record: Record) -> None:
        record.reasons.extend(TITLES)
        self._since: dict[int, tuple[int, int]] = {}
        """Attempt -> (reason, since when)."""
        self._owed = 0
        self._tainted = False
        """Whether nodes turn requests away that ask for nothing special."""
        self._reserved: list[Node] | None = None
        """The reserved nodes, once somebody asked for them at this rest."""
        self._memo: dict[tuple[Queue, Resource], int] = {}
        self._stirred: int | None = None
        """How much had happened in the scheduler when everybody was last looked at; None if that does not tell enough."""

    def rested(self, player: Player) -> None:
        """Everything has come to rest: why does each wait?"""
        waits = player.ledger.waits
        self._owed += MOST - len(waits)
        if self._owed < 0:
            return
        self._owed = min(self._owed, MOST)
        stirred = player.engine.stirred
        if stirred is not None and stirred == self._stirred:
            return
        self._stirred = stirred
        self._memo.clear()
        self._reserved = None
        self._tainted = any(pool.taints for pool in player.workload.pools)
        record, now_ns, partition, since = player.ledger.record, player.now_ns, player.partition, self._since
        for attempt, (application_id, key) in waits.items():
            application = partition.applications.get(application_id)
            ask = application.asks.get(key) if application is not None else None
            reason = (
                CODES["queue stopped"] if application is None or ask is None else self._reason(partition, application, ask, now_ns)
            )
            held = since.get(attempt)
            if held is None:
                since[attempt] = (reason, record.arrived_ns[attempt])
            elif held[0] != reason:
                _hold(record, attempt, *held, now_ns)
                since[attempt] = (reason, now_ns)

    def left(self, record: Record, attempt: int, now_ns: int) -> None:
        """An attempt waits no longer."""
        reason, since_ns = self._since.pop(attempt, (CODES["others first"], record.arrived_ns[attempt]))
        _hold(record, attempt, reason, since_ns, now_ns)

    def ended(self, player: Player) -> None:
        """The run is over; what waits has waited until now."""
        for attempt in player.ledger.waits:
            self.left(player.ledger.record, attempt, player.now_ns)

    def _reason(self, partition: Partition, application: Application, ask: Allocation, now_ns: int) -> int:
        if application.state == "Accepted" and (application.held_by_queue or application.held_by_user):
            return CODES["applications" if application.held_by_queue else "user applications"]
        if application.backoff_until_ns is not None and now_ns < application.backoff_until_ns:
            self._stirred = None  # this reason ends by itself
            return CODES["backoff"]
        if ask.lacks_user_room:
            return CODES["user limit"]
        if not ask.scheduling_attempted and not ask.placeholder and ask.task_group:
            return CODES["gang"]
        leaf = application.leaf
        constrained = self._tainted or bool(ask.required_node) or not unconstrained(ask)
        if ask.lacks_queue_room or not constrained:
            found = self._memo.get((leaf, ask.resource))
            if found is None:
                found = self._memo[leaf, ask.resource] = self._of_queues_and_nodes(partition, leaf, ask)
            return found
        return CODES["constraint" if _fits_elsewhere(partition, ask) else "no node"]

    def _of_queues_and_nodes(self, partition: Partition, leaf: Queue, ask: Allocation) -> int:
        if partition.status == "Stopped" or leaf.status == "Stopped":
            return CODES["queue stopped"]
        for queue in ancestry(leaf):
            if queue.parent is None or queue.maximum is None:
                continue
            if not fit_in_max_undef(sub_only_existing(queue.maximum, queue.allocated), ask.resource):
                return CODES["queue maximum" if queue is leaf else "parent maximum"]
        if partition.reservation_count:
            if self._reserved is None:
                self._reserved = [node for node in partition.nodes.values() if node.reservations]
            if any(fit_in(node.available, ask.resource) for node in self._reserved):
                return CODES["reservation"]
        return CODES["no node"]


def _fits_elsewhere(partition: Partition, ask: Allocation) -> bool:
    """Whether a node that it may not run on has room."""
    return any(fit_in(node.available, ask.resource) and not _may_run_on(ask, node) for node in partition.nodes.values())


def _may_run_on(ask: Allocation, node: Node) -> bool:
    return (not ask.required_node or ask.required_node == node.id) and refusal_text(node, ask) is None


def _hold(record: Record, attempt: int, reason: int, since_ns: int, until_ns: int) -> None:
    if until_ns > since_ns:
        record.hold_attempt.append(attempt)
        record.hold_reason.append(reason)
        record.hold_since_ns.append(since_ns)
        record.hold_until_ns.append(until_ns)
