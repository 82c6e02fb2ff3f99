"""The configuration in force as the core writes it: every key in the order of its records, what is empty left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.config import checksum
from workbench.config.model import (
    ChildTemplate,
    Limit,
    PartitionConfig,
    PlacementRule,
    QueueConfig,
    ResourcesConfig,
    SchedulerConfig,
)
from workbench.config.write.export import text_of
from workbench.rest.amounts import said

Document = dict[str, Any]


def document(config: SchedulerConfig, extra: Mapping[str, str]) -> Document:
    """The whole configuration, with the settings that came along with it."""
    return {
        "partitions": [_partition(each) for each in config.partitions],
        "checksum": config.checksum or checksum(text_of(config)),
        **said(extra=dict(sorted(extra.items()))),
        "deadlockdetectionenabled": False,
        "deadlocktimeoutseconds": 60,
    }


def _partition(config: PartitionConfig) -> Document:
    sorting = said(type=config.node_sorting.type, resourceweights=dict(sorted(config.node_sorting.weights.items())))
    switches = {"enabled": config.preemption.enabled, "quotapreemptionenabled": config.preemption.quota_enabled}
    found = {
        "name": config.name,
        **said(
            queues=[_queue(each) for each in config.queues or ()],
            placementrules=[_rule(each) for each in config.placement_rules],
            limits=[_limit(each) for each in config.limits],
            preemption={name: value for name, value in switches.items() if value is not None},
            nodesortpolicy=sorting,
            usergroupresolver=said(type=config.user_group_resolver),
        ),
    }
    return found


def _queue(config: QueueConfig) -> Document:
    return {
        "name": config.name,
        **said(
            parent=config.parent,
            resources=_resources(config.resources),
            maxapplications=config.max_applications,
            properties=dict(sorted(config.properties.items())),
            adminacl=config.admin_acl,
            submitacl=config.submit_acl,
            childtemplate=_template(config.child_template),
            queues=[_queue(each) for each in config.queues],
            limits=[_limit(each) for each in config.limits],
        ),
    }


def _resources(config: ResourcesConfig) -> Document:
    return said(guaranteed=dict(sorted((config.guaranteed or {}).items())), max=dict(sorted((config.max or {}).items())))


def _template(config: ChildTemplate | None) -> Document:
    if config is None:
        return {}
    return said(
        maxapplications=config.max_applications,
        properties=dict(sorted(config.properties.items())),
        resources=_resources(config.resources),
    )


def _rule(config: PlacementRule) -> Document:
    chosen = said(type=config.filter.type, users=list(config.filter.users), groups=list(config.filter.groups))
    return {
        "name": config.name,
        **said(
            create=config.create,
            filter=chosen,
            parent=_rule(config.parent) if config.parent is not None else None,
            value=config.value,
        ),
    }


def _limit(config: Limit) -> Document:
    return {
        "limit": config.limit,
        **said(
            users=list(config.users),
            groups=list(config.groups),
            maxresources=dict(sorted((config.max_resources or {}).items())),
            maxapplications=config.max_applications,
        ),
    }
