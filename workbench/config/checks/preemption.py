"""Preemption that cannot help, or distorts: L-07, L-08, L-11, L-29, L-30, L-31."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config.checks.design import Design, QueueFacts
from workbench.config.checks.finding import Finding, Repair
from workbench.config.may_preempt import fence_root, has_claim, is_disabled, is_fence, is_priority_fence, may_preempt
from workbench.config.properties import (
    APPLICATION_SORT_POLICY,
    BACKOFF_DELAY,
    BACKOFF_THRESHOLD,
    PREEMPTION_DELAY,
    PREEMPTION_POLICY,
    PRIORITY_OFFSET,
)
from workbench.values.durations import SECOND
from workbench.values.resources import EMPTY

CHECK_EVERY_S = 15
"""The core looks at one ask at most every 15 s, whatever the delay (P-23)."""


def fenced_leaf(design: Design) -> Iterator[Finding]:
    """L-07: behind a fence of its own a leaf finds nothing to preempt but itself, which is not allowed."""
    for leaf in design.leaves:
        if design.preempts and is_fence(leaf):
            yield design.finding(
                "L-07",
                "warning",
                leaf,
                f"properties.{PREEMPTION_POLICY}",
                "P-30",
                "P-51",
                repairs=((design.edit("property", leaf, PREEMPTION_POLICY, "default"),),),
            )


def fence_around_everything(design: Design) -> Iterator[Finding]:
    """P-30: a preemption fence with nothing outside, the root's for one, keeps nobody from anything."""
    for queue in design.queues.values():
        if design.preempts and not queue.is_leaf and is_fence(queue) and (queue.parent is None or not _has_outside(design, queue)):
            yield design.finding(
                "P-30",
                "hint",
                queue,
                f"properties.{PREEMPTION_POLICY}",
                "P-30",
                repairs=((design.edit("property", queue, PREEMPTION_POLICY, None),),),
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
        open_fence = (design.edit("property", fence, PREEMPTION_POLICY, "default"),) if fence.parent is not None else None
        short = {kind: takable(others, kind) for kind, amount in leaf.guaranteed.items() if takable(others, kind) < amount}
        if not any(_gives(other) for other in others):
            yield design.finding(
                "L-31",
                "warning",
                leaf,
                "resources.guaranteed",
                "P-30",
                "P-52",
                "E-40",
                repairs=(open_fence,),
                fence=fence.path,
                is_root=fence.parent is None,
                guaranteed=leaf.guaranteed,
                disabled=tuple(other.path for other in others if is_disabled(other)),
            )
        elif short and fence.parent is not None:
            kind = min(short)
            yield design.finding(
                "L-08",
                "warning",
                leaf,
                f"resources.guaranteed.{kind}",
                "P-30",
                "P-31",
                "P-52",
                "E-40",
                repairs=(open_fence,),
                fence=fence.path,
                type=kind,
                guaranteed=leaf.guaranteed[kind],
                takable=int(short[kind]),
            )


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
            yield design.finding(
                "L-11",
                "warning",
                queue,
                f"properties.{key}",
                "P-35",
                "P-33",
                repairs=(None if fenced else _offset_moved_down(design, queue, offset),),
                offset=offset,
                fenced=fenced,
                takers=tuple(leaf.path for leaf in takers),
            )


def _offset_moved_down(design: Design, queue: QueueFacts, offset: int) -> Repair | None:
    """The same offset on every child instead, which changes nothing in the order and cancels out between them."""
    if queue.parent is None:
        return (design.edit("property", queue, PRIORITY_OFFSET, None),)  # nothing compares against the root
    moved = [(child, child.settings.priority_offset + offset) for child in queue.children]
    if not all(child.is_leaf and -(2**31) <= sum_ < 2**31 for child, sum_ in moved) or design.grows(queue):
        return None
    return (
        design.edit("property", queue, PRIORITY_OFFSET, None),
        *(design.edit("property", child, PRIORITY_OFFSET, str(sum_) if sum_ else None) for child, sum_ in moved),
    )


def delay_below_the_interval(design: Design) -> Iterator[Finding]:
    """L-29, first half: a delay below the interval in which the core looks at an ask again."""
    for queue in design.queues.values():
        if not design.preempts or not queue.has(PREEMPTION_DELAY):
            continue
        text = queue.properties[PREEMPTION_DELAY]
        leaves = [leaf for leaf in queue.leaves() if leaf.properties.get(PREEMPTION_DELAY) == text and has_claim(leaf)]
        if leaves and leaves[0].settings.preemption_delay_ns < CHECK_EVERY_S * SECOND:
            yield design.finding(
                "L-29",
                "warning",
                queue,
                f"properties.{PREEMPTION_DELAY}",
                "P-23",
                "P-21",
                "E-40",
                repairs=((design.edit("property", queue, PREEMPTION_DELAY, f"{CHECK_EVERY_S}s"),),),
                case="short",
                delay_ns=leaves[0].settings.preemption_delay_ns,
                interval_ns=CHECK_EVERY_S * SECOND,
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
            if key == PRIORITY_OFFSET and not queue.settings.priority_offset:
                continue
            own = queue.config.child_template or template is None
            yield design.finding(
                "L-30",
                "hint" if key == PRIORITY_OFFSET else "warning",
                queue,
                f"properties.{key}",
                "P-14",
                "C-134",
                repairs=((design.edit("template-property", queue, key, text),) if own and key != PRIORITY_OFFSET else None,),
                property=key,
                value=text,
            )


CHECKS = (
    fenced_leaf,
    fence_around_everything,
    too_little_behind_the_fence,
    offset_above_siblings,
    delay_below_the_interval,
    not_for_dynamic_leaves,
)
