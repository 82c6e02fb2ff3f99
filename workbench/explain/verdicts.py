"""What the scheduler says to configurations, beside each other: accepted, or refused with its own words and the line."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.config import load_config
from workbench.errors import ConfigError
from workbench.explain import catalogue
from workbench.explain.tables import Table
from workbench.explain.wording import name

MOST_LETTERS = 160
"""Of the scheduler's text, which may quote what it refuses."""


def verdict_rows(configurations: Mapping[str, str]) -> Table:
    """Name -> text of a queues.yaml; for each its verdict, where refused with the line and the core's text (C-30)."""
    rows = tuple(_row(title, text) for title, text in configurations.items())
    return Table(catalogue.VERDICT_CAPTION, catalogue.VERDICT_COLUMNS, rows, frozenset(("line",)), tuple(configurations))


def _row(title: str, text: str) -> tuple[str, ...]:
    try:
        load_config(text)
    except ConfigError as error:
        return name(title), catalogue.REFUSED, str(error.line or ""), name(error.text, MOST_LETTERS)
    return name(title), catalogue.ACCEPTED, "", ""
