"""Every picture of a simulation in one call: `workbench.plots.slope(sim)` is a plotly Figure of the present state.

The screen and whoever follows a simulation take the modules instead, with `rows` of a state and a decision and `figure` of
rows; these functions put the two together. All read the simulation and leave it as it is.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from workbench.explain.use_over_time import series
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
from workbench.plots.selection import ring
from workbench.plots.theme import THEMES, Theme
from workbench.scheduler.records.state import Partition
from workbench.simulation import Simulation

WIDTH, HEIGHT = 760, 380


def path(
    sim: Simulation,
    *,
    selected: str = "",
    theme: str | Theme = "light",
    width: int = WIDTH,
    height: int = HEIGHT,
    partition: str = "default",
    **options: Any,
) -> go.Figure:
    """G-1: the queues in scheduling order, and the way of the next choice."""
    data = priority_path.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(priority_path.figure, data, theme, width, height, selected)


def slope(
    sim: Simulation,
    *,
    selected: str = "",
    theme: str | Theme = "light",
    width: int = WIDTH,
    height: int = HEIGHT,
    partition: str = "default",
    **options: Any,
) -> go.Figure:
    """G-2: what every waiting ask counts as, level by level; offsets slant, fences gather."""
    data = priority_slope.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(priority_slope.figure, data, theme, width, height, selected)


def order(
    sim: Simulation,
    *,
    selected: str = "",
    theme: str | Theme = "light",
    width: int = WIDTH,
    height: int = HEIGHT,
    partition: str = "default",
    **options: Any,
) -> go.Figure:
    """G-3: which leaf queue got something at which step, and which comes next."""
    data = allocation_order.rows(_at(sim, partition), sim.steps[: sim.position], sim.preview(), **options)
    return _drawn(allocation_order.figure, data, theme, width, height, selected)


def usage(
    sim: Simulation,
    *,
    selected: str = "",
    theme: str | Theme = "light",
    width: int = WIDTH,
    height: int = HEIGHT,
    partition: str = "default",
    **options: Any,
) -> go.Figure:
    """G-4: use of one `resource` by queue against guarantee and maximum; with `of_maximum` in percent."""
    data = queue_usage.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(queue_usage.figure, data, theme, width, height, selected)


def node_bars(
    sim: Simulation,
    *,
    theme: str | Theme = "light",
    width: int = WIDTH,
    height: int = HEIGHT,
    partition: str = "default",
    **options: Any,
) -> go.Figure:
    """G-5: the nodes in the order of the node policy, with what runs on them."""
    data = nodes.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(nodes.figure, data, theme, width, height, "")


def shares(
    sim: Simulation,
    path: str | None = None,
    *,
    selected: str = "",
    theme: str | Theme = "light",
    width: int = WIDTH,
    height: int = HEIGHT,
    partition: str = "default",
    **options: Any,
) -> go.Figure:
    """G-6: the children of the queue at `path`, or its applications, by the value that the sort compares."""
    data = fair_share.rows(_at(sim, partition), sim.preview(), path=path, **options)
    return _drawn(fair_share.figure, data, theme, width, height, selected)


def preemption(
    sim: Simulation,
    step: int | None = None,
    *,
    selected: str = "",
    theme: str | Theme = "light",
    width: int = WIDTH,
    height: int = HEIGHT,
    partition: str = "default",
    **options: Any,
) -> go.Figure:
    """G-7: who is stopped for whom, in the step that comes next or in recorded step number `step`.

    Raises:
        CommandError: there is no such recorded step.
    """
    if step is not None:
        sim.explain(step)
    with sim.visiting(sim.position if step is None else step - 1):
        data = preemption_blocks.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(preemption_blocks.figure, data, theme, width, height, selected)


def time(
    sim: Simulation,
    path: str = "root",
    *,
    theme: str | Theme = "light",
    width: int = WIDTH,
    height: int = HEIGHT,
    partition: str = "default",
    **options: Any,
) -> go.Figure:
    """G-8: use over simulated time by the queues below `path`. Visits every step taken and comes back."""
    data = use_over_time.rows(series(sim, partition), _at(sim, partition), path=path, **options)
    return _drawn(use_over_time.figure, data, theme, width, height, "")


def _at(sim: Simulation, partition: str) -> Partition:
    return sim.state.partitions[partition.lower()]


def _drawn(figure: Any, data: Any, theme: str | Theme, width: int, height: int, selected: str) -> go.Figure:
    colours = THEMES[theme] if isinstance(theme, str) else theme
    made = figure(data, colours, width=width, height=height)
    return ring(made, selected, colours) if selected else made
