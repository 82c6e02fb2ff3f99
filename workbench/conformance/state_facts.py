"""Facts about states of applications, queues and partitions, and what leads from one to the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.config.model import QueueConfig
from workbench.conformance import build
from workbench.conformance.fact import Fact, Finding, difference
from workbench.scheduler.objects import accounting, allocations, lifecycle
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, Advance, ApplicationSpec, AskSpec, Release
from workbench.scheduler.records.state import Application
from workbench.values.resources import Resource

MS_NS = 1_000_000
CORE = Resource(vcore=1)
EVENTS = {"reject": "rejectApplication", "fail": "failApplication"}


def transitions(facts: list[Fact], release: str) -> Iterator[Finding]:
    """One event in one state, in a release."""
    for fact in facts:
        cluster, application = _submitted(release)
        application.state = fact["state"]
        if fact["state"] in cluster.context.profile.running_states:
            accounting.count_running(cluster.context.journal, application.queue, +1)
        before = _running(application)
        accepted = lifecycle.fire(cluster.context, cluster.partition, application, fact["event"])
        got = {
            "new_state": application.state,
            "error": None if accepted else lifecycle.refusal_text(fact["state"], fact["event"]),
            "running_apps_delta": _running(application) - before,
            "state_timer": application.state_timer is not None,
        }
        yield difference(f"{fact['event']} in {fact['state']}", {key: fact[key] for key in got}, got)


def object_transitions(facts: list[Fact]) -> Iterator[Finding]:
    """One event in one state of a queue or partition."""
    for fact in facts:
        state, event = fact["state"], fact["event"]
        new = lifecycle.next_state(lifecycle.OBJECT_TRANSITIONS, state, event)
        got = {"new_state": new or state, "error": None if new else lifecycle.refusal_text(state, event)}
        yield difference(f"{event} in {state}", {key: fact[key] for key in got}, got)


def walks(facts: list[Fact], release: str) -> Iterator[Finding]:
    """Events one after the other, from New, in a release."""
    for number, fact in enumerate(facts):
        cluster, application = _submitted(release)
        got: Fact = {"states": [], "accepted": [], "running_apps": []}
        for event in fact["events"]:
            got["accepted"].append(lifecycle.fire(cluster.context, cluster.partition, application, event))
            got["states"].append(application.state)
            got["running_apps"].append(_running(application))
        yield difference(f"walk {number} {fact['events']}", {key: fact[key] for key in got}, got)


def sequences(facts: list[Fact], release: str) -> Iterator[Finding]:
    """What one application goes through, in a release."""
    for fact in facts:
        cluster, application = _submitted(
            release,
            tags=fact.get("tags") or {},
            placeholder_ask=build.resource_or_none(fact.get("placeholder_ask")),
            gang_style=fact.get("gang_style", ""),
            execution_timeout_ns=fact.get("timeout_ms", 0) * MS_NS,
        )
        steps = []
        for step in fact["steps"]:
            error = _take(cluster, application, step)
            steps.append({**step, "state": application.state, "running_apps": _running(application)})
            if error is not None:
                steps[-1]["error"] = error
        got = {"steps": steps, "state_log": [state for _, state in application.state_log]}
        yield difference(fact["name"], {key: fact[key] for key in got}, got)


def _submitted(release: str, **fields: Any) -> tuple[build.Cluster, Application]:
    """A cluster of one leaf with a large node and one new application."""
    cluster = build.Cluster(QueueConfig(name="leaf"), release=release)
    cluster.send(
        AddNode(node_id=build.NODE, capacity=Resource(vcore=1000)),
        AddApplication(application=ApplicationSpec(id="app", queue=build.LEAF, user="user", **fields)),
    )
    return cluster, cluster.partition.applications["app"]


def _running(application: Application) -> int:
    return application.leaf.running_applications


def _take(cluster: build.Cluster, application: Application, step: Fact) -> str | None:
    """Carry out one step; the text of a refused event."""
    match step["op"]:
        case "start":
            return None
        case "add_ask":
            cluster.send(
                AddAsk(
                    ask=AskSpec(
                        application_id="app",
                        key=step["key"],
                        resource=CORE,
                        placeholder=step.get("placeholder", False),
                        task_group=step.get("task_group", ""),
                    )
                )
            )
        case "allocate":
            node = cluster.partition.nodes[build.NODE]
            allocations.place(cluster.context, cluster.partition, application, application.asks[step["key"]], node)
        case "remove_ask" | "remove_allocation":
            cluster.send(Release(application_id="app", key=step["key"]))
        case "timeout_allocation":
            cluster.send(Release(application_id="app", key=step["key"], type=allocations.TIMEOUT))
        case "wait":
            cluster.send(Advance(ns=step["ms"] * MS_NS))
        case "reject" | "fail" as op:
            state = application.state
            if not lifecycle.fire(cluster.context, cluster.partition, application, EVENTS[op], "because"):
                return lifecycle.refusal_text(state, EVENTS[op])
        case other:
            raise KeyError(other)
    return None
