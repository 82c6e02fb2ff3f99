"""Applications by age: the sort policy `fifo`. R-531, R-532."""

from __future__ import annotations

from typing import NamedTuple

from workbench.scheduler.policies.orders import APPLICATION_ORDERS, ApplicationOrder
from workbench.scheduler.records.state import Application
from workbench.values.resources import Resource

NAME = "fifo"


class PriorityAgeKey(NamedTuple):
    """Higher priority, then earlier submission. R-531."""

    priority: int
    submitted_ns: int
    seq: int


class AgePriorityKey(NamedTuple):
    """With priority disabled: earlier submission, then higher priority. R-532."""

    submitted_ns: int
    priority: int
    seq: int


def key(application: Application, guaranteed: Resource | None, by_priority: bool) -> PriorityAgeKey | AgePriorityKey:
    """Oldest submission first; with `by_priority`, priority before age. R-531, R-532."""
    priority, age, seq = -application.priority, application.submitted_ns, application.seq
    return PriorityAgeKey(priority, age, seq) if by_priority else AgePriorityKey(age, priority, seq)


ORDER = APPLICATION_ORDERS.register(NAME, ApplicationOrder(NAME, key, takes_gangs=True))
