"""Of several possibilities those that no other beats in everything: the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence


def front(costs: Sequence[Sequence[float]]) -> list[int]:
    """The places of those that no other one is as good as in every cost and better in one. Smaller is better. In ascending order.

    Equal ones are there together. Those that are infinite in a cost have no number and are left out.

    >>> front([(1, 5), (2, 2), (3, 3), (5, 1), (2, 2)])
    [0, 1, 3, 4]
    """
    candidates = [place for place, each in enumerate(costs) if all(cost != float("inf") for cost in each)]
    # In this order nobody is beaten by one that comes later.
    found: list[int] = []
    for place in sorted(candidates, key=lambda each: tuple(costs[each])):
        if not any(beats(costs[other], costs[place]) for other in found):
            found.append(place)
    return sorted(found)


def beats(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether `one` is nowhere worse and somewhere better."""
    return all(mine <= theirs for mine, theirs in zip(one, other)) and any(mine < theirs for mine, theirs in zip(one, other))
