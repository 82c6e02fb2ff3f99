"""Amounts over time in a bounded number of steps.

If there are few changes there is a step from each to the next, and everything is exact. If there are more than points, the
window is cut into that many equal slices, and each has the average over it; so sums over time stay what they are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from workbench.measures.reading import Reading


def edges_of(reading: Reading, times: Iterable[int], points: int) -> list[int]:
    """Where steps begin and end, from the start of the window to its end; `times` are those at which something changes."""
    start, end = reading.from_ns, reading.until_ns
    found: set[int] = set()
    for time in times:
        if start < time < end:
            found.add(time)
            if len(found) >= points:
                return sorted({start + (end - start) * place // points for place in range(points + 1)})
    return [start, *sorted(found), end]


class Slices:
    """Sums of amounts over the steps between `edges`, of several kinds at once; to add a span touches the steps of its two ends."""

    def __init__(self, edges: list[int], kinds: int):
        self._edges = edges
        self._parts = [[0] * (len(edges) - 1) for _ in range(kinds)]
        self._rises = [[0] * len(edges) for _ in range(kinds)]

    def add(self, since: int, until: int, amounts: Sequence[int]) -> None:
        """From one time to another there is so much more of each kind."""
        edges = self._edges
        since, until = max(since, edges[0]), min(until, edges[-1])
        if until <= since:
            return
        first = bisect_right(edges, since) - 1
        last = min(bisect_right(edges, until), len(edges) - 1) - 1
        for kind, amount in enumerate(amounts):
            if not amount:
                continue
            parts, rises = self._parts[kind], self._rises[kind]
            if first == last:
                parts[first] += amount * (until - since)
            else:
                parts[first] += amount * (edges[first + 1] - since)
                parts[last] += amount * (until - edges[last])
                rises[first + 1] += amount
                rises[last] -= amount

    def averages(self, kind: int) -> list[float]:
        """The average of one kind in each step."""
        found, level = [], 0
        edges, rises = self._edges, self._rises[kind]
        for place, part in enumerate(self._parts[kind]):
            level += rises[place]
            found.append(level + part / (edges[place + 1] - edges[place]) if part else level)
        return found
