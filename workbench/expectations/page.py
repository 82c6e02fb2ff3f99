"""Expectations as one HTML page that needs no network: a table of all, and of each that does not hold who broke it and why."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.expectations.result import Expectations, Result
from workbench.expectations.verdicts import Outcome
from workbench.explain.html import sentences_html, table_html
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.plots.page import Section
from workbench.plots.page import page as whole_page

SIGNS = {Outcome.PASSED: "✓ passed", Outcome.FAILED: "✗ failed", Outcome.ERROR: "! error", Outcome.NOT_JUDGED: "– not judged"}
"""A sign and a word, so that nothing is told by colour."""
_WRAPPED = "<style>td { white-space: normal !important; }</style>"
"""What was found is a sentence, and a page is as wide as a page."""


def page(found: Sequence[Expectations]) -> str:
    """The whole page as text."""
    results = [(some, each) for some in found for each in some]
    sections = [Section("all", "What was expected", _WRAPPED + table(found))]
    for number, (some, each) in enumerate(results):
        if each.outcome in (Outcome.FAILED, Outcome.ERROR):
            title = f"{SIGNS[each.outcome]}: {name(each.name, 100)}"
            content = sentences_html((each.sentence, *each.details))
            source = some.suite.source
            if source is not None and each.expectation.line is not None:
                content += sentences_html((f"{name(str(source), None)}, line {each.expectation.line}",))
            sections.append(Section(f"expectation-{number}", title, content))
    return whole_page("Expectations", "; ".join(some.sentence for some in found), sections)


def table(found: Sequence[Expectations]) -> str:
    """All of them as a table."""
    rows = tuple(_row(some, each, len(found) > 1) for some in found for each in some)
    columns = ("outcome", "expectation", "what was found", "who broke it")
    return table_html(Table("", (*columns, "file") if len(found) > 1 else columns, rows, empty="Nothing was expected."))


def _row(some: Expectations, result: Result, with_file: bool) -> tuple[str, ...]:
    worst = result.worst
    offender = worst.verdict.offender if worst is not None else None
    row = (SIGNS[result.outcome], name(result.name, 100), result.sentence, offender.sentence if offender is not None else "")
    return (*row, name(some.suite.name)) if with_file else row
