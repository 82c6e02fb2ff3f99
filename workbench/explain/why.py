"""Why a decision came out as it did, and why an ask is not the next one: a few sentences, the most decisive first.

The words are in `why_texts`; what is compared is read from the decision record. Comparisons follow the way down:
queues from root, applications, asks, nodes. The higher one is the more decisive: it settles everything below (U-19).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.explain import levels, refusals, why_texts, words
from workbench.explain.remedy import what_would_help
from workbench.explain.wording import listing, name, priority
from workbench.scheduler.objects import reservations
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.records.decision import Candidate, Decision, Level
from workbench.scheduler.records.refusals.base import Surprise
from workbench.scheduler.records.refusals.nodes import Constraints, FitsNowhereNow, TooYoung
from workbench.scheduler.records.refusals.room import NoUserRoom
from workbench.scheduler.records.refusals.surprises import WildcardKept
from workbench.scheduler.records.refusals.taking_part import NotReached
from workbench.simulation.remedies import Remedies
from workbench.simulation.waiting import Waiting

NO_COMPETITOR = "Nothing competes with it."
RESERVED_FIRST = "It holds a reservation, and requests with reservations are tried before all others."
RESERVES_BECAUSE = "No node has room for it, and it has waited for more than 2 s, so it reserves the node that suits it best."
REQUIRED_NODE_RESERVES = "It must run on this node, which has no room yet, so it reserves it at once."
DROPPED_BECAUSE = "Its request is gone or already placed."
NO_VALUE_COMPARED = "everything that is compared"
NOTHING_FITS_TITLE = "Nothing can be placed now"

MOST_SENTENCES = 5


@dataclass(frozen=True, slots=True)
class Explanation:
    """An answer: what happens, the decisive reasons, and what is left for whoever wants everything.

    `headline` and `sentences` together are at most five; names in them are data, to be escaped where markup is read.
    """

    headline: str
    sentences: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join((self.headline, *self.sentences))


def why(decision: Decision, *, done: bool = False) -> Explanation:
    """Why this decision: the outcome and the comparisons that led to it. Needs a traced decision for the comparisons.

    Args:
        done: the decision has been carried out; otherwise the headline says what comes next.
    """
    if decision.changed_something:
        who = words.about(decision)
        headline = words.headline(decision.outcome, who, name(decision.node_id), done=done)
        reasons = list(_reasons(decision)) or [NO_COMPETITOR] * bool(decision.levels)
    elif decision.skipped is not None:
        headline, reasons = words.NOTHING_NEXT, [refusals.reason(decision.skipped)]
    else:
        headline = words.NOTHING_NEXT
        reasons = [f"{who}: {refusals.reason(refusal)}" for who, refusal in levels.all_blockers(decision)]
    reasons += [refusals.surprise(each) for each in decision.surprises if not _concerns_a_loser(each, decision)]
    most = MOST_SENTENCES - 1
    if decision.outcome != "enforced":
        # Something else that happened is told whatever there is to say about the ask.
        also = [why_texts.in_the_same_step(each) for each in _beside(decision)]
        kept = max(0, most - len(also))
        reasons = [*reasons[:kept], *also, *reasons[kept:]]
    return Explanation(headline, tuple(reasons[:most]), tuple(reasons[most:]))


def _concerns_a_loser(surprise: Surprise, decision: Decision) -> bool:
    """Whether it is about an ask or application other than the one that the decision serves."""
    return surprise.application not in ("", decision.application_id)


def why_not(waiting: Waiting, decision: Decision, remedies: Remedies | None = None) -> tuple[str, ...]:
    """Why a waiting ask is not the one that `decision` serves: the first level, from root, at which its branch lost (U-20).

    `decision` is the traced decision of the same instant, e.g. `sim.preview()`. With the `remedies` of the ask,
    `sim.remedies(waiting)`, what would help follows.
    """
    sentences = (*_why_not(waiting, decision), *_context(waiting, decision))
    if remedies is None:
        return sentences
    return (*sentences, *_when_it_may(waiting, remedies), *what_would_help(waiting, remedies))


def _when_it_may(waiting: Waiting, remedies: Remedies) -> Iterator[str]:
    """Of an ask that may not preempt yet: why it will not when it may. If it will, the change "wait" tells so."""
    if remedies.then is not None:
        yield why_texts.nor_then(refusals.reason(remedies.then))


def _why_not(waiting: Waiting, decision: Decision) -> tuple[str, ...]:
    who = words.request(waiting.ask.key, waiting.application.id)
    if waiting.refusal is None:
        return (why_texts.is_next(who),)
    head = why_texts.not_yet(who, waiting.application.queue_path)
    if not isinstance(waiting.refusal, NotReached) or not decision.changed_something:
        also = refusals.preemption_reason(waiting.refusal)
        return (head, refusals.reason(waiting.refusal), also) if also else (head, refusals.reason(waiting.refusal))
    if decision.phase in ("reserved", "placeholder"):
        winner = words.request(decision.key, decision.application_id)
        return head, why_texts.behind_phase(winner, decision.phase)
    for level in levels.winners_levels(decision):
        branch = _branch(waiting, level)
        if branch is not None and level.winner is not None and branch != level.winner.name:
            return head, *_lost(waiting, level, branch)
    return head, refusals.reason(waiting.refusal)


def _context(waiting: Waiting, decision: Decision) -> Iterator[str]:
    """What else keeps it: too young to reserve a node (W-21); known surprises of the real scheduler."""
    age_ns = decision.now_ns - waiting.ask.created_ns
    if (
        isinstance(waiting.refusal, FitsNowhereNow | Constraints)
        and age_ns <= reservations.DELAY_NS
        and waiting.ask.key not in waiting.application.reservations
    ):
        yield refusals.reason(TooYoung(waiting.ask.key, age_ns))
    if waiting.refusal is not None and decision.key != waiting.ask.key:
        yield from _on_required_node(decision, waiting.ask.key, waiting.application.id)
    for surprise in decision.surprises:
        is_of_it = surprise.application == waiting.application.id and surprise.ask in ("", waiting.ask.key)
        if waiting.refusal is not None and is_of_it:
            yield refusals.surprise(surprise)
    if isinstance(waiting.refusal, NoUserRoom) and waiting.refusal.kept:
        yield refusals.surprise(WildcardKept(waiting.refusal.subject, waiting.refusal.who))


def title(decision: Decision) -> str:
    """One sentence for the picture of a decision: who goes first, and the comparison that settled it."""
    if not decision.changed_something:
        return NOTHING_FITS_TITLE
    if decision.outcome == "enforced":
        return words.headline(decision.outcome, words.about(decision), "", done=False).rstrip(".")
    leaf = name(levels.short_path(decision.path[-1])) if decision.path else name(decision.application_id)
    if decision.phase == "reserved":
        return why_texts.goes_first_by_reservation(leaf)
    if decision.phase == "placeholder":
        return why_texts.goes_first_by_placeholder(leaf)
    for level in levels.winners_levels(decision):
        if level.kind == "node":
            break
        who = {"queue": leaf, "application": name(decision.application_id)}.get(level.kind, name(decision.key))
        place = name(levels.short_path(level.subject))
        tried = levels.tried_before(level)
        if tried:
            return words.goes_first_after(who, place, levels.with_first_value(tried[0]))
        behind = levels.behind(level)
        comparison = levels.compare(level.winner, behind[0]) if behind else None
        if comparison is not None and comparison.is_tie:
            return words.goes_first_among_equals(who, place, name(comparison.loser.name))
        if comparison is not None:
            return words.goes_first(who, place, comparison.field, comparison.mine, comparison.theirs)
    return why_texts.goes_first_alone(leaf)


def enforced(decision: Decision) -> Iterator[str]:
    """What quota preemption stops, and for how much. P-134 to P-138."""
    for each in decision.stoppings:
        if each.kind == "quota":
            keys = [name(taken.key) for taken in each.taken]
            yield why_texts.too_much(each.subject, each.wanted, listing(keys))


def _beside(decision: Decision) -> Iterator[str]:
    """What else is stopped: on the required node of another ask, and for quotas."""
    for each in decision.beside:
        if each.kind == "required-node":
            keys = [name(taken.key) for taken in each.taken]
            yield why_texts.makes_room_for(words.request(each.key, each.application_id), each.subject, listing(keys))
    yield from enforced(decision)


def _on_required_node(decision: Decision, key: str, application_id: str) -> Iterator[str]:
    """What becomes of the others on the node that an ask must run on. P-121, P-122."""
    for each in decision.stoppings:
        if (each.kind, each.key, each.application_id) == ("required-node", key, application_id):
            spared: dict[str, list[str]] = {}
            for verdict in each.verdicts:
                if verdict.refusal is not None:
                    reason = refusals.short_name(verdict.refusal).replace("-", " ")
                    spared.setdefault(reason, []).append(name(verdict.key))
            told = "; ".join(f"{listing(keys)} ({why_spared})" for why_spared, keys in spared.items())
            yield why_texts.must_run_there(each.subject, told) if each.taken else why_texts.no_room_there(each.subject, told)


def level_sentences(decision: Decision, level: Level) -> Iterator[str]:
    """What stood before the winner of a level and could place nothing, and what it was compared with."""
    where = levels.where(level)
    tried = levels.tried_before(level)
    if tried:
        yield _passed_over(decision, level, tried[0])
    behind = levels.behind(level)
    comparison = levels.compare(level.winner, behind[0]) if behind else None
    if comparison is None:
        return
    if comparison.is_tie:
        yield why_texts.tie(
            where,
            levels.with_first_value(comparison.winner),
            levels.with_first_value(comparison.loser),
            comparison.equal_names or NO_VALUE_COMPARED,
            words.TIE_BREAKS[comparison.field],
        )
        return
    winner = levels.labelled(comparison.winner, comparison.field, comparison.mine)
    losers = _losers(comparison.winner, behind, comparison.field)
    if comparison.equal:
        yield why_texts.equal_before(where, winner, losers, comparison.equal_names)
    else:
        yield why_texts.comparison(where, winner, losers)


def _reasons(decision: Decision) -> Iterator[str]:
    if decision.outcome == "unreserved":
        yield DROPPED_BECAUSE
        return
    if decision.outcome == "enforced":
        yield from enforced(decision)
        return
    if decision.phase == "reserved":
        yield RESERVED_FIRST
    elif decision.phase == "placeholder":
        yield why_texts.takes_the_place_of(decision.placeholder)
    if decision.stopped_for_ask:
        yield words.victims([key for _, key in decision.stopped_for_ask])
    yield from _on_required_node(decision, decision.key, decision.application_id)
    taken = levels.winners_levels(decision)
    if decision.outcome == "reserved" and taken:
        tried_nodes = any(level.kind == "node" and level.subject == decision.key for level in levels.last_pass(decision))
        yield RESERVES_BECAUSE if tried_nodes else REQUIRED_NODE_RESERVES
        if decision.instead_of_preempting is not None:
            yield refusals.reason(decision.instead_of_preempting)
    for level in taken:
        # The other passes only visit who holds something; the order of the queues did not choose there.
        if decision.phase == "regular" or level.kind == "node":
            yield from level_sentences(decision, level)


def _passed_over(decision: Decision, level: Level, candidate: Candidate) -> str:
    where, who = levels.where(level), levels.with_first_value(candidate)
    assert candidate.refusal is not None
    if level.kind == "node":
        return why_texts.passed_over_node(where, who, refusals.reason(candidate.refusal))
    blocker, refusal = next(levels.blockers(decision, level, candidate), (name(candidate.name), candidate.refusal))
    why_it_failed = refusals.reason(refusal)
    if level.kind != "ask":
        why_it_failed = f"{blocker}: {why_it_failed}"
    return why_texts.passed_over(where, who, why_it_failed)


def _losers(winner: Candidate, behind: tuple[Candidate, ...], field: str) -> str:
    """Those behind that lost by the same field, with their values; of the others only the number."""
    same, others = [], 0
    for candidate in behind:
        comparison = levels.compare(winner, candidate)
        if comparison is not None and comparison.field == field:
            same.append(levels.labelled(candidate, field, comparison.theirs))
        else:
            others += 1
    return listing(same, more=others)


def _branch(waiting: Waiting, level: Level) -> str | None:
    """The candidate of `level` that contains the ask; None if the level lies elsewhere or concerns nodes."""
    path = waiting.application.queue_path
    if level.kind == "queue":
        return path[len(level.subject) + 1 :].partition(".")[0] if path.startswith(f"{level.subject}.") else None
    if level.kind == "application":
        return waiting.application.id if path == level.subject else None
    if level.kind == "ask":
        return waiting.ask.key if waiting.application.id == level.subject else None
    return None


def _lost(waiting: Waiting, level: Level, branch: str) -> Iterator[str]:
    where = levels.where(level)
    for refusal in level.filtered:
        if refusal.subject == branch:
            yield why_texts.not_in_order(where, name(branch), refusals.reason(refusal))
            return
    loser = next((candidate for candidate in level.candidates if candidate.name == branch), None)
    comparison = levels.compare(level.winner, loser) if loser is not None else None
    if comparison is None:
        assert waiting.refusal is not None  # not taken, and not compared
        yield refusals.reason(waiting.refusal)
        return
    if comparison.is_tie:
        yield why_texts.behind_tie(
            where,
            levels.with_first_value(comparison.loser),
            levels.with_first_value(comparison.winner),
            comparison.equal_names or NO_VALUE_COMPARED,
            words.TIE_BREAKS[comparison.field],
        )
    else:
        yield why_texts.behind(
            where,
            levels.labelled(comparison.loser, comparison.field, comparison.theirs),
            levels.labelled(comparison.winner, comparison.field, comparison.mine),
        )
    if comparison.field == "priority" and level.kind == "queue":
        yield from _how_its_priority_came_about(waiting, f"{level.subject}.{branch}", comparison.theirs)


def _how_its_priority_came_about(waiting: Waiting, path: str, shown: str) -> Iterator[str]:
    """The fence or the offsets that turned the ask's own priority into what its branch shows."""
    own, value = priority(waiting.ask.priority), priority(dict(waiting.priorities)[path])
    below = [queue for queue in ancestry(waiting.application.queue) if queue.path.startswith(path)]
    fences = [queue for queue in below if queue.settings.priority_policy == "fence"]
    if own != value and fences:
        yield why_texts.fence_makes(levels.short_path(fences[-1].path), own, value)
    elif own != value:
        yield why_texts.offsets_make(own, value)
    if value != shown:
        yield why_texts.counts_for_another(levels.short_path(path), value)
