"""What is scheduled: small configurations and clusters of equal nodes, filled through commands like any other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import yaml

from benchmarks.measure import Work, until
from workbench.config import load_config
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, Cycle
from workbench.values.resources import Resource

GIB = 2**30
NODE = Resource(vcore=16_000, memory=64 * GIB)
ASK = Resource(vcore=1000, memory=2 * GIB)
CYCLE = Cycle()
WARM_UP = 20
"""Cycles that are not measured; the first ones put everything into order."""


def config_text(queues: Iterable[dict], *, node_policy: str = "fair") -> str:
    root = {"name": "root", "submitacl": "*", "queues": list(queues)}
    return yaml.safe_dump({"partitions": [{"name": "default", "nodesortpolicy": {"type": node_policy}, "queues": [root]}]})


def engine(config: str, *, nodes: int, capacity: Resource = NODE, search: str = "incremental", history: bool = True) -> Engine:
    """A cluster of equal nodes, `node-0` and so on."""
    made = Engine(load_config(config), history=history, search=search)
    for number in range(nodes):
        made.apply(AddNode(node_id=f"node-{number}", capacity=capacity))
    return made


def application(at: Engine, id: str, queue: str, user: str = "user") -> None:
    at.apply(AddApplication(application=ApplicationSpec(id=id, queue=queue, user=user)))


def asks(at: Engine, application_id: str, count: int, resource: Resource = ASK, *, prefix: str = "", **fields) -> None:
    """Equal asks `prefix-0` and so on; the prefix is the application unless one is given."""
    spec = AskSpec(application_id=application_id, key="", resource=resource, **fields)
    for number in range(count):
        at.apply(AddAsk(ask=replace(spec, key=f"{prefix or application_id}-{number}")))


def warmed_up(at: Engine, count: int, warm_up: int = WARM_UP) -> Work:
    """The work of making so many allocations, one cycle each, after the cycles that are not measured."""
    for _ in range(warm_up):
        allocate(at)

    def work(limit_s: float) -> int:
        done = 0
        for _ in until(limit_s, count):
            allocate(at)
            done += 1
        return done

    return work


def allocate(at: Engine) -> None:
    """One cycle, which must place something: a cycle that finds nothing is another kind of work."""
    at.apply(CYCLE)
    assert at.decisions[0].outcome == "allocated", at.decisions[0]
