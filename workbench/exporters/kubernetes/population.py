"""Who is in a scenario, all at once: what Kubernetes' objects can say of it. What happens over time is counted beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from workbench.scheduler.records.commands import (
    KINDS,
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    ApplicationSpec,
    AskSpec,
    DrainNode,
)
from workbench.simulation.scenario import AdvanceMs, Scenario, Schedule, Until


@dataclass(slots=True)
class Population:
    """Attributes:
    nodes: by id.
    drained: ids of the nodes that are closed.
    applications: by id.
    running: id of an application -> what runs of it, each with its node.
    waiting: id of an application -> what waits of it.
    asked: all that waits, in order.
    foreign: what others occupy, each with its node.
    left: kind of input -> how many were left out: what happens later, and what is there twice.
    """

    nodes: dict[str, AddNode] = field(default_factory=dict)
    drained: dict[str, None] = field(default_factory=dict)
    applications: dict[str, ApplicationSpec] = field(default_factory=dict)
    running: dict[str, list[tuple[AskSpec, str]]] = field(default_factory=dict)
    waiting: dict[str, list[AskSpec]] = field(default_factory=dict)
    asked: list[AskSpec] = field(default_factory=list)
    foreign: list[tuple[AskSpec, str]] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)


def population_of(scenario: Scenario) -> Population:
    """Everybody whom the scenario adds, of the partition `default`, whenever it does so."""
    found = Population()
    keys: set[tuple[str, str]] = set()
    inputs: Iterable[object] = (*(event.command for event in scenario.events), *(each.command for each in scenario.planned))
    found.left["planned"] = len(scenario.planned)
    for command in inputs:
        if getattr(command, "partition", "default") != "default":
            found.left["another partition"] += 1
            continue
        match command:
            case AddNode(node_id=id) if id not in found.nodes:
                found.nodes[id] = command
                if not command.schedulable:
                    found.drained[id] = None
            case DrainNode(node_id=id) if id in found.nodes:
                found.drained[id] = None
            case AddApplication(application=spec) if spec.id not in found.applications:
                found.applications[spec.id] = spec
                found.running[spec.id], found.waiting[spec.id] = [], []
            case AddAllocation(ask=ask, node_id=node, foreign=True) if ("", ask.key) not in keys and node in found.nodes:
                keys.add(("", ask.key))
                found.foreign.append((ask, node))
            case AddAllocation(ask=ask, node_id=node) if _is_new(ask, found, keys) and node in found.nodes:
                keys.add((ask.application_id, ask.key))
                found.running[ask.application_id].append((ask, node))
            case AddAsk(ask=ask) if _is_new(ask, found, keys):
                keys.add((ask.application_id, ask.key))
                found.waiting[ask.application_id].append(ask)
                found.asked.append(ask)
            case Schedule() | AdvanceMs() | Until():
                found.left["time"] += 1
            case _:
                found.left[KINDS[type(command)]] += 1
    return found


def _is_new(ask: AskSpec, found: Population, keys: set[tuple[str, str]]) -> bool:
    return ask.application_id in found.applications and (ask.application_id, ask.key) not in keys
