"""Offsets and priority fences that do nothing or not what they say: L-09, L-10, L-12, L-39."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice.edits import SetProperty
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.config.facts import Design, QueueFacts
from workbench.config.properties import APPLICATION_SORT_PRIORITY, PRIORITY_OFFSET, PRIORITY_POLICY, problem
from workbench.explain.wording import name
from workbench.explain.wording import offset as signed

LOWEST, HIGHEST = -(2**31), 2**31 - 1


@dataclass(frozen=True, slots=True)
class OffsetCountsInside(Lint):
    """A fence further up replaces the offset, which counts below that fence only."""

    code = "L-09"
    severity = "hint"
    rules = ("R-651", "R-621")
    fence: str
    offset: int

    def sentence(self, where: str) -> str:
        return (
            f"The offset {signed(self.offset)} of {where} counts below {name(self.fence)} only, whose priority fence replaces "
            "it for everything further up."
        )


@dataclass(frozen=True, slots=True)
class OffsetCountsNowhere(Lint):
    """A fence further up replaces the offset, and below that fence nothing competes with it."""

    code = "L-09"
    rules = ("R-621", "R-651")
    fence: str
    offset: int

    def sentence(self, where: str) -> str:
        return (
            f"The offset {signed(self.offset)} of {where} has no effect: the priority fence of {name(self.fence)} replaces it, "
            "and below that fence nothing competes with it. Set the offset on the fenced queue, or remove it."
        )


def offset_behind_a_fence(design: Design) -> Iterator[Finding]:
    """L-09: a fence further up replaces the offset; without a sibling on the way there it does nothing at all."""
    for queue in design.queues.values():
        fence = next((at for at in queue.up() if at is not queue and at.settings.priority_policy == "fence"), None)
        if fence is None or not queue.settings.priority_offset:
            continue
        on_the_way = [at for at in queue.up() if at.depth > fence.depth]
        above = [at.parent for at in on_the_way if at.parent is not None]
        competes = any(len(at.children) > 1 or design.routes.creates_in(at.path) for at in above)
        # In preemption a fence in or below the queue is compared with what the ask counts as there (P-34).
        guarded = any(at.settings.priority_policy == "fence" for at in queue.down())
        key, offset = f"properties.{PRIORITY_OFFSET}", queue.settings.priority_offset
        if competes or guarded:
            yield finding(design, queue, key, OffsetCountsInside(fence.path, offset))
        else:
            removed = (SetProperty(design.place(queue), PRIORITY_OFFSET, None),)
            yield finding(design, queue, key, OffsetCountsNowhere(fence.path, offset), removed)


@dataclass(frozen=True, slots=True)
class FenceWithoutOffset(Lint):
    """A queue with a priority fence says no offset."""

    code = "L-10"
    rules = ("R-621", "R-625", "P-35")

    def sentence(self, where: str) -> str:
        return (
            f"{where} has a priority fence and no priority.offset, so whatever waits below it competes with its siblings as "
            "priority 0, and preempts as such. Write the offset that is meant, if only 0."
        )


def fence_without_offset(design: Design) -> Iterator[Finding]:
    """L-10: a fenced queue that says no offset competes as priority 0."""
    for queue in design.queues.values():
        if queue.parent is None or queue.settings.priority_policy != "fence" or queue.has(PRIORITY_OFFSET):
            continue
        if len(queue.parent.children) > 1 or design.routes.creates_in(queue.parent.path):
            written = (SetProperty(design.place(queue), PRIORITY_OFFSET, "0"),)
            removed = (SetProperty(design.place(queue), PRIORITY_POLICY, None),)
            yield finding(design, queue, f"properties.{PRIORITY_POLICY}", FenceWithoutOffset(), written, removed)


@dataclass(frozen=True, slots=True)
class FenceWithoutRival(Lint):
    """A priority fence hides priorities from nobody."""

    code = "R-651"
    rules = ("R-651", "R-624")

    def sentence(self, where: str) -> str:
        return (
            f"The priority fence of {where} has no effect: there is no queue beside it or above it for which it could hide "
            "priorities. Remove it, or set it on queues below."
        )


def fence_without_rival(design: Design) -> Iterator[Finding]:
    """R-651: a priority fence on a queue that holds all there is hides priorities from nobody."""
    for queue in design.queues.values():
        alone = all(
            at.parent is None or len(at.parent.children) == 1 and not design.routes.creates_in(at.parent.path) for at in queue.up()
        )
        # Between queues below it the fence does count when one preempts in another (P-35), which L-11 tells.
        preempts_inside = design.preempts and any(at.guaranteed for at in (*queue.up(), *queue.down()))
        if queue.settings.priority_policy == "fence" and alone and not preempts_inside:
            removed = (SetProperty(design.place(queue), PRIORITY_POLICY, None),)
            yield finding(design, queue, f"properties.{PRIORITY_POLICY}", FenceWithoutRival(), removed)


@dataclass(frozen=True, slots=True)
class OffsetIsNoNumber(Lint):
    """The text of an offset is no 32-bit integer."""

    code = "L-12"
    rules = ("R-640", "C-131")
    value: str

    def sentence(self, where: str) -> str:
        return (
            f"priority.offset is '{name(self.value, 80)}', which is no whole number of 32 bits; it counts as 0 without a word. "
            "Write a number from -2147483648 to 2147483647."
        )


def offset_is_no_number(design: Design) -> Iterator[Finding]:
    """L-12, first half: a text that is no 32-bit integer counts as 0."""
    for queue in design.queues.values():
        text = queue.config.properties.get(PRIORITY_OFFSET)
        if text is not None and problem(PRIORITY_OFFSET, text):
            removed = (SetProperty(design.place(queue), PRIORITY_OFFSET, None),)
            yield finding(design, queue, f"properties.{PRIORITY_OFFSET}", OffsetIsNoNumber(text), removed)


@dataclass(frozen=True, slots=True)
class BeyondTheRange(Lint):
    """With the offsets on its way a priority leaves the 32 bits.

    Attributes:
        leaf: where a request of such a `priority` is.
        total, bound: what it would count as, and what it does count as.
    """

    code = "L-12"
    rules = ("R-621", "R-622")
    leaf: str
    priority: int
    total: int
    bound: int

    def sentence(self, where: str) -> str:
        return (
            f"A request of priority {self.priority} in {name(self.leaf)} would count as {self.total} at {where}, "
            f"beyond what the scheduler can hold; it counts as {self.bound}, like others that are cut off there. Use "
            "smaller offsets."
        )


def offsets_leave_the_range(design: Design) -> Iterator[Finding]:
    """L-12, second half, for asks of priority 0: the offsets on a path add up beyond 32 bits."""
    yield from beyond_the_range(design, 0, 0)


def beyond_the_range(design: Design, lowest: int, highest: int) -> Iterator[Finding]:
    """The same for asks from one priority to another. Told once, at the queue where the sum first leaves the range."""
    told: set[str] = set()
    for leaf in design.leaves:
        reached = _first_beyond(leaf, (lowest, highest))
        if reached is not None and reached[0].path not in told:
            told.add(reached[0].path)
            at, asked, total = reached
            lint = BeyondTheRange(leaf.path, asked, total, HIGHEST if total > 0 else LOWEST)
            yield finding(design, at, f"properties.{PRIORITY_OFFSET}", lint)


def _first_beyond(leaf: QueueFacts, priorities: tuple[int, ...]) -> tuple[QueueFacts, int, int] | None:
    for priority in priorities:
        total = priority
        for at in leaf.up():
            if at.settings.priority_policy == "fence":
                break
            total += at.settings.priority_offset
            if not LOWEST < total <= HIGHEST:  # the lowest value itself stands for nothing pending
                return at, priority, total
    return None


@dataclass(frozen=True, slots=True)
class PriorityIsNotSortedBy(Lint):
    """Children have offsets, but their parent sorts them by fair share first; `owner` is where that is set."""

    code = "L-39"
    severity = "hint"
    rules = ("R-523", "P-33")
    children: tuple[str, ...]
    owner: str

    def sentence(self, where: str) -> str:
        return (
            f"{where} sorts its queues by fair share before priority (application.sort.priority: disabled at "
            f"{name(self.owner)}), so "
            f"the offsets of {named(self.children)} decide between equal shares only. In preemption they still count."
        )


def priority_is_not_sorted_by(design: Design) -> Iterator[Finding]:
    """L-39: children have offsets, but their parent sorts them by fair share first."""
    for queue in design.queues.values():
        if queue.is_leaf or queue.settings.priority_sorting:
            continue
        shifted = tuple(child.path for child in queue.children if child.settings.priority_offset)
        if shifted:
            owner = next((at for at in queue.up() if at.has(APPLICATION_SORT_PRIORITY)), queue)
            lint = PriorityIsNotSortedBy(shifted, owner.path)
            yield finding(design, queue, f"properties.{APPLICATION_SORT_PRIORITY}", lint)


CHECKS = (
    offset_behind_a_fence,
    fence_without_offset,
    fence_without_rival,
    offset_is_no_number,
    offsets_leave_the_range,
    priority_is_not_sorted_by,
)
