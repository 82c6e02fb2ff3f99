"""Takers: full clusters whose queues ask for what they are guaranteed, under trees with every rule of preemption.

The crowds of `crowds` seldom come to preempt; here nearly every cycle has somebody who may. Guarantees at up to three levels, of
one type or several, fences, offsets, names of which one begins another (P-47), running tasks of all ages and kinds, nodes
that are fuller than they are large, reservations old enough to be given up (P-67), releases that are confirmed at once, late or
never.

A story follows from a number, and fewer turns of the same number are the beginning of the same story.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from command_lists import CONFIRM, MS_NS, SECOND_NS, Step, Story
from hypothesis import strategies as st

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    Cycle,
    DrainNode,
    Release,
    RemoveApplication,
    RemoveNode,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.values.errors import ConfigError
from workbench.values.resources import Resource

NODES = ("n1", "n2", "n3", "n4", "n5", "n6")
LEAVES = ("root.team", "root.team2", "root.p.a", "root.p.b", "root.p.q.c", "root.p.q.d", "root.rest")
SIZES = (
    Resource(vcore=1000),
    Resource(vcore=1000),
    Resource(vcore=2000),
    Resource(vcore=1000, memory=1),
    Resource(vcore=2000, memory=3),
    Resource(vcore=3000),
    Resource(memory=2),
    Resource(vcore=1000, gpu=1),
    Resource(gpu=1),
    Resource(vcore=1000, memory=0),
)
CAPACITIES = (
    Resource(vcore=4000, memory=8),
    Resource(vcore=6000, memory=4),
    Resource(vcore=5000, memory=8, gpu=2),
    Resource(vcore=3000),
)
PLACES: tuple[dict[str, Any], ...] = (
    {"node_selector": {"zone": "east"}},
    {"allowed_nodes": ("n1", "n2")},
    {"tolerations": ("*",)},
    {"required_node": "n2"},
)
"""What an ask may say of the nodes that it accepts."""
PROPERTIES: dict[str, list[str | None]] = {
    "priority.offset": [None, None, None, "-2", "5"],
    "priority.policy": [None, None, None, None, "fence"],
    "preemption.policy": [None, None, None, None, None, "fence", "disabled"],
    "application.sort.policy": [None, None, "fair"],
    "application.unschedasks.backoff": [None] * 9 + ["2"],
}


# -- designs ----------------------------------------------------------------------------------------------------------


def design(chance: Random) -> str:
    """The text of a queues.yaml with the leaves of `LEAVES`; not every one is valid."""

    def queue(name: str, below: list[dict[str, Any]] | None = None, most: int = 6) -> dict[str, Any]:
        properties = {key: chance.choice(texts) for key, texts in PROPERTIES.items()}
        properties["preemption.delay"] = "1s"
        made: dict[str, Any] = {"name": name, "properties": {key: text for key, text in properties.items() if text is not None}}
        resources: dict[str, Any] = {}
        if chance.random() < 0.7:
            resources["guaranteed"] = {"vcore": chance.randint(2, most)}
            if chance.random() < 0.25:
                resources["guaranteed"]["memory"] = chance.randint(2, 9)
            if chance.random() < 0.15:
                resources["guaranteed"]["gpu"] = 1
        if chance.random() < 0.2:
            resources["max"] = {"vcore": chance.randint(4, 9)}
        if resources:
            made["resources"] = resources
        if below is not None:
            made["queues"] = below
        return made

    inner = queue("q", [queue("c"), queue("d")], 10)
    root = {
        "name": "root",
        "submitacl": "*",
        "queues": [queue("team"), queue("team2"), queue("p", [queue("a"), queue("b"), inner], 16), queue("rest")],
    }
    partition = {"name": "default", "queues": [root], "nodesortpolicy": {"type": chance.choice(["fair", "binpacking"])}}
    # JSON is YAML, and written fifty times faster.
    return json.dumps({"partitions": [partition]})


def _valid_design(chance: Random) -> str:
    while True:
        text = design(chance)
        try:
            load_config(text)
        except ConfigError:
            continue
        return text


# -- what happens -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Takers(Story):
    """A story whose `config` is the text itself."""

    @property
    def loaded(self) -> SchedulerConfig:
        return load_config(self.config)


def takers(*, longest: int = 25) -> st.SearchStrategy[Takers]:
    """Stories of up to so many turns; a failing one has no turn after the one that shows the failure."""
    return st.builds(story, st.integers(0, 2**32 - 1), st.integers(1, longest) | st.just(longest))


def story(number: int, turns: int) -> Takers:
    """A full cluster, then so many turns of several commands each."""
    chance = Random(number)
    config, release = _valid_design(chance), chance.choice(["1.8", "1.9", "1.4"])
    return Takers(config, release, tuple(_Happenings(chance).steps(turns)))


class _Happenings:
    """What happens, turn by turn. Every ask has a key of its own, but for a few that two applications share."""

    def __init__(self, chance: Random):
        self._chance = chance
        self._asked: list[tuple[str, str]] = []
        self._nodes = NODES[: chance.randint(1, len(NODES))]
        few = chance.random() < 0.6
        self._sizes = chance.sample(SIZES, chance.randint(1, 2)) if few else SIZES
        """Few, as in a cluster of one kind of work, or many."""
        self._priorities = (0,) if few else (0, 0, 0, 0, 3, -2)
        self._constrained = chance.random() < 0.3
        self._givers = chance.sample(LEAVES, chance.randint(1, 3))
        """Most of what runs is theirs, and most asks are of others."""
        others = [each for each in LEAVES if each not in self._givers]
        self._takers = chance.sample(others, 2) if few else others
        self._ages = chance.choice([(None,), (None, 0, 1, 2, 3)])

    def steps(self, turns: int) -> list[Step]:
        chance = self._chance
        kinds = {
            self._taking: 10,
            self._cycles: 8,
            self._confirmation: 6,
            self._waiting: 6,
            self._load: 4,
            self._release: 4,
            self._room: 3,
            self._old_reservation: 2,
            self._gang: 1,
            self._arrival: 1,
            self._removal: 1,
            self._reload: 0.5,
        }
        made: list[Step] = [self._node(name) for name in self._nodes]
        made += [self._application(name) for name in LEAVES]
        for _ in range(chance.randint(2, 5) * len(self._nodes)):
            made += self._load()
        made += self._taking() + self._taking() + [Advance(ns=1_100 * MS_NS)] + self._cycles()
        for _ in range(turns):
            (kind,) = chance.choices(list(kinds), list(kinds.values()))
            made += kind()
        return made

    def _spec(self, leaf: str, **say: Any) -> AskSpec:
        chance = self._chance
        age = chance.choice(self._ages)
        # A key that two applications share is what a node takes for one. R-470
        key = f"shared-{chance.randrange(3)}" if chance.random() < 0.01 else f"{leaf}-{len(self._asked)}"
        self._asked.append((leaf, key))
        say = {
            "priority": chance.choice(self._priorities),
            "allow_preempt_self": chance.random() < 0.8,
            "originator": chance.random() < 0.15,
            "created_ns": None if age is None else age * SECOND_NS,
            **say,
        }
        return AskSpec(application_id=leaf, key=key, resource=chance.choice(self._sizes), **say)

    def _load(self) -> list[Step]:
        """Something runs, whether there is room or not."""
        chance = self._chance
        place = {"required_node": "n1"} if chance.random() < 0.03 else {}
        leaf = chance.choice(self._givers if chance.random() < 0.8 else LEAVES)
        node_id = place.get("required_node") or chance.choice(self._nodes)
        return [AddAllocation(ask=self._spec(leaf, **place), node_id=node_id)]

    def _taking(self) -> list[Step]:
        """Somebody asks, mostly somebody who may preempt."""
        chance = self._chance
        leaf, count = chance.choice(self._takers), chance.randint(1, 3)
        place: dict[str, Any] = {}
        if self._constrained and chance.random() < 0.4:
            place = chance.choice(PLACES)
        return [
            *(AddAsk(ask=self._spec(leaf, allow_preempt_other=chance.random() < 0.95, **place)) for _ in range(count)),
            Advance(ns=chance.choice([1_100, 1_100, 2_100]) * MS_NS),
            Cycle(),
            Cycle(),
        ]

    def _cycles(self) -> list[Step]:
        return [Cycle()] * self._chance.randint(1, 5)

    def _confirmation(self) -> list[Step]:
        return [CONFIRM, Cycle(), Cycle()]

    def _waiting(self) -> list[Step]:
        ms = self._chance.choice([100, 1_100, 2_100, 15_000, 15_000, 31_000, 3_600_000, 7_300_000])
        return [Advance(ns=ms * MS_NS), Cycle(), Cycle()]

    def _old_reservation(self) -> list[Step]:
        """Nodes have waited for somebody for hours when somebody more important asks. P-67"""
        waits = [AddAsk(ask=self._spec(self._chance.choice(LEAVES), priority=-2)) for _ in range(4)]
        hours = [Advance(ns=2_100 * MS_NS), *[Cycle()] * 6, Advance(ns=7_300_000 * MS_NS), Cycle()]
        return [*waits, *hours, *self._taking()]

    def _release(self) -> list[Step]:
        chosen = self._chance.choices(self._asked, k=self._chance.randint(1, 3))
        return [Release(application_id=leaf, key=key) for leaf, key in chosen]

    def _room(self) -> list[Step]:
        """Something about a node changes."""
        chance, name = self._chance, self._chance.choice(self._nodes)
        kind = chance.choice([AddNode, UpdateNode, DrainNode, UndrainNode, UndrainNode, RemoveNode, AddAllocation, Release])
        if kind is AddNode:
            return [self._node(name)]
        if kind is UpdateNode:
            return [UpdateNode(node_id=name, capacity=chance.choice(CAPACITIES))]
        if kind is AddAllocation:
            size = AskSpec(application_id="", key="foreign", resource=Resource(vcore=1000, memory=1))
            return [AddAllocation(ask=size, node_id=name, foreign=True)]
        if kind is Release:
            return [Release(application_id="", key="foreign")]
        return [kind(node_id=name)]

    def _gang(self) -> list[Step]:
        """Placeholders, which can be victims, and real asks for their places."""
        leaf, size = self._chance.choice(LEAVES), self._chance.choice(self._sizes)
        count = self._chance.randint(1, 2)
        made: list[Step] = []
        for number in range(2 * count):
            self._asked.append((leaf, f"{leaf}-{len(self._asked)}"))
            ask = AskSpec(application_id=leaf, key=self._asked[-1][1], resource=size, task_group="tg", placeholder=number < count)
            made.append(AddAsk(ask=ask))
        return [*made, Cycle(), Cycle(), Cycle()]

    def _arrival(self) -> list[Step]:
        return [self._application(self._chance.choice(LEAVES))]

    def _application(self, leaf: str) -> AddApplication:
        return AddApplication(application=ApplicationSpec(id=leaf, queue=leaf, user="ann"))

    def _removal(self) -> list[Step]:
        return [RemoveApplication(application_id=self._chance.choice(LEAVES))]

    def _reload(self) -> list[Step]:
        return [UpdateConfig(config=design(self._chance)), Cycle()]

    def _node(self, name: str) -> AddNode:
        chance = self._chance
        zone = chance.choice(["east", "west"]) if self._constrained else None
        return AddNode(
            node_id=name,
            capacity=chance.choice(CAPACITIES),
            attributes={"zone": zone} if zone else {},
            taints=("only=these:NoSchedule",) if self._constrained and chance.random() < 0.2 else (),
        )
