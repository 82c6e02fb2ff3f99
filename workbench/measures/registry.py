"""The measures that there are, by name, and own ones beside them. M-8.

def long_waits(reading, scope):
    return sum(wait > 3600 for wait in wb.measures.wait.waits_of(reading, scope))

wb.measures.register_measure("wait.over_an_hour", wb.measures.Measure("waits over an hour", "requests", "lower", long_waits))
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from workbench.files.rows import Rows
from workbench.measures.measure import Measure
from workbench.measures.reading import Reading
from workbench.measures.scopes import KINDS
from workbench.measures.words import reason_words, resource_words
from workbench.runs.reasons import TITLES
from workbench.values.errors import CommandError
from workbench.values.registry import Registry

MEASURES: Registry[Measure] = Registry("measure")

SHORT_RESOURCES = {"cpu": "vcore"}
"""What people write for a resource -> what it is called here."""


def register_measure(name: str, measure: Measure) -> Measure:
    """Add a measure under a new name; it is then in every table, comparison, sweep and expectation.

    Raises:
        CommandError: the name is empty or taken.
    """
    return MEASURES.register(name, replace(measure, name=name))


def measure_named(name: str) -> Measure:
    """The measure of that name; those for each resource or reason with it, as in `utilization.vcore`.

    Raises:
        CommandError: there is none.
    """
    if name in MEASURES and not MEASURES[name].each:
        return MEASURES[name]
    # The longest name that fits in front: a resource may have dots of its own.
    for whole in sorted((each for each in MEASURES.values() if each.each), key=lambda each: -len(each.name)):
        if name.startswith(f"{whole.name}.") and len(name) > len(whole.name) + 1:
            rest = name[len(whole.name) + 1 :]
            if whole.each == "resource":
                rest = SHORT_RESOURCES.get(rest, rest)
                return whole.for_each(rest, resource_words(rest))
            spaced = rest.replace("_", " ")
            rest = spaced if spaced in TITLES else rest
            return whole.for_each(rest, reason_words(rest))
    raise CommandError(f"there is no measure {name!r}; {_near(name)}")


class MeasureWords(NamedTuple):
    """One measure in words; `R` and `REASON` in a name stand for a resource and a reason, `{of}` in a title for its name."""

    measure: str
    title: str
    unit: str
    better: str
    scopes: str


def catalogue() -> Rows[MeasureWords]:
    """Every measure that there is: what it tells, in which unit, which way is better, and of what it is taken."""
    letters = {"resource": ".R", "reason": ".REASON", "": ""}
    return Rows(
        MeasureWords._fields,
        (
            MeasureWords(
                f"{each.name}{letters[each.each]}",
                each.title,
                each.unit.format(hours="R-hours", amount="R"),
                each.direction,
                ", ".join(kind for kind in KINDS if kind in each.scopes),
            )
            for each in MEASURES.values()
        ),
    )


def measures_of(reading: Reading) -> Iterator[Measure]:
    """Every measure that has something to tell about a run, in the order in which they were registered."""
    for measure in MEASURES.values():
        if measure.each == "resource":
            for resource in reading.resources:
                yield measure.for_each(resource, resource_words(resource))
        elif measure.each == "reason":
            for reason in reading.reasons:
                yield measure.for_each(reason, reason_words(reason))
        else:
            yield measure


def _near(name: str) -> str:
    names = [f"{each.name}.{each.each.upper()}" if each.each else each.name for each in MEASURES.values()]
    near = difflib.get_close_matches(name, names, 3, 0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
