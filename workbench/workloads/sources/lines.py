"""The lines of long files, one at a time: packed or not, in any encoding that is named, with a word on how far it has come."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterator
from typing import IO, TypeAlias, cast

from workbench.files.reading import reason
from workbench.values.errors import WorkloadError
from workbench.values.found import shown

Progress: TypeAlias = Callable[[float, str], None]
"""Told now and then how much of the work is done, from 0 to 1, and a few words about it."""

MOST_LINE = 2**20
"""Characters of one line."""
HEAD_BYTES = 2**16
"""So much of a file is looked at to recognise what it is."""
TOLD_EVERY = 20_000
"""Lines between two words on the progress."""

_GZIP = b"\x1f\x8b"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ENDS = (EOFError, zlib.error, gzip.BadGzipFile)


def head(path: str | os.PathLike[str]) -> bytes:
    """The first bytes of a file, unpacked; as many as there are up to HEAD_BYTES. WorkloadError if it cannot be read."""
    try:
        with _opened(path) as (stream, _):
            return stream.read(HEAD_BYTES)
    except _ENDS:
        return b""
    except (OSError, ValueError) as fault:
        raise _unreadable(path, fault) from None


def is_packed(path: str | os.PathLike[str]) -> bool:
    """Whether a file is packed with gzip, whatever its name. WorkloadError if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(2) == _GZIP
    except (OSError, ValueError) as fault:
        raise _unreadable(path, fault) from None


def lines(
    path: str | os.PathLike[str], *, encoding: str | None = None, progress: Progress | None = None
) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers from 1, each with its end, which may be `\\n`, `\\r\\n` or `\\r`.

    A file that is packed with gzip is unpacked, whatever its name. Without `encoding` it is UTF-8, or UTF-16 with a byte order
    mark. Never more than a line is held in memory.

    Raises:
        WorkloadError: with the line: the file cannot be read, is cut off, is no text in this encoding, or a line is too long.
    """
    number = 0
    try:
        with _opened(path) as (stream, done):
            first = stream.peek(2)[:2] if isinstance(stream, (io.BufferedReader, gzip.GzipFile)) else b""
            chosen = encoding or ("utf-16" if first.startswith(_UTF_16) else "utf-8-sig")
            text = io.TextIOWrapper(cast(IO[bytes], stream), encoding=chosen, newline="")
            while line := text.readline(MOST_LINE + 1):
                number += 1
                if len(line) > MOST_LINE:
                    raise WorkloadError(f"longer than {MOST_LINE} characters", line=number, source=str(path))
                if progress is not None and number % TOLD_EVERY == 0:
                    progress(done(), f"{number:,} lines of {os.path.basename(path)}")
                yield number, line
    except UnicodeError as fault:
        raise _no_text(path, chosen, fault) from None
    except LookupError:
        raise WorkloadError(f"there is no encoding {shown(str(encoding))}", hint="such as utf-8, latin-1 or cp1252") from None
    except _ENDS as fault:
        raise WorkloadError(
            f"the packed file ends in the midst, or is damaged: {fault}",
            line=number or None,
            source=str(path),
            hint="what stands before that can be read with rows left out",
        ) from None
    except (OSError, ValueError) as fault:
        raise _unreadable(path, fault) from None


class _opened:
    """A file as bytes, unpacked, and a function that says how much of it was read, from 0 to 1."""

    def __init__(self, path: str | os.PathLike[str]):
        self._path = path

    def __enter__(self) -> tuple[io.BufferedReader | gzip.GzipFile, Callable[[], float]]:
        self._raw = open(self._path, "rb")
        size = os.fstat(self._raw.fileno()).st_size
        packed = self._raw.peek(2)[:2] == _GZIP
        self._stream = gzip.GzipFile(fileobj=self._raw) if packed else self._raw
        return self._stream, lambda: self._raw.tell() / size if size else 0.0

    def __exit__(self, *error: object) -> None:
        self._raw.close()


def _unreadable(path: str | os.PathLike[str], fault: Exception) -> WorkloadError:
    return WorkloadError(f"cannot be read: {reason(fault)}", source=str(path))


def _no_text(path: str | os.PathLike[str], encoding: str, fault: UnicodeError) -> WorkloadError:
    """The error that names the line of the first wrong byte: it is looked for again, since the decoder reads ahead."""
    name = encoding.removesuffix("-sig").upper()
    said, number = f"not {name} text", 1
    decoder = codecs.getincrementaldecoder(encoding)()
    with _opened(path) as (stream, _):
        while True:
            chunk = stream.read(HEAD_BYTES)
            try:
                number += decoder.decode(chunk, final=not chunk).count("\n")
            except UnicodeDecodeError as wrong:
                number += wrong.object.count(b"\n", 0, wrong.start)
                said += f": byte 0x{wrong.object[wrong.start]:02x}"
                break
            except UnicodeError:
                break
            if not chunk:
                break
    return WorkloadError(
        said, line=number, source=str(path), hint="save it as UTF-8, or name its encoding, such as latin-1 or cp1252"
    )
