"""One recorded fact, and what comparing it with what came out can say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

Fact = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A fact that nothing here can answer, and why."""

    reason: str


Finding = Union[str, Unchecked, None]
"""What a checker says of one fact: None if it holds, else what was expected and what came out, or that it is unchecked."""


def difference(what: str, expected: Any, got: Any) -> str | None:
    """None if equal, else a sentence."""
    return None if _same(expected, got) else f"{what}: expected {expected}, got {got}"


def _same(expected: Any, got: Any) -> bool:
    """Equal in value and kind; an integer stands for the float of its value, and the order of keys carries nothing."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(_same(expected[key], got[key]) for key in expected)
    if isinstance(expected, list) and isinstance(got, (list, tuple)):
        return len(expected) == len(got) and all(map(_same, expected, got))
    # True == 1 in Python; a fact that says 1 is not met by True.
    return expected == got and isinstance(expected, bool) == isinstance(got, bool)
