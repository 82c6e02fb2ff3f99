"""Predicting: what comes next is covered, somebody says what it is, and the step shows whether it is so.

A question takes two answers. To the first wrong one is said what it may come from, and the question stays open; after the second
the step is taken with its reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench import explain
from workbench.bench import grading, misconceptions, prediction, texts
from workbench.bench.controller import Say, Text, call_of
from workbench.bench.desk import Desk
from workbench.bench.prediction import NEXT, TRIES, VICTIMS, Question, Score
from workbench.bench.scores import FIRST, OPEN, SECOND, SHOWN, WRONG, score
from workbench.explain.refusals import victims as refusals_of
from workbench.explain.wording import counted, name
from workbench.values.errors import CommandError, WorkbenchError

NOBODY = "nobody"
PREDICTED_RIGHT = "Right."
UNCOVERED = "What comes next is shown."
ONE_MORE_TRY = "One more try: the question stays open."


def predict(
    desk: Desk, answer: str = "", *, victims: Sequence[str] | None = None, ask: str = "", blind: bool = False, question: str = ""
) -> Text:
    """Say what the next step will be about: a queue, an application, a request or a node by name, or "nothing".

    Without an answer the question is asked, and everything that tells what comes next is covered until the second wrong answer, a
    right one, `reveal`, or any other step. An answer that is not exact enough for what was asked is told so, and costs nothing. The
    first wrong one gets a reply, and one more try. Then the step is taken, and the prediction scored.

    Args:
        answer: a name; `app/key` is the request of that key of one application.
        victims: keys of all allocations that the next step stops, instead of an answer.
        ask: what is asked for: "request", "application", "queue" or "node"; "next" for any of them; "victims" to be asked what
            will be stopped, where an answer then names the queue that loses something. With an answer too, where nothing is asked.
        blind: with a question, the priorities of queues and applications are covered, too: they are to be worked out
            from the requests.
        question: what the question is called in the scores, such as "fences 1".

    Raises:
        CommandError: there is nothing of that name. The question stays open, and no step is taken.
    """
    if not answer and victims is None:
        return _asked(desk, ask or NEXT, blind, question)
    call = call_of("predict", *([answer] if answer else []), victims=list(victims) if victims else None)
    with desk.verb(call, repeats=desk.asked.call) as say:
        if not desk.question_open or ask and ask != desk.asked.about:
            _known_question(ask or NEXT)
            about = VICTIMS if victims is not None else ask or NEXT
            desk.asked, desk.answered = Question(about, "", blind, desk.instant(), question), None
        return _answered(desk, answer, victims, say)


def _asked(desk: Desk, ask: str, blind: bool, question: str) -> Text:
    call = call_of("predict", ask=ask if ask != NEXT else None, blind=blind or None, question=question)
    with desk.verb(call, repeats=desk.asked.call) as say:
        text, how = _known_question(ask)
        desk.asked, desk.answered = Question(ask, call, blind, desk.instant(), question), None
        say(text)
    return Text(f"{text} {how}")


def _known_question(ask: str) -> tuple[str, str]:
    if ask not in texts.PREDICT_QUESTIONS:
        raise CommandError(texts.no_such("question", ask, texts.PREDICT_QUESTIONS))
    return texts.PREDICT_QUESTIONS[ask]


def _answered(desk: Desk, answer: str, victims: Sequence[str] | None, say: Say) -> Text:
    simulation, asked = desk.simulation, desk.asked
    decision, waiting = simulation.preview(), simulation.waiting()
    spared: tuple[str, ...] = ()
    if victims is not None:
        right = prediction.names_the_victims(victims, decision, desk.partition)
        spared = prediction.why_spared(victims, decision, desk.partition)
    elif asked.about == VICTIMS:
        right = prediction.names_who_loses(answer, decision, desk.partition)
        spared = prediction.why_spared([answer], decision, desk.partition)
    else:
        vague = grading.too_vague(answer, asked.about, desk.partition, waiting)
        if vague:
            say(vague)
            return Text(vague)
        right = grading.is_right(answer, asked.about, decision, desk.partition, waiting)
    named = answer or ", ".join(victims or ()) or NOBODY
    tried = len(asked.wrong) + 1
    if not right and tried < TRIES:
        spared = tuple(each for each in spared if not each.endswith(refusals_of.WAS_CHOSEN))
        code = ""
        if victims is None and asked.about != VICTIMS:
            code, reply = misconceptions.recognised(answer, asked.about, simulation, waiting, desk.config)
            spared = (reply,) if reply else ()
        desk.asked = replace(asked, wrong=(*asked.wrong, named))
        spared = (*spared, *_noted(asked.name, OPEN, (named, code)))
        told = "\n".join([predicted_wrong(named), *spared, ONE_MORE_TRY])
        desk.replied = told
        say(told.replace("\n", " "))
        return Text(told)
    simulation.step()
    desk.drop_lost_selection()
    desk.asked, desk.score = asked.closed(), desk.score.after(right, tried)
    verdict = PREDICTED_RIGHT if right else predicted_wrong(named)
    why = explain.why(decision, done=decision.changed_something)
    lost = _noted(asked.name, FIRST if right and tried == 1 else SECOND if right else WRONG, ("", "") if right else (named, ""))
    told_all = "\n".join([f"{verdict} {why}", *spared, *lost])
    score = told_score(desk.score)
    desk.answered = desk.instant(), told_all
    # Who is stopped is what was asked for, and what one wants to know.
    headlines = (why.headline, *why.sentences[:1]) if decision.victims else (why.headline,)
    say(" ".join([verdict, *headlines, score]))
    return Text(f"{told_all}\n{score}")


def _noted(question: str, outcome: str, wrong: tuple[str, str]) -> tuple[str, ...]:
    """Put an answer into the scores of the notebook, if the question has a name there; why that failed. The prediction stands."""
    if not question:
        return ()
    try:
        score.answered(question, outcome, wrong)
    except WorkbenchError as error:
        return (str(error),)
    return ()


def reveal(desk: Desk) -> Text:
    """The step that was asked for, with its reasons: it is taken unless an answer took it already."""
    with desk.verb("bench.reveal()", repeats=desk.asked.call) as say:
        text = desk.verdict
        if not text:
            decision = desk.simulation.preview()
            desk.simulation.step()
            desk.drop_lost_selection()
            text = str(explain.why(decision, done=decision.changed_something))
            if desk.asked.at is not None:
                text = "\n".join([text, *_noted(desk.asked.name, SHOWN, ("", ""))])
            desk.answered = desk.instant(), text
        desk.asked = desk.asked.closed()
        say(text.partition("\n")[0])
    return Text(text)


def uncover(desk: Desk) -> None:
    """Show what comes next after an answer, where it stays covered for the next question. An open question stays open."""
    with desk.verb("bench.uncover()", silent=True) as say:
        if desk.question_open:
            raise CommandError(texts.COVERED)
        desk.answered = None
        say(UNCOVERED)


# ---- in words ---------------------------------------------------------------------------------------------------------


def predicted_wrong(answer: str) -> str:
    return f"Not {name(answer)}."


def told_score(score: Score) -> str:
    at_second = f", {score.second} more at the second try" if score.second else ""
    return f"{score.right} of {counted(score.made, 'prediction')} right{at_second}."
