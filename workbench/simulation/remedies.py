"""What would change it: for a waiting ask, the smallest change that flips the test which keeps it, tried before it is told. E-5.

Each candidate change is carried out at the present instant, as on a live cluster (an edit is a reload), some cycles are
run, and everything is undone. A remedy says what that showed: the ask is placed, or at least passes the test. What showed
nothing is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from workbench.config import edit
from workbench.config.export import to_yaml
from workbench.config.model import Limit, SchedulerConfig
from workbench.config.properties import PRIORITY_OFFSET, PRIORITY_POLICY
from workbench.errors import ConfigError
from workbench.quantities import format_quantity
from workbench.resources import Resource
from workbench.scheduler import tree
from workbench.scheduler.commands import AddNode, Advance, Command, Cycle, UndrainNode, UpdateConfig
from workbench.scheduler.decision import Decision, Refusal
from workbench.scheduler.engine import Engine
from workbench.scheduler.events import ConfigRejected, Released
from workbench.scheduler.state import NO_PRIORITY, Allocation, Application, Partition
from workbench.simulation import driver
from workbench.simulation.waiting import Waiting, waiting_asks

MOST_CYCLES = 200
"""Cycles run to see whether a change places the ask: enough for everything that stands before it in a small cluster."""
OFFSETS = (-(2**31), 2**31 - 1)


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that was tried and helps.

    Attributes:
        kind: "offset", "no-fence", "maximum", "max-applications", "limit", "limit-applications", "node", "undrain" or "wait".
        subject: the queue path, node id or ask key that it concerns; for a limit the user or group stands in `detail`.
        detail: resource type, or "user NAME" / "group NAME".
        before, after: the value now and then: int, text, Resource or nanoseconds (wait); None for "not there".
        places: the ask was placed; otherwise it only passed the test that kept it.
        config: the edited configuration, for the kinds that edit one.
    """

    kind: str
    subject: str
    detail: str = ""
    before: object = None
    after: object = None
    places: bool = False
    config: SchedulerConfig | None = None


def remedies(engine: Engine, waiting: Waiting) -> tuple[Remedy, ...]:
    """The verified changes for one waiting ask, in the order in which they were thought of. The state stays as it is."""
    if waiting.refusal is None:
        return ()
    found = []
    for remedy, commands in _candidates(engine, waiting):
        effect = _tried(engine, waiting, commands)
        if effect is not None:
            found.append(replace(remedy, places=effect == "placed"))
    return tuple(found)


def _tried(engine: Engine, waiting: Waiting, commands: tuple[Command, ...]) -> str | None:
    """ "placed", "passes" or None, after carrying the commands out; everything is undone."""
    mark = engine.mark
    try:
        for command in commands:
            if any(isinstance(event, ConfigRejected) for event in engine.apply(command)):
                return None
        return _effect(engine, waiting)
    finally:
        engine.unwind(mark)


def _effect(engine: Engine, waiting: Waiting) -> str | None:
    """The first cycle shows whether the test is passed, the following ones whether the ask gets its place."""
    before = waiting.refusal
    assert before is not None
    unconfirmed: tuple[Released, ...] = ()
    idle = 0
    for number in range(MOST_CYCLES):
        events = engine.apply(Cycle(), traced=number == 0)
        if number == 0 and not waiting.ask.allocated:
            after = _refusal_after(engine, waiting, engine.decisions)
            if after is not None and (after.code, after.subject) == (before.code, before.subject):
                return None
        if waiting.ask.allocated:
            return "placed"
        idle = 0 if any(decision.changed_something for decision in engine.decisions) else idle + 1
        if idle > 1 and not unconfirmed:
            break
        events += engine.apply(Advance(ns=driver.CYCLE_NS + driver.SETTLE_NS))
        unconfirmed = driver.announced(driver.confirm(engine, (*unconfirmed, *driver.announced(events))))
    return "passes"


def _refusal_after(engine: Engine, waiting: Waiting, decisions: tuple[Decision, ...]) -> Refusal | None:
    for other in waiting_asks(engine.state, decisions):
        if other.ask is waiting.ask:
            return other.refusal
    return None


Candidates = Iterator[tuple[Remedy, tuple[Command, ...]]]


def _candidates(engine: Engine, waiting: Waiting) -> Candidates:
    """Changes worth trying for the reason the ask was given, smallest first."""
    refusal = waiting.refusal
    assert refusal is not None
    partition = next(each for each in engine.state.partitions.values()
                     if each.applications.get(waiting.application.id) is waiting.application)
    propose = _PROPOSALS.get(refusal.code)
    if propose is not None:
        yield from propose(engine.state.config, partition, waiting.application, waiting.ask, refusal)


def _edit(config: SchedulerConfig, remedy: Remedy, change: Callable[[], SchedulerConfig]) -> Candidates:
    """A configuration edit as a reload; nothing if the edit does not make sense, e.g. for a dynamic queue."""
    try:
        edited = change()
    except ConfigError:
        return
    text = to_yaml(edited)
    yield replace(remedy, config=replace(edited, text=text)), (UpdateConfig(text=text),)


def _overtake(config: SchedulerConfig, partition: Partition, application: Application, ask: Allocation,
              refusal: Refusal) -> Candidates:
    """W-03: the branch lost by priority. A larger offset on it, or no fence, lets it win that level."""
    numbers = refusal.numbers
    if numbers.get("field") != "priority":
        return
    parent = tree.find(partition, str(numbers["level"]))
    child = parent.children.get(str(numbers["loser"])) if parent is not None else None
    if child is None:
        return
    mine, theirs = -numbers["loser_value"], -numbers["winner_value"]
    if mine == NO_PRIORITY:
        return
    offset = child.settings.priority_offset + theirs - mine + 1
    if OFFSETS[0] <= offset <= OFFSETS[1]:
        yield from _edit(config, Remedy("offset", child.path, before=child.settings.priority_offset, after=offset),
                         lambda: edit.with_property(config, child.path, PRIORITY_OFFSET, str(offset), partition.name))
    if child.settings.priority_policy == "fence":
        yield from _edit(config, Remedy("no-fence", child.path, before="fence", after="default"),
                         lambda: edit.with_property(config, child.path, PRIORITY_POLICY, "default", partition.name))


def _raise_maximum(config: SchedulerConfig, partition: Partition, application: Application, ask: Allocation,
                   refusal: Refusal) -> Candidates:
    """W-11: more maximum on the queue that binds, for every type it lacks; for the cluster's size a further node."""
    queue = tree.find(partition, refusal.subject)
    if queue is None or queue.maximum is None:
        return
    if queue.parent is None:
        yield from _further_node(config, partition, application, ask, refusal)
        return
    wanted = {name: max(limit, queue.allocated.get(name, 0) + ask.resource.get(name, 0))
              for name, limit in queue.maximum.items()}
    texts = {name: format_quantity(amount, name) for name, amount in wanted.items()}
    yield from _edit(config, Remedy("maximum", queue.path, before=queue.maximum, after=Resource(wanted)),
                     lambda: edit.with_max(config, queue.path, texts, partition.name))


def _more_applications(config: SchedulerConfig, partition: Partition, application: Application, ask: Allocation,
                       refusal: Refusal) -> Candidates:
    """W-05."""
    needed = int(refusal.numbers["running"]) + int(refusal.numbers["allocating"]) + 1
    yield from _edit(config, Remedy("max-applications", refusal.subject, before=refusal.numbers["limit"], after=needed),
                     lambda: edit.with_field(config, refusal.subject, "maxapplications", needed, partition.name))


def _raise_limit(config: SchedulerConfig, partition: Partition, application: Application, ask: Allocation,
                 refusal: Refusal) -> Candidates:
    """W-06 and W-10: the limit of the user or group that binds."""
    numbers = refusal.numbers
    kind, who, path = str(numbers["kind"]), str(numbers["who"]), str(numbers["queue"])
    detail = f"{kind} {who}"
    applications = refusal.code == "W-06"
    if applications:
        remedy = Remedy("limit-applications", path, detail, numbers["limit"], int(numbers["running"]) + 1)
    else:
        remedy = Remedy("limit", path, detail, Resource({numbers["type"]: numbers["maximum"]}),
                        Resource({numbers["type"]: numbers["used"] + numbers["need"]}))
    yield from _edit(config, remedy, lambda: edit.with_field(
        config, path, "limits",
        _raised(edit.queue_at(config, path, partition.name).limits, kind, who, remedy), partition.name))


def _raised(limits: tuple[Limit, ...], kind: str, who: str, remedy: Remedy) -> tuple[Limit, ...]:
    """The limits with the entry that counts for `who` raised; a named entry counts before a wildcard. PL-102."""
    def names(limit: Limit) -> tuple[str, ...]:
        return limit.users if kind == "user" else limit.groups

    wanted = who if any(who in names(limit) for limit in limits) else "*"
    if not any(wanted in names(limit) for limit in limits):
        raise ConfigError("the limit stands elsewhere")
    raised = []
    for limit in limits:
        if wanted in names(limit):
            if remedy.kind == "limit-applications":
                limit = replace(limit, max_applications=int(str(remedy.after)))
            else:
                assert isinstance(remedy.after, Resource)
                texts = {name: format_quantity(amount, name) for name, amount in remedy.after.items()}
                limit = replace(limit, max_resources={**(limit.max_resources or {}), **texts})
        raised.append(limit)
    return tuple(raised)


def _further_node(config: SchedulerConfig, partition: Partition, application: Application, ask: Allocation,
                  refusal: Refusal) -> Candidates:
    """W-11 for the cluster, W-12, W-15 to W-17, W-20: a node just large enough, under the required name if there is one."""
    name = ask.required_node if refusal.code == "W-12" else _free_name(partition, ask)
    yield (Remedy("node", name, after=ask.resource),
           (AddNode(node_id=name, capacity=ask.resource, attributes=ask.node_selector, partition=partition.name),))


def _free_name(partition: Partition, ask: Allocation) -> str:
    allowed = sorted(ask.allowed_nodes - set(partition.nodes)) if ask.allowed_nodes is not None else []
    if allowed:
        return allowed[0]
    number = 1
    while f"further-node-{number}" in partition.nodes:
        number += 1
    return f"further-node-{number}"


def _undrain(config: SchedulerConfig, partition: Partition, application: Application, ask: Allocation,
             refusal: Refusal) -> Candidates:
    """W-19, and W-17 where a drained node would do."""
    for node_id in refusal.numbers.get("nodes", ()):
        name = node_id if isinstance(node_id, str) else node_id[0]
        node = partition.nodes.get(name)
        if node is not None and not node.schedulable:
            yield (Remedy("undrain", name, before="draining", after="schedulable"),
                   (UndrainNode(node_id=name, partition=partition.name),))
            return


def _wait(config: SchedulerConfig, partition: Partition, application: Application, ask: Allocation,
          refusal: Refusal) -> Candidates:
    """W-07: until the backoff is over."""
    left = int(refusal.numbers["deadline_ns"]) - int(refusal.numbers["now_ns"])
    yield Remedy("wait", application.id, after=left), (Advance(ns=left),)


_PROPOSALS: dict[str, Callable[..., Candidates]] = {
    "W-03": _overtake, "W-05": _more_applications, "W-06": _raise_limit, "W-07": _wait, "W-10": _raise_limit,
    "W-11": _raise_maximum, "W-12": _further_node, "W-15": _further_node, "W-16": _further_node, "W-17": _further_node,
    "W-18": _further_node, "W-19": _undrain, "W-20": _further_node,
}
"""Code of the reason -> changes worth trying."""
