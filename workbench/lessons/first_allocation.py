"""The exercise on the first allocation: one request that gets a given turn and a given node, by what every level looks at."""

from __future__ import annotations

from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise

TURN, NODE = 3, "node-1"
TASK = """\
Put in one more request, before the first step, so that
  1. it is served third, and
  2. node-1 takes it.
Which application asks, with which priority and for how much, is up to you: mine.add_request(app, key, resources, priority=n).
Everything else stays as it is."""


def _missing(attempt: Attempt) -> str:
    added = attempt.added_requests
    if added is None or attempt.changed_design:
        return "something else than one request was changed; take a fresh one with exercise.start()."
    if len(added) != 1:
        return f"{len(added)} requests were put in; it should be one."
    if attempt.put_in_after_steps:
        return "the request came only after a step; put it in before the first one."
    key, application = added[0]
    step = attempt.step_of(key, application)
    if step is None:
        return f"{key} is never served: {attempt.why_waits(key, application)}"
    if step != TURN:
        return f"{key} is served at step {step}, not at step {TURN}."
    node = attempt.decisions[step - 1].node_id
    return "" if node == NODE else f"{key} is served third, but {node} takes it."


EXERCISE = Exercise(
    "first-allocation",
    "lessons/first-allocation",
    TASK,
    _missing,
    "It had its turn because every level on its way chose it: queue, application, request; and then the node.",
    free_inputs=True,
    hints={
        "never served": (
            'mine.run() and mine.why_not("KEY") tell why it waits, mine.why_placed("APP") where its application went.',
            'mine.table("nodes") has what is left on each node when its turn comes; ask for less.',
        ),
        "node-2 takes it": ('mine.goto(2) and mine.table("nodes") show which node is tried first when its turn comes.',),
    },
)
