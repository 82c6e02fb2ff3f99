"""General preemption: a pending ask of a queue below its guarantee takes from queues above theirs. Sections 4 to 13.

`attempt` decides and tells everything that it looked at; it changes nothing. `placing` calls it, `effects` carries it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from workbench.config.may_preempt import has_claim
from workbench.scheduler.objects.timers import SECOND_NS
from workbench.scheduler.preemption import eligible as eligibility
from workbench.scheduler.preemption import on_node
from workbench.scheduler.preemption.on_node import NodeVictims, PreemptionPredicate
from workbench.scheduler.preemption.what_if import WhatIf
from workbench.scheduler.records.refusals.base import Refusal, Surprise
from workbench.scheduler.records.refusals.preemption import (
    AboveGuarantee,
    CheckedRecently,
    MayNotPreempt,
    NoGuarantee,
    NotEnough,
    NoUsableNode,
    NoVictims,
    NoVictimsOnANode,
    PredicatesRefuse,
    PreemptedBefore,
    PreemptsOnItsNode,
    TooEarly,
    WouldBreakGuarantee,
)
from workbench.scheduler.records.refusals.victims import OfAllocation, OfQueue
from workbench.scheduler.records.state import Allocation, Node, Partition, Queue
from workbench.scheduler.records.stoppings import Taken, Verdict
from workbench.values.resources import EMPTY, Resource, add, equals, fit_in, fit_in_actual, strictly_greater_than_only_existing

CHECK_EVERY_NS = 15 * SECOND_NS
"""P-23."""
ATTEMPTS_PER_LEAF = 10
"""P-24."""

PRECONDITIONS = "Preemption preconditions failed"
EXHAUSTED = "Preemption max attempts exhausted"
GUARANTEES = "Preemption queue guarantees check failed"
SHORT = "Preemption helped but short of resources"
NO_HELP = "Preemption does not help"
"""P-25."""


class Answer(Protocol):
    """What came of an attempt, for who carries it out; the fields of `Attempt`."""

    @property
    def succeeded(self) -> bool: ...
    @property
    def refusal(self) -> Refusal | None: ...
    @property
    def log(self) -> Sequence[str]: ...
    @property
    def node(self) -> Node | None: ...
    @property
    def victims(self) -> Sequence[Allocation]: ...
    @property
    def cancelled(self) -> Sequence[tuple[Node, str]]: ...


class Attempts(Protocol):
    """Who decides attempts that nobody wants explained, as `attempt` would: one that keeps what it knows."""

    def attempt(self, partition: Partition, leaf: Queue, ask: Allocation, now_ns: int, *, nodes_tried: bool) -> Answer: ...


@dataclass(slots=True)
class Attempt:
    """One attempt and everything it looked at, in the order of the sections of chapter 08.

    Attributes:
        reason: "ok", or the first stage that failed; see `conformance/preemption.yaml`.
        refusal: the same as a code of chapter 09 section 4.1 with its numbers; None when it succeeded.
        log: what the core writes on the ask.
        node: where the ask will be placed; None without success.
        victims: allocations to stop, in release order.
        cancelled: (node, ask key) of stale reservations given up on the way (P-67).
        scan, verdicts, taken, free, freed, surprises: for traced cycles, what `protection` wrote down; `surprises` are
            known surprises of the real scheduler that decided, by rule.
    """

    nodes_tried: bool
    ask: Allocation
    leaf: Queue
    reason: str = ""
    refusal: Refusal | None = None
    log: list[str] = field(default_factory=list)
    node: Node | None = None
    victims: list[Allocation] = field(default_factory=list)
    fence: eligibility.Fence | None = None
    eligible: Mapping[str, Sequence[Allocation]] = field(default_factory=dict)
    protected: Sequence[OfQueue | OfAllocation] = ()
    remaining: Mapping[str, Resource | None] = field(default_factory=dict)
    guarantees_hold: bool | None = None
    per_node: Sequence[NodeVictims] = ()
    refused_nodes: Sequence[Refusal] = ()
    node_victims: Sequence[Allocation] = ()
    extra_victims: Sequence[Allocation] = ()
    extra_ok: bool | None = None
    cancelled: Sequence[tuple[Node, str]] = ()
    scan: on_node.Scan | None = None
    verdicts: Sequence[Verdict] = ()
    taken: Sequence[Taken] = ()
    free: Resource | None = None
    freed: Resource | None = None
    surprises: Sequence[Surprise] = ()

    @property
    def succeeded(self) -> bool:
        return self.reason == "ok"

    def fail(self, reason: str, refusal: Refusal, *log: str) -> Attempt:
        self.reason, self.refusal = reason, refusal
        self.log.extend(log)
        return self


def precondition(ask: Allocation, leaf: Queue, now_ns: int) -> tuple[str, Refusal] | None:
    """The first precondition that fails, as (reason, refusal). P-21, P-23."""
    delay_ns = leaf.settings.preemption_delay_ns
    checked = ask.preemption_checked_ns
    if not ask.allow_preempt_other:
        return "ask-not-allowed-to-preempt", MayNotPreempt(ask.key)
    if ask.preemption_triggered:
        return "already-triggered", PreemptedBefore(ask.key)
    if ask.required_node:
        return "required-node", PreemptsOnItsNode(ask.key, ask.required_node)
    if now_ns < ask.created_ns + delay_ns:
        return "delay-not-passed", TooEarly(leaf.path, now_ns - ask.created_ns, delay_ns)
    if checked is not None and now_ns < checked + CHECK_EVERY_NS:
        return "checked-recently", CheckedRecently(ask.key, checked + CHECK_EVERY_NS - now_ns)
    return None


def earliest_ns(ask: Allocation, leaf: Queue) -> int | None:
    """The instant from which `precondition` holds as things stand, None if it never will."""
    if not ask.allow_preempt_other or ask.preemption_triggered or ask.required_node:
        return None
    due = ask.created_ns + leaf.settings.preemption_delay_ns
    checked = ask.preemption_checked_ns
    return due if checked is None else max(due, checked + CHECK_EVERY_NS)


def without_claim(leaf: Queue, ask: Allocation, *, nodes_tried: bool) -> Attempt | None:
    """The attempt of an ask whose queue has no guarantee on its path, None if it has one. P-60.

    It fails whatever victims there are, so that nobody who does not want to see them need look for them.
    """
    if has_claim(leaf):
        return None
    return Attempt(nodes_tried, ask, leaf).fail("queue-guarantees", NoGuarantee(leaf.path, ask.resource), GUARANTEES)


def attempt(
    partition: Partition,
    leaf: Queue,
    ask: Allocation,
    now_ns: int,
    *,
    nodes_tried: bool,
    predicate: PreemptionPredicate | None = on_node.room_predicate,
    traced: bool = False,
) -> Attempt:
    """Look for victims for an ask whose preconditions hold. `nodes_tried`: the queue has room, but no node had (P-20)."""
    told = Attempt(nodes_tried, ask, leaf, scan=on_node.Scan() if traced else None)
    sums = WhatIf(leaf)
    told.fence = eligibility.fence_of(leaf, ask, partition.profile)
    found = eligibility.eligible_victims(told.fence, leaf, ask, sums)
    told.eligible, told.protected = found.victims, found.protected
    told.remaining = {path: sums.remaining(path) for path in sums.paths()}
    home = {victim.seq: path for path, victims in found.victims.items() for victim in victims}
    told.guarantees_hold = _guarantees_hold(sums.copy(), leaf.path, ask, found.victims)
    if not told.guarantees_hold:
        left = told.remaining[leaf.path]
        return told.fail(
            "queue-guarantees",
            AboveGuarantee(leaf.path, left, ask.resource) if left else NoGuarantee(leaf.path, ask.resource),
            GUARANTEES,
        )
    chosen = _choose_node(partition, leaf, ask, now_ns, told, sums, home, predicate)
    if chosen is None:
        return told
    node = chosen.node
    told.extra_victims, told.extra_ok = _extra_victims(told, sums.copy(), leaf.path, ask, home)
    if not told.extra_ok:
        return told.fail("additional-victims", WouldBreakGuarantee(leaf.path, ask.resource))
    if not told.node_victims and not told.extra_victims:
        return told.fail("no-victims", NoVictims(told.fence.root.path, told.fence.reason))
    final, collected = _final_selection(node, ask, [*told.node_victims, *told.extra_victims])
    if strictly_greater_than_only_existing(ask.resource, collected):
        return told.fail("shortfall", NotEnough(ask.key, collected, ask.resource), SHORT)
    told.reason, told.node, told.victims = "ok", node, final
    return told


def _guarantees_hold(sums: WhatIf, leaf: str, ask: Allocation, eligible: Mapping[str, Sequence[Allocation]]) -> bool:
    """Whether the ask's queue would stay within its guarantee, if need be after victims are gone. P-60."""
    left = sums.remaining(leaf)
    if left is not None and fit_in_actual(left, ask.resource):
        return True
    sums.give(leaf, ask.resource)
    for path in sorted(eligible):
        for victim in eligible[path]:
            sums.take(path, victim.resource)
            left = sums.remaining(leaf)
            if left is not None and all(left.get(name, 0) >= 0 for name in ask.resource.amounts):
                return True
    return False


def _choose_node(
    partition: Partition,
    leaf: Queue,
    ask: Allocation,
    now_ns: int,
    told: Attempt,
    sums: WhatIf,
    home: Mapping[int, str],
    predicate: PreemptionPredicate | None,
) -> NodeVictims | None:
    """Sections 9 to 11; fills in what was looked at. None, with the attempt failed, if no node serves."""
    usable, told.refused_nodes, told.cancelled = on_node.usable_nodes(partition, ask, now_ns)
    by_node: dict[str, list[Allocation]] = {}
    for victims in told.eligible.values():
        for victim in victims:
            by_node.setdefault(victim.node_id, []).append(victim)
    told.per_node = [
        on_node.victims_on(node, by_node.get(node.id, ()), ask, leaf.path, sums, lambda each: home[each.seq], told.scan)
        for node in usable
    ]
    candidates = [offer for offer in told.per_node if offer.victims is not None and (offer.victims or not told.nodes_tried)]
    if not candidates:
        assert told.fence is not None
        kind = NoUsableNode if not usable else NoVictimsOnANode if told.eligible else NoVictims
        told.fail("no-node", kind(told.fence.root.path, told.fence.reason, tuple(node.id for node in usable)))
        return None
    choice = on_node.choose(candidates, ask, predicate)
    if choice is None or choice[1] >= len(choice[0].victims or ()) > 0:
        # Quirk (P-85): an index outside the accepted list ends the whole attempt.
        told.fail("no-node", PredicatesRefuse(ask.key, tuple(offer.node.id for offer in candidates)))
        return None
    offer, index = choice
    told.node_victims = (offer.victims or ())[: index + 1]
    return offer


def _extra_victims(
    told: Attempt, sums: WhatIf, leaf: str, ask: Allocation, home: Mapping[int, str]
) -> tuple[list[Allocation], bool]:
    """Further victims of any node, up to the remaining guarantee, and whether the result is allowed. P-90 to P-92."""
    taken = {victim.seq for victim in told.node_victims}
    for victim in told.node_victims:
        sums.take(home[victim.seq], victim.resource)
    others = [victim for victims in told.eligible.values() for victim in victims if victim.seq not in taken]
    extra = list(extra_victims(on_node.in_victim_order(others), sums, leaf, ask, lambda each: home[each.seq]))
    if not extra:
        return extra, True
    left = sums.remaining(leaf)
    return extra, left is not None and all(left.get(name, 0) >= 0 for name in ask.resource.amounts)


def extra_victims(
    others: Iterable[Allocation], sums: WhatIf, leaf: str, ask: Allocation, leaf_of: on_node.LeafOf
) -> Iterator[Allocation]:
    """Those of the others that go as well, in order; `sums` loses them as they are asked for. P-91."""
    for victim in others:
        path = leaf_of(victim)
        if not on_node.gives(sums, path, ask):
            continue
        sums.take(path, victim.resource)
        before = sums.remaining(leaf)
        if not on_node.charge(sums, leaf, victim):
            sums.give(path, victim.resource)
            break
        if equals(before, sums.remaining(leaf)):
            sums.take(leaf, victim.resource)
            sums.give(path, victim.resource)
        else:
            yield victim


def _final_selection(node: Node, ask: Allocation, victims: Sequence[Allocation]) -> tuple[list[Allocation], Resource]:
    """Those of the victims that are needed, and what was looked at in sum. P-100 to P-103."""
    final: list[Allocation] = []
    total = EMPTY
    has_room = fit_in(node.available, ask.resource)
    for victim in victims:
        if not has_room and victim.node_id != node.id:
            continue
        # Quirk (P-103): the node's free space is not credited, and the first type that overshoots ends the collecting.
        if strictly_greater_than_only_existing(ask.resource, total):
            final.append(victim)
        total = add(total, victim.resource)
    return final, total
