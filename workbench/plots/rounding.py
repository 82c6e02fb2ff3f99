"""The data of a picture with as many figures as can be seen, so that a page or a notebook that holds it is small."""

from __future__ import annotations

from typing import Any

DIGITS = 5
"""Figures that count of each number; a picture shows fewer."""


def rounded(value: Any) -> Any:
    """Plain data with `DIGITS` figures that count in each number that has a fraction.

    >>> rounded({"x": [1234567, 0.12345678, "a", None]})
    {'x': [1234567, 0.12346, 'a', None]}
    """
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return {key: rounded(each) for key, each in value.items()} if isinstance(value, dict) else value
