"""A file is whole or as it was, whichever call to the operating system fails and wherever the process is killed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from faults.disk import FAULTS, every_fault

from workbench.files.writing import FileError, append, mark_of, write_file, write_new

OLD, NEW = "old " * 50, "new " * 70


@pytest.fixture
def folders(tmp_path: Path) -> Callable[[], Path]:
    """Makes an empty folder, another one at every call."""
    numbers = count()

    def make() -> Path:
        made = tmp_path / str(next(numbers))
        made.mkdir()
        return made

    return make


def parts(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".part")]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_is_replaced_holds_the_old_or_the_new_content(folders, fault):
    def prepare() -> Path:
        path = folders() / "f.txt"
        path.write_text(OLD)
        path.chmod(0o640)
        return path

    for path, met in every_fault(fault, prepare, lambda path: write_file(path, NEW)):
        held = path.read_text()
        assert held in (OLD, NEW), met.place
        assert stat.S_IMODE(path.stat().st_mode) == 0o640, met.place
        # Nobody believes that it was written when it was not, and whoever believes the contrary is told so.
        assert met.error is not None or held == NEW, met.place
        if isinstance(met.error, OSError | FileError) and held == NEW:
            assert "it was written" in str(met.error) or "close" in met.place, met.place
        write_file(path, "at last")
        assert path.read_text() == "at last"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_new_file_is_whole_or_not_there(folders, fault):
    for path, met in every_fault(fault, lambda: folders() / "f.txt", lambda path: write_file(path, NEW)):
        assert not path.exists() or path.read_text() == NEW, met.place
        assert met.error is not None or path.exists(), met.place
        assert met.killed or met.error is None or isinstance(met.error, FileError | KeyboardInterrupt), met.place


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_must_not_be_there_yet_is_whole_or_not_there(folders, fault):
    for path, met in every_fault(fault, lambda: folders() / "f.txt", lambda path: write_new(path, NEW)):
        assert not path.exists() or path.read_text() == NEW, met.place
        assert met.error is not None or path.exists(), met.place


@pytest.mark.parametrize("fault", [name for name in FAULTS if not name.startswith("killed") and "from then on" not in name])
def test_a_failure_leaves_no_part_file(folders, fault):
    for path, met in every_fault(fault, lambda: folders() / "f.txt", lambda path: write_file(path, NEW)):
        assert parts(path.parent) == [] or "unlink" in met.place, met.place


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_added_to_a_file_leaves_what_was_in_it(folders, fault):
    def prepare() -> Path:
        path = folders() / "f.txt"
        path.write_text(OLD)
        return path

    def add(path: Path) -> None:
        after = mark_of(path)
        assert after is not None and append(path, NEW, after=after) is not None

    for path, met in every_fault(fault, prepare, add):
        held = path.read_text()
        assert held.startswith(OLD) and (OLD + NEW).startswith(held), met.place
        assert met.error is not None or held == OLD + NEW, met.place


def test_the_faults_meet_every_kind_of_call(folders):
    met = {
        met.place.rpartition(" ")[2]
        for _path, met in every_fault("I/O error", lambda: folders() / "f", lambda path: write_file(path, NEW))
    }
    assert {"open", "write", "fsync", "close", "replace"} <= met


def test_an_error_of_the_disk_is_a_sentence_with_the_name_and_the_reason(folders):
    [(path, met), *_] = every_fault("no space", lambda: folders() / "f.txt", lambda path: write_file(path, NEW))
    assert str(met.error) == f"cannot write {path}: {os.strerror(28)}"
