"""One self-contained HTML page of a run: pictures, steps, what waits, the configuration.

The page needs nothing but itself: its policy forbids every request, so that even a name that were read as markup could
reach nobody. Names are escaped all the same.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from workbench.cli import steps
from workbench.explain import node_rows, queue_rows
from workbench.explain.html import table_html
from workbench.explain.wording import name
from workbench.plots import nodes, priority_path
from workbench.scheduler.decision import Decision
from workbench.scheduler.state import Partition
from workbench.simulation import Simulation, Waiting

if TYPE_CHECKING:
    import plotly.graph_objects as go

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"

STYLE = """\
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 70rem; margin: 2rem auto;
       padding: 0 1rem; }
h1, h2 { line-height: 1.2; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; }
caption { text-align: left; padding: 0.3rem 0; color: #595959; }
th, td { padding: 0.2rem 0.7rem 0.2rem 0; border-bottom: 1px solid #e3e3e3; vertical-align: top; font-weight: normal; }
thead th { font-weight: 600; }
th, td:not(:last-child) { white-space: nowrap; }
pre { background: #f5f5f5; padding: 1rem; overflow-x: auto; }
"""


def page(simulation: Simulation, rows: list[steps.Row], waiting: tuple[Waiting, ...], summary: str) -> str:
    """The whole page as text.

    Args:
        simulation: at its last step; the pictures show this state.
        rows: the steps, traced.
        waiting: what waits after them.
        summary: what it came to, in a sentence.
    """
    pictures = [figure_html(figure, f"picture-{number}", with_script=number == 1)
                for number, figure in enumerate(figures(simulation), 1)]
    sections = [
        ("The first decision, and the nodes at the end", "".join(pictures)),
        ("Steps", table_html(steps.table(rows))),
        ("Waiting", table_html(steps.waiting_table(waiting))),
        ("Queues", table_html(queue_rows(simulation.state), "Queues at the end, in tree order")),
        ("Nodes", table_html(node_rows(simulation.state))),
        ("Configuration", f"<pre>{escape(simulation.config.text)}</pre>"),
    ]
    body = "\n".join(f'<section><h2>{head}</h2><div class="scroll">{content}</div></section>' for head, content in sections)
    scenario = simulation.scenario
    shown = escape(name(scenario.name))
    description = f"<p>{escape(name(scenario.description, most=None))}</p>" if scenario.description else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{shown}: policy workbench</title>
<style>
{STYLE}</style>
</head>
<body>
<h1>{shown}</h1>
{description}
<p><strong>{escape(summary)}</strong></p>
{body}
</body>
</html>
"""


def figures(simulation: Simulation) -> list[go.Figure]:
    """The queues as the first decision compared them, when most of them competed; and the nodes as they are now."""
    at = simulation.position
    simulation.goto(0)
    first = simulation.preview()
    path = priority_path.figure(priority_path.rows(_partition(simulation, first), first))
    simulation.goto(at)
    following = simulation.preview()
    return [path, nodes.figure(nodes.rows(_partition(simulation, following), following))]


def _partition(simulation: Simulation, decision: Decision) -> Partition:
    return simulation.state.partitions[decision.partition.lower()]


def figure_html(figure: go.Figure, identifier: str, *, with_script: bool) -> str:
    """A figure as markup; the first one on a page brings the drawing script with it."""
    return figure.to_html(full_html=False, include_plotlyjs=with_script, div_id=identifier,
                          config={"displaylogo": False, "responsive": True})
