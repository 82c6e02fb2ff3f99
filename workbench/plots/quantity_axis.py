"""Round tick values for amounts of a resource, labelled in configuration units: 4, 500m, 16Gi."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.values.quantities import MULTIPLIERS, VCORE, format_quantity

EDGE = 1.004
"""An axis ends this much behind its largest amount; else the outline of the longest bar would be cut off."""
BINARY = {suffix: unit for suffix, unit in MULTIPLIERS.items() if suffix.endswith("i")}


def ticks(largest: int, type_name: str, most: int = 6) -> tuple[list[int], list[str]]:
    """Values from 0 up to `largest`, at most `most` of them, and their texts.

    >>> ticks(16000, "vcore"), ticks(64 * 2**30, "memory", 5)[1]
    (([0, 5000, 10000, 15000], ['0', '5', '10', '15']), ['0', '16Gi', '32Gi', '48Gi', '64Gi'])
    """
    if largest <= 0:
        return [0], ["0"]
    step = next(step for step in _steps(largest, type_name) if largest // step < most)
    values = list(range(0, largest + 1, step))
    return values, [format_quantity(value, type_name) for value in values]


def _steps(largest: int, type_name: str) -> Iterator[int]:
    """Round steps, ascending: powers of two in binary units for memory in such units, else 1, 2, 5 in decimal ones."""
    if type_name != VCORE and largest % 1024 == 0:
        step = max((unit for unit in BINARY.values() if unit <= largest), default=1)
        step = step // 1024 if step > 1024 else 1
        while True:
            yield step
            step *= 2
    unit = 1
    while True:
        for step in (1, 2, 5):
            yield step * unit
        unit *= 10
