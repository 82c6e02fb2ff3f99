"""What would change it: for a waiting ask, the smallest change that flips the test which keeps it, tried before it is told. E-5.

Each candidate change is carried out at the present instant, as on a live cluster (an edit is a reload), some cycles are
run, and everything is undone. A remedy says what that showed: the ask is next, gets its place later, or at least passes
the test. What showed nothing is not told, but that it was tried is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil

from workbench.config import edit
from workbench.config.model import Limit, SchedulerConfig
from workbench.config.properties import PRIORITY_OFFSET, PRIORITY_POLICY
from workbench.config.write.export import to_yaml
from workbench.scheduler import policies
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import reservations, tree
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.preemption.general import CHECK_EVERY_NS
from workbench.scheduler.records.commands import (
    AddAsk,
    AddNode,
    Advance,
    AskSpec,
    Command,
    Cycle,
    Release,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.scheduler.records.decision import Decision, Refusal
from workbench.scheduler.records.events import ConfigRejected, Released
from workbench.scheduler.records.state import NO_PRIORITY, Allocation, Application, Partition, Queue
from workbench.simulation import driver
from workbench.simulation.waiting import Waiting, waiting_asks
from workbench.values.errors import CommandError, ConfigError
from workbench.values.quantities import format_quantity
from workbench.values.resources import EMPTY, Resource, add, fit_in, sub_only_existing

MOST_CYCLES = 200
"""Cycles run to see whether a change places the ask: enough for everything that stands before it in a small cluster."""
NOT_REACHED = "W-03"
NOT_LOOKED_AT = (NOT_REACHED, "W-07", "W-08", "W-24")
TESTS = (
    "W-01",
    "W-02",
    "W-04",
    "W-24",
    "W-05",
    "W-06",
    "W-07",
    "W-08",
    "W-09",
    "W-10",
    "W-11",
    "W-14",
    "W-12",
    "W-13",
    "W-16",
    "W-15",
    "W-19",
    "W-17",
    "W-18",
    "W-21",
    "W-20",
)
"""Reasons in the order in which a cycle comes to their tests."""
INT_32 = (-(2**31), 2**31 - 1)
SORT_PRIORITY, SORT_POLICY = "application.sort.priority", "application.sort.policy"
BACKOFF = "application.unschedasks.backoff"


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that was tried and helps.

    Attributes:
        kind: what is changed; one of `KINDS`.
        subject: the queue path, node id, application id or ask key that it concerns.
        detail: for a limit "user NAME" or "group NAME".
        before, after: the value now and then: int, text, Resource or nanoseconds (wait); None for "not there".
        effect: "next": the ask is the next one served; "placed": it gets its place later; "passes": it only passes the test.
        config: the edited configuration, for the kinds that edit one.
    """

    kind: str
    subject: str
    detail: str = ""
    before: object = None
    after: object = None
    effect: str = ""
    config: SchedulerConfig | None = None


KINDS = (
    "offset",
    "no-fence",
    "sort-priority",
    "sort-policy",
    "ask-priority",
    "guaranteed",
    "maximum",
    "max-applications",
    "limit",
    "limit-applications",
    "backoff",
    "node",
    "resize",
    "undrain",
    "wait",
)


@dataclass(frozen=True, slots=True)
class Remedies:
    """What came of trying: the changes that help, and every kind of change that was tried, each in the order of trying."""

    found: tuple[Remedy, ...] = ()
    tried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Trial:
    """A change to try: what to do, and the key under which the ask goes afterwards."""

    remedy: Remedy
    commands: tuple[Command, ...]
    key: str


def remedies(engine: Engine, waiting: Waiting) -> Remedies:
    """The changes that help one waiting ask. Of a kind of change to one subject the smallest is told.

    Raises:
        CommandError: the ask does not wait now.
    """
    if waiting.refusal is None:
        return Remedies()
    found: list[Remedy] = []
    tried: list[str] = []
    for trial in _trials(engine, waiting):
        remedy = trial.remedy
        if remedy.kind not in tried:
            tried.append(remedy.kind)
        if any((each.kind, each.subject, each.detail) == (remedy.kind, remedy.subject, remedy.detail) for each in found):
            continue
        effect = _tried(engine, waiting, trial)
        if effect is not None:
            found.append(replace(remedy, effect=effect))
    return Remedies(tuple(found), tuple(tried))


def _tried(engine: Engine, waiting: Waiting, trial: _Trial) -> str | None:
    """The effect, or None without one, of carrying the commands out; everything is undone."""
    mark = engine.mark
    try:
        for command in trial.commands:
            if any(isinstance(event, ConfigRejected) for event in engine.apply(command)):
                return None
        return _effect(engine, waiting, trial.key)
    finally:
        engine.unwind(mark)


def _effect(engine: Engine, waiting: Waiting, key: str) -> str | None:
    """The first cycle that looks at the ask shows whether the test is passed; the others, whether the ask gets its place."""
    before = waiting.refusal
    ask = waiting.application.asks.get(key)
    if before is None or ask is None:
        return None
    passes, is_next, idle = False, False, 0
    unconfirmed: tuple[Released, ...] = ()
    for number in range(MOST_CYCLES):
        events = engine.apply(Cycle(), traced=not passes)
        if not passes:
            after = _refusal_after(engine, ask, engine.decisions)
            passes, is_next = after is None or _is_behind(after, before), after is None and number == 0
            if not passes and not _was_not_reached(after, before):
                return None
        if ask.allocated:
            return "next" if is_next else "placed"
        idle = 0 if any(decision.changed_something for decision in engine.decisions) else idle + 1
        if idle > 1 and not unconfirmed:
            break
        events += engine.apply(Advance(ns=driver.CYCLE_NS + driver.SETTLE_NS))
        unconfirmed = driver.announced(driver.confirm(engine, (*unconfirmed, *driver.announced(events))))
    return "next" if is_next else "passes" if passes else None


def _is_behind(after: Refusal, before: Refusal) -> bool:
    """Whether `after` is the answer of a later test, so that the one behind `before` was passed."""
    if before.code == NOT_REACHED:
        return (after.code, after.subject) != (before.code, before.subject)
    return _place(after) > _place(before) or after.code == before.code and after.subject != before.subject


def _was_not_reached(after: Refusal | None, before: Refusal) -> bool:
    """Whether the cycle says nothing about the test, because something else came first."""
    return after is not None and after.code in NOT_LOOKED_AT and after.code != before.code


def _place(refusal: Refusal) -> int:
    return TESTS.index(refusal.code) if refusal.code in TESTS else -1


def _refusal_after(engine: Engine, ask: Allocation, decisions: tuple[Decision, ...]) -> Refusal | None:
    """Why the ask was not served by the cycle just run; None if it was."""
    for other in waiting_asks(engine.state, decisions):
        if other.ask is ask:
            return other.refusal
    return None


Trials = Iterator[_Trial]


@dataclass(frozen=True, slots=True)
class _Case:
    """What there is to know when thinking of a change."""

    config: SchedulerConfig
    now_ns: int
    partition: Partition
    application: Application
    ask: Allocation
    refusal: Refusal

    def trial(self, remedy: Remedy, *commands: Command) -> _Trial:
        return _Trial(remedy, commands, self.ask.key)

    def edit(self, remedy: Remedy, change: Callable[[], SchedulerConfig], *then: Command) -> Trials:
        """A configuration edit as a reload; nothing if the edit does not make sense, e.g. for a dynamic queue."""
        try:
            edited = change()
            text = to_yaml(edited)
        except ConfigError:
            return
        yield self.trial(replace(remedy, config=replace(edited, text=text)), UpdateConfig(text=text), *then)

    def edit_property(self, remedy: Remedy, key: str) -> Trials:
        return self.edit(
            remedy, lambda: edit.with_property(self.config, remedy.subject, key, str(remedy.after), self.partition.name)
        )


def _trials(engine: Engine, waiting: Waiting) -> Trials:
    """Changes worth trying for the reason the ask was given, smallest first."""
    refusal, application = waiting.refusal, waiting.application
    assert refusal is not None
    partition = next(
        (each for each in engine.state.partitions.values() if each.applications.get(application.id) is application), None
    )
    if partition is None or application.asks.get(waiting.ask.key) is not waiting.ask or waiting.ask.allocated:
        raise CommandError(f"{waiting.ask.key!r} of {application.id!r} does not wait now")
    case = _Case(engine.state.config, engine.state.now_ns, partition, application, waiting.ask, refusal)
    propose = _PROPOSALS.get(refusal.code)
    if propose is not None:
        yield from propose(case)
    yield from _help_to_preempt(case)


# ---- an order that was lost ---------------------------------------------------------------------------------------


def _overtake(case: _Case) -> Trials:
    """W-03: at the level where the branch lost, what the order of that level looks at."""
    numbers = case.refusal.numbers
    level = next((at for at in ancestry(case.application.queue) if at.path == numbers.get("level")), None)
    if "field" not in numbers:
        return
    if level is None or level.is_leaf:
        yield from _overtake_in_leaf(case, level)
        return
    child = level.children.get(str(numbers["loser"]))
    if child is None:
        return
    field = numbers["field"]
    if field == "priority" or level.settings.priority_sorting:
        yield from _more_offset(case, child)
    if child.settings.priority_policy == "fence":
        yield from case.edit_property(Remedy("no-fence", child.path, before="fence", after="default"), PRIORITY_POLICY)
    if field == "share":
        yield from _more_guarantee_for_share(case, child, policies.largest(numbers["winner_value"]))
    if field in ("priority", "share"):
        yield from _other_sort_priority(case, level)


def _more_offset(case: _Case, child: Queue) -> Trials:
    """As much as the winner first, which is enough where the next key decides; then one more."""
    numbers, offset = case.refusal.numbers, child.settings.priority_offset
    behind = 0
    if numbers["field"] == "priority":
        if -numbers["loser_value"] == NO_PRIORITY:
            return
        behind = numbers["loser_value"] - numbers["winner_value"]
    for wanted in (offset + behind, offset + behind + 1):
        if wanted != offset and INT_32[0] <= wanted <= INT_32[1]:
            yield from case.edit_property(Remedy("offset", child.path, before=offset, after=wanted), PRIORITY_OFFSET)


def _more_guarantee_for_share(case: _Case, child: Queue, share: float) -> Trials:
    """The guarantee at which the branch's largest share is that of the winner; then a unit more. R-521, R-528."""
    if share <= 0:
        return
    measured: Resource | None = None
    for at in reversed(list(ancestry(child))):
        measured = policies.fair_maximum(measured, at)
    guaranteed = child.guaranteed or EMPTY
    raw = case.partition.profile.queue_share == "list"
    for more in (0, 1):
        wanted = dict(guaranteed.items())
        for name, amount in child.allocated.items():
            measure = guaranteed[name] if name in guaranteed else 1 if raw else (measured or EMPTY).get(name, 0)
            if amount > 0 and measure > 0 and amount / measure >= share:
                wanted[name] = ceil(amount / share) + more
        yield from _guarantee(case, child, wanted)


def _guarantee(case: _Case, queue: Queue, wanted: Mapping[str, int], *then: Command) -> Trials:
    texts = {name: format_quantity(amount, name) for name, amount in wanted.items()}
    remedy = Remedy("guaranteed", queue.path, before=queue.guaranteed, after=Resource(wanted))
    yield from case.edit(remedy, lambda: edit.with_guaranteed(case.config, queue.path, texts, case.partition.name), *then)


def _other_sort_priority(case: _Case, queue: Queue) -> Trials:
    before, after = ("enabled", "disabled") if queue.settings.priority_sorting else ("disabled", "enabled")
    yield from case.edit_property(Remedy("sort-priority", queue.path, before=before, after=after), SORT_PRIORITY)


def _overtake_in_leaf(case: _Case, leaf: Queue | None) -> Trials:
    """Lost among the applications of its leaf, or, without `leaf`, among the asks of its application."""
    numbers, ask = case.refusal.numbers, case.ask
    if leaf is None or numbers["field"] == "priority" or leaf.settings.priority_sorting:
        if numbers["field"] == "priority":
            wanted = [-numbers["winner_value"], -numbers["winner_value"] + 1]
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


def _own_priority(case: _Case, priority: int) -> Trials:
    """The same ask with another priority: added beside the old one, which then goes. A placeholder belongs to its gang."""
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
        created_ns=ask.created_ns,
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
    yield _Trial(Remedy("ask-priority", ask.key, before=ask.priority, after=priority), commands, key)


# ---- room ---------------------------------------------------------------------------------------------------------


def _raise_maximum(case: _Case) -> Trials:
    """W-11, W-14: more maximum on the queue that binds, for every type it lacks; for the cluster's size a further node."""
    queue, ask = tree.find(case.partition, case.refusal.subject), case.ask
    if queue is None or queue.maximum is None:
        return
    if queue.parent is None:
        yield from _further_node(case)
        return
    wanted = {name: max(limit, queue.allocated.get(name, 0) + ask.resource.get(name, 0)) for name, limit in queue.maximum.items()}
    texts = {name: format_quantity(amount, name) for name, amount in wanted.items()}
    yield from case.edit(
        Remedy("maximum", queue.path, before=queue.maximum, after=Resource(wanted)),
        lambda: edit.with_max(case.config, queue.path, texts, case.partition.name),
    )


def _more_applications(case: _Case) -> Trials:
    """W-05."""
    numbers, path = case.refusal.numbers, case.refusal.subject
    needed = int(numbers["running"]) + int(numbers["allocating"]) + 1
    yield from case.edit(
        Remedy("max-applications", path, before=numbers["limit"], after=needed),
        lambda: edit.with_field(case.config, path, "maxapplications", needed, case.partition.name),
    )


def _raise_limit(case: _Case) -> Trials:
    """W-06 and W-10: the limit of the user or group that binds."""
    numbers = case.refusal.numbers
    kind, who, path = str(numbers["kind"]), str(numbers["who"]), str(numbers["queue"])
    detail = f"{kind} {who}"
    if case.refusal.code == "W-06":
        remedy = Remedy("limit-applications", path, detail, numbers["limit"], int(numbers["running"]) + 1)
    else:
        remedy = Remedy(
            "limit",
            path,
            detail,
            Resource({numbers["type"]: numbers["maximum"]}),
            Resource({numbers["type"]: numbers["used"] + numbers["need"]}),
        )
    config, partition = case.config, case.partition.name
    yield from case.edit(
        remedy,
        lambda: edit.with_field(
            config, path, "limits", _raised(edit.queue_at(config, path, partition).limits, kind, who, remedy), partition
        ),
    )


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


# ---- nodes --------------------------------------------------------------------------------------------------------


def _find_a_node(case: _Case) -> Trials:
    """W-15 to W-20: wait until the ask may reserve, open a drained node with room, add a node."""
    left = case.ask.created_ns + reservations.DELAY_NS + 1 - case.now_ns
    if case.refusal.code in ("W-17", "W-18") and left > 0:
        yield case.trial(Remedy("wait", case.ask.key, after=left), Advance(ns=left))
    drained = sorted(
        (node for node in case.partition.nodes.values() if not node.schedulable and fit_in(node.available, case.ask.resource)),
        key=lambda node: node.id,
    )
    for node in drained[:1]:
        yield case.trial(
            Remedy("undrain", node.id, before="draining", after="schedulable"),
            UndrainNode(node_id=node.id, partition=case.partition.name),
        )
    yield from _further_node(case)


def _further_node(case: _Case) -> Trials:
    """A node just large enough, under the name that the ask requires if there is one."""
    ask = case.ask
    name = ask.required_node if case.refusal.code == "W-12" else _free_name(case.partition, ask)
    yield case.trial(
        Remedy("node", name, after=ask.resource),
        AddNode(node_id=name, capacity=ask.resource, attributes=ask.node_selector, partition=case.partition.name),
    )


def _free_name(partition: Partition, ask: Allocation) -> str:
    allowed = sorted(ask.allowed_nodes - set(partition.nodes)) if ask.allowed_nodes is not None else []
    if allowed:
        return allowed[0]
    number = 1
    while f"further-node-{number}" in partition.nodes:
        number += 1
    return f"further-node-{number}"


def _first_node(case: _Case) -> Trials:
    """W-01 while no node is registered."""
    if case.partition.root.maximum is None:
        yield from _further_node(case)


def _larger_node(case: _Case) -> Trials:
    """W-13: the node that the ask must run on, larger by what is missing there."""
    node = case.partition.nodes.get(str(case.refusal.numbers["node"]))
    if node is None:
        return
    short = {
        name: need - node.available.get(name, 0) for name, need in case.ask.resource.items() if need > node.available.get(name, 0)
    }
    if short:
        capacity = add(node.capacity, Resource(short))
        yield case.trial(
            Remedy("resize", node.id, before=node.capacity, after=capacity),
            UpdateNode(node_id=node.id, capacity=capacity, partition=case.partition.name),
        )


# ---- time ---------------------------------------------------------------------------------------------------------


def _wait_for_backoff(case: _Case) -> Trials:
    """W-07: until the backoff is over."""
    left = int(case.refusal.numbers["deadline_ns"]) - int(case.refusal.numbers["now_ns"])
    yield case.trial(Remedy("wait", case.application.id, after=left), Advance(ns=left))


def _start_sooner(case: _Case) -> Trials:
    """W-24: until the one that is starting runs, or a policy that lets all start."""
    numbers, leaf = case.refusal.numbers, case.application.queue
    if "starting" in numbers:
        left = case.partition.profile.state_timers["Starting"].length_ns - int(numbers["age_ns"])
        yield case.trial(Remedy("wait", case.application.id, after=left), Advance(ns=left))
    policy = leaf.settings.application_sort_policy
    yield from case.edit_property(Remedy("sort-policy", leaf.path, before=policy, after="fifo"), SORT_POLICY)


def _later_backoff(case: _Case) -> Trials:
    """W-08: a threshold that the asks before this one do not reach."""
    threshold, position = int(case.refusal.numbers["threshold"]), int(case.refusal.numbers["position"])
    for wanted in range(threshold + 1, position + 2):
        yield from case.edit_property(Remedy("backoff", case.application.queue_path, before=threshold, after=wanted), BACKOFF)


def _help_to_preempt(case: _Case) -> Trials:
    """What would let the ask make room for itself: its time, or a guarantee that holds it. W-23."""
    why = case.refusal.numbers.get("preemption")
    if not isinstance(why, Refusal):
        return
    if why.code == "V-07":
        left = int(why.numbers["delay_ns"]) - int(why.numbers["age_ns"])
        yield case.trial(Remedy("wait", case.ask.key, after=left), Advance(ns=left))
    elif why.code == "V-08":
        yield case.trial(Remedy("wait", case.ask.key, after=why.numbers["left_ns"]), Advance(ns=int(why.numbers["left_ns"])))
    elif why.code in ("V-10", "V-11"):
        leaf, wanted = case.application.queue, dict((case.application.queue.guaranteed or EMPTY).items())
        used = sub_only_existing(leaf.allocated, leaf.preempting) or EMPTY
        for name, need in case.ask.resource.items():
            wanted[name] = max(wanted.get(name, 0), used.get(name, 0) + need)
        # An ask that was looked at is looked at again 15 s later (P-23).
        yield from _guarantee(case, leaf, wanted, Advance(ns=CHECK_EVERY_NS))


_PROPOSALS: Mapping[str, Callable[[_Case], Trials]] = {
    "W-01": _first_node,
    "W-03": _overtake,
    "W-05": _more_applications,
    "W-06": _raise_limit,
    "W-07": _wait_for_backoff,
    "W-08": _later_backoff,
    "W-10": _raise_limit,
    "W-11": _raise_maximum,
    "W-12": _further_node,
    "W-13": _larger_node,
    "W-14": _raise_maximum,
    "W-15": _find_a_node,
    "W-16": _further_node,
    "W-17": _find_a_node,
    "W-18": _find_a_node,
    "W-19": _find_a_node,
    "W-20": _find_a_node,
    "W-24": _start_sooner,
}
"""Code of the reason -> changes worth trying."""
