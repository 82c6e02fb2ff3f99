"""A claim is one process's, ends with it, and says what it cannot do."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import filelock
import pytest

from workbench.files.claim import Claim, is_claimed


def test_a_file_is_claimed_once_until_the_claim_is_given_up(tmp_path):
    one, two = Claim(tmp_path / "f"), Claim(tmp_path / "f")
    assert not is_claimed(tmp_path / "f")
    assert one.take() and one.take() and not two.take()
    assert is_claimed(tmp_path / "f") and not (tmp_path / "f").exists()
    one.give_up()
    one.give_up()
    assert not is_claimed(tmp_path / "f") and two.take()
    two.give_up()


def test_other_files_can_be_claimed(tmp_path):
    one, two = Claim(tmp_path / "f"), Claim(tmp_path / "g")
    assert one.take() and two.take()
    one.give_up()
    two.give_up()


def test_nothing_is_made_for_a_claim_in_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        Claim(tmp_path / "nowhere" / "f").take()
    assert not is_claimed(tmp_path / "nowhere" / "f") and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP])
def test_where_a_file_system_knows_no_locks_a_file_stands_for_one(tmp_path, monkeypatch, number):
    def unknown(*_args: object, **_kwargs: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(filelock.FileLock, "acquire", unknown)
    one, two = Claim(tmp_path / "f"), Claim(tmp_path / "f")
    assert one.take() and not two.take()
    assert str(os.getpid()) in (tmp_path / "f.lock").read_text()
    one.give_up()
    assert two.take()
    two.give_up()


def test_a_process_that_was_split_off_gives_nothing_up(tmp_path, monkeypatch):
    one = Claim(tmp_path / "f")
    assert one.take()
    lock = one._lock
    with monkeypatch.context() as child:
        child.setattr(os, "getpid", lambda: -1)
        one.give_up()
    assert is_claimed(tmp_path / "f") and lock is not None
    lock.release()


def test_in_a_browser_every_file_is_ours(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert Claim(tmp_path / "f").take() and list(tmp_path.iterdir()) == []
