"""Whether there is a node on which something fits, without looking at every node."""

from __future__ import annotations

from collections.abc import Sequence
from operator import le


class FitTree:
    """What is free on nodes, with the largest of each resource above every two of them, up to all.

    To change a node touches one way up; to look for one goes down only where everything might fit.
    """

    def __init__(self, free: Sequence[Sequence[int]], kinds: int):
        self._half = 1
        while self._half < len(free):
            self._half *= 2
        nothing = (0,) * kinds
        self._largest: list[tuple[int, ...]] = [nothing] * (2 * self._half)
        for node, amounts in enumerate(free):
            self.set(node, amounts)

    def set(self, node: int, amounts: Sequence[int]) -> None:
        """A node has this free."""
        largest, place = self._largest, self._half + node
        largest[place] = tuple(amounts)
        place //= 2
        while place:
            now = tuple(map(max, largest[2 * place], largest[2 * place + 1]))
            if largest[place] == now:
                return
            largest[place] = now
            place //= 2

    def find(self, amounts: Sequence[int]) -> int | None:
        """A node that has all of this free; None if there is none."""
        stack = [1]
        while stack:
            place = stack.pop()
            if all(map(le, amounts, self._largest[place])):
                if place >= self._half:
                    return place - self._half
                stack += (2 * place, 2 * place + 1)
        return None
