"""The events that the core tells observers. RE-23"""

from __future__ import annotations

from workbench.rest.past.keeper import Keeper
from workbench.rest.past.ring import Ring


class Telling(Keeper):
    """Every event, in order."""

    def __init__(self) -> None:
        self.ring = Ring()
