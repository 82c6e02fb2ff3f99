"""The state report: the present of a workbench as one HTML file that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape

from workbench import explain
from workbench.bench import input_forms, texts
from workbench.bench.desk import Desk
from workbench.bench.named_tables import node_table, pending_table, queue_table
from workbench.bench.pictures import PICTURES
from workbench.bench.present import Present, present_of
from workbench.bench.reasons import just_happened
from workbench.bench.verbs.explaining import why_not_sentences
from workbench.bench.verbs.exporting import to_python, to_yaml
from workbench.explain import wording
from workbench.explain.html import sentences_html, table_html
from workbench.explain.wording import name
from workbench.plots.packed import loader_html, picture_html
from workbench.plots.page import Section, page, text_html
from workbench.plots.theme import LIGHT

REPORT_SECTIONS: Mapping[str, str] = {
    "why": "Why",
    "pictures": "Pictures",
    "pending": "Waiting",
    "order": "Steps",
    "queues": "Queues",
    "nodes": "Nodes",
    "inputs": "Inputs",
    "yaml": "Configuration",
    "python": "The same in Python",
}

MOST_ROWS = 2000
WIDTH, HEIGHT = 900, 380


def report_html(desk: Desk) -> str:
    """The whole page as text: the present of the workbench."""
    present = present_of(desk, told=not desk.question_open)
    lead = report_lead(present.simulation.position, len(present.waiting), present.simulation.release, present.refused.many)
    sections = [Section(name, REPORT_SECTIONS[name], content) for name, content in _sections(desk, present)]
    return page(wording.name(desk.name), lead, sections, linked=True)


def _sections(desk: Desk, present: Present) -> Iterator[tuple[str, str]]:
    if desk.question_open:
        yield "why", sentences_html(texts.PREDICT_QUESTIONS[desk.asked.about][:1])
    else:
        answer = explain.why(present.decision)
        told = (*just_happened(desk, present), answer.headline, *answer.sentences, *present.refused.sentences)
        yield "why", sentences_html((*told, *_why_not(desk, present)))
    yield "pictures", "".join(_pictures(present))
    yield "pending", table_html(_cut(pending_table(desk)))
    yield "order", table_html(_cut(explain.order_rows(present.simulation)))
    yield "queues", table_html(_cut(queue_table(desk)))
    yield "nodes", table_html(_cut(node_table(desk)))
    yield "inputs", table_html(_cut(input_forms.table(present.simulation, present.refused)))
    yield "yaml", text_html(str(to_yaml(desk)))
    yield "python", text_html(str(to_python(desk)))


def _why_not(desk: Desk, present: Present) -> tuple[str, ...]:
    """The selected request, if it waits."""
    for item in present.waiting:
        if (item.application.id, item.ask.key) == desk.selected_request and item.refusal is not None:
            return why_not_sentences(desk, item)
    return ()


def _cut(table: explain.Table) -> explain.Table:
    return replace(table, rows=table.rows[:MOST_ROWS], keys=table.keys[:MOST_ROWS])


def _pictures(present: Present) -> Iterator[str]:
    """Every picture that does not tell what is asked for, the step that was just taken among them; at the end what draws them."""
    for picture, kind in PICTURES.items():
        if present.covered and kind.tells_next:
            continue
        data = kind.data(present, present.pictures.get(picture, {}))
        drawn = picture_html(kind.figure(data, LIGHT, width=WIDTH, height=HEIGHT, titled=False), f"picture-{picture}")
        yield f"<figure><figcaption>{escape(data.sentence)}</figcaption>{drawn}</figure>"
    yield loader_html()


# ---- in words ---------------------------------------------------------------------------------------------------------


def report_lead(step: int, waiting: int, release: str, refused: str = "") -> str:
    return f"{texts.progress(step, waiting, refused)}. Release {name(release)}."
