"""What is stored in the committed notebooks. That they run, and that their checked outputs hold, is nbval's part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(
    path
    for folder in ("notebooks", "tutorials", "workbench")
    for path in (ROOT / folder).rglob("*.ipynb")
    if ".ipynb_checkpoints" not in path.parts
)
MOST_BYTES = 300_000
TEXT, PICTURE = "text/plain", "application/vnd.plotly.v1+json"


def test_the_notebooks_are_found():
    assert {"workbench.ipynb", "priorities-multitenancy.ipynb"} <= {path.name for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_small_and_stores_no_widget_state(path):  # section 13 of the interface design
    assert path.stat().st_size < MOST_BYTES
    assert "widgets" not in json.loads(path.read_text(encoding="utf-8"))["metadata"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_stored_outputs_are_text_and_data_of_pictures_with_a_sentence(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            expected = "raises-exception" in cell["metadata"].get("tags", ())
            assert (output["output_type"] == "error") <= expected, cell["source"]
            if "data" in output:
                assert TEXT in output["data"] and set(output["data"]) <= {TEXT, PICTURE}, cell["source"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_everything_that_is_printed_is_compared_but_pictures_and_screens(path):  # else nbval would check nothing
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        tags = cell["metadata"].get("tags", ())
        assert not {"nbval-skip"} & set(tags), cell["source"]
        if "nbval-ignore-output" in tags and "Workbench.open()" not in "".join(cell["source"]):
            assert any(PICTURE in output.get("data", ()) for output in cell["outputs"]), cell["source"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_cells_are_short(path):  # a loop or a function in a notebook is a missing function of the package
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            assert source.count("\n") < 10
            assert "def " not in source and "for " not in source.split("#")[0]


def test_the_multitenancy_notebook_has_its_tables_checked():
    path = ROOT / "notebooks" / "priorities-multitenancy.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    checked = ["".join(cell["source"]) for cell in cells if cell.get("outputs") and not cell["metadata"].get("tags")]
    assert any('bench.table("steps")' in source for source in checked)
    assert any('bench.table("queues")' in source for source in checked)


@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path.parent.name == "tutorials"], ids=lambda path: path.name)
def test_a_lesson_says_at_its_beginning_how_to_hide_the_stored_answers(path):  # section 11: predict before seeing
    first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]
    assert "**Edit ▸ Clear Outputs of All Cells**" in "".join(first["source"])
