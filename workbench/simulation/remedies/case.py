"""A waiting ask, and the changes that somebody proposes for the reason it was given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from workbench.config import edit
from workbench.config.model import SchedulerConfig
from workbench.config.write.export import accepted
from workbench.scheduler.records.commands import (
    Command,
    UpdateConfig,
)
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.state import Allocation, Application, Partition
from workbench.simulation.remedies.remedy import Remedy
from workbench.values.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Trial:
    """A change to try: what to do, and the key under which the ask goes afterwards."""

    remedy: Remedy
    commands: tuple[Command, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Case:
    """What there is to know when thinking of a change."""

    config: SchedulerConfig
    now_ns: int
    partition: Partition
    application: Application
    ask: Allocation
    refusal: Refusal

    def trial(self, remedy: Remedy, *commands: Command) -> Trial:
        return Trial(remedy, commands, self.ask.key)

    def edit(self, remedy: Remedy, change: Callable[[], SchedulerConfig], *then: Command) -> Trials:
        """A configuration edit as a reload; nothing if the edit does not make sense, e.g. for a dynamic queue."""
        try:
            edited = accepted(change())
        except ConfigError:
            return
        yield self.trial(replace(remedy, config=edited), UpdateConfig(config=edited), *then)

    def edit_property(self, remedy: Remedy, key: str) -> Trials:
        return self.edit(
            remedy, lambda: edit.with_property(self.config, remedy.subject, key, str(remedy.after), self.partition.name)
        )


Trials = Iterator[Trial]
Propose = Callable[[Case, Any], Trials]
_PROPOSALS: dict[type[Refusal], Propose] = {}

P = TypeVar("P", bound=Callable[..., Trials])


def proposes(*kinds: type[Refusal]) -> Callable[[P], P]:
    """Register a function (case, refusal) -> changes worth trying, smallest first, for reasons of these classes."""

    def register(propose: P) -> P:
        for kind in kinds:
            _PROPOSALS[kind] = propose
        return propose

    return register


def proposals(case: Case) -> Trials:
    """What is proposed for the reason of the ask, then for the reason why it could not make room itself. W-23"""
    for refusal in (case.refusal, case.refusal.preemption):
        propose = _PROPOSALS.get(type(refusal)) if refusal is not None else None
        if propose is not None:
            yield from propose(case, refusal)
