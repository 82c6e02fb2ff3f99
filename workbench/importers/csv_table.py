"""Rows of a CSV file with a header, checked: every fault is told with file, line and column."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from workbench.files.reading import read_text, refuse_long
from workbench.values.errors import ScenarioError

Broken: TypeAlias = Callable[[ScenarioError], None]
"""Is told of a row that cannot be read."""

_COUNT = re.compile("[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: texts by column."""

    source: str
    line: int
    texts: dict[str, str]

    def fault(self, column: str, text: str, hint: str = "") -> ScenarioError:
        """An error about one field, ready to be raised."""
        return ScenarioError(f"column {column}: {text}", line=self.line, source=self.source, hint=hint)

    def name(self, column: str) -> str:
        """A text that is not empty."""
        text = self.texts[column]
        if not text:
            raise self.fault(column, "is empty", "every row needs a name")
        return text

    def count(self, column: str) -> int:
        """A whole number from 0 up."""
        text = self.texts[column]
        if not _COUNT.fullmatch(text):
            raise self.fault(column, f"must be a whole number of at most 15 digits, found {text[:40]!r}")
        return int(text)

    def count_or_none(self, column: str) -> int | None:
        """A whole number, None if the field is empty."""
        return self.count(column) if self.texts[column] else None


def read_rows(path: str | Path, columns: tuple[str, ...], *, broken: Broken | None = None) -> Iterator[Row]:
    """The rows of a CSV file in order; it must have at least `columns`. Others are left out.

    ScenarioError if the file cannot be read, a column is missing, or a row has another number of fields than the header. With
    `broken` such a row is left out, and told there.
    """
    source = str(path)
    rows = records(read_text(path, error=ScenarioError), source=source, strict=True)
    _, header = next(rows, (1, None))
    header = _checked(header, columns, source)
    for line, fields in rows:
        if not fields:
            continue
        if len(fields) != len(header):
            error = ScenarioError(f"the row has {len(fields)} fields, the header {len(header)}", line=line, source=source)
            if broken is None:
                raise error
            broken(error)
            continue
        yield Row(source, line, {name: text for name, text in zip(header, fields) if name in columns})


def records(text: str, *, source: str | None = None, strict: bool = False, blanks: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The records of a CSV text, each with the line on which it ends; lines end as on any system, also in a lone CR.

    Args:
        strict: stray quotes are refused.
        blanks: blanks behind a comma do not count.

    Raises:
        ScenarioError: with the line, for a text that is too long, an open quote or a field of more than 131,072 characters.
    """
    refuse_long(text, source=source, error=ScenarioError)
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=strict, skipinitialspace=blanks)
    try:
        for fields in reader:
            yield reader.line_num, fields
    except csv.Error as error:
        raise ScenarioError(f"not valid CSV: {error}", line=max(1, reader.line_num), source=source) from None


def _checked(header: list[str] | None, columns: tuple[str, ...], source: str) -> list[str]:
    if header is None:
        raise ScenarioError("the file is empty", source=source, hint=f"the first line must name {', '.join(columns)}")
    missing = [column for column in columns if column not in header]
    if missing:
        raise ScenarioError(
            f"there is no column {missing[0]}", line=1, source=source, hint=f"the first line must name {', '.join(columns)}"
        )
    twice = [column for column in columns if header.count(column) > 1]
    if twice:
        raise ScenarioError(f"two columns are called {twice[0]}", line=1, source=source)
    return header
