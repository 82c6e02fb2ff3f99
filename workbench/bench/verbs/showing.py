"""What is seen of the workbench: the preset of the screen, a redraw, and the queue tree in text."""

from __future__ import annotations

from workbench.bench import tree_text as text_of
from workbench.bench.controller import Text, call_of
from workbench.bench.desk import Desk
from workbench.bench.views import known_view
from workbench.explain.wording import name


def show_as(desk: Desk, view: str) -> None:
    """Another preset of the screen: "full", "teach", "inspect" or "edit" (U-11). CommandError for another word."""
    with desk.verb(call_of("show_as", view), repeats="bench.show_as(") as say:
        desk.view = known_view(view)
        say(shown_as(view))


def refresh(desk: Desk) -> None:
    """Redraw the screen, after something was done to `simulation` directly."""
    desk.forget_turns()
    desk.tell()


def tree_text(desk: Desk) -> Text:
    """The queue tree in text: marks, priorities, rank among the siblings for the next step, and use. Stable."""
    simulation, covered, blind = desk.simulation, desk.question_open, desk.priorities_covered
    return Text(text_of.tree_text(desk.partition, simulation.preview(), simulation.waiting(), covered=covered, blind=blind))


# ---- in words ---------------------------------------------------------------------------------------------------------


def shown_as(view: str) -> str:
    return f"Shown as {name(view)}."
