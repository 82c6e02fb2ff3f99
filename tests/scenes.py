"""Small scenes for tests: a queue tree in a few lines, events as in a scenario, and short questions about the result.

    scene = Scene("a: {max: {vcore: 4}}")
    scene.node("n1", vcore=10).app("x", "root.a").asks("x", 3, vcore=2)
    assert scene.cycles(3) == ["x-0", "x-1"]

Amounts are whole cores and plain counts: vcore=2 is 2000 millicores. Every event is followed by 1 ms and every cycle by
101 ms, as in the recorded scenarios, and releases of the scheduler are confirmed unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml

from workbench.config import load_config
from workbench.scheduler import invariants
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import tree
from workbench.scheduler.preemption.general import Attempt
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    Command,
    Cycle,
    DrainNode,
    Release,
    RemoveApplication,
    RemoveNode,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import (
    Allocated,
    ApplicationRejected,
    ApplicationUpdated,
    AskRejected,
    ConfigRejected,
    Event,
    NodeRejected,
    Released,
    Surprised,
)
from workbench.scheduler.records.state import Allocation, Application, Node, Partition, Queue
from workbench.simulation import driver
from workbench.values.resources import Resource

MS_NS = 10**6


def amounts(**given: int | float) -> Resource:
    """vcore in whole cores, everything else as it is."""
    return Resource({name: int(value * 1000) if name == "vcore" else int(value) for name, value in given.items()})


def config_text(queues: str = "a: {}", **partition: Any) -> str:
    """A queues.yaml from a short form: `name: {key: value, children...}`.

    Keys of a queue are max, guaranteed, maxapplications, parent, submitacl, adminacl, limits, template, and any property
    by its full name; every other key is a child queue. `partition` adds keys of the partition, e.g. preemption={...}.
    """
    root = _queue("root", yaml.safe_load(queues) or {})
    root.setdefault("submitacl", "*")
    return yaml.safe_dump({"partitions": [{"name": "default", "queues": [root], **partition}]}, sort_keys=False)


def _queue(name: str, short: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name}
    for key, value in (short or {}).items():
        if key in ("max", "guaranteed"):
            made.setdefault("resources", {})[key] = value
        elif key in ("maxapplications", "parent", "submitacl", "adminacl", "limits"):
            made[key] = value
        elif key == "template":
            made["childtemplate"] = value
        elif "." in key:
            made.setdefault("properties", {})[key] = str(value)
        else:
            made.setdefault("queues", []).append(_queue(key, value or {}))
    return made


def attempt(decision: Decision) -> Attempt:
    """The last attempt at preemption of a cycle, with everything that it looked at."""
    return decision.preemptions[-1][1]


def keys(allocations: Iterable[Allocation] | None) -> list[str] | None:
    return None if allocations is None else [allocation.key for allocation in allocations]


def refusals(decision: Decision, kind: str) -> dict[str, str]:
    """Candidate -> code of its refusal, on every level of a kind: "queue", "application", "ask" or "node"."""
    return {
        each.name: each.refusal.code
        for level in decision.levels
        if level.kind == kind
        for each in level.candidates
        if each.refusal is not None
    }


def no_preemption(decision: Decision) -> dict[str, str]:
    """Ask -> code of the reason for which it could not preempt."""
    return {
        each.name: each.refusal.preemption.code
        for level in decision.levels
        if level.kind == "ask"
        for each in level.candidates
        if each.refusal is not None and each.refusal.preemption is not None
    }


class Scene:
    """One engine and what it answered. Methods that do something return the scene, so that they chain."""

    def __init__(self, queues: str = "a: {}", *, confirm: bool = True, grace_s: float = 0, release: str = "1.8", **partition: Any):
        self.engine = Engine(load_config(config_text(queues, **partition)), release=release)
        self.confirm = confirm
        self.grace_ns = round(grace_s * 1000) * MS_NS
        """How long what is stopped takes to end."""
        self.events: list[Event] = []
        """Everything since the last `forget`."""
        self._unconfirmed: list[tuple[int, Released]] = []
        """(when it was announced, release) of what the resource manager has not answered."""
        self.engine.apply(Advance(ns=MS_NS))

    # -- events

    def node(self, id: str, **capacity: int | float) -> Scene:
        return self.send(AddNode(node_id=id, capacity=amounts(**capacity)))

    def resize_node(self, id: str, **capacity: int | float) -> Scene:
        return self.send(UpdateNode(node_id=id, capacity=amounts(**capacity)))

    def drain(self, id: str) -> Scene:
        return self.send(DrainNode(node_id=id))

    def undrain(self, id: str) -> Scene:
        return self.send(UndrainNode(node_id=id))

    def remove_node(self, id: str) -> Scene:
        return self.send(RemoveNode(node_id=id))

    def app(
        self,
        id: str,
        queue: str = "root.a",
        user: str = "user",
        groups: tuple[str, ...] = (),
        *,
        gang: dict[str, int | float] | None = None,
        style: str = "",
        timeout_s: int = 0,
        tags: dict[str, str] | None = None,
    ) -> Scene:
        return self.send(
            AddApplication(
                application=ApplicationSpec(
                    id=id,
                    queue=queue,
                    user=user,
                    groups=groups,
                    tags=tags or {},
                    gang_style=style,
                    placeholder_ask=amounts(**gang) if gang else None,
                    execution_timeout_ns=timeout_s * 10**9,
                )
            )
        )

    def runs(self, app: str, queue: str, count: int, *, on: str = "n1", **fields: Any) -> Scene:
        """An application with so many equal allocations `app-0`, `app-1`, ... on a node, the first the oldest."""
        return self.app(app, queue).asks(app, count, on=on, **fields)

    def wants(self, app: str, queue: str, count: int = 1, **fields: Any) -> Scene:
        """An application with so many equal asks `app-0`, `app-1`, ..."""
        return self.app(app, queue).asks(app, count, **fields)

    def remove_app(self, id: str) -> Scene:
        return self.send(RemoveApplication(application_id=id))

    def ask(
        self,
        app: str,
        key: str,
        *,
        on: str = "",
        foreign: bool = False,
        priority: int = 0,
        created_ns: int | None = None,
        group: str = "",
        placeholder: bool = False,
        originator: bool = False,
        may_be_victim: bool = True,
        may_preempt: bool = True,
        required: str = "",
        allowed: tuple[str, ...] | None = None,
        **size: int | float,
    ) -> Scene:
        """An ask of one core unless a size is given; with `on` it already runs there."""
        spec = AskSpec(
            application_id=app,
            key=key,
            resource=amounts(**(size or {"vcore": 1})),
            priority=priority,
            created_ns=created_ns,
            task_group=group,
            placeholder=placeholder,
            originator=originator,
            allow_preempt_self=may_be_victim,
            allow_preempt_other=may_preempt,
            required_node=required,
            allowed_nodes=allowed,
        )
        if on:
            return self.send(AddAllocation(ask=spec, node_id=on, foreign=foreign))
        return self.send(AddAsk(ask=spec))

    def asks(self, app: str, count: int, **fields: Any) -> Scene:
        """Equal asks `app-0`, `app-1`, ..."""
        for number in range(count):
            self.ask(app, f"{app}-{number}", **fields)
        return self

    def placeholders(self, app: str, count: int, group: str = "tg", **size: int | float) -> Scene:
        for number in range(count):
            self.ask(app, f"{app}-ph-{number}", group=group, placeholder=True, **size)
        return self

    def release(self, app: str, key: str = "", type: str = "STOPPED_BY_RM") -> Scene:
        return self.send(Release(application_id=app, key=key, type=type))

    def reload(self, queues: str, **partition: Any) -> Scene:
        return self.send(UpdateConfig(config=config_text(queues, **partition)))

    def advance(self, seconds: float) -> Scene:
        self._apply(Advance(ns=round(seconds * 1000) * MS_NS))
        self._confirm()
        return self

    def send(self, command: Command) -> Scene:
        self._apply(command)
        return self._apply(Advance(ns=MS_NS))

    def cycle(self) -> Decision:
        """One traced cycle and the time after it; what it decided."""
        self._apply(Cycle(), traced=True)
        decision = self.engine.decisions[0]
        self._apply(Advance(ns=101 * MS_NS))
        self._confirm()
        return decision

    def later(self, seconds: float = 30) -> Decision:
        """What the first cycle decides after so much time; 30 s is when an ask may preempt."""
        return self.advance(seconds).cycle()

    def run_for(self, seconds: float) -> Scene:
        """One cycle after the other for so much time."""
        until_ns = self.engine.state.now_ns + round(seconds * 1000) * MS_NS
        while self.engine.state.now_ns < until_ns:
            self._apply(Cycle())
            self._apply(Advance(ns=101 * MS_NS))
            self._confirm()
        return self

    def cycles(self, count: int) -> list[str]:
        """Keys of the asks that so many cycles placed, in order."""
        decisions = [self.cycle() for _ in range(count)]
        return [decision.key for decision in decisions if decision.outcome == "allocated"]

    def confirm_releases(self, *, older_than_ns: int = 0) -> Scene:
        """The resource manager reports the end of what the scheduler stopped."""
        until_ns = self.engine.state.now_ns - older_than_ns
        ended = [release for announced_ns, release in self._unconfirmed if announced_ns <= until_ns]
        self._unconfirmed = [(announced_ns, release) for announced_ns, release in self._unconfirmed if announced_ns > until_ns]
        for release in ended:
            self.send(Release(application_id=release.application_id, key=release.key, type=release.type))
        return self

    def forget(self) -> Scene:
        """Start a new list of events."""
        self.events.clear()
        return self

    # -- questions

    @property
    def partition(self) -> Partition:
        return self.engine.state.partitions["default"]

    @property
    def now_s(self) -> float:
        return self.engine.state.now_ns / 10**9

    def queue(self, path: str) -> Queue:
        found = tree.find(self.partition, path)
        assert found is not None, f"no queue {path}"
        return found

    def has_queue(self, path: str) -> bool:
        return tree.find(self.partition, path) is not None

    def application(self, id: str) -> Application:
        """An application, wherever it is kept."""
        tables = (self.partition.applications, self.partition.completed, self.partition.rejected)
        return next(app for table in tables for app in table.values() if app.id == id)

    def state(self, id: str) -> str:
        return self.application(id).state

    def states(self, id: str) -> list[str]:
        """States that the application reported since the last `forget`."""
        return [event.state for event in self.events if isinstance(event, ApplicationUpdated) and event.application_id == id]

    def allocation(self, app: str, key: str) -> Allocation:
        return self.application(app).asks[key]

    def log(self, app: str, key: str) -> list[str]:
        """What the scheduler noted on an ask, each text once, in the order of their first time."""
        return list(self.allocation(app, key).log)

    def on(self, id: str) -> Node:
        return self.partition.nodes[id]

    def used(self, path: str, name: str = "vcore") -> float:
        """What a queue holds, in whole cores for vcore."""
        amount = self.queue(path).allocated.get(name, 0)
        return amount / 1000 if name == "vcore" else amount

    def placed(self) -> list[str]:
        return [event.key for event in self.events if isinstance(event, Allocated)]

    def released(self, type: str | None = None) -> list[str]:
        return [event.key for event in self.events if isinstance(event, Released) and type in (None, event.type)]

    def surprises(self) -> list[tuple[str, str, str, Resource]]:
        """The known surprises: rule, whose they are, the sum that is off, and by how much it counts too much."""
        return [(event.rule, event.subject, event.counts, event.amount) for event in self.events if isinstance(event, Surprised)]

    def surprised(self) -> list[str]:
        """What they say."""
        return [event.text for event in self.events if isinstance(event, Surprised)]

    def refused(self) -> list[str]:
        """The reasons of everything that was rejected."""
        kinds = (ApplicationRejected, AskRejected, NodeRejected, ConfigRejected)
        return [event.reason for event in self.events if isinstance(event, kinds)]

    # -- inside

    def _apply(self, command: Command, *, traced: bool = False) -> Scene:
        events = self.engine.apply(command, traced=traced)
        self.events.extend(events)
        self._unconfirmed += [(self.engine.state.now_ns, release) for release in driver.announced(events)]
        if not events and isinstance(command, Cycle | Advance):
            return self
        broken = invariants.check(self.engine.state)
        assert not broken, broken
        return self

    def _confirm(self) -> None:
        if self.confirm:
            self.confirm_releases(older_than_ns=self.grace_ns)
