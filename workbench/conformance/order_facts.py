"""Facts about orders: queues below a parent, applications in a leaf, requests of an application, nodes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from workbench.config.model import NodeSorting, QueueConfig
from workbench.conformance import build
from workbench.conformance.fact import Fact, Finding, difference
from workbench.scheduler import policies
from workbench.scheduler.objects import asks
from workbench.scheduler.objects import nodes as node_rules
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddNode,
    ApplicationSpec,
    AskSpec,
    Command,
    DrainNode,
    Release,
    RemoveNode,
    UndrainNode,
    UpdateNode,
)
from workbench.scheduler.records.state import NO_PRIORITY, Allocation
from workbench.scheduler.releases.profiles import profile_of
from workbench.values.resources import EMPTY, Resource, add

SECOND_NS = 1_000_000_000
TOLERANCE = 1e-12
"""For scores of nodes, as the table says."""


def queues(facts: list[Fact]) -> Iterator[Finding]:
    """Children of one parent in order."""
    for fact in facts:
        root = build.queue("root", is_leaf=False, properties=_sorting("fair", fact), maximum=fact["root_max"])
        for seq, child in enumerate(fact["children"], 1):
            given = {key: child[key] for key in ("allocated", "guaranteed", "pending") if key in child}
            build.queue(
                child["name"],
                parent=root,
                seq=seq,
                maximum=child.get("max"),
                priority=child["priority"],
                status=child.get("state", "Active"),
                **given,
            )
        _, ranked, _ = policies.order_queues(root, policies.fair_maximum(None, root), policy=fact["policy"])
        yield difference(fact["name"], fact["order"], [queue.name for _, queue in ranked])


def applications(facts: list[Fact], release: str) -> Iterator[Finding]:
    """Applications of a leaf in order, in a release."""
    profile = profile_of(release)
    for fact in facts:
        leaf = build.queue("leaf", properties=_sorting(fact["policy"], fact), guaranteed=fact["guaranteed"], profile=profile)
        for seq, each in enumerate(fact["apps"]):
            state = each.get("state", "New")
            build.application(
                each["id"],
                leaf,
                seq=seq,
                submitted_ns=each["submission"] * SECOND_NS,
                pending=Resource(each["pending"]),
                allocated=Resource(each.get("allocated")),
                state=state,
                state_log=((0, state),),
                priority=NO_PRIORITY if each["priority"] is None else each["priority"],
            )
        _, ranked, _ = policies.order_applications(leaf, now_ns=0)
        yield difference(fact["name"], fact["order"], [application.id for _, application in ranked])


def requests(facts: list[Fact]) -> Iterator[Finding]:
    """Asks inserted one by one into the requests of one application."""
    for fact in facts:
        order: list[Allocation] = []
        for seq, each in enumerate(fact["insert"]):
            ask = build.ask(each["key"], "app", seq=seq, priority=each["priority"], created_ns=each["created"] * SECOND_NS)
            order.insert(asks.insertion_index(order, ask), ask)
        yield difference(fact["name"], fact["order"], [ask.key for ask in order])


def nodes(facts: list[Fact]) -> Iterator[Finding]:
    """Scores and orders of nodes, at first and after each step."""
    for fact in facts:
        yield _node_difference(fact)


def _sorting(policy: str, fact: Fact) -> dict[str, str]:
    by_priority = "enabled" if fact["consider_priority"] else "disabled"
    return {"application.sort.policy": policy, "application.sort.priority": by_priority}


# -- nodes ------------------------------------------------------------------------------------------------------------


def _node_difference(fact: Fact) -> str | None:
    weights = fact["weights"] or {}
    cluster = build.Cluster(QueueConfig(name="leaf"), node_sorting=NodeSorting(type=fact["policy"], weights=weights))
    cluster.send(AddApplication(application=ApplicationSpec(id="app", queue=build.LEAF, user="user")))
    for each in fact["nodes"]:
        cluster.send(*_registration(each))
        if each.get("reserved"):
            cluster.partition.nodes[each["id"]].reservations["some ask"] = "app"
    found = _order_difference(cluster, fact) or difference(
        "order_unreserved", fact["order_unreserved"], [node.id for node in node_rules.unreserved(cluster.partition)]
    )
    for number, step in enumerate(fact.get("steps", ()), 1):
        if found is None:
            _change(cluster, step)
            found = _order_difference(cluster, step)
            found = found and f"step {number} ({step['op']}): {found}"
    return found and f"{fact['name']}: {found}"


def _registration(each: Fact) -> Iterator[Command]:
    """Usage is there before the node is scored: foreign usage moves no score, a new capacity does (R-559)."""
    node_id = each["id"]
    yield AddNode(node_id=node_id, capacity=EMPTY)
    if "occupied" in each:
        yield _reported(f"{node_id}-foreign", node_id, each["occupied"], foreign=True)
    if "allocated" in each:
        yield _reported(f"{node_id}-alloc", node_id, each["allocated"])
    yield UpdateNode(node_id=node_id, capacity=Resource(each["capacity"]))
    if not each.get("schedulable", True):
        yield DrainNode(node_id=node_id)


def _change(cluster: build.Cluster, step: Fact) -> None:
    if step["op"] == "set_policy":
        partition = cluster.partition
        partition.node_policy, partition.node_weights = step["policy"], step["weights"] or {}
        for node in partition.nodes.values():
            node_rules.refresh_score(cluster.context, partition, node)
    else:
        cluster.send(*_step_commands(cluster, step))


def _step_commands(cluster: build.Cluster, step: Fact) -> Iterator[Command]:
    node_id, key, resource = step["node"], step.get("key", ""), step.get("resource", {})
    match step["op"]:
        case "allocate":
            yield _reported(key, node_id, resource)
        case "release":
            yield Release(application_id="app", key=key)
        case "foreign_add" | "foreign_update":
            yield _reported(key, node_id, resource, foreign=True)
        case "foreign_remove":
            yield Release(application_id="", key=key)
        case "resize":
            known = next(iter(cluster.partition.nodes[node_id].allocations.values()))
            yield _reported(known.key, node_id, add(known.resource, Resource(resource)))
        case "set_capacity":
            yield UpdateNode(node_id=node_id, capacity=Resource(resource))
        case "drain":
            yield DrainNode(node_id=node_id)
        case "undrain":
            yield UndrainNode(node_id=node_id)
        case "remove_node":
            yield RemoveNode(node_id=node_id)
        case "add_node":
            yield AddNode(node_id=node_id, capacity=Resource(resource))
        case other:
            raise KeyError(other)


def _reported(key: str, node_id: str, amounts: Any, *, foreign: bool = False) -> AddAllocation:
    ask = AskSpec(application_id="" if foreign else "app", key=key, resource=Resource(amounts))
    return AddAllocation(ask=ask, node_id=node_id, foreign=foreign)


def _order_difference(cluster: build.Cluster, expected: Fact) -> str | None:
    scores = {node.id: node.score for node in cluster.partition.nodes.values()}
    wanted = expected["scores"]
    close = wanted.keys() == scores.keys() and all(
        math.isclose(scores[node_id], score, rel_tol=0, abs_tol=TOLERANCE) for node_id, score in wanted.items()
    )
    return difference("scores", wanted, scores if not close else wanted) or difference(
        "order", expected["order"], [node.id for node in node_rules.in_order(cluster.partition)]
    )
