"""The comparison of designs: a sentence, a table, where they part, which edit does what, who wins and who loses."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

from workbench.comparison import changes
from workbench.comparison.attribution import Attribution
from workbench.comparison.partings import Partings
from workbench.comparison.sentence import sentence
from workbench.comparison.sides import Side
from workbench.comparison.table import ChangeTable
from workbench.comparison.variants import Variants
from workbench.comparison.winners import Moved, MovedJob
from workbench.explain.tables import Table
from workbench.explain.wording import counted, name
from workbench.files.rows import Rows
from workbench.files.writing import write_file
from workbench.measures import units
from workbench.plots import in_notebook
from workbench.values.errors import CommandError

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.comparison.pictures.marks import Kind


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What becomes of the same arrivals under several designs. `print` it, or let a notebook show it.

    Attributes:
        sides: the designs with their runs; the others are compared with the first.
        notes: what whoever reads it should know of how it was made.
    """

    sides: tuple[Side, ...]
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Side:
        """The design that the others are compared with."""
        return self.sides[0]

    @property
    def others(self) -> tuple[Side, ...]:
        """All designs but the first."""
        return self.sides[1:]

    def against(self, other: str) -> Comparison:
        """The comparison of the first design with one of the others.

        Raises:
            CommandError: none of the others has that name.
        """
        if other not in self._pairs:
            known = " or ".join(self._pairs)
            raise CommandError(f"there is no design {other!r} to compare {self.first.name} with; there is {known}")
        return self._pairs[other]

    @cached_property
    def _pairs(self) -> dict[str, Comparison]:
        """The others by name, each with the first."""
        if len(self.sides) == 2:
            return {self.others[0].name: self}
        return {side.name: Comparison((self.first, side), self.notes) for side in self.others}

    @cached_property
    def sentence(self) -> str:
        """What it comes to, with numbers."""
        return " ".join(sentence(self.first, other) for other in self.others)

    @cached_property
    def table(self) -> ChangeTable:
        """Every measure of the cluster, queues, classes, users and groups, the largest difference first."""
        names, scopes = changes.names_and_scopes(*self.sides)
        found = [each for other in self.others for each in changes.changes(self.first, other, names, scopes)]
        return ChangeTable(self.first.name, found)

    # ---- of the first design and the next one; `against` chooses another ----------------------------------------

    @cached_property
    def variants(self) -> Variants:
        """The designs between the first and the second."""
        return Variants(self.first, self.others[0])

    @cached_property
    def partings(self) -> Partings:
        """Where the first design and the second part: which decision, when, why, and by which edit. CP-3"""
        return Partings(self.variants)

    @cached_property
    def attribution(self) -> Attribution:
        """Which edit between the first design and the second does what. Each is played alone and left out. CP-4"""
        return Attribution(self.variants)

    @cached_property
    def moved(self) -> Moved:
        """The jobs and users whose waits change from the first design to the second. CP-5"""
        return Moved(self.first, self.others[0])

    @property
    def winners(self) -> tuple[MovedJob, ...]:
        """The jobs that wait less, the largest difference first."""
        return self.moved.winners()

    @property
    def losers(self) -> tuple[MovedJob, ...]:
        """The jobs that wait longer, the largest difference first."""
        return self.moved.losers()

    @property
    def basis(self) -> str:
        """What it rests on: jobs, seeds, the time that was measured."""
        run = self.first.runs[0]
        seeds = len(self.first.runs)
        record = run.record
        said = [f"{name(side.name)} is {name(side.source)}" for side in self.sides if side.source]
        told = counted(len(run.workload.jobs), "job")
        told += f", {counted(seeds, 'seed')}" if seeds > 1 else ", played once"
        if record.measured_from_ns:
            told += f", after {units.short(record.measured_from_ns / 1e9, units.SECONDS)} of warm-up"
        told += f", until {units.short(record.ended_ns / 1e9, units.SECONDS)} of simulated time"
        return ". ".join([*said, f"The same arrivals for each: {told}"]) + "."

    def picture(
        self, which: str, theme: str = "light", *, resource: str | None = None, seed: int | None = None, **size: int
    ) -> go.Figure:
        """A picture of the first design and the second, one of `pictures`; its sentence is its title.

        Args:
            theme: "light" or "dark".
            resource: what is drawn by the pictures of use and of debt; None for vcore.
            seed: of the runs that are drawn; None for all of them, and for the first where only one can be drawn, as over time.
            size: `width` and `height` in pixels.

        Raises:
            CommandError: there is no such picture, theme, resource or seed.
        """
        from workbench.plots.theme import THEMES

        if theme not in THEMES:
            raise CommandError(f"there is no theme {theme!r}; there is {' and '.join(THEMES)}")
        kind = self._kind(which)
        return kind.figure(kind.data(self, resource, seed), THEMES[theme], **size)

    def picture_table(self, which: str, *, resource: str | None = None, seed: int | None = None) -> Table:
        """What a picture shows, as a table.

        Raises:
            CommandError: there is no such picture, resource or seed.
        """
        kind = self._kind(which)
        return kind.table(kind.data(self, resource, seed))

    def of_seed(self, seed: int) -> Comparison:
        """The comparison by the runs of one seed alone.

        Raises:
            CommandError: it was not played.
        """
        played = [run.seed for run in self.first.runs]
        if seed not in played:
            raise CommandError(f"seed {seed} was not played; there is {', '.join(map(str, played))}")
        place = played.index(seed)
        return Comparison(tuple(replace(side, runs=(side.runs[place],)) for side in self.sides), self.notes)

    @property
    def pictures(self) -> tuple[str, ...]:
        """The names of the pictures."""
        from workbench.comparison.pictures import PICTURES

        return tuple(PICTURES)

    def _kind(self, which: str) -> Kind:
        from workbench.comparison.pictures import PICTURES

        if which not in PICTURES:
            raise CommandError(f"there is no picture {which!r}; there are {', '.join(PICTURES)}")
        return PICTURES[which]

    # ---- as text, in a notebook, as files ----------------------------------------------------------------------

    def rows(self) -> Rows[changes.Change]:
        """Every measure as a row."""
        return self.table.rows()

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write every measure as a row of a CSV file. FileError if it cannot be written."""
        write_file(path, self.table.to_csv())

    def to_json(self, path: str | os.PathLike[str]) -> None:
        """Write the sentence, the designs and every measure as a JSON file. FileError if it cannot be written."""
        write_file(path, json.dumps(self.as_data(), indent=1))

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        whole: bool = True,
        resource: str | None = None,
        seed: int | None = None,
    ) -> str:
        """Everything as one page that needs no network; written to a file, too, if a path is given.

        Args:
            resource, seed: of the pictures, as in `picture`.
            whole: with where the designs part and which edit does what, for which designs in between are played.

        Raises:
            CommandError: there is no such resource or seed.
            FileError: it cannot be written.
        """
        from workbench.comparison.report import report_html

        made = report_html(self, whole=whole, resource=resource, seed=seed)
        if path is not None:
            write_file(path, made)
        return made

    def as_data(self) -> dict[str, object]:
        """The comparison as plain data."""
        return {
            "sentence": self.sentence,
            "basis": self.basis,
            "notes": list(self.notes),
            "designs": [
                {"name": side.name, "source": side.source, "seeds": [run.seed for run in side.runs]} for side in self.sides
            ],
            "measures": self.table.rows().to_dicts(),
            "jobs": {other.name: self.against(other.name).moved.jobs.to_dicts() for other in self.others},
        }

    def __str__(self) -> str:
        return "\n".join([self.sentence, "", str(self.table), "", self.basis, *self.notes])

    __repr__ = __str__

    def _ipython_display_(self) -> None:
        """The sentence and the table, and below them the waits of the queues."""
        in_notebook.show(self._repr_html_(), str(self), lambda: self.picture("queues"))

    def _repr_html_(self) -> str:
        told = "".join(f"<p>{escape(each)}</p>" for each in (self.basis, *self.notes))
        return f"<p><strong>{escape(self.sentence)}</strong></p>{self.table._repr_html_()}{told}"
