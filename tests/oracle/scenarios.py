"""Random scenarios of families, each about some part of the scheduler, and far from small: the same seed makes the same scenario.

A family says which traits its configuration has, how the cluster is filled, and how likely each happening is afterwards. What a
scenario says can be read, and the order of its happenings makes sense often enough: nodes, applications and requests exist when
something happens to them, and now and then they do not any more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from oracle.trees import USERS, Amounts, Tree
from workbench.config import load_config
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.events import Released
from workbench.simulation import driver
from workbench.simulation.scenario import Scenario, parse_scenario

HOUR_MS = 3_600_000
TYPES = ("STOPPED_BY_RM", "TIMEOUT", "PREEMPTED_BY_SCHEDULER")
"""Of releases that nobody announced. Both cores end with a nil dereference when what has no replacement is said to be replaced."""
SMALL_ASK: Amounts = {"vcore": 480, "memory": 900_000}
USUAL_ASK: Amounts = {"vcore": 1_500, "memory": 2_700_000}
"""What a request of the first wave has, roughly: small ones that are taken for others later, and usual ones."""
LEAST: Amounts = {"vcore": 1_100, "memory": 1_900_000}
"""Of a node."""
ZONES = ("a", "b", "c")


@dataclass(frozen=True, slots=True)
class Family:
    """What a kind of scenario is about.

    Attributes:
        traits: of its configuration (`Tree`) and of its requests: "created", "placed", "gangs", "crowded".
        happenings: name of a method of `Story` -> how likely it is, in proportion.
        greedy: the first half of the leaves takes what there is, the other half asks later.
        confirms: the resource manager confirms at once what the scheduler announced.
    """

    traits: frozenset[str] = frozenset()
    happenings: Mapping[str, int] = field(default_factory=dict)
    greedy: bool = False
    confirms: bool = True


_CHURN = {"more_asks": 6, "release": 4, "add_node": 1, "remove_app": 1, "wait": 2}
FAMILIES: dict[str, Family] = {
    "deep": Family(frozenset({"priorities"}), {**_CHURN, "add_app": 2}),
    "nodes": Family(
        frozenset({"placed"}),
        {**_CHURN, "drain": 3, "undrain": 2, "remove_node": 2, "resize_node": 2, "drained_node": 2, "add_node": 3},
    ),
    "limits": Family(frozenset({"limits"}), {**_CHURN, "reload": 5, "add_app": 3}),
    "quota": Family(frozenset({"quota"}), {"lower": 5, "reload": 2, "wait": 4, "more_asks": 3, "hour": 1, "running": 1}),
    "cascade": Family(frozenset({"preemption"}), {"needy": 5, "wait": 6, "release": 1}, greedy=True),
    "gangs": Family(
        frozenset({"preemption", "gangs"}),
        {"gang": 5, "members": 7, "needy": 2, "wait": 4, "long_wait": 1, "release": 2, "drain": 1},
        greedy=True,
    ),
    "priorities": Family(
        frozenset({"priorities", "preemption"}), {"needy": 3, "more_asks": 3, "wait": 4, "reload": 1}, greedy=True
    ),
    "recovery": Family(
        frozenset({"created"}), {**_CHURN, "running": 5, "foreign": 3, "drained_node": 1, "resize": 3, "add_app": 2}
    ),
    "late": Family(
        frozenset({"preemption", "gangs"}),
        {"needy": 3, "gang": 2, "members": 4, "confirm": 7, "wait": 4},
        greedy=True,
        confirms=False,
    ),
    "typed": Family(frozenset({"gangs"}), {**_CHURN, "typed_release": 5, "gang": 2, "members": 3}),
    "created": Family(frozenset({"created", "preemption"}), {"needy": 4, "more_asks": 2, "wait": 4, "hour": 1}, greedy=True),
    "dynamic": Family(frozenset({"dynamic"}), {**_CHURN, "add_app": 5, "long_wait": 1, "reload": 1}),
    "daemons": Family(frozenset({"preemption"}), {"daemon": 5, "more_asks": 2, "wait": 4, "drain": 1, "undrain": 1}, greedy=True),
    "crowded": Family(frozenset({"crowded"}), {**_CHURN, "more_asks": 12, "reload": 1}),
    "mixed": Family(
        frozenset({"preemption", "quota", "limits", "priorities", "gangs", "placed", "created"}),
        {
            **_CHURN,
            **dict.fromkeys(("needy", "gang", "members", "reload", "running", "foreign", "resize", "add_app"), 2),
            **dict.fromkeys(("drain", "undrain", "remove_node", "daemon", "long_wait", "hour", "lower"), 1),
        },
    ),
}


@dataclass(frozen=True, slots=True)
class Size:
    """How large scenarios may be: levels and queues below root, nodes, requests of the first wave, happenings afterwards."""

    depth: int
    queues: int
    nodes: int
    asks: int
    happenings: int


LARGE = Size(depth=6, queues=60, nodes=200, asks=160, happenings=40)
SMALL = Size(depth=3, queues=9, nodes=5, asks=22, happenings=10)
NARROW = Size(depth=4, queues=14, nodes=9, asks=50, happenings=20)


def scenario(seed: int, *, release: str, size: Size | None = None, families: tuple[str, ...] = tuple(FAMILIES)) -> Scenario:
    """The scenario of a seed, for an engine release. Seeds take turns in the families; without a size, that is drawn, too."""
    family = families[seed % len(families)]
    chance = Random(f"{family}/{seed}/{size}")
    told = Story(family, chance, size or chance.choice([SMALL, NARROW, NARROW, LARGE])).told()
    return parse_scenario(json.dumps({"name": f"{family}-{seed}", "engine": release, **told}), "json")


class Story:
    """One scenario in the making."""

    def __init__(self, family: str, chance: Random, size: Size):
        self.family, self.chance, self.size = FAMILIES[family], chance, size
        self.traits = self.family.traits
        self.events: list[dict[str, Any]] = []
        self.nodes: list[str] = []
        self.drained: list[str] = []
        self.apps: list[dict[str, Any]] = []
        self.asks: list[dict[str, Any]] = []
        self.gangs: list[tuple[dict[str, Any], Amounts, int]] = []
        self.confirmed: set[str] = set()
        self.number = 0
        self.kinds = [
            "vcore",
            "memory",
            *(["gpu"] if chance.random() < 0.35 else []),
            *(["disk"] if chance.random() < 0.15 else []),
        ]
        self.total = dict.fromkeys(self.kinds, 0)
        self.pace = chance.choice(
            [None, None, None, {"message_ns": 1, "cycle_ns": 100_000_000}, {"message_ns": 7_000, "cycle_ns": 0}]
        )

    def told(self) -> dict[str, Any]:
        """The scenario in the form of a file, without a name."""
        chance, size = self.chance, self.size
        most = size.nodes if chance.random() < 0.3 else min(size.nodes, 12)
        count = chance.randint(2, most)
        # As much as the first wave asks for, so that what comes later has to wait, or to take it from somebody.
        self.share = {
            kind: size.asks * amount // count for kind, amount in (SMALL_ASK if self.family.greedy else USUAL_ASK).items()
        }
        for _ in range(count):
            self.add_node()
        self.tree = Tree(chance, traits=self.traits, total=self.total, depth=chance.randint(1, size.depth), queues=size.queues)
        first = self.tree.text
        self._fill()
        names, weights = list(self.family.happenings), list(self.family.happenings.values())
        for _ in range(chance.randint(size.happenings // 2, size.happenings)):
            happening: Callable[[], None] = getattr(self, chance.choices(names, weights)[0])
            happening()
            if chance.random() < 0.75:
                self.schedule(chance.randint(1, 5))
        self.wait()
        self.schedule(6)
        found: dict[str, Any] = {"config": first, "events": self.events}
        if self.pace is not None:
            found["pace"] = self.pace
        if not self.family.confirms:
            found["confirm_releases"] = False
        return found

    def _fill(self) -> None:
        leaves = self.tree.leaves
        if self.family.greedy:
            leaves = leaves[: max(1, len(leaves) // 2)]
        for leaf in self.chance.sample(leaves, min(len(leaves), 12)):
            self.add_app(leaf)
        taken, most = (
            0,
            self.total["vcore"] * (self.chance.uniform(0.75, 0.95) if self.family.greedy else self.chance.uniform(0.6, 1.2)),
        )
        for _ in range(self.size.asks * 3 // 2):
            if taken > most:
                break
            taken += self.ask(small=self.family.greedy)["resources"].get("vcore", 0)
        self.schedule(min(len(self.asks) + 2, 120))

    # -- what happens -------------------------------------------------------------------------------------------------

    def schedule(self, cycles: int) -> None:
        self.events.append({"schedule": cycles})

    def wait(self) -> None:
        self.events.append({"advance_ms": self.chance.choice([1_000, 5_000, 11_000, 16_000, 31_000])})

    def long_wait(self) -> None:
        self.events.append({"advance_ms": self.chance.choice([61_000, 130_000, 901_000])})

    def hour(self) -> None:
        self.events.append({"advance_ms": HOUR_MS + self.chance.randint(0, 90_000)})

    def confirm(self) -> None:
        """One by one, late, and not all: what the scheduler has announced until now."""
        waiting = [each for each in self._announced() if each.key not in self.confirmed]
        for each in self.chance.sample(waiting, min(len(waiting), self.chance.randint(1, 3))):
            self.confirmed.add(each.key)
            self.events.append({"release": {"app": each.application_id, "key": each.key, "type": each.type}})

    def _announced(self) -> list[Released]:
        # Families that confirm late never reload: the tree is as it was.
        told = {"config": self.tree.text, "events": self.events, "confirm_releases": False, "pace": self.pace}
        scenario = parse_scenario(json.dumps({key: each for key, each in told.items() if each is not None}), "json")
        engine = Engine(load_config(scenario.text), release="1.8", history=False)
        found = [*driver.announced(driver.begin(engine, scenario.pace))]
        for item in driver.items(engine, scenario):
            found += driver.announced(item.events)
        return found

    # nodes

    def add_node(self, *, schedulable: bool = True) -> None:
        chance = self.chance
        capacity = {kind: max(LEAST[kind], int(amount * chance.uniform(0.5, 1.3))) for kind, amount in self.share.items()}
        for kind, most in (("gpu", 6), ("disk", 900)):
            if kind in self.kinds:
                capacity[kind] = chance.randint(1, most)
        self.total = {kind: self.total[kind] + capacity[kind] for kind in self.kinds}
        name = f"node-{len(self.nodes) + len(self.drained):03d}-{self._next():04d}"
        body: dict[str, Any] = {"id": name, "resources": capacity}
        if "placed" in self.traits:
            body["attributes"] = {"zone": chance.choice(ZONES)}
            if chance.random() < 0.2:
                body["taints"] = ["dedicated"]
        if not schedulable:
            body["schedulable"] = False
        (self.nodes if schedulable else self.drained).append(name)
        self.events.append({"add_node": body})

    def drained_node(self) -> None:
        self.add_node(schedulable=False)

    def resize_node(self) -> None:
        chance = self.chance
        capacity = {kind: max(LEAST[kind], int(amount * chance.uniform(0.3, 1.6))) for kind, amount in self.share.items()}
        self.events.append({"update_node": {"id": chance.choice(self.nodes + self.drained), "resources": capacity}})

    def drain(self) -> None:
        if len(self.nodes) > 1:
            self.drained.append(self.nodes.pop(self.chance.randrange(len(self.nodes))))
            self.events.append({"drain_node": self.drained[-1]})

    def undrain(self) -> None:
        if self.drained:
            self.nodes.append(self.drained.pop(self.chance.randrange(len(self.drained))))
            self.events.append({"undrain_node": self.nodes[-1]})

    def remove_node(self) -> None:
        if len(self.nodes) > 2:
            self.events.append({"remove_node": self.nodes.pop(self.chance.randrange(len(self.nodes)))})

    # applications and requests

    def add_app(self, leaf: str | None = None, **more: Any) -> dict[str, Any]:
        chance = self.chance
        user = chance.choice(sorted(USERS))
        queue = leaf or chance.choice(self.tree.leaves)
        app: dict[str, Any] = {"id": f"app-{self._next():04d}", "queue": queue, "user": user, "groups": USERS[user], **more}
        if "dynamic" in self.traits:
            app["queue"] = chance.choice([queue, "", f"root.users.{user}", "root.users.made.below"])
            if chance.random() < 0.5:
                app["tags"] = {"namespace": chance.choice(["blue", "red"])}
        self.apps.append(app)
        self.events.append({"add_app": app})
        return app

    def remove_app(self) -> None:
        if len(self.apps) > 2:
            app = self.apps.pop(self.chance.randrange(len(self.apps)))
            self.asks = [each for each in self.asks if each["app"] != app["id"]]
            self.gangs = [each for each in self.gangs if each[0]["id"] != app["id"]]
            self.events.append({"remove_app": app["id"]})

    def ask(self, app: dict[str, Any] | None = None, *, small: bool = False, **more: Any) -> dict[str, Any]:
        chance = self.chance
        app = app or chance.choice(self.apps or [self.add_app()])
        ask: dict[str, Any] = {"app": app["id"], "key": f"{app['id']}-{self._next():04d}", "resources": self._amounts(small)}
        if chance.random() < 0.5:
            ask["priority"] = chance.choice([-10, 0, 1, 2, 5, 10, 100])
        if chance.random() < 0.1:
            ask["allow_preempt_self"] = False
        if chance.random() < 0.08:
            ask["originator"] = True
        if chance.random() < 0.05:
            ask["allow_preempt_other"] = False
        if "placed" in self.traits:
            ask |= self._place()
        if "created" in self.traits and chance.random() < 0.4:  # the core reads whole seconds
            ask["created_ns"] = chance.randint(-7_200, 60) * 10**9
        ask |= more
        self.events.append({"add_ask": ask})
        self.asks.append(ask)
        return ask

    def _amounts(self, small: bool) -> Amounts:
        chance = self.chance
        if "crowded" in self.traits:  # many of a few sizes
            return dict(chance.choice([{"vcore": 503, "memory": 700_001}, {"vcore": 1_009, "memory": 400_003}]))
        top = 800 if small else 2_900
        found = {"vcore": chance.randint(150, top), "memory": chance.randint(100_000, top * 1_700)}
        if "gpu" in self.kinds and chance.random() < 0.15:
            found["gpu"] = 1
        if "disk" in self.kinds and chance.random() < 0.3:
            found["disk"] = chance.randint(1, 90)
        if chance.random() < 0.05:
            del found["memory"]
        return found

    def _place(self) -> dict[str, Any]:
        chance, found = self.chance, dict[str, Any]()
        what = chance.random()
        if what < 0.25:
            found["node_selector"] = {"zone": chance.choice(ZONES)}
        elif what < 0.4:
            found["allowed_nodes"] = sorted(chance.sample(self.nodes, min(len(self.nodes), 2)))
        if chance.random() < 0.3:
            found["tolerations"] = ["dedicated"]
        return found

    def more_asks(self) -> None:
        for _ in range(self.chance.randint(1, 4)):
            self.ask()

    def needy(self) -> None:
        """Larger requests in a leaf that has little."""
        chance, queues = self.chance, {path: queue for path, queue in self.tree.below() if path in self.tree.leaves}
        later = list(queues)[len(queues) // 2 :]
        leaf = chance.choice([path for path in later if "guaranteed" in queues[path].get("resources", {})] or later)
        sure = queues[leaf].get("resources", {}).get("guaranteed", {})
        app = self.add_app(leaf)
        for _ in range(chance.randint(1, 3)):
            wanted = {"vcore": chance.randint(500, 2_400), "memory": chance.randint(200_000, 1_700_000)}
            self.ask(app, resources={kind: min(amount, max(100, sure.get(kind, amount))) for kind, amount in wanted.items()})
        if chance.random() < 0.8:
            self.schedule(chance.randint(1, 3))
            self.events.append({"advance_ms": chance.choice([5_000, 11_000, 31_000])})
            self.schedule(chance.randint(1, 4))

    def daemon(self) -> None:
        self.ask(required_node=self.chance.choice(self.nodes))

    def release(self) -> None:
        if self.asks:
            ask = self.asks.pop(self.chance.randrange(len(self.asks)))
            self.events.append({"release": {"app": ask["app"], "key": ask["key"]}})

    def typed_release(self) -> None:
        if self.asks:
            ask = self.asks.pop(self.chance.randrange(len(self.asks)))
            self.events.append({"release": {"app": ask["app"], "key": ask["key"], "type": self.chance.choice(TYPES)}})

    def resize(self) -> None:
        """The size of a request, or of what runs, changes."""
        if self.asks:
            ask = self.chance.choice(self.asks)
            ask = {
                **ask,
                "resources": {
                    kind: max(1, int(amount * self.chance.uniform(0.6, 1.4))) for kind, amount in ask["resources"].items()
                },
            }
            self.events.append({"add_ask": ask})

    def running(self) -> None:
        """It runs already, as after a restart of the scheduler."""
        chance = self.chance
        app = chance.choice(self.apps or [self.add_app()])
        body = {"app": app["id"], "key": f"{app['id']}-{self._next():04d}", "resources": self._amounts(False)}
        if "created" in self.traits and chance.random() < 0.5:
            body["created_ns"] = chance.randint(-7_200, 0) * 10**9
        self.asks.append(body)
        self.events.append({"add_allocation": {**body, "node": chance.choice(self.nodes + self.drained)}})

    def foreign(self) -> None:
        key = f"foreign-{self._next():04d}"
        node = self.chance.choice(self.nodes)
        self.events.append({"add_allocation": {"key": key, "resources": self._amounts(True), "node": node, "foreign": True}})

    # gangs

    def gang(self) -> None:
        chance = self.chance
        count, size = chance.randint(2, 5), {"vcore": chance.randint(300, 1500), "memory": chance.randint(300_000, 2_000_000)}
        app = self.add_app(
            placeholder_ask={kind: amount * count for kind, amount in size.items()},
            gang_style=chance.choice(["Soft", "Hard"]),
            execution_timeout_ms=chance.choice([20_000, 60_000, 600_000]),
        )
        for number in range(count):
            self.events.append(
                {
                    "add_ask": {
                        "app": app["id"],
                        "key": f"{app['id']}-ph-{number}",
                        "resources": dict(size),
                        "placeholder": True,
                        "task_group": f"tg-{number}",
                    }
                }
            )
        self.gangs.append((app, size, count))
        self.schedule(self.chance.randint(1, count + 1))

    def members(self) -> None:
        """Some of the real requests of a gang, a few of another size than was held for them."""
        if not self.gangs:
            return self.gang()
        app, size, count = self.chance.choice(self.gangs)
        for number in self.chance.sample(range(count), self.chance.randint(1, count)):
            amounts = dict(size)
            amounts["vcore"] += self.chance.choice([0, 0, 0, 100, -50])
            self.ask(app, resources=amounts, task_group=f"tg-{number}")

    # configuration

    def reload(self) -> None:
        self.events.append({"update_config": self.tree.reload()})

    def lower(self) -> None:
        self.events.append({"update_config": self.tree.reload(lowering=True)})
        if self.chance.random() < 0.7:
            self.events.append({"advance_ms": self.chance.choice([6_000, 11_000, 21_000])})
            self.schedule(1)

    def _next(self) -> int:
        self.number += 1
        return self.number
