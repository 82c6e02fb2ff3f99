"""Predicting: the ranking is covered, somebody says what comes next, and the step shows whether it does."""

from __future__ import annotations

from collections.abc import Sequence

from workbench import explain
from workbench.explain import catalogue
from workbench.widgets import prediction
from workbench.widgets.controller import Text, call_of
from workbench.widgets.prediction import Score
from workbench.widgets.verbs.time import Time

QUESTION, BLIND_QUESTION = "wb.predict()", "wb.predict(blind=True)"


class Predicting(Time):
    """Verbs of somebody who learns.

    Attributes:
        score: of the predictions made so far.
    """

    def _forget_predictions(self) -> None:
        self.score = Score()
        self._asked: tuple | None = None
        self._blind = False
        self._answered: tuple[tuple, str] | None = None

    @property
    def question_open(self) -> bool:
        """A prediction is asked for, of the step that comes next now. Whatever moves the state closes the question."""
        return self._asked is not None and self._asked == self._instant()

    @property
    def priorities_covered(self) -> bool:
        """The question that is open is to be answered without the priorities that queues and applications have now."""
        return self.question_open and self._blind

    @property
    def _question(self) -> str:
        """The call that asked the question, which the answer takes the place of."""
        return BLIND_QUESTION if self._blind else QUESTION

    def predict(self, answer: str = "", *, victims: Sequence[str] | None = None, blind: bool = False) -> Text:
        """Say what the next step will be about: a queue, an application, a request or a node by name, or "nothing".

        Then the step is taken, and the prediction scored. Without an answer the question is asked: the ranking, the pictures
        that show it and Why are covered until the answer, `reveal`, or any other step.

        Args:
            victims: keys of all allocations that the next step stops, instead of an answer.
            blind: with a question, the priorities of queues and applications are covered, too: they are to be worked out
                from the requests.

        Raises:
            CommandError: there is nothing of that name. The question stays open, and no step is taken.
        """
        if not answer and victims is None:
            with self._verb(BLIND_QUESTION if blind else QUESTION, repeats=self._question) as say:
                self._asked, self._answered, self._blind = self._instant(), None, blind
                say(catalogue.PREDICT_QUESTION)
            return Text(f"{catalogue.PREDICT_QUESTION} {catalogue.PREDICT_HOW}")
        call = call_of("predict", *([answer] if answer else []), victims=list(victims) if victims else None)
        with self._verb(call, repeats=self._question) as say:
            decision = self.simulation.preview()
            if victims is not None:
                right = prediction.names_the_victims(victims, decision, self.partition)
            else:
                right = prediction.names_the_next(answer, decision, self.partition, self.simulation.waiting())
            self.simulation.step()
            self._drop_lost_selection()
            self._asked, self.score = None, self.score.after(right)
            verdict = catalogue.PREDICTED_RIGHT if right else catalogue.predicted_wrong(answer or ", ".join(victims or ()))
            why = explain.why(decision, done=decision.changed_something)
            score = catalogue.score(self.score.right, self.score.made)
            self._answered = self._instant(), f"{verdict} {why}"
            say(f"{verdict} {why.headline} {score}")
        return Text(f"{verdict} {why}\n{score}")

    def reveal(self) -> Text:
        """The step that was asked for, with its reasons: it is taken unless an answer took it already."""
        with self._verb("wb.reveal()", repeats=self._question) as say:
            if self._answered is not None and self._answered[0] == self._instant():
                text = self._answered[1]
            else:
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
        return id(simulation), simulation.position, simulation.now_ns, len(simulation.inputs), simulation.played
