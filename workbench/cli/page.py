"""One self-contained HTML page of a run: pictures, steps, what waits, the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from workbench.cli import steps
from workbench.config.write.export import written
from workbench.explain import node_rows, queue_rows
from workbench.explain.html import table_html
from workbench.explain.wording import name
from workbench.plots import page as shared
from workbench.plots.page import Section, figure_html, text_html
from workbench.plots.pictures import nodes
from workbench.plots.pictures import path as path_picture
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition
from workbench.simulation import Simulation, Waiting

if TYPE_CHECKING:
    import plotly.graph_objects as go

RUN_SECTIONS: Mapping[str, str] = {
    "pictures": "The first decision, and the nodes at the end",
    "steps": "Steps",
    "waiting": "Waiting",
    "queues": "Queues",
    "nodes": "Nodes",
    "yaml": "Configuration",
}
QUEUES_AT_THE_END = "Queues at the end, in tree order"


def page(simulation: Simulation, rows: list[steps.Row], waiting: tuple[Waiting, ...], summary: str) -> str:
    """The whole page as text.

    Args:
        simulation: at its last step; the pictures show this state.
        rows: the steps, traced.
        waiting: what waits after them.
        summary: what it came to, in a sentence.
    """
    pictures = [
        figure_html(figure, f"picture-{number}", with_script=number == 1) for number, figure in enumerate(figures(simulation), 1)
    ]
    contents = {
        "pictures": "".join(pictures),
        "steps": table_html(steps.table(rows)),
        "waiting": table_html(steps.waiting_table(waiting)),
        "queues": table_html(queue_rows(simulation.state), QUEUES_AT_THE_END),
        "nodes": table_html(node_rows(simulation.state)),
        "yaml": text_html(written(simulation.config).text),
    }
    scenario = simulation.scenario
    return shared.page(
        name(scenario.name),
        summary,
        [Section(each, RUN_SECTIONS[each], content) for each, content in contents.items()],
        description=name(scenario.description, most=None) if scenario.description else "",
    )


def figures(simulation: Simulation) -> list[go.Figure]:
    """The queues as the first decision compared them, when most of them competed; and the nodes as they are now."""
    with simulation.visiting(0):
        first = simulation.preview()
        path = path_picture.figure(path_picture.rows(_partition(simulation, first), first))
    following = simulation.preview()
    return [path, nodes.figure(nodes.rows(_partition(simulation, following), following))]


def _partition(simulation: Simulation, decision: Decision) -> Partition:
    return simulation.state.partitions[decision.partition.lower()]
