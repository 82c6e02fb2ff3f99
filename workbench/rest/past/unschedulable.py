"""Requests that no node takes: told when the last node has refused, and of each request not too often. R-563, P-125"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workbench.rest.past.keeper import Moment
from workbench.scheduler.passes.placing import QUOTA_LOG, USER_QUOTA_LOG
from workbench.scheduler.preemption import general, required_node
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import Allocation, Node

PAUSE_NS = 15_000_000_000
OTHERS = {
    QUOTA_LOG,
    USER_QUOTA_LOG,
    general.EXHAUSTED,
    general.NO_HELP,
    general.PRECONDITIONS,
    general.SHORT,
    "Preemption queue guarantees check failed",
}
"""What is noted on a request without a node."""


class Unschedulable:
    """Counts the nodes that refuse one request."""

    def __init__(self) -> None:
        self._ask: Allocation | None = None
        self._refusals: Counter[str] = Counter()
        self._told_ns: dict[Allocation, int] = {}
        self._no_victim: list[Allocation] = []

    def goes_on(self, write: Write) -> bool:
        """Whether the note is of one more node that refuses the same request."""
        return write.record is self._ask and write.key not in OTHERS and write.key != required_node.NO_HELP

    def noted(self, write: Write) -> None:
        """Something was noted on a request."""
        if write.key == required_node.NO_HELP:
            self._no_victim.append(write.record)
        elif write.key not in OTHERS:
            self._ask = write.record
            self._refusals[write.key] += 1

    def due(self, moment: Moment, write: Write | None) -> Iterator[tuple[Allocation, str]]:
        """(request, text) of what is to be told before that write."""
        asks, self._no_victim = self._no_victim, []
        for ask in asks:
            if self._may_tell(moment, ask):
                yield ask, f"Unschedulable request '{ask.key}' with required node '{ask.required_node}', no preemption victim found"
        refused, counted = self._ask, self._refusals
        if refused is None:
            return
        self._ask, self._refusals = None, Counter()
        placed = write is not None and isinstance(write.record, Node) and write.field == "allocations" and write.after is refused
        if not placed and self._may_tell(moment, refused):
            texts = "".join(f"{text} ({count}x); " for text, count in sorted(counted.items()))
            yield refused, f"Unschedulable request '{refused.key}': {texts}"

    def _may_tell(self, moment: Moment, ask: Allocation) -> bool:
        last = self._told_ns.get(ask)
        if last is not None and moment.now_ns - last < PAUSE_NS:
            return False
        self._told_ns[ask] = moment.now_ns
        return True
