"""The buttons of a prediction, above Why: ask for one, answer with what is selected, or be shown.

A click on a queue only selects it, and the answer is a button: otherwise whoever moves through the tree with the arrow keys
would answer with the first queue on the way.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets

from workbench.bench.present import Present
from workbench.bench.workbench import Workbench
from workbench.explain.wording import name

PREDICT = "Predict"
PREDICT_HINT = "Cover the ranking and say yourself what comes next"
ANSWER_HINT = "Take the step and see whether it is so"
REVEAL = "Show me"
REVEAL_HINT = "Take the step without an answer"
SHOW_NEXT = "Show next"
SHOW_NEXT_HINT = "Uncover what comes next: after an answer it stays covered, so that it can be asked for"
CHOOSE_AN_ANSWER = "Answer"


class PredictTools:
    """`widget` is what is displayed; `carry_out` takes the name of a verb and its arguments."""

    def __init__(self, workbench: Workbench, carry_out: Callable[..., Exception | None]):
        self._workbench, self._carry_out = workbench, carry_out
        self.ask = self._button(PREDICT, PREDICT_HINT, lambda: carry_out("predict"))
        self.answer = self._button(CHOOSE_AN_ANSWER, ANSWER_HINT, lambda: carry_out("predict", self._chosen))
        self.reveal = self._button(REVEAL, REVEAL_HINT, lambda: carry_out("reveal"))
        self.uncover = self._button(SHOW_NEXT, SHOW_NEXT_HINT, lambda: carry_out("uncover"))
        self.widget = widgets.HBox([self.ask, self.answer, self.reveal, self.uncover])
        self.widget.add_class("wb-predict")

    @property
    def _chosen(self) -> str:
        """The selected request, else the selected queue; root is no answer."""
        request, path = self._workbench.selected_request, self._workbench.selected
        return request[1] if request else path if "." in path else ""

    def show(self, present: Present) -> None:
        """Show the present."""
        asked, busy = self._workbench.question_open, self._workbench.player.busy
        self.ask.layout.display = "none" if asked else None
        self.answer.layout.display = self.reveal.layout.display = None if asked else "none"
        self.answer.description = answer_with(self._chosen.rpartition(".")[2])
        self.answer.disabled = not self._chosen or busy
        self.ask.disabled = self.uncover.disabled = busy
        self.uncover.layout.display = None if present.covered and not asked else "none"

    def _button(self, description: str, tooltip: str, pressed: Callable[[], object]) -> widgets.Button:
        button = widgets.Button(description=description, tooltip=tooltip)
        button.on_click(lambda _button: pressed())
        return button


# ---- in words ---------------------------------------------------------------------------------------------------------


def answer_with(what: str) -> str:
    return f"Answer: {name(what)}" if what else CHOOSE_AN_ANSWER
