"""Quota preemption that never starts, or should not: L-32, L-33, L-34."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice.edits import SetProperty, SetQuotaSwitch, SetTemplateProperty
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.config.facts import Design, QueueFacts
from workbench.config.properties import QUOTA_PREEMPTION_DELAY, value_of
from workbench.explain.wording import seconds
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


@dataclass(frozen=True, slots=True)
class DelayWithoutMaximum(Lint):
    """A delay at a queue without a maximum; `heirs` have one and inherit the delay, which does not count there."""

    code = "L-32"
    rules = ("P-132",)
    heirs: tuple[str, ...]

    def sentence(self, where: str) -> str:
        heirs = (
            f" Nor does it count for {named(self.heirs)}, which inherit it: only a delay that a queue lists itself is looked at."
            if self.heirs
            else ""
        )
        return (
            f"{where} has a quota delay but no maximum of its own that could be lowered, so nothing ever starts.{heirs} Remove it."
        )


@dataclass(frozen=True, slots=True)
class DelayWithoutSwitch(Lint):
    """A delay in a partition without the switch."""

    code = "L-32"
    rules = ("P-130",)

    def sentence(self, where: str) -> str:
        return (
            f"{where} has a quota delay, but preemption.quotapreemptionenabled is not true for the partition, so it has no effect. "
            "Switch it on, or remove the delay."
        )


@dataclass(frozen=True, slots=True)
class SwitchWithoutDelay(Lint):
    """The switch, and no queue with a delay."""

    code = "L-32"
    rules = ("P-130", "P-132")

    def sentence(self, where: str) -> str:
        return (
            "preemption.quotapreemptionenabled is true, but no queue has a preemption.quota.delay above 0, so nothing is ever "
            "enforced. Give queues a delay, or remove the switch."
        )


@dataclass(frozen=True, slots=True)
class DelayOfDynamicQueues(Lint):
    """A delay in a child template."""

    code = "L-32"
    rules = ("P-130",)

    def sentence(self, where: str) -> str:
        return (
            f"The child template of {where} sets a quota delay, but maxima of dynamic queues are never enforced by preemption. "
            "Remove it."
        )


def quota_preemption_without_effect(design: Design) -> Iterator[Finding]:
    """L-32: a delay without the switch, the switch without any delay, or a delay where there is no maximum to lower."""
    delays = list(_delays(design))
    for queue, _ in delays:
        removed = (SetProperty(design.place(queue), QUOTA_PREEMPTION_DELAY, None),)
        if queue.maximum is None:
            below = (at for at in queue.down() if at is not queue and at.maximum and not at.has(QUOTA_PREEMPTION_DELAY))
            yield finding(design, queue, KEY, DelayWithoutMaximum(tuple(at.path for at in below)), removed)
        elif not design.preempts_for_quota:
            yield finding(design, queue, KEY, DelayWithoutSwitch(), (SetQuotaSwitch(design.place(), True),), removed)
    if design.preempts_for_quota and not delays:
        key = "preemption.quotapreemptionenabled"
        yield finding(design, None, key, SwitchWithoutDelay(), (SetQuotaSwitch(design.place(), None),))
    for queue in design.queues.values():
        template = queue.config.child_template
        if template is not None and not queue.is_leaf and QUOTA_PREEMPTION_DELAY in template.properties:
            without = (SetTemplateProperty(design.place(queue), QUOTA_PREEMPTION_DELAY, None),)
            yield finding(design, queue, f"childtemplate.{KEY}", DelayOfDynamicQueues(), without)


@dataclass(frozen=True, slots=True)
class DelayOnAParent(Lint):
    """A parent enforces its quota, over and over."""

    code = "L-33"
    rules = ("P-139",)

    def sentence(self, where: str) -> str:
        return (
            f"{where} is a parent with a quota delay. When its maximum is lowered below what it uses, release 1.8.0 starts the "
            "same preemption again in every pass and may crash. Set delays on leaves only."
        )


def delay_on_a_parent(design: Design) -> Iterator[Finding]:
    """L-33: on a parent release 1.8.0 starts the same run again in every pass, and may crash."""
    for queue, _ in _delays(design):
        if design.preempts_for_quota and queue.maximum is not None and not queue.is_leaf:
            yield finding(design, queue, KEY, DelayOnAParent(), (SetProperty(design.place(queue), QUOTA_PREEMPTION_DELAY, None),))


@dataclass(frozen=True, slots=True)
class ShortDelay(Lint):
    """A delay in which controllers cannot react."""

    code = "L-34"
    rules = ("P-132", "P-135")
    delay_ns: int
    advised_ns: int

    def sentence(self, where: str) -> str:
        return (
            f"The quota delay of {where} is {seconds(self.delay_ns)}. After a lowered maximum pods are killed before "
            f"controllers can react; at least {seconds(self.advised_ns)} is recommended."
        )


def short_delay(design: Design) -> Iterator[Finding]:
    """L-34: less time than controllers need to react to a lowered maximum themselves."""
    for queue, delay_ns in _delays(design):
        if design.preempts_for_quota and queue.maximum is not None and delay_ns < ADVISED_S * SECOND:
            longer = (SetProperty(design.place(queue), QUOTA_PREEMPTION_DELAY, f"{ADVISED_S}s"),)
            yield finding(design, queue, KEY, ShortDelay(delay_ns, ADVISED_S * SECOND), longer)


CHECKS = (quota_preemption_without_effect, delay_on_a_parent, short_delay)
