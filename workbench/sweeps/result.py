"""What came of a sweep: a row for each combination of settings, the best by its goals, what no other beats, tables and pictures."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from statistics import fmean
from typing import TYPE_CHECKING, Any

from workbench.config.model import SchedulerConfig
from workbench.explain.html import table_html
from workbench.explain.tables import Table
from workbench.explain.tables import render as render_table
from workbench.explain.wording import counted, name, shorten
from workbench.files.rows import Rows
from workbench.files.writing import write_file
from workbench.measures import MEASURES, measure_named
from workbench.plots import in_notebook
from workbench.sweeps import goals as goals_
from workbench.sweeps import pareto
from workbench.sweeps.cells import CellResult, Outcome, Wanted
from workbench.sweeps.choices import Point
from workbench.sweeps.goals import Goal
from workbench.sweeps.planning import Plan
from workbench.sweeps.settings import label
from workbench.values.errors import CommandError

if TYPE_CHECKING:
    from workbench.sweeps.pictures import Picture

MOST_SHOWN = 40
"""Rows of a table that is shown; all of them are in `rows()`."""
LONGEST_CELL = 60
FAILED = "failed"
MOST_NUMBERS = 5
"""Numbers in a table that is shown, where nobody said which matter."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A number over the seeds of a combination: its mean, smallest and largest, and how many seeds had one."""

    mean: float
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Variant:
    """One combination of settings and what came of it.

    Attributes:
        number: its place in the sweep, from 0.
        point: address of a setting -> value.
        results: of its cells, by seed; those that are not there yet are missing.
        seeds: how many there are to be.
    """

    number: int
    point: Point
    results: Mapping[int, CellResult]
    seeds: int

    @property
    def done(self) -> int:
        """How many cells have numbers."""
        return sum(result.outcome is Outcome.DONE for result in self.results.values())

    @property
    def error(self) -> str:
        """The first error of its cells, in the order of the seeds; "" for none."""
        return next((result.error for _, result in sorted(self.results.items()) if result.error), "")

    @cached_property
    def spreads(self) -> Mapping[Wanted, Spread]:
        """(measure, scope) -> the number over the seeds; without those that no seed has."""
        found: dict[Wanted, list[float]] = {}
        for _, result in sorted(self.results.items()):
            for measure, scopes in result.values.items():
                for scope, value in scopes.items():
                    if value is not None:
                        found.setdefault((measure, scope), []).append(value)
        return {key: Spread(fmean(values), min(values), max(values), len(values)) for key, values in sorted(found.items())}

    def number_of(self, measure: str, of: str = "cluster") -> float | None:
        """The mean of a number over the seeds; None if no seed has one."""
        spread = self.spreads.get((measure, of))
        return None if spread is None else spread.mean

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return ", ".join(f"{address} {label(value)}" for address, value in self.point.items()) or "the design as it is"


class Sweep:
    """The results of a sweep, as far as it came.

    Attributes:
        variants: the combinations, in their order.
        goals: what it was after.
        plan: what all its cells have in common.
        wanted: the numbers that were asked for.
    """

    def __init__(self, plan: Plan, variants: Sequence[Variant], goals: Sequence[Goal] = (), *, name: str = ""):
        self.plan, self.variants, self.goals, self.name = plan, tuple(variants), tuple(goals), name
        self.wanted = plan.common.wanted

    def __len__(self) -> int:
        return len(self.variants)

    def __iter__(self) -> Iterator[Variant]:
        return iter(self.variants)

    def __getitem__(self, number: int) -> Variant:
        return self.variants[number]

    # -- how far -------------------------------------------------------------------------------------------------------

    @property
    def is_complete(self) -> bool:
        """Every cell has a result, be it an error."""
        return all(len(each.results) == each.seeds for each in self.variants)

    @property
    def errors(self) -> dict[str, str]:
        """Combination in words -> error, of those in which a cell has no numbers."""
        return {str(each): each.error for each in self.variants if each.error}

    # -- numbers -------------------------------------------------------------------------------------------------------

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """The settings that are varied."""
        return tuple({address: None for each in self.variants for address in each.point})

    @cached_property
    def numbers(self) -> tuple[Wanted, ...]:
        """(measure, scope) of every number that there is: goals first, then by the order of measures."""
        order = {measure: place for place, measure in enumerate(MEASURES)}
        there = {key for each in self.variants for key in each.spreads}
        rest = sorted(there - {goal.wanted for goal in self.goals}, key=lambda key: (order.get(key[0], len(order)), key))
        return (*dict.fromkeys(goal.wanted for goal in self.goals), *rest)

    def rows(self) -> Rows[tuple[Any, ...]]:
        """A row for each combination: its settings, how many seeds have numbers, the error if there was one, and the mean of each
        number over the seeds, in the unit of its measure."""
        columns = (*self.addresses, "seeds", "error", *(f"{measure} {of}" for measure, of in self.numbers))
        return Rows(columns, (self._row(each) for each in self.variants))

    def cells(self) -> Rows[tuple[Any, ...]]:
        """A row for each cell: its settings, its seed, how it ended, the error if there was one, and its numbers."""
        columns = (*self.addresses, "seed", "outcome", "error", *(f"{measure} {of}" for measure, of in self.numbers))
        return Rows(columns, (row for each in self.variants for row in self._cells(each)))

    def _row(self, variant: Variant) -> tuple[Any, ...]:
        means = (variant.number_of(*key) for key in self.numbers)
        return (*self._settings(variant), variant.done, variant.error or None, *means)

    def _cells(self, variant: Variant) -> Iterator[tuple[Any, ...]]:
        for seed, result in sorted(variant.results.items()):
            values = (result.values.get(measure, {}).get(of) for measure, of in self.numbers)
            yield (*self._settings(variant), seed, result.outcome.value, result.error or None, *values)

    def _settings(self, variant: Variant) -> Iterator[Any]:
        """Values as they are where they are plain, in words where not; None for what this combination does not set."""
        for address in self.addresses:
            value = variant.point.get(address)
            plain = address not in variant.point or isinstance(value, int | float | str) and not isinstance(value, bool)
            yield value if plain else label(value)

    def to_pandas(self) -> Any:
        """A data frame with a row for each combination; see `Rows.to_pandas`."""
        return self.rows().to_pandas()

    # -- the best ------------------------------------------------------------------------------------------------------

    def ranked(self, *goals: Goal) -> list[Variant]:
        """The combinations, the best first, by these goals or those of the sweep; without those that have no numbers.

        Raises:
            CommandError: there are no goals.
        """
        wanted = self._goals(goals)
        return sorted((each for each in self.variants if each.done), key=lambda each: goals_.rank(wanted, each.number_of))

    def best(self, *goals: Goal) -> Variant:
        """The combination that is best by these goals or those of the sweep; the first of equal ones.

        Raises:
            CommandError: there are no goals, or no combination has numbers.
        """
        ranked = self.ranked(*goals)
        if not ranked:
            raise CommandError("no combination of this sweep has numbers")
        return ranked[0]

    def front(self, *goals: Goal) -> list[Variant]:
        """The trade-offs to choose from: of the combinations that keep the bounds those that no other beats in all of two or three
        goals, in the order of the first.

        Raises:
            CommandError: there are less than two goals without bounds, or more than three.
        """
        wanted = self._goals(goals)
        bounds, aims = goals_.parted(wanted)
        if len(aims) < 2:
            # A bound without an aim may be traded, too.
            aims, bounds = [*aims, *(each for each in bounds if each.aim is None)], []
        if not 2 <= len(aims) <= 3:
            raise CommandError(f"a front has two or three goals that are traded for each other, found {len(aims)}")
        kept = [each for each in self.variants if each.done and all(goal.is_met(each.number_of(*goal.wanted)) for goal in bounds)]
        places = pareto.front([tuple(goal.cost(each.number_of(*goal.wanted)) for goal in aims) for each in kept])
        return sorted((kept[place] for place in places), key=lambda each: aims[0].cost(each.number_of(*aims[0].wanted)))

    def config(self, variant: Variant | int) -> SchedulerConfig:
        """The design of a combination. ConfigError if the scheduler would not accept it."""
        chosen = self.variants[variant] if isinstance(variant, int) else variant
        return self.plan.config_of(chosen.point)

    def _goals(self, goals: Sequence[Goal]) -> tuple[Goal, ...]:
        wanted = tuple(goals) or self.goals
        if not wanted:
            raise CommandError("say what is best: give goals, such as Goal('wait.p95', of='root.prod')")
        return wanted

    # -- pictures ------------------------------------------------------------------------------------------------------

    def picture(self, name: str, *arguments: Any, **more: Any) -> Picture:
        """A picture by its name in `workbench.sweeps.pictures.PICTURES`, with the arguments that are its own.

        Raises:
            CommandError: there is no such picture, or the sweep has not got what it shows.
        """
        from workbench.sweeps.pictures import PICTURES

        if name not in PICTURES:
            raise CommandError(f"there is no picture {name!r}; there are {', '.join(PICTURES)}")
        return PICTURES[name](self, *arguments, **more)

    def lines(self, setting: str | None = None, measure: str | None = None, of: str | None = None) -> Picture:
        """A number over one setting; see `workbench.sweeps.pictures.lines`."""
        return self.picture("lines", setting=setting, measure=measure, of=of)

    def heat(self, across: str | None = None, up: str | None = None, measure: str | None = None, of: str | None = None) -> Picture:
        """A number over two settings; see `workbench.sweeps.pictures.heat`."""
        return self.picture("heat", across=across, up=up, measure=measure, of=of)

    def parallel(self, measure: str | None = None, of: str | None = None) -> Picture:
        """All combinations as lines; see `workbench.sweeps.pictures.parallel`."""
        return self.picture("parallel", measure=measure, of=of)

    def tradeoffs(self, *goals: Goal) -> Picture:
        """Two numbers against each other; see `workbench.sweeps.pictures.tradeoffs`."""
        return self.picture("tradeoffs", *goals)

    def to_html(self, path: str | os.PathLike[str] | None = None, *, title: str = "") -> str:
        """One page with tables and pictures that needs no network; written to a file, too, if a path is given.

        Raises:
            FileError: it cannot be written.
        """
        from workbench.sweeps.page import page

        made = page(self, title or self.name)
        if path is not None:
            write_file(path, made)
        return made

    def main_picture(self) -> Picture | None:
        """The picture that says most of this sweep: what is traded for what, a number over two settings, or over one; None where
        there is nothing to draw."""
        names = [*(["tradeoffs"] if len(self.goals) > 1 else []), *(["heat"] if len(self.addresses) > 1 else []), "lines"]
        for each in names:
            try:
                return self.picture(each)
            except CommandError:
                continue  # needs other goals or settings
        return None

    # -- in words ------------------------------------------------------------------------------------------------------

    @property
    def sentence(self) -> str:
        """What it came to."""
        seeds = len(self.plan.seeds)
        each = f" with {counted(seeds, 'seed')} each" if seeds > 1 else ""
        told = [f"{counted(len(self.variants), 'combination')}{each}."]
        total, there = sum(one.seeds for one in self.variants), sum(len(one.results) for one in self.variants)
        if there < total:
            told.append(f"{there:,} of {total:,} runs are done.")
        if self.errors:
            first, error = next(iter(self.errors.items()))
            told.append(f"{counted(len(self.errors), 'combination')} failed, the first {name(first, 120)}: {name(error, 200)}.")
        if self.goals and any(one.done for one in self.variants):
            told.append(self._best_in_words())
        return " ".join(told)

    def _best_in_words(self) -> str:
        best = self.best()
        bounds, _ = goals_.parted(self.goals)
        missed = [goal for goal in bounds if not goal.is_met(best.number_of(*goal.wanted))]
        shown = "; ".join(f"{goals_.title(*goal.wanted)}: {self.shown(best, goal.wanted)}" for goal in dict.fromkeys(self.goals))
        if missed:
            return f"No combination keeps every bound; nearest is {name(str(best), 200)} ({shown})."
        so_far = "" if self.is_complete else " so far"
        return f"Best{so_far} is {name(str(best), 200)} ({shown})."

    def shown(self, variant: Variant, number: Wanted) -> str:
        """A number of a combination as people read it: the mean, and from where to where it goes over the seeds."""
        spread, measure = variant.spreads.get(number), measure_named(number[0])
        if spread is None:
            return measure.empty if variant.done else ""
        text = measure.show_short(spread.mean)
        if spread.count < variant.done:
            text += f", {spread.count} of {variant.done} seeds"
        if spread.low != spread.high:
            text += f" ({measure.show_short(spread.low)} to {measure.show_short(spread.high)})"
        return text

    def table(self, *numbers: Wanted, most: int | None = None, brief: bool = False) -> Table:
        """The combinations as a table, the best first if there are goals.

        Args:
            numbers: (measure, scope) of each column; without, those of the goals, or those that were asked for.
            most: so many rows at most.
            brief: only that a combination failed, not why.
        """
        columns = numbers or self.columns()
        begun = [each for each in self.variants if each.results]
        variants = begun
        bounds, _ = goals_.parted(self.goals)
        if self.goals:
            ranked = self.ranked()
            variants = [*ranked, *(each for each in begun if not each.done)]
        rows = [
            (
                *(label(each.point[address]) if address in each.point else "" for address in self.addresses),
                *(self.shown(each, key) for key in columns),
                *((_kept(each, bounds),) if bounds else ()),
                FAILED if brief and each.error else _short_of(each),
            )
            for each in variants[:most]
        ]
        kept = ["bounds kept"] if bounds else []
        heads = [*self.addresses, *(goals_.title(*key) for key in columns), *kept, "what is missing"]
        if not any(row[-1] for row in rows):
            heads, rows = heads[:-1], [row[:-1] for row in rows]
        more, waiting = len(begun) - len(rows), len(self.variants) - len(begun)
        notes = [f"{more:,} more"] if more else []
        notes += [f"{waiting:,} not run yet"] if waiting else []
        return Table(
            "Combinations, the best first" if self.goals else "Combinations",
            tuple(heads),
            tuple(tuple(name(cell, 200) if cell else "" for cell in row) for row in rows),
            empty="There are no combinations.",
            note=", ".join(notes),
        )

    def columns(self) -> tuple[Wanted, ...]:
        """The numbers that are shown: those of the goals and those that were asked for one by one, or a few of the cluster."""
        asked = [key for key in self.wanted if key[0] and key[1]]
        first = [*dict.fromkeys([*(goal.wanted for goal in self.goals), *asked])]
        of_cluster = [key for key in self.numbers if key[1] == "cluster"]
        return tuple(first or (of_cluster or self.numbers)[:MOST_NUMBERS])

    def __str__(self) -> str:
        return f"{self.sentence}\n\n{render_table(self.table(most=MOST_SHOWN))}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        table = self.table(most=MOST_SHOWN)
        note = f"<p>{escape(table.note)}</p>" if table.note else ""
        return f"<p><strong>{escape(self.sentence)}</strong></p>{table_html(table)}{note}"

    def _ipython_display_(self) -> None:
        """The sentence and the table, and below them the picture that says most."""
        in_notebook.show(self._repr_html_(), str(self), self.main_picture)


def _kept(variant: Variant, bounds: Sequence[Goal]) -> str:
    """Whether a combination keeps the bounds, in a cell of a table."""
    if not variant.done:
        return ""
    missed = sum(not goal.is_met(variant.number_of(*goal.wanted)) for goal in bounds)
    if len(bounds) == 1:
        return "no" if missed else "yes"
    return "all" if not missed else f"{len(bounds) - missed} of {len(bounds)}"


def _short_of(variant: Variant) -> str:
    """What a combination lacks, in a cell of a table."""
    if variant.error:
        return shorten(variant.error, LONGEST_CELL)
    there = len(variant.results)
    return "" if there == variant.seeds else f"{there} of {variant.seeds} runs"
