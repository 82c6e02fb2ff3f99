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
from workbench.resources import Resource
from workbench.scheduler.commands import (
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
from workbench.scheduler.engine import Engine
from workbench.scheduler.events import Event, Released

MS_NS = 10**6
SECOND_NS = 10**9

FLAT = """
partitions:
- name: default
  queues:
  - name: root
    submitacl: "*"
    queues:
    - name: alpha
      resources: {guaranteed: {vcore: 2}, max: {vcore: 8}}
    - name: bravo
      maxapplications: 2
      properties: {application.sort.policy: fair, preemption.delay: 1s, application.unschedasks.backoff: 2}
    - name: charlie
      resources: {max: {vcore: 5, memory: 6}}
      properties: {priority.offset: 10}
"""

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
LEAVES = {"flat": ("root.alpha", "root.bravo", "root.charlie"),
          "tree": ("root.papa.alpha", "root.papa.bravo", "root.charlie.delta", "root.echo")}


@dataclass(frozen=True)
class Confirm:
    """The resource manager confirms every release that the scheduler announced and it has not confirmed yet."""


CONFIRM = Confirm()
Step = Command | Confirm

NODES = st.sampled_from(["n1", "n2", "n3", "n4"])
SOME_NODES = st.lists(NODES, min_size=1, max_size=2, unique=True).map(tuple)
APPLICATIONS = st.sampled_from(["x", "y", "z"])
KEYS = st.sampled_from([f"k{number}" for number in range(8)])
TYPES = ["STOPPED_BY_RM", "TIMEOUT", "PREEMPTED_BY_SCHEDULER", "PLACEHOLDER_REPLACED", "UNKNOWN_TERMINATION_TYPE"]
PRIORITIES = st.sampled_from([0, 0, 1, 5, -3, 2**31 - 1, -2**31])


def sizes(vcore: int, memory: int) -> st.SearchStrategy[Resource]:
    """Up to so many whole cores and so much memory; any type can be missing."""
    return st.builds(
        lambda cores, memory, gpu: Resource(
            {name: amount for name, amount in (("vcore", cores), ("memory", memory), ("gpu", gpu)) if amount is not None}),
        st.integers(1, vcore).map(lambda cores: cores * 1000), st.none() | st.integers(0, memory),
        st.sampled_from([None, None, None, 0, 1]))


CAPACITIES = sizes(9, 9)
ASKED = sizes(4, 3)
IMPOSSIBLE = st.sampled_from([Resource({}), Resource(vcore=0), Resource(vcore=-1000), Resource(vcore=10**15)])


@st.composite
def ask_specs(draw: st.DrawFn) -> AskSpec:
    """An ask of a known application, now and then with everything that can be said about one."""
    plain = AskSpec(application_id=draw(APPLICATIONS), key=draw(KEYS), resource=draw(ASKED), priority=draw(PRIORITIES))
    if draw(st.integers(0, 2)):
        return plain
    return AskSpec(
        application_id=plain.application_id, key=plain.key, resource=draw(ASKED | ASKED | IMPOSSIBLE), priority=plain.priority,
        created_ns=draw(st.sampled_from([None, None, 0, SECOND_NS])), task_group=draw(st.sampled_from(["", "", "tg", "tg2"])),
        placeholder=draw(st.booleans()), originator=draw(st.booleans()), allow_preempt_self=draw(st.booleans()),
        allow_preempt_other=draw(st.booleans()), required_node=draw(st.just("") | NODES), allowed_nodes=draw(st.none() | SOME_NODES))


def applications(leaves: Sequence[str]) -> st.SearchStrategy[ApplicationSpec]:
    gangs = st.sampled_from([None, None, Resource(vcore=2000), Resource(vcore=6000)])
    return st.builds(
        ApplicationSpec, id=APPLICATIONS, queue=st.sampled_from([*leaves, *leaves, "root.unknown", ""]),
        user=st.sampled_from(["ann", "bob"]), groups=st.sampled_from([(), ("dev",)]), placeholder_ask=gangs,
        gang_style=st.sampled_from(["Soft", "Hard"]), execution_timeout_ns=st.sampled_from([0, 3 * SECOND_NS]))


def steps(config: str) -> st.SearchStrategy[Step]:
    """One command; cycles and asks come most often, messages about unknown things now and then."""
    waits = st.sampled_from([1, 100, 2_100, 31_000, 10**6])
    leaves = LEAVES[config]
    foreign = st.builds(lambda key, size, node: AddAllocation(
        ask=AskSpec(application_id="", key=key, resource=size), node_id=node, foreign=True),
        st.sampled_from(["f1", "f2"]), ASKED, NODES)
    return st.one_of(
        st.just(Cycle()), st.just(Cycle()), st.just(Cycle()), st.just(CONFIRM),
        st.builds(AddAsk, ask=ask_specs()), st.builds(AddAsk, ask=ask_specs()), st.builds(AddAsk, ask=ask_specs()),
        st.builds(AddApplication, application=applications(leaves)), st.builds(AddApplication, application=applications(leaves)),
        st.builds(AddNode, node_id=NODES, capacity=CAPACITIES, schedulable=st.sampled_from([True, True, True, False])),
        st.builds(AddAllocation, ask=ask_specs(), node_id=NODES), foreign,
        st.builds(UpdateNode, node_id=NODES, capacity=CAPACITIES), st.builds(DrainNode, node_id=NODES),
        st.builds(UndrainNode, node_id=NODES), st.builds(RemoveNode, node_id=NODES),
        st.builds(RemoveApplication, application_id=APPLICATIONS),
        st.builds(Release, application_id=APPLICATIONS, key=KEYS | st.just(""), type=st.sampled_from([TYPES[0], *TYPES])),
        st.builds(Release, application_id=st.just(""), key=st.sampled_from(["f1", "f2", "k0"])),
        st.builds(Advance, ns=waits.map(lambda ms: ms * MS_NS)),
        st.sampled_from([UpdateConfig(text=FLAT), UpdateConfig(text=TREE), UpdateConfig(text="partitions: {")]),
    )


@dataclass(frozen=True)
class Story:
    """A configuration and what happens under it. It starts with a node and an application, or little would."""

    config: str
    version: str
    steps: tuple[Step, ...]

    def engine(self, **options) -> Engine:
        return Engine(self.loaded, version=self.version, **options)

    @property
    def loaded(self) -> SchedulerConfig:
        return load_config(CONFIGS[self.config])


@st.composite
def stories(draw: st.DrawFn, *, length: int = 30, reload: bool = True) -> Story:
    config = draw(st.sampled_from(sorted(CONFIGS)))
    start = [
        AddNode(node_id="n1", capacity=draw(CAPACITIES)), AddNode(node_id="n2", capacity=draw(CAPACITIES)),
        AddApplication(application=ApplicationSpec(id="x", queue=draw(st.sampled_from(LEAVES[config])), user="ann")),
        AddApplication(application=ApplicationSpec(id="y", queue=draw(st.sampled_from(LEAVES[config])), user="bob")),
        AddAsk(ask=draw(ask_specs())), AddAsk(ask=draw(ask_specs())),
    ]
    rest = draw(st.lists(steps(config), min_size=5, max_size=length))
    if not reload:
        rest = [step for step in rest if not isinstance(step, UpdateConfig)]
    return Story(config, draw(st.sampled_from(["1.8", "1.8", "1.4"])), (*start, *rest))


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
