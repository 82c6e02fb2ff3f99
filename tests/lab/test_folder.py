"""What `workbench lab` puts into a folder: everything its start page leads to, never over what is there, also from a wheel."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from workbench.lab import folder
from workbench.lab.folder import EXAMPLES, LESSONS, NOTEBOOK, PARTS, START_PAGE, WRITTEN, material, provide_notebook, provide_start
from workbench.values.errors import CommandError

ROOT = Path(__file__).resolve().parents[2]
ALL_LESSONS = 12
NUMBERED = re.compile(r"\d\d-[a-z-]+\.ipynb")
"""A lesson; as long as some are unwritten, others may already refer to them."""
LINK = re.compile(r"\]\(([^)\s]+)\)")


def own_files(top: Path) -> dict[str, bytes]:
    """Relative path -> content of everything in a folder."""
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}


def prose(path: Path) -> str:
    """The Markdown of a page or of a notebook."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


def broken_links(path: Path) -> list[str]:
    """Links of a page or notebook to files that are not there."""
    return [
        target
        for target in LINK.findall(prose(path))
        if "://" not in target and not target.startswith("#") and not (path.parent / target.partition("#")[0]).exists()
    ]


@pytest.fixture(scope="module")
def provided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `workbench lab` was started for the first time."""
    directory = tmp_path_factory.mktemp("provided") / "new"
    provide_start(directory)
    return directory


# ---- the start page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
def test_every_notebook_is_in_the_index_of_its_folder_and_on_the_start_page(provided, part):
    there = {
        path.relative_to(ROOT / part).as_posix()
        for path in (ROOT / part).rglob("*.ipynb")
        if ".ipynb_checkpoints" not in path.parts and path.name != NOTEBOOK
    }
    index = LINK.findall((ROOT / part / "README.md").read_text(encoding="utf-8"))
    assert {target for target in index if target.endswith(".ipynb") and not target.startswith("..")} == there
    on_the_page = LINK.findall((provided / START_PAGE).read_text(encoding="utf-8"))
    assert {f"{part}/{name}" for name in there} == {
        target for target in on_the_page if target.startswith(f"{part}/") and target.endswith(".ipynb")
    }


def test_the_start_page_leads_to_the_workbench_to_the_first_lesson_and_to_the_lists(provided):
    text = (provided / START_PAGE).read_text(encoding="utf-8")
    first = min(path.name for path in (ROOT / LESSONS).glob("*.ipynb"))
    assert f"[Begin with the first lesson]({LESSONS}/{first})" in text
    assert f"]({NOTEBOOK})" in text
    # JupyterLab's names of headings keep the capital.
    headings = {heading.replace(" ", "-") for heading in re.findall(r"^## (.+)$", text, re.MULTILINE)}
    assert {target[1:] for target in LINK.findall(text) if target.startswith("#")} <= headings
    assert "$" not in text


def test_the_lists_are_the_tables_of_the_indexes_seen_from_above_their_folder(tmp_path, monkeypatch):
    (tmp_path / LESSONS).mkdir()
    (tmp_path / LESSONS / "README.md").write_text(
        "# T\n\n| lesson | see |\n| --- | --- |\n| [A](01-a.ipynb) | [x](../notebooks/x.ipynb), [y](https://a/b), [z](#z) |\n\n"
        "text\n\n| read | for |\n| --- | --- |\n| [decisions](decisions/1.md) | more |\n"
    )
    monkeypatch.setattr(folder, "material", lambda: tmp_path)
    assert folder.index_table(LESSONS) == (
        "| lesson | see |\n| --- | --- |\n| [A](tutorials/01-a.ipynb) | [x](notebooks/x.ipynb), [y](https://a/b), [z](#z) |"
    )


def test_every_link_of_what_is_provided_leads_somewhere(provided):
    pages = sorted(path for path in provided.rglob("*") if path.suffix in {".md", ".ipynb"})
    assert len(pages) > 5
    unwritten = NUMBERED if len(list((provided / LESSONS).glob("*.ipynb"))) < ALL_LESSONS else re.compile(r"(?!)")
    broken = {path.name: [target for target in broken_links(path) if not unwritten.fullmatch(target)] for path in pages}
    assert {name: targets for name, targets in broken.items() if targets} == {}


# ---- nothing is ever overwritten --------------------------------------------------------------------------------------------


def test_with_a_design_only_the_notebook_is_put_there_and_then_left_alone(tmp_path):
    new = tmp_path / "new"
    assert provide_notebook(new) == folder.Provided(new / NOTEBOOK, (NOTEBOOK,))
    assert list(own_files(new)) == [NOTEBOOK]
    (new / NOTEBOOK).write_text("mine")
    assert provide_notebook(new).copied == ()
    assert (new / NOTEBOOK).read_text() == "mine"


def test_what_is_there_is_kept_and_what_was_deleted_comes_back_fresh(tmp_path):
    first = provide_start(tmp_path)
    fresh = own_files(tmp_path)
    assert set(first.copied) | {START_PAGE} == set(fresh)
    lesson, example = f"{LESSONS}/06-fences.ipynb", f"{EXAMPLES}/priorities-multitenancy.ipynb"
    (tmp_path / lesson).write_text("my answers")
    (tmp_path / example).unlink()
    (tmp_path / EXAMPLES / "mine.ipynb").write_text("mine")
    assert provide_start(tmp_path).copied == (example,)
    assert own_files(tmp_path) == fresh | {lesson: b"my answers", f"{EXAMPLES}/mine.ipynb": b"mine"}
    (tmp_path / lesson).unlink()
    assert provide_start(tmp_path).copied == (lesson,)
    assert own_files(tmp_path)[lesson] == fresh[lesson]


def test_the_start_page_follows_the_version_unless_it_is_somebodys_own(tmp_path):
    page = tmp_path / START_PAGE
    page.write_text(f"{WRITTEN}\n\nan old list")
    assert provide_start(tmp_path).page == page
    assert page.read_text(encoding="utf-8") == folder.start_page()
    page.write_text("# My notes")
    provide_start(tmp_path)
    assert page.read_text() == "# My notes"


def test_in_a_clone_only_the_notebook_and_the_page_are_added(tmp_path, monkeypatch):
    for part in PARTS:
        (tmp_path / part).mkdir()
        (tmp_path / part / "README.md").write_text("| a |\n| --- |\n| [A](a.ipynb) |\n")
        (tmp_path / part / "a.ipynb").write_text("as committed")
    monkeypatch.setattr(folder, "material", lambda: tmp_path)
    assert provide_start(tmp_path).copied == (NOTEBOOK,)
    # What was left in the clone by working there is nobody else's.
    (tmp_path / LESSONS / ".ipynb_checkpoints").mkdir()
    (tmp_path / LESSONS / ".ipynb_checkpoints" / "a.ipynb").write_text("")
    (tmp_path / EXAMPLES / NOTEBOOK).write_text("")
    assert set(folder.lessons_and_examples()) == {f"{part}/{name}" for part in PARTS for name in ("README.md", "a.ipynb")}


@pytest.mark.parametrize("in_the_way", [".", LESSONS, START_PAGE])
def test_a_folder_that_cannot_be_written_to_is_told(tmp_path, in_the_way):
    target = tmp_path / "work" / in_the_way
    if in_the_way == START_PAGE:
        target.mkdir(parents=True)
    else:
        target.parent.mkdir(exist_ok=True)
        target.write_text("")
    with pytest.raises(CommandError, match="choose a folder with --dir"):
        provide_start(tmp_path / "work")


# ---- installed without the repository ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as a wheel brings it, in a folder of its own."""
    if importlib.util.find_spec("hatchling") is None:
        tell = pytest.fail if os.environ.get("CI") else pytest.skip
        tell("hatchling, which builds the wheel, is not installed")
    home = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(home)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=120,
    )
    with zipfile.ZipFile(next(home.glob("*.whl"))) as wheel:
        wheel.extractall(home / "site")
    return home / "site"


def test_the_wheel_brings_all_that_the_start_page_leads_to(installed, provided, tmp_path):
    code = f"from workbench.lab.folder import provide_start; from pathlib import Path; provide_start(Path({str(tmp_path)!r}))"
    subprocess.run(
        [sys.executable, "-c", code], cwd=installed, check=True, timeout=60, env=os.environ | {"PYTHONPATH": str(installed)}
    )
    assert own_files(tmp_path) == own_files(provided)


def test_the_wheel_holds_the_package_and_nothing_else(installed):
    tops = {path.name for path in installed.iterdir()}
    assert {name for name in tops if not name.endswith(".dist-info")} == {"workbench"}
    assert (installed / "workbench" / "lab" / "material" / LESSONS / "06-fences.ipynb").is_file()


def outputs(path: Path) -> list:
    return [output for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] for output in cell.get("outputs", ())]


def test_lessons_are_copied_without_the_outputs_that_answer_them_and_examples_with_theirs(tmp_path):
    provide_start(tmp_path)
    for source in (material() / LESSONS).glob("*.ipynb"):
        assert outputs(source), source.name
        assert outputs(tmp_path / LESSONS / source.name) == [], source.name
    for source in (material() / EXAMPLES).glob("*.ipynb"):
        assert outputs(tmp_path / EXAMPLES / source.name) == outputs(source) != [], source.name
