"""The rows of one table: named tuples to go through, and from there a data frame, CSV or Parquet. M-9.

Everything but `to_pandas` and `write_parquet` needs nothing that is not in Python itself.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib import import_module
from typing import Any, Generic, TypeVar, overload

from workbench.files.writing import write_file
from workbench.values.errors import CommandError

Row = TypeVar("Row", bound=tuple[Any, ...])

SHOWN = 200
"""How many rows are shown; all of them are there, and are written."""


class Rows(Sequence[Row], Generic[Row]):
    """The rows of one table, with the names of their columns.

    A value is a number, a text, or None where there is none. `rows[3].name` is one cell, if the rows are named tuples.
    """

    __slots__ = ("columns", "_rows")

    def __init__(self, columns: Iterable[str], rows: Iterable[Row]):
        self.columns = tuple(columns)
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Rows[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Rows[Row]:
        return Rows(self.columns, self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        return (self.columns, self._rows) == (other.columns, other._rows) if isinstance(other, Rows) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.columns, self._rows))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Every row as column -> value."""
        return [dict(zip(self.columns, row)) for row in self._rows]

    def to_csv(self) -> str:
        """As CSV with a line of column names; empty where there is no value."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self._rows)
        return text.getvalue()

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """Write `to_csv` to a file, all of it or nothing.

        Raises:
            FileError: it cannot be written.
        """
        write_file(path, self.to_csv())

    def to_pandas(self) -> Any:
        """As a data frame of pandas.

        Raises:
            CommandError: pandas is not installed.
        """
        return _tables("pandas").DataFrame(list(self._rows), columns=list(self.columns))

    def write_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the rows to a Parquet file, all of it or nothing.

        Raises:
            CommandError: pyarrow is not installed.
            FileError: it cannot be written.
        """
        arrow = _tables("pyarrow")
        columns = zip(*self._rows) if self._rows else [()] * len(self.columns)
        table = arrow.table({name: list(values) for name, values in zip(self.columns, columns)})
        written = io.BytesIO()
        _tables("pyarrow.parquet").write_table(table, written)
        write_file(path, written.getvalue())

    def __str__(self) -> str:
        """The first rows, in columns."""
        lines = [self.columns, *(tuple(_cell(value) for value in row) for row in self._rows[:SHOWN])]
        widths = [max(len(line[place]) for line in lines) for place in range(len(self.columns))]
        text = "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)
        return f"{text}\n{self._rest()}" if self._rest() else text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in self.columns)
        lines = "".join(f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in row)}</tr>" for row in self._rows[:SHOWN])
        rest = f"<p>{escape(self._rest())}</p>" if self._rest() else ""
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>{rest}"

    def _rest(self) -> str:
        left = len(self._rows) - SHOWN
        return f"... and {left:,} more rows" if left > 0 else ""


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _tables(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise CommandError(
            f"{package} is not installed; install the extra `tables` (pip install 'policy-workbench[tables]'), or use to_csv()"
        ) from None
