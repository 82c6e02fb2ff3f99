"""Tables of jobs, a row each: CSV files, and data frames of any library that narwhals knows (pandas, polars, pyarrow). WL-10.

Columns are found by their names: `submit` (needed), `duration`, `user`, `groups`, `queue`, `class`, `priority`, `count`, `gang`,
`tags`, `after`, `id`, and what a task asks for: `resources` with `vcore=1,memory=2Gi` in it, or columns `vcore`, `memory`,
`nvidia.com/gpu`. Tables with other names are read with a mapping, units behind a colon:

    submit=start_time,duration=run_min:min,queue=vc,vcore=cpus,memory=mem_gb:GiB,nvidia.com/gpu=gpus

Times are numbers of seconds, spans such as `5m`, or for `submit` ISO 8601 dates, which are counted from the first; units are ns,
us, ms, s, min, h, d. Amounts are quantities such as `500m` or `8Gi`, or numbers: of cores for `vcore`, else as they are; units are
m and cores for `vcore`, else B, kB, KiB, MB, MiB, GB, GiB and so on. A cell that holds several separates them with `;`: groups,
tags (`key=value`), after, and durations where each task has its own. A gang is `yes`, `Soft` or `Hard`. An empty duration is one
that does not end. Duration and resources are those of a task, of which `count` arrive with the job.

A file is read line by line. More than two million jobs are an error that says so; `first` takes as many of the first as are wanted.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import count as counted
from pathlib import Path
from typing import Any

from workbench.explain.wording import listing
from workbench.values.errors import CommandError, WorkloadError
from workbench.values.found import shown
from workbench.workloads.model import Workload
from workbench.workloads.sources.lines import Progress, lines
from workbench.workloads.sources.registry import Option, Read, Source, register_source
from workbench.workloads.sources.table_columns import MEANINGS, Mapped, columns_of, parse_map
from workbench.workloads.sources.table_rows import BETWEEN, Rows
from workbench.workloads.sources.table_writing import as_csv

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}


def recognises(path: Path, head: bytes) -> bool:
    """Whether the first line names columns: several texts, none of which is a number, one of which may be known."""
    try:
        text = head.decode("utf-16" if head.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig", "ignore")
    except UnicodeError:
        return False
    first = next((line for line in text.splitlines() if line.strip()), "")
    names = [name.strip().strip('"').lower() for name in first.split(delimiter_of(first))]
    if set(names) & {"submit"}:
        return True
    named = path.name.lower().removesuffix(".gz").endswith((".csv", ".tsv"))
    return named and len(names) > 1 and all(name and not name[0].isdigit() and name.isprintable() for name in names)


def delimiter_of(header: str) -> str:
    """What stands between the names of the columns: the one of the three that is there most often, a comma if none is."""
    bare = "".join(header.split('"')[::2])
    return max(DELIMITERS.values(), key=bare.count)


def read_table(
    path: str | Path,
    *,
    map: Mapped | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    keep_going: bool = False,
    first: int | None = None,
    progress: Progress | None = None,
) -> Read:
    """The jobs of a CSV file, read line by line.

    Args:
        map: which column means what, where names differ.
        encoding: of the text; None for UTF-8, or UTF-16 with a byte order mark.
        delimiter: `comma`, `semicolon` or `tab`; None to find out.
        keep_going, first, progress: as for every format.

    Raises:
        WorkloadError: with line and column, what was found and what is allowed.
    """
    source = str(path)
    mapped = parse_map(map)
    if delimiter is not None and delimiter not in DELIMITERS:
        raise CommandError(f"there is no delimiter {shown(delimiter)}; there are {', '.join(DELIMITERS)}")
    with_lines = _Lines(lines(path, encoding=encoding, progress=progress))
    header = with_lines.header()
    if header is None:
        raise WorkloadError("the file is empty", source=source, hint="the first line names the columns")
    sign = DELIMITERS[delimiter] if delimiter else delimiter_of(header)
    reader = csv.reader(with_lines, delimiter=sign, strict=True)
    names = _next(reader, with_lines, source)
    columns, others = columns_of(names or [], mapped, source=source)
    rows = Rows(columns, source=source, keep_going=keep_going, first=first)
    rows.take(_records(reader, with_lines, len(names or []), rows, source))
    return Read(rows.workload(_notes_about(others)))


def from_frame(
    frame: Any,
    *,
    map: Mapped | None = None,
    keep_going: bool = False,
    first: int | None = None,
    name: str = "",
    progress: Progress | None = None,
) -> Workload:
    """The jobs of a data frame, a row each, with the columns of a CSV file.

    Besides texts and numbers its cells may hold dates, spans of time, lists (groups, after, durations) and mappings (tags,
    resources); what is missing counts as empty.

    Args:
        frame: of pandas, polars, pyarrow or any other library that narwhals knows.
        map: which column means what, where names differ.
        keep_going: leave out rows that cannot be read, and say how many, instead of stopping at the first.
        first: take only so many of the first jobs.
        name: of the workload, for people.
        progress: told now and then how much was read, from 0 to 1, with a few words.

    Raises:
        WorkloadError: with row and column, what was found and what is allowed; it is no data frame.
    """
    import narwhals

    try:
        known = narwhals.from_native(frame)
    except TypeError:
        raise WorkloadError("this is no data frame", hint="those of pandas, polars and pyarrow are known, among others") from None
    if isinstance(known, narwhals.LazyFrame):
        known = known.collect()
    mapped = parse_map(map)
    columns, others = columns_of([str(each) for each in known.columns], mapped, source=name or None)
    rows = Rows(columns, source=name or None, keep_going=keep_going, first=first, lines=False)
    rows.take(_cells(known, progress))
    found = rows.workload(_notes_about(others))
    return Workload(jobs=found.jobs, zero=found.zero, name=name, notes=found.notes)


class _Lines:
    """The lines of a file for `csv.reader`, and the number of the last one that it took."""

    def __init__(self, numbered: Iterator[tuple[int, str]]):
        self._numbered = numbered
        self._held: list[tuple[int, str]] = []
        self.number = 0

    def header(self) -> str | None:
        """The first line that is not blank, still to be read."""
        for number, line in self._numbered:
            if line.strip():
                self._held.append((number, line))
                return line
        return None

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        self.number, line = self._held.pop() if self._held else next(self._numbered)
        return line


def _next(reader: Iterator[list[str]], at: _Lines, source: str) -> list[str] | None:
    """The next record, None at the end. WorkloadError if it is no CSV."""
    try:
        return next(reader, None)
    except csv.Error as error:
        hint = "is a quote open?" if "field larger" in str(error) or "end of data" in str(error) else ""
        raise WorkloadError(f"not valid CSV: {error}", line=at.number, source=source, hint=hint) from None


def _records(reader: Iterator[list[str]], at: _Lines, width: int, rows: Rows, source: str) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows behind the header, each with its line; what is no row is met by the faults."""
    while True:
        try:
            record = _next(reader, at, source)
            if record is None:
                return
            if record and len(record) != width and any(each.strip() for each in record):
                said = f"the row has {len(record)} fields, the header {width}"
                raise WorkloadError(said, line=at.number, source=source, hint="a field that holds the delimiter needs quotes")
        except WorkloadError as error:
            rows.faults.meet(error)
            if not error.text.startswith(("the row", "not valid CSV")):  # the file itself is at its end
                return
            continue
        if any(each.strip() for each in record):
            yield at.number, record


def _cells(frame: Any, progress: Progress | None) -> Iterator[tuple[int, Sequence[str]]]:
    size = len(frame)
    for number, row in zip(counted(1), frame.iter_rows()):
        if progress is not None and number % 10_000 == 0:
            progress(number / size, f"{number:,} rows")
        yield number, [_text(cell) for cell in row]


def _text(cell: Any) -> str:
    """A cell of a frame in the words of a CSV file."""
    if cell is None or cell != cell:  # not a number, not a time
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return f"{(cell.days * 86_400 + cell.seconds) * 1000 + cell.microseconds // 1000}ms"
    if isinstance(cell, list | tuple):
        return BETWEEN.join(_text(each) for each in cell)
    if isinstance(cell, dict):
        return BETWEEN.join(f"{key}={_text(value)}" for key, value in cell.items())
    return str(cell)


def _notes_about(others: list[str]) -> tuple[str, ...]:
    """Which columns say nothing that is understood here."""
    named = [shown(each) for each in others if each]
    if not named:
        return ()
    which = "The column" if len(named) == 1 else "The columns"
    return (f"{which} {listing(named, most=8)} {'was' if len(named) == 1 else 'were'} not used.",)


register_source(
    "table",
    Source(
        title="CSV table",
        description="A row for each job, with the columns " + ", ".join(MEANINGS) + " and those named for a resource.",
        suffixes=(".csv", ".tsv"),
        recognises=recognises,
        read=read_table,
        write=as_csv,
        options=(
            Option(
                "map",
                "which column means what, and in which unit, such as submit=start_time,duration=run_min:min,memory=mem_gb:GiB",
                metavar="MAPPING",
            ),
            Option("encoding", "of the text, such as latin-1 or cp1252; without it UTF-8", metavar="NAME"),
            Option("delimiter", "between columns; without it, it is found out", choices=tuple(DELIMITERS)),
        ),
        general=True,
    ),
)
