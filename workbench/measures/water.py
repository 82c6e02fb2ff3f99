"""Water filling: what is there is divided so that nobody can get more unless somebody with less, or with as little, gets less.

Max-min fairness with a floor and a ceiling for each: Bertsekas and Gallager, "Data Networks", second edition, section 6.5.2.
"""

from __future__ import annotations

from collections.abc import Sequence


def fill(amount: float, floors: Sequence[float], ceilings: Sequence[float]) -> list[float]:
    """Divide `amount`: everybody gets up to one common level, at least the floor and at most the ceiling.

    If the floors together are more than there is, everybody gets the same share of the own floor; if the ceilings together are
    less, everybody gets the own ceiling and the rest stays.

    >>> fill(12, [0, 0, 0], [2, 10, 10])
    [2, 5.0, 5.0]
    >>> fill(12, [8, 0, 0], [9, 10, 1])
    [8, 3.0, 1]
    >>> fill(6, [8, 4, 0], [9, 9, 9])
    [4.0, 2.0, 0.0]
    """
    least = sum(floors)
    if least >= amount:
        return [floor * amount / least for floor in floors] if least else [0.0 for _ in floors]
    if sum(ceilings) <= amount:
        return list(ceilings)
    # With the level rising from zero, whoever it has passed at the floor and not at the ceiling rises with it.
    marks = sorted([(floor, 1) for floor in floors] + [(ceiling, -1) for ceiling in ceilings])
    level, rising, given = 0.0, 0, float(least)
    for mark, change in marks:
        reached = given + rising * (mark - level)
        if reached >= amount:
            level += (amount - given) / rising if rising else 0.0
            break
        level, given = mark, reached
        rising += change
    return [min(max(level, floor), ceiling) for floor, ceiling in zip(floors, ceilings)]
