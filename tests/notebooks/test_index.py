"""Every notebook for readers can be found from the index of its folder, in one row with what it shows and how long it takes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("notebooks", "tutorials")
ROW = re.compile(r"^\|\s*\[(?P<title>[^\]]+)\]\((?P<target>[^)\s]+)\)\s*\|(?P<cells>.*)\|\s*$", re.MULTILINE)


def notebooks(folder: str) -> set[str]:
    """Names of the notebooks in a folder of the project, with the folders between."""
    return {path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).rglob("*.ipynb")
            if ".ipynb_checkpoints" not in path.parts}


def rows(text: str) -> dict[str, list[str]]:
    """Target -> the other cells of its row, for every row of the tables in a text that begins with a link.

    >>> rows("| [A](a.ipynb) | shows a | 5 |")
    {'a.ipynb': ['shows a', '5']}
    """
    return {row["target"]: [cell.strip() for cell in row["cells"].split("|")] for row in ROW.finditer(text)}


def index(folder: str) -> dict[str, list[str]]:
    return rows((ROOT / folder / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_notebook_is_listed_in_the_index_of_its_folder(folder):   # U-7: nothing that has to be searched for
    assert notebooks(folder) - set(index(folder)) == set()


def test_every_row_of_the_examples_says_what_where_and_how_long():
    for target, cells in index("notebooks").items():
        shows, documented, minutes = cells
        assert target in notebooks("notebooks"), target
        assert shows, target
        assert documented, target
        assert int(minutes) <= 15, target


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.name)
def test_an_example_opens_with_a_title_and_ends_with_the_screen(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert "".join(cells[0]["source"]).startswith("# ")
    assert len(cells) <= 25
    assert "".join(cells[-1]["source"]).splitlines()[-1] == "wb"
    shown = "".join(cells[-1]["outputs"][0]["data"]["text/plain"])
    assert shown.startswith("Workbench ")   # U-28
    assert shown.count("\n") == 2
