"""Instants of a run as people write them."""

from __future__ import annotations

from workbench.values.durations import parse_duration
from workbench.values.errors import CommandError
from workbench.values.found import found
from workbench.workloads.model import LAST_MS
from workbench.workloads.spans import parse_span


def moment_ns(given: str | float) -> int:
    """The instant in nanoseconds that a span of time or a number of seconds after the workload's zero means.

    Raises:
        CommandError: it is none, or not within a hundred years.

    >>> moment_ns("2d12h") == moment_ns("60h") == moment_ns(216_000), moment_ns("1us")
    (True, 1000)
    """
    try:
        ns = _of_text(given) if isinstance(given, str) else round(float(given) * 1e9)
    except (ValueError, TypeError, OverflowError):
        raise CommandError(f"a moment is a span of time such as 2h30m or 2d, or a number of seconds, not {found(given)}") from None
    if not 0 <= ns <= LAST_MS * 1_000_000:
        raise CommandError(f"a moment lies within a hundred years from the start, not at {found(given)}")
    return ns


def _of_text(text: str) -> int:
    try:
        return parse_duration(text)  # to the nanosecond, but it has no days
    except ValueError:
        return parse_span(text) * 1_000_000
