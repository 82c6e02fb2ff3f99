"""Crowds: many asks of few shapes from many applications and users, under designs with every kind of rule.

The lists of `command_lists` mix sense and nonsense over few asks, and hypothesis likes them short. Here nearly everything is
sense, and there is much of it: bursts of equal asks, some of which fit nowhere, more applications than queues, cycles in
rows, room that comes and goes. So the searches have something to leave out, and something to notice again.

A crowd follows from a number, and fewer turns of the same number are the beginning of the same crowd.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import yaml
from command_lists import CONFIRM, MS_NS, Step, Story
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

LEAVES = ("root.papa.alpha", "root.papa.bravo", "root.charlie", "root.delta")
NODES = ("n1", "n2", "n3", "n4", "n5")
APPLICATIONS = tuple(f"a{number}" for number in range(9))

SHAPES = (
    Resource(vcore=1000),
    Resource(vcore=2000, memory=1),
    Resource(vcore=1000, gpu=1),
    Resource(vcore=500, memory=0),
    Resource(vcore=3000),
    Resource(memory=2),
    Resource(vcore=1000, fpga=0),
    Resource(vcore=1000, fpga=1),
    Resource(vcore=10**9),
    Resource(vcore=0),
)
"""Among them amounts of zero, types that no node has, one that fits nowhere, and one that is refused."""

CAPACITIES = (
    Resource(vcore=4000, memory=6),
    Resource(vcore=8000, memory=4, gpu=2),
    Resource(vcore=2500),
    Resource(vcore=0, memory=9),
)

PLACES = (
    {},
    {},
    {},
    {},
    {"required_node": "n1"},
    {"node_selector": {"zone": "east"}},
    {"allowed_nodes": ("n2", "n3")},
    {"tolerations": ("only",)},
    {"tolerations": ("*",), "node_selector": {"zone": "west"}},
)
"""What an ask may say of the nodes that it accepts."""


# -- designs ----------------------------------------------------------------------------------------------------------

PROPERTIES: dict[str, list[str | None]] = {
    "application.sort.policy": [None, None, "fair"],
    "application.sort.priority": [None, None, None, "disabled"],
    "priority.offset": [None, None, "-3", "10"],
    "priority.policy": [None, None, None, "fence"],
    "preemption.policy": [None, None, None, None, "fence", "disabled"],
    "preemption.delay": ["1s", "1s", None],
    "preemption.quota.delay": [None, "2s"],
    "application.unschedasks.backoff": [None, None, None, "2"],
    "application.unschedasks.backoff.delay": ["1s"],
}

LIMITS: list[list[dict[str, Any]] | None] = [
    None,
    None,
    None,
    [{"limit": "one user", "users": ["ann"], "maxresources": {"vcore": 3}}],
    [{"limit": "everybody", "users": ["*"], "maxresources": {"vcore": 4}, "maxapplications": 2}],
    [
        {"limit": "a group", "groups": ["dev"], "maxresources": {"vcore": 5, "memory": 3}},
        {"limit": "a user", "users": ["bob"], "maxapplications": 1},
    ],
]


def design(chance: Random) -> str:
    """The text of a queues.yaml with the leaves of `LEAVES`. Some are not valid; then a reload is rejected."""
    leaf = {"maximum": [None, None, 3, 5], "guaranteed": [None, 2, 3]}
    papa = _queue(chance, "papa", maximum=[None, 6, 9], guaranteed=[None, None, 6])
    papa["queues"] = [_queue(chance, "alpha", **leaf), _queue(chance, "bravo", **leaf)]
    root = {
        "name": "root",
        "submitacl": "*",
        "queues": [papa, _queue(chance, "charlie", **leaf), _queue(chance, "delta", maximum=[None], guaranteed=[None, 4])],
    }
    partition = {
        "name": "default",
        "queues": [root],
        "nodesortpolicy": {
            "type": chance.choice(["fair", "binpacking"]),
            "resourceweights": chance.choice([{}, {"vcore": 2.0, "memory": 1.0, "gpu": 0.5}]),
        },
        "preemption": {"enabled": chance.choice([True, True, True, False]), "quotapreemptionenabled": chance.choice([True, False])},
    }
    return yaml.safe_dump({"partitions": [partition]}, sort_keys=False)


def _queue(chance: Random, name: str, *, maximum: list[int | None], guaranteed: list[int | None]) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name, "properties": {}, "resources": {}}
    for key, texts in PROPERTIES.items():
        made["properties"][key] = chance.choice(texts)
    # What 1.8 calls so has another name in 1.9.
    made["properties"]["quota.preemption.delay"] = made["properties"]["preemption.quota.delay"]
    for key, amounts in (("max", maximum), ("guaranteed", guaranteed)):
        made["resources"][key] = {"vcore": chance.choice(amounts)}
    made["properties"] = {key: text for key, text in made["properties"].items() if text is not None}
    made["resources"] = {key: amount for key, amount in made["resources"].items() if amount["vcore"] is not None}
    limits, most = chance.choice(LIMITS), chance.choice([None, None, None, 2])
    # The limits of a leaf may not exceed those of its parent; papa has none.
    return made | ({"limits": limits} if limits and name != "papa" else {}) | ({"maxapplications": most} if most else {})


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
class Crowd(Story):
    """A story whose `config` is the text itself."""

    @property
    def loaded(self) -> SchedulerConfig:
        return load_config(self.config)


def crowds(*, longest: int = 35) -> st.SearchStrategy[Crowd]:
    """Crowds of up to so many turns; a failing one has no turn after the one that shows the failure."""
    return st.builds(crowd, st.integers(0, 2**32 - 1), st.integers(1, longest) | st.just(longest))


def crowd(number: int, turns: int) -> Crowd:
    """Nodes, applications and first bursts, then so many turns of several commands each."""
    chance = Random(number)
    config, release = _valid_design(chance), chance.choice(["1.8", "1.9", "1.9", "1.4"])
    return Crowd(config, release, tuple(_Happenings(chance).steps(turns)))


class _Happenings:
    """What happens, turn by turn. Every ask has a key of its own, which starts with its application."""

    def __init__(self, chance: Random):
        self._chance = chance
        self._asked: list[tuple[str, str]] = []

    def steps(self, turns: int) -> list[Step]:
        chance, kinds = self._chance, self._kinds()
        made: list[Step] = [self._node(name) for name in NODES[: chance.randint(2, len(NODES))]]
        made += [self._application(name) for name in APPLICATIONS]
        for _ in range(5):
            made += self._burst() + self._cycles()
        for _ in range(turns):
            (kind,) = chance.choices(list(kinds), kinds.values())
            made += kind()
        return made

    def _kinds(self) -> dict[Any, int]:
        """Kind of turn -> how often."""
        return {
            self._cycles: 10,
            self._burst: 6,
            self._waiting: 4,
            self._release: 3,
            self._room: 3,
            self._confirmation: 2,
            self._gang: 1,
            self._running: 1,
            self._arrival: 1,
            self._removal: 1,
            self._reload: 1,
        }

    def _cycles(self) -> list[Step]:
        return [Cycle()] * self._chance.randint(1, 6)

    def _confirmation(self) -> list[Step]:
        return [CONFIRM]

    def _waiting(self) -> list[Step]:
        return [Advance(ns=self._chance.choice([1, 100, 1_000, 2_100, 2_100, 31_000, 1_000_000]) * MS_NS), Cycle()]

    def _burst(self) -> list[Step]:
        return self._equal_asks(self._chance.randint(1, 8), placeholders=0)

    def _gang(self) -> list[Step]:
        """Placeholders, and as many real asks for their places."""
        count = self._chance.randint(1, 3)
        return self._equal_asks(2 * count, placeholders=count)

    def _equal_asks(self, count: int, *, placeholders: int) -> list[Step]:
        chance = self._chance
        application, shape = chance.choice(APPLICATIONS), chance.choice(SHAPES)
        say = {
            "priority": chance.choice([0, 0, 0, 5]),
            **chance.choice(PLACES),
            "allow_preempt_self": chance.choice([True, True, False]),
            "task_group": "tg" if placeholders else "",
        }
        return [
            AddAsk(
                ask=AskSpec(
                    application_id=application, key=self._key(application), resource=shape, placeholder=number < placeholders, **say
                )
            )
            for number in range(count)
        ]

    def _key(self, application: str) -> str:
        key = f"{application}-{len(self._asked)}"
        self._asked.append((application, key))
        return key

    def _running(self) -> list[Step]:
        chance, application = self._chance, self._chance.choice(APPLICATIONS)
        return [
            AddAllocation(
                ask=AskSpec(application_id=application, key=self._key(application), resource=chance.choice(SHAPES[:6])),
                node_id=chance.choice(NODES),
            )
            for _ in range(chance.randint(1, 4))
        ]

    def _release(self) -> list[Step]:
        """Asks or allocations that were once there end, or everything of their application does."""
        chosen = self._chance.choices(self._asked, k=self._chance.randint(1, 4))
        whole = self._chance.choice([False, False, False, True])
        return [Release(application_id=application, key="" if whole else key) for application, key in chosen]

    def _room(self) -> list[Step]:
        """Something about a node changes."""
        chance, name = self._chance, self._chance.choice(NODES)
        kind = chance.choice([AddNode, AddNode, UpdateNode, DrainNode, UndrainNode, UndrainNode, RemoveNode])
        if kind is AddNode:
            return [self._node(name)]
        if kind is UpdateNode:
            return [UpdateNode(node_id=name, capacity=chance.choice(CAPACITIES))]
        return [kind(node_id=name)]

    def _node(self, name: str) -> AddNode:
        chance, zone = self._chance, self._chance.choice([None, "east", "west"])
        return AddNode(
            node_id=name,
            capacity=chance.choice(CAPACITIES),
            attributes={"zone": zone} if zone else {},
            schedulable=chance.choice([True, True, True, False]),
            taints=chance.choice([(), (), (), ("only=these:NoSchedule",), ("rather:PreferNoSchedule",)]),
        )

    def _arrival(self) -> list[Step]:
        return [self._application(self._chance.choice(APPLICATIONS))]

    def _application(self, name: str) -> AddApplication:
        chance = self._chance
        return AddApplication(
            application=ApplicationSpec(
                id=name,
                queue=chance.choice(LEAVES),
                user=chance.choice(["ann", "bob", "cid"]),
                groups=chance.choice([(), (), ("dev",)]),
                placeholder_ask=chance.choice([None, None, None, Resource(vcore=2000)]),
                gang_style=chance.choice(["Soft", "Hard"]),
                execution_timeout_ns=chance.choice([0, 3000]) * MS_NS,
            )
        )

    def _removal(self) -> list[Step]:
        return [RemoveApplication(application_id=self._chance.choice(APPLICATIONS))]

    def _reload(self) -> list[Step]:
        return [UpdateConfig(config=design(self._chance))]
