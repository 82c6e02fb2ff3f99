"""The edits between two designs: what a person would call one change each, and the designs in between. CP-4.

A difference is one key of one queue (`config.diff`); an edit is a setting with all its keys, such as the maximum of a queue, or a
queue that came or went with everything below it. Any of the edits can be made to the first design without the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from workbench.config import edit
from workbench.config.diff import Difference, diff
from workbench.config.model import PartitionConfig, SchedulerConfig
from workbench.explain.wording import counted, listing, name

MOST = 8
"""Edits that are told apart; of more, those of one queue or of neighbours count as one."""

ADDED, REMOVED = "added", "removed"
_WHOLE = ("resources.max", "resources.guaranteed", "limits", "childtemplate", "placementrules", "nodesortpolicy")
"""Settings of several keys."""


@dataclass(frozen=True, slots=True)
class Part:
    """One setting of a queue, or of the partition where `path` is empty; `key` is as that of a `Difference`, or added, removed."""

    partition: str
    path: str
    key: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One change from a design to another: one setting, or several that count as one.

    Attributes:
        parts: the settings.
        differences: what changes in them.
    """

    parts: tuple[Part, ...]
    differences: tuple[Difference, ...]

    def __str__(self) -> str:
        if len(self.parts) > 1:
            places = list(dict.fromkeys(part.path or f"partition {part.partition}" for part in self.parts))
            return f"{listing([name(place) for place in places])}: {counted(len(self.parts), 'setting')}"
        part = self.parts[0]
        place = name(part.path or f"partition {part.partition}", None)
        if part.key in (ADDED, REMOVED):
            return f"{place}: {part.key}"
        return f"{place}: {'; '.join(_change(each) for each in self.differences)}"


def _change(each: Difference) -> str:
    key = each.key.removeprefix("properties.").removeprefix("resources.")
    old, new = ("not set" if text is None else name(text) for text in (each.old, each.new))
    return f"{name(key)} {old} → {new}"


def edits(before: SchedulerConfig, after: SchedulerConfig, most: int = MOST) -> tuple[Edit, ...]:
    """What was edited, in the order of the first design. At most so many: the rest is put together."""
    found: dict[Part, list[Difference]] = {}
    gone = _whole_queues(before, after)
    for each in diff(before, after):
        part = _part(each, gone)
        if part is not None:
            found.setdefault(part, []).append(each)
    return _joined([Edit((part,), tuple(differences)) for part, differences in found.items()], most)


def with_edits(before: SchedulerConfig, after: SchedulerConfig, chosen: Collection[Edit]) -> SchedulerConfig:
    """The first design with some of the edits, as the second has them. It may be one that the scheduler refuses."""
    parts = [part for each in chosen for part in each.parts]
    # Queues come before they are changed and go after it.
    rank = {ADDED: 0, "queues": 2, REMOVED: 3}
    made = before
    for part in sorted(parts, key=lambda part: (rank.get(part.key, 1), part.path.count(".") if part.key == ADDED else 0)):
        made = _with_part(made, after, part)
    return made


def _whole_queues(before: SchedulerConfig, after: SchedulerConfig) -> dict[tuple[str, str], str]:
    """(partition, path) of queues that came or went, the topmost ones, -> which of the two; path "" for a whole partition."""
    found: dict[tuple[str, str], str] = {}
    for each in diff(before, after):
        if not each.key and (each.old is None or each.new is None) and _above(each, found) is None:
            found[each.partition, each.path] = ADDED if each.old is None else REMOVED
    return found


def _above(each: Difference, found: Collection[tuple[str, str]]) -> tuple[str, str] | None:
    """The queue that came or went which this is a part of."""
    return next(
        (top for top in found if top[0] == each.partition and (not top[1] or f"{each.path}.".startswith(f"{top[1]}."))), None
    )


def _part(each: Difference, gone: dict[tuple[str, str], str]) -> Part | None:
    top = _above(each, gone)
    if top is not None:
        return Part(each.partition, top[1], gone[top])
    if not each.key:
        return None  # a leaf that got its first child, or a parent that lost its last
    key = next((whole for whole in _WHOLE if each.key == whole or each.key.startswith((f"{whole}.", f"{whole}["))), each.key)
    return Part(each.partition, each.path, key)


def _joined(found: Sequence[Edit], most: int) -> tuple[Edit, ...]:
    """At most so many: settings of one queue together, then those of neighbours, then all that is left."""
    made = list(found)
    levels = max((part.path.count(".") for each in made for part in each.parts), default=0) + 1
    for level in range(levels, 0, -1):
        if len(made) <= most:
            return tuple(made)
        together: dict[tuple[str, str], list[Edit]] = {}
        for each in made:
            place = (each.parts[0].partition, ".".join(each.parts[0].path.split(".")[: level + 1]))
            together.setdefault(place, []).append(each)
        made = [_one(each) for each in together.values()]
    return tuple(made) if len(made) <= most else (*made[: most - 1], _one(made[most - 1 :]))


def _one(several: Iterable[Edit]) -> Edit:
    several = list(several)
    return Edit(
        tuple(part for each in several for part in each.parts), tuple(found for each in several for found in each.differences)
    )


def _with_part(made: SchedulerConfig, after: SchedulerConfig, part: Part) -> SchedulerConfig:
    at = part.partition
    if not part.path:
        return _with_setting(made, after, part)
    if part.key == ADDED:
        parent = part.path.rpartition(".")[0]
        new = edit.queue_at(after, part.path, at)
        behind = [child.name.lower() for child in edit.queue_at(after, parent, at).queues]
        place = behind.index(new.name.lower())
        here = [child.name.lower() for child in edit.queue_at(made, parent, at).queues]
        index = max((here.index(each) + 1 for each in behind[:place] if each in here), default=0)
        return edit.with_queue_added(made, parent, new, at, index=index)
    if part.key == REMOVED:
        return edit.without_queue(made, part.path, at)
    theirs = edit.queue_at(after, part.path, at)
    if part.key == "queues":
        order = {child.name.lower(): place for place, child in enumerate(theirs.queues)}
        children = edit.queue_at(made, part.path, at).queues
        for place, child in enumerate(sorted(children, key=lambda child: order.get(child.name.lower(), len(order)))):
            made = edit.with_queue_moved(made, f"{part.path}.{child.name}", part.path, at, index=place)
        return made
    if part.key == "resources.max":
        return edit.with_max(made, part.path, theirs.resources.max, at)
    if part.key == "resources.guaranteed":
        return edit.with_guaranteed(made, part.path, theirs.resources.guaranteed, at)
    if part.key.startswith("properties."):
        key = part.key.removeprefix("properties.")
        return edit.with_property(made, part.path, key, theirs.properties.get(key), at)
    return edit.with_field(made, part.path, part.key, getattr(theirs, edit.FIELDS[part.key]), at)


def _with_setting(made: SchedulerConfig, after: SchedulerConfig, part: Part) -> SchedulerConfig:
    """A setting of the partition, or the whole partition."""
    if part.key == ADDED:
        return replace(made, partitions=(*made.partitions, after.partition(part.partition)), checksum="", text="")
    if part.key == REMOVED:
        left = tuple(each for each in made.partitions if each.name.lower() != part.partition)
        return replace(made, partitions=left, checksum="", text="")
    ours, theirs = made.partition(part.partition), after.partition(part.partition)
    if part.key == "placementrules":
        return edit.with_placement_rules(made, theirs.placement_rules, part.partition)
    if part.key == "nodesortpolicy":
        return edit.with_node_sorting(made, theirs.node_sorting, part.partition)
    if part.key == "preemption.enabled":
        return edit.with_preemption(made, replace(ours.preemption, enabled=theirs.preemption.enabled), part.partition)
    if part.key == "preemption.quotapreemptionenabled":
        return edit.with_preemption(made, replace(ours.preemption, quota_enabled=theirs.preemption.quota_enabled), part.partition)
    changed: PartitionConfig = replace(ours, user_group_resolver=theirs.user_group_resolver)
    return replace(made, partitions=tuple(changed if each is ours else each for each in made.partitions), checksum="", text="")
