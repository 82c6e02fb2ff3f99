"""What a never-rule speaks of: things that happen, such as a placement, and states that last, such as waiting.

    never: {placed: root.tenants, while_waiting: root.system}
    never: {waiting: root.prod, while_running: root.scavenger, for: 30s}
    never: {above_guarantee: root.a, while_below_guarantee: root.b}

Each is asked of a scope (a queue with all below it, `user:anna`, `class:urgent`, `job:etl`, `cluster`). Beside when it was so, each
knows when it could have been: a rule that nothing could break says nothing (EX-4). Own ones are added with `register_term`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from workbench.expectations.story import FIRST, Fact, Point, Request, Story
from workbench.measures import Scope
from workbench.measures.debt import debts_of
from workbench.measures.queue_flow import QueueFlow
from workbench.measures.timeline import amounts_of, timeline_of
from workbench.measures.tree import tree_of
from workbench.values.errors import CommandError
from workbench.values.registry import Registry


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when something was so, or at which point it happened; and to whom."""

    since: Point
    until: Point
    who: Request | Fact | None = None


Spans = Callable[[Story, Scope], Iterable[Span]]


@dataclass(frozen=True, slots=True)
class Term:
    """Something that happens, or that is so for a time.

    Attributes:
        words: as in `a task of {} is stopped for others`.
        was: when it was so.
        could: when it could have been.
        lasts: it is a state and may be a condition, as `while_NAME`.
        moment: what the step does that makes it so: `placed`, `stopped`, or nothing of the kind.
        none: said where it never could be, of the scope `{}`.
    """

    words: str
    was: Spans
    could: Spans
    lasts: bool = False
    moment: str = ""
    none: str = "nothing of {} was ever there for it"


TERMS: Registry[Term] = Registry("term of never-rules")


def register_term(name: str, term: Term) -> Term:
    """Add a term under a new name; a state is also a condition, `while_NAME`. CommandError if the name is taken."""
    return TERMS.register(name, term)


# ---- requests ---------------------------------------------------------------------------------------------------------


def _waits(story: Story, scope: Scope) -> Iterator[Span]:
    for each in story.requests(scope):
        if each.arrived < each.waited_until:
            yield Span(each.arrived, each.waited_until, each)


def _runs(story: Story, scope: Scope) -> Iterator[Span]:
    for each in story.requests(scope):
        if each.placed is not None and each.placed < each.over:
            yield Span(each.placed, each.over, each)


def _there(story: Story, scope: Scope) -> Iterator[Span]:
    return (Span(each.arrived, max(each.over, each.arrived), each) for each in story.requests(scope))


def _placements(story: Story, scope: Scope) -> Iterator[Span]:
    for each in story.requests(scope):
        if each.placed is not None and each.takes_room:
            yield Span(each.placed, each.placed, each)


def _stops(story: Story, scope: Scope) -> Iterator[Span]:
    return (Span(each.over, each.over, each) for each in story.requests(scope) if each.end == "stopped")


def _stops_others(story: Story, scope: Scope) -> Iterator[Span]:
    mine = {each.task for each in story.requests(scope)}
    for each in story.requests(Scope("cluster")):
        if each.end == "stopped" and each.stopped_for in mine:
            yield Span(each.over, each.over, each)


register_term("placed", Term("a request of {} is placed", _placements, _waits, moment="placed", none="nobody ever asked in {}"))
register_term(
    "preempted", Term("a task of {} is stopped for others", _stops, _runs, moment="stopped", none="nothing of {} ever ran")
)
register_term(
    "preempts",
    Term("others are stopped for a request of {}", _stops_others, _waits, moment="stopped", none="nobody ever asked in {}"),
)
register_term("waiting", Term("a request of {} waits", _waits, _waits, lasts=True, none="nobody ever asked in {}"))
register_term("running", Term("a task of {} runs", _runs, _there, lasts=True, none="nobody ever asked in {}"))


# ---- jobs -------------------------------------------------------------------------------------------------------------


def _jobs(state: str) -> Spans:
    def ended(story: Story, scope: Scope) -> Iterator[Span]:
        return (Span(each.over, each.over, each) for each in story.jobs(scope) if each.state == state)

    return ended


def _submitted(story: Story, scope: Scope) -> Iterator[Span]:
    return (Span(each.arrived, max(each.over, each.arrived), each) for each in story.jobs(scope))


NO_JOB = "no job of {} ever arrived"
register_term("rejected", Term("a job of {} is turned away", _jobs("rejected"), _submitted, none=NO_JOB))
register_term("failed", Term("a job of {} fails", _jobs("failed"), _submitted, none=NO_JOB))


# ---- guarantees -------------------------------------------------------------------------------------------------------


def _queue(story: Story, scope: Scope) -> int:
    """The number of a queue with a guarantee, in the tree of the run."""
    if story.reading is None:
        raise CommandError("guarantees are followed in a workload, not in a scenario")
    if scope.kind != "queue":
        raise CommandError(f"a queue has a guarantee, {scope} is none")
    tree = tree_of(story.reading)
    number = tree.paths[scope.name]
    if not any(tree.queues[number].guaranteed.amounts.values()):
        raise CommandError(f"{scope} has no guarantee")
    return number


def _below(story: Story, scope: Scope) -> Iterator[Span]:
    number = _queue(story, scope)
    assert story.reading is not None
    for each in debts_of(story.reading).own_stretches[number]:
        yield Span(Point(each.since_ns, FIRST), Point(each.until_ns, FIRST))


def _could_be_below(story: Story, scope: Scope) -> Iterator[Span]:
    _queue(story, scope)
    return _waits(story, scope)


def _above(story: Story, scope: Scope) -> Iterator[Span]:
    number = _queue(story, scope)
    reading = story.reading
    assert reading is not None
    guarantee = amounts_of(tree_of(reading).queues[number].guaranteed, reading.resources)
    flow, since = QueueFlow(reading), None
    for instant in timeline_of(reading):
        flow.take(instant)
        used = flow.used[number * flow.kinds : (number + 1) * flow.kinds]
        above = any(limit and amount > limit for limit, amount in zip(guarantee, used))
        if above and since is None:
            since = instant.at_ns
        elif not above and since is not None:
            yield Span(Point(since, FIRST), Point(instant.at_ns, FIRST))
            since = None


def _could_be_above(story: Story, scope: Scope) -> Iterator[Span]:
    _queue(story, scope)
    return _there(story, scope)


register_term(
    "above_guarantee",
    Term("{} uses more than its guarantee", _above, _could_be_above, lasts=True, none="nobody ever asked in {}"),
)
register_term(
    "below_guarantee",
    Term("{} is short of its guarantee", _below, _could_be_below, lasts=True, none="nobody ever asked in {}"),
)


# ---- spans ------------------------------------------------------------------------------------------------------------


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same times without overlaps, by time; each with whoever begins it."""
    found: list[Span] = []
    for each in sorted(spans, key=lambda span: (span.since, span.until)):
        if found and each.since <= found[-1].until:
            if each.until > found[-1].until:
                found[-1] = Span(found[-1].since, each.until, found[-1].who)
        else:
            found.append(each)
    return found


def meet(ones: Iterable[Span], others: Iterable[Span]) -> bool:
    """Whether two are so at one instant, if only at its ends."""
    mine, theirs = merged(ones), merged(others)
    at = other = 0
    while at < len(mine) and other < len(theirs):
        one, two = mine[at], theirs[other]
        if max(one.since.ns, two.since.ns) <= min(one.until.ns, two.until.ns):
            return True
        if one.until < two.until:
            at += 1
        else:
            other += 1
    return False
