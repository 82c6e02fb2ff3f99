"""The pictures of the screen, by name: which plots module draws them and from which data.

A picture is pure: rows from the state and a decision, a figure from the rows. Adding one here adds its tab.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from workbench.plots import nodes, priority_path
from workbench.scheduler.decision import Decision
from workbench.scheduler.state import Partition


@dataclass(frozen=True, slots=True)
class PictureKind:
    """One picture: the title of its tab, its data, and the plots module with `figure` and `update` for that data."""

    title: str
    rows: Callable[[Partition, Decision], Any]
    module: ModuleType


PICTURES: Mapping[str, PictureKind] = {
    "path": PictureKind("Priority path", priority_path.rows, priority_path),
    "nodes": PictureKind("Nodes", nodes.rows, nodes),
}
