"""Writing a file: all of it or nothing.

What is written goes into a part file beside the target, from there to the disk, and only then into the target's place, which is
one step of the file system. So whatever fails or ends the process, the file holds either what it held before or all of what is
new. No other module opens a file for writing.

Kept is what a file has beside its content: an existing file its mode and its owner, a new one gets the mode that the umask
leaves; a symbolic link stays and what it leads to is replaced; a read-only file is refused, although its folder would allow it
to be replaced. Hard links are not kept: the other names go on with the old content. What is no file, such as a pipe or
/dev/null, has nothing to lose and is written to directly.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from workbench.files.parts import new_part, sweep
from workbench.values.errors import FileError

Mark: TypeAlias = tuple[int, int, int]
"""What tells one state of a file from another without reading it: device, inode, size in bytes."""

NEW_MODE = 0o666
"""Mode of a new file, less what the umask takes away."""
PRIVATE_MODE = 0o600
"""Mode of a part file that is to replace a file: nobody may read in it what they may not read in the file."""
_FLAGS = getattr(os, "O_BINARY", 0)
_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}
"""File systems that have no such call keep what they keep."""
_CANNOT_LINK = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}


def write_file(path: str | os.PathLike[str], content: str | bytes, *, check: Callable[[bytes], None] | None = None) -> None:
    """Make `content` the content of a file; text as UTF-8.

    Args:
        path: an existing file is replaced in one step.
        content: all of it.
        check: called with what was read back from the disk, before the file is replaced; what it raises leaves the file as it was.

    Raises:
        FileError: it cannot be written; what was in the file before still is.
    """
    data = encoded(path, content)
    with _told(path):
        found = _stat(path)
        if found is not None and not stat.S_ISREG(found.st_mode):
            _write_through(path, data)
            return
        target = Path(os.path.realpath(path))
        if found is not None:
            _respect(target, found)
        sweep(target)
        with _part_of(target, data, found) as part:
            if check is not None:
                check(part.read_bytes())
            os.replace(part, target)
    with _told(path, "it was written, but the disk did not confirm it: "):
        sync_folder(target.parent)


def write_new(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Make a file that is not there yet. What appears under its name is whole from the first moment.

    Raises:
        FileExistsError: something has that name, be it a link that leads nowhere; it is left alone.
        FileError: it cannot be written; nothing is there.
    """
    data = encoded(path, content)
    target = Path(path)
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    with _told(path):
        sweep(target)
        with _part_of(target, data, None) as part:
            _move_to_new(part, target)
    with _told(path, "it was written, but the disk did not confirm it: "):
        sync_folder(target.parent)


def append(path: str | os.PathLike[str], content: str | bytes, *, after: Mark) -> Mark | None:
    """Add to the end of a file, if it is still in the state `after`; its new state, or None where it is not.

    Unlike the other ways to write, what fails or is killed may leave a beginning of `content`: whoever reads the file must be able
    to tell. FileError when it cannot be written.
    """
    data = encoded(path, content)
    with _told(path):
        try:
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | _FLAGS)
        except FileNotFoundError:
            return None
        with _closing(handle):
            if _mark(os.fstat(handle)) != after:
                return None
            _write_all(handle, data)
            os.fsync(handle)
            return _mark(os.fstat(handle))


def mark_of(path: str | os.PathLike[str]) -> Mark | None:
    """The state of a file, None where there is none."""
    found = _stat(path)
    return None if found is None else _mark(found)


def make_folder(folder: Path) -> None:
    """Make a folder with all that are above it, unless it is there, and have the disk keep it. FileError if it cannot be made."""
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        if folder.parent == folder:
            break
        folder = folder.parent
    for each in reversed(missing):
        with _told(each):
            with suppress(FileExistsError):
                os.mkdir(each)
            if not each.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(each))
            sync_folder(each.parent)


def move(source: Path, target: Path) -> None:
    """Give a file another name in its folder; what had that name is gone. FileError if that cannot be done."""
    with _told(target):
        os.replace(source, target)
        sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Have the disk keep which files are in the folder. OSError if it does not."""
    if os.name == "nt":  # folders cannot be opened there, and renaming is kept by the file system
        return
    try:
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except PermissionError:  # a folder that may be written to but not listed
        return
    with _closing(handle):
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in _CANNOT_SYNC:
                raise


def encoded(path: str | os.PathLike[str], content: str | bytes) -> bytes:
    """The content as bytes. FileError for text that no file can hold: half of a surrogate pair."""
    if isinstance(content, bytes):
        return content
    try:
        return content.encode("utf-8")
    except UnicodeEncodeError as error:
        half = content[error.start]
        raise FileError(
            os.fspath(path), f"{half!a}, character {error.start + 1}, is half of one and has no form in UTF-8"
        ) from None


@contextmanager
def _part_of(target: Path, data: bytes, found: os.stat_result | None) -> Iterator[Path]:
    """A part file with the data in it, on the disk; what is left of it afterwards goes."""
    part = new_part(target)
    try:
        mode = NEW_MODE if found is None else PRIVATE_MODE
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, mode)
        with _closing(handle):
            _write_all(handle, data)
            if found is not None:
                _take_after(handle, part, found)
            os.fsync(handle)
        yield part
    finally:
        # Not removed is not lost: the next one who writes there sweeps.
        with suppress(OSError):
            os.unlink(part)


@contextmanager
def _closing(handle: int) -> Iterator[None]:
    """Closes the handle; on a network's file system it is the closing that says that there was no space."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.close(handle)
        raise
    os.close(handle)


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _write_through(path: str | os.PathLike[str], data: bytes) -> None:
    with _closing(handle := os.open(path, os.O_WRONLY | _FLAGS)):
        _write_all(handle, data)


def _take_after(handle: int, part: Path, found: os.stat_result) -> None:
    """Give the part file the owner, as far as that is allowed, and the mode of the file that it replaces."""
    if hasattr(os, "fchown"):
        own = os.fstat(handle)
        if (own.st_uid, own.st_gid) != (found.st_uid, found.st_gid):
            with suppress(PermissionError):
                os.fchown(handle, found.st_uid, found.st_gid)
    os.chmod(part, stat.S_IMODE(found.st_mode))


def _move_to_new(part: Path, target: Path) -> None:
    """Give the part file its name unless something has it."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except (OSError, AttributeError) as error:
        if isinstance(error, OSError) and error.errno not in _CANNOT_LINK:
            raise
        # A file system without hard links. Between the look and the move somebody else may be quicker; it is all there is.
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        os.replace(part, target)


def _respect(target: Path, found: os.stat_result) -> None:
    """PermissionError for a read-only file; who may do everything is held to it as well."""
    if not found.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only; allow writing to it, or choose another name")


def _stat(path: str | os.PathLike[str]) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _mark(found: os.stat_result) -> Mark:
    return found.st_dev, found.st_ino, found.st_size


@contextmanager
def _told(path: str | os.PathLike[str], lead: str = "") -> Iterator[None]:
    """Within it an error of the operating system is a FileError."""
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        raise FileError(os.fspath(path), f"{lead}{error.strerror or error}") from error
    except ValueError as error:  # a name with a null byte
        raise FileError(os.fspath(path), f"{lead}{error}") from error
