"""What a command prints, made fit for any terminal and any file.

Names come from users and clusters and may hold anything: sequences that colour, retitle or rewrite a terminal, or characters
that turn the direction of text. Whatever a command prints passes through a stream that makes them visible, so no command has to
think of it. What an encoding cannot hold is written in another way. An output that is lost ends the command.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from workbench.explain.wording import INVISIBLE, ISOLATE, POP_ISOLATE, visible_character

KEPT = "\n\t"
"""The control characters that text may hold."""

PLAIN = {
    "→": "->",
    "←": "<-",
    "↑": "^",
    "↓": "v",
    "↳": ">",
    "…": "...",
    "–": "-",
    "×": "x",
    "✕": "x",
    "÷": "/",
    ISOLATE: "",
    POP_ISOLATE: "",
}
"""Our own signs for encodings that do not have them. What else is missing is shown by its number."""

ERRORS = "workbench.plain"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class OutputLost(Exception):
    """Nothing more can be written: the disk is full, or the output is closed. `str` says why."""


def printable(text: str, kept: str = KEPT) -> str:
    r"""The text with every character visible that a terminal would obey instead of show.

    What `wording.name` puts round a name with right-to-left letters stays, where there are two of each.

    >>> print(printable("\x1b[31mred"))
    \x1b[31mred
    """
    if text.isascii() and kept == KEPT:
        return _CONTROL.sub(lambda found: visible_character(found[0]), text)
    if text.count(ISOLATE) == text.count(POP_ISOLATE):
        kept += ISOLATE + POP_ISOLATE
    return "".join(
        visible_character(each) if each not in kept and unicodedata.category(each) in INVISIBLE else each for each in text
    )


def one_line(text: str) -> str:
    r"""The same on one line.

    >>> print(one_line("a\nb"))
    a\nb
    """
    return printable(text, kept="")


class PrintableStream(io.TextIOBase):
    """A stream that makes visible what it writes to the one beneath.

    Raises:
        OutputLost: the stream beneath cannot be written to.
        BrokenPipeError: nobody reads it any more.
    """

    def __init__(self, beneath: TextIO):
        self.beneath = beneath
        self._unread: BrokenPipeError | None = None

    def write(self, text: str) -> int:
        self.write_as_is(printable(text))
        return len(text)

    def write_as_is(self, text: str) -> None:
        """Write control characters, too: for those that the workbench itself means."""
        try:
            with _lost():
                self.beneath.write(text)
        except BrokenPipeError as error:
            self._unread = error
            raise

    def flush(self) -> None:
        if self._unread is not None:  # argparse passes over it
            raise self._unread
        with _lost():
            self.beneath.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self.beneath.isatty()

    def fileno(self) -> int:
        return self.beneath.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.beneath.encoding

    def silence(self) -> None:
        """Let what is still to be written go nowhere. Python would complain once more when it closes the stream."""
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.beneath.fileno())
            os.close(nowhere)


@contextmanager
def printable_streams() -> Iterator[tuple[PrintableStream, PrintableStream]]:
    """Within it `sys.stdout` and `sys.stderr` print what is fit to be printed.

    Raises:
        OutputLost: standard output is closed.
    """
    before = sys.stdout, sys.stderr
    if before[1] is None:
        # `print` to no stream at all would print to standard output, and the next file would be opened in its place.
        sys.stderr = io.TextIOWrapper(io.FileIO(os.open(os.devnull, os.O_WRONLY), "w"), encoding="utf-8")
    error = PrintableStream(sys.stderr)
    restoring = contextlib.ExitStack()
    try:
        restoring.enter_context(_encodable(sys.stderr))
        sys.stderr = error
        if before[0] is None:
            raise OutputLost("it is closed")
        restoring.enter_context(_encodable(before[0]))
        output = PrintableStream(before[0])
        sys.stdout = output
        yield output, error
    finally:
        sys.stdout, sys.stderr = before
        with contextlib.suppress(OSError, ValueError):
            restoring.close()


@contextmanager
def _encodable(stream: TextIO) -> Iterator[None]:
    """Within it the stream replaces what its encoding does not have; an encoding that cannot hold a sentence gives way to ASCII."""
    if not isinstance(stream, io.TextIOWrapper):
        yield
        return
    before = stream.encoding, stream.errors
    try:
        "a → b\n".encode(stream.encoding, ERRORS)
        stream.reconfigure(errors=ERRORS)
    except (UnicodeError, LookupError):
        stream.reconfigure(encoding="ascii", errors=ERRORS)
    try:
        yield
    finally:
        stream.reconfigure(encoding=before[0], errors=before[1])


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    written = (PLAIN.get(each, each.encode("ascii", "backslashreplace").decode("ascii")) for each in missing)
    return "".join(written), error.end


codecs.register_error(ERRORS, _plain)


@contextmanager
def _lost() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(error.strerror or str(error)) from error
    except ValueError as error:  # closed within Python, or an encoding that fails in the middle
        raise OutputLost(str(error)) from error
