"""Which placeholder held the place that a real allocation took."""

from __future__ import annotations

from workbench.rest.past.keeper import Keeper, Moment
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import Allocation


class Replaced(Keeper):
    """Real allocation -> placeholder."""

    fields = frozenset({"replacement"})

    def __init__(self) -> None:
        self._placeholders: dict[Allocation, Allocation] = {}

    def of(self, held: Allocation) -> Allocation | None:
        return self._placeholders.get(held)

    def wrote(self, moment: Moment, write: Write) -> None:
        if write.after is not None and not write.record.placeholder:
            self._placeholders[write.record] = write.after
