"""The exercise on placement: everybody to the queue that is theirs, nobody into another team's, and nothing lost."""

from __future__ import annotations

from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise
from workbench.scheduler.objects.tree import find, walk
from workbench.values.quantities import format_quantity

WANTED = {
    "red-1": "root.teams.red",
    "blue-1": "root.teams.blue",
    "trespass": "root.people.rosa",
    "typo": "root.people.bob",
    "nameless": "root.people.bob",
}
PEOPLE, MOST_MILLICORES = "root.people.", 2000
TASK = """\
Change the design so that
  1. red-1 runs in root.teams.red and blue-1 in root.teams.blue,
  2. trespass, typo and nameless run in queues of their users: root.people.rosa, root.people.bob, and
  3. no queue below root.people ever uses more than 2 cores.
Change rules, access and queues only; the applications stay as they are."""


def _missing(attempt: Attempt) -> str:
    applications = attempt.partition.applications
    for name, wanted in WANTED.items():
        if name not in applications:
            return f"{name} is rejected."
        if (found := applications[name].queue_path) != wanted:
            return f"{name} goes to {found}."
    for queue in walk(attempt.partition.root):
        used = queue.allocated.get("vcore", 0)
        if queue.path.startswith(PEOPLE) and used > MOST_MILLICORES:
            return f"everybody is in the right queue, but {queue.path} uses {format_quantity(used, 'vcore')} cores."
    idle = [path for path in dict.fromkeys(WANTED.values()) if not _used(attempt, path)]
    return f"everybody is in the right queue, but nothing of {idle[0]} is ever served." if idle else ""


def _used(attempt: Attempt, path: str) -> bool:
    queue = find(attempt.partition, path)
    return queue is not None and bool(queue.allocated)


EXERCISE = Exercise(
    "getting-into-a-queue",
    "lessons/front-door",
    TASK,
    _missing,
    "The rules say where an application would go, the access lists whether it may, and the next rule is asked if it may not.",
)
