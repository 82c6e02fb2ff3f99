"""The step rail as a widget: where we are among the steps taken, and a way to move between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from workbench.widgets.parts.browser_part import script

MOST_DOTS = 60
"""Steps of a rail that shows a dot for each, here as in the browser part."""


class StepRail(anywidget.AnyWidget):
    """A slider over the recorded steps. It shows; moving it only asks for a step (see `on_goto`).

    Traits:
        position: the present step, 0 is the start.
        recorded: the last step that can be gone to.
        total: length of the rail; steps after `recorded` are drawn faint.
        labels, hints: short name and longer text of each recorded step.
        differs_at: first step whose outcome the last edit changed, 0 for none.
        difference: what the mark of that step says.
        marks: {"step", "kind", "sign", "text"} of steps that stand out: "reload" or "preempted".
        caption: the position in words.
        name: accessible name; start: label of the place before the first step.
    """

    _esm = script("step_rail.js")

    position = traitlets.Int(0).tag(sync=True)
    recorded = traitlets.Int(0).tag(sync=True)
    total = traitlets.Int(0).tag(sync=True)
    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    hints = traitlets.List(traitlets.Unicode()).tag(sync=True)
    differs_at = traitlets.Int(0).tag(sync=True)
    difference = traitlets.Unicode("").tag(sync=True)
    marks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    caption = traitlets.Unicode("").tag(sync=True)
    name = traitlets.Unicode("Steps").tag(sync=True)
    start = traitlets.Unicode("start").tag(sync=True)

    def on_goto(self, handler: Callable[[int], object]) -> None:
        """Call `handler(step)` whenever a view asks for a recorded step."""

        def received(_widget: object, content: object, _buffers: object) -> None:
            if isinstance(content, dict) and content.get("verb") == "goto" and isinstance(content.get("step"), int):
                handler(content["step"])

        self.on_msg(received)
