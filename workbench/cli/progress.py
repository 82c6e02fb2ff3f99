"""How far a long run has come, on one line of the terminal that is written over and cleared at the end."""

from __future__ import annotations

from types import TracebackType
from typing import TextIO

from workbench.cli.output import PrintableStream, one_line

WIDTH = 30


class Progress:
    """A line on `stream` while the `with` block runs; nothing at all unless `shown`."""

    def __init__(self, stream: TextIO, *, shown: bool):
        self._stream, self._shown = stream, shown
        self._length = 0

    def __enter__(self) -> Progress:
        return self

    def show(self, fraction: float, text: str) -> None:
        """Draw the bar at `fraction`, kept between 0 and 1, with `text` behind it."""
        fraction = min(max(fraction, 0.0), 1.0)
        filled = int(fraction * WIDTH)
        self._write(f"[{'#' * filled}{'.' * (WIDTH - filled)}] {fraction:4.0%}  {text}")

    def clear(self) -> None:
        """Take the line away, for something else to be printed."""
        self._write("")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._write("")

    def _write(self, line: str) -> None:
        if not self._shown or line == "" and not self._length:
            return
        ending = "" if line else "\r"
        written = f"\r{one_line(line).ljust(self._length)}{ending}"
        # The stream would make the carriage return visible; it is ours.
        put = self._stream.write_as_is if isinstance(self._stream, PrintableStream) else self._stream.write
        put(written)
        self._stream.flush()
        self._length = len(line)
