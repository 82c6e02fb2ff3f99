"""The table of a comparison: every measure with its values and differences, the largest first. CP-1, CP-7."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from workbench.comparison import words
from workbench.comparison.changes import BETTER, NO_DIFFERENCE, SAME, WORSE, Change
from workbench.explain.html import table_html
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.files.rows import Rows
from workbench.measures import MEASURES, measure_named

SHOWN = 20
"""Lines that are shown at first; all are there."""
_RANK = {BETTER: 0, WORSE: 0}
COLUMNS = ("of", "measure")


class ChangeTable(Sequence[Change]):
    """What changes, the largest first: those that are better or worse before those that are only different, then those without a
    difference that the runs can show, then what is the same.

    `table["wait.p95", "root.prod"]` is one line. With several designs there is a line for each but the first.
    """

    def __init__(self, first: str, changes: Sequence[Change]):
        self.first = first
        self.designs = tuple(dict.fromkeys(each.design for each in changes))
        self._changes = sorted(changes, key=_rank)

    def __getitem__(self, key: Any) -> Any:
        """A line by its place, or by the name of a measure and a scope.

        Raises:
            KeyError: there is no such line.
        """
        if not isinstance(key, tuple):
            return self._changes[key]
        found = [each for each in self._changes if (each.measure, each.scope, each.design)[: len(key)] == key]
        if not found:
            raise KeyError(key)
        return found[0]

    def __len__(self) -> int:
        return len(self._changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self._changes)

    @property
    def changed(self) -> list[Change]:
        """The lines with a difference that the runs show."""
        return [each for each in self._changes if each.counts]

    def rows(self) -> Rows[Change]:
        """The lines as rows, to be written as CSV or read into a data frame."""
        return Rows(Change._fields, self._changes)

    def to_csv(self) -> str:
        """All lines as CSV."""
        return self.rows().to_csv()

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """All lines as a CSV file. FileError if it cannot be written."""
        self.rows().write_csv(path)

    def to_json(self) -> str:
        """All lines as JSON."""
        return json.dumps(self.rows().to_dicts(), indent=1)

    def as_text(self, most: int | None = SHOWN, *, headlines: bool = True) -> Table:
        """The changed lines as text for people.

        Args:
            most: as many lines; None for all.
            headlines: lines of the measures that are shown first come before the others, and of them queues before people.
        """
        changed = self.changed
        if headlines:
            people = ("user:", "group:")
            changed.sort(key=lambda each: (not measure_named(each.measure).headline, each.scope.startswith(people)))
        if len(self.designs) > 1:
            return self._side_by_side(changed, most)
        told = _once(changed)
        shown = told if most is None else told[:most]
        other = next(iter(self.designs), "")
        columns = (*COLUMNS, name(self.first), name(other), "change", "that is", "never ran", "jobs")
        rows = [
            (
                words.place(each.scope),
                each.title,
                words.value(each, each.a),
                words.value(each, each.b),
                words.difference(each),
                words.verdict(each),
                words.never(each),
                f"{each.jobs:,}",
            )
            for each in shown
        ]
        return Table(
            "What changes, the largest first",
            columns,
            tuple(rows),
            frozenset(("jobs",)),
            tuple((each.measure, each.scope, each.design) for each in shown),
            "Nothing changes that these runs can show.",
            self._rest(len(told) - len(shown)),
        )

    def _side_by_side(self, changed: Sequence[Change], most: int | None) -> Table:
        """A line for each measure of each part, a column for each design: whoever chooses among several compares them with each
        other."""
        lines = {(each.measure, each.scope): each for each in _once(changed)}
        shown = list(lines.values())[:most]
        rows = []
        for each in shown:
            of_design = {
                found.design: found for found in self._changes if (found.measure, found.scope) == (each.measure, each.scope)
            }
            cells = (_cell(of_design[design]) if design in of_design else "" for design in self.designs)
            first = words.value(each, each.a) + (f", {each.never_a:g} never ran" if each.never_a else "")
            rows.append((words.place(each.scope), each.title, first, *cells, f"{each.jobs:,}"))
        return Table(
            "What changes, the largest first",
            (*COLUMNS, name(self.first), *map(name, self.designs), "jobs"),
            tuple(rows),
            frozenset(("jobs",)),
            tuple((each.measure, each.scope) for each in shown),
            "Nothing changes that these runs can show.",
            self._rest(len(lines) - len(shown)),
        )

    def _rest(self, left: int) -> str:
        same = sum(each.verdict == SAME for each in self._changes)
        unsure = sum(each.verdict == NO_DIFFERENCE for each in self._changes)
        parts = [f"{left:,} more changed"] if left > 0 else []
        parts += [f"{unsure:,} without a difference that these runs can show"] if unsure else []
        parts += [f"{same:,} unchanged"] if same else []
        return ", ".join(parts)

    def __str__(self) -> str:
        return str(self.as_text())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        found = self.as_text()
        return table_html(found) + (f"<p>{escape(found.note)}</p>" if found.note else "")


SHORT_VERDICTS = {BETTER: ", better", WORSE: ", worse", NO_DIFFERENCE: ", no sure difference"}


def _cell(found: Change) -> str:
    """A value and whether it is better or worse than with the first design, for a column of a design."""
    never = f", {found.never_b:g} never ran" if found.never_b else ""
    return f"{words.value(found, found.b)}{never}{SHORT_VERDICTS.get(found.verdict, '')}"


def _once(changes: Sequence[Change]) -> list[Change]:
    """Without those that repeat others: the cluster, its root and its only queue often say the same, as do percentiles of few, and
    one resource as the other where all ask for both in one proportion."""
    seen: set[tuple[object, ...]] = set()
    found = []
    # Of resources that say the same, vcore is the one that people know: it takes the place of the first.
    for each in _vcore_first(changes):
        keys: set[tuple[object, ...]] = {(each.design, each.measure, each.a, each.b)}
        keys.add((each.design, each.scope, each.unit, each.a, each.b))
        if (key := _proportion(each)) is not None:
            keys.add(key)
        if not keys & seen:
            found.append(each)
        seen |= keys
    return found


def _vcore_first(changes: Sequence[Change]) -> list[Change]:
    """The same in the same order, but for resources that change in one proportion: of them vcore stands first."""
    places: dict[tuple[object, ...], list[int]] = {}
    for place, each in enumerate(changes):
        if (key := _proportion(each)) is not None:
            places.setdefault(key, []).append(place)
    made = list(changes)
    for group in places.values():
        ordered = sorted((changes[place] for place in group), key=lambda each: not each.measure.endswith(".vcore"))
        for place, each in zip(group, ordered):
            made[place] = each
    return made


def _proportion(each: Change) -> tuple[object, ...] | None:
    """Equal for changes of resources that all ask for in one proportion; None for what is not of a resource."""
    family = each.measure.partition(".")[0]
    if not each.a or each.b is None or family not in MEASURES or MEASURES[family].each != "resource":
        return None
    return each.design, each.scope, family, f"{each.b / each.a:.6f}"


def _rank(change: Change) -> tuple[int, float]:
    if change.verdict in (SAME, NO_DIFFERENCE):
        return (3 if change.verdict == SAME else 2), -change.size
    return _RANK.get(change.verdict, 1), -change.size
