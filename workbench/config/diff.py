"""What differs between two configurations, by queue path and configuration key.

Both sides are flattened to one text per key and compared, so a difference is exactly what a person would change in
queues.yaml. Names of queues and partitions ignore case (C-156); the order of keys plays no part, that of sibling
queues, limits and rules does, because the scheduler breaks ties by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.config.edit import walk
from workbench.config.model import (
    Limit,
    PartitionConfig,
    PlacementRule,
    QueueConfig,
    ResourcesConfig,
    SchedulerConfig,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One changed key.

    Attributes:
        path: lower-case queue path; "" for a setting of the partition itself.
        key: its place below the queue, such as `properties.priority.offset`, `resources.max.vcore` or
            `limits[sue].maxapplications`; "" for the queue or partition as such, "queues" for the order of children.
        old: text before, None where the key was absent.
        new: text after, None where the key is absent. Of a queue as such: "leaf" or "parent".
        partition: its name, lower case.
    """

    path: str
    key: str
    old: str | None
    new: str | None
    partition: str = "default"

    def __str__(self) -> str:
        place = self.path or f"partition {self.partition}"
        if not self.key and (self.old is None or self.new is None):
            return f"{place}: {'added' if self.old is None else 'removed'}"
        old, new = ("not set" if text is None else repr(text) for text in (self.old, self.new))
        return f"{place}: {self.key or 'type'} {old} -> {new}"


def diff(before: SchedulerConfig, after: SchedulerConfig) -> tuple[Difference, ...]:
    """Everything that changes from one loaded configuration to another; () when they mean the same.

    In order of the first configuration, its removed parts in place; what only the second has comes behind. An added
    or removed queue is listed as such and then with each of its keys.
    """
    mine, theirs = ({each.name.lower(): each for each in config.partitions} for config in (before, after))
    return tuple(each for name in {**mine, **theirs} for each in _of_partition(name, mine.get(name), theirs.get(name)))


def _of_partition(name: str, old: PartitionConfig | None, new: PartitionConfig | None) -> Iterator[Difference]:
    yield from _of_keys(name, "", *({} if at is None else dict(_partition_texts(at)) for at in (old, new)))
    mine, theirs = ({} if at is None else dict(walk(at.root)) for at in (old, new))
    for path in {**mine, **theirs}:
        yield from _of_queue(name, path, mine.get(path), theirs.get(path))


def _of_queue(partition: str, path: str, old: QueueConfig | None, new: QueueConfig | None) -> Iterator[Difference]:
    yield from _of_keys(partition, path, *({} if at is None else dict(_queue_texts(at)) for at in (old, new)))
    if old is not None and new is not None:
        # Only children of both sides: an added or removed one is listed itself.
        mine, theirs = ([child.name.lower() for child in at.queues] for at in (old, new))
        kept, reordered = [name for name in mine if name in theirs], [name for name in theirs if name in mine]
        if kept != reordered:
            yield Difference(path, "queues", ", ".join(kept), ", ".join(reordered), partition)


def _of_keys(partition: str, path: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Difference]:
    for key in {**old, **new}:
        if old.get(key) != new.get(key):
            yield Difference(path, key, old.get(key), new.get(key), partition)


# --- One text per key; defaults that may as well be absent are absent ---


def _partition_texts(partition: PartitionConfig) -> Iterator[tuple[str, str]]:
    yield "", "partition"
    for at, rule in enumerate(partition.placement_rules):
        yield from _rule_texts(f"placementrules[{at}]", rule)
    # Partition limits are those of the root (C-85), and so are listed there.
    if partition.node_sorting.type:
        yield "nodesortpolicy.type", partition.node_sorting.type
    for name, weight in partition.node_sorting.weights.items():
        yield f"nodesortpolicy.resourceweights.{name}", f"{weight!r}".removesuffix(".0")
    switches = partition.preemption
    for key, value in (("enabled", switches.enabled), ("quotapreemptionenabled", switches.quota_enabled)):
        if value is not None:
            yield f"preemption.{key}", "true" if value else "false"
    if partition.user_group_resolver:
        yield "usergroupresolver.type", partition.user_group_resolver


def _queue_texts(queue: QueueConfig) -> Iterator[tuple[str, str]]:
    is_leaf = not queue.parent and not queue.queues
    yield "", "leaf" if is_leaf else "parent"
    if queue.parent:
        yield "parent", "true"
    for key, text in (("submitacl", queue.submit_acl), ("adminacl", queue.admin_acl)):
        if text:
            yield key, text
    if queue.max_applications:
        yield "maxapplications", str(queue.max_applications)
    yield from _resource_texts("", queue.resources)
    for name, text in queue.properties.items():
        yield f"properties.{name}", text
    yield from _limit_texts(queue.limits)
    template = queue.child_template
    if template is not None:
        yield "childtemplate", "set"
        if template.max_applications:
            yield "childtemplate.maxapplications", str(template.max_applications)
        yield from _resource_texts("childtemplate.", template.resources)
        for name, text in template.properties.items():
            yield f"childtemplate.properties.{name}", text


def _resource_texts(prefix: str, resources: ResourcesConfig) -> Iterator[tuple[str, str]]:
    for kind, quantities in (("guaranteed", resources.guaranteed), ("max", resources.max)):
        if quantities is not None:
            # An empty map is not nothing: at root it is refused (C-34).
            yield from _map_texts(f"{prefix}resources.{kind}", quantities)


def _limit_texts(limits: tuple[Limit, ...]) -> Iterator[tuple[str, str]]:
    """Each limit goes by its users and groups, which no other limit of a valid queue shares (C-88, C-90)."""
    labels = []
    for limit in limits:
        label = ",".join(limit.users) + (f" {','.join(limit.groups)}" if limit.groups else "")
        labels.append(label)
        at = f"limits[{label}]"
        yield at, limit.limit
        if limit.max_applications:
            yield f"{at}.maxapplications", str(limit.max_applications)
        if limit.max_resources is not None:
            yield from _map_texts(f"{at}.maxresources", limit.max_resources)
    if len(labels) > 1:
        yield "limits", "; ".join(labels)


def _rule_texts(at: str, rule: PlacementRule) -> Iterator[tuple[str, str]]:
    yield at, rule.name
    if rule.create:
        yield f"{at}.create", "true"
    if rule.value:
        yield f"{at}.value", rule.value
    for key, text in (("type", rule.filter.type), ("users", ",".join(rule.filter.users)),
                      ("groups", ",".join(rule.filter.groups))):  # fmt: skip
        if text:
            yield f"{at}.filter.{key}", text
    if rule.parent is not None:
        yield from _rule_texts(f"{at}.parent", rule.parent)


def _map_texts(at: str, quantities: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if not quantities:
        yield at, "{}"
    for name, text in quantities.items():
        yield f"{at}.{name}", text
