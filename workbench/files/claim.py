"""The claim of one process on a file that others could write as well.

The operating system keeps it and gives it up when the process ends, however it ends, on most network file systems too. Where a
file system knows no locks, a file beside it that names process and machine stands for one. In a browser's tab nobody else is
there to write the file.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock

ENDING = ".lock"
"""What follows the name of a file in that of its lock, which is empty and stays when it is given up: it may be awaited."""
_KNOWS_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


class Claim:
    """A claim on one file, not yet made.

    Attributes:
        path: the file.
        taken: whether the claim is ours.
    """

    def __init__(self, path: Path):
        self.path = path
        self.taken = False
        self._lock: BaseFileLock | None = None
        self._process = os.getpid()

    def take(self) -> bool:
        """Make the claim, without waiting. False if another process, or another claim of this one, has it.

        OSError where nothing can be claimed: no such folder, no permission, no space.
        """
        if self.taken or sys.platform == "emscripten":
            self.taken = True
            return True
        # Here, since most uses of the package write no session.
        from filelock import FileLock, SoftFileLock, Timeout

        if not self.path.parent.is_dir():  # the library would make it
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.path.parent))
        place = f"{self.path}{ENDING}"
        for kind in (FileLock, SoftFileLock):
            lock = kind(place, thread_local=False)
            try:
                lock.acquire(blocking=False)
            except Timeout:
                return False
            except (OSError, NotImplementedError) as error:
                if isinstance(error, OSError) and error.errno not in _KNOWS_NO_LOCKS:
                    raise
                continue
            self._lock, self.taken = lock, True
            return True
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK), place)

    def give_up(self) -> None:
        """Let others have the file. A process that was split off from this one has nothing to give up."""
        lock, self._lock = self._lock, None
        if self.taken and lock is not None and self._process == os.getpid():
            lock.release()
        self.taken = False


def is_claimed(path: Path) -> bool:
    """Whether somebody has a claim on the file, this process included."""
    if not Path(f"{path}{ENDING}").exists():
        return False
    claim = Claim(path)
    try:
        if not claim.take():
            return True
    except OSError:
        return False
    claim.give_up()
    return False
