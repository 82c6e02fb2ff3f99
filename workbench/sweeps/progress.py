"""How far a sweep is: cells done, how fast, how much time is left. SW-4.

Only what is shown looks at a clock, and the clock is given: no number of a sweep hangs on it.
"""

from __future__ import annotations

from collections.abc import Callable

from workbench.measures.units import SECONDS, short
from workbench.sweeps.driving import Stand

Clock = Callable[[], float]


class Meter:
    """Tells how far a sweep is, in words.

    Args:
        clock: seconds that only go forward.
    """

    def __init__(self, clock: Clock):
        self._clock = clock
        self._started = clock()

    def fraction(self, stand: Stand) -> float:
        """How much is done, from 0 to 1."""
        return stand.done / stand.total if stand.total else 1.0

    def text(self, stand: Stand) -> str:
        """Cells done, how many of them were kept from before and how many failed, the rate, and the time left."""
        told = [f"{stand.done:,} of {stand.total:,} runs"]
        if stand.kept:
            told.append(f"{stand.kept:,} kept from before")
        if stand.failed:
            told.append(f"{stand.failed:,} failed")
        new, passed = stand.done - stand.kept, self._clock() - self._started
        if new > 0 and passed > 0 and stand.done < stand.total:
            rate = new / passed
            told.append(f"{rate:.1f} a second" if rate >= 1 else f"one in {short(1 / rate, SECONDS)}")
            told.append(f"{short(_rounded((stand.total - stand.done) / rate), SECONDS)} left")
        return ", ".join(told)


def _rounded(seconds: float) -> float:
    """No fractions of seconds are promised."""
    return max(1.0, float(round(seconds)))
