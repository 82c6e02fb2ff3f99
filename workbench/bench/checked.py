"""Checks of the present design, as text for a notebook, and when they were made."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice import Check, check_texts
from workbench.bench import texts
from workbench.config.model import SchedulerConfig

LINE_WIDTH = 112
"""Columns of text that fit beside the file list on a screen of 1366 pixels."""


class Checks(tuple[Check, ...]):
    """Checks that show themselves in a notebook as lines of text, wrapped between words (JupyterLab would do it within them)."""

    __slots__ = ()

    def __repr__(self) -> str:
        lines = [line for each in self for line in _lines(each)]
        return "\n".join(lines or _wrapped(texts.NO_CHECKS, ""))


@dataclass(frozen=True, slots=True)
class Checked:
    """Checks, of which design and inputs, when, and how long they took."""

    checks: Checks
    config: SchedulerConfig
    inputs: int
    instant: tuple[int, int]
    seconds: float

    @property
    def step(self) -> int:
        return self.instant[0]


def _lines(check: Check) -> Iterator[str]:
    yield from _wrapped(str(check), "  ")
    for remedy in check.remedies:
        yield from _wrapped(remedy_line(remedy.description), "      ")


def _wrapped(line: str, indent: str) -> list[str]:
    return textwrap.wrap(line, LINE_WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


# ---- in words ---------------------------------------------------------------------------------------------------------


def remedy_line(text: str) -> str:
    return f"    {check_texts.REMEDY}: {text}"
