"""A lesson played without a kernel: its cells one after the other, stopping wherever a prediction is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench import Workbench

TUTORIALS = Path(__file__).resolve().parents[2] / "tutorials"
LESSONS = tuple(sorted(path.stem for path in TUTORIALS.glob("*.ipynb")))


def cells(lesson: str) -> list[str]:
    """The code of a lesson, cell by cell."""
    notebook = json.loads((TUTORIALS / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def questions(lesson: str) -> Iterator[Workbench]:
    """The workbench of each cell that asks something, right after the cell; what is done to it is seen by the cells that follow."""
    names: dict[str, Any] = {}
    for number, code in enumerate(cells(lesson)):
        exec(compile(code, f"{lesson}, cell of code {number}", "exec"), names)
        yield from {id(each): each for each in names.values() if isinstance(each, Workbench) and each.question_open}.values()
