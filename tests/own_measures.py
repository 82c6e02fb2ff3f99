"""A measure of somebody's own, in a module as other processes can find it."""

from __future__ import annotations

from workbench.measures import Measure, Reading, Scope
from workbench.measures.wait import waits_of

NAME = "wait.over_a_minute"


def over_a_minute(reading: Reading, scope: Scope) -> float:
    """How many waits were longer."""
    return float(sum(wait > 60 for wait in waits_of(reading, scope)))


MEASURE = Measure("waits over a minute", "requests", "lower", over_a_minute)
