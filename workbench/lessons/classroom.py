"""A class, from the files of scores that its members handed in: who is where, and what went wrong most.

A file belongs to whoever's folder it is in: `FOLDER/ada/06-fences.scores.json` is ada's. One that lies in FOLDER itself
belongs to a member of the name before `.scores.json`. Files that cannot be read are told and left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.bench.scores import EXERCISE, FIRST, QUESTION, SECOND, SOLVED, SUFFIX, Scored, Scores
from workbench.explain.tables import Table
from workbench.files.rows import Rows
from workbench.values.errors import ScoreError

MEMBER_COLUMNS = ("who", "questions", "right at first", "at the second try", "exercises solved", "points", "last")
QUESTION_COLUMNS = ("question", "answered", "right at first", "at the second try", "wrong most often", "what was overlooked")
ROW_COLUMNS = ("who", "name", "kind", "outcome", "points", "tries", "wrong")


@dataclass(frozen=True)
class Classroom:
    """What a class has answered.

    Attributes:
        members: who -> name of a question or exercise -> what became of it.
        unread: what is wrong with each file that was left out.
    """

    members: Mapping[str, Mapping[str, Scored]]
    unread: tuple[str, ...] = ()

    @property
    def rows(self) -> Rows[tuple[Any, ...]]:
        """A row for each member and question or exercise."""
        return Rows(
            ROW_COLUMNS,
            [
                (who, each.name, each.kind, each.outcome, each.points, each.tries, "; ".join(answer for answer, _ in each.wrong))
                for who, found in self.members.items()
                for each in found.values()
            ],
        )

    @property
    def member_table(self) -> Table:
        """A row for each member, with the question or exercise that was begun last."""
        rows = []
        for who, found in self.members.items():
            asked = [each for each in found.values() if each.kind == QUESTION]
            solved = [each for each in found.values() if each.kind == EXERCISE and each.outcome == SOLVED]
            numbers = (len(asked), _number(asked, FIRST), _number(asked, SECOND), len(solved))
            points = f"{sum(each.points for each in found.values()):g}"
            rows.append((who, *(str(number) for number in numbers), points, next(reversed(list(found)), "")))
        return Table(MEMBERS, MEMBER_COLUMNS, tuple(rows), frozenset(MEMBER_COLUMNS[1:6]), empty=NOBODY)

    @property
    def question_table(self) -> Table:
        """A row for each question, the one that fewest had right at the first try on top."""
        found: dict[str, list[Scored]] = {}
        for scores in self.members.values():
            for each in scores.values():
                if each.kind == QUESTION:
                    found.setdefault(each.name, []).append(each)
        order = sorted(found, key=lambda name: (_number(found[name], FIRST) / len(found[name]), name))
        rows = [
            (
                name,
                str(len(found[name])),
                str(_number(found[name], FIRST)),
                str(_number(found[name], SECOND)),
                _most(Counter(answer for each in found[name] for answer, _ in each.wrong)),
                _most(Counter(code for each in found[name] for _, code in each.wrong if code)),
            )
            for name in order
        ]
        return Table(QUESTIONS, QUESTION_COLUMNS, tuple(rows), frozenset(QUESTION_COLUMNS[1:4]), empty=NOBODY)


def classroom(folder: Path) -> Classroom:
    """The class whose files are in a folder, or in folders in it, by name. ScoreError if the folder cannot be read."""
    if not folder.is_dir():
        raise ScoreError(NO_FOLDER, source=str(folder))
    members: dict[str, dict[str, Scored]] = {}
    unread = []
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        above = path.relative_to(folder).parts
        who = above[0] if len(above) > 1 else path.name.removesuffix(SUFFIX)
        try:
            members.setdefault(who, {}).update(Scores.read(path))
        except ScoreError as error:
            unread.append(str(error))
    return Classroom(members, tuple(unread))


def _number(found: list[Scored], outcome: str) -> int:
    return sum(each.outcome == outcome for each in found)


def _most(counted: Counter[str]) -> str:
    return ", ".join(_told(counted))


def _told(counted: Counter[str]) -> Iterator[str]:
    for what, times in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:2]:
        yield f"{what} ({times})"


# ---- in words ---------------------------------------------------------------------------------------------------------

MEMBERS, QUESTIONS = "Who is where", "What went wrong most"
NOBODY = "No scores were found."
NO_FOLDER = "there is no folder of that name; give the one that holds the files of scores"
