"""The controls of a prediction, above Why: ask for one, choose an answer and give it, or be shown.

What is selected in the tree or a table is chosen as the answer where it may be one, and everything that may be one can be
chosen from a list, "nothing" and queues with queues below them included. The answer is a button of its own: otherwise whoever
moves through the tree with the arrow keys would answer with the first queue on the way.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets

from workbench.bench import grading
from workbench.bench.prediction import NODE, NOTHING, VICTIMS
from workbench.bench.present import Present
from workbench.bench.workbench import Workbench
from workbench.explain.wording import name
from workbench.scheduler.objects.tree import walk

PREDICT = "Predict"
PREDICT_HINT = "Cover the ranking and say yourself what comes next"
ANSWER_HINT = "Take the step and see whether it is so"
REVEAL = "Show me"
REVEAL_HINT = "Take the step without an answer"
SHOW_NEXT = "Show next"
SHOW_NEXT_HINT = "Uncover what comes next: after an answer it stays covered, so that it can be asked for"
CHOOSE_AN_ANSWER = "Answer"
CHOOSE, CHOICE_HINT = "choose …", "Everything that may be an answer"
MOST_ANSWERS = 300
"""Requests, and queues, that the list offers; others are selected in the tree or found by name."""


class PredictTools:
    """`widget` is what is displayed; `carry_out` takes the name of a verb and its arguments."""

    def __init__(self, workbench: Workbench, carry_out: Callable[..., Exception | None]):
        self._workbench, self._carry_out = workbench, carry_out
        self.ask = self._button(PREDICT, PREDICT_HINT, lambda: carry_out("predict"))
        self.answer = self._button(CHOOSE_AN_ANSWER, ANSWER_HINT, lambda: carry_out("predict", self._chosen))
        self.reveal = self._button(REVEAL, REVEAL_HINT, lambda: carry_out("reveal"))
        self.uncover = self._button(SHOW_NEXT, SHOW_NEXT_HINT, lambda: carry_out("uncover"))
        self.choice = widgets.Dropdown(options=[(CHOOSE, "")], tooltip=CHOICE_HINT)
        self.choice.add_class("wb-predict-choice")
        self.choice.observe(lambda _change: self._name_answer(), "value")
        self._selected = ""
        self.widget = widgets.HBox([self.ask, self.choice, self.answer, self.reveal, self.uncover])
        self.widget.add_class("wb-predict")

    @property
    def _chosen(self) -> str:
        """What was chosen, "" for nothing yet."""
        return self.choice.value or ""

    def _of_selection(self) -> str:
        """The selected request, else the selected queue; root is no answer."""
        request, path = self._workbench.selected_request, self._workbench.selected
        if not request:
            return path if "." in path else ""
        named = f"{request[0]}/{request[1]}"
        return named if named in self._answers() else request[1]

    def _answers(self) -> tuple[str, ...]:
        """Everything that may be chosen: what is exact enough, then the queues, where they are not that already."""
        bench = self._workbench
        if bench.asked.about == VICTIMS:
            exact: tuple[str, ...] = (NOTHING,)
        else:
            exact = grading.choices(bench.asked.about, bench.partition, bench.simulation.waiting())
        queues = [] if bench.asked.about == NODE else [queue.path for queue in walk(bench.partition.root) if queue.parent]
        return tuple(dict.fromkeys((*exact[:MOST_ANSWERS], *queues[:MOST_ANSWERS], NOTHING)))

    def _choose(self) -> None:
        """Offer what may be chosen. A new selection chooses; without one what was chosen stays."""
        known, selected = self._answers(), self._of_selection()
        kept = self.choice.value
        if selected != self._selected:
            kept = selected
        self._selected = selected
        known = (*known, kept) if kept and kept not in known and kept == selected else known
        self.choice.options = [(CHOOSE, ""), *((name(each, 60), each) for each in known)]
        self.choice.value = kept if kept in known else ""

    def _name_answer(self) -> None:
        chosen = self._chosen
        self.answer.description = answer_with(chosen.rpartition(".")[2])
        self.answer.disabled = not chosen or self._workbench.player.busy

    def show(self, present: Present) -> None:
        """Show the present."""
        asked, busy = self._workbench.question_open, self._workbench.player.busy
        self.ask.layout.display = "none" if asked else None
        self.answer.layout.display = self.reveal.layout.display = self.choice.layout.display = None if asked else "none"
        if asked:
            self._choose()
        else:
            self.choice.value, self._selected = "", self._of_selection()
        self._name_answer()
        self.ask.disabled = self.uncover.disabled = busy
        self.uncover.layout.display = None if present.covered and not asked else "none"

    def _button(self, description: str, tooltip: str, pressed: Callable[[], object]) -> widgets.Button:
        button = widgets.Button(description=description, tooltip=tooltip)
        button.on_click(lambda _button: pressed())
        return button


# ---- in words ---------------------------------------------------------------------------------------------------------


def answer_with(what: str) -> str:
    return f"Answer: {name(what)}" if what else CHOOSE_AN_ANSWER
