"""A change that was tried, and what came of trying."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.config.model import SchedulerConfig
from workbench.scheduler.records.commands import Command
from workbench.scheduler.records.refusals.base import Refusal


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that was tried and helps.

    Attributes:
        kind: what is changed; one of `KINDS`.
        subject: the queue path, node id, application id or ask key that it concerns.
        detail: for a limit "user NAME" or "group NAME".
        before, after: the value now and then: int, text, Resource or nanoseconds (wait); None for "not there".
        effect: one of `EFFECTS`: "next": the next cycle places the ask; "placed": it gets its place later; "preempts": others are
            stopped for it, "reserves": a node is reserved for it, but it was not placed; "passes": it only passes the test.
        way: "preempts" or "reserves" if that came before its place; else "".
        config: the edited configuration, for the kinds that edit one.
        commands: what was done to try it, the time that has to pass included.
    """

    kind: str
    subject: str
    detail: str = ""
    before: object = None
    after: object = None
    effect: str = ""
    way: str = ""
    config: SchedulerConfig | None = None
    commands: tuple[Command, ...] = field(default=(), compare=False, repr=False)

    @property
    def works(self) -> bool:
        """Whether the ask was placed."""
        return self.effect in WORKING


EFFECTS = ("next", "placed", "preempts", "reserves", "passes")
"""What trying can show, the best first."""
WORKING = EFFECTS[:2]
ROOM = ("node", "resize", "undrain", "wait")
"""Kinds that bring room for anybody."""
KINDS = (
    "offset",
    "no-fence",
    "sort-priority",
    "sort-policy",
    "ask-priority",
    "guaranteed",
    "maximum",
    "max-applications",
    "limit",
    "limit-applications",
    "backoff",
    "node",
    "resize",
    "undrain",
    "wait",
)


@dataclass(frozen=True, slots=True)
class Remedies:
    """What came of trying: the changes that help, and every kind of change that was tried, each in the order of trying.

    Attributes:
        vain: changes that bring room, with the (application id, ask key) of another that comes first and takes it.
        then: of an ask that may not preempt yet: why it does not when it may, nothing else being put in; None if it does, or if it
            is never looked at again.
    """

    found: tuple[Remedy, ...] = ()
    tried: tuple[str, ...] = ()
    vain: tuple[tuple[Remedy, tuple[str, str]], ...] = ()
    then: Refusal | None = None
