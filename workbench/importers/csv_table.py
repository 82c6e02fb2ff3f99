"""Rows of a CSV file with a header, checked: every fault is told with file, line and column."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.values.errors import ScenarioError

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


def read_rows(path: str | Path, columns: tuple[str, ...]) -> Iterator[Row]:
    """The rows of a CSV file in order; it must have at least `columns`. Others are left out.

    ScenarioError if the file cannot be read, a column is missing, or a row has another number of fields than the header.
    """
    source = str(path)
    line = 1
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, None)
            _check_header(header, columns, source)
            for fields in reader:
                line = reader.line_num
                if not fields:
                    continue
                if len(fields) != len(header):
                    raise ScenarioError(f"the row has {len(fields)} fields, the header {len(header)}", line=line, source=source)
                yield Row(source, line, {name: text for name, text in zip(header, fields) if name in columns})
    except UnicodeDecodeError:
        raise ScenarioError("not UTF-8 text", line=line, source=source, hint="is it a compressed file?") from None
    except csv.Error as error:
        raise ScenarioError(f"not valid CSV: {error}", line=line, source=source) from None
    except (OSError, ValueError) as error:
        raise ScenarioError(f"cannot be read: {getattr(error, 'strerror', None) or error}", source=source) from None


def _check_header(header: list[str] | None, columns: tuple[str, ...], source: str) -> None:
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
