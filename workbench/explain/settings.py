"""What holds for every queue: its type, its amounts, and the properties in force that are no defaults.

Rules of sections 11 to 13 of chapter 02.
"""

from __future__ import annotations

from workbench.config.properties import DEFAULT_SETTINGS, PROPERTIES, Property
from workbench.explain import catalogue
from workbench.explain.tables import Table
from workbench.explain.wording import amounts, name
from workbench.scheduler.state import Cluster, Queue
from workbench.scheduler.tree import walk


def setting_rows(state: Cluster, partition: str = "default") -> Table:
    """Every queue in tree order with its type and what is set, inherited or from a template; defaults are left out.

    A property whose text means nothing is at its default, and so is left out as well (C-131). The maximum of root is the
    cluster. KeyError if there is no such partition.
    """
    queues = list(walk(state.partitions[partition.lower()].root))
    return Table(catalogue.SETTING_CAPTION, catalogue.SETTING_COLUMNS, tuple(_row(queue) for queue in queues),
                 frozenset(("max apps",)), tuple(queue.path for queue in queues))


def _row(queue: Queue) -> tuple[str, ...]:
    kind = catalogue.LEAF if queue.is_leaf else catalogue.PARENT
    marked = kind if queue.is_managed else f"{kind}, {catalogue.DYNAMIC}"
    in_force = ", ".join(f"{key} {name(queue.properties.get(key, ''))}".strip() for key, known in PROPERTIES.items()
                         if _differs(queue, known))
    applications = str(queue.max_applications or "")
    return name(queue.path), marked, applications, amounts(queue.guaranteed), amounts(queue.maximum), in_force


def _differs(queue: Queue, known: Property) -> bool:
    if known.scope == "leaf" and not queue.is_leaf:
        return False
    return getattr(queue.settings, known.field) != getattr(DEFAULT_SETTINGS, known.field)
