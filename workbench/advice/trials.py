"""A check that depends on a workload, tried out: a small workload that brings it about, played in the engine (E-40).

The design is tried as it is, except for what would only be in the way: placement rules, access, limits and numbers of
applications, unless they are what is tried. Where the design has no queue to stand for the others, one is added. The
scenario that was played comes along, so that it can be opened and stepped through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from workbench.advice import trials_texts
from workbench.advice.check import Check
from workbench.config import load_config
from workbench.config.checks import Design, QueueFacts, designs
from workbench.config.checks.preemption import CHECK_EVERY_S
from workbench.config.may_preempt import fence_root, has_claim, is_disabled
from workbench.config.model import PartitionConfig, QueueConfig, SchedulerConfig
from workbench.config.write.export import plain_yaml
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import tree
from workbench.scheduler.records.commands import AddAllocation, AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec
from workbench.scheduler.records.events import Allocated, ApplicationRejected, Event, Released
from workbench.simulation import driver
from workbench.simulation.scenario import AdvanceMs, Scenario, ScenarioEvent, Schedule
from workbench.values.errors import CommandError
from workbench.values.resources import EMPTY, Resource

NODE, OTHERS, HERE = "node-1", "others", "here"
PIECES = 4
CYCLES = 40
SECOND_MS, MS_NS = 1000, 10**6
PLENTY = 10**6


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying: whether it happens, a sentence with the numbers, and the scenario that was played."""

    happens: bool
    text: str
    scenario: Scenario


@dataclass(frozen=True, slots=True)
class _Played:
    """The engine when all has happened, and everything that it answered."""

    engine: Engine
    events: tuple[Event, ...]

    def held(self, path: str, kind: str) -> int:
        queue = tree.find(self.engine.state.partitions["default"], path)
        return queue.allocated.get(kind, 0) if queue is not None else 0

    def placed(self, app: str) -> int:
        return sum(1 for event in self.events if isinstance(event, Allocated) and event.application_id == app)

    def stopped(self, app: str) -> int:
        return sum(
            1
            for event in self.events
            if isinstance(event, Released) and event.application_id == app and event.type == "PREEMPTED_BY_SCHEDULER"
        )

    def rejected(self, app: str) -> bool:
        return any(isinstance(event, ApplicationRejected) and event.application_id == app for event in self.events)


Answer = tuple[bool, Mapping[str, Any]]
Plan = tuple[SchedulerConfig, list[Any], Callable[[_Played], Answer]]
"""The design, what happens to it, and how to read the end."""


def can_be_tried(check: Check) -> bool:
    """Whether there is a trial for what the check says."""
    return (check.code, str(check.numbers.get("case", ""))) in _PLANS or (check.code, "") in _PLANS


def try_out(check: Check, config: SchedulerConfig) -> Trial:
    """Play a workload that should bring about what the check says of `config`, and say whether it does.

    Raises:
        CommandError: the check does not depend on a workload, or its queue is not in the configuration.
    """
    plan = _PLANS.get((check.code, str(check.numbers.get("case", "")))) or _PLANS.get((check.code, ""))
    found = next((design for design in designs(config) if design.name == check.partition), None)
    if plan is None or found is None or check.path not in found.queues:
        raise CommandError(f"there is nothing to try for check {check.code} of {check.path or 'the partition'}")
    tried, commands, read = plan(check, found)
    text = plain_yaml(tried)
    events = tuple(ScenarioEvent(command, index=number) for number, command in enumerate(commands))
    scenario = Scenario(config=text, name=f"{check.code} of {check.path}", description=str(check), events=events)
    engine = Engine(load_config(text))
    driver.begin(engine)
    answers = tuple(event for item in driver.items(engine, scenario) for event in (*item.events, *item.confirmed))
    happens, numbers = read(_Played(engine, answers))
    return Trial(happens, trials_texts.trial_text(check.code, check.path, happens, numbers), scenario)


# ---- designs to try --------------------------------------------------------------------------------------------------


def _opened(design: Design, *, rules: bool = False, counts: bool = False) -> PartitionConfig:
    """The partition by itself, without what has nothing to do with the trial."""
    partition = replace(design.partition, name="default", limits=())
    if rules:
        return partition
    root = _without_limits(partition.root) if not counts else partition.root
    return replace(partition, placement_rules=(), queues=(replace(root, submit_acl="*"),))


def _without_limits(queue: QueueConfig) -> QueueConfig:
    return replace(queue, limits=(), max_applications=0, queues=tuple(map(_without_limits, queue.queues)))


def _alone(partition: PartitionConfig) -> SchedulerConfig:
    return SchedulerConfig(partitions=(partition,))


def _with_others(partition: PartitionConfig, below: str) -> tuple[PartitionConfig, str]:
    """A further leaf below a queue, to stand for everybody else; its path."""

    def add(queue: QueueConfig, path: str) -> QueueConfig:
        if path != below:
            return replace(queue, queues=tuple(add(child, f"{path}.{child.name.lower()}") for child in queue.queues))
        return replace(queue, queues=(*queue.queues, QueueConfig(name=free)))

    taken = {child.name.lower() for queue in _walk(partition.root) for child in queue.queues}
    free = next(name for name in (f"{OTHERS}{'-' * number}" for number in range(len(taken) + 1)) if name not in taken)
    return replace(partition, queues=(add(partition.root, "root"),)), f"{below}.{free}"


def _walk(queue: QueueConfig) -> Iterator[QueueConfig]:
    yield queue
    for child in queue.queues:
        yield from _walk(child)


# ---- what happens in them --------------------------------------------------------------------------------------------


def _node(**amounts: int) -> AddNode:
    return AddNode(node_id=NODE, capacity=Resource(amounts))


def _app(id: str, queue: str, *, user: str = "", groups: tuple[str, ...] = (), gang: Resource | None = None) -> AddApplication:
    return AddApplication(application=ApplicationSpec(id=id, queue=queue, user=user or id, groups=groups, placeholder_ask=gang))


def _pieces(amount: int) -> list[int]:
    """The amount in a few parts, all of which are positive."""
    count = max(1, min(PIECES, amount))
    return [amount // count + (1 if number < amount % count else 0) for number in range(count)]


def _holds(app: str, queue: str, kind: str, amount: int, **ask: Any) -> list[Any]:
    """An application that already holds so much of the node."""
    specs = [
        AskSpec(application_id=app, key=f"{app}-{number}", resource=Resource({kind: part}), **ask)
        for number, part in enumerate(_pieces(amount))
        if part > 0
    ]
    return [_app(app, queue), *(AddAllocation(ask=spec, node_id=NODE) for spec in specs)]


def _wants(app: str, queue: str, kind: str, amount: int, *, each: int = 0) -> list[Any]:
    """An application that asks for so much, in a few parts or in parts of one size."""
    parts = [each] * -(-amount // each) if each else _pieces(amount)
    specs = [
        AskSpec(application_id=app, key=f"{app}-{number}", resource=Resource({kind: part})) for number, part in enumerate(parts)
    ]
    return [_app(app, queue), *(AddAsk(ask=spec) for spec in specs)]


def _until_preemption(leaf: QueueFacts) -> list[Any]:
    """Time enough for the asks of a leaf to preempt, and cycles enough to do so."""
    return [Schedule(2), AdvanceMs(leaf.settings.preemption_delay_ns // MS_NS + SECOND_MS), Schedule(CYCLES)]


def _less_than(path: str, kind: str, promised: int) -> Callable[[_Played], Answer]:
    def read(played: _Played) -> Answer:
        held = played.held(path, kind)
        return held < promised, {"case": "held", "type": kind, "held": held, "promised": promised}

    return read


def _none_placed(path: str, app: str = HERE) -> Callable[[_Played], Answer]:
    def read(played: _Played) -> Answer:
        queue = tree.find(played.engine.state.partitions["default"], path)
        there = queue is not None and app in queue.applications and played.placed(app) > 0
        return not there, {"case": "placed"}

    return read


# ---- one plan for each check -----------------------------------------------------------------------------------------


def _type_of_no_node(check: Check, design: Design) -> Plan:
    leaf = design.queues[check.path].leaves()[0]
    offered = dict.fromkeys(check.numbers["offered"], PLENTY)
    commands = [_node(**offered), *_wants(HERE, leaf.path, check.numbers["type"], 1, each=1), Schedule(2)]
    return _alone(_opened(design)), commands, _none_placed(leaf.path)


def _behind_a_fence(check: Check, design: Design) -> Plan:
    """L-08 and L-31: those inside hold what may be taken, one outside the rest of what the leaf is guaranteed."""
    leaf = design.queues[check.path]
    guaranteed = leaf.guaranteed or EMPTY
    kind = check.numbers.get("type") or min(kind for kind, amount in guaranteed.items() if amount > 0)
    partition, fence = _opened(design), fence_root(leaf)
    commands, rest = [], guaranteed[kind]
    for other in fence.leaves() if fence.parent is not None else ():
        own, most = (other.guaranteed or EMPTY).get(kind, 0), (other.limit or EMPTY).get(kind, 0)
        takable = 0 if is_disabled(other) else max(0, min(most - own, rest))
        if other is not leaf and takable:
            commands += _holds(f"in-{other.path}", other.path, kind, own + takable)
            rest -= takable
    held = sum(command.ask.resource[kind] for command in commands if isinstance(command, AddAllocation))
    if check.numbers.get("is_root"):
        outside = check.numbers["disabled"][0]
    else:
        partition, outside = _with_others(partition, "root")
    commands = [
        _node(**{kind: held + rest}),
        *commands,
        *_holds(OTHERS, outside, kind, rest),
        *_wants(HERE, leaf.path, kind, guaranteed[kind]),
        *_until_preemption(leaf),
    ]
    return _alone(partition), commands, _less_than(leaf.path, kind, guaranteed[kind])


def _gang(check: Check, design: Design) -> Plan:
    commands = [_node(vcore=PLENTY), _app(HERE, check.path, gang=Resource(vcore=1))]
    return _alone(_opened(design)), commands, lambda played: (played.rejected(HERE), {"case": "rejected"})


def _by_the_rules(check: Check, design: Design) -> Plan:
    commands = [_node(vcore=PLENTY, memory=PLENTY), *_wants(HERE, check.path, "vcore", 1), Schedule(3)]
    return _alone(_opened(design, rules=True)), commands, _none_placed(check.path)


def _in_an_empty_leaf(check: Check, design: Design) -> Plan:
    """L-19: an ask of the type that there is none of, or of the smallest size that is asked for."""
    leaf = design.queues[check.path].leaves()[0]
    kind = check.numbers["type"] if "type" in check.numbers else check.numbers["types"][0]
    size = check.numbers.get("smallest", 1)
    commands = [_node(**{kind: size}), *_wants(HERE, leaf.path, kind, size, each=size), Schedule(3)]
    return _alone(_opened(design)), commands, _none_placed(leaf.path)


def _one_after_the_other(check: Check, design: Design) -> Plan:
    group = next(iter(check.numbers.get("groups", ())), "")
    commands: list[Any] = [_node(vcore=PLENTY)]
    for user in ("one", "two"):
        ask = AskSpec(application_id=user, key=f"{user}-0", resource=Resource(vcore=1))
        groups = ("members" if group == "*" else group,) if group else ()
        commands += [_app(user, check.path, user=user, groups=groups), AddAsk(ask=ask)]
    partition = _opened(design, counts=True)
    return (
        _alone(partition),
        [*commands, Schedule(4)],
        lambda played: (played.placed("one") > 0 and not played.placed("two"), {"case": "waits"}),
    )


def _second_attempt(check: Check, design: Design) -> Plan:
    """L-29: the node is full of what nobody may stop, so the first attempt is in vain; is there a second after the delay?"""
    leaf = next(
        leaf
        for leaf in design.queues[check.path].leaves()
        if has_claim(leaf) and leaf.settings.preemption_delay_ns == check.numbers["delay_ns"]
    )
    kind = next(min(at.guaranteed) for at in leaf.up() if at.guaranteed)
    delay_ms = check.numbers["delay_ns"] // MS_NS
    foreign = AskSpec(application_id="", key="foreign", resource=Resource({kind: PLENTY}))
    commands = [
        _node(**{kind: PLENTY}),
        AddAllocation(ask=foreign, node_id=NODE, foreign=True),
        *_wants(HERE, leaf.path, kind, 1),
        Schedule(2),
        AdvanceMs(max(1, delay_ms)),
        Schedule(2),
        AdvanceMs((CHECK_EVERY_S - 1) * SECOND_MS),
        Schedule(2),
    ]

    def read(played: _Played) -> Answer:
        partition = played.engine.state.partitions["default"]
        asked = partition.applications[HERE].asks[f"{HERE}-0"]
        since_ns = played.engine.state.now_ns - (asked.preemption_checked_ns or 0)
        looked = asked.preemption_checked_ns is not None
        return looked and since_ns > check.numbers["delay_ns"], {"case": "again", "since_ns": since_ns, "looked": looked}

    return _alone(_opened(design)), commands, read


def _ends_by_itself(check: Check, design: Design) -> Plan:
    """L-29: what holds the node ends after the usual time; was anything stopped until then?"""
    leaf = design.queues[check.path]
    kind = next(min(at.guaranteed) for at in leaf.up() if at.guaranteed)
    partition, others = _with_others(_opened(design), fence_root(leaf).path)
    commands = [
        _node(**{kind: 1}),
        *_holds(OTHERS, others, kind, 1),
        *_wants(HERE, leaf.path, kind, 1),
        Schedule(2),
        AdvanceMs(max(1, check.numbers["usual_ns"] // MS_NS)),
        Schedule(2),
    ]
    return _alone(partition), commands, lambda played: (not played.stopped(OTHERS), {"case": "stopped"})


def _opted_out(check: Check, design: Design) -> Plan:
    leaf, taker = design.queues[check.path], design.queues[check.numbers["takers"][0]]
    kind, promised = next((min(at.guaranteed), at.guaranteed[min(at.guaranteed)]) for at in taker.up() if at.guaranteed)
    own, most = (leaf.guaranteed or EMPTY).get(kind, 0), (leaf.limit or EMPTY).get(kind)
    held = own + promised if most is None else min(most, own + promised)
    commands = [
        _node(**{kind: held}),
        *_holds(OTHERS, leaf.path, kind, held, allow_preempt_self=False),
        *_wants(HERE, taker.path, kind, promised),
        *_until_preemption(taker),
    ]
    return (
        _alone(_opened(design)),
        commands,
        lambda played: (played.stopped(OTHERS) > 0, {"case": "spared", "stopped": played.stopped(OTHERS)}),
    )


def _full_in_one_type(check: Check, design: Design) -> Plan:
    """L-41: the queue is full in one type, somebody outside holds the rest of the node."""
    queue, taker = design.queues[check.path], design.queues[check.numbers["leaves"][0]]
    kind, spare = check.numbers["full"][0], check.numbers["open"][0]
    maximum = queue.maximum or EMPTY
    most = maximum[kind]
    partition, outside = _with_others(_opened(design), "root")
    partition, inside = _with_others(partition, queue.path)
    size = max(1, most // PIECES)
    held = [
        replace(command, ask=replace(command.ask, resource=Resource({**command.ask.resource, spare: 1})))
        if isinstance(command, AddAllocation) and spare not in maximum
        else command
        for command in _holds("inside", inside, kind, most)
    ]
    commands = [
        _node(**{kind: most + size, spare: PLENTY}),
        *held,
        *_holds(OTHERS, outside, kind, size),
        *_wants(HERE, taker.path, kind, size, each=size),
        *_until_preemption(taker),
    ]
    return (
        _alone(partition),
        commands,
        lambda played: (played.stopped(OTHERS) > 0, {"case": "outside", "stopped": played.stopped(OTHERS)}),
    )


def _large_asks(check: Check, design: Design) -> Plan:
    leaf, kind, size = design.queues[check.path], check.numbers["type"], check.numbers["size"]
    promised = check.numbers["guaranteed"]
    partition, others = _with_others(_opened(design), fence_root(leaf).path)
    whole = -(-promised // size) * size
    commands = [
        _node(**{kind: whole}),
        *_holds(OTHERS, others, kind, whole),
        *_wants(HERE, leaf.path, kind, whole, each=size),
        *_until_preemption(leaf),
    ]
    return _alone(partition), commands, _less_than(leaf.path, kind, promised)


def _robbing_each_other(check: Check, design: Design) -> Plan:
    """L-43: others hold what the teams are guaranteed; each of the two asks for a little more, one after the other."""
    kind, first = check.numbers["type"], design.queues[check.path]
    second = design.queues[check.numbers["others"][0]]
    partition, commands, held = _opened(design), [], 0
    part = max(1, min((leaf.guaranteed or EMPTY)[kind] for leaf in (first, second)) // (2 * PIECES))
    for name, leaf, team in (("first", first, check.numbers["teams"][0]), ("second", second, check.numbers["teams"][1])):
        partition, other = _with_others(partition, team)
        most = (design.queues[team].guaranteed or EMPTY)[kind]
        commands += [*_holds(f"{OTHERS}-{name}", other, kind, most), *_holds(name, leaf.path, kind, PIECES * part)]
        held += most + PIECES * part
    commands = [
        _node(**{kind: held}),
        *commands,
        *_wants(f"{HERE}-first", first.path, kind, part),
        *_until_preemption(first),
        *_wants(f"{HERE}-second", second.path, kind, part),
        *_until_preemption(second),
    ]

    def read(played: _Played) -> Answer:
        lost = [sum(played.stopped(app) for app in (name, f"{HERE}-{name}")) for name in ("first", "second")]
        return all(lost), {"case": "robbed", "stopped": lost[0], "other": check.numbers["others"][0], "back": lost[1]}

    return _alone(partition), commands, read


def _starved_by_shares(check: Check, design: Design) -> Plan:
    """L-44: all ask at once, and the node has room for one request of the queue and for all that the others want."""
    kind, size = check.numbers["type"], check.numbers["size"]
    leaf, rest = design.queues[check.path].leaves()[0], max(PIECES, check.numbers["capacity"] - size)
    others = [design.queues[path] for path in check.numbers["others"]]
    rooms = [(other.limit or EMPTY).get(kind, rest) for other in others]
    commands, given = [], 0
    for number, (other, room) in enumerate(zip(others, rooms, strict=True)):
        amount = max(PIECES, rest * room // max(1, sum(rooms)))
        commands += _wants(f"{OTHERS}-{number}", other.leaves()[0].path, kind, amount)
        given += amount
    wanted = 1 + PIECES
    commands = [
        _node(**{kind: size + given}),
        *_wants(HERE, leaf.path, kind, wanted * size, each=size),
        *commands,
        Schedule(CYCLES),
    ]

    def read(played: _Played) -> Answer:
        placed = played.placed(HERE)
        return placed <= 1, {"case": "shares", "placed": placed, "wanted": wanted, "others": check.numbers["others"]}

    return _alone(_opened(design)), commands, read


_PLANS: Mapping[tuple[str, str], Callable[[Check, Design], Plan]] = {
    ("L-06", ""): _type_of_no_node,
    ("L-08", ""): _behind_a_fence,
    ("L-17", ""): _gang,
    ("L-19", "rules"): _by_the_rules,
    ("L-19", "zero"): _in_an_empty_leaf,
    ("L-19", "asks"): _in_an_empty_leaf,
    ("L-23", ""): _one_after_the_other,
    ("L-29", "short"): _second_attempt,
    ("L-29", "long"): _ends_by_itself,
    ("L-31", ""): _behind_a_fence,
    ("L-40", ""): _opted_out,
    ("L-41", ""): _full_in_one_type,
    ("L-42", ""): _large_asks,
    ("L-43", ""): _robbing_each_other,
    ("L-44", ""): _starved_by_shares,
}
"""(code, case) -> how to bring it about."""
