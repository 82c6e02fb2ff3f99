"""Which queue of an edited tree was which queue before, so that what was written about it goes where it goes.

By path where that is the same. A queue that is nowhere else by its path was renamed, if a sibling with the same settings
is gone, or moved, if a queue of its name is gone elsewhere. No queue of the old tree stands for two of the new one, so a
copy has nothing of its own in the text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from workbench.config.model import PartitionConfig, QueueConfig
from workbench.config.write.placed_nodes import PlacedList
from workbench.config.write.plain_data import queue_data, root_data


@dataclass(slots=True, eq=False)
class TreeQueue:
    """One place in a tree. `before` is the place that a queue of the new tree had in the old one."""

    config: QueueConfig
    parent: TreeQueue | None
    children: list[TreeQueue]
    before: TreeQueue | None = None
    is_taken: bool = False

    @property
    def name(self) -> str:
        return self.config.name.lower()


def tree_of(queue: QueueConfig, parent: TreeQueue | None = None) -> TreeQueue:
    """The places of a queue and of everything below it."""
    place = TreeQueue(queue, parent, [])
    place.children = [tree_of(child, place) for child in queue.queues]
    return place


def pair(old: TreeQueue, new: TreeQueue) -> None:
    """Set `before` in the new tree."""
    lost: list[TreeQueue] = []
    found: list[TreeQueue] = []
    _pair_down(old, new, lost, found)
    gone = [each for queue in lost for each in _all(queue)]
    while found:
        queue = found.pop(0)
        before = _renamed(queue, gone) or _moved(queue, gone)
        if before is None:
            found.extend(queue.children)
            continue
        _pair_down(before, queue, lost, found)
        gone = [each for each in gone if not each.is_taken]


def _pair_down(old: TreeQueue, new: TreeQueue, lost: list[TreeQueue], found: list[TreeQueue]) -> None:
    """The same queue, and below it the children of the same names; the others are lost or found."""
    new.before, old.is_taken = old, True
    known: dict[str, TreeQueue] = {child.name: child for child in old.children if not child.is_taken}
    for child in new.children:
        before = known.pop(child.name, None)
        if before is None:
            found.append(child)
        else:
            _pair_down(before, child, lost, found)
    lost.extend(known.values())


def _renamed(queue: TreeQueue, gone: list[TreeQueue]) -> TreeQueue | None:
    siblings = [each for each in gone if queue.parent is not None and each.parent is queue.parent.before]
    for each in siblings:
        if replace(each.config, name=queue.config.name) == queue.config:
            return each
    # Renamed and then changed: the one whose place among the siblings is free.
    if queue.parent is not None and len(siblings) == 1:
        unknown = [each for each in queue.parent.children if each.before is None]
        if len(unknown) == 1 and queue.parent.children.index(queue) == siblings[0].parent.children.index(siblings[0]):  # type: ignore[union-attr]
            return siblings[0]
    return None


def _moved(queue: TreeQueue, gone: list[TreeQueue]) -> TreeQueue | None:
    by_name = [each for each in gone if each.name == queue.name]
    return next((each for each in by_name if each.config == queue.config), by_name[0] if by_name else None)


def _all(queue: TreeQueue) -> list[TreeQueue]:
    waiting, found = [queue], []
    while waiting:
        each = waiting.pop(0)
        found.append(each)
        waiting.extend(each.children)
    return found


class QueueData(dict[str, Any]):
    """The plain data of one queue, and its place in the tree."""

    __slots__ = ("place",)

    def __init__(self, data: dict[str, Any], place: TreeQueue):
        super().__init__(data)
        self.place = place


@dataclass(frozen=True, slots=True)
class Written:
    """Where a queue is written: its data, and the item of a list."""

    data: QueueData
    within: PlacedList
    index: int


def described(place: TreeQueue, partition: PartitionConfig) -> QueueData:
    """The plain data of a queue and everything below it."""
    own = queue_data(place.config) if place.parent is not None else root_data(place.config, partition)
    below = {"queues": [described(child, partition) for child in place.children]} if place.children else {}
    return QueueData(own | below, place)
