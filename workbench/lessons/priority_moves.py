"""The exercise on priorities that move: from what a queue showed, back to the requests that were waiting."""

from __future__ import annotations

from workbench.explain.wording import priority
from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise

ONLINE = "root.online"
LEAVES = ("root.online.search", "root.batch", "root.online.checkout", "root.online.search")
SHOWN = ("9", "6", "6", "3", "n/a")
TASK = """\
The requests are lost, but somebody wrote down what the queue online showed before each of four steps, and which queue was served:

  step  online shows  served
     1             9  search
     2             6  batch
     3             6  checkout
     4             3  search
   end           n/a

Put in four requests, before the first step, so that it happens again. There are the applications cart (in checkout), query (in
search) and report (in batch). What a request is called (its key) does not matter, and 1 vcore each is enough. Change no queue."""


def _missing(attempt: Attempt) -> str:
    added = attempt.added_requests
    if added is None or attempt.changed_design:
        return "something else than requests was changed; take a fresh one with exercise.start()."
    if attempt.put_in_after_steps:
        return "a request came only after a step; put all of them in before the first one."
    if len(added) != len(LEAVES):
        return f"{len(added)} requests were put in; there should be {len(LEAVES)}."
    shown = [priority(value) for value in attempt.priorities_of(ONLINE)]
    for step, (leaf, wanted) in enumerate(zip(LEAVES, SHOWN), 1):
        if step > len(attempt.decisions):
            return f"only {len(attempt.decisions)} of the 4 requests are served."
        if shown[step - 1] != wanted:
            return f"before step {step} online shows {shown[step - 1]}, not {wanted}."
        if leaf not in attempt.decisions[step - 1].path:
            served = attempt.decisions[step - 1].path[-1].rpartition(".")[2]
            return f"step {step} serves {served}, not {leaf.rpartition('.')[2]}."
    return "" if shown[-1] == SHOWN[-1] else f"at the end online shows {shown[-1]}, not {SHOWN[-1]}."


EXERCISE = Exercise(
    "priority-moves",
    "lessons/priority-moves-exercise",
    TASK,
    _missing,
    "What a queue shows tells the most urgent request in it, and what it shows next tells the one after that. About batch the\n"
    "notes say less: every priority from 6 to 9 fits them.",
    free_inputs=True,
)
