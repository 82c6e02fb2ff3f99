"""A `Scene` whose commands go to both searches, so that a test tells only what happens and where they must not differ."""

from __future__ import annotations

from typing import Any

from scenes import MS_NS, Scene, config_text
from twins import Twins

from workbench.config import load_config
from workbench.scheduler.records.commands import Advance, Cycle
from workbench.scheduler.records.decision import Decision


class TwinScene(Scene):
    """Its cycles are not traced: traced ones are searched plainly by either engine."""

    def __init__(self, queues: str = "a: {}", *, text: str = "", confirm: bool = True, release: str = "1.8", **partition: Any):
        super().__init__(queues, confirm=confirm, release=release, **partition)
        self.engine: Twins = Twins(load_config(text or config_text(queues, **partition)), release=release)  # type: ignore[assignment]
        self.engine.apply(Advance(ns=MS_NS))

    def cycle(self) -> Decision:
        self._apply(Cycle())
        decision = self.engine.decisions[0]
        self._apply(Advance(ns=101 * MS_NS))
        self._confirm()
        return decision
