"""What a file keeps when its content is replaced, and what is refused."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from laws import examples

from workbench.files import writing
from workbench.files.parts import STALE_SECONDS, new_part, sweep
from workbench.files.writing import append, make_folder, mark_of, write_file, write_new
from workbench.values.errors import FileError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "f.txt"
    path.write_text("old")
    return path


@pytest.mark.parametrize(("umask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_umask_decides_the_mode_of_a_new_file(tmp_path, umask, expected):
    before = os.umask(umask)
    try:
        write_file(tmp_path / "a", "x")
        write_new(tmp_path / "b", "x")
    finally:
        os.umask(before)
    assert (mode(tmp_path / "a"), mode(tmp_path / "b")) == (expected, expected)


@pytest.mark.parametrize("own", [0o600, 0o640, 0o755, 0o666])
def test_an_existing_file_keeps_its_mode(file, own):
    file.chmod(own)
    write_file(file, "new")
    assert (mode(file), file.read_text()) == (own, "new")


def test_an_existing_file_keeps_its_owner_where_files_may_be_given_away(file, monkeypatch):
    given = []
    monkeypatch.setattr(os, "fchown", lambda _handle, user, group: given.append((user, group)))
    monkeypatch.setattr(writing, "_stat", lambda path: another_owner(os.stat(path), 1234, 2345))
    write_file(file, "new")
    assert given == [(1234, 2345)] and file.read_text() == "new"


def test_whoever_may_not_give_files_away_writes_all_the_same(file, monkeypatch):
    def refused(*_args):
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refused)
    monkeypatch.setattr(writing, "_stat", lambda path: another_owner(os.stat(path), 1234, 2345))
    write_file(file, "new")
    assert file.read_text() == "new"


def another_owner(found: os.stat_result, user: int, group: int) -> os.stat_result:
    return os.stat_result((*found[:4], user, group, *found[6:10]))


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path, file):
    link, second = tmp_path / "link", tmp_path / "second"
    link.symlink_to("f.txt")
    second.symlink_to("link")
    write_file(second, "new")
    assert second.is_symlink() and link.is_symlink() and file.read_text() == "new"


def test_a_link_that_leads_nowhere_gets_its_file(tmp_path):
    (tmp_path / "link").symlink_to("wanted")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "wanted").read_text() == "new"


def test_links_in_a_circle_are_told(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(FileError, match="cannot write .*a: .*symbolic links"):
        write_file(tmp_path / "a", "x")


def test_a_read_only_file_is_refused_with_what_to_do(file):
    file.chmod(0o444)
    with pytest.raises(FileError, match="f.txt: it is read-only; allow writing to it, or choose another name"):
        write_file(file, "new")
    assert (file.read_text(), mode(file)) == ("old", 0o444)
    assert os.listdir(file.parent) == ["f.txt"]


def test_a_read_only_file_behind_a_link_is_refused(tmp_path, file):
    file.chmod(0o444)
    (tmp_path / "link").symlink_to("f.txt")
    with pytest.raises(FileError, match="read-only"):
        write_file(tmp_path / "link", "new")
    assert file.read_text() == "old"


@pytest.mark.parametrize("place", ["nowhere/f.txt", "f.txt/g.txt", ".", "x" * 300, "a\0b", "caf\udce9/x"])
def test_a_place_where_no_file_can_be_is_told(tmp_path, file, place):
    with pytest.raises(FileError, match="^cannot write "):
        write_file(tmp_path / place, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["f.txt"]


def test_a_name_as_long_as_names_may_be_can_be_written(tmp_path):
    path = tmp_path / ("x" * 255)
    write_file(path, "one")
    write_file(path, "two")
    assert path.read_text() == "two" and len(os.listdir(tmp_path)) == 1


def test_text_that_no_file_can_hold_leaves_the_file_as_it_was(file):
    with pytest.raises(FileError, match=r"cannot write .*'\\ud800', character 4, is half of one"):
        write_file(file, "new\ud800")
    assert file.read_text() == "old"


def test_what_is_no_file_is_written_to_and_stays_what_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, "through")
    assert os.read(reader, 100) == b"through" and stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)


def test_what_was_written_is_read_back_before_the_file_is_replaced(file):
    seen = []

    def check(data: bytes) -> None:
        seen.append((data, file.read_text()))
        raise FileError("f.txt", "it reads otherwise")

    with pytest.raises(FileError, match="reads otherwise"):
        write_file(file, "new", check=check)
    assert seen == [(b"new", "old")] and file.read_text() == "old" and os.listdir(file.parent) == ["f.txt"]


@pytest.mark.parametrize("there", ["file", "folder", "link that leads nowhere"])
def test_a_new_file_never_takes_the_place_of_anything(tmp_path, there):
    place = tmp_path / "place"
    {
        "file": lambda: place.write_text("mine"),
        "folder": place.mkdir,
        "link that leads nowhere": lambda: place.symlink_to("x"),
    }[there]()
    with pytest.raises(FileExistsError):
        write_new(place, "new")
    assert os.listdir(tmp_path) == ["place"] and not (tmp_path / "x").exists()


def test_a_new_file_takes_no_place_that_was_taken_meanwhile(tmp_path, monkeypatch):
    link = os.link

    def late(source, target):
        Path(target).write_text("quicker")
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "f", "new")
    assert (tmp_path / "f").read_text() == "quicker" and os.listdir(tmp_path) == ["f"]


def test_a_new_file_is_written_where_there_are_no_hard_links(tmp_path, monkeypatch):
    def refused(*_args):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    write_new(tmp_path / "f", "new")
    assert (tmp_path / "f").read_text() == "new" and os.listdir(tmp_path) == ["f"]
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "f", "newer")


def test_part_files_that_a_killed_process_left_are_swept_and_those_of_others_stay(tmp_path, file):
    left, fresh, other = new_part(file), new_part(file), new_part(tmp_path / "other")
    for path in (left, fresh, other):
        path.write_text("half")
    long_ago = time.time() - 2 * STALE_SECONDS
    for path in (left, other):
        os.utime(path, (long_ago, long_ago))
    write_file(file, "new")
    assert not left.exists() and fresh.exists() and other.exists()
    sweep(file, alone=True)
    assert not fresh.exists() and other.exists()


def test_a_folder_is_made_with_those_above_it(tmp_path, file):
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    with pytest.raises(FileError, match="cannot write .*f.txt"):
        make_folder(file / "a")


def test_nothing_is_added_to_a_file_that_somebody_else_changed(file):
    mark = mark_of(file)
    assert mark is not None
    after = append(file, " and more", after=mark)
    assert file.read_text() == "old and more" and after == mark_of(file)
    assert append(file, " twice", after=mark) is None
    file.unlink()
    assert after is not None and append(file, "x", after=after) is None and not file.exists()


@given(st.text(st.characters(codec="utf-8")) | st.binary())
@examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_what_is_read(tmp_path, content):
    write_file(tmp_path / "f", content)
    assert (tmp_path / "f").read_bytes() == (content if isinstance(content, bytes) else content.encode())
