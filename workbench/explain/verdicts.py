"""What the scheduler says to configurations, beside each other: accepted, or refused with its own words and the line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workbench.config import load_config
from workbench.explain.tables import Table, with_cells_broken
from workbench.explain.wording import name
from workbench.values.errors import ConfigError

VERDICT_CAPTION = "What the scheduler says to each configuration"
VERDICT_COLUMNS = ("configuration", "verdict", "line", "what the scheduler says")
ACCEPTED = "accepted"
REFUSED = "refused"

FILE, ROOT, PARTITION = "file", "root", "partition"
AROUND: Mapping[str, tuple[str, str]] = {
    FILE: ("", ""),
    ROOT: ("partitions: [{name: default, queues: [{name: root, queues: [", "]}]}]\n"),
    PARTITION: ("partitions: [{name: default, queues: [{name: root}], ", "}]\n"),
}
"""What a text is a part of -> what the smallest queues.yaml has before and behind it."""
MOST_LETTERS, WIDTH = 240, 78
"""Of the scheduler's text, which may quote what it refuses: in all, and in a line."""


def verdict_rows(configurations: Mapping[str, str], of: str = FILE) -> Table:
    """Name -> text of a queues.yaml; for each its verdict, where refused with the core's text and the line (C-30).

    With `of="root"` a text has only the children of root, with `of="partition"` further keys of the partition, both as YAML
    in one line, such as "{name: a}, {name: b}". A long text goes on in rows of its own. ValueError for another word.
    """
    rows = tuple(_row(title, whole(text, of)) for title, text in configurations.items())
    table = with_cells_broken(
        Table(VERDICT_CAPTION, VERDICT_COLUMNS, rows, frozenset(("line",)), tuple(configurations)),
        VERDICT_COLUMNS[-1],
        WIDTH,
    )
    if of == FILE:
        return table
    # The line would be one of what is around the text.
    at = table.columns.index("line")
    return replace(
        table,
        columns=(*table.columns[:at], *table.columns[at + 1 :]),
        rows=tuple((*row[:at], *row[at + 1 :]) for row in table.rows),
    )


def verdict(text: str) -> ConfigError | None:
    """The refusal of a queues.yaml; None if the scheduler accepts it."""
    try:
        load_config(text)
    except ConfigError as error:
        return error
    return None


def whole(text: str, of: str = FILE) -> str:
    """The text of a queues.yaml around a part of it; see `verdict_rows`.

    >>> whole("{name: a}", "root")
    'partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]\\n'
    """
    if of not in AROUND:
        raise ValueError(f"a text is of {', '.join(AROUND)}, not of {of!r}")
    before, behind = AROUND[of]
    return f"{before}{text}{behind}"


def _row(title: str, text: str) -> tuple[str, ...]:
    error = verdict(text)
    if error is None:
        return name(title), ACCEPTED, "", ""
    return name(title), REFUSED, str(error.line or ""), name(error.text, MOST_LETTERS)
