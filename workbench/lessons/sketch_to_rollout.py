"""The exercise on rolling out: a small change of a real configuration that does what it should and that no check warns of."""

from __future__ import annotations

from workbench.advice import checks
from workbench.config import load_config
from workbench.config.diff import diff
from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise

MOST_KEYS = 4
TASK = """\
Biology has a deadline. Prepare a change of the campus design after which
  1. b1 and b2 are served before any request of physics,
  2. n1 and n2 of the course are still served,
  3. no check reports an error or a warning, and
  4. at most four keys differ from the design as it is now.
Change the design only; the requests stay as they are."""


def _missing(attempt: Attempt) -> str:
    order = attempt.order
    first = next((key for key in order if key.startswith("p")), "")
    late = [key for key in ("b1", "b2") if key not in order or first and order.index(key) > order.index(first)]
    if late:
        return f"{late[0]} is {'served after ' + first if late[0] in order else 'never served'}."
    lost = [key for key in ("n1", "n2") if key not in order]
    if lost:
        return f"{lost[0]} is never served."
    warned = [check for check in checks(attempt.config, attempt.simulation.state) if check.severity != "hint"]
    if warned:
        what = f"{warned[0].key or 'something'} of {warned[0].path or 'the partition'}"
        return f"biology is served first; but check {warned[0].code} still reports {what}."
    changed = len(diff(load_config(attempt.given.text), attempt.config))
    return f"{changed} keys differ from the design as it was." if changed > MOST_KEYS else ""


EXERCISE = Exercise(
    "sketch-to-rollout",
    "lessons/campus",
    TASK,
    _missing,
    "A small difference, checked and tried on the load of the day: that is what can be sent round and rolled out.",
)
