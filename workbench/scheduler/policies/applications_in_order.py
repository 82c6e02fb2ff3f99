"""The applications of a leaf as its sort policy orders them. Section 5 of chapter 05."""

from __future__ import annotations

from typing import Any

from workbench.scheduler.policies.orders import APPLICATION_ORDERS
from workbench.scheduler.records.decision import Key
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.taking_part import ApplicationWithoutPending
from workbench.scheduler.records.state import Application, Queue
from workbench.values.resources import strictly_greater_than_zero


def order_applications(
    leaf: Queue, now_ns: int, *, all_admitted: bool = False
) -> tuple[str, list[tuple[Key, Application]], list[Refusal]]:
    """Name of the order, (key, application) first to last, and those left out with the reason. R-530 to R-538.

    `all_admitted` ranks those, too, that the policy keeps out, as a look ahead does (R-585).
    """
    by_priority = leaf.settings.priority_sorting
    policy = leaf.settings.application_sort_policy
    order = APPLICATION_ORDERS[policy]
    key = order.key
    waiting: list[Application] = []
    filtered: list[tuple[int, Refusal]] = []
    for application in leaf.applications.values():
        if strictly_greater_than_zero(application.pending):
            waiting.append(application)
        else:
            filtered.append((application.seq, ApplicationWithoutPending(application.id, application.pending)))
    if order.admission is not None and not all_admitted:
        kept_out = order.admission(leaf, waiting, now_ns)
        filtered += [(application.seq, kept_out[application.id]) for application in waiting if application.id in kept_out]
        waiting = [application for application in waiting if application.id not in kept_out]
    ranked = sorted(((key(application, leaf.guaranteed, by_priority), application) for application in waiting), key=_first)
    name = f"priority, {policy}" if by_priority else f"{policy}, priority"
    return name, ranked, [refusal for _, refusal in sorted(filtered, key=_first)]


def _first(pair: tuple[Any, object]) -> Any:
    return pair[0]
