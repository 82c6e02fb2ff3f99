"""What an application used of the cluster until now: amounts times whole seconds, by what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.rest.past.keeper import Keeper, Moment
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import Allocation, Application
from workbench.values.resources import Resource, add

SECOND_NS = 1_000_000_000


@dataclass(slots=True)
class Usage:
    """Of what has ended. None: nothing of that kind has ended.

    Attributes:
        real: of real allocations.
        preempted: of those that were preempted.
        placeholders: of placeholders.
    """

    real: Resource | None = None
    preempted: Resource | None = None
    placeholders: Resource | None = None


NOTHING = Usage()


class Usages(Keeper):
    """By application. Quirk: a second is counted when it is full, for each allocation by itself; what has ended forgets."""

    fields = frozenset({"allocations", "finished_ns"})

    def __init__(self) -> None:
        self._by_application: dict[Application, Usage] = {}

    def of(self, application: Application) -> Usage:
        return self._by_application.get(application, NOTHING)

    def wrote(self, moment: Moment, write: Write) -> None:
        if not isinstance(write.record, Application):
            return
        if write.field == "finished_ns":
            self._by_application.pop(write.record, None)
        elif write.kind == "dropped":
            self._ended(moment, write)

    def _ended(self, moment: Moment, write: Write) -> None:
        gone: Allocation = write.before
        used = self._by_application.setdefault(write.record, Usage())
        since_ns = gone.bound_ns if gone.bound_ns is not None else gone.created_ns
        seconds = (moment.now_ns - since_ns) // SECOND_NS
        amount = Resource({name: held * seconds for name, held in gone.resource.items()})
        if gone.preempted:
            used.preempted = add(used.preempted, amount)
        elif gone.placeholder:
            used.placeholders = add(used.placeholders, amount)
        else:
            used.real = add(used.real, amount)
