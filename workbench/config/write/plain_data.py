"""A configuration as plain data: maps, lists and values under the keys of queues.yaml, in the order a person writes them.

Defaults are left out, so only what says something is there.
"""

from __future__ import annotations

from typing import Any

from workbench.config.model import (
    ChildTemplate,
    Limit,
    NodeSorting,
    PartitionConfig,
    PlacementRule,
    PreemptionSwitches,
    QueueConfig,
    ResourcesConfig,
    RuleFilter,
    SchedulerConfig,
)


def data_of(config: SchedulerConfig) -> dict[str, Any]:
    """The whole of a loaded configuration."""
    return {
        "partitions": [
            partition_data(partition, [_root_with_all(root, partition) for root in partition.queues or ()])
            for partition in config.partitions
        ]
    }


def partition_data(partition: PartitionConfig, queues: list[dict[str, Any]]) -> dict[str, Any]:
    """A partition with the given queues."""
    return _said({
        "name": partition.name,
        "placementrules": [_rule(rule) for rule in partition.placement_rules],
        "limits": [_limit(limit) for limit in partition.limits],
        "nodesortpolicy": _node_sorting(partition.node_sorting),
        "preemption": _preemption(partition.preemption),
        "usergroupresolver": _said({"type": partition.user_group_resolver}),
    }) | {"queues": queues}  # fmt: skip


def root_data(queue: QueueConfig, partition: PartitionConfig) -> dict[str, Any]:
    """Root without its children: a parent without saying so, without limits that the partition has as well (C-20, C-85)."""
    written = queue_data(queue)
    written.pop("parent", None)
    if partition.limits and queue.limits == partition.limits:
        del written["limits"]
    return written


def queue_data(queue: QueueConfig) -> dict[str, Any]:
    """A queue without its children, which go behind everything else."""
    template = {} if queue.child_template is None else {"childtemplate": _template(queue.child_template)}
    return {"name": queue.name} | _said({
        "parent": queue.parent,
        "submitacl": queue.submit_acl,
        "adminacl": queue.admin_acl,
        "maxapplications": queue.max_applications,
        "resources": _resources(queue.resources),
        "properties": dict(queue.properties),
        "limits": [_limit(limit) for limit in queue.limits],
    }) | template  # fmt: skip


def _root_with_all(root: QueueConfig, partition: PartitionConfig) -> dict[str, Any]:
    return root_data(root, partition) | _below(root)


def _queue_with_all(queue: QueueConfig) -> dict[str, Any]:
    return queue_data(queue) | _below(queue)


def _below(queue: QueueConfig) -> dict[str, Any]:
    return {"queues": [_queue_with_all(child) for child in queue.queues]} if queue.queues else {}


def _template(template: ChildTemplate) -> dict[str, Any]:
    return _said({
        "maxapplications": template.max_applications,
        "resources": _resources(template.resources),
        "properties": dict(template.properties),
    })  # fmt: skip


def _resources(resources: ResourcesConfig) -> dict[str, Any]:
    # An empty map stays: at root it is refused where an absent one is not (C-34).
    given = {"guaranteed": resources.guaranteed, "max": resources.max}
    return {key: dict(texts) for key, texts in given.items() if texts is not None}


def _limit(limit: Limit) -> dict[str, Any]:
    resources = {} if limit.max_resources is None else {"maxresources": dict(limit.max_resources)}
    return _said({
        "limit": limit.limit,
        "users": list(limit.users),
        "groups": list(limit.groups),
        "maxapplications": limit.max_applications,
    }) | resources  # fmt: skip


def _rule(rule: PlacementRule) -> dict[str, Any]:
    return {"name": rule.name} | _said({
        "create": rule.create,
        "value": rule.value,
        "parent": _rule(rule.parent) if rule.parent else {},
        "filter": _filter(rule.filter),
    })  # fmt: skip


def _filter(given: RuleFilter) -> dict[str, Any]:
    return _said({"type": given.type, "users": list(given.users), "groups": list(given.groups)})


def _node_sorting(sorting: NodeSorting) -> dict[str, Any]:
    weights = {name: _plain_number(weight) for name, weight in sorting.weights.items()}
    return _said({"type": sorting.type, "resourceweights": weights})


def _preemption(switches: PreemptionSwitches) -> dict[str, Any]:
    given = {"enabled": switches.enabled, "quotapreemptionenabled": switches.quota_enabled}
    return {key: value for key, value in given.items() if value is not None}


def _said(entries: dict[str, Any]) -> dict[str, Any]:
    """The entries that say something: no empty text or list, no 0, no False."""
    return {key: value for key, value in entries.items() if value}


def _plain_number(weight: float) -> float | int:
    """4 rather than 4.0, which reads back as the same double."""
    return int(weight) if abs(weight) < 2**53 and weight == int(weight) else weight
