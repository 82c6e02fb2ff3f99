"""Preemption that cannot help, or distorts: L-07, L-08, L-11, L-29, L-30, L-31."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice.edits import Repair, SetProperty, SetTemplateProperty
from workbench.advice.lint import Finding, Lint, finding, kinds, named
from workbench.config.facts import Design, QueueFacts
from workbench.config.may_preempt import fence_root, has_claim, is_disabled, is_fence, is_priority_fence, may_preempt
from workbench.config.properties import (
    APPLICATION_SORT_POLICY,
    BACKOFF_DELAY,
    BACKOFF_THRESHOLD,
    PREEMPTION_DELAY,
    PREEMPTION_POLICY,
    PRIORITY_OFFSET,
)
from workbench.explain.wording import name, seconds
from workbench.explain.wording import offset as signed
from workbench.values.durations import SECOND
from workbench.values.quantities import format_quantity
from workbench.values.resources import EMPTY, Resource

CHECK_EVERY_S = 15
"""The core looks at one ask at most every 15 s, whatever the delay (P-23)."""


@dataclass(frozen=True, slots=True)
class FencedLeaf(Lint):
    """A leaf is a preemption fence."""

    code = "L-07"
    rules = ("P-30", "P-51")

    def sentence(self, where: str) -> str:
        return (
            f"{where} is a leaf with preemption.policy: fence: its requests look for victims below it only, and there is nothing "
            "but itself, so it never preempts anything. Set the fence on a parent, or remove it."
        )


def fenced_leaf(design: Design) -> Iterator[Finding]:
    """L-07: behind a fence of its own a leaf finds nothing to preempt but itself, which is not allowed."""
    for leaf in design.leaves:
        if design.preempts and is_fence(leaf):
            opened = (SetProperty(design.place(leaf), PREEMPTION_POLICY, "default"),)
            yield finding(design, leaf, f"properties.{PREEMPTION_POLICY}", FencedLeaf(), opened)


@dataclass(frozen=True, slots=True)
class FenceAroundEverything(Lint):
    """There is nothing outside a preemption fence."""

    code = "P-30"
    severity = "hint"
    rules = ("P-30",)

    def sentence(self, where: str) -> str:
        return (
            f"{where} is a preemption fence with no other queue outside, so it keeps nobody from anything. Remove it, or set it "
            "on a queue below."
        )


def fence_around_everything(design: Design) -> Iterator[Finding]:
    """P-30: a preemption fence with nothing outside, the root's for one, keeps nobody from anything."""
    for queue in design.queues.values():
        if design.preempts and not queue.is_leaf and is_fence(queue) and (queue.parent is None or not _has_outside(design, queue)):
            removed = (SetProperty(design.place(queue), PREEMPTION_POLICY, None),)
            yield finding(design, queue, f"properties.{PREEMPTION_POLICY}", FenceAroundEverything(), removed)


@dataclass(frozen=True, slots=True)
class FenceGivesNothing(Lint):
    """Behind the fence of a leaf with a guarantee nothing may be taken.

    Attributes:
        is_root: there is no fence, and the whole tree gives nothing.
        disabled: the leaves there from which nothing is taken as they say so.
    """

    code = "L-31"
    rules = ("P-30", "P-52", "E-40")
    assumption = "This assumes that other queues fill the cluster at times."
    fence: str
    is_root: bool
    guaranteed: Resource
    disabled: tuple[str, ...]

    def sentence(self, where: str) -> str:
        if self.is_root:
            return (
                f"Preemption can never help {where} to its guarantee of {kinds(self.guaranteed)}: every other queue is "
                f"disabled for preemption or cannot hold more than its guarantee, and {named(self.disabled)} can take "
                "everything and keep it. Set a maximum there, or allow preemption."
            )
        return (
            f"Preemption can never help {where} to its guarantee of {kinds(self.guaranteed)}: behind the fence of "
            f"{name(self.fence)} nothing else may be taken. Remove the fence, or set it further up."
        )


@dataclass(frozen=True, slots=True)
class FenceGivesTooLittle(Lint):
    """Behind the fence of a leaf less may be taken of a type than the leaf is guaranteed."""

    code = "L-08"
    rules = ("P-30", "P-31", "P-52", "E-40")
    assumption = "This assumes that queues outside the fence fill the cluster at times."
    fence: str
    type: str
    guaranteed: int
    takable: int

    def sentence(self, where: str) -> str:
        kind = self.type
        return (
            f"{where} is guaranteed {name(kind)} {format_quantity(self.guaranteed, kind)}, but behind the preemption fence of "
            f"{name(self.fence)} other queues can hold at most {format_quantity(self.takable, kind)} above their "
            "guarantees that may be taken back; the rest may be held outside, where it is out of reach. Remove the fence, or set "
            "it further up."
        )


def too_little_behind_the_fence(design: Design) -> Iterator[Finding]:
    """L-08 and L-31: what may be taken behind a fence is less than the guarantee of a leaf there, or nothing at all."""
    if not design.preempts:
        return
    for leaf in design.leaves:
        fence = fence_root(leaf)
        if not leaf.guaranteed or fence is leaf:
            continue
        others = [other for other in fence.leaves() if other is not leaf]
        if fence.parent is None:
            if not any(_holds_on(other) for other in others) or design.grows(fence):
                continue
        elif design.grows(fence) or not _has_outside(design, fence):
            continue
        opened = (SetProperty(design.place(fence), PREEMPTION_POLICY, "default"),) if fence.parent is not None else None
        short = {kind: takable(others, kind) for kind, amount in leaf.guaranteed.items() if takable(others, kind) < amount}
        if not any(_gives(other) for other in others):
            disabled = tuple(other.path for other in others if is_disabled(other))
            nothing = FenceGivesNothing(fence.path, fence.parent is None, leaf.guaranteed, disabled)
            yield finding(design, leaf, "resources.guaranteed", nothing, opened)
        elif short and fence.parent is not None:
            kind = min(short)
            too_little = FenceGivesTooLittle(fence.path, kind, leaf.guaranteed[kind], int(short[kind]))
            yield finding(design, leaf, f"resources.guaranteed.{kind}", too_little, opened)


def takable(others: list[QueueFacts], kind: str) -> float:
    """How much of a type the leaves could hold above their guarantees."""
    total = 0.0
    for other in others:
        if not is_disabled(other):
            most = (other.limit or EMPTY).get(kind)
            total += float("inf") if most is None else max(0, most - (other.guaranteed or EMPTY).get(kind, 0))
    return total


def _gives(leaf: QueueFacts) -> bool:
    """Whether the leaf may ever hold more than its guarantee of anything, unprotected."""
    if is_disabled(leaf):
        return False
    guaranteed, limit = leaf.guaranteed or EMPTY, leaf.limit or EMPTY
    if leaf.guaranteed is None:
        return not limit or any(limit.values())
    # Types that are not guaranteed protect nothing and expose nothing (P-52).
    return any(kind not in limit or limit[kind] > amount for kind, amount in guaranteed.items())


def _holds_on(leaf: QueueFacts) -> bool:
    """Whether the leaf can take all there is and may keep it."""
    return is_disabled(leaf) and not leaf.limit


def _has_outside(design: Design, fence: QueueFacts) -> bool:
    inside = set(fence.down())
    return any(leaf not in inside for leaf in design.leaves) or design.routes.creates_in(design.root.path)


@dataclass(frozen=True, slots=True)
class OffsetAboveSiblings(Lint):
    """An offset, or a priority fence, counts between the queues below it, on the side of the ask only."""

    code = "L-11"
    rules = ("P-35", "P-33")
    offset: int
    fenced: bool

    def sentence(self, where: str) -> str:
        if self.fenced:
            return (
                f"The priority fence of {where} also counts between the queues below it when one preempts in another: every "
                f"request there counts as {self.offset}, whatever its priority, against the victims' own priorities. Set fences "
                "where only one queue below has a guarantee, or know that this is so."
            )
        told = (
            "requests may stop what has a higher priority" if self.offset > 0 else "requests cannot stop what has an equal priority"
        )
        return (
            f"The offset {signed(self.offset)} of {where} also counts between the queues below it when one preempts in "
            f"another, and only on the side of the request: {told}. Give the offset to each of its children instead."
        )


def offset_above_siblings(design: Design) -> Iterator[Finding]:
    """L-11: an offset or priority fence on a parent counts for the ask, and not for the victims, when both are below it."""
    if not design.preempts:
        return
    for queue in design.queues.values():
        leaves = queue.leaves()
        fenced, offset = is_priority_fence(queue), queue.settings.priority_offset
        if queue.is_leaf or len(leaves) < 2 or not (fenced or offset):
            continue
        takers = [leaf for leaf in leaves if has_claim(leaf) and fence_root(leaf).depth <= queue.depth]
        if any(may_preempt(taker, victim) for taker in takers for victim in leaves):
            key = PRIORITY_OFFSET if queue.has(PRIORITY_OFFSET) and not fenced else "priority.policy"
            moved = None if fenced else _offset_moved_down(design, queue, offset)
            yield finding(design, queue, f"properties.{key}", OffsetAboveSiblings(offset, fenced), moved)


def _offset_moved_down(design: Design, queue: QueueFacts, offset: int) -> Repair | None:
    """The same offset on every child instead, which changes nothing in the order and cancels out between them."""
    removed = SetProperty(design.place(queue), PRIORITY_OFFSET, None)
    if queue.parent is None:
        return (removed,)  # nothing compares against the root
    moved = [(child, child.settings.priority_offset + offset) for child in queue.children]
    if not all(child.is_leaf and -(2**31) <= sum_ < 2**31 for child, sum_ in moved) or design.grows(queue):
        return None
    return (
        removed,
        *(SetProperty(design.place(child), PRIORITY_OFFSET, str(sum_) if sum_ else None) for child, sum_ in moved),
    )


@dataclass(frozen=True, slots=True)
class DelayBelowTheInterval(Lint):
    """A delay of preemption below the interval in which the core looks at an ask again."""

    code = "L-29"
    rules = ("P-23", "P-21", "E-40")
    assumption = "This assumes that first attempts may find nothing to stop."
    delay_ns: int
    interval_ns: int

    def sentence(self, where: str) -> str:
        return (
            f"preemption.delay is {seconds(self.delay_ns)}, but a request that tried in vain is looked at again after "
            f"{seconds(self.interval_ns)} only, so a delay below that counts for the first attempt alone."
        )


def delay_below_the_interval(design: Design) -> Iterator[Finding]:
    """L-29, first half: a delay below the interval in which the core looks at an ask again."""
    for queue in design.queues.values():
        if not design.preempts or not queue.has(PREEMPTION_DELAY):
            continue
        text = queue.properties[PREEMPTION_DELAY]
        leaves = [leaf for leaf in queue.leaves() if leaf.properties.get(PREEMPTION_DELAY) == text and has_claim(leaf)]
        if leaves and leaves[0].settings.preemption_delay_ns < CHECK_EVERY_S * SECOND:
            lint = DelayBelowTheInterval(leaves[0].settings.preemption_delay_ns, CHECK_EVERY_S * SECOND)
            longer = (SetProperty(design.place(queue), PREEMPTION_DELAY, f"{CHECK_EVERY_S}s"),)
            yield finding(design, queue, f"properties.{PREEMPTION_DELAY}", lint, longer)


@dataclass(frozen=True, slots=True)
class NotForDynamicLeaves(Lint):
    """A property of a parent that queues created below it do not get."""

    code = "L-30"
    rules = ("P-14", "C-134")
    property: str
    value: str

    def sentence(self, where: str) -> str:
        return _not_passed_on(where, self.property, self.value)


@dataclass(frozen=True, slots=True)
class OffsetNotForDynamicLeaves(Lint):
    """An offset of a parent: it counts at the parent all the same."""

    code = "L-30"
    severity = "hint"
    rules = ("P-14", "C-134")
    value: str

    def sentence(self, where: str) -> str:
        return _not_passed_on(where, PRIORITY_OFFSET, self.value)


def _not_passed_on(where: str, key: str, value: str) -> str:
    return (
        f"Placement rules create queues below {where}, and these inherit no properties: {name(key)} "
        f"{name(value)} does not hold in them. Set it in childtemplate.properties for that."
    )


NOT_PASSED_ON = (PREEMPTION_POLICY, PREEMPTION_DELAY, APPLICATION_SORT_POLICY, BACKOFF_THRESHOLD, BACKOFF_DELAY, PRIORITY_OFFSET)


def not_for_dynamic_leaves(design: Design) -> Iterator[Finding]:
    """L-30: properties of a parent do not reach the queues that placement rules create below it."""
    for queue in design.queues.values():
        if queue.is_leaf or not design.routes.surely_creates_in(queue.path):
            continue
        template = next((at.config.child_template for at in queue.up() if at.config.child_template), None)
        for key in NOT_PASSED_ON:
            text = queue.config.properties.get(key)
            if text is None or template is not None and key in template.properties:
                continue
            if key == PREEMPTION_POLICY and not is_disabled(queue):
                continue
            if key == PRIORITY_OFFSET:
                if queue.settings.priority_offset:
                    yield finding(design, queue, f"properties.{key}", OffsetNotForDynamicLeaves(text))
                continue
            own = queue.config.child_template or template is None
            passed_on = (SetTemplateProperty(design.place(queue), key, text),) if own else None
            yield finding(design, queue, f"properties.{key}", NotForDynamicLeaves(key, text), passed_on)


CHECKS = (
    fenced_leaf,
    fence_around_everything,
    too_little_behind_the_fence,
    offset_above_siblings,
    delay_below_the_interval,
    not_for_dynamic_leaves,
)
