"""Lists of commands for property tests, sense and nonsense mixed, over few names so that they meet.

A list is what hypothesis shrinks and prints; it can be pasted into a test as it stands. `Confirm` stands for the resource
manager answering the releases that the scheduler has announced, whatever these are when its turn comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.scheduler.engine import Engine
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
from workbench.scheduler.records.events import Event, Released
from workbench.values.resources import Resource

MS_NS = 10**6
SECOND_NS = 10**9

FLAT = """
partitions:
- name: default
  preemption: {quotapreemptionenabled: true}
  queues:
  - name: root
    submitacl: "*"
    queues:
    - name: alpha
      resources: {guaranteed: {vcore: 2}, max: {vcore: 8}}
      properties: {preemption.quota.delay: 1s, quota.preemption.delay: 1s}
    - name: bravo
      maxapplications: 2
      properties: {application.sort.policy: fair, preemption.delay: 1s, application.unschedasks.backoff: 2}
    - name: charlie
      resources: {max: {vcore: 5, memory: 6}}
      properties: {priority.offset: 10, quota.preemption.delay: 2s}
"""

LOWERED = FLAT.replace("max: {vcore: 8}", "max: {vcore: 3}").replace("vcore: 5, memory: 6", "vcore: 2")
"""Maxima that quota preemption may have to enforce."""

TREE = """
partitions:
- name: default
  nodesortpolicy: {type: binpacking, resourceweights: {vcore: 2, memory: 1}}
  placementrules:
  - name: provided
    create: true
  queues:
  - name: root
    submitacl: "*"
    limits:
    - {limit: everybody, users: ["*"], maxapplications: 3, maxresources: {vcore: 9}}
    queues:
    - name: papa
      resources: {guaranteed: {vcore: 4, memory: 4}, max: {vcore: 9}}
      properties: {priority.policy: fence, application.sort.priority: disabled, preemption.delay: 1s}
      queues:
      - {name: alpha, resources: {guaranteed: {vcore: 2}}}
      - {name: bravo, properties: {application.sort.policy: fair, priority.offset: -3}}
    - name: charlie
      properties: {preemption.policy: fence}
      childtemplate: {maxapplications: 2, resources: {max: {vcore: 4}}}
      parent: true
"""

CONFIGS = {"flat": FLAT, "tree": TREE}
LEAVES = {
    "flat": ("root.alpha", "root.bravo", "root.charlie"),
    "tree": ("root.papa.alpha", "root.papa.bravo", "root.charlie.delta", "root.echo"),
}


@dataclass(frozen=True)
class Confirm:
    """The resource manager confirms every release that the scheduler announced and it has not confirmed yet."""


CONFIRM = Confirm()
Step = Command | Confirm

NODES = st.sampled_from(["n1", "n2", "n3", "n4"])
SOME_NODES = st.lists(NODES, min_size=1, max_size=2, unique=True).map(tuple)
NAMES = ("x", "y", "z")
APPLICATIONS = st.sampled_from(NAMES)
KEYS = st.sampled_from([f"{name}{number}" for name in NAMES for number in range(5)])
"""Ask keys start with the name of their application: like the core, nodes know allocations by key alone."""
TYPES = ["STOPPED_BY_RM", "TIMEOUT", "PREEMPTED_BY_SCHEDULER", "PLACEHOLDER_REPLACED", "UNKNOWN_TERMINATION_TYPE"]
PRIORITIES = st.sampled_from([0, 0, 1, 5, -3, 2**31 - 1, -(2**31)])


@st.composite
def sizes(draw: st.DrawFn, vcore: int, memory: int) -> Resource:
    """Up to so many whole cores and so much memory; any type but vcore can be missing."""
    amounts = {
        "vcore": draw(st.integers(1, vcore)) * 1000,
        "memory": draw(st.none() | st.integers(0, memory)),
        "gpu": draw(st.sampled_from([None, None, None, 0, 1])),
    }
    return Resource({name: amount for name, amount in amounts.items() if amount is not None})


CAPACITIES = sizes(9, 9)
ASKED = sizes(4, 3)
IMPOSSIBLE = st.sampled_from([Resource({}), Resource(vcore=0), Resource(vcore=-1000), Resource(vcore=10**15)])


@st.composite
def ask_specs(draw: st.DrawFn) -> AskSpec:
    """An ask of a known application, now and then with everything that can be said about one."""
    key = draw(KEYS)
    plain = AskSpec(application_id=key[0], key=key, resource=draw(ASKED), priority=draw(PRIORITIES))
    if draw(st.integers(0, 2)):
        return plain
    return AskSpec(
        application_id=plain.application_id,
        key=plain.key,
        resource=draw(ASKED | ASKED | IMPOSSIBLE),
        priority=plain.priority,
        created_ns=draw(st.sampled_from([None, None, 0, SECOND_NS])),
        task_group=draw(st.sampled_from(["", "", "tg", "tg2"])),
        placeholder=draw(st.booleans()),
        originator=draw(st.booleans()),
        allow_preempt_self=draw(st.booleans()),
        allow_preempt_other=draw(st.booleans()),
        required_node=draw(st.just("") | NODES),
        allowed_nodes=draw(st.none() | SOME_NODES),
    )


def applications(leaves: Sequence[str]) -> st.SearchStrategy[ApplicationSpec]:
    gangs = st.sampled_from([None, None, Resource(vcore=2000), Resource(vcore=6000)])
    return st.builds(
        ApplicationSpec,
        id=APPLICATIONS,
        queue=st.sampled_from([*leaves, *leaves, "root.unknown", ""]),
        user=st.sampled_from(["ann", "bob"]),
        groups=st.sampled_from([(), ("dev",)]),
        placeholder_ask=gangs,
        gang_style=st.sampled_from(["Soft", "Hard"]),
        execution_timeout_ns=st.sampled_from([0, 3 * SECOND_NS]),
    )


@st.composite
def releases(draw: st.DrawFn) -> Release:
    """Of a key of its application, of everything, or of something unknown."""
    key, whole = draw(KEYS), draw(st.sampled_from([False, False, False, True]))
    return Release(application_id=key[0], key="" if whole else key, type=draw(st.sampled_from([TYPES[0], *TYPES])))


def steps(config: str) -> st.SearchStrategy[Step]:
    """One command; cycles and asks come most often."""
    waits = st.sampled_from([1, 100, 2_100, 2_100, 31_000, 10**6, 3_700_000])
    weighted: list[tuple[int, st.SearchStrategy[Step]]] = [
        (16, st.just(Cycle())),
        (14, st.builds(AddAsk, ask=ask_specs())),
        (4, st.just(CONFIRM)),
        (5, releases()),
        (4, st.builds(AddAllocation, ask=ask_specs(), node_id=NODES)),
        (5, st.builds(Advance, ns=waits.map(lambda ms: ms * MS_NS))),
        (3, st.builds(AddApplication, application=applications(LEAVES[config]))),
        (1, foreign_loads()),
        (3, st.builds(AddNode, node_id=NODES, capacity=CAPACITIES, schedulable=st.sampled_from([True, True, True, False]))),
        (2, st.builds(UpdateNode, node_id=NODES, capacity=CAPACITIES)),
        (1, st.builds(DrainNode, node_id=NODES)),
        (1, st.builds(UndrainNode, node_id=NODES)),
        (1, st.builds(RemoveNode, node_id=NODES)),
        (1, st.builds(RemoveApplication, application_id=APPLICATIONS)),
        (2, st.sampled_from([UpdateConfig(config=text) for text in (FLAT, TREE, LOWERED, "partitions: {")])),
    ]
    return st.sampled_from([strategy for weight, strategy in weighted for _ in range(weight)]).flatmap(lambda chosen: chosen)


@st.composite
def foreign_loads(draw: st.DrawFn) -> Command:
    """Load of another scheduler, reported or gone; now and then under the key of an own allocation (R-415)."""
    key = draw(st.sampled_from(["f1", "f1", "f2", "f2", "x0", "y1"]))
    if draw(st.booleans()):
        return Release(application_id="", key=key)
    return AddAllocation(ask=AskSpec(application_id="", key=key, resource=draw(ASKED)), node_id=draw(NODES), foreign=True)


@dataclass(frozen=True)
class Story:
    """A configuration and what happens under it. It starts with a node and an application, or little would."""

    config: str
    release: str
    steps: tuple[Step, ...]

    def engine(self, **options) -> Engine:
        return Engine(self.loaded, release=self.release, **options)

    @property
    def loaded(self) -> SchedulerConfig:
        return load_config(CONFIGS[self.config])


@st.composite
def stories(draw: st.DrawFn, *, longest: int = 40, reload: bool = True) -> Story:
    """Two nodes and three applications, perhaps a gang, then anything."""
    config = draw(st.sampled_from(sorted(CONFIGS)))
    start: list[Step] = [AddNode(node_id=node, capacity=draw(CAPACITIES)) for node in ("n1", "n2")]
    start += [
        AddApplication(application=ApplicationSpec(id=name, queue=draw(st.sampled_from(LEAVES[config])), user="ann"))
        for name in NAMES
    ]
    if draw(st.integers(0, 3)) == 0:
        start += gang(draw(ASKED))
    rest = draw(st.lists(steps(config), min_size=longest // 2, max_size=longest))
    if not reload:
        rest = [step for step in rest if not isinstance(step, UpdateConfig)]
    return Story(config, draw(st.sampled_from(["1.8", "1.9", "1.9", "1.4"])), (*start, *rest))


def gang(size: Resource) -> list[Step]:
    """Two placeholders of application x, the cycles to place them, and a real ask that can replace one."""
    asks = [
        AskSpec(application_id="x", key=f"x{number}", resource=size, task_group="tg", placeholder=number < 2) for number in range(3)
    ]
    return [AddAsk(ask=asks[0]), AddAsk(ask=asks[1]), Cycle(), Cycle(), AddAsk(ask=asks[2])]


def commands(engine: Engine, steps: Sequence[Step]) -> Iterator[tuple[Command, tuple[Event, ...]]]:
    """Carry out the steps one by one: each command with what it caused. A `Confirm` becomes the releases that it means."""
    announced: list[Released] = []
    for step in steps:
        meant: list[Command] = [step]
        if isinstance(step, Confirm):
            meant = [Release(application_id=each.application_id, key=each.key, type=each.type) for each in announced]
            announced = []
        for command in meant:
            caused = engine.apply(command)
            announced += [event for event in caused if isinstance(event, Released) and event.type != "STOPPED_BY_RM"]
            yield command, caused
