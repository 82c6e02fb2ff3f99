"""What the scheduler says to configurations, beside each other: accepted, or refused with its own words and the line."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.config import load_config
from workbench.errors import ConfigError
from workbench.explain import catalogue
from workbench.explain.tables import Table
from workbench.explain.wording import name

FILE, ROOT, PARTITION = "file", "root", "partition"
AROUND: Mapping[str, tuple[str, str]] = {
    FILE: ("", ""),
    ROOT: ("partitions: [{name: default, queues: [{name: root, queues: [", "]}]}]\n"),
    PARTITION: ("partitions: [{name: default, queues: [{name: root}], ", "}]\n"),
}
"""What a text is a part of -> what the smallest queues.yaml has before and behind it."""
MOST_LETTERS = 180
"""Of the scheduler's text, which may quote what it refuses."""


def verdict_rows(configurations: Mapping[str, str], of: str = FILE) -> Table:
    """Name -> text of a queues.yaml; for each its verdict, where refused with the core's text and the line (C-30).

    With `of="root"` a text has only the children of root, with `of="partition"` further keys of the partition, both as YAML
    in one line, such as "{name: a}, {name: b}". ValueError for another word.
    """
    rows = tuple(_row(title, whole(text, of), of) for title, text in configurations.items())
    columns = catalogue.VERDICT_COLUMNS if of == FILE else catalogue.VERDICT_COLUMNS_OF_PARTS
    return Table(catalogue.VERDICT_CAPTION, columns, rows, frozenset(("line",)), tuple(configurations))


def whole(text: str, of: str = FILE) -> str:
    """The text of a queues.yaml around a part of it; see `verdict_rows`.

    >>> whole("{name: a}", "root")
    'partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]\\n'
    """
    if of not in AROUND:
        raise ValueError(f"a text is of {', '.join(AROUND)}, not of {of!r}")
    before, behind = AROUND[of]
    return f"{before}{text}{behind}"


def _row(title: str, text: str, of: str) -> tuple[str, ...]:
    try:
        load_config(text)
    except ConfigError as error:
        line = (str(error.line or ""),) if of == FILE else ()
        return name(title), catalogue.REFUSED, *line, name(error.text, MOST_LETTERS)
    return name(title), catalogue.ACCEPTED, *(("",) if of == FILE else ()), ""
