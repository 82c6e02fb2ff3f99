"""What a run may wait for, as a table: name, label, what it needs to know, and the test after each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from workbench.explain.wording import name
from workbench.scheduler.objects.tree import find
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition, Queue
from workbench.values.errors import CommandError
from workbench.values.resources import Resource

UNTIL: Mapping[str, str] = {
    "end": "nothing is left",
    "steps": "n steps are taken",
    "queue": "the queue is served",
    "application": "the app is served",
    "request": "the request is served",
    "preemption": "something is preempted",
    "priority": "the queue's priority changes",
    "guaranteed": "the queue reaches its guarantee",
    "max": "the queue reaches its maximum",
}

Test = Callable[[Decision, Partition], bool]


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing to wait for.

    Attributes:
        label: what it is called in the bar.
        needs: what the argument names: a "queue", a "request", an "application", a "number", or "nothing".
        waits: where nothing can be allocated any more, simulated time passes until something can.
        begin: the test for an argument, made where the run starts; it is asked after every step.
    """

    label: str
    needs: Literal["nothing", "queue", "request", "application", "number"]
    begin: Callable[[str, Partition], Test]
    waits: bool = True


SERVED = ("allocated", "replaced")


def _queue_of(partition: Partition, path: str) -> Queue:
    queue = find(partition, path)
    if queue is None:
        raise CommandError(f"there is no queue {path}")
    return queue


def _queue_served(path: str, partition: Partition) -> Test:
    wanted = _queue_of(partition, path).path
    return lambda decision, at: decision.outcome in SERVED and wanted in decision.path


def _application_served(wanted: str, partition: Partition) -> Test:
    return lambda decision, at: decision.outcome in SERVED and decision.application_id == wanted


def _request_served(wanted: str, partition: Partition) -> Test:
    return lambda decision, at: decision.outcome in SERVED and decision.key == wanted


def _preemption(argument: str, partition: Partition) -> Test:
    return lambda decision, at: bool(decision.victims)


def _priority_changed(path: str, partition: Partition) -> Test:
    before = _queue_of(partition, path).priority
    return lambda decision, at: (queue := find(at, path)) is not None and queue.priority != before


def _reaches(bound_of: Callable[[Queue], Resource | None]) -> Callable[[str, Partition], Test]:
    def begin(path: str, partition: Partition) -> Test:
        _queue_of(partition, path)

        def reached(decision: Decision, at: Partition) -> bool:
            queue = find(at, path)
            bound = None if queue is None else bound_of(queue)
            if queue is None or not bound:
                return False
            return any(queue.allocated.get(kind, 0) >= amount > 0 for kind, amount in bound.items())

        return reached

    return begin


def _steps(number: str, partition: Partition) -> Test:
    if not str(number).isdigit() or int(number) < 1:
        raise CommandError(no_step_count(number))
    left = iter(range(int(number) - 1, -1, -1))
    return lambda decision, at: next(left) == 0


CONDITIONS: Mapping[str, Condition] = {
    "end": Condition(UNTIL["end"], "nothing", lambda argument, partition: lambda decision, at: False, waits=False),
    "steps": Condition(UNTIL["steps"], "number", _steps, waits=False),
    "queue": Condition(UNTIL["queue"], "queue", _queue_served),
    "application": Condition(UNTIL["application"], "application", _application_served),
    "request": Condition(UNTIL["request"], "request", _request_served),
    "preemption": Condition(UNTIL["preemption"], "nothing", _preemption),
    "priority": Condition(UNTIL["priority"], "queue", _priority_changed),
    "guaranteed": Condition(UNTIL["guaranteed"], "queue", _reaches(lambda queue: queue.guaranteed)),
    "max": Condition(UNTIL["max"], "queue", _reaches(lambda queue: queue.maximum)),
}
"""Name -> condition, in the order of the list in the bar."""


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_step_count(text: object) -> str:
    return f"{name(str(text))} is no number of steps"
