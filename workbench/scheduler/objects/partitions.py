"""A partition made from its configuration. C-120 to C-125, C-150, PL-20 to PL-23."""

from __future__ import annotations

from typing import Any

from workbench.config.model import PartitionConfig
from workbench.scheduler import placement
from workbench.scheduler.objects import tree, users
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.state import Partition
from workbench.values.errors import ConfigError


def create(ctx: Context, config: PartitionConfig) -> Partition:
    """The partition as it is right after loading: queues, rules, policies, no nodes.

    Raises:
        ConfigError: what validation lets pass but loading refuses (C-125).
    """
    root = tree.build(ctx, config)
    return Partition(
        name=config.name.lower(),
        root=root,
        profile=ctx.profile,
        users=users.manager(ctx.journal, users.limit_table(config)),
        **from_config(ctx, config),
    )


def from_config(ctx: Context, config: PartitionConfig) -> dict[str, Any]:
    """The fields of a partition that its configuration sets, besides queues and limits."""
    try:
        rules = placement.build_rules(config)
    except ConfigError:
        # Quirk: at first load an unusable rule set leaves the partition without any; everything is rejected. PL-23
        rules = None
    return {
        "config": config,
        "node_policy": config.node_sorting.type or "fair",
        "node_weights": dict(config.node_sorting.weights),
        "preemption_enabled": config.preemption.enabled is not False,
        "quota_preemption_enabled": bool(config.preemption.quota_enabled),
        "placement_rules": rules,
    }
