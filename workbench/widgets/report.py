"""The state report: one HTML file that needs nothing but itself. Every text is escaped; the page may ask nobody for anything.

Pictures are plotly figures with the drawing script in the file, as a static picture would need a browser to be made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from workbench import explain
from workbench.explain import catalogue, wording
from workbench.explain.html import sentences_html, table_html
from workbench.plots.theme import LIGHT
from workbench.widgets import forecast, input_forms
from workbench.widgets.pictures import PICTURES
from workbench.widgets.present import Present, present_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.widgets.workbench import Workbench

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
STYLE = """\
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 70rem; margin: 2rem auto;
       padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; }
nav a { margin-right: 1rem; color: #0072b2; }
figure { margin: 1rem 0; }
figcaption { font-weight: 600; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; }
caption { text-align: left; padding: 0.3rem 0; color: #595959; }
th, td { padding: 0.2rem 0.7rem 0.2rem 0; border-bottom: 1px solid #e3e3e3; vertical-align: top; font-weight: normal; }
thead th { font-weight: 600; }
th, td:not(:last-child) { white-space: nowrap; }
pre { background: #f5f5f5; padding: 1rem; overflow-x: auto; }
@media print { nav { display: none; } section { break-inside: avoid-page; } }
"""
MOST_ROWS = 2000
WIDTH, HEIGHT = 900, 380


def report_html(workbench: Workbench) -> str:
    """The whole page as text: the present of the workbench."""
    present = present_of(workbench)
    sections = list(_sections(workbench, present))
    titles = catalogue.REPORT_SECTIONS
    links = "".join(f'<a href="#{name}">{escape(titles[name])}</a>' for name, _ in sections)
    body = "\n".join(f'<section id="{name}"><h2>{escape(titles[name])}</h2><div class="scroll">{content}</div></section>'
                     for name, content in sections)
    shown = escape(wording.name(workbench.name))
    lead = escape(catalogue.report_lead(present.simulation.position, len(present.waiting), present.simulation.version))
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
<p><strong>{lead}</strong></p>
<nav>{links}</nav>
{body}
</body>
</html>
"""


def _sections(workbench: Workbench, present: Present) -> Iterator[tuple[str, str]]:
    simulation, state, partition = present.simulation, present.simulation.state, present.partition.name
    answer = explain.why(present.decision)
    yield "why", sentences_html((answer.headline, *answer.sentences, *_why_not(workbench, present)))
    yield "pictures", "".join(_picture(number, name, present) for number, name in enumerate(PICTURES))
    yield "pending", table_html(_cut(forecast.pending_table(present.waiting, workbench.turns)))
    yield "order", table_html(_cut(explain.order_rows(simulation)))
    yield "queues", table_html(_cut(explain.queue_rows(state, partition)))
    yield "nodes", table_html(_cut(explain.node_rows(state, partition)))
    yield "inputs", table_html(_cut(input_forms.table(present.simulation)))
    yield "yaml", f"<pre>{escape(str(workbench.to_yaml()))}</pre>"
    yield "python", f"<pre>{escape(str(workbench.to_python()))}</pre>"


def _why_not(workbench: Workbench, present: Present) -> tuple[str, ...]:
    """The selected request, if it waits."""
    for item in present.waiting:
        if (item.application.id, item.ask.key) == workbench.selected_request and item.refusal is not None:
            return workbench.why_not_sentences(item)
    return ()


def _cut(table: explain.Table) -> explain.Table:
    return replace(table, rows=table.rows[:MOST_ROWS], keys=table.keys[:MOST_ROWS])


def _picture(number: int, name: str, present: Present) -> str:
    kind = PICTURES[name]
    data = kind.data(present, present.pictures.get(name, {}))
    drawn = _figure_html(kind.figure(data, LIGHT, width=WIDTH, height=HEIGHT, titled=False), f"picture-{name}", number == 0)
    return f"<figure><figcaption>{escape(data.sentence)}</figcaption>{drawn}</figure>"


def _figure_html(figure: go.Figure, identifier: str, with_script: bool) -> str:
    """A figure as markup; the first one on the page brings the drawing script with it."""
    return figure.to_html(full_html=False, include_plotlyjs=with_script, div_id=identifier,
                          config={"displaylogo": False, "responsive": True})
