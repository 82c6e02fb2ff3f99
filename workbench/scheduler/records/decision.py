"""What one cycle compared, refused and chose: values made by the decision itself (E-1 to E-3).

A cycle run with a `Trace` fills in every level it visits; without one only the outcome is kept. No sentences here: the
explain package phrases these records. Codes are those of chapter 09 (A-nn, W-nn).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

from workbench.scheduler.records.refusals.base import Refusal, Surprise
from workbench.scheduler.records.stoppings import Stopping

Key = Any
"""A NamedTuple that orders: its fields, first to last, smaller first. Each policy has its own."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate of a level in the order tried. `key` is the NamedTuple that ordered it: smaller goes first."""

    name: str
    key: Key | None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """One choice: the children of a queue, the applications of a leaf, the asks of an application, or the nodes for an ask.

    Attributes:
        kind: "queue", "application", "ask" or "node": what the candidates are.
        subject: the queue path, application id or ask key whose candidates these are.
        policy: name of the order used, e.g. "priority, share", "fifo", "binpacking".
        candidates: in the order tried.
        taken: index of the winner, None if none was taken.
        filtered: those that never became candidates, each with its reason; `subject` is the name.
    """

    kind: str
    subject: str
    policy: str
    candidates: tuple[Candidate, ...]
    taken: int | None
    filtered: tuple[Refusal, ...] = ()

    @property
    def winner(self) -> Candidate | None:
        return None if self.taken is None else self.candidates[self.taken]


@dataclass(frozen=True, slots=True)
class Change:
    """One value before and after: `subject` is a queue path, application id, node id or ask key; `what` the field."""

    subject: str
    what: str
    before: Any
    after: Any


class Decision(NamedTuple):
    """One cycle of one partition.

    Attributes:
        cycle: number of the cycle, from 1.
        now_ns: simulated time of the decision.
        outcome: "allocated", "reserved", "unreserved", "replaced", "preempted", "enforced" (allocations stop because
            a queue is over its maximum, `path` ends in it, and nothing else happened) or "nothing".
        phase: the pass that produced it, "reserved", "placeholder" or "regular"; "" for nothing (A-01).
        key, application_id, node_id: the ask concerned; "" for nothing.
        placeholder: key of the placeholder that the ask replaces (A-11); "" otherwise.
        stopped: (application id, key) of the allocations being stopped, in release order: for the ask, then for quotas.
        preemptions: (ask key, `preemption.general.Attempt`) for each attempt; only filled with a trace.
        surprises: known surprises of the real scheduler that decided, by rule, see `surprises`; only filled with a trace.
        instead_of_preempting: why an ask that reserves did not try to make room though it could (V-02); only with a trace.
        stoppings: what required-node and quota preemption made of every candidate; only filled with a trace.
        path: queue paths from root to the leaf of the ask.
        levels: every level visited, in visiting order; only filled with a trace.
        changes: what the decision changed (A-12); only filled with a trace.
        skipped: why the whole partition was not scheduled (W-01), or None.
    """

    cycle: int
    now_ns: int
    partition: str
    outcome: str = "nothing"
    phase: str = ""
    key: str = ""
    application_id: str = ""
    node_id: str = ""
    path: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    changes: tuple[Change, ...] = ()
    skipped: Refusal | None = None
    placeholder: str = ""
    stopped: tuple[tuple[str, str], ...] = ()
    preemptions: tuple[tuple[str, Any], ...] = ()
    surprises: tuple[Surprise, ...] = ()
    instead_of_preempting: Refusal | None = None
    stoppings: tuple[Stopping, ...] = ()

    @property
    def victims(self) -> tuple[str, ...]:
        """The keys of `stopped`; those of two applications may be equal."""
        return tuple(key for _, key in self.stopped)

    @property
    def beside(self) -> tuple[Stopping, ...]:
        """What the cycle stops beside what it does for the ask: for a quota, or for another ask on its required node."""
        ask = self.key, self.application_id
        return tuple(
            each for each in self.stoppings if each.taken and (each.kind == "quota" or (each.key, each.application_id) != ask)
        )

    @property
    def stopped_for_ask(self) -> tuple[tuple[str, str], ...]:
        """Those of `stopped` that make room for the ask; only told apart with a trace."""
        if self.outcome == "enforced":
            return ()
        others = {(taken.application_id, taken.key) for each in self.beside for taken in each.taken}
        return tuple(each for each in self.stopped if each not in others)

    @property
    def changed_something(self) -> bool:
        return self.outcome != "nothing"


def deciding_field(winner: Key, loser: Key) -> str | None:
    """Name of the first key field in which `loser` is behind `winner`; None if the keys are equal."""
    for name, mine, theirs in zip(winner._fields, winner, loser):
        if mine != theirs:
            return str(name)
    return None


@final
@dataclass(slots=True)
class LevelTrace:
    """A level being walked. `refuse` and `take` are called as the search goes."""

    kind: str
    subject: str
    policy: str
    candidates: list[Candidate]
    filtered: tuple[Refusal, ...] = ()
    taken: int | None = None

    def refuse(self, index: int, refusal: Refusal | None) -> None:
        self.candidates[index] = Candidate(self.candidates[index].name, self.candidates[index].key, refusal)

    def take(self, index: int) -> None:
        self.taken = index

    def closed(self) -> Level:
        return Level(self.kind, self.subject, self.policy, tuple(self.candidates), self.taken, self.filtered)


@final
@dataclass(slots=True)
class Trace:
    """Collects the levels of one cycle in visiting order."""

    levels: list[LevelTrace] = field(default_factory=list)
    preemptions: list[tuple[str, Any]] = field(default_factory=list)
    """(ask key, `preemption.general.Attempt`) for each attempt of the cycle."""
    surprises: list[Surprise] = field(default_factory=list)
    """Known surprises of the real scheduler that decided in this cycle, by rule."""

    stoppings: list[Stopping] = field(default_factory=list)
    """What required-node and quota preemption stopped or spared in this cycle."""

    def notice(self, surprises: Iterable[Surprise]) -> None:
        self.surprises.extend(surprises)

    def open(
        self, kind: str, subject: str, policy: str, candidates: Sequence[Candidate], filtered: Sequence[Refusal] = ()
    ) -> LevelTrace:
        level = LevelTrace(kind, subject, policy, list(candidates), tuple(filtered))
        self.levels.append(level)
        return level

    def closed(self) -> tuple[Level, ...]:
        return tuple(level.closed() for level in self.levels)
