"""`partitions` and `placementrules`. Chapter 11, section 2."""

from __future__ import annotations

from collections import Counter
from typing import Any

from workbench.rest.amounts import amounts, said
from workbench.rest.lookups import partition_of
from workbench.rest.routes import Request
from workbench.rest.source import RM_ID, Source
from workbench.scheduler.placement.filters import FILTER_TYPES, Names
from workbench.scheduler.placement.rule import Rule
from workbench.scheduler.placement.rules import ROOT
from workbench.scheduler.policies.node_usage import DEFAULT_WEIGHTS
from workbench.scheduler.records.state import RECOVERY_QUEUE, Partition
from workbench.values.resources import abs_used_capacity


def partitions(source: Source, request: Request) -> list[dict[str, Any]]:
    return [_partition(source, partition) for partition in source.state.partitions.values()]


def _partition(source: Source, partition: Partition) -> dict[str, Any]:
    used = partition.root.allocated
    capacity = said(
        capacity=amounts(partition.total), usedCapacity=amounts(used), utilization=amounts(abs_used_capacity(partition.total, used))
    )
    return {
        "clusterId": RM_ID,
        "name": partition.name,
        "state": partition.status,
        "lastStateTransitionTime": source.at(0),
        "capacity": capacity,
        "nodeSortingPolicy": {"type": partition.node_policy, "resourceWeights": _numbers(partition)},
        "preemptionEnabled": partition.preemption_enabled,
        "quotaPreemptionEnabled": partition.quota_preemption_enabled,
        **said(totalNodes=len(partition.nodes), totalContainers=_containers(partition), applications=_applications(partition)),
    }


def _numbers(partition: Partition) -> dict[str, float | int]:
    """The weights, whole ones written so."""
    return {
        name: int(weight) if weight == int(weight) else weight
        for name, weight in (partition.node_weights or DEFAULT_WEIGHTS).items()
    }


def _containers(partition: Partition) -> int:
    return sum(len(application.allocations) for application in partition.applications.values())


def _applications(partition: Partition) -> dict[str, int]:
    """How many there are in each state, and in total: those that ended as well."""
    tables = (partition.applications, partition.completed, partition.rejected)
    states = Counter(application.state for table in tables for application in table.values())
    return {**states, "total": sum(states.values())}


def placement_rules(source: Source, request: Request) -> list[dict[str, Any]]:
    """The rules in force; the one that recovers applications is never configured and always last."""
    partition = partition_of(source, request)
    rules = [_rule(rule) for rule in partition.placement_rules or ()]
    return [*rules, {"name": "recovery", "parameters": {"queue": RECOVERY_QUEUE}}]


VALUE_NAMES = {"fixed": "queue", "tag": "tagName"}
"""What the value of a rule is called among its parameters."""


def _rule(rule: Rule) -> dict[str, Any]:
    parameters = {"create": "true" if rule.create else "false"}
    if rule.name == "fixed":
        parameters["qualified"] = "true" if rule.value.startswith(ROOT) else "false"
    if rule.value and rule.name in VALUE_NAMES:
        parameters[VALUE_NAMES[rule.name]] = rule.value
    found: dict[str, Any] = {"name": rule.name, "parameters": parameters}
    users, groups = rule.filter.users, rule.filter.groups
    if users.is_given or groups.is_given:
        kind = next((name for name, passes in FILTER_TYPES.items() if passes is rule.filter.passes), "")
        found["filter"] = {"type": kind, **_names("user", users), **_names("group", groups)}
    if rule.parent is not None:
        found["parentRule"] = _rule(rule.parent)
    return found


def _names(kind: str, names: Names) -> dict[str, Any]:
    expression = names.expression.pattern if names.expression is not None else ""
    return said(**{f"{kind}List": sorted(names.literal), f"{kind}Exp": expression})
