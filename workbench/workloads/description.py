"""What a workload is like, for people: how much of what arrives when, from whom, for which queues, against which nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from workbench.explain.tables import Table
from workbench.explain.wording import counted, listing, name
from workbench.values.errors import CommandError
from workbench.values.found import shown
from workbench.values.quantities import VCORE, format_quantity
from workbench.workloads.generators.times import in_words
from workbench.workloads.model import Job, Tasks, Workload

STEPS = 12
"""Parts of the time span whose load is shown."""
MOST_ROWS = 10
"""Queues, classes and users that are listed; the others are summed up."""
PERCENTS = (50, 90, 95, 99)
NONE = "(none)"


@dataclass(frozen=True, slots=True)
class Distribution:
    """Numbers of tasks or jobs: nothing is interpolated, every number is one that occurs.

    Attributes:
        count: how many there are.
        mean: their mean.
        percentiles: (percent, the smallest number that so many percent do not exceed).
        least, most: the smallest and the largest.
    """

    count: int
    mean: float
    percentiles: tuple[tuple[int, int], ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Share:
    """A queue, class or user with what it brings. `load` is its part of all work, from 0 to 1, by the type that is scarcest."""

    name: str
    jobs: int
    tasks: int
    load: float


class Description:
    """A workload described; `str()` is for a terminal, and a notebook shows it as tables.

    Work is amount times duration. What tasks without an end take is counted up to the end of the time span. Load offered is work
    that arrives as share of what the pools could do in that time, if all started at once; what happens to nodes does not count.
    """

    def __init__(self, workload: Workload):
        self.workload = workload

    # -- numbers --------------------------------------------------------------------------------------------------------

    @cached_property
    def tasks(self) -> int:
        """How many there are."""
        return sum(job.size for job in self.workload.jobs)

    @cached_property
    def span_ms(self) -> tuple[int, int]:
        """From the first arrival to the end of the record, or where that has none, to the last end if all started at once."""
        jobs = self.workload.jobs
        if not jobs:
            return 0, self.workload.ends_ms or 0
        first = jobs[0].submit_ms
        if self.workload.ends_ms is not None:
            return min(first, self.workload.ends_ms), self.workload.ends_ms
        last = max(job.submit_ms + max((each or 0 for _, each in _durations(job)), default=0) for job in jobs)
        return first, last

    @cached_property
    def capacity(self) -> dict[str, int]:
        """Of all pools at the start."""
        found: dict[str, int] = {}
        for pool in self.workload.pools:
            for kind, amount in pool.capacity.items():
                found[kind] = found.get(kind, 0) + amount * pool.count
        return found

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The types of resources that tasks ask for, vcore and memory first."""
        asked = {
            kind for job in self.workload.jobs for each in job.tasks for kind, amount in each.resource.amounts.items() if amount
        }
        return tuple(sorted(asked, key=lambda kind: ((VCORE, "memory").index(kind) if kind in (VCORE, "memory") else 2, kind)))

    @cached_property
    def work(self) -> dict[str, int]:
        """Amount times milliseconds, by type."""
        return self._work(self.workload.jobs)

    @cached_property
    def offered(self) -> dict[str, float]:
        """Type -> work as share of what the nodes could do in the time span; none where there are no nodes of it."""
        first, last = self.span_ms
        return {kind: self.work[kind] / (total * (last - first)) for kind, total in self._scarce.items() if last > first}

    @cached_property
    def over_time(self) -> dict[str, tuple[float, ...]]:
        """Type -> load offered in each of STEPS parts of the time span: a share of the nodes, an amount where there are none."""
        first, last = self.span_ms
        if last <= first:
            return {}
        sums = {kind: _Buckets(first, last, STEPS) for kind in self.kinds}
        for job in self.workload.jobs:
            for each, length in _durations(job):
                end = last if length is None else job.submit_ms + length
                for kind, amount in each.amounts.items():
                    if amount:
                        sums[kind].add(job.submit_ms, end, amount * each.count)
        return {kind: tuple(value / self._scarce.get(kind, 1) for value in found.means()) for kind, found in sums.items()}

    @cached_property
    def peak(self) -> dict[str, int]:
        """Type -> most that would be in use at one time if everything started at once."""
        changes: dict[str, list[tuple[int, int]]] = {kind: [] for kind in self.kinds}
        for job in self.workload.jobs:
            for each, length in _durations(job):
                for kind, amount in each.amounts.items():
                    if amount and length != 0:
                        changes[kind].append((job.submit_ms, amount * each.count))
                        if length is not None:
                            changes[kind].append((job.submit_ms + length, -amount * each.count))
        found = {}
        for kind, each_change in changes.items():
            used = most = 0
            for _, change in sorted(each_change):  # at one time ends come before beginnings
                used += change
                most = max(most, used)
            found[kind] = most
        return found

    @cached_property
    def durations(self) -> Distribution | None:
        """Of tasks that end, in milliseconds; None if none does."""
        return _distribution(
            (length, each.count) for job in self.workload.jobs for each, length in _durations(job) if length is not None
        )

    @cached_property
    def sizes(self) -> Distribution | None:
        """Tasks of a job; None without jobs."""
        return _distribution((job.size, 1) for job in self.workload.jobs)

    def amounts(self, kind: str) -> Distribution | None:
        """What tasks ask for of one type; None without tasks."""
        return _distribution((each.resource.amounts.get(kind, 0), each.count) for job in self.workload.jobs for each in job.tasks)

    @cached_property
    def queues(self) -> tuple[Share, ...]:
        """By load, the largest first; `(none)` is for placement rules to decide."""
        return self._shares(lambda job: job.queue)

    @cached_property
    def classes(self) -> tuple[Share, ...]:
        """By load, the largest first."""
        return self._shares(lambda job: job.kind)

    @cached_property
    def users(self) -> tuple[Share, ...]:
        """By load, the largest first."""
        return self._shares(lambda job: job.user)

    @cached_property
    def odd(self) -> tuple[str, ...]:
        """What somebody should look at before believing results, in sentences."""
        return tuple(_odd(self))

    @cached_property
    def _scarce(self) -> dict[str, int]:
        """What there is of the types that are asked for."""
        return {kind: self.capacity[kind] for kind in self.kinds if self.capacity.get(kind)}

    def _work(self, jobs: Iterable[Job]) -> dict[str, int]:
        last = self.span_ms[1]
        found = dict.fromkeys(self.kinds, 0)
        for job in jobs:
            for each, length in _durations(job):
                ms = max(0, last - job.submit_ms) if length is None else length
                for kind, amount in each.amounts.items():
                    if amount:
                        found[kind] += amount * ms * each.count
        return found

    def _shares(self, key: Callable[[Job], str]) -> tuple[Share, ...]:
        groups: dict[str, list[Job]] = {}
        for job in self.workload.jobs:
            groups.setdefault(key(job), []).append(job)
        scarcest = max(self.offered, key=self.offered.__getitem__, default=self.kinds[0] if self.kinds else "")
        total = self.work.get(scarcest, 0)
        found = []
        for label, jobs in groups.items():
            load = self._work(jobs).get(scarcest, 0) / total if total else 0.0
            found.append(Share(label or NONE, len(jobs), sum(job.size for job in jobs), load))
        return tuple(sorted(found, key=lambda share: (-share.load, -share.tasks, share.name)))

    # -- for people -----------------------------------------------------------------------------------------------------

    @cached_property
    def sentence(self) -> str:
        """What it is, in a sentence or two."""
        jobs = self.workload.jobs
        if not jobs:
            return "The workload has no jobs."
        users = {job.user for job in jobs} - {""}
        queues = {job.queue for job in jobs} - {""}
        first, last = self.span_ms
        told = f"{counted(len(jobs), 'job')} with {counted(self.tasks, 'task')}"
        who = f"of {counted(len(users), 'user')} " if users else ""
        where = f"for {counted(len(queues), 'queue')} " if queues else ""
        when = f"arrive within {in_words(jobs[-1].submit_ms - jobs[0].submit_ms)}; the record spans {in_words(last - first)}"
        loads = [f"{share:.0%} of the {_said(kind)}" for kind, share in self.offered.items()]
        load = f" They ask for {listing(loads, most=4)} that the nodes have." if loads else ""
        return f"{told} {who}{where}{when}.{load}"

    def tables(self) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
        """(title, columns, rows) of everything that is counted, as text."""
        wanted = self._wanted()
        if wanted:
            yield "What tasks ask for", ("", "mean", *(f"{each} %" for each in PERCENTS), "most"), wanted
        if self.kinds:
            rows: list[tuple[str, ...]] = []
            for kind in self.kinds:
                share = self.offered.get(kind)
                there = self.capacity.get(kind)
                rows.append(
                    (
                        _said(kind),
                        _hours(kind, self.work[kind]),
                        _amount(kind, there) if there else "",
                        "" if share is None else f"{share:.0%}",
                        _amount(kind, self.peak[kind]),
                    )
                )
            yield "Load", ("resource", "work", "of the nodes", "load offered", "peak if all started at once"), rows
        for title, shares in (("Queues", self.queues), ("Classes", self.classes), ("Users", self.users)):
            if [share.name for share in shares] not in ([], [NONE]):
                yield title, ("", "jobs", "tasks", "of the load"), _share_rows(shares)
        if self.over_time:
            yield "Load over time, if all started at once", ("from", *map(_said, self.over_time)), self._time_rows()

    def table(self, title: str) -> Table:
        """One of the tables, such as "Classes" or "Load".

        Raises:
            CommandError: there is none of that title; it says which there are.
        """
        found = {each: (columns, rows) for each, columns, rows in self.tables()}
        if title not in found:
            raise CommandError(f"there is no table {shown(title)}; there are {', '.join(found) or 'none, as there are no jobs'}")
        columns, rows = found[title]
        return Table(title, columns, tuple(rows), frozenset(columns[1:]))

    def __str__(self) -> str:
        lines = [f"{name(self.workload.name)}: {self.sentence}" if self.workload.name else self.sentence]
        for title, columns, rows in self.tables():
            lines += ["", f"{title}", *_aligned(columns, rows)]
        for title, sentences in (("To be looked at", self.odd), ("Notes", self.workload.notes)):
            if sentences:
                lines += ["", title, *(f"  - {each}" for each in sentences)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        parts = [f"<p>{escape(self.sentence)}</p>"]
        for title, columns, rows in self.tables():
            head = "".join(f"<th>{escape(each)}</th>" for each in columns)
            body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
            parts.append(f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
        for title, sentences in (("To be looked at", self.odd), ("Notes", self.workload.notes)):
            if sentences:
                parts.append(f"<p>{escape(title)}</p><ul>{''.join(f'<li>{escape(each)}</li>' for each in sentences)}</ul>")
        return "\n".join(parts)

    def _wanted(self) -> list[tuple[str, ...]]:
        rows = []
        given: list[tuple[str, Distribution | None, Callable[[float], str]]] = [
            ("duration of a task", self.durations, lambda ms: in_words(ms)),
            ("tasks of a job", self.sizes, lambda count: f"{count:,.3g}" if count < 100 else f"{count:,.0f}"),
        ]
        given += [(f"{_said(kind)} of a task", self.amounts(kind), _amount_of(kind)) for kind in self.kinds]
        for title, found, write in given:
            if found is not None:
                rows.append((title, write(found.mean), *(write(value) for _, value in found.percentiles), write(found.most)))
        return rows

    def _time_rows(self) -> list[tuple[str, ...]]:
        first, last = self.span_ms
        rows = []
        for step in range(STEPS):
            cells = []
            for kind, values in self.over_time.items():
                cells.append(f"{values[step]:.0%}" if kind in self._scarce else _amount(kind, round(values[step])))
            rows.append((in_words(first + (last - first) * step // STEPS), *cells))
        return rows


def describe(workload: Workload) -> Description:
    """What a workload is like: print it, or let a notebook show it."""
    return Description(workload)


# -- counting ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Some:
    """Tasks of one kind and one duration."""

    amounts: dict[str, int]
    count: int


def _durations(job: Job) -> Iterator[tuple[_Some, int | None]]:
    for each in job.tasks:
        yield from _of_tasks(each)


def _of_tasks(each: Tasks) -> Iterator[tuple[_Some, int | None]]:
    if isinstance(each.duration_ms, tuple):
        for length in each.duration_ms:
            yield _Some(each.resource.amounts, 1), length
    else:
        yield _Some(each.resource.amounts, each.count), each.duration_ms


def _distribution(given: Iterable[tuple[int, int]]) -> Distribution | None:
    """Of (number, how often)."""
    counts: dict[int, int] = {}
    for value, times in given:
        counts[value] = counts.get(value, 0) + times
    total = sum(counts.values())
    if not total:
        return None
    ordered = sorted(counts.items())
    percentiles = []
    seen, place = ordered[0][1], 0
    for percent in PERCENTS:
        while seen * 100 < percent * total:
            place += 1
            seen += ordered[place][1]
        percentiles.append((percent, ordered[place][0]))
    mean = sum(value * times for value, times in ordered) / total
    return Distribution(total, mean, tuple(percentiles), ordered[0][0], ordered[-1][0])


class _Buckets:
    """Means of an amount over equal parts of a time span, in one pass whatever the length of what is added."""

    def __init__(self, first: int, last: int, parts: int):
        self._first, self._length, self._parts = first, last - first, parts
        self._partial = [0] * parts
        self._full = [0] * (parts + 1)

    def add(self, start: int, end: int, amount: int) -> None:
        """So much from `start` to `end`, as far as that is within the span. Times are scaled: parts are whole numbers long."""
        begins = max(0, (start - self._first) * self._parts)
        ends = min(self._length * self._parts, (end - self._first) * self._parts)
        if ends <= begins:
            return
        low, high = begins // self._length, (ends - 1) // self._length
        if low == high:
            self._partial[low] += (ends - begins) * amount
            return
        self._partial[low] += ((low + 1) * self._length - begins) * amount
        self._partial[high] += (ends - high * self._length) * amount
        self._full[low + 1] += amount
        self._full[high] -= amount

    def means(self) -> Iterator[float]:
        """The mean in each part."""
        running = 0
        for partial, change in zip(self._partial, self._full):
            running += change
            yield running + partial / self._length


# -- words ------------------------------------------------------------------------------------------------------------


def _odd(about: Description) -> Iterator[str]:
    workload = about.workload
    jobs = workload.jobs
    endless = sum(some.count for job in jobs for some, length in _durations(job) if length is None)
    if endless:
        yield f"{counted(endless, 'task')} {_have(endless)} no end and {_have(endless, 'stays', 'stay')} until the end of a run."
    instant = sum(some.count for job in jobs for some, length in _durations(job) if length == 0)
    if instant:
        yield f"{counted(instant, 'task')} {_have(instant)} a duration of zero and {_have(instant, 'ends', 'end')} at the start."
    nothing = sum(each.count for job in jobs for each in job.tasks if not any(each.resource.amounts.values()))
    if nothing:
        yield f"{counted(nothing, 'task')} {_have(nothing, 'asks', 'ask')} for nothing and would run anywhere, in any number."
    for kind in about.kinds:
        if about.capacity and not about.capacity.get(kind):
            yield f"Tasks ask for {_said(kind)}, which no node has."
    if workload.ends_ms is not None:
        late = sum(job.submit_ms >= workload.ends_ms for job in jobs)
        if late:
            yield f"{counted(late, 'job')} {_have(late, 'arrives', 'arrive')} after the end of the record."
    if len(jobs) > 1 and jobs[0].submit_ms == jobs[-1].submit_ms:
        yield "All jobs arrive at the same instant."
    median = about.amounts(VCORE)
    if median is not None and 0 < median.percentiles[0][1] < 10:
        yield "Half of the tasks ask for less than a hundredth of a core: were cores meant, and thousandths said?"
    for kind, share in about.offered.items():
        if share > 1:
            yield f"More {_said(kind)} is asked for than the nodes have, {share:.0%}: what waits grows until arrivals end."
    if about.queues and about.queues[0].load > 0.5 and len(jobs) > 10:
        largest = max((about._work([job]).get(about.kinds[0], 0), job.id) for job in jobs)
        if largest[0] > 0.5 * about.work[about.kinds[0]]:
            yield f"Job {name(largest[1])} alone is more than half of all work."


def _have(count: int, one: str = "has", more: str = "have") -> str:
    return one if count == 1 else more


def _share_rows(shares: Sequence[Share]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (name(each.name), f"{each.jobs:,}", f"{each.tasks:,}", f"{each.load:.0%}") for each in shares[:MOST_ROWS]
    ]
    rest = shares[MOST_ROWS:]
    if rest:
        jobs, tasks, load = sum(each.jobs for each in rest), sum(each.tasks for each in rest), sum(each.load for each in rest)
        rows.append((f"{len(rest):,} more", f"{jobs:,}", f"{tasks:,}", f"{load:.0%}"))
    return rows


def _aligned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table for a terminal: the first column to the left, numbers to the right."""
    widths = [max(len(row[place]) for row in (columns, *rows)) for place in range(len(columns))]
    for row in (columns, *rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        yield f"  {'  '.join(cells)}".rstrip()


def _said(kind: str) -> str:
    return name(kind)


def _amount(kind: str, amount: int) -> str:
    return _amount_of(kind)(amount)


def _amount_of(kind: str) -> Callable[[float], str]:
    """Cores with as few decimals as are needed, memory in the unit that suits, other types as counts."""

    def write(amount: float) -> str:
        if kind == VCORE:
            return f"{amount / 1000:,.4g}" if amount < 10**7 else f"{amount / 1000:,.0f}"
        if kind in ("memory", "ephemeral-storage") and amount >= 2**10:
            power = min(5, (int(amount).bit_length() - 1) // 10)
            return f"{amount / 2 ** (10 * power):,.4g} {('', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi')[power]}B"
        return format_quantity(int(amount), kind) if amount == int(amount) and amount > 10**12 else f"{amount:,.4g}"

    return write


def _hours(kind: str, work: int) -> str:
    """Work in hours of whole cores, of bytes with their unit, of pieces."""
    amount = _amount_of(kind)(work / 3_600_000)
    return f"{amount}-hours" if amount.endswith("B") else f"{amount} {_said(kind)}-hours"
