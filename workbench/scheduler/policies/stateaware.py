"""Applications by age, one start at a time: the sort policy `stateaware`, only in releases before 1.6 (C-183). R-538."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.scheduler.policies import fifo
from workbench.scheduler.policies.orders import APPLICATION_ORDERS, ApplicationOrder
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.taking_part import OneStart
from workbench.scheduler.records.state import Application, Queue

NAME = "stateaware"


def one_start_at_a_time(leaf: Queue, waiting: Sequence[Application], now_ns: int) -> dict[str, Refusal]:
    """While an application of the leaf is Starting, no Accepted one; else of these only the oldest. R-538, W-24.

    Quirk: this keeps others from starting, and nothing else: the one that may start is sorted among those that run.
    """
    accepted = [application for application in waiting if application.state == "Accepted"]
    starting = [application for application in leaf.applications.values() if application.state == "Starting"]
    if not accepted:
        return {}
    if starting:
        last = max(starting, key=lambda application: (application.state_log[-1][0], application.seq))
        age_ns = now_ns - last.state_log[-1][0]
        return {each.id: OneStart(each.id, starting=last.id, age_ns=age_ns) for each in accepted}
    oldest = min(accepted, key=lambda application: (application.submitted_ns, application.seq))
    return {each.id: OneStart(each.id, admitted=oldest.id) for each in accepted if each is not oldest}


ORDER = APPLICATION_ORDERS.register(NAME, ApplicationOrder(NAME, fifo.key, one_start_at_a_time, takes_gangs=True))
"""The order of fifo among those that are admitted. R-538."""
