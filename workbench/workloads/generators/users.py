"""Who submits: users of whom a few submit most jobs, by Zipf's law, each in one group."""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

from workbench.workloads.generators.portable import power

MOST_USERS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Users:
    """`count` users; the one at rank k submits in proportion to 1 / k to the power of `zipf`; 0 for all alike.

    Attributes:
        count: how many there are, from 1.
        zipf: the exponent, from 0 to 10.
        prefix: their names are this with a number behind it, `user-01` for the one who submits most.
        names: their names instead, by rank; `count` is then their number.
        groups: names of groups; users take turns in them, so that each group has some of the busy ones.
    """

    count: int = 1
    zipf: float = 1.0
    prefix: str = "user-"
    names: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "groups", tuple(self.groups))
        if self.names:
            object.__setattr__(self, "count", len(self.names))
        if not 1 <= self.count <= MOST_USERS:
            raise ValueError(f"the number of users is from 1 to {MOST_USERS:,}, found {self.count}")
        if not 0 <= self.zipf <= 10:
            raise ValueError(f"the exponent zipf is from 0 to 10, found {self.zipf:g}")

    def name(self, rank: int) -> str:
        """The name of the user at a rank, from 0."""
        return self.names[rank] if self.names else f"{self.prefix}{rank + 1:0{len(str(self.count))}d}"

    def groups_of(self, rank: int) -> tuple[str, ...]:
        """The groups of the user at a rank, from 0."""
        return (self.groups[rank % len(self.groups)],) if self.groups else ()

    def weights(self) -> tuple[float, ...]:
        """Share of the jobs by rank; the shares sum to 1."""
        raw = [power(float(rank), -self.zipf) for rank in range(1, self.count + 1)]
        total = math.fsum(raw)
        return tuple(weight / total for weight in raw)

    def chooser(self) -> Callable[[random.Random], int]:
        """A function that draws a rank, for one number of the source."""
        steps = list(accumulate(self.weights()))
        last = self.count - 1
        return lambda source: min(bisect_right(steps, source.random()), last)
