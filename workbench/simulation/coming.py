"""What time alone will bring to those that wait: how long until the next request may do what it may not do yet.

A request may preempt when the delay of its queue is over, is looked at again 15 s after an attempt in vain, may reserve a node two
seconds after it was created, and its application may sit out a backoff; timers fall due. That one of these ends says only that the
scheduler looks anew, not that it finds anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workbench.scheduler.objects.reservations import DELAY_NS
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.nodes import Constraints, FitsNowhereNow
from workbench.scheduler.records.refusals.preemption import CheckedRecently, TooEarly
from workbench.scheduler.records.refusals.slots import Backoff
from workbench.simulation.driver import MS_NS
from workbench.simulation.simulation import Simulation
from workbench.simulation.waiting import Waiting


def wait_ms(simulation: Simulation, waiting: Iterable[Waiting]) -> int | None:
    """Whole milliseconds until the scheduler looks at one of these anew; None if time alone brings nothing."""
    now_ns = simulation.now_ns
    found = [left for each in waiting for left in _waits_ns(each, now_ns)]
    if found and simulation.next_due_ns is not None:
        found.append(simulation.next_due_ns - now_ns)
    ahead = [left for left in found if left > 0]
    return -(-min(ahead) // MS_NS) if ahead else None


def _waits_ns(waiting: Waiting, now_ns: int) -> Iterator[int]:
    yield from _left_ns(waiting.refusal)
    if waiting.refusal is not None:
        yield from _left_ns(waiting.refusal.preemption)
        if isinstance(waiting.refusal, FitsNowhereNow | Constraints) and not waiting.application.reservations:
            yield waiting.ask.created_ns + DELAY_NS + MS_NS - now_ns


def _left_ns(refusal: Refusal | None) -> Iterator[int]:
    if isinstance(refusal, TooEarly | CheckedRecently | Backoff):
        yield refusal.left_ns
