"""The measures of one run, by measure and scope. Each is computed when it is first asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any, NamedTuple

from workbench.explain.tables import Table
from workbench.files.rows import Rows
from workbench.measures import units
from workbench.measures.measure import Measure
from workbench.measures.reading import MeasuredRun, Reading
from workbench.measures.reasons import waited_ns
from workbench.measures.registry import MEASURES, measure_named, measures_of
from workbench.measures.scopes import KINDS, WHOLE, Kind, Scope, scope_of
from workbench.measures.tree import tree_of
from workbench.measures.words import reason_words
from workbench.values.errors import CommandError

LISTED: tuple[Kind, ...] = ("cluster", "queue", "user", "group", "class")
"""The kinds of scope in a list of everything; there may be a million jobs."""
FIRST = ("wait", "jobs", "slowdown", "utilization", "preempted", "debt")
"""Families whose headlines stand first, in this order."""
_WORDS = {"cluster": "cluster", "queue": "queues", "user": "users", "group": "groups", "class": "classes", "job": "jobs"}


class MeasureRow(NamedTuple):
    """One value: of which measure, of what, and as people read it. `value` is None where there was nothing to measure."""

    measure: str
    title: str
    scope: str
    value: float | None
    unit: str
    better: str
    shown: str


class MeasureTable:
    """The measures of one run: `table["wait.p95", "root.prod"]` is one of them, None where there is nothing to measure.

    A name without a scope is that of the cluster. Names are those of `names()`, scopes those of `workbench.measures.scopes`.
    """

    def __init__(self, run: MeasuredRun):
        self.reading = Reading(run)
        self._values: dict[tuple[str, Scope], float | None] = {}

    def __getitem__(self, key: str | tuple[str, str | Scope]) -> float | None:
        """One value.

        Raises:
            CommandError: there is no such measure or scope, or the measure is not for scopes of this kind.
        """
        name, of = (key, WHOLE) if isinstance(key, str) else key
        measure, scope = measure_named(name), self.scope(of)
        if scope.kind not in measure.scopes:
            kinds = ", ".join(_WORDS[kind] for kind in KINDS if kind in measure.scopes)
            raise CommandError(f"{measure.name} is not measured for {scope}: it is one for {kinds}")
        return self._value(measure, scope)

    def get(self, name: str, scope: str | Scope = WHOLE) -> float | None:
        """As `table[name, scope]`."""
        return self[name, scope]

    def show(self, name: str, scope: str | Scope = WHOLE) -> str:
        """One value as people read it, with its unit written out."""
        return measure_named(name).show(self[name, scope])

    def measure(self, name: str) -> Measure:
        """What a measure is: its title, unit, and whether lower or higher is better.

        Raises:
            CommandError: there is none of that name.
        """
        return measure_named(name)

    def scope(self, text: str | Scope) -> Scope:
        """Read a scope and look whether it is there.

        Raises:
            CommandError: it is no scope, or neither the design nor the run has anything of that name.
        """
        scope = scope_of(text)
        if scope.kind == "cluster" or scope.name in self.reading.scopes.by_name(scope.kind):
            return scope
        if scope.kind == "queue":
            known = list(tree_of(self.reading).paths)
            if scope.name in known:
                return scope
            raise self.reading.scopes.missing(scope, known)
        raise self.reading.scopes.missing(scope)

    def names(self) -> list[str]:
        """The names of all measures, those for each resource and reason of this run one by one."""
        return [measure.name for measure in measures_of(self.reading)]

    def scopes(self, *kinds: Kind) -> list[Scope]:
        """The scopes of these kinds: the cluster, queues in the order of the tree, and users, groups and classes. Jobs only if
        they are asked for."""
        found: list[Scope] = []
        for kind in kinds or LISTED:
            if kind == "cluster":
                found.append(WHOLE)
            else:
                names = tree_of(self.reading).paths if kind == "queue" else self.reading.scopes.names(kind)
                found.extend(Scope(kind, name) for name in names)
        return found

    def rows(
        self,
        names: Iterable[str] | None = None,
        scopes: Iterable[str | Scope] | None = None,
    ) -> Rows[MeasureRow]:
        """Values one by one: of all measures and of every scope but jobs, unless some are named. What a measure is not for is left
        out."""
        measures = list(measures_of(self.reading)) if names is None else [measure_named(name) for name in names]
        wanted = self.scopes() if scopes is None else [self.scope(each) for each in scopes]
        return Rows(MeasureRow._fields, self._rows(measures, wanted))

    def headlines(self) -> Rows[MeasureRow]:
        """The values that are shown first: of the cluster, and of the queues that had jobs."""
        measures = [measure for measure in measures_of(self.reading) if measure.headline]
        measures.sort(
            key=lambda measure: FIRST.index(family) if (family := measure.name.partition(".")[0]) in FIRST else len(FIRST)
        )
        had_jobs = self.reading.scopes.by_name("queue")
        queues = [scope for scope in self.scopes("queue") if len(had_jobs.get(scope.name, ())) and scope.name != "root"]
        return Rows(MeasureRow._fields, self._rows(measures, [WHOLE, *queues]))

    def reasons(self, *scopes: str | Scope) -> Table:
        """What held requests back, and for how long in all, the longest first: of the cluster, or of each scope that is named.

        Raises:
            CommandError: there is no such scope.
        """
        found = [self.scope(each) for each in scopes or (WHOLE,)]
        held = [waited_ns(self.reading, each) for each in found]
        totals = [sum(each.values()) for each in held]
        together = {each: sum(one[each] for one in held) for each in held[0]}
        reasons = sorted((each for each in together if together[each]), key=lambda each: -together[each])
        rows = []
        for reason in reasons:
            shares = (units.short(one[reason] / total, units.SHARE) if total else "" for one, total in zip(held, totals))
            times = (units.short(one[reason] / units.NS, units.SECONDS) for one in held)
            rows.append((reason_words(reason), *(cell for both in zip(times, shares) for cell in both)))
        heads = (head for each in found for head in (str(each), "share" if len(found) == 1 else f"share of {each}"))
        return Table(
            "For how long requests waited, all of them together, and what held them back",
            ("held back by", *heads),
            tuple(rows),
            keys=tuple(reasons),
            empty="Nobody waited, or no reasons were kept.",
        )

    def to_json(self) -> str:
        """All values as JSON: scope -> measure -> value, null where there is nothing to measure."""
        found: dict[str, dict[str, float | None]] = {}
        for row in self.rows():
            found.setdefault(row.scope, {})[row.measure] = row.value
        return json.dumps(found, indent=1)

    def to_pandas(self) -> Any:
        """All values as a data frame; see `Rows.to_pandas`."""
        return self.rows().to_pandas()

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """All values as CSV; see `Rows.write_csv`."""
        self.rows().write_csv(path)

    def write_parquet(self, path: str | os.PathLike[str]) -> None:
        """All values as Parquet; see `Rows.write_parquet`."""
        self.rows().write_parquet(path)

    def __str__(self) -> str:
        heads, lines, notes = self._shown()
        widths = [max(len(line[place]) for line in (heads, *lines)) for place in range(len(heads))]
        made = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in (heads, *lines)]
        return "\n".join([*made, *notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        heads, lines, notes = self._shown()
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in heads)
        body = "".join(
            f'<tr><th scope="row">{escape(line[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in line[1:])}</tr>'
            for line in lines
        )
        told = "".join(f"<p>{escape(each)}</p>" for each in notes)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{told}"

    def _shown(self) -> tuple[list[str], list[list[str]], list[str]]:
        """Heads and lines: one for each scope, one column for each headline; and what there is none of, in a sentence."""
        rows = self.headlines()
        values: dict[str, dict[str, float | None]] = {}
        for row in rows:
            values.setdefault(row.measure, {})[row.scope] = row.value
        # What nobody in the run has, such as a guarantee of this resource, gets no column; a resource that everybody asks for in
        # the proportion of one before it would only repeat it.
        kept, nothing, seen = [], [], set()
        for name, of in values.items():
            if all(value is None for value in of.values()):
                continue
            if not any(of.values()):
                nothing.append(measure_named(name).title)
                continue
            family, largest = name.partition(".")[0], max(abs(value) for value in of.values() if value is not None)
            if MEASURES[family].each == "resource" if family in MEASURES else False:
                shape = (family, *(None if value is None else f"{value / largest:.4f}" for value in of.values()))
                if shape in seen:
                    continue
                seen.add(shape)
            kept.append(measure_named(name))
        scopes = list(dict.fromkeys(row.scope for row in rows))
        lines = [
            [scope, *(each.show_short(values[each.name][scope]) if scope in values[each.name] else "" for each in kept)]
            for scope in scopes
        ]
        return ["", *(each.title for each in kept)], lines, [f"There are no {', no '.join(nothing)}."] if nothing else []

    def _rows(self, measures: list[Measure], scopes: list[Scope]) -> Iterator[MeasureRow]:
        for measure in measures:
            for scope in scopes:
                if scope.kind in measure.scopes:
                    value = self._value(measure, scope)
                    shown = measure.show(value)
                    yield MeasureRow(measure.name, measure.title, str(scope), value, measure.unit, measure.direction, shown)

    def _value(self, measure: Measure, scope: Scope) -> float | None:
        key = (measure.name, scope)
        if key not in self._values:
            self._values[key] = measure.compute(self.reading, scope)
        return self._values[key]


def measure(run: MeasuredRun) -> MeasureTable:
    """The measures of a run. Nothing is computed before it is asked for."""
    return MeasureTable(run)
