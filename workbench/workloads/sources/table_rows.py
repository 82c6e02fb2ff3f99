"""Rows of a table as jobs: what each cell may hold, and what is assumed where one is empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation

from workbench.scheduler.records.command_checks import LEAST_PRIORITY, MOST_PRIORITY
from workbench.values.errors import WorkloadError
from workbench.values.found import shown
from workbench.values.quantities import MAX_INT64, VCORE, QuantityError, parse_quantity
from workbench.values.resources import Resource
from workbench.workloads.checks import MOST_TASKS, WorkloadFault, check_job, check_jobs
from workbench.workloads.dependencies import met
from workbench.workloads.faults import Faults
from workbench.workloads.model import LAST_MS, NOTHING, SECOND_MS, Gang, Job, Tasks, Workload
from workbench.workloads.nodes import parse_amounts
from workbench.workloads.reading import UNNAMED_GROUP, made_up_id
from workbench.workloads.sources.table_columns import Column
from workbench.workloads.sources.tally import Tally
from workbench.workloads.spans import FORM, parse_span

MOST_JOBS = 2_000_000
"""Jobs that are read from one table; they take somewhat more than a gigabyte."""
BETWEEN = ";"
"""Between the entries of a cell that holds several: groups, tags, after, durations."""
EPOCH_MS = 10**9 * 1000
"""Numbers from here on, thirty years of seconds, are seconds since 1970 and not since the start of the workload."""
NO_DURATION = "Without a duration, so that their tasks do not end"
NO_TIME = "With a duration of zero, so that their tasks end when they start"
NO_ZONE = "With a date that names no zone, taken as UTC"

_GANGS: Mapping[str, Gang | None] = {
    **dict.fromkeys(("", "no", "false", "0", "none"), None),
    **dict.fromkeys(("yes", "true", "1", "soft"), Gang()),
    "hard": Gang(style="Hard"),
}


class Rows:
    """Makes jobs of the rows of one table.

    Args:
        columns: what is read.
        source: name of the table, for messages.
        keep_going: rows that cannot be read are left out and counted.
        first: take only so many jobs.
        lines: rows are numbered by lines of a text; else they are told as rows.
    """

    def __init__(
        self,
        columns: Iterable[Column],
        *,
        source: str | None,
        keep_going: bool = False,
        first: int | None = None,
        lines: bool = True,
    ):
        self._columns = {column.meaning: column for column in columns}
        self._amounts = [column for column in self._columns.values() if column.is_amount]
        self._source, self._first, self._lines = source, first, lines
        self.faults = Faults(keep_going=keep_going)
        self._tally = Tally()
        self._resources: dict[tuple[str, ...], Resource] = {}
        self._texts: dict[str, str] = {}
        self._ids: dict[str, int] = {}
        self._jobs: list[Job] = []
        self._submits: dict[str, int] = {}
        self._dated: bool | None = None
        self._size = 0
        self.more = False

    def take(self, rows: Iterator[tuple[int, Sequence[str]]]) -> None:
        """Read rows, each with its line, until there are enough jobs.

        Raises:
            WorkloadError: a row cannot be read, with line and column, or there are more than MOST_JOBS.
        """
        for line, cells in rows:
            if self._first is not None and len(self._jobs) >= self._first:
                self.more = True
                return
            if len(self._jobs) >= MOST_JOBS:
                raise WorkloadError(
                    f"there are more than {MOST_JOBS:,} jobs",
                    line=line,
                    source=self._source,
                    hint=f"take only the first, such as the first {MOST_JOBS:,}, or split the table",
                )
            try:
                self._jobs.append(self._job(line, cells))
            except WorkloadError as error:
                self.faults.meet(error)

    def workload(self, notes: Sequence[str] = ()) -> Workload:
        """All jobs so far in the order of time, from the first where times are dates."""
        jobs, zero = self._from_zero()
        jobs.sort(key=lambda job: job.submit_ms)
        said = list(notes)
        if self.more:
            said.append(f"Only the first {len(jobs):,} jobs were taken.")
        if zero and not self._dated:
            said.append(f"The times are seconds since 1970; they are counted from that of the first job, {zero}.")
        ordered = tuple(jobs)
        if self.faults.keep_going and "after" in self._columns:
            ordered, dropped = met(ordered)
            said += dropped
        try:
            check_jobs(ordered)
        except WorkloadFault as fault:
            raise self._error(self._ids.get(fault.job), "after", fault.text, fault.hint) from None
        said += self._tally.notes()
        said += self.faults.notes("row")
        return Workload(jobs=ordered, zero=zero, notes=tuple(said))

    # -- one row --------------------------------------------------------------------------------------------------------

    def _job(self, line: int, cells: Sequence[str]) -> Job:
        at = self._columns

        def cell(meaning: str) -> str:
            column = at.get(meaning)
            return cells[column.place].strip() if column is not None else ""

        submit = self._submit(line, cell("submit"))
        count = self._whole(line, "count", cell("count"), 1, 1, MOST_TASKS)
        duration = self._duration(line, cell("duration"), count)
        gang = _GANGS.get(cell("gang").lower(), ...) if "gang" in at else None
        if gang is ...:
            raise self._error(line, "gang", f"must be yes, no, Soft or Hard, found {shown(cell('gang'))}")
        name = cell("id") or made_up_id(len(self._ids))
        if name in self._ids:
            above = f", as on line {self._ids[name]}" if self._lines else f", as in row {self._ids[name]}"
            raise self._error(line, "id", f"job {shown(name)} occurs twice{above}", "ids are unique in a workload")
        tasks = Tasks(
            resource=self._resource(line, cells, cell("resources")),
            count=count,
            name=UNNAMED_GROUP if gang is not None else "",
            duration_ms=duration,
        )
        job = Job(
            id=name,
            submit_ms=submit if 0 <= submit <= LAST_MS else 0,  # dates are counted from the first at the end
            tasks=(tasks,),
            user=self._kept(cell("user")),
            groups=self._several(cell("groups")),
            queue=self._kept(cell("queue")),
            tags=self._tags(line, cell("tags")) if "tags" in at else NOTHING,
            kind=self._kept(cell("class")),
            priority=self._whole(line, "priority", cell("priority"), 0, LEAST_PRIORITY, MOST_PRIORITY),
            gang=gang,
            after=self._several(cell("after")),
        )
        try:
            check_job(job)
        except WorkloadFault as fault:
            raise self._error(line, "", fault.text, fault.hint) from None
        if self._size + count > MOST_TASKS:
            raise self._error(line, "count", f"with this there are more than {MOST_TASKS:,} tasks")
        self._size += count
        self._ids[name] = line
        if self._dated or submit >= EPOCH_MS:
            self._submits[name] = submit
        if duration is None:
            self._tally.add(NO_DURATION, line=line if self._lines else None)
        elif duration == 0:
            self._tally.add(NO_TIME, line=line if self._lines else None)
        return job

    def _from_zero(self) -> tuple[list[Job], str]:
        """The jobs, counted from the first where times are dates or seconds since 1970, and the instant of that, else ""."""
        if not self._submits or not self._dated and len(self._submits) < len(self._jobs):
            return self._jobs, ""
        zero = min(self._submits.values())
        latest = max(self._submits.values())
        if latest - zero > LAST_MS:
            raise WorkloadError("the dates are more than a hundred years apart", source=self._source)
        jobs = [replace(job, submit_ms=self._submits[job.id] - zero) for job in self._jobs]
        return jobs, datetime.fromtimestamp(zero / 1000, UTC).isoformat().replace("+00:00", "Z")

    def _submit(self, line: int, text: str) -> int:
        """Milliseconds, since 1970 for a date."""
        number = _number(text)
        if not text:
            raise self._error(line, "submit", "is empty", "every job needs a time of arrival")
        dated = number is None and _is_date(text)
        if self._dated is None:
            self._dated = dated
        elif dated is not self._dated:
            kinds = "a date, and the first row has a number" if dated else f"{shown(text)}, and the first row has a date"
            raise self._error(line, "submit", f"is {kinds}", "dates or numbers, but not both")
        if dated:
            return self._date(line, text)
        return self._time(line, "submit", text, number)

    def _date(self, line: int, text: str) -> int:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            self._tally.add(NO_ZONE, line=line if self._lines else None)
            moment = moment.replace(tzinfo=UTC)
        # In whole numbers: a float of seconds since 1970 has no exact milliseconds.
        since = moment - datetime(1970, 1, 1, tzinfo=UTC)
        return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000

    def _time(self, line: int, meaning: str, text: str, number: Decimal | None) -> int:
        try:
            if number is None:
                return parse_span(text)
            ms = number * (self._columns[meaning].factor or SECOND_MS)
            if ms < 0:
                raise ValueError(f"is negative: {shown(text)}")
            if ms > LAST_MS:
                raise ValueError(f"is longer than a hundred years: {shown(text)}")
            return int(ms.to_integral_value())
        except ValueError as error:
            hint = f"{FORM}, or an ISO 8601 date" if meaning == "submit" else FORM
            raise self._error(line, meaning, str(error), hint) from None

    def _duration(self, line: int, text: str, count: int) -> int | tuple[int | None, ...] | None:
        if not text:
            return None
        if BETWEEN not in text:
            return self._time(line, "duration", text, _number(text))
        parts = [each.strip() for each in text.split(BETWEEN)]
        if len(parts) != count:
            raise self._error(line, "duration", f"has {len(parts)} entries, count is {count}", "give one for all, or one for each")
        return tuple(self._time(line, "duration", each, _number(each)) if each else None for each in parts)

    def _resource(self, line: int, cells: Sequence[str], text: str) -> Resource:
        """Shared between rows that ask for the same: most of the rows of a long table do."""
        key = (text, *(cells[column.place] for column in self._amounts))
        found = self._resources.get(key)
        if found is None:
            found = self._resources[key] = self._new_resource(line, cells, text)
        return found

    def _new_resource(self, line: int, cells: Sequence[str], text: str) -> Resource:
        amounts: dict[str, int] = {}
        if text:
            try:
                amounts.update(parse_amounts(text.replace(BETWEEN, ",")).amounts)
            except WorkloadError as error:
                raise self._error(line, "resources", error.text, error.hint) from None
        for column in self._amounts:
            if said := cells[column.place].strip():
                amounts[column.meaning] = self._amount(line, column, said)
        return Resource(amounts)

    def _amount(self, line: int, column: Column, text: str) -> int:
        number = _number(text)
        if number is not None and number < 0:
            raise self._error(line, column.meaning, f"is negative: {shown(text)}", "amounts are from 0 up")
        if number is not None and column.factor is not None:
            value = number * column.factor
        elif number is not None and column.meaning == VCORE:
            value = number * 1000
        elif number is not None:
            value = number
            if value != value.to_integral_value():
                hint = f'a unit can be given with the mapping, such as "{column.meaning}={column.name}:GiB"'
                raise self._error(line, column.meaning, f"must be a whole number, found {shown(text)}", hint)
        else:
            try:
                return parse_quantity(text, column.meaning)
            except QuantityError as error:
                raise self._error(
                    line, column.meaning, f"{error}: {shown(text)}", "allowed are numbers, and texts such as 500m or 8Gi"
                ) from None
        if value > MAX_INT64:
            raise self._error(line, column.meaning, f"is too large: {shown(text)}")
        # Up, as whoever asks for a part of a thousandth would: a task never gets less than it said.
        return int(value.to_integral_value(rounding="ROUND_CEILING"))

    def _whole(self, line: int, meaning: str, text: str, default: int, least: int, most: int) -> int:
        if not text:
            return default
        number = _number(text)
        if number is None or number != number.to_integral_value() or not least <= number <= most:
            raise self._error(line, meaning, f"must be a whole number from {least} to {most}, found {shown(text)}")
        return int(number)

    def _several(self, text: str) -> tuple[str, ...]:
        return tuple(self._kept(each.strip()) for each in text.split(BETWEEN) if each.strip()) if text else ()

    def _tags(self, line: int, text: str) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for part in text.split(BETWEEN) if text else ():
            key, sign, value = part.partition("=")
            if not sign or not key.strip():
                raise self._error(line, "tags", f"{shown(part.strip())} is no tag", "write key=value, with ';' between them")
            found[key.strip()] = value.strip()
        return found or NOTHING

    def _kept(self, text: str) -> str:
        """The same text as before, so that a million rows of ten users hold ten names."""
        return self._texts.setdefault(text, text)

    def _error(self, line: int | None, meaning: str, text: str, hint: str = "") -> WorkloadError:
        column = self._columns.get(meaning)
        place = f"column {column.name}: " if column is not None else ""
        if not self._lines and line is not None:
            return WorkloadError(f"row {line}: {place}{text}", source=self._source, hint=hint)
        return WorkloadError(f"{place}{text}", line=line, source=self._source, hint=hint)


def _number(text: str) -> Decimal | None:
    """A plain number, "1e3" among them; None for anything else."""
    if not text or not (text[0].isdigit() or text[0] in "+-.") or len(text) > 60 or not text.isascii() or "_" in text:
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and -30 < number.adjusted() < 30 or not number else None


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
