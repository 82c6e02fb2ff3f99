"""What a measure is: a number about a run and a part of it, with what is needed to tell it to people. M-8."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from workbench.measures import units
from workbench.measures.reading import Reading
from workbench.measures.scopes import KINDS, Kind, Scope

Direction = Literal["lower", "higher", "neither"]
Computed: TypeAlias = "Callable[[Reading, Scope], float | None]"
ComputedForEach: TypeAlias = "Callable[[Reading, Scope, str], float | None]"

EVERYWHERE: frozenset[Kind] = frozenset(KINDS)
CLUSTER: frozenset[Kind] = frozenset(("cluster",))
QUEUES: frozenset[Kind] = frozenset(("queue",))
CLUSTER_AND_QUEUES = CLUSTER | QUEUES


@dataclass(frozen=True, slots=True)
class Measure:
    """A number about a run and a part of it.

    Attributes:
        title: what it tells, in plain words; `{of}` stands for the resource or reason in those that come for each of them.
        unit: of its values: `seconds`, `share` (0 to 1), `times`, or what is counted, such as `jobs` or `vcore-hours`. Of a measure
            for each resource, `{hours}` or `{amount}` stand for those of the resource.
        direction: whether `lower` or `higher` is better, or `neither`.
        of: computes it: (reading, scope) -> number, or None where there is nothing to measure. That of a measure for each resource
            or reason gets its name as a third argument.
        scopes: the kinds of scope that it is for.
        each: `resource` or `reason`, if there is one of it for each; then `NAME.resource` is the name of one.
        empty: what None is told as.
        headline: whether it is among those that are shown first.
        name: the name that it is registered under; set by `register_measure`.
    """

    title: str
    unit: str
    direction: Direction
    of: Computed | ComputedForEach
    scopes: frozenset[Kind] = EVERYWHERE
    each: Literal["", "resource", "reason"] = ""
    empty: str = "nothing to measure"
    headline: bool = False
    name: str = ""

    def compute(self, reading: Reading, scope: Scope) -> float | None:
        """Its value for a part of a run."""
        return self.of(reading, scope)  # type: ignore[call-arg]

    def for_each(self, name: str, words: str) -> Measure:
        """The one for one resource or reason; `words` are what `{of}` stands for."""
        whole = self.of

        def of(reading: Reading, scope: Scope) -> float | None:
            return whole(reading, scope, name)  # type: ignore[call-arg]

        unit = self.unit.format(hours=units.hours_of(name), amount=units.amount_of(name)) if "{" in self.unit else self.unit
        return replace(self, name=f"{self.name}.{name}", title=self.title.format(of=words), unit=unit, of=of, each="")

    def show(self, value: float | None) -> str:
        """A value with its unit written out."""
        return self.empty if value is None else units.shown(value, self.unit)

    def show_short(self, value: float | None) -> str:
        """A value with its unit, short, as in a cell of a table."""
        return self.empty if value is None else units.short(value, self.unit)

    def is_better(self, value: float | None, other: float | None) -> bool | None:
        """Whether `value` is better than `other`; None if they are equal, cannot be compared, or neither would be better."""
        if value is None or other is None or value == other or self.direction == "neither":
            return None
        return (value < other) == (self.direction == "lower")
