"""What the scheduler answers, as frozen data, in the order it happened.

These are the messages that the resource manager of a real cluster would receive (chapter 04, sections 5, 8, 9).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from workbench.values.resources import EMPTY, Resource, to_string


@dataclass(frozen=True, slots=True)
class Allocated:
    """A new allocation, reported to the resource manager."""

    key: str
    application_id: str
    node_id: str


@dataclass(frozen=True, slots=True)
class Released:
    """A release announced to the resource manager; `type` is one of R-490."""

    key: str
    application_id: str
    type: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class ApplicationAccepted:
    application_id: str
    queue: str


@dataclass(frozen=True, slots=True)
class ApplicationRejected:
    application_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ApplicationUpdated:
    """The application entered `state` (R-454)."""

    application_id: str
    state: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class AskRejected:
    key: str
    application_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class NodeAccepted:
    node_id: str


@dataclass(frozen=True, slots=True)
class NodeRejected:
    node_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ConfigRejected:
    reason: str


@dataclass(frozen=True, slots=True)
class Reserved:
    """A node now waits for an ask (R-565). Not reported to the resource manager, but shown to people."""

    key: str
    application_id: str
    node_id: str


@dataclass(frozen=True, slots=True)
class Unreserved:
    """A reservation ended (R-568). Not reported to the resource manager."""

    key: str
    application_id: str
    node_id: str


@dataclass(frozen=True, slots=True)
class Preempted:
    """Victims are being stopped so that an ask can run on a node (P-110). The releases themselves are reported one by one."""

    key: str
    application_id: str
    node_id: str
    victims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuotaPreempted:
    """What a run for a queue over its maximum came to, from release 1.9 on. Told to observers, as QUEUE_PREEMPTION (407). R-917

    Attributes:
        queue, maximum: whose maximum is enforced.
        preemptable: what has to go, as far as it was given to leaves; None for nothing.
        claimed: the size of all that is stopped; None for nothing.
        selected, preempted: how many allocations were candidates, and how many of them are stopped.
    """

    queue: str
    maximum: Resource | None
    preemptable: Resource | None
    claimed: Resource | None
    selected: int
    preempted: int

    @property
    def text(self) -> str:
        """As the core writes it."""
        return (
            f"Quota Preemption results summary: preemptable resources: {to_string(self.preemptable)}, claimed resources: "
            f"{to_string(self.claimed)}, selected victims: {self.selected}, preempted victims: {self.preempted}"
        )


@dataclass(frozen=True, slots=True)
class QueueCreated:
    """A dynamic queue was created by placement (PL-80)."""

    queue: str


@dataclass(frozen=True, slots=True)
class QueueRemoved:
    """An empty dynamic or draining queue was cleaned up (C-163)."""

    queue: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """A check of an application or request began to fail, or passes again (R-543, R-582). Told to observers.

    Attributes:
        key, resource: of the request, or of the placeholder with what does not fit into it; "" and nothing for an application.
    """

    application_id: str
    text: str
    key: str = ""
    resource: Resource = EMPTY


@dataclass(frozen=True, slots=True)
class Ignored:
    """A message about something unknown, which the core only logs. Not reported to the resource manager."""

    reason: str


@dataclass(frozen=True, slots=True)
class Surprised:
    """The core does what one would not expect, by which rule; the engine does the same, or the text says what instead.

    Not reported to the resource manager. Where a sum no longer is that of its parts, `counts` is its field and `amount` how much
    too much it counts from now on; negative amounts are too little.
    """

    rule: str
    subject: str
    text: str
    counts: str = ""
    amount: Resource = EMPTY


Event = Union[
    Allocated,
    Released,
    ApplicationAccepted,
    ApplicationRejected,
    ApplicationUpdated,
    AskRejected,
    NodeAccepted,
    NodeRejected,
    ConfigRejected,
    Reserved,
    Unreserved,
    QueueCreated,
    QueueRemoved,
    Preempted,
    QuotaPreempted,
    Noticed,
    Ignored,
    Surprised,
]
