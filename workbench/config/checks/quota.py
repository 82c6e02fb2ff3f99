"""Quota preemption that never starts, or should not: L-32, L-33, L-34."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config.checks.design import Design, QueueFacts
from workbench.config.checks.finding import Finding
from workbench.config.properties import QUOTA_PREEMPTION_DELAY, value_of
from workbench.values.durations import SECOND

KEY = f"properties.{QUOTA_PREEMPTION_DELAY}"
ADVISED_S = 60
"""The shortest delay that the documentation recommends."""


def _delays(design: Design) -> Iterator[tuple[QueueFacts, int]]:
    """The queues that list a delay that means something, and the delay. An inherited one has no effect (P-132)."""
    for queue in design.queues.values():
        if queue.has(QUOTA_PREEMPTION_DELAY):
            delay_ns = value_of(QUOTA_PREEMPTION_DELAY, queue.config.properties[QUOTA_PREEMPTION_DELAY])
            if delay_ns:
                yield queue, delay_ns


def quota_preemption_without_effect(design: Design) -> Iterator[Finding]:
    """L-32: a delay without the switch, the switch without any delay, or a delay where there is no maximum to lower."""
    delays = list(_delays(design))
    for queue, _ in delays:
        removed = (design.edit("property", queue, QUOTA_PREEMPTION_DELAY, None),)
        if queue.maximum is None:
            yield design.finding(
                "L-32",
                "warning",
                queue,
                KEY,
                "P-132",
                repairs=(removed,),
                case="no-maximum",
                heirs=tuple(
                    at.path for at in queue.down() if at is not queue and at.maximum and not at.has(QUOTA_PREEMPTION_DELAY)
                ),
            )
        elif not design.preempts_for_quota:
            switched = (design.edit("quota-switch", value=True),)
            yield design.finding("L-32", "warning", queue, KEY, "P-130", repairs=(switched, removed), case="no-switch")
    if design.preempts_for_quota and not delays:
        yield design.finding(
            "L-32",
            "warning",
            None,
            "preemption.quotapreemptionenabled",
            "P-130",
            "P-132",
            case="no-delay",
            repairs=((design.edit("quota-switch", value=None),),),
        )
    for queue in design.queues.values():
        template = queue.config.child_template
        if template is not None and not queue.is_leaf and QUOTA_PREEMPTION_DELAY in template.properties:
            removed = (design.edit("template-property", queue, QUOTA_PREEMPTION_DELAY, None),)
            yield design.finding("L-32", "warning", queue, f"childtemplate.{KEY}", "P-130", repairs=(removed,), case="dynamic")


def delay_on_a_parent(design: Design) -> Iterator[Finding]:
    """L-33: on a parent release 1.8.0 starts the same run again in every pass, and may crash."""
    for queue, _ in _delays(design):
        if design.preempts_for_quota and queue.maximum is not None and not queue.is_leaf:
            yield design.finding(
                "L-33", "warning", queue, KEY, "P-139", repairs=((design.edit("property", queue, QUOTA_PREEMPTION_DELAY, None),),)
            )


def short_delay(design: Design) -> Iterator[Finding]:
    """L-34: less time than controllers need to react to a lowered maximum themselves."""
    for queue, delay_ns in _delays(design):
        if design.preempts_for_quota and queue.maximum is not None and delay_ns < ADVISED_S * SECOND:
            yield design.finding(
                "L-34",
                "warning",
                queue,
                KEY,
                "P-132",
                "P-135",
                delay_ns=delay_ns,
                advised_ns=ADVISED_S * SECOND,
                repairs=((design.edit("property", queue, QUOTA_PREEMPTION_DELAY, f"{ADVISED_S}s"),),),
            )


CHECKS = (quota_preemption_without_effect, delay_on_a_parent, short_delay)
