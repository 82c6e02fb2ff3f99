"""The exercise on node sorting: put small requests where they are not in the way of a large one."""

from __future__ import annotations

from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise

SMALL, LARGE = ("w1", "w2", "w3"), "solver"
TASK = """\
Two nodes of different shape, both in use. Change the design so that
  1. w1, w2 and w3 are served first, and
  2. solver, which needs 8 cores of one node, is served right after them.
The nodes and the requests stay as they are."""


def _missing(attempt: Attempt) -> str:
    if attempt.order[:3] != SMALL:
        return f"the first three requests served are {', '.join(attempt.order[:3]) or 'none'}, not {', '.join(SMALL)}."
    if attempt.step_of(LARGE) != 4:
        went = "; ".join(f"{decision.key} went to {decision.node_id}" for decision in attempt.decisions[:3])
        return f"solver finds no node with 8 free cores: {went}."
    return ""


EXERCISE = Exercise(
    "spread-or-pack",
    "lessons/two-shapes",
    TASK,
    _missing,
    "What the weights count decides which node looks full, and the policy whether a full node comes first or last.",
)
