"""What all reasons have: a code, a subject, and typed fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Reason:
    """Something that a decision met.

    Attributes:
        code: stable code of chapter 09, e.g. "W-11", or the rule of a surprise.
        subject: what it is about, e.g. the queue whose headroom is too small, or a node id.
    """

    code: ClassVar[str] = ""
    subject: str


@dataclass(frozen=True, slots=True)
class Refusal(Reason):
    """Why a candidate was passed over: the first test that failed (E-3).

    Attributes:
        preemption: why the ask could not make room for itself either (W-23); None where that is no part of the reason.
    """

    preemption: Refusal | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Surprise(Reason):
    """Something came out otherwise than one would expect, and by which rule: the real scheduler does it too.

    Attributes:
        application, ask: the application and the ask concerned; "" if that is not the point.
    """

    application: str = field(default="", kw_only=True)
    ask: str = field(default="", kw_only=True)
