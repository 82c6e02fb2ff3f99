"""Plans for what preemption does, or does not do."""

from __future__ import annotations

from workbench.advice.lints.preemption import (
    CHECK_EVERY_S,
    DelayBelowTheInterval,
    FenceGivesNothing,
    FenceGivesTooLittle,
)
from workbench.advice.lints.preemption_in_use import (
    DelayBeyondTheRuntime,
    FullInOneTypeOnly,
    LargeForTheGuarantee,
    OptedOutAndNotProtected,
    RobbingEachOther,
)
from workbench.advice.trials.outcomes import NothingStopped, NotLookedAtAgain, Outcome, Robbed, SparedStopped, StoppedOutside
from workbench.advice.trials.plan import Plan, less_than, tries
from workbench.advice.trials.scene import (
    HERE,
    MS_NS,
    NODE,
    OTHERS,
    PIECES,
    PLENTY,
    SECOND_MS,
    Played,
    alone,
    holds,
    node,
    opened,
    until_preemption,
    wants,
    with_others,
)
from workbench.config.facts import Design, QueueFacts
from workbench.config.may_preempt import fence_root, has_claim, is_disabled
from workbench.config.model import PartitionConfig
from workbench.scheduler.records.commands import AddAllocation, AskSpec
from workbench.simulation.scenario import AdvanceMs, Happening, Schedule
from workbench.values.resources import EMPTY, Resource


def _first_guaranteed(leaf: QueueFacts) -> tuple[str, int]:
    """The first type that the leaf, or the nearest queue above with a guarantee, is guaranteed, and how much of it."""
    guaranteed = next(at.guaranteed for at in leaf.up() if at.guaranteed)
    kind = min(guaranteed)
    return kind, guaranteed[kind]


@tries(FenceGivesTooLittle)
def _too_little_behind_a_fence(lint: FenceGivesTooLittle, path: str, design: Design) -> Plan:
    partition, outside = with_others(opened(design), "root")
    return _behind_a_fence(design.queues[path], lint.type, partition, outside)


@tries(FenceGivesNothing)
def _nothing_behind_a_fence(lint: FenceGivesNothing, path: str, design: Design) -> Plan:
    leaf = design.queues[path]
    kind = min(kind for kind, amount in (leaf.guaranteed or EMPTY).items() if amount > 0)
    if lint.is_root:
        return _behind_a_fence(leaf, kind, opened(design), lint.disabled[0])
    return _behind_a_fence(leaf, kind, *with_others(opened(design), "root"))


def _behind_a_fence(leaf: QueueFacts, kind: str, partition: PartitionConfig, outside: str) -> Plan:
    """L-08 and L-31: those inside hold what may be taken, one outside the rest of what the leaf is guaranteed."""
    guaranteed, fence = leaf.guaranteed or EMPTY, fence_root(leaf)
    inside: list[Happening] = []
    held, rest = 0, guaranteed[kind]
    for other in fence.leaves() if fence.parent is not None else ():
        own, most = (other.guaranteed or EMPTY).get(kind, 0), (other.limit or EMPTY).get(kind, 0)
        takable = 0 if is_disabled(other) else max(0, min(most - own, rest))
        if other is not leaf and takable:
            inside += holds(f"in-{other.path}", other.path, kind, own + takable)
            held += own + takable
            rest -= takable
    happenings: list[Happening] = [
        node(**{kind: held + rest}),
        *inside,
        *holds(OTHERS, outside, kind, rest),
        *wants(HERE, leaf.path, kind, guaranteed[kind]),
        *until_preemption(leaf),
    ]
    return Plan(alone(partition), happenings, less_than(leaf.path, kind, guaranteed[kind]))


@tries(DelayBelowTheInterval)
def _second_attempt(lint: DelayBelowTheInterval, path: str, design: Design) -> Plan:
    """L-29: the node is full of what nobody may stop, so the first attempt is in vain; is there a second after the delay?"""
    leaf = next(
        leaf for leaf in design.queues[path].leaves() if has_claim(leaf) and leaf.settings.preemption_delay_ns == lint.delay_ns
    )
    kind, _ = _first_guaranteed(leaf)
    foreign = AskSpec(application_id="", key="foreign", resource=Resource({kind: PLENTY}))
    happenings: list[Happening] = [
        node(**{kind: PLENTY}),
        AddAllocation(ask=foreign, node_id=NODE, foreign=True),
        *wants(HERE, leaf.path, kind, 1),
        Schedule(2),
        AdvanceMs(max(1, lint.delay_ns // MS_NS)),
        Schedule(2),
        AdvanceMs((CHECK_EVERY_S - 1) * SECOND_MS),
        Schedule(2),
    ]

    def read(played: Played) -> Outcome:
        state = played.engine.state
        checked_ns = state.partitions["default"].applications[HERE].asks[f"{HERE}-0"].preemption_checked_ns
        since_ns = state.now_ns - (checked_ns or 0)
        looked = checked_ns is not None
        return NotLookedAtAgain(looked and since_ns > lint.delay_ns, since_ns, looked)

    return Plan(alone(opened(design)), happenings, read)


@tries(DelayBeyondTheRuntime)
def _ends_by_itself(lint: DelayBeyondTheRuntime, path: str, design: Design) -> Plan:
    """L-29: what holds the node ends after the usual time; was anything stopped until then?"""
    leaf = design.queues[path]
    kind, _ = _first_guaranteed(leaf)
    partition, others = with_others(opened(design), fence_root(leaf).path)
    happenings: list[Happening] = [
        node(**{kind: 1}),
        *holds(OTHERS, others, kind, 1),
        *wants(HERE, leaf.path, kind, 1),
        Schedule(2),
        AdvanceMs(max(1, lint.usual_ns // MS_NS)),
        Schedule(2),
    ]
    return Plan(alone(partition), happenings, lambda played: NothingStopped(not played.stopped(OTHERS)))


@tries(OptedOutAndNotProtected)
def _opted_out(lint: OptedOutAndNotProtected, path: str, design: Design) -> Plan:
    leaf, taker = design.queues[path], design.queues[lint.takers[0]]
    kind, promised = _first_guaranteed(taker)
    own, most = (leaf.guaranteed or EMPTY).get(kind, 0), (leaf.limit or EMPTY).get(kind)
    held = own + promised if most is None else min(most, own + promised)
    happenings: list[Happening] = [
        node(**{kind: held}),
        *holds(OTHERS, leaf.path, kind, held, spared=True),
        *wants(HERE, taker.path, kind, promised),
        *until_preemption(taker),
    ]
    return Plan(alone(opened(design)), happenings, lambda played: SparedStopped(played.stopped(OTHERS) > 0, played.stopped(OTHERS)))


@tries(FullInOneTypeOnly)
def _full_in_one_type(lint: FullInOneTypeOnly, path: str, design: Design) -> Plan:
    """L-41: the queue is full in one type, somebody outside holds the rest of the node."""
    queue, taker = design.queues[path], design.queues[lint.leaves[0]]
    kind, spare = lint.full[0], lint.open[0]
    maximum = queue.maximum or EMPTY
    partition, outside = with_others(opened(design), "root")
    partition, inside = with_others(partition, queue.path)
    size = max(1, maximum[kind] // PIECES)
    happenings: list[Happening] = [
        node(**{kind: maximum[kind] + size, spare: PLENTY}),
        *holds("inside", inside, kind, maximum[kind], besides={} if spare in maximum else {spare: 1}),
        *holds(OTHERS, outside, kind, size),
        *wants(HERE, taker.path, kind, size, each=size),
        *until_preemption(taker),
    ]
    return Plan(alone(partition), happenings, lambda played: StoppedOutside(played.stopped(OTHERS) > 0, played.stopped(OTHERS)))


@tries(LargeForTheGuarantee)
def _large_asks(lint: LargeForTheGuarantee, path: str, design: Design) -> Plan:
    leaf, kind, size = design.queues[path], lint.type, lint.size
    partition, others = with_others(opened(design), fence_root(leaf).path)
    whole = -(-lint.guaranteed // size) * size
    happenings: list[Happening] = [
        node(**{kind: whole}),
        *holds(OTHERS, others, kind, whole),
        *wants(HERE, leaf.path, kind, whole, each=size),
        *until_preemption(leaf),
    ]
    return Plan(alone(partition), happenings, less_than(leaf.path, kind, lint.guaranteed))


@tries(RobbingEachOther)
def _robbing_each_other(lint: RobbingEachOther, path: str, design: Design) -> Plan:
    """L-43: others hold what the teams are guaranteed; each of the two asks for a little more, one after the other."""
    kind, first = lint.type, design.queues[path]
    second = design.queues[lint.others[0]]
    partition = opened(design)
    holding: list[Happening] = []
    held = 0
    part = max(1, min((leaf.guaranteed or EMPTY)[kind] for leaf in (first, second)) // (2 * PIECES))
    for name, leaf, team in (("first", first, lint.teams[0]), ("second", second, lint.teams[1])):
        partition, other = with_others(partition, team)
        most = (design.queues[team].guaranteed or EMPTY)[kind]
        holding += [*holds(f"{OTHERS}-{name}", other, kind, most), *holds(name, leaf.path, kind, PIECES * part)]
        held += most + PIECES * part
    happenings: list[Happening] = [
        node(**{kind: held}),
        *holding,
        *wants(f"{HERE}-first", first.path, kind, part),
        *until_preemption(first),
        *wants(f"{HERE}-second", second.path, kind, part),
        *until_preemption(second),
    ]

    def read(played: Played) -> Outcome:
        lost = [sum(played.stopped(app) for app in (name, f"{HERE}-{name}")) for name in ("first", "second")]
        return Robbed(all(lost), lint.others[0], stopped=lost[0], back=lost[1])

    return Plan(alone(partition), happenings, read)
