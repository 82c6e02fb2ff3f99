"""Every picture of a simulation in one call: `workbench.plots.slope(sim)` is a plotly Figure of the present state.

The screen and whoever follows a simulation take the modules instead, with `rows` of a state and a decision and `figure` of
rows; these functions put the two together. All read the simulation and leave it as it is.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from workbench.explain.use_over_time import series
from workbench.plots.pictures import nodes as nodes_picture
from workbench.plots.pictures import order as order_picture
from workbench.plots.pictures import path as path_picture
from workbench.plots.pictures import preemption as preemption_picture
from workbench.plots.pictures import shares as shares_picture
from workbench.plots.pictures import slope as slope_picture
from workbench.plots.pictures import time as time_picture
from workbench.plots.pictures import usage as usage_picture
from workbench.plots.selection import ring
from workbench.plots.theme import THEMES, Theme
from workbench.scheduler.records.state import Partition
from workbench.simulation import Simulation
from workbench.values.renamed import warn_renamed

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
    data = path_picture.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(path_picture.figure, data, theme, width, height, selected)


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
    data = slope_picture.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(slope_picture.figure, data, theme, width, height, selected)


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
    data = order_picture.rows(_at(sim, partition), sim.steps[: sim.position], sim.preview(), **options)
    return _drawn(order_picture.figure, data, theme, width, height, selected)


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
    data = usage_picture.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(usage_picture.figure, data, theme, width, height, selected)


def nodes(
    sim: Simulation,
    *,
    theme: str | Theme = "light",
    width: int = WIDTH,
    height: int = HEIGHT,
    partition: str = "default",
    **options: Any,
) -> go.Figure:
    """G-5: the nodes in the order of the node policy, with what runs on them."""
    data = nodes_picture.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(nodes_picture.figure, data, theme, width, height, "")


def node_bars(sim: Simulation, **options: Any) -> go.Figure:
    """The former name of `nodes`, with a DeprecationWarning."""
    warn_renamed("plots.node_bars", "plots.nodes")
    return nodes(sim, **options)


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
    data = shares_picture.rows(_at(sim, partition), sim.preview(), path=path, **options)
    return _drawn(shares_picture.figure, data, theme, width, height, selected)


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
        data = preemption_picture.rows(_at(sim, partition), sim.preview(), **options)
    return _drawn(preemption_picture.figure, data, theme, width, height, selected)


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
    data = time_picture.rows(series(sim, partition), _at(sim, partition), path=path, **options)
    return _drawn(time_picture.figure, data, theme, width, height, "")


def _at(sim: Simulation, partition: str) -> Partition:
    return sim.state.partitions[partition.lower()]


def _drawn(figure: Any, data: Any, theme: str | Theme, width: int, height: int, selected: str) -> go.Figure:
    colours = THEMES[theme] if isinstance(theme, str) else theme
    made = figure(data, colours, width=width, height=height)
    return ring(made, selected, colours) if selected else made
