"""Files and texts as every reader takes them: at most so large, in UTF-8, or in UTF-16 with a byte order mark.

Whatever cannot be read ends in one sentence about the file, as an error of the caller's kind.
"""

from __future__ import annotations

import codecs
import gzip
import os
import stat
import zlib
from pathlib import Path

from workbench.values.errors import ConfigError, FileError, PlacedError

MOST_BYTES = 2**28
"""The largest file, unpacked, and the longest text that any reader takes: 256 MiB. No real one comes near."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_GZIP = b"\x1f\x8b"


def read_text(path: str | os.PathLike[str], *, error: type[PlacedError] = ConfigError, packed: bool = False) -> str:
    """The text in a file, without a byte order mark; `packed` unpacks it first.

    Raises:
        PlacedError: of the kind `error`, with the file and, for wrong bytes, the line: it cannot be read, is larger than
            MOST_BYTES, or is no text.
    """
    return decoded(read_bytes(path, error=error, packed=packed), source=str(path), error=error)


def read_bytes(path: str | os.PathLike[str], *, error: type[PlacedError] = ConfigError, packed: bool = False) -> bytes:
    """The bytes in a file. Raises as `read_text`."""
    source = str(path)
    try:
        with gzip.open(path, "rb") if packed else open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise error(f"not a readable gzip file: {fault}", source=source) from None
    except (OSError, ValueError) as fault:  # ValueError: a name with a NUL character or half a surrogate pair
        raise error(f"cannot be read: {reason(fault)}", source=source) from None
    if len(data) > MOST_BYTES:
        raise error(f"larger than {MOST_BYTES} bytes", source=source, hint="is it the right file?")
    return data


def decoded(data: bytes, *, source: str | None = None, error: type[PlacedError] = ConfigError) -> str:
    """The text that the bytes stand for, without a byte order mark. Raises `error` with the line of the first wrong byte."""
    encoding = "utf-16" if data.startswith(_UTF_16) else "utf-8"
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        hint = "it is a gzip file: unpack it, or end its name in .gz" if data.startswith(_GZIP) else "save the file as UTF-8"
        text = f"not {encoding.upper()} text: byte 0x{data[fault.start]:02x}"
        raise error(text, line=line, source=source, hint=hint) from None


def refuse_large(data: bytes, *, source: str | os.PathLike[str]) -> None:
    """What is to be read back is no larger than what is read. Raises FileError, before anything is written."""
    if len(data) > MOST_BYTES:
        raise FileError(str(source), f"it would be larger than the {MOST_BYTES} bytes that are read back")


def refuse_long(text: str, *, source: str | None = None, error: type[PlacedError] = ConfigError) -> None:
    """A text that is handed over as such is no longer than one in a file. Raises `error`."""
    if len(text) > MOST_BYTES:
        raise error(f"longer than {MOST_BYTES} characters", source=source)


def is_folder(path: str | os.PathLike[str], *, error: type[PlacedError] = ConfigError) -> bool | None:
    """Whether there is a folder at the path; None if there is nothing. Raises `error` if that cannot be found out."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as fault:
        raise error(f"cannot be read: {reason(fault)}", source=str(path)) from None


def entries(folder: str | os.PathLike[str], *, error: type[PlacedError] = ConfigError) -> list[Path]:
    """What is in a folder, by name. Raises `error` if it cannot be read."""
    try:
        return sorted(Path(folder).iterdir())
    except (OSError, ValueError) as fault:
        raise error(f"cannot be read: {reason(fault)}", source=str(folder)) from None


def reason(fault: Exception) -> str:
    """Why the system refuses, in its words, without the path that the message names anyway."""
    return getattr(fault, "strerror", None) or str(fault)
