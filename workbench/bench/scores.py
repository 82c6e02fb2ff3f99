"""What became of every question and exercise of a notebook, kept beside it in a file that its owner can read and hand in.

    wb.score                         # a table of everything that was answered
    wb.score["fences 1"].points      # 1 right at first, 0.5 at the second try, 0 otherwise
    wb.score.to_csv("mine.csv")

Of a question its first outcome counts, so that a cell that runs again changes nothing. The file is written anew with every
answer. A kernel that has no notebook, such as that of an automatic grader, keeps its scores in memory. Nothing in them tells
when, or who.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from workbench.bench.session_files import NOTEBOOK_VARIABLE
from workbench.explain import render
from workbench.explain.tables import Table
from workbench.explain.wording import counted, listing, name, shorten
from workbench.files.reading import read_text
from workbench.files.rows import Rows
from workbench.files.writing import write_file
from workbench.values.errors import ScoreError

SUFFIX = ".scores.json"
FORMAT = 1
QUESTION, EXERCISE = "question", "exercise"
OPEN, SHOWN, WRONG, SECOND, FIRST, SOLVED = "open", "shown", "wrong", "second", "first", "solved"
POINTS: Mapping[str, float] = {FIRST: 1.0, SOLVED: 1.0, SECOND: 0.5}
COLUMNS = ("name", "kind", "outcome", "points", "tries", "wrong")
WIDEST = 60
"""Letters of a cell in print."""
MOST_TEXT, MOST_WRONG = 200, 50
"""Letters of an answer, and wrong answers of one question, that are kept."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A question or an exercise.

    Attributes:
        kind: "question" or "exercise".
        outcome: "first" or "second", the try that was right; "wrong"; "shown" without an answer; "solved"; "open" until then.
        tries: answers given, or different designs checked.
        wrong: every wrong answer, or what a design lacked, with the word for what was overlooked where it was recognised.
    """

    name: str
    kind: str
    outcome: str = OPEN
    tries: int = 0
    wrong: tuple[tuple[str, str], ...] = ()

    @property
    def points(self) -> float:
        """1 for right or solved, 0.5 for right at the second try, else 0."""
        return POINTS.get(self.outcome, 0.0)

    @property
    def is_over(self) -> bool:
        """The outcome stands."""
        return self.outcome != OPEN


class Scores(Mapping[str, Scored]):
    """Name -> what became of it, in the order in which things were first answered.

    A name that was never answered is a KeyError that says which there are.
    """

    def __init__(self, path: Path | None = None, *, follows: bool = False):
        self._path, self._follows = path, follows
        self._found: dict[str, Scored] = {}
        self._read: Path | None = None
        self._checked: dict[str, str] = {}

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Scores:
        """The scores in a file. ScoreError if it holds none."""
        made = cls()
        made._found = unpacked(read_text(path, error=ScoreError), str(path))
        return made

    # -- reading ----------------------------------------------------------------------------------------------------

    def __getitem__(self, key: str) -> Scored:
        found = self._entries()
        if key not in found:
            raise KeyError(nothing_scored(key, list(found)))
        return found[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries())

    def __len__(self) -> int:
        return len(self._entries())

    @property
    def points(self) -> float:
        """All points together."""
        return sum(each.points for each in self.values())

    @property
    def rows(self) -> Rows[tuple[Any, ...]]:
        """A row for each, to be written as CSV or made a data frame."""
        return Rows(COLUMNS, [row(each) for each in self.values()])

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """A line for each question and exercise. FileError if it cannot be written."""
        self.rows.write_csv(path)

    def to_json(self, path: str | os.PathLike[str]) -> None:
        """The same as the file beside the notebook. FileError if it cannot be written."""
        write_file(path, packed(self._entries()))

    def __repr__(self) -> str:
        rows = tuple(
            tuple(shorten(f"{cell:g}" if isinstance(cell, float) else str(cell), WIDEST) for cell in row(each))
            for each in self.values()
        )
        table = Table("", COLUMNS, rows, frozenset(("points", "tries")), empty=NOTHING_YET)
        return f"{render(table)}\n{total(self.points, len(self))}" if rows else NOTHING_YET

    # -- writing ----------------------------------------------------------------------------------------------------

    def answered(self, named: str, outcome: str, wrong: tuple[str, str] = ("", "")) -> None:
        """An answer to a question: "open" for a wrong one that leaves a try. A question that is over stays as it is."""
        before = self._entries().get(named, Scored(named, QUESTION))
        if before.is_over:
            return
        tried = before.tries + (outcome != SHOWN)
        if outcome == FIRST and tried > 1:
            outcome = SECOND
        if outcome == OPEN and tried > 1:
            outcome = WRONG
        self._keep(_after(before, outcome, tried, wrong))

    def checked(self, named: str, design: str, lacks: str) -> Scored:
        """A design that was checked for an exercise; the same one twice counts once, and what was solved stays solved."""
        before = self._entries().get(named, Scored(named, EXERCISE))
        if before.is_over or self._checked.get(named) == design:
            return before
        self._checked[named] = design
        after = _after(before, OPEN if lacks else SOLVED, before.tries + 1, (lacks, "") if lacks else ("", ""))
        self._keep(after)
        return after

    def forget(self) -> None:
        """Everything anew, also in the file."""
        self._found, self._checked = {}, {}
        self._write()

    def _keep(self, scored: Scored) -> None:
        self._found = {**self._entries(), scored.name: scored}
        self._write()

    def _write(self) -> None:
        path = self._place()
        if path is not None:
            write_file(path, packed(self._found))
            self._read = path

    def _entries(self) -> dict[str, Scored]:
        path = self._place()
        if path is not None and path != self._read:
            # What an earlier run of the notebook has left; a file that cannot be read is told, and not written over.
            self._found = unpacked(read_text(path, error=ScoreError), path.name) if path.exists() else dict(self._found)
            self._read = path
        return self._found

    def _place(self) -> Path | None:
        return beside_notebook() if self._follows else self._path


def beside_notebook() -> Path | None:
    """Where the scores of the notebook that runs here are kept; None where there is none."""
    notebook = os.environ.get(NOTEBOOK_VARIABLE, "")
    return Path(notebook.removesuffix(".ipynb") + SUFFIX) if notebook.endswith(".ipynb") else None


def _after(before: Scored, outcome: str, tries: int, wrong: tuple[str, str]) -> Scored:
    kept = (wrong[0][:MOST_TEXT], wrong[1])
    told = (*before.wrong, kept)[-MOST_WRONG:] if wrong[0] else before.wrong
    return replace(before, outcome=outcome, tries=tries, wrong=told)


def row(scored: Scored) -> tuple[Any, ...]:
    """The cells of `COLUMNS`."""
    return scored.name, scored.kind, scored.outcome, scored.points, scored.tries, "; ".join(answer for answer, _ in scored.wrong)


def packed(found: Mapping[str, Scored]) -> str:
    """The text of a file of scores."""
    return json.dumps({"format": FORMAT, "scores": [asdict(each) for each in found.values()]}, indent=1, ensure_ascii=False) + "\n"


def unpacked(text: str, source: str) -> dict[str, Scored]:
    """What a file of scores holds. ScoreError if it is none."""
    try:
        held = json.loads(text)
        if held["format"] != FORMAT:
            raise ScoreError(other_format(source, str(held["format"])))
        made = [_scored(each) for each in held["scores"]]
    except ScoreError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ScoreError(no_scores(source)) from None
    return {each.name: each for each in made}


def _scored(held: Mapping[str, Any]) -> Scored:
    wrong = tuple((str(answer), str(code)) for answer, code in held["wrong"])
    made = Scored(str(held["name"]), str(held["kind"]), str(held["outcome"]), int(held["tries"]), wrong)
    if made.kind not in (QUESTION, EXERCISE) or made.outcome not in (OPEN, SHOWN, WRONG, SECOND, FIRST, SOLVED):
        raise ValueError(made.name)
    return made


score = Scores(follows=True)
"""The scores of the notebook that runs here."""


# ---- in words ---------------------------------------------------------------------------------------------------------

NOTHING_YET = "Nothing was answered yet."


def nothing_scored(wanted: str, known: list[str]) -> str:
    some = f"answered were {listing([name(each) for each in known])}" if known else "nothing was answered yet"
    return f"{name(wanted)} was not answered; {some}"


def total(points: float, number: int) -> str:
    return f"{points:g} of {counted(number, 'point')}."


def other_format(source: str, found: str) -> str:
    return f"{name(source, 120)}: scores of format {name(found)}; this release reads {FORMAT}"


def no_scores(source: str) -> str:
    return f"{name(source, 120)}: holds no scores; it is written by answering questions of a lesson"
