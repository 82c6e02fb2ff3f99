"""Every attempt that is answered from what is kept is compared with `general.attempt` on the same state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from workbench.scheduler.preemption import general
from workbench.scheduler.preemption.general import Answer
from workbench.scheduler.records.state import Allocation, Partition, Queue
from workbench.scheduler.search.preempting import Preempting


@contextmanager
def compared_attempts(seen: Counter[str] | None = None) -> Iterator[Counter[str]]:
    """Within, an attempt that is answered otherwise than plainly is an AssertionError. How they ended is counted."""
    counted: Counter[str] = Counter() if seen is None else seen
    kept = Preempting.attempt

    def attempt(self: Preempting, partition: Partition, leaf: Queue, ask: Allocation, now_ns: int, *, nodes_tried: bool) -> Answer:
        plain = general.attempt(partition, leaf, ask, now_ns, nodes_tried=nodes_tried)
        answer = kept(self, partition, leaf, ask, now_ns, nodes_tried=nodes_tried)
        assert told(plain) == told(answer), f"{ask.key} of {leaf.path}: plain: {plain.reason}, {told(plain)}; kept: {told(answer)}"
        counted[plain.reason] += 1
        counted["several victims"] += len(plain.victims) > 1
        counted["gives up a reservation"] += bool(plain.cancelled)
        counted["answered plainly"] += isinstance(answer, general.Attempt)
        return answer

    Preempting.attempt = attempt  # type: ignore[method-assign]
    try:
        yield counted
    finally:
        Preempting.attempt = kept  # type: ignore[method-assign]


def told(answer: Answer) -> dict[str, Any]:
    """All of an answer that has an effect."""
    return {
        "node": answer.node.id if answer.succeeded and answer.node is not None else None,
        "victims": [(victim.application_id, victim.key) for victim in answer.victims],
        "log": list(answer.log),
        "cancelled": [(node.id, key) for node, key in answer.cancelled],
    }
