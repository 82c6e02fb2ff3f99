"""How large tasks are: one of some sizes, each with its weight, each of its amounts fixed or drawn."""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from workbench.values.quantities import MAX_INT64
from workbench.values.resources import Resource
from workbench.workloads.generators.distributions import Constant, Distribution


@dataclass(frozen=True, slots=True)
class Size:
    """Amounts by resource type, in base units (millicores, bytes, pieces): numbers are drawn, rounded and at least 1.

    A constant amount of 0 is left out. `weight` is how often it occurs beside the other sizes of a class.
    """

    amounts: Mapping[str, Distribution]
    weight: float = 1.0

    def __post_init__(self) -> None:
        kept = {name: self.amounts[name] for name in sorted(self.amounts) if self.amounts[name] != Constant(0.0)}
        object.__setattr__(self, "amounts", _Amounts(kept))
        if not kept:
            raise ValueError('a size needs at least one amount above 0, such as {vcore: "1", memory: 2Gi}')
        if not 0 < self.weight < math.inf:
            raise ValueError(f"the weight of a size must be above 0, found {self.weight:g}")

    def resource(self, source: random.Random) -> Resource:
        """One draw: one number of the source for each amount that is not constant."""
        return Resource({name: _whole(_value(distribution, source)) for name, distribution in self.amounts.items()})

    def means(self) -> dict[str, float]:
        """The mean amount by type."""
        return {name: distribution.mean() for name, distribution in self.amounts.items()}

    @property
    def fixed(self) -> Resource | None:
        """The amounts if all of them are constant."""
        if not all(isinstance(distribution, Constant) for distribution in self.amounts.values()):
            return None
        return Resource({name: _whole(distribution.mean()) for name, distribution in self.amounts.items()})


class _Amounts(dict[str, Distribution]):
    """Nobody writes to it once it is made; hashable, as the record around it is."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def fixed_size(resource: Resource, weight: float = 1.0) -> Size:
    """The size with exactly these amounts."""
    return Size({name: Constant(float(amount)) for name, amount in resource.items()}, weight)


def chooser(sizes: Sequence[Size]) -> Callable[[random.Random], Resource]:
    """A function that draws a size by weight and then its amounts."""
    total = math.fsum(size.weight for size in sizes)
    steps = [each / total for each in accumulate(size.weight for size in sizes)]
    fixed = [size.fixed for size in sizes]
    last = len(sizes) - 1

    def choose(source: random.Random) -> Resource:
        place = min(bisect_right(steps, source.random()), last)
        return fixed[place] or sizes[place].resource(source)

    return choose


def mean_size(sizes: Sequence[Size]) -> dict[str, float]:
    """The mean amount by type over all sizes, by weight."""
    total = math.fsum(size.weight for size in sizes)
    types = sorted({name for size in sizes for name in size.amounts})
    return {
        name: math.fsum(size.amounts[name].mean() * size.weight for size in sizes if name in size.amounts) / total for name in types
    }


def _value(distribution: Distribution, source: random.Random) -> float:
    return distribution.value if isinstance(distribution, Constant) else distribution.sample(source)


def _whole(value: float) -> int:
    return max(round(value), 1) if value < MAX_INT64 else MAX_INT64
