"""What a preemption came to, once it has happened: who was stopped and why, what spared the others, why one rather than another.

`explain.preemption` tells of an attempt before it is made; this is about a step that was taken, and told from its traced decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from workbench.explain import preemption, preemption_texts, refusals, words
from workbench.explain.why import Explanation, enforced
from workbench.explain.wording import listing, name
from workbench.scheduler.preemption.general import Attempt
from workbench.scheduler.preemption.on_node import victim_key
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.refusals import victims
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.state import Allocation
from workbench.scheduler.records.stoppings import Stopping, Taken, Verdict

MOST_VICTIMS = 2
"""Victims that are told one by one."""
MOST_REASONS = 4
"""Reasons that spared somebody, told with their numbers."""

SPARED_BECAUSE: Mapping[type[Refusal], str] = {
    victims.SameQueue: "in its own queue",
    victims.OutsideFence: "outside the fence",
    victims.PreemptionDisabled: "where preemption.policy is disabled",
    victims.WithinGuarantee: "within their guarantee",
    victims.NothingToGive: "within their guarantee",
    victims.KeepsGuarantee: "within their guarantee",
    victims.PriorityTooHigh: "of a higher priority",
    victims.BehindPriorityFence: "behind a priority fence",
    victims.NotNeeded: "not needed",
    victims.TargetReached: "not needed",
    victims.DoesNotHelp: "of no help",
    victims.NoHelpOnNode: "of no help",
    victims.NoCommonType: "of other resources",
    victims.NothingOfTarget: "of other resources",
    victims.BoundToNode: "bound to their node",
    victims.Elsewhere: "on other nodes",
    victims.NodeLost: "on other nodes",
    victims.OnUnusableNode: "on nodes that cannot be used",
    victims.OverBudget: "too large",
    victims.LargerThanTarget: "too large",
    victims.Foreign: "of other schedulers",
    victims.AlreadyGoing: "ending anyway",
    victims.SearchStopped: "not reached",
    victims.NoShare: "in queues that have no share in it",
}
"""What spared somebody -> how that is told behind a number."""


def what_was_preempted(decision: Decision) -> Explanation | None:
    """Who was stopped in a step that was taken and why, from its traced decision; None if nobody was."""
    if not decision.victims:
        return None
    attempt = next((each for each in preemption.attempts(decision) if each.succeeded and each.victims), None)
    source: Attempt | Stopping | None = attempt
    if source is None:
        source = next((each for each in decision.stoppings if each.taken), None)
    who = listing([name(key) for key in decision.victims])
    headline = stopped_for(who, words.about(decision), decision.node_id, len(decision.victims), decision.outcome == "enforced")
    if source is None:
        return Explanation(headline, tuple(enforced(decision)))
    told = [*map(_victim, source.taken[:MOST_VICTIMS]), *_spared(source.verdicts)]
    told += _rather(attempt) if attempt is not None else []
    return Explanation(headline, tuple(told))


def _victim(taken: Taken) -> str:
    who = words.request(taken.key, taken.application_id)
    holds = preemption_texts.victims_queue(taken.queue, taken.used_before, taken.used_after, taken.guaranteed)
    surprises = [refusals.surprise(each) for each in taken.surprises]
    return " ".join([was_taken(who), holds, *surprises])


def _spared(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """How many were spared, by what."""
    counts: dict[str, int] = {}
    for each in verdicts:
        if each.refusal is not None and (each.key or each.count):
            why = SPARED_BECAUSE.get(type(each.refusal)) or refusals.short_name(each.refusal).replace("-", " ")
            counts[why] = counts.get(why, 0) + (1 if each.key else each.count)
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    if ranked:
        told = [f"{number:,} {why}" for why, number in ranked[:MOST_REASONS]]
        rest = sum(number for _, number in ranked[MOST_REASONS:])
        yield spared([*told, *([f"{rest:,} for other reasons"] if rest else [])])


def _rather(attempt: Attempt) -> Iterator[str]:
    """Why the last victim rather than the first of those that could have been one."""
    if not attempt.victims:
        return
    mine = attempt.victims[-1]
    held = {(each.application_id, each.key): each for those in attempt.eligible.values() for each in those}
    for verdict in attempt.verdicts:
        if isinstance(verdict.refusal, victims.NotNeeded):
            other = held.get((verdict.application_id, verdict.key))
            field = None if other is None else _deciding(mine, other)
            if other is not None and field is not None:
                yield rather(name(mine.key), name(other.key), field)
                return
        if isinstance(verdict.refusal, victims.NodeLost | victims.Elsewhere):
            yield rather(name(mine.key), name(verdict.key), refusals.reason(verdict.refusal))
            return


def _deciding(mine: Allocation, other: Allocation) -> str | None:
    """The first key of the order of victims in which they differ, as a sentence. P-72"""
    if victim_key(mine) > victim_key(other):
        return None  # it stood first, but was passed over
    if mine.allow_preempt_self != other.allow_preempt_self:
        return OPTED_OUT
    if mine.originator != other.originator:
        return DRIVER
    return NEWER if mine.created_ns != other.created_ns else LATER


# ---- in words ---------------------------------------------------------------------------------------------------------

OPTED_OUT = "the other one has opted out of being preempted, and such go last."
DRIVER = "the other one is the driver of its application, and drivers go after the rest."
NEWER = "it is newer, and the newest go first."
LATER = "both are equally old, and the one that was created last goes first."


def stopped_for(victims: str, who: str, node: str, number: int, is_quota: bool) -> str:
    were = "was" if number == 1 else "were"
    if is_quota:
        return f"{victims} {were} preempted, because {who} was over its maximum."
    return f"{victims} {were} preempted on {name(node)} to make room for {who}."


def was_taken(who: str) -> str:
    return f"Victim {who}:"


def spared(numbers: list[str]) -> str:
    return f"Spared: {listing(numbers, most=len(numbers))}."


def rather(mine: str, other: str, why: str) -> str:
    return f"{mine} rather than {other}: {why[:1].lower()}{why[1:]}"
