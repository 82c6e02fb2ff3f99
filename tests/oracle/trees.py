"""Random queue trees as plain values that keep the rules of the configuration: what is drawn can be loaded, and changed by reloads.

Amounts are odd and distinct, so that comparisons seldom tie. A maximum is at most that above it; what the children are guaranteed
together is at most what the parent is, and fits its maximum.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from random import Random
from typing import Any

import yaml

from workbench.config import load_config
from workbench.values.errors import ConfigError

Amounts = dict[str, int]
USERS = {"alice": ["dev"], "bob": ["dev", "ops"], "carol": ["ops"], "dave": []}
"""User -> groups."""
MOST_DRAWS = 200


class Tree:
    """A configuration that can be loaded, and that reloads change.

    Args:
        traits: what it is to have: "preemption", "quota", "limits", "priorities", "dynamic"; the rest is always drawn.
        total: the size of the cluster, from which amounts are drawn.
        depth, queues: at most so many levels below root and so many configured queues.
    """

    def __init__(self, chance: Random, *, traits: Collection[str], total: Amounts, depth: int, queues: int):
        self._chance, self._traits, self._total = chance, traits, total
        self._depth, self._most = depth, queues
        for _ in range(MOST_DRAWS):
            self._left = queues
            self.partition = self._partition()
            if is_accepted(self.text):
                return
        raise AssertionError("no draw was accepted")

    @property
    def text(self) -> str:
        """The queues.yaml."""
        return yaml.safe_dump({"partitions": [written(self.partition)]}, sort_keys=False)

    @property
    def leaves(self) -> list[str]:
        """The paths of the configured leaves, in order."""
        return [path for path, queue in self.below() if not queue.get("queues") and not queue.get("parent")]

    def below(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """(path, queue) of every configured queue below root."""
        pending = [("root", self.partition["queues"][0])]
        while pending:
            path, queue = pending.pop(0)
            for child in queue.get("queues", ()):
                pending.append((f"{path}.{child['name']}", child))
                yield pending[-1]

    def reload(self, *, lowering: bool = False) -> str:
        """Change one to three settings; the new text. One that would be refused is drawn again, and if need be nothing changes."""
        before = self.partition
        for _ in range(20):
            self.partition = copy.deepcopy(before)
            found = [queue for _, queue in self.below()]
            for queue in self._chance.sample(found, min(len(found), self._chance.randint(1, 3))):
                self._change(queue, lowering)
            if is_accepted(self.text):
                return self.text
        self.partition = before
        return self.text

    # -- drawing ------------------------------------------------------------------------------------------------------

    def _partition(self) -> dict[str, Any]:
        chance = self._chance
        tops: list[dict[str, Any]] = []
        share = {kind: int(amount * 0.95) for kind, amount in self._total.items()}
        width = chance.randint(2, 4)
        self._left -= width
        for number in range(width):
            tops.append(self._queue(f"q{number}", 1, {}, {kind: amount // width for kind, amount in share.items()}, False))
        partition: dict[str, Any] = {"name": "default", "queues": [{"name": "root", "submitacl": "*", "queues": tops}]}
        if "dynamic" in self._traits:
            tops.append(self._dynamic())
            partition["placementrules"] = chance.choice(
                [
                    [{"name": "provided", "create": True}],
                    [{"name": "user", "create": True, "parent": {"name": "fixed", "value": "root.users"}}],
                    [
                        {"name": "provided", "create": False},
                        {"name": "tag", "value": "namespace", "create": True, "parent": {"name": "fixed", "value": "root.users"}},
                        {"name": "fixed", "value": "root.users.shared", "create": True},
                    ],
                ]
            )
        partition["nodesortpolicy"] = {"type": chance.choice(["fair", "fair", "binpacking"])}
        if chance.random() < 0.3:
            weights = {"vcore": chance.choice([1.0, 2.5, 4.0]), "memory": chance.choice([0.5, 1.0])}
            partition["nodesortpolicy"]["resourceweights"] = weights
        if "quota" in self._traits:
            partition["preemption"] = {"enabled": chance.random() < 0.4, "quotapreemptionenabled": True}
        elif chance.random() < 0.1:
            partition["preemption"] = {"enabled": chance.random() < 0.5}
        return partition

    def _queue(self, name: str, level: int, top: Amounts, budget: Amounts, limited: bool) -> dict[str, Any]:
        chance, preempts = self._chance, bool({"preemption", "quota"} & set(self._traits))
        queue: dict[str, Any] = {"name": name}
        resources: dict[str, Amounts] = {}
        own = {
            kind: max(1, int(min(top.get(kind, amount), amount * 3) * chance.uniform(0.35, 1.0)))
            for kind, amount in budget.items()
            if chance.random() < 0.7
        }
        if own and chance.random() < (0.7 if "quota" in self._traits else 0.1 if preempts else 0.3):
            resources["max"] = own
            top = {**top, **own}
        budget = {kind: min(amount, top.get(kind, amount)) for kind, amount in budget.items()}
        sure = {kind: max(1, int(amount * chance.uniform(0.3, 0.98))) for kind, amount in budget.items() if chance.random() < 0.8}
        if sure and all(budget.values()) and chance.random() < (0.75 if preempts else 0.35):
            resources["guaranteed"] = sure
            budget = {**budget, **sure}
        if resources:
            queue["resources"] = resources
        if "limits" in self._traits and not limited and chance.random() < 0.5:
            limited = True
            queue["limits"] = self._limits({**budget, **top})
        width = chance.randint(1, 3) if level > 1 else chance.randint(2, 3)
        inner = level < self._depth and self._left >= width and chance.random() < 0.9 - 0.05 * level
        properties = self._properties(leaf=not inner)
        if properties:
            queue["properties"] = properties
        if inner:
            self._left -= width
            share = {kind: amount // width for kind, amount in budget.items()}
            queue["queues"] = [self._queue(f"{name}{'abc'[number]}", level + 1, top, share, limited) for number in range(width)]
        elif chance.random() < (0.4 if "limits" in self._traits else 0.06):
            queue["maxapplications"] = chance.randint(1, 4)
        return queue

    def _properties(self, *, leaf: bool) -> dict[str, str]:
        chance, found = self._chance, dict[str, str]()
        if chance.random() < (0.45 if "priorities" in self._traits else 0.15):
            found["priority.offset"] = str(chance.choice([-20, -5, -1, 1, 3, 7, 25]))
        if chance.random() < (0.25 if "priorities" in self._traits else 0.06):
            found["priority.policy"] = "fence"
        if chance.random() < 0.08:
            found["application.sort.priority"] = "disabled"
        if {"preemption", "quota"} & set(self._traits):
            if chance.random() < 0.15:
                found["preemption.policy"] = chance.choice(["fence", "disabled", "default"])
            if chance.random() < 0.8:
                found["preemption.delay"] = chance.choice(["1s", "4s", "10s"])
        if "quota" in self._traits and chance.random() < 0.6:  # each release has its own name for it
            found["quota.preemption.delay"] = found["preemption.quota.delay"] = chance.choice(["5s", "10s", "20s"])
        if leaf and chance.random() < 0.8:
            found["application.sort.policy"] = chance.choice(["fifo", "fair"])
        return found

    def _limits(self, top: Amounts) -> list[dict[str, Any]]:
        chance = self._chance
        found: list[dict[str, Any]] = []
        for user in chance.sample(sorted(USERS), chance.randint(1, 2)):
            found.append({"limit": f"of {user}", "users": [user], **self._limited(top)})
        if chance.random() < 0.5:
            found.append({"limit": "of dev", "groups": ["dev"], **self._limited(top)})
        if chance.random() < 0.3:
            found.append({"limit": "of anyone", "users": ["*"], **self._limited(top)})
        return found

    def _limited(self, top: Amounts) -> dict[str, Any]:
        chance = self._chance
        amounts = {kind: max(1, int(amount * chance.uniform(0.2, 0.9))) for kind, amount in top.items() if chance.random() < 0.6}
        if not amounts or chance.random() < 0.2:
            return {"maxapplications": chance.randint(1, 3)}
        return {"maxresources": amounts}

    def _dynamic(self) -> dict[str, Any]:
        chance = self._chance
        template: dict[str, Any] = {
            "maxapplications": 3,
            "properties": {"application.sort.policy": chance.choice(["fifo", "fair"])},
        }
        template["resources"] = {"max": {kind: max(1, amount // chance.randint(3, 8)) for kind, amount in self._total.items()}}
        return {"name": "users", "parent": True, "childtemplate": template}

    # -- changing -----------------------------------------------------------------------------------------------------

    def _change(self, queue: dict[str, Any], lowering: bool) -> None:
        chance = self._chance
        most = queue.get("resources", {}).get("max")
        what = 0.0 if lowering and most else chance.random()
        if most and what < 0.45:
            for kind in most:
                most[kind] = max(1, int(most[kind] * chance.uniform(0.15, 0.8)))
            _fit_below(queue, most)
        elif most and what < 0.55:
            kind = chance.choice(sorted(most))
            most[kind] = int(most[kind] * chance.uniform(1.05, 1.5))
        elif most and what < 0.6:
            most.pop(chance.choice(sorted(most)))
        elif "limits" in queue and what < 0.85:
            if chance.random() < 0.3:
                del queue["limits"]
            else:
                queue["limits"] = self._limits(queue.get("resources", {}).get("max", self._total))
        elif "limits" in self._traits and what < 0.8:
            queue["limits"] = self._limits(queue.get("resources", {}).get("max", self._total))
        elif what < 0.85 and not queue.get("queues") and not queue.get("parent"):
            queue["maxapplications"] = chance.randint(1, 4)
        else:
            properties = self._properties(leaf=not queue.get("queues"))
            queue.setdefault("properties", {}).update(properties)
            if not queue["properties"]:
                del queue["properties"]


def _fit_below(queue: dict[str, Any], top: Amounts) -> None:
    """Lower what is above a maximum that was lowered; what the children were guaranteed goes."""
    sure = queue.get("resources", {}).get("guaranteed", {})
    for kind in [kind for kind in sure if kind in top]:
        sure[kind] = min(sure[kind], top[kind])
    for child in queue.get("queues", ()):
        resources = child.get("resources", {})
        for kind in top:
            if kind in resources.get("max", {}):
                resources["max"][kind] = min(resources["max"][kind], top[kind])
            resources.get("guaranteed", {}).pop(kind, None)
        _fit_below(child, {**top, **resources.get("max", {})})


def written(value: Any) -> Any:
    """As the file says it: millicores with their unit, and nothing that is empty."""
    if isinstance(value, list):
        return [written(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _amounts(each) if key in ("max", "guaranteed", "maxresources") else written(each)
        for key, each in value.items()
        if each != {} and each != []
    }


def _amounts(amounts: Amounts) -> dict[str, str]:
    return {kind: f"{amount}m" if kind == "vcore" else str(amount) for kind, amount in amounts.items()}


def is_accepted(text: str) -> bool:
    """Whether the scheduler takes the configuration."""
    try:
        load_config(text)
    except ConfigError:
        return False
    return True
