"""How much one client may ask of the server: sizes in bytes, times in seconds, counts."""

from __future__ import annotations

from dataclasses import dataclass

MOST_BODY = 10_000_000
"""A longer body of a request is refused (RE-42)."""
MOST_HEADERS = 32_768
"""Of all headers of a request together."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server allows everybody.

    Attributes:
        body: bytes of a request's body that are taken.
        thrown_away: bytes of a body that is too long that are read all the same, so that its sender hears why; then the
            connection is closed.
        idle_s: between two requests, and for the head of one.
        body_s: for the body of a request.
        connections: at the same time; a further one is closed at once.
        kept_answers: bytes of answers that are kept as long as nothing happens.
    """

    body: int = MOST_BODY
    thrown_away: int = 64_000_000
    idle_s: float = 120.0
    body_s: float = 60.0
    connections: int = 1000
    kept_answers: int = 128_000_000
