"""Every notebook for readers can be found from the index of its folder, in one row with what it shows and how long it takes.

The index of the lessons says what their first cells say: title, minutes, and which lessons come before.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("notebooks", "tutorials")
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
MINUTES = re.compile(r"\*About (\d+) minutes\.")
LESSONS = sorted((ROOT / "tutorials").glob("*.ipynb"))
ROW = re.compile(r"^\|\s*\[(?P<title>[^\]]+)\]\((?P<target>[^)\s]+)\)\s*\|(?P<cells>.*)\|\s*$", re.MULTILINE)


def notebooks(folder: str) -> set[str]:
    """Names of the notebooks in a folder of the project, with the folders between."""
    return {
        path.relative_to(ROOT / folder).as_posix()
        for path in (ROOT / folder).rglob("*.ipynb")
        if ".ipynb_checkpoints" not in path.parts
    }


def rows(text: str) -> dict[str, list[str]]:
    """Target -> the other cells of its row, for every row of the tables in a text that begins with a link.

    >>> rows("| [A](a.ipynb) | shows a | 5 |")
    {'a.ipynb': ['shows a', '5']}
    """
    return {row["target"]: [cell.strip() for cell in row["cells"].split("|")] for row in ROW.finditer(text)}


def titles(folder: str) -> dict[str, str]:
    """Target -> text of the link, for the same rows."""
    return {row["target"]: row["title"] for row in ROW.finditer((ROOT / folder / "README.md").read_text(encoding="utf-8"))}


def index(folder: str) -> dict[str, list[str]]:
    return rows((ROOT / folder / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_notebook_is_listed_in_the_index_of_its_folder(folder):  # U-7: nothing that has to be searched for
    assert notebooks(folder) - set(index(folder)) == set()


@pytest.mark.parametrize("page", ["notebooks/README.md", "tutorials/README.md", "tutorials/instructors.md"])
def test_the_links_of_an_index_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = [link["target"] for link in LINK.finditer(text) if "://" not in link["target"]]
    assert targets
    assert [target for target in targets if not (ROOT / page).parent.joinpath(target.partition("#")[0]).exists()] == []


def test_the_lessons_are_listed_in_their_order():
    listed = [target for target in index("tutorials") if target.endswith(".ipynb")]
    assert listed == [path.name for path in LESSONS]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_the_row_of_a_lesson_says_what_its_first_cell_says(path):  # section 11: an index page lists prerequisites and times
    first = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    can, needs, minutes = index("tutorials")[path.name]
    title = titles("tutorials")[path.name]
    number = int(path.name[:2])
    assert first.startswith(f"# {title}\n")
    assert title.startswith(f"{number} · ")
    assert can
    found = MINUTES.search(first)
    assert found is not None, "the first cell says *About n minutes."
    assert found[1] == minutes
    assert 10 <= int(minutes) <= 15
    before = [int(each) for each in re.findall(r"\d+", needs)]
    assert before or needs == "nothing"
    assert all(each < number for each in before)
    opening = {int(link["target"][:2]) for link in LINK.finditer(first) if re.match(r"\d\d-", link["target"])}
    assert set(before) <= opening, "the first cell links to the lessons that it needs"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_a_lesson_has_an_exercise_questions_and_no_more_than_25_cells(path):  # section 11
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    assert len(cells) <= 25
    assert "<details><summary>Answers</summary>" in text
    assert "exercise.check(" in text
    assert ".predict(" in text
    unsolved = [cell for cell in cells if "exercise.check(" in "".join(cell["source"])]
    assert all("Not yet: " in "".join(cell["outputs"][0]["data"]["text/plain"]) for cell in unsolved if cell["cell_type"] == "code")


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_the_links_between_lessons_hold(path):
    text = "\n".join(
        "".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "markdown"
    )
    targets = [link["target"] for link in LINK.finditer(text) if "://" not in link["target"]]
    missing = [target for target in targets if not path.parent.joinpath(target.partition("#")[0]).exists()]
    assert missing == []


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
    assert "".join(cells[-1]["source"]).splitlines()[-1] == "bench"
    shown = "".join(cells[-1]["outputs"][0]["data"]["text/plain"])
    assert shown.startswith("Workbench ")  # U-28
    assert shown.count("\n") == 2
