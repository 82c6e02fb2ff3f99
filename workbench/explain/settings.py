"""What holds for every queue: its type, its amounts, and the properties in force that are no defaults.

Rules of sections 11 to 13 of chapter 02.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workbench.config.properties import DEFAULT_SETTINGS, Property
from workbench.explain.tables import Table, without_empty_columns
from workbench.explain.wording import amounts, name
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.state import Cluster, Queue

SETTING_CAPTION = "Queues with their type and what is set or inherited, defaults left out"
SETTING_COLUMNS = ("queue", "type", "max apps", "guaranteed", "max", "property in force", "value")
PARENT = "parent"
LEAF = "leaf"
DYNAMIC = "dynamic"


def setting_rows(state: Cluster, partition: str = "default") -> Table:
    """Every queue in tree order with its type and what is set, inherited or from a template; defaults are left out.

    Each further property of a queue has a row of its own. A property whose text means nothing is at its default, and so is
    left out as well (C-131); so is a column that would be empty. KeyError if there is no such partition.
    """
    queues = list(walk(state.partitions[partition.lower()].root))
    rows = [(queue.path, row) for queue in queues for row in _rows(queue, state.profile.properties)]
    return without_empty_columns(
        Table(
            SETTING_CAPTION,
            SETTING_COLUMNS,
            tuple(row for _, row in rows),
            frozenset(("max apps",)),
            tuple(path for path, _ in rows),
        )
    )


def _rows(queue: Queue, properties: Mapping[str, Property]) -> Iterator[tuple[str, ...]]:
    kind = LEAF if queue.is_leaf else PARENT
    marked = kind if queue.is_managed else f"{kind}, {DYNAMIC}"
    # The maximum of root is no setting but what the nodes add up to. C-123
    maximum = amounts(queue.maximum) if queue.parent is not None else ""
    in_force = [(key, name(queue.properties.get(key, ""))) for key, known in properties.items() if _differs(queue, known)]
    first, *further = in_force or [("", "")]
    yield (name(queue.path), marked, str(queue.max_applications or ""), amounts(queue.guaranteed), maximum, *first)
    for each in further:
        yield ("", "", "", "", "", *each)


def _differs(queue: Queue, known: Property) -> bool:
    if known.scope == "leaf" and not queue.is_leaf:
        return False
    return bool(getattr(queue.settings, known.field) != getattr(DEFAULT_SETTINGS, known.field))
