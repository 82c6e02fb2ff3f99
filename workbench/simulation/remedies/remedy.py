"""A change that was tried, and what came of trying."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.config.model import SchedulerConfig


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
    """

    kind: str
    subject: str
    detail: str = ""
    before: object = None
    after: object = None
    effect: str = ""
    way: str = ""
    config: SchedulerConfig | None = None

    @property
    def works(self) -> bool:
        """Whether the ask was placed."""
        return self.effect in WORKING


EFFECTS = ("next", "placed", "preempts", "reserves", "passes")
"""What trying can show, the best first."""
WORKING = EFFECTS[:2]
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
    """What came of trying: the changes that help, and every kind of change that was tried, each in the order of trying."""

    found: tuple[Remedy, ...] = ()
    tried: tuple[str, ...] = ()
