"""Facts about preemption: one ask that tries, one that must run on a node, one queue whose maximum was lowered. Chapter 08."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from workbench.config import load_config
from workbench.conformance.fact import Fact, Finding, difference
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import reservations, tree
from workbench.scheduler.objects.limits import queue_headroom
from workbench.scheduler.preemption import general, on_node, required_node
from workbench.scheduler.preemption.on_node import NodeVictims
from workbench.scheduler.preemption.quota_rules import rules_of
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    UpdateConfig,
)
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import Allocation, Application, Node, Partition
from workbench.scheduler.releases.profiles import V1_8
from workbench.values.quantities import parse_quantity
from workbench.values.resources import Resource, fit_in_max_undef

SECOND_NS = 10**9
NOW_NS = 10**6 * SECOND_NS
"""Late enough for every recorded age."""


def preemptions(facts: list[Fact], release: str = V1_8.version) -> Iterator[Finding]:
    """What each case decides in a release, and on the way to it."""
    kinds = {"general": _general, "required_node": _required_node, "quota": _quota}
    for fact in facts:
        got = kinds[fact["kind"]](_Case(fact, release))
        if "reason" not in fact["expect"]:
            got.pop("reason", None)
        yield difference(fact["id"], {key: fact["expect"].get(key) for key in got}, got)


class _Case:
    """The cluster of one case."""

    def __init__(self, fact: Fact, release: str):
        self.fact = fact
        self.engine = Engine(load_config(_config(fact["partition"])), release=release, history=False)
        self.context = Context(Journal(history=False), self.engine.state)
        self.engine.apply(Advance(ns=NOW_NS))
        for node in fact["nodes"]:
            self.engine.apply(
                AddNode(node_id=node["id"], capacity=_resource(node["capacity"]), schedulable=node.get("schedulable", True))
            )
        for application in fact["apps"]:
            self.engine.apply(
                AddApplication(application=ApplicationSpec(id=application["id"], queue=application["queue"], user="user"))
            )
        for running in fact.get("allocations", ()):
            self._run(running)
        for pending in fact.get("other_asks", ()):
            self._wait(pending)
        self.ask = self._wait(fact["ask"]) if "ask" in fact else None

    @property
    def partition(self) -> Partition:
        return self.engine.state.partitions["default"]

    @property
    def application(self) -> Application:
        return self.partition.applications[self.fact["ask"]["app"]]

    def preempting(self) -> dict[str, dict[str, int]]:
        return {queue.path: dict(queue.preempting) for queue in tree.walk(self.partition.root) if any(queue.preempting.values())}

    def _run(self, running: Fact) -> None:
        self.engine.apply(AddAllocation(ask=_spec(running), node_id=running["node"]))
        application = self.partition.applications[running["app"]]
        allocation = application.allocations[running["key"]]
        journal = self.context.journal
        journal.set(allocation, "released", running.get("released", False))
        if running.get("preempted"):
            journal.set(allocation, "preempted", True)
            journal.raise_path(application.queue, "preempting", allocation.resource)

    def _wait(self, pending: Fact) -> Allocation:
        self.engine.apply(AddAsk(ask=_spec(pending)))
        application = self.partition.applications[pending["app"]]
        ask = application.asks[pending["key"]]
        journal = self.context.journal
        if pending.get("reserved_on"):
            node = self.partition.nodes[pending["reserved_on"]]
            reservations.reserve(self.context, self.partition, application, node, ask)
            ago_s = pending["reserved_ago"] if "reserved_ago" in pending else pending.get("age", 0)
            journal.put(node, "reserved_ns", ask.key, NOW_NS - int(ago_s * SECOND_NS))
        if pending.get("checked_ago") is not None:
            journal.set(ask, "preemption_checked_ns", NOW_NS - int(pending["checked_ago"] * SECOND_NS))
        journal.set(ask, "preemption_triggered", bool(pending.get("already_triggered")))
        return ask


def _general(case: _Case) -> Fact:
    ask, leaf = case.ask, case.application.leaf
    assert ask is not None
    failed = general.precondition(ask, leaf, NOW_NS)
    if failed is not None:
        return _outcome(f"precondition:{failed[0]}", log=[general.PRECONDITIONS])
    if case.fact.get("attempts_left", general.ATTEMPTS_PER_LEAF) == 0:
        return _outcome("attempts-exhausted", log=[general.EXHAUSTED])
    nodes_tried = fit_in_max_undef(queue_headroom(leaf), ask.resource)
    told = general.attempt(case.partition, leaf, ask, NOW_NS, nodes_tried=nodes_tried, predicate=_predicate(case.fact))
    outcome = _outcome(told.reason, [victim.key for victim in told.victims], told.node.id if told.node else None, told.log)
    steps = case.fact["expect"].get("steps")
    found = {key: value for key, value in _steps(told, steps).items() if key in steps} if steps else {}
    return {**outcome, "steps": {**steps, **found}} if steps else outcome


def _outcome(reason: str, victims: Any = (), node: str | None = None, log: Any = ()) -> Fact:
    return {
        "outcome": "preempt" if reason == "ok" else "none",
        "reason": reason,
        "victims": list(victims),
        "node": node,
        "log": list(log),
    }


def _steps(told: general.Attempt, recorded: Fact) -> Fact:
    """The intermediate facts, as far as the attempt came; the recording computes them all, whatever the outcome."""
    assert told.fence is not None
    steps: Fact = {
        "nodes_tried": told.nodes_tried,
        "fence_root": told.fence.root.path,
        "path_priority": told.fence.priorities,
        "eligible": {path: sorted(victim.key for victim in victims) for path, victims in told.eligible.items()},
        "remaining_guaranteed": {path: None if left is None else dict(left) for path, left in told.remaining.items()},
        "guarantees_check": told.guarantees_hold,
    }
    if told.per_node and "per_node" in recorded:
        steps["per_node"] = {offer.node.id: _offer(offer, recorded["per_node"][offer.node.id]) for offer in told.per_node}
    if told.node_victims and "chosen" in recorded:
        steps["chosen"] = {**recorded["chosen"], "victims": [victim.key for victim in told.node_victims]}
    if told.extra_ok is not None:
        steps["extra_victims"] = [victim.key for victim in told.extra_victims]
        steps["extra_ok"] = told.extra_ok
    return steps


def _offer(offer: NodeVictims, recorded: Fact) -> Fact:
    potential = {"potential": [victim.key for victim in offer.potential]} if "potential" in recorded else {}
    if offer.victims is None:
        return {**potential, "rejected": True}
    return {**potential, "victims": [victim.key for victim in offer.victims], "index": offer.index}


def _predicate(fact: Fact) -> on_node.PreemptionPredicate | None:
    """The recorded answers of the resource manager: a node that is not listed accepts the index it is given."""
    if fact["predicates"] == "none":
        return None
    answers = fact.get("predicate_results", {})

    def answer(node: Node, ask: Allocation, victims: Sequence[Allocation], index: int) -> int | None:
        found = answers.get(node.id, {})
        return None if found.get("success") is False else max(index, found.get("index", index))

    return answer


def _required_node(case: _Case) -> Fact:
    assert case.ask is not None
    victims = [] if case.ask.preemption_triggered else required_node.victims(case.partition.nodes[case.ask.required_node], case.ask)
    return {"outcome": "preempt" if victims else "none", "victims": [victim.key for victim in victims]}


def _quota(case: _Case) -> Fact:
    fact = case.fact
    already = set(_marked(case))
    case.engine.apply(UpdateConfig(config=_config(fact["new_partition"])))
    queue = tree.find(case.partition, fact["queue"])
    assert queue is not None
    # Evaluated once, for this queue only: nobody looks by himself while the time passes.
    case.context.journal.set(case.engine.state, "now_ns", NOW_NS + int(fact.get("wait", 0) * SECOND_NS))
    rules, expected = rules_of(case.engine.state.profile), fact["expect"]
    target = rules.target(queue) if queue.maximum is not None else Resource()
    shares = {leaf.path: dict(share) for leaf, share in rules.distribution(queue, target)}
    triggers = rules.is_due(case.context, case.partition, queue)
    if triggers:
        rules.enforce(case.context, case.partition, queue)
    # Recorded after the evaluation, which clears the start time of a queue that is within its maximum.
    scheduled = triggers or queue.quota_start_ns is not None
    got: Fact = {"scheduled": scheduled, "triggers": triggers}
    victims = sorted(set(_marked(case)) - already)
    if "crash" in expected:
        # The core ends here, and nothing is stopped instead. R-916
        got["crash"] = None if victims else expected["crash"]
    elif "victims_count" in expected:
        got["victims_count"] = len(victims)
    else:
        got["victims"] = victims
    if triggers and "target" in expected:
        got["target"] = dict(target) or None
    if triggers and expected.get("distribution"):
        got["distribution"] = shares
    if "preempting_after" in expected:
        got["preempting_after"] = case.preempting()
    return got


def _marked(case: _Case) -> list[str]:
    return [
        allocation.key
        for application in case.partition.applications.values()
        for allocation in application.allocations.values()
        if allocation.preempted
    ]


def _config(partition: Fact) -> str:
    return yaml.safe_dump({"partitions": [partition]}, sort_keys=False)


def _spec(fact: Fact) -> AskSpec:
    return AskSpec(
        application_id=fact["app"],
        key=fact["key"],
        resource=_resource(fact["resource"]),
        priority=fact.get("priority", 0),
        created_ns=NOW_NS - int(fact.get("age", 0) * SECOND_NS),
        originator=fact.get("originator", False),
        allow_preempt_self=fact.get("allow_preempt_self", True),
        allow_preempt_other=fact.get("allow_preempt_other", True),
        required_node=fact.get("required_node") or "",
    )


def _resource(amounts: Fact) -> Resource:
    return Resource({name: parse_quantity(str(text), name) for name, text in amounts.items()})
