"""Why this preemption, or none: one attempt in words, every candidate victim with what protected it, every node. E-20.

Everything is read from the `Attempt` that a traced cycle left in its decision; nothing is looked up in the state.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.explain import preemption_texts, refusals, words
from workbench.explain.tables import Table
from workbench.explain.why import MOST_SENTENCES, Explanation
from workbench.explain.wording import listing, name
from workbench.scheduler.preemption.general import Attempt
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.stoppings import Stopping, Taken, Verdict
from workbench.values.resources import EMPTY, add, fit_in

CANDIDATE_COLUMNS = ("queue", "verdict", "allocations", "which")
NO_CANDIDATES = "There was nothing that could be stopped."
VICTIM_NODE_CAPTION = "Nodes of the attempt, in the order in which they were looked at"
VICTIM_NODE_COLUMNS = ("node", "candidates", "accepted", "needed", "outcome")
VICTIM_ORDER = "Regular ones go before drivers, both before those that opted out, and the newest first."
NODE_CHOSEN = "chosen"
NODE_REJECTED = "no set of victims makes room"
NODE_NOT_CHOSEN = "not chosen"


def attempts(decision: Decision, key: str | None = None) -> tuple[Attempt, ...]:
    """The attempts at preemption of a traced decision, in order; with `key` those of asks of that key."""
    return tuple(attempt for asked, attempt in decision.preemptions if key in (None, asked))


def why_preempt(attempt: Attempt) -> Explanation:
    """Why these victims on this node, or why none: the first stage that failed with its numbers, and known surprises."""
    who = words.request(attempt.ask.key, attempt.ask.application_id)
    if attempt.succeeded and attempt.node is not None:
        headline = preemption_texts.makes_room(who, name(attempt.node.id), len(attempt.victims))
        sentences = list(_success(attempt))
    else:
        headline = preemption_texts.makes_no_room(who)
        sentences = [refusals.reason(attempt.refusal)] if attempt.refusal is not None else []
    sentences += [refusals.surprise(each) for each in attempt.surprises]
    most = MOST_SENTENCES - 1
    return Explanation(headline, tuple(sentences[:most]), tuple(sentences[most:]))


def victim_rows(attempt: Attempt | Stopping) -> Table:
    """Every candidate victim: those taken first, then what protected the others; one row for all that a queue protects."""
    taken = {(each.application_id, each.key): each for each in attempt.taken}
    rows = tuple(_row(verdict, taken.get((verdict.application_id, verdict.key))) for verdict in attempt.verdicts)
    keys = tuple((verdict.application_id, verdict.key) if verdict.key else verdict.queue for verdict in attempt.verdicts)
    return Table(words.VICTIM_CAPTION, words.VICTIM_COLUMNS, rows, frozenset(("priority",)), keys, NO_CANDIDATES)


def candidate_rows(attempt: Attempt | Stopping) -> Table:
    """The candidates of `victim_rows` put together by queue and verdict, in the same order; without those that were none."""
    found: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in attempt.verdicts:
        outcome = words.TAKEN if verdict.refusal is None else refusals.short_name(verdict.refusal)
        if verdict.key or verdict.count:
            found.setdefault((verdict.queue, outcome), []).append(verdict)
    rows = tuple(
        (
            name(queue) if queue else "",
            outcome,
            str(sum(1 if each.key else each.count for each in those)),
            listing([name(each.key) for each in those if each.key]),
        )
        for (queue, outcome), those in found.items()
    )
    return Table(
        words.VICTIM_CAPTION,
        CANDIDATE_COLUMNS,
        rows,
        frozenset(("allocations",)),
        tuple(found),
        NO_CANDIDATES,
    )


def victim_node_rows(attempt: Attempt) -> Table:
    """Every node of the attempt: how many candidates ran there, how many were accepted and needed, and what became of it."""
    rows, keys = [], []
    for offer in attempt.per_node:
        if attempt.node is offer.node:
            outcome = NODE_CHOSEN
        else:
            outcome = NODE_REJECTED if offer.victims is None else NODE_NOT_CHOSEN
        accepted = "" if offer.victims is None else str(len(offer.victims))
        needed = "" if offer.victims is None else str(offer.index + 1)
        rows.append((name(offer.node.id), str(len(offer.potential)), accepted, needed, outcome))
        keys.append(offer.node.id)
    for refusal in attempt.refused_nodes:
        rows.append((name(refusal.subject), "", "", "", refusals.reason(refusal)))
        keys.append(refusal.subject)
    return Table(
        VICTIM_NODE_CAPTION,
        VICTIM_NODE_COLUMNS,
        tuple(rows),
        frozenset(("candidates", "accepted", "needed")),
        tuple(keys),
        words.NO_NODES,
    )


def _success(attempt: Attempt) -> Iterator[str]:
    assert attempt.node is not None
    need, free, freed = attempt.ask.resource, attempt.free, attempt.freed or EMPTY
    yield preemption_texts.freed(attempt.node.id, free, freed, need, fit_in(add(free, freed), need))
    if len(attempt.taken) > 1:
        yield VICTIM_ORDER
    for each in attempt.taken:
        who = words.request(each.key, each.application_id)
        yield preemption_texts.victim(each.position, who, each.queue, each.opted_out, each.originator, each.created_ns)
        yield _effect(each)


def _effect(taken: Taken) -> str:
    """What the victim's queue holds before and after, and by which surprise it lost its protection."""
    broken = [refusals.surprise(each) for each in taken.surprises]
    return " ".join([preemption_texts.victims_queue(taken.queue, taken.used_before, taken.used_after, taken.guaranteed), *broken])


def _row(verdict: Verdict, taken: Taken | None) -> tuple[str, ...]:
    if verdict.key:
        who = name(verdict.key)
    else:
        who = words.allocations(verdict.count) if verdict.queue else preemption_texts.other_pods(verdict.count)
    if verdict.refusal is None:
        outcome, why = words.TAKEN, _effect(taken) if taken is not None else ""
    else:
        outcome, why = refusals.short_name(verdict.refusal), refusals.reason(verdict.refusal)
    return (
        who,
        name(verdict.application_id) if verdict.key else "",
        name(verdict.queue) if verdict.queue else "",
        name(verdict.node_id) if verdict.node_id else "",
        "" if verdict.priority is None else str(verdict.priority),
        outcome,
        why,
    )
