"""The queues of a capacity-scheduler.xml as a tree, each with the properties that are about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from workbench.config.validation.names import is_queue_name
from workbench.importers.yarn.document import Document, Property
from workbench.values.errors import ConfigError
from workbench.values.found import shown

PREFIX = "yarn.scheduler.capacity."
ROOT = "root"
MOST_QUEUES = 100_000


@dataclass(slots=True)
class Queue:
    """Attributes:
    yarn: its path there, in the case in which it is written.
    path: its path here, in lower case.
    properties: key -> property, for all that is said of this very queue; `capacity`, `ordering-policy.fair...`.
    """

    yarn: str
    path: str
    parent: Queue | None
    properties: dict[str, Property] = field(default_factory=dict)
    children: list[Queue] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    def walk(self) -> Iterator[Queue]:
        """This queue and all below it, parents before children."""
        waiting = [self]
        while waiting:
            queue = waiting.pop()
            yield queue
            waiting.extend(reversed(queue.children))


@dataclass(slots=True)
class Tree:
    """Attributes:
    root: with all below it.
    general: what is said of the scheduler and of no queue: key without PREFIX -> property.
    strangers: what is said of queues that there are not.
    others: properties of something else than the capacity scheduler.
    """

    root: Queue
    general: dict[str, Property] = field(default_factory=dict)
    strangers: list[Property] = field(default_factory=list)
    others: dict[str, Property] = field(default_factory=dict)

    def leaf(self, named: str) -> Queue | None:
        """A queue by its path, or a leaf by its short name, as YARN finds it; None if there is none, or more than one."""
        found = [each for each in self.root.walk() if named.lower() == each.path]
        found = found or [each for each in self.root.walk() if not each.children and each.name == named.lower()]
        return found[0] if len(found) == 1 else None


def read_tree(document: Document, sources: str) -> Tree:
    """The queues that `root.queues` and the like list.

    Raises:
        ConfigError: with the line: there are none, a name cannot be kept, or two become the same.
    """
    listed = PREFIX + "root.queues"
    if listed not in document.properties:
        raise ConfigError(
            f"there is no property {listed}", source=sources, hint="a capacity-scheduler.xml lists with it the queues below root"
        )
    root = Queue(ROOT, ROOT, None)
    known = {ROOT: root}
    for queue in _listed(root, document, known):
        known[queue.yarn] = queue
    tree = Tree(root)
    for name, property in document.properties.items():
        if not name.startswith(PREFIX):
            tree.others[name] = property
            continue
        key = name.removeprefix(PREFIX)
        if key != ROOT and not key.startswith(ROOT + "."):
            tree.general[key] = property
            continue
        _assign(tree, known, key, property)
    return tree


def _listed(root: Queue, document: Document, known: dict[str, Queue]) -> Iterator[Queue]:
    """All queues below root, parents before children."""
    waiting, count = [root], 0
    while waiting:
        parent = waiting.pop(0)
        property = document.properties.get(f"{PREFIX}{parent.yarn}.queues")
        seen: dict[str, str] = {}
        for name in (each.strip() for each in property.value.split(",")) if property is not None else ():
            assert property is not None
            if not name:
                continue
            if not is_queue_name(name):
                raise property.fault(
                    f"{shown(name)} cannot be the name of a queue here", "at most 64 of a-z, 0-9, _ - : # / @; give it another name"
                )
            if name.lower() in seen:
                raise property.fault(
                    f"{shown(seen[name.lower()])} and {shown(name)} are one queue here, where names are in lower case",
                    "give one of them another name",
                )
            seen[name.lower()] = name
            count += 1
            if count > MOST_QUEUES:
                raise property.fault(f"there are more than {MOST_QUEUES} queues", "is it the right file?")
            queue = Queue(f"{parent.yarn}.{name}", f"{parent.path}.{name.lower()}", parent)
            parent.children.append(queue)
            waiting.append(queue)
            yield queue


def _assign(tree: Tree, known: dict[str, Queue], key: str, property: Property) -> None:
    """Give a property to the queue that the longest beginning of its key names."""
    path, rest = key, ""
    while path not in known:
        path, _, last = path.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
    first = rest.partition(".")[0]
    # `root.nowhere.capacity` is about a queue that is not listed; `root.a.ordering-policy.fair.x` is about a.
    if "." in rest and first not in KEYS_WITH_DOTS and not first.startswith("accessible-node-labels"):
        tree.strangers.append(property)
    else:
        known[path].properties[rest] = property


KEYS_WITH_DOTS = {
    "auto-create-child-queue",
    "auto-queue-creation-v2",
    "intra-queue-preemption",
    "leaf-queue-template",
    "multi-node-sorting",
    "ordering-policy",
    "user-settings",
    "dynamic-queue",
}
"""Beginnings of keys that go on behind a dot."""
