"""The pictures of the screen, as a table: title of the tab, from what the picture is made, and what draws it.

A picture is pure: rows from the present, a figure from the rows. Adding an entry here adds its tab, its place in the report and
its name in `Workbench.figure`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from workbench.plots import (
    allocation_order,
    fair_share,
    nodes,
    preemption_blocks,
    priority_path,
    priority_slope,
    queue_usage,
    use_over_time,
)
from workbench.scheduler.decision import Decision
from workbench.scheduler.state import Partition
from workbench.widgets.present import Present, present_of

__all__ = ["PICTURES", "PictureKind", "present_of"]


@dataclass(frozen=True, slots=True)
class PictureKind:
    """One picture.

    Attributes:
        title: of its tab.
        needs: the attributes of `Present` that `rows` takes, in this order.
        rows: the data of the picture; its `sentence` says what is to be seen.
        figure: `figure(rows, theme, width=, height=, titled=)`; marks with a queue path in `customdata` can be clicked.
    """

    title: str
    needs: tuple[str, ...]
    rows: Callable[..., Any]
    figure: Callable[..., go.Figure]

    def data(self, present: Present) -> Any:
        """The data of the picture now."""
        return self.rows(*(getattr(present, need) for need in self.needs))


STATE_AND_NEXT = ("partition", "decision")


def _shares(partition: Partition, decision: Decision, selected: str) -> fair_share.ShareRows:
    """Of the selected queue; else wherever the next choice is made."""
    return fair_share.rows(partition, decision, path=selected or None)


PICTURES: Mapping[str, PictureKind] = {
    "path": PictureKind("Priority path", STATE_AND_NEXT, priority_path.rows, priority_path.figure),
    "slope": PictureKind("Slope", STATE_AND_NEXT, priority_slope.rows, priority_slope.figure),
    "order": PictureKind("Order", ("partition", "taken", "decision"), allocation_order.rows, allocation_order.figure),
    "usage": PictureKind("Usage", STATE_AND_NEXT, queue_usage.rows, queue_usage.figure),
    "nodes": PictureKind("Nodes", STATE_AND_NEXT, nodes.rows, nodes.figure),
    "shares": PictureKind("Fair share", (*STATE_AND_NEXT, "selected"), _shares, fair_share.figure),
    "preemption": PictureKind("Preemption", STATE_AND_NEXT, preemption_blocks.rows, preemption_blocks.figure),
    "time": PictureKind("Time", ("use", "partition"), use_over_time.rows, use_over_time.figure),
}
"""Name -> picture, in the order of the tabs."""
