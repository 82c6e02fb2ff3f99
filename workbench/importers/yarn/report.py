"""What became of each property: exactly that, nearly that, or nothing; with its line, and what it means for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from workbench.explain.wording import counted, listing, name
from workbench.importers.yarn.document import Property

Grade = Literal["exact", "near", "dropped"]
GRADES: tuple[Grade, ...] = ("exact", "near", "dropped")
_TITLES = {
    "exact": "Exactly the same",
    "near": "Nearly the same",
    "dropped": "Not converted",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the report.

    Attributes:
        grade: whether it came over.
        name: of the property.
        line: where it stands; None for a default.
        source: the file; empty for a default.
        text: what became of it, and what that means for people.
    """

    grade: Grade
    name: str
    line: int | None
    source: str
    text: str

    @property
    def place(self) -> str:
        return f"line {self.line}" if self.line is not None else "default of Hadoop"


@dataclass(slots=True)
class Report:
    """The lines, as they are found."""

    lines: list[Line] = field(default_factory=list)

    def add(self, grade: Grade, of: Property | str, text: str) -> None:
        """Tell what became of a property; of a name, for a default that no file has."""
        if isinstance(of, Property):
            self.lines.append(Line(grade, of.name, of.line, of.source, text))
        else:
            self.lines.append(Line(grade, of, None, "", text))

    def of(self, grade: Grade) -> list[Line]:
        """The lines of a grade, in the order of the files, defaults last."""
        found = [each for each in self.lines if each.grade == grade]
        return sorted(found, key=lambda each: (each.line is None, each.source, each.line or 0))

    @property
    def sentence(self) -> str:
        """How many there are of each."""
        number = {grade: len(self.of(grade)) for grade in GRADES}
        return (
            f"{counted(number['exact'], 'setting')} came over exactly, {number['near']:,} nearly, "
            f"and {number['dropped']:,} {'was' if number['dropped'] == 1 else 'were'} not converted."
        )

    def notes(self) -> tuple[str, ...]:
        """What is not exact, a sentence for each thing that was said, with how often and an example."""
        found = [self.sentence]
        for grade in ("near", "dropped"):
            said: dict[str, list[Line]] = {}
            for each in self.of(grade):
                said.setdefault(each.name.rpartition(".")[2] if grade == "near" else each.text, []).append(each)
            for lines in said.values():
                found.append(f"{'Nearly' if grade == 'near' else 'Not converted'}: {_which(lines)}: {lines[0].text}")
        return tuple(found)

    def markdown(self, title: str, findings: Iterable[str] = ()) -> str:
        """The whole report."""
        parts = [f"# {title}\n", f"{self.sentence}\n"]
        for grade in GRADES:
            lines = self.of(grade)
            if lines:
                parts.append(f"## {_TITLES[grade]} ({len(lines)})\n\n| property | where | what became of it |\n|---|---|---|")
                parts += [f"| `{_cell(each.name)}` | {each.place} | {_cell(each.text)} |" for each in lines]
                parts[-1] += "\n"
        found = list(findings)
        if found:
            parts.append(f"## What is worth a look in the result ({len(found)})\n")
            parts += [f"- {each}" for each in found]
        return "\n".join(parts).rstrip() + "\n"


def _which(lines: list[Line]) -> str:
    """The properties, each with its line; the first of many."""
    return listing([f"{name(each.name, 80)} ({each.place})" for each in lines], most=2)


def _cell(text: str) -> str:
    """A text in a table of Markdown: on one line, and with no bar that would end the cell."""
    return name(text, None).replace("|", "\\|")
