"""Explanations and tables as HTML. Every text is escaped here; nothing that a user or a cluster named is read as markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from workbench.explain.tables import Table
from workbench.explain.why import Explanation
from workbench.explain.words import SHOW_ALL


def explanation_html(explanation: Explanation) -> str:
    """The headline and its reasons; what is left stands in a closed "show all" part."""
    parts = [f"<p><strong>{escape(explanation.headline)}</strong></p>", _list(explanation.sentences)]
    if explanation.more:
        parts.append(f"<details><summary>{escape(SHOW_ALL)}</summary>{_list(explanation.more)}</details>")
    return "".join(parts)


def sentences_html(sentences: Iterable[str]) -> str:
    """Sentences as paragraphs, e.g. those of `why_not`."""
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def table_html(table: Table, caption: str | None = None) -> str:
    """The table with its caption, column heads and, in the first column, row heads for screen readers.

    Args:
        caption: another caption than the table's own.
    """
    title = f"<caption>{escape(table.caption if caption is None else caption)}</caption>"
    if not table.rows:
        return f"<p>{escape(table.empty)}</p>"
    heads = "".join(f'<th scope="col"{_align(column, table)}>{escape(column)}</th>' for column in table.columns)
    lines = "".join(f"<tr>{_line(row, table)}</tr>" for row in table.rows)
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def _line(row: tuple[str, ...], table: Table) -> str:
    first = f'<th scope="row"{_align(table.columns[0], table)}>{escape(row[0])}</th>'
    return first + "".join(f"<td{_align(column, table)}>{escape(cell)}</td>" for column, cell in zip(table.columns[1:], row[1:]))


def _align(column: str, table: Table) -> str:
    return ' style="text-align:right"' if column in table.numeric else ' style="text-align:left"'


def _list(sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>" if items else ""
