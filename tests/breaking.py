"""Whatever is done, broken off in its midst: at the n-th write to the state, or at the n-th line of the package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import workbench
from workbench.scheduler.records.journal import Journal

PACKAGE = str(Path(workbench.__file__).parent)
WRITES = ("set", "set_all", "put", "drop", "insert", "remove_at", "raise_sum", "raise_to", "lower_sum", "raise_path", "lower_path")


class Broken(RuntimeError):
    """What nobody expects."""


@contextmanager
def broken_at_write(monkeypatch: Any, number: int, error: type[BaseException] = Broken) -> Iterator[list[int]]:
    """The n-th write to the state fails, counted from 1. How many there were, as the only item of a list."""
    count = [0]

    def failing(write: Callable[..., Any]) -> Callable[..., Any]:
        def counted(self: Journal, *args: Any, **kwargs: Any) -> Any:
            count[0] += 1
            if count[0] == number:
                raise error("no more writes")
            return write(self, *args, **kwargs)

        return counted

    with monkeypatch.context() as patch:
        for name in WRITES:
            patch.setattr(Journal, name, failing(getattr(Journal, name)))
        yield count


def lines_of(action: Callable[[], Any], within: tuple[str, ...] = ("",)) -> int:
    """How many lines of the package an action comes to, in the modules whose path below it begins like that."""
    return _traced(action, 0, Broken, within)


def broken_at_line(action: Callable[[], Any], number: int, error: type[BaseException], within: tuple[str, ...] = ("",)) -> None:
    """Carry out an action that breaks off at its n-th line, with an error or an interrupt. It may swallow that."""
    try:
        _traced(action, number, error, within)
    except error:
        pass


def _traced(action: Callable[[], Any], number: int, error: type[BaseException], within: tuple[str, ...]) -> int:
    places = tuple(f"{PACKAGE}/{part}" for part in within)
    count = 0

    def look(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(places):
            return None
        if event == "line":
            count += 1
            if count == number:
                sys.settrace(None)
                raise error("broken off")
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        action()
    finally:
        sys.settrace(before)
    return count
