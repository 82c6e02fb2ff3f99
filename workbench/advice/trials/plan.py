"""How a lint is brought about: a design, what happens to it, and how to read the end. One plan for each class of lint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from workbench.advice.lint import Lint
from workbench.advice.trials.outcomes import Held, Outcome, Unplaced
from workbench.advice.trials.scene import HERE, Played
from workbench.config.facts import Design
from workbench.config.model import SchedulerConfig
from workbench.scheduler.objects import tree
from workbench.simulation.scenario import Happening

L = TypeVar("L", bound=Lint)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played, and what its end means."""

    config: SchedulerConfig
    happenings: list[Happening]
    read: Callable[[Played], Outcome]


PLANS: dict[type[Lint], Callable[[Any, str, Design], Plan]] = {}
"""Class of lint -> (such a lint, the path of its queue, the design) -> how to bring it about."""


def tries(kind: type[L]) -> Callable[[Callable[[L, str, Design], Plan]], Callable[[L, str, Design], Plan]]:
    """Register the plan for a class of lint."""

    def register(plan: Callable[[L, str, Design], Plan]) -> Callable[[L, str, Design], Plan]:
        PLANS[kind] = plan
        return plan

    return register


def less_than(path: str, kind: str, promised: int) -> Callable[[Played], Outcome]:
    """Whether the queue came to less of a type than it is promised."""

    def read(played: Played) -> Outcome:
        held = played.held(path, kind)
        return Held(held < promised, kind, held, promised)

    return read


def none_placed(path: str) -> Callable[[Played], Outcome]:
    """Whether the application that was sent to the queue got nothing there."""

    def read(played: Played) -> Outcome:
        queue = tree.find(played.engine.state.partitions["default"], path)
        there = queue is not None and HERE in queue.applications and played.placed(HERE) > 0
        return Unplaced(not there)

    return read
