"""Quota preemption that never starts, or should not: L-32, L-33, L-34."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice.edits import SetProperty, SetQuotaSwitch, SetTemplateProperty
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.config.facts import Design, QueueFacts
from workbench.config.properties import value_of
from workbench.explain.wording import seconds
from workbench.values.durations import SECOND

ADVISED_S = 60
"""The shortest delay that the documentation recommends."""


def _delays(design: Design) -> Iterator[tuple[QueueFacts, int]]:
    """The queues that list a delay that means something, and the delay."""
    key = design.quota_key
    for queue in design.queues.values():
        if key is not None and queue.has(key):
            delay_ns = value_of(key, queue.config.properties[key], table=design.table)
            if delay_ns:
                yield queue, delay_ns


def _place(design: Design) -> str:
    return f"properties.{design.quota_key}"


def _removed(design: Design, queue: QueueFacts) -> tuple[SetProperty]:
    assert design.quota_key is not None
    return (SetProperty(design.place(queue), design.quota_key, None),)


@dataclass(frozen=True, slots=True)
class DelayWithoutMaximum(Lint):
    """A delay at a queue without a maximum; `heirs` have one and inherit the delay, which does not count there in 1.8."""

    code = "L-32"
    rules = ("P-132", "R-903")
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
    rules = ("P-130", "P-132", "R-901")
    property: str

    def sentence(self, where: str) -> str:
        return (
            f"preemption.quotapreemptionenabled is true, but no queue has a {self.property} above 0, so nothing is ever "
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
    delays, quota_key = list(_delays(design)), design.quota_key
    if quota_key is None:
        return
    for queue, _ in delays:
        removed, at_key = _removed(design, queue), _place(design)
        heirs = tuple(at.path for at in queue.down() if at is not queue and at.maximum and not at.has(quota_key))
        if queue.maximum is None and not (heirs and design.passes_on):
            yield finding(design, queue, at_key, DelayWithoutMaximum(heirs), removed)
        elif not design.preempts_for_quota:
            yield finding(design, queue, at_key, DelayWithoutSwitch(), (SetQuotaSwitch(design.place(), True),), removed)
    if design.preempts_for_quota and not delays:
        key = "preemption.quotapreemptionenabled"
        yield finding(design, None, key, SwitchWithoutDelay(quota_key), (SetQuotaSwitch(design.place(), None),))
    for queue in design.queues.values():
        template = queue.config.child_template
        if template is not None and not queue.is_leaf and quota_key in template.properties:
            without = (SetTemplateProperty(design.place(queue), quota_key, None),)
            yield finding(design, queue, f"childtemplate.{_place(design)}", DelayOfDynamicQueues(), without)


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
            yield finding(design, queue, _place(design), DelayOnAParent(), _removed(design, queue))


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
        counts = queue.maximum is not None or (design.passes_on and any(at.maximum for at in queue.down()))
        if design.preempts_for_quota and counts and delay_ns < ADVISED_S * SECOND:
            assert design.quota_key is not None
            longer = (SetProperty(design.place(queue), design.quota_key, f"{ADVISED_S}s"),)
            yield finding(design, queue, _place(design), ShortDelay(delay_ns, ADVISED_S * SECOND), longer)


CHECKS = (quota_preemption_without_effect, delay_on_a_parent, short_delay)
