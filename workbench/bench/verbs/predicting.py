"""Predicting: the ranking is covered, somebody says what comes next, and the step shows whether it does."""

from __future__ import annotations

from collections.abc import Sequence

from workbench import explain
from workbench.bench import prediction, texts
from workbench.bench.controller import Text, call_of
from workbench.bench.desk import Desk
from workbench.bench.prediction import NEXT, VICTIMS, Question
from workbench.explain.wording import counted, name
from workbench.values.errors import CommandError

NOBODY = "nobody"
PREDICTED_RIGHT = "Right."
UNCOVERED = "What comes next is shown."


def predict(desk: Desk, answer: str = "", *, victims: Sequence[str] | None = None, ask: str = NEXT, blind: bool = False) -> Text:
    """Say what the next step will be about: a queue, an application, a request or a node by name, or "nothing".

    Then the step is taken, and the prediction scored. Without an answer the question is asked: the ranking, the pictures
    that show it and Why are covered until the answer, `reveal`, or any other step.

    Args:
        victims: keys of all allocations that the next step stops, instead of an answer.
        ask: "next", or "victims" to be asked what will be stopped; an answer then names the queue that loses something.
        blind: with a question, the priorities of queues and applications are covered, too: they are to be worked out
            from the requests.

    Raises:
        CommandError: there is nothing of that name. The question stays open, and no step is taken.
    """
    if not answer and victims is None:
        question, how = texts.PREDICT_QUESTIONS.get(ask, ("", ""))
        call = call_of("predict", ask=ask if ask != NEXT else None, blind=blind or None)
        with desk.verb(call, repeats=desk.asked.call) as say:
            if not question:
                raise CommandError(texts.no_such("question", ask, texts.PREDICT_QUESTIONS))
            desk.asked, desk.answered = Question(ask, call, blind, at=desk.instant()), None
            say(question)
        return Text(f"{question} {how}")
    call = call_of("predict", *([answer] if answer else []), victims=list(victims) if victims else None)
    with desk.verb(call, repeats=desk.asked.call) as say:
        decision = desk.simulation.preview()
        spared: tuple[str, ...] = ()
        if victims is not None:
            right = prediction.names_the_victims(victims, decision, desk.partition)
            spared = prediction.why_spared(victims, decision, desk.partition)
        elif desk.question_open and desk.asked.about == VICTIMS:
            right = prediction.names_who_loses(answer, decision, desk.partition)
            spared = prediction.why_spared([answer], decision, desk.partition)
        else:
            right = prediction.names_the_next(answer, decision, desk.partition, desk.simulation.waiting())
        desk.simulation.step()
        desk.drop_lost_selection()
        desk.asked, desk.score = desk.asked.closed(), desk.score.after(right)
        named = answer or ", ".join(victims or ()) or NOBODY
        verdict = PREDICTED_RIGHT if right else predicted_wrong(named)
        why = explain.why(decision, done=decision.changed_something)
        told_all = "\n".join([f"{verdict} {why}", *spared])
        score = told_score(desk.score.right, desk.score.made)
        desk.answered = desk.instant(), told_all
        # Who is stopped is what was asked for, and what one wants to know.
        told = (why.headline, *why.sentences[:1]) if decision.victims else (why.headline,)
        say(" ".join([verdict, *told, score]))
    return Text(f"{told_all}\n{score}")


def reveal(desk: Desk) -> Text:
    """The step that was asked for, with its reasons: it is taken unless an answer took it already."""
    with desk.verb("bench.reveal()", repeats=desk.asked.call) as say:
        text = desk.verdict
        if not text:
            decision = desk.simulation.preview()
            desk.simulation.step()
            desk.drop_lost_selection()
            text = str(explain.why(decision, done=decision.changed_something))
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


def told_score(right: int, made: int) -> str:
    return f"{right} of {counted(made, 'prediction')} right."
