"""Predicting: the ranking is covered, somebody says what comes next, and the step shows whether it does."""

from __future__ import annotations

from collections.abc import Sequence

from workbench import explain
from workbench.bench import prediction, texts
from workbench.bench.controller import Text, call_of
from workbench.bench.prediction import Score
from workbench.bench.verbs.time import Time
from workbench.explain import catalogue
from workbench.values.errors import CommandError

NEXT, VICTIMS = "next", "victims"
"""What can be asked for: what the next step is about, or what it stops."""


class Predicting(Time):
    """Verbs of somebody who learns.

    Attributes:
        score: of the predictions made so far.
    """

    def _forget_predictions(self) -> None:
        self.score = Score()
        self._asked: tuple | None = None
        self._asked_about, self._question, self._blind = NEXT, "", False
        self._answered: tuple[tuple, str] | None = None

    @property
    def question_open(self) -> bool:
        """A prediction is asked for, of the step that comes next now. Whatever moves the state closes the question."""
        return self._asked is not None and self._asked == self._instant()

    @property
    def verdict(self) -> str:
        """Whether the last answer was right, and what happened, in lines; "" once something else has happened since."""
        return self._answered[1] if self._answered is not None and self._answered[0] == self._instant() else ""

    @property
    def priorities_covered(self) -> bool:
        """The question that is open is to be answered without the priorities that queues and applications have now."""
        return self.question_open and self._blind

    @property
    def question(self) -> tuple[str, str]:
        """What was asked for last, and how to answer it."""
        return catalogue.PREDICT_QUESTIONS[self._asked_about]

    def predict(self, answer: str = "", *, victims: Sequence[str] | None = None, ask: str = NEXT, blind: bool = False) -> Text:
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
            question, how = catalogue.PREDICT_QUESTIONS.get(ask, ("", ""))
            call = call_of("predict", ask=ask if ask != NEXT else None, blind=blind or None)
            with self._verb(call, repeats=self._question) as say:
                if not question:
                    raise CommandError(texts.no_such("question", ask, catalogue.PREDICT_QUESTIONS))
                self._asked, self._answered = self._instant(), None
                self._asked_about, self._question, self._blind = ask, call, blind
                say(question)
            return Text(f"{question} {how}")
        call = call_of("predict", *([answer] if answer else []), victims=list(victims) if victims else None)
        with self._verb(call, repeats=self._question) as say:
            decision, spared = self.simulation.preview(), ()
            if victims is not None:
                right = prediction.names_the_victims(victims, decision, self.partition)
                spared = prediction.why_spared(victims, decision, self.partition)
            elif self.question_open and self._asked_about == VICTIMS:
                right = prediction.names_who_loses(answer, decision, self.partition)
                spared = prediction.why_spared([answer], decision, self.partition)
            else:
                right = prediction.names_the_next(answer, decision, self.partition, self.simulation.waiting())
            self.simulation.step()
            self._drop_lost_selection()
            self._asked, self.score = None, self.score.after(right)
            named = answer or ", ".join(victims or ()) or catalogue.NOBODY
            verdict = catalogue.PREDICTED_RIGHT if right else catalogue.predicted_wrong(named)
            why = explain.why(decision, done=decision.changed_something)
            told_all = "\n".join([f"{verdict} {why}", *spared])
            score = catalogue.score(self.score.right, self.score.made)
            self._answered = self._instant(), told_all
            # Who is stopped is what was asked for, and what one wants to know.
            told = (why.headline, *why.sentences[:1]) if decision.victims else (why.headline,)
            say(" ".join([verdict, *told, score]))
        return Text(f"{told_all}\n{score}")

    def reveal(self) -> Text:
        """The step that was asked for, with its reasons: it is taken unless an answer took it already."""
        with self._verb("wb.reveal()", repeats=self._question) as say:
            text = self.verdict
            if not text:
                decision = self.simulation.preview()
                self.simulation.step()
                self._drop_lost_selection()
                text = str(explain.why(decision, done=decision.changed_something))
            self._asked = None
            say(text.partition("\n")[0])
        return Text(text)

    def _instant(self) -> tuple:
        """What tells two states of this workbench apart, well enough to know whether somebody moved it."""
        simulation = self.simulation
        return (
            id(simulation),
            simulation.position,
            simulation.now_ns,
            len(simulation.inputs),
            simulation.played,
            simulation.planned,
        )
