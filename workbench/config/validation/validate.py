"""Everything that makes the scheduler refuse a configuration, in its order and its words (C-30 to C-54).

`validate` is the table of contents: one call per step (a) to (j), and the first error ends it. Steps that hold an
idea of their own live next door: `validate_resources`, `validate_placement`, `validate_limits`. What is legal but
surprising (C-55) is none of this module's business.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config.acl import check_acl
from workbench.config.model import PartitionConfig, QueueConfig, SchedulerConfig
from workbench.config.read.tree_shape import completed
from workbench.config.validation.amounts import check_resources_down_the_tree
from workbench.config.validation.limits import (
    check_limit_applications_down_the_tree,
    check_limit_resources_down_the_tree,
    check_limits,
)
from workbench.config.validation.names import INVALID_QUEUE_NAME, is_queue_name
from workbench.config.validation.placement import check_rule_paths, check_rule_syntax
from workbench.config.vocabulary import NODE_SORT_POLICIES
from workbench.values.errors import ConfigError


def validate(config: SchedulerConfig, *, limits_by_path: bool = True) -> None:
    """Return if the scheduler accepts `config`, completed first as in section 4; else raise its ConfigError.

    `limits_by_path`: a queue named `root` counts as the root wherever it stands when limits are compared (R-950).

    `text` of the error is the scheduler's own; `line` is that of the queue, limit or rule at fault.
    """
    names: set[str] = set()
    for partition in completed(config).partitions:
        check_partition_name(partition, names)  # a
        check_queues_exist(partition)  # b
        check_root_has_no_resources(partition.root)
        check_partition_limits(partition)  # c
        check_queues(partition.root)  # d
        check_resources_down_the_tree(partition.root)  # e
        for rule in partition.placement_rules:  # f
            check_rule_syntax(rule)
        check_rule_paths(partition)
        check_node_sorting(partition)  # g
        check_applications_down_the_tree(partition.root)  # h
        check_limit_resources_down_the_tree(partition.root, by_path=limits_by_path)  # i
        check_limit_applications_down_the_tree(partition.root, by_path=limits_by_path)  # j


def check_partition_name(partition: PartitionConfig, names: set[str]) -> None:
    """No two partitions of one name, whatever the case; adds the name to `names` (C-32, C-23)."""
    name = partition.name.lower()
    if name in names:
        raise ConfigError(
            f"duplicate partition name found with name {partition.name}",
            line=partition.line,
            hint="names are compared ignoring case; without a name it is 'default'",
        )
    names.add(name)


def check_queues_exist(partition: PartitionConfig) -> None:
    """The key `queues` is there and not null; an empty list is fine (C-33, C-22)."""
    if partition.queues is None:
        raise ConfigError(
            "queue config is not set",
            line=partition.line,
            hint=f"partition {partition.name!r} needs the key queues, even if it is an empty list: queues: []",
        )


def check_root_has_no_resources(root: QueueConfig) -> None:
    """Root's maximum is the size of the cluster, so not even an empty map may stand there (C-34)."""
    if root.resources.guaranteed is not None or root.resources.max is not None:
        raise ConfigError(
            "root queue must not have resource limits set",
            line=root.resources.line or root.line,
            hint="the root queue has what the nodes have; set guaranteed and max on the queues below it",
        )


def check_partition_limits(partition: PartitionConfig) -> None:
    """Limits of the partition and of root, when both are given, are the same (C-35, C-85)."""
    if partition.limits and partition.limits != partition.root.limits:
        raise ConfigError(
            "partition limits and root queue limits are not equivalent",
            line=partition.root.limits[0].line or partition.limits[0].line,
            hint="limits of the partition are the limits of root: write them in one of the two places only",
        )


def check_queues(root: QueueConfig) -> None:
    """ACLs, limits and child names of every queue, depth first (step d). Root's own name is not looked at (C-31)."""
    for queue, path, _ in walk(root):
        check_acls(queue, path)
        check_limits(queue, path)
        check_child_names(queue, path)


def walk(root: QueueConfig) -> Iterator[tuple[QueueConfig, str, QueueConfig | None]]:
    """Every queue, its path as written and its parent; depth first, siblings in written order."""
    waiting: list[tuple[QueueConfig, str, QueueConfig | None]] = [(root, root.name, None)]
    while waiting:
        queue, path, parent = waiting.pop()
        yield queue, path, parent
        waiting.extend((child, f"{path}.{child.name}", queue) for child in reversed(queue.queues))


def check_acls(queue: QueueConfig, path: str) -> None:
    """At most two parts, users and groups, in each ACL; admin before submit (C-36)."""
    for key, acl in (("adminacl", queue.admin_acl), ("submitacl", queue.submit_acl)):
        text = check_acl(acl)
        if text is not None:
            hint = f"{key} of {path}: write users, one blank, groups, as in 'sue,bob dev,test'"
            raise ConfigError(text, line=queue.line, hint=hint)


def check_child_names(queue: QueueConfig, path: str) -> None:
    """Every child has a valid name that none before it has, ignoring case (C-38, C-39)."""
    names: set[str] = set()
    for child in queue.queues:
        if not is_queue_name(child.name):
            hint = f"below {path}: {_name_fault(child.name)}"
            raise ConfigError(INVALID_QUEUE_NAME, line=child.line, hint=hint)
        name = child.name.lower()
        if name in names:
            raise ConfigError(
                f"duplicate child name found with name '{child.name}', level {path.count('.') + 1}",
                line=child.line,
                hint=f"{path} has a queue of that name already; case makes no difference",
            )
        names.add(name)


def _name_fault(name: str) -> str:
    if not name:
        return "a queue has no name"
    if len(name) > 64:
        return f"the name has {len(name)} characters"
    if "." in name:
        return f"{name!r} holds a dot; a dot separates levels, so write one queue below the other"
    wrong = next(character for character in name if not is_queue_name(character))
    return f"{name!r} holds {wrong!r}"


def check_node_sorting(partition: PartitionConfig) -> None:
    """A known policy, spelled exactly, and no negative weight (C-52)."""
    sorting = partition.node_sorting
    if sorting.type and sorting.type not in NODE_SORT_POLICIES:
        hint = f"nodesortpolicy takes the type {' or '.join(NODE_SORT_POLICIES)}, in lower case"
        raise ConfigError(f"undefined policy: {sorting.type}", line=sorting.line, hint=hint)
    for name, weight in sorted(sorting.weights.items()):  # sorted: the reference picks any of several
        if weight < 0:
            text = f"negative resource weight for {name} is not allowed"
            raise ConfigError(text, line=sorting.line, hint="a weight of 0 leaves the type out")


def check_applications_down_the_tree(root: QueueConfig) -> None:
    """Below a queue with maxapplications every child has one too, and none larger (C-53, C-80)."""
    for queue, path, parent in walk(root):
        if parent is None or parent.max_applications == 0:
            continue
        place = f"{path} has {queue.max_applications or 'none'}, its parent {parent.max_applications}"
        if queue.max_applications > parent.max_applications:
            text = "parent maxApplications must be larger than child maxApplications"
            raise ConfigError(text, line=queue.line, hint=f"{place}; equal is fine")
        if queue.max_applications == 0:
            text = (
                "maxApplications is either undefined or zero, which is not allowed when parent queue's maxApplications is defined"
            )
            hint = f"{place}; set it from 1 to {parent.max_applications}, or remove it from the parent"
            raise ConfigError(text, line=queue.line, hint=hint)
