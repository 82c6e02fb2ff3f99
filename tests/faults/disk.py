"""A disk that fails: one call to the operating system after another, each in every way that a call can fail.

`every_fault` plays an action again and again, as the tests of SQLite do: first its first call fails, then its second, until an
action has come to its end without meeting the fault. A process that is killed makes no further call, so nothing that it would
have cleaned up is cleaned up.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any
from unittest.mock import patch

CALLS = ("open", "write", "fsync", "close", "replace", "link", "unlink", "mkdir", "chmod", "ftruncate")
"""What changes files; reading is not among them."""


class Killed(BaseException):
    """The process has ended at this place."""


@dataclass
class Disk:
    """Within the `with` block the call number `at` fails.

    Attributes:
        at: number of the call that fails, from 0.
        fault: an error number, "killed before" or "killed after" the call, "killed midway" through a write,
            "no space midway" through one, or "interrupted" (Ctrl-C) instead of the call.
        stays: every later call fails as well, as on a disk that is full.
        seen: names of the calls so far.
    """

    at: int
    fault: int | str
    stays: bool = False
    seen: list[str] = field(default_factory=list)
    met: bool = False

    def __enter__(self) -> Disk:
        self._patches = ExitStack()
        for name in CALLS:
            self._patches.enter_context(patch.object(os, name, self._failing(name, getattr(os, name))))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._patches.close()

    def _failing(self, name: str, usual: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            number = len(self.seen)
            self.seen.append(name)
            dead = self.met and str(self.fault).startswith("killed")
            if dead:
                if name == "close":  # the system closes what a dead process had open
                    usual(*args, **kwargs)
                raise Killed
            if number != self.at and not (self.met and self.stays):
                return usual(*args, **kwargs)
            self.met = True
            return self._fail(name, usual, args, kwargs)

        return call

    def _fail(self, name: str, usual: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
        if str(self.fault).endswith("midway") and name == "write":
            handle, data = args
            usual(handle, bytes(data)[: len(data) // 2])
        if name == "close" or self.fault == "killed after":
            usual(*args, **kwargs)
        if str(self.fault).startswith("killed"):
            raise Killed
        if self.fault == "interrupted":
            raise KeyboardInterrupt
        number = self.fault if isinstance(self.fault, int) else errno.ENOSPC
        raise OSError(number, os.strerror(number))


FAULTS: dict[str, tuple[int | str, bool]] = {
    "no space": (errno.ENOSPC, False),
    "no space from then on": (errno.ENOSPC, True),
    "no space midway": ("no space midway", False),
    "I/O error": (errno.EIO, False),
    "I/O errors from then on": (errno.EIO, True),
    "no permission": (errno.EACCES, False),
    "killed before": ("killed before", False),
    "killed after": ("killed after", False),
    "killed midway": ("killed midway", False),
    "Ctrl-C": ("interrupted", False),
}
"""Name -> what `Disk` takes."""


@dataclass(frozen=True)
class Met:
    """What came of a fault.

    Attributes:
        place: which call failed, for the message of a test.
        error: what the action raised, None if nothing.
        killed: the process was ended there.
    """

    place: str
    error: BaseException | None
    killed: bool


def every_fault(fault: str, prepare: Callable[[], Any], action: Callable[[Any], None]) -> Iterator[tuple[Any, Met]]:
    """`action(prepare())` with its first call failing, then its second, and so on; what was prepared, and what came of it.

    Ends after the action that makes fewer calls. `prepare` must make a new situation each time.
    """
    kind, stays = FAULTS[fault]
    for at in range(10_000):
        situation = prepare()
        error: BaseException | None = None
        with Disk(at, kind, stays) as disk:
            try:
                action(situation)
            except (Exception, Killed, KeyboardInterrupt) as raised:
                error = raised
        if not disk.met:
            assert error is None, f"without a fault: {error!r}"
            assert at > 0, "the action makes no call that could fail"
            return
        yield situation, Met(f"{fault} at call {at}, {disk.seen[at]}", error, isinstance(error, Killed))
    raise AssertionError("the action never ends")
