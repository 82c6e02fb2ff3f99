"""The pictures of the screen, by name: from which data they are made, and what draws them.

A picture is pure: rows from the state and a decision, a figure from the rows. Adding one here adds its tab.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from workbench.plots import nodes, priority_path
from workbench.scheduler.decision import Decision
from workbench.scheduler.state import Partition


@dataclass(frozen=True, slots=True)
class PictureKind:
    """One picture: the title of its tab, the data it shows, and the figure of that data."""

    title: str
    rows: Callable[[Partition, Decision], Any]
    figure: Callable[..., go.Figure]


PICTURES: Mapping[str, PictureKind] = {
    "path": PictureKind("Priority path", priority_path.rows, priority_path.figure),
    "nodes": PictureKind("Nodes", nodes.rows, nodes.figure),
}
