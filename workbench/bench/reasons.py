"""What the screen says beside the picture: what comes next and why, what is asked about, and what the scheduler has refused.

The sentences are those of `workbench.explain`; here is their order, and which of them are kept for whoever wants everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from workbench import explain
from workbench.bench import texts
from workbench.bench.desk import Desk
from workbench.bench.present import Present
from workbench.bench.verbs.explaining import remedies_of, why_not_sentences
from workbench.bench.views import VIEWS
from workbench.explain import remedy_texts, words
from workbench.explain.preempted import what_was_preempted
from workbench.explain.remedy import remedy_change, remedy_sentence
from workbench.explain.running import running, since_ns
from workbench.explain.why import MOST_SENTENCES
from workbench.explain.wording import name, seconds
from workbench.simulation import coming
from workbench.simulation.driver import MS_NS
from workbench.simulation.waiting import Waiting

Paragraph = tuple[str, str]
"""Its kind, as the screen sets it, and its text."""


def rival(present: Present) -> Waiting | None:
    """The request that somebody would expect first and that is not next: the one of the highest priority of its own."""
    waiting = [item for item in present.waiting if item.refusal is not None]
    return max(waiting, key=lambda item: (item.ask.priority, -item.rank), default=None)


def paragraphs(desk: Desk, present: Present) -> tuple[list[Paragraph], list[Paragraph]]:
    """The sentences, and those that are left for whoever wants everything: each answer has five at most (U-19)."""
    shown: list[Paragraph] = []
    rest: list[Paragraph] = []
    if desk.question_open:
        question, how = desk.question
        said = desk.reply.splitlines() or how.splitlines()
        return [("title", question), *(("body", line) for line in said)], []
    if present.covered:  # whether the answer was right, and no word about what may be asked for next
        first, *others = desk.verdict.splitlines()
        told = [("title", first), *(("body", sentence) for sentence in others)]
        return [*told, ("note", texts.COVERED_AFTER_ANSWER)], []
    for first, *others in _about_selected(desk, present):
        shown += [("title", first), *(("body", sentence) for sentence in others[: MOST_SENTENCES - 1])]
        rest += [("note", sentence) for sentence in others[MOST_SENTENCES - 1 :]]
    refused = present.refused.sentences
    if not present.waiting and not present.decision.changed_something and present.decision.skipped is None:
        return [*shown, ("title", _nothing(present)), *(("body", sentence) for sentence in refused)], rest
    answer = explain.why(present.decision)
    shown += [("title", answer.headline), *(("body", sentence) for sentence in answer.sentences)]
    rest += [("note", sentence) for sentence in answer.more]
    shown += [("note", sentence) for sentence in refused]
    if desk.selected_request is None and len(present.waiting) > 1 and "tables" in VIEWS[desk.view]:
        shown.append(("note", texts.SELECT_A_REQUEST))
    return shown, rest


def just_happened(desk: Desk, present: Present) -> tuple[str, ...]:
    """What the last step did: a sentence, and of a preemption also who was stopped, who was spared, and why.

    While a prediction is judged, the verdict tells it.
    """
    if not present.taken or desk.question_open or present.covered:
        return ()
    step = present.taken[-1]
    told = None if present.preempted is None else what_was_preempted(present.preempted)
    if told is None:
        return (texts.stepped(step.number, step.decision),)
    return (texts.at_step(step.number, told.headline), *told.sentences)


@dataclass(frozen=True, slots=True)
class Offer:
    """Something to press beside the sentences: a verb with its arguments, and before it is pressed what it does.

    Attributes:
        label: what is done.
        hint: what came of trying it.
    """

    label: str
    hint: str
    verb: str
    arguments: tuple[object, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)


MOST_OFFERS = 4


def offers(desk: Desk, present: Present) -> tuple[Offer, ...]:
    """What helps the selected request, each tried; and where nothing can be placed now, the time until the scheduler looks anew."""
    if present.covered:
        return ()
    found: list[Offer] = []
    chosen = desk.selected_request
    for item in present.waiting:
        if (item.application.id, item.ask.key) == chosen and item.refusal is not None:
            for remedy in remedies_of(desk, item)[:MOST_OFFERS]:
                change = remedy_change(remedy)
                options = {"remedy": change, "application": item.application.id}
                found.append(Offer(change, remedy_sentence(remedy, item), "apply_remedy", (item.ask.key,), options))
    if not present.decision.changed_something and present.decision.skipped is None:
        left_ms = coming.wait_ms(present.simulation, present.waiting)
        if left_ms and all(each.label != waiting_for(left_ms) for each in found):
            found.append(Offer(let_pass(left_ms), LET_PASS_HINT, "advance", (left_ms / 1000,)))
    return tuple(found)


def _nothing(present: Present) -> str:
    """Why nothing is next where nothing waits."""
    # An application that has never asked for anything is New.
    asked = present.taken or any(each.state != "New" for each in present.partition.applications.values())
    if present.refused:
        return texts.NOTHING_MORE_ACCEPTED if asked else texts.NOTHING_ACCEPTED
    return texts.NOTHING_MORE if asked else texts.NOTHING_ASKED


def _about_selected(desk: Desk, present: Present) -> Iterator[tuple[str, ...]]:
    """Why the selected request has to wait and what would help it, or where it runs."""
    chosen = desk.selected_request
    if chosen is None:
        return
    for item in present.waiting:
        if (item.application.id, item.ask.key) == chosen and item.refusal is not None:
            yield why_not_sentences(desk, item)
    for owner, allocation in running(present.partition):
        if (owner.id, allocation.key) == chosen:
            who = words.request(allocation.key, owner.id)
            yield (runs(who, owner.queue_path, allocation.node_id, since_ns(allocation)),)
            return
    for step in reversed(present.taken):
        if chosen in step.decision.stopped:
            yield (was_preempted(words.request(chosen[1], chosen[0]), step.number, words.about(step.decision)),)
            return


# ---- in words ---------------------------------------------------------------------------------------------------------


LET_PASS_HINT = "Until then no waiting request can do anything that it cannot do now; then the scheduler looks anew"


def waiting_for(ms: int) -> str:
    """The same as a change that helps."""
    return remedy_texts.change("wait", "", "", None, ms * MS_NS)


def let_pass(ms: int) -> str:
    return f"Let {seconds(ms * MS_NS)} pass"


def was_preempted(who: str, step: int, served: str) -> str:
    return f"{who} was preempted in step {step}, for {served}."


def runs(who: str, queue: str, node: str, since_ns: int) -> str:
    return f"{who} in {name(queue)} runs on {name(node)} since {seconds(since_ns)}."
