"""Offsets and priority fences that do nothing or not what they say: L-09, L-10, L-12, L-39."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config.checks.design import Design, QueueFacts
from workbench.config.checks.finding import Finding
from workbench.config.properties import APPLICATION_SORT_PRIORITY, PRIORITY_OFFSET, PRIORITY_POLICY, problem

LOWEST, HIGHEST = -(2**31), 2**31 - 1


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
            yield design.finding("L-09", "hint", queue, key, "R-651", "R-621", case="inside", fence=fence.path, offset=offset)
        else:
            yield design.finding(
                "L-09",
                "warning",
                queue,
                key,
                "R-621",
                "R-651",
                case="nowhere",
                fence=fence.path,
                offset=offset,
                repairs=((design.edit("property", queue, PRIORITY_OFFSET, None),),),
            )


def fence_without_offset(design: Design) -> Iterator[Finding]:
    """L-10: a fenced queue that says no offset competes as priority 0."""
    for queue in design.queues.values():
        if queue.parent is None or queue.settings.priority_policy != "fence" or queue.has(PRIORITY_OFFSET):
            continue
        if len(queue.parent.children) > 1 or design.routes.creates_in(queue.parent.path):
            yield design.finding(
                "L-10",
                "warning",
                queue,
                f"properties.{PRIORITY_POLICY}",
                "R-621",
                "R-625",
                "P-35",
                repairs=(
                    (design.edit("property", queue, PRIORITY_OFFSET, "0"),),
                    (design.edit("property", queue, PRIORITY_POLICY, None),),
                ),
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
            yield design.finding(
                "R-651",
                "warning",
                queue,
                f"properties.{PRIORITY_POLICY}",
                "R-651",
                "R-624",
                repairs=((design.edit("property", queue, PRIORITY_POLICY, None),),),
            )


def offset_is_no_number(design: Design) -> Iterator[Finding]:
    """L-12, first half: a text that is no 32-bit integer counts as 0."""
    for queue in design.queues.values():
        text = queue.config.properties.get(PRIORITY_OFFSET)
        if text is not None and problem(PRIORITY_OFFSET, text):
            yield design.finding(
                "L-12",
                "warning",
                queue,
                f"properties.{PRIORITY_OFFSET}",
                "R-640",
                "C-131",
                case="text",
                value=text,
                repairs=((design.edit("property", queue, PRIORITY_OFFSET, None),),),
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
            yield design.finding(
                "L-12",
                "warning",
                at,
                f"properties.{PRIORITY_OFFSET}",
                "R-621",
                "R-622",
                case="range",
                leaf=leaf.path,
                priority=asked,
                total=total,
                bound=HIGHEST if total > 0 else LOWEST,
            )


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


def priority_is_not_sorted_by(design: Design) -> Iterator[Finding]:
    """L-39: children have offsets, but their parent sorts them by fair share first."""
    for queue in design.queues.values():
        if queue.is_leaf or queue.settings.priority_sorting:
            continue
        shifted = tuple(child.path for child in queue.children if child.settings.priority_offset)
        if shifted:
            owner = next((at for at in queue.up() if at.has(APPLICATION_SORT_PRIORITY)), queue)
            yield design.finding(
                "L-39",
                "hint",
                queue,
                f"properties.{APPLICATION_SORT_PRIORITY}",
                "R-523",
                "P-33",
                children=shifted,
                owner=owner.path,
            )


CHECKS = (
    offset_behind_a_fence,
    fence_without_offset,
    fence_without_rival,
    offset_is_no_number,
    offsets_leave_the_range,
    priority_is_not_sorted_by,
)
