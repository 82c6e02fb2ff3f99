"""The queues of a run, with what the design gives each of them: configured ones, and those that placement rules made.

A dynamic leaf has the guarantee and the maximum of the template that holds there: that of the nearest queue above it which has one
(C-141, C-142); dynamic parents have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from workbench.config.facts.design import QueueFacts, kept, queues_of
from workbench.config.model import ChildTemplate, PartitionConfig
from workbench.measures.reading import Reading
from workbench.measures.scopes import paths_above
from workbench.values.resources import Resource, component_wise_min


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredQueue:
    """A queue of a run.

    Attributes:
        number: its place in the tree, parents before their children.
        path: its full path.
        parent: the number of the queue above it, -1 for the root.
        guaranteed: its own guarantee, empty if it has none.
        maximum: the smallest maximum of each type from here up; only the types that have one.
        children: the numbers of the queues below it.
    """

    number: int
    path: str
    parent: int
    guaranteed: Resource
    maximum: Resource
    children: list[int] = field(default_factory=list)


class QueueTree:
    """The queues of a run, parents before their children, siblings as they are configured and dynamic ones after them by name."""

    def __init__(self, queues: list[MeasuredQueue]):
        self.queues = queues
        self.paths: Mapping[str, int] = {queue.path: queue.number for queue in queues}

    def __iter__(self) -> Iterator[MeasuredQueue]:
        return iter(self.queues)

    def __len__(self) -> int:
        return len(self.queues)

    def up(self, number: int) -> Iterator[int]:
        """The number of a queue and of those above it."""
        while number >= 0:
            yield number
            number = self.queues[number].parent

    def down(self, number: int) -> list[int]:
        """The number of a queue and of those below it, parents before their children."""
        found = [number]
        for each in found:
            found.extend(self.queues[each].children)
        return found


def tree_of(reading: Reading) -> QueueTree:
    """The queues of a run."""
    return reading.once("tree", lambda: _tree(reading.config.partition(), reading.record.queues))


def _tree(partition: PartitionConfig, leaves: list[str]) -> QueueTree:
    facts = queues_of(partition)
    paths = list(facts)
    added = sorted({path for leaf in leaves for path in paths_above(leaf)} - set(facts), key=lambda path: path.split("."))
    below: dict[str, list[str]] = {"": []}
    for path in (*paths, *added):
        below.setdefault(path, [])
        below[path.rpartition(".")[0]].append(path)
    queues: list[MeasuredQueue] = []
    limits: dict[str, Resource | None] = {}

    def add(path: str, parent: int) -> None:
        guaranteed, maximum = _settings(facts, path, bool(below[path]))
        above = limits[queues[parent].path] if parent >= 0 else None
        limits[path] = component_wise_min(maximum, above)
        queue = MeasuredQueue(len(queues), path, parent, guaranteed or Resource(), limits[path] or Resource())
        queues.append(queue)
        if parent >= 0:
            queues[parent].children.append(queue.number)
        for child in below[path]:
            add(child, queue.number)

    for root in below[""]:
        add(root, -1)
    return QueueTree(queues)


def _settings(facts: Mapping[str, QueueFacts], path: str, is_parent: bool) -> tuple[Resource | None, Resource | None]:
    """Guarantee and maximum of a queue."""
    if path in facts:
        return facts[path].guaranteed, facts[path].maximum
    template = _template(facts, path)
    if is_parent or template is None:
        return None, None
    return kept(template.resources.guaranteed), kept(template.resources.max)


def _template(facts: Mapping[str, QueueFacts], path: str) -> ChildTemplate | None:
    """The template that holds for a new leaf: of the nearest queue above it that has one. C-141."""
    for above in paths_above(path)[1:]:
        template = facts[above].config.child_template if above in facts else None
        if template is not None and _says_something(template):
            return template
    return None


def _says_something(template: ChildTemplate) -> bool:
    """One with nothing but empty keys and values counts as none. C-140."""
    maps = (template.properties, template.resources.guaranteed, template.resources.max)
    return template.max_applications != 0 or any(key and value for each in maps for key, value in (each or {}).items())
