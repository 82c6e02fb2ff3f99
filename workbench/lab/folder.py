"""What `workbench lab` puts into the folder that it works in: the workbench notebook, the lessons and examples, the start page.

A file that is there is kept: it may hold somebody's work. To get a fresh copy of a lesson, delete it and start again. The one
exception is the start page as written here, known by its first line: it lists what this version brings and is written anew. A
lesson asks for predictions, so it is copied without its stored outputs, which would answer them; the examples keep theirs. The
lessons and examples lie beside each other as in the repository, so that the links between them hold in both; in a clone's own
folder they are there already, and nothing is copied.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template

from workbench.files.writing import make_folder, write_file, write_new
from workbench.values.errors import CommandError, FileError

HERE = Path(__file__).parent
NOTEBOOK, START_PAGE = "workbench.ipynb", "start.md"
LESSONS, EXAMPLES = "tutorials", "notebooks"
PARTS = (LESSONS, EXAMPLES)
INDEX = "README.md"
WRITTEN = "<!-- Written by `workbench lab` at every start. To keep a page of your own, delete this line. -->"
NOTEBOOK_LINK = re.compile(r"\]\(([^)\s]+\.ipynb)\)")


@dataclass(frozen=True, slots=True)
class Provided:
    """What opening a folder comes to.

    Attributes:
        page: the document to open, in the folder.
        copied: the files that were not there before, relative to the folder and sorted; without the start page.
    """

    page: Path
    copied: tuple[str, ...]


def material() -> Path:
    """The folder that holds the lessons and the examples: in an installed package its own, in a clone the clone's."""
    packaged = HERE / "material"
    return packaged if packaged.is_dir() else HERE.parents[1]


def provide_notebook(directory: Path) -> Provided:
    """The workbench notebook in `directory`, copied there unless it exists. CommandError: the folder cannot be written to."""
    return Provided(directory / NOTEBOOK, _put(directory, {NOTEBOOK: HERE / NOTEBOOK}))


def provide_start(directory: Path) -> Provided:
    """The start page with all that it leads to, in `directory`. CommandError: the folder cannot be written to."""
    copied = _put(directory, {NOTEBOOK: HERE / NOTEBOOK} | lessons_and_examples())
    page = directory / START_PAGE
    with _telling(page):
        if not page.exists() or page.read_text(encoding="utf-8", errors="replace").startswith(WRITTEN):
            write_file(page, start_page())
    return Provided(page, copied)


def lessons_and_examples() -> dict[str, Path]:
    """Where each file goes, as a path with slashes relative to the folder, and where it comes from; sorted."""
    source = material()
    found = {path.relative_to(source): path for part in PARTS for path in (source / part).rglob("*") if path.is_file()}
    # A clone may hold what JupyterLab and the workbench left in it: hidden files, and the notebook.
    return {
        place.as_posix(): found[place]
        for place in sorted(found)
        if not any(part.startswith(".") for part in place.parts) and place.name != NOTEBOOK
    }


def start_page() -> str:
    """The text of the start page. Its lists are those of the two folders' own README.md, so that there is only one of each."""
    template = Template((HERE / "start_page.template").read_text(encoding="utf-8"))
    lessons = index_table(LESSONS)
    text = template.substitute(first_lesson=NOTEBOOK_LINK.findall(lessons)[0], lessons=lessons, examples=index_table(EXAMPLES))
    return f"{WRITTEN}\n\n{text}"


def index_table(part: str) -> str:
    """The tables of a folder's README.md that list notebooks of that folder, with links as seen from above the folder."""
    text = (material() / part / INDEX).read_text(encoding="utf-8")
    tables = [
        table
        for table in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)
        if any("/" not in target for target in NOTEBOOK_LINK.findall(table))
    ]
    return re.sub(
        r"\]\((?![a-z]+:|#)([^)]+)\)", lambda link: f"]({posixpath.normpath(f'{part}/{link[1]}')})", "\n".join(tables)
    ).strip()


def _put(directory: Path, places: Mapping[str, Path]) -> tuple[str, ...]:
    """Copy what is not there yet; the places that were filled."""
    copied = []
    for place, source in places.items():
        target = directory / place
        with _telling(target):
            make_folder(target.parent)
            if os.path.lexists(target):
                continue
            try:
                write_new(target, _unanswered(source) if _is_lesson(place) else source.read_bytes())
            except FileExistsError:
                continue
        copied.append(place)
    return tuple(copied)


def _is_lesson(place: str) -> bool:
    return place.startswith(f"{LESSONS}/") and place.endswith(".ipynb")


def _unanswered(source: Path) -> bytes:
    """A notebook without its outputs."""
    notebook = json.loads(source.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


@contextmanager
def _telling(target: Path) -> Iterator[None]:
    """Within it a file that cannot be written is a CommandError that says what to do."""
    try:
        yield
    except FileError as error:
        raise CommandError(f"{error} (choose a folder with --dir)") from error
    except OSError as error:
        raise CommandError(f"cannot read {target}: {error.strerror} (choose a folder with --dir)") from error
