"""The comparison of designs: a sentence, a table, where they part, which edit does what, who wins and who loses."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from html import escape

from workbench.comparison import changes
from workbench.comparison.sentence import sentence
from workbench.comparison.sides import Side
from workbench.comparison.table import ChangeTable
from workbench.explain.wording import counted, name
from workbench.files.rows import Rows
from workbench.files.writing import write_file
from workbench.measures import units
from workbench.values.errors import CommandError


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
        for side in self.others:
            if side.name == other:
                return self if len(self.sides) == 2 else Comparison((self.first, side), self.notes)
        known = " or ".join(side.name for side in self.others)
        raise CommandError(f"there is no design {other!r} to compare {self.first.name} with; there is {known}")

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
        }

    def __str__(self) -> str:
        return "\n".join([self.sentence, "", str(self.table), "", self.basis, *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        told = "".join(f"<p>{escape(each)}</p>" for each in (self.basis, *self.notes))
        return f"<p><strong>{escape(self.sentence)}</strong></p>{self.table._repr_html_()}{told}"
