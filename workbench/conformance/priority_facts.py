"""Facts about current priorities of queues and applications after every change."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config.model import QueueConfig
from workbench.config.properties import settings
from workbench.conformance import build
from workbench.conformance.fact import Fact, Finding, difference
from workbench.scheduler.objects import asks, priority, tree
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    ApplicationSpec,
    AskSpec,
    Release,
    RemoveApplication,
)
from workbench.scheduler.records.state import NO_PRIORITY
from workbench.values.resources import Resource

CORE = Resource(vcore=1000)


def priorities(facts: list[Fact]) -> Iterator[Finding]:
    """Every step of every case; a case is one fact and ends at its first difference."""
    for fact in facts:
        cluster = _cluster(fact)
        found = None
        for number, step in enumerate(fact["steps"], 1):
            if found is None:
                _take(cluster, step)
                found = difference(
                    f"step {number} ({step['op']})",
                    {"queues": step["queue_priorities"], "apps": step["app_priorities"]},
                    _shown(cluster),
                )
        yield found and f"{fact['name']}: {found}"


def _cluster(fact: Fact) -> build.Cluster:
    properties = {queue["path"]: _properties(queue) for queue in fact["queues"]}

    def below(path: str) -> tuple[QueueConfig, ...]:
        names = [each.rpartition(".")[2] for each in properties if each.rpartition(".")[0] == path]
        return tuple(
            QueueConfig(name=name, properties=properties[f"{path}.{name}"], queues=below(f"{path}.{name}")) for name in names
        )

    cluster = build.Cluster(*below("root"), properties=properties["root"])
    cluster.send(AddNode(node_id=build.NODE, capacity=Resource(vcore=1_000_000)))
    for application_id, queue in fact["apps"].items():
        cluster.send(AddApplication(application=ApplicationSpec(id=application_id, queue=queue, user="user")))
    return cluster


def _properties(queue: Fact) -> dict[str, str]:
    return {f"priority.{key}": queue[key] for key in ("policy", "offset") if key in queue}


def _take(cluster: build.Cluster, step: Fact) -> None:
    match step["op"]:
        case "start":
            pass
        case "add_ask":
            cluster.send(AddAsk(ask=_spec(step, step["priority"])))
        case "allocate":
            cluster.send(AddAllocation(ask=_spec(step, 0), node_id=build.NODE))
        case "deallocate":
            application = cluster.partition.applications[step["app"]]
            asks.unbind(cluster.context, application, application.asks[step["key"]])
        case "remove_ask":
            cluster.send(Release(application_id=step["app"], key=step["key"]))
        case "remove_app":
            cluster.send(RemoveApplication(application_id=step["app"]))
        case "set_properties":
            queue = tree.find(cluster.partition, step["queue"])
            assert queue is not None
            journal = cluster.context.journal
            journal.set(queue, "settings", settings(_properties(step), is_leaf=queue.is_leaf))
            priority.settings_changed(journal, queue)
        case other:
            raise KeyError(other)


def _spec(step: Fact, priority: int) -> AskSpec:
    return AskSpec(application_id=step["app"], key=step["key"], resource=CORE, priority=priority)


def _shown(cluster: build.Cluster) -> Fact:
    partition = cluster.partition
    return {
        "queues": {queue.path: _value(queue.priority) for queue in tree.walk(partition.root)},
        "apps": {application.id: _value(application.priority) for application in partition.applications.values()},
    }


def _value(priority: int) -> int | None:
    return None if priority == NO_PRIORITY else priority
