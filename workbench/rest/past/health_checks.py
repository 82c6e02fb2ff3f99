"""The check of what must always hold, every half minute. RE-22"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.rest.past.counters import Counters
from workbench.rest.past.keeper import Keeper, Moment
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import Partition

PERIOD_NS = 30_000_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """What the last check found.

    Attributes:
        errors: containers that were refused.
        reservations: of each partition that has nodes, reservations for each node on average.
    """

    errors: int
    reservations: tuple[float, ...]


class HealthChecks(Keeper):
    """The first check is made at the registration, the next at every multiple of the period."""

    fields = frozenset({"nodes", "reservation_count"})

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self.last: Check | None = None
        self._nodes: dict[Partition, int] = {}
        self._reservations: dict[Partition, int] = {}

    def begun(self, moment: Moment) -> None:
        if moment.command is None:
            self._check()

    def wrote(self, moment: Moment, write: Write) -> None:
        if write.field == "reservation_count":
            self._reservations[write.record] = write.after
        elif isinstance(write.record, Partition):
            self._nodes[write.record] = self._nodes.get(write.record, 0) + (1 if write.kind == "put" else -1)

    def passes(self, moment: Moment, until_ns: int) -> None:
        if moment.now_ns // PERIOD_NS != until_ns // PERIOD_NS:
            self._check()

    def _check(self) -> None:
        self.last = Check(
            self._counters.refused,
            tuple(self._reservations.get(partition, 0) / count for partition, count in self._nodes.items() if count),
        )
