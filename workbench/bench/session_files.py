"""Where the sessions of a notebook are: beside it, in hidden files, one for each workbench that it makes.

The first workbench has `.name.session.json`, further ones `.name-2.session.json` and so on. A file of an earlier run is not
overwritten but numbered, `.name.session.json.1` and so on, and one that cannot be read is set aside under a name that says so.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from workbench.bench.session import Session, SessionError, glimpsed, notebook_of, unpacked
from workbench.explain.wording import name as named
from workbench.files.reading import read_bytes
from workbench.files.writing import move
from workbench.values.errors import FileError, WorkbenchError

KEPT = 9
"""Earlier sessions in one file's name that are kept."""
NOTEBOOK_VARIABLE = "JPY_SESSION_NAME"
"""Environment variable in which Jupyter tells a kernel the path of its notebook."""
LONGEST_HEAD = 4096
"""Bytes in which the first line of a session file has ended."""


def default_path() -> Path | None:
    """The first session file of the notebook that runs here, None where there is no notebook."""
    notebook = os.environ.get(NOTEBOOK_VARIABLE, "")
    if not notebook.endswith(".ipynb"):
        return None
    path = Path(notebook)
    return path.with_name(f".{path.stem}.session.json")


def numbered(main: Path, number: int) -> Path:
    """The session file of a notebook's workbench of that number, from 1.

    >>> numbered(Path(".study.session.json"), 2).name
    '.study-2.session.json'
    """
    if number == 1:
        return main
    dot, stem, rest = _split(main.name)
    return main.with_name(f"{dot}{stem}-{number}{rest}")


def of_notebook(main: Path) -> list[Path]:
    """All session files of a notebook, the one that was written last first."""
    dot, stem, rest = _split(main.name)
    pattern = re.compile(rf"{re.escape(dot + stem)}(-[1-9]\d*)?{re.escape(rest)}(\.[1-9])?")
    try:
        names = os.listdir(main.parent)
    except OSError:
        return []
    found = []
    for name in names:
        if match := pattern.fullmatch(name):
            # A notebook `study-2` has the name of the second workbench of `study`; which of them wrote a file, is in it.
            of = _notebook(main.with_name(name))
            if of == main.name or of is None and not (match[1] and f"{stem}{match[1]}.ipynb" in names):
                found.append(main.with_name(name))
    return _latest_first(found)


def of_file(path: Path) -> list[Path]:
    """A session file and the earlier ones of its name, the latest first."""
    return [each for each in (path, *_earlier(path)) if each.exists()]


def read(path: Path) -> Session:
    """The session in a file.

    Raises:
        FileNotFoundError: there is none.
        SessionError: it is damaged; it has been renamed, and the error says to what.
    """
    try:
        path.stat()
        return unpacked(read_bytes(path))
    except FileNotFoundError:
        raise
    except (OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, WorkbenchError) as error:
        aside = _free(path, "damaged")
        try:
            move(path, aside)
        except FileError:
            aside = path
        raise SessionError(session_damaged(path.name, aside.name, f"{type(error).__name__}: {error}")) from None


class Glimpse(NamedTuple):
    """What is seen of a session without making it: the design's name, the step, and when it was written, in the wall's seconds."""

    name: str
    step: int
    written: float


def glimpse(path: Path) -> Glimpse | None:
    """A look at a session file that changes nothing; None if that shows nothing."""
    try:
        found = glimpsed(read_bytes(path))
        return None if found is None else Glimpse(*found, path.stat().st_mtime)
    except (OSError, WorkbenchError):
        return None


def set_aside(path: Path) -> None:
    """Number the session file of an earlier run. Only where all numbers are taken the oldest goes. FileError if that fails."""
    if not path.exists():
        return
    earlier = _earlier(path)
    free = next((number for number, each in enumerate(earlier) if not each.exists()), KEPT - 1)
    for number in range(free, 0, -1):
        move(earlier[number - 1], earlier[number])
    move(path, earlier[0])


def _earlier(path: Path) -> list[Path]:
    return [path.with_name(f"{path.name}.{number}") for number in range(1, KEPT + 1)]


def _latest_first(paths: list[Path]) -> list[Path]:
    """By the time of the last change; names of one instant as they count, the file itself before what was numbered."""
    timed = []
    for path in paths:
        try:
            timed.append((-path.stat().st_mtime_ns, len(path.name), path.name, path))
        except OSError:  # gone since
            continue
    return [path for *_, path in sorted(timed)]


def _notebook(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return notebook_of(file.readline(LONGEST_HEAD))
    except OSError:
        return None


def _split(name: str) -> tuple[str, str, str]:
    """A leading dot, what is before the next dot, and the rest with its dot."""
    dot = "." if name.startswith(".") else ""
    stem, point, rest = name.removeprefix(".").partition(".")
    return dot, stem, point + rest


def _free(path: Path, word: str) -> Path:
    number = 1
    while (found := path.with_name(f"{path.name}.{word}-{number}")).exists():
        number += 1
    return found


# ---- in words ---------------------------------------------------------------------------------------------------------


def session_damaged(path: str, aside: str, why: str) -> str:
    return f"The session file {named(path, 120)} is damaged and kept as {named(aside, 120)} ({named(why, 200)})."
