"""An answer as a value, and the ways to make one: a document, a text, a refusal. RE-1, RE-2."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

JSON = "application/json; charset=UTF-8"
TEXT = "text/plain; charset=utf-8"
HTML = "text/html; charset=utf-8"
YAML = "application/x-yaml; charset=UTF-8"

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Following:
    """Instead of a body: events without end, as `stream.Listener` gives them.

    Attributes:
        count: how many past events are told first, at most.
    """

    count: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What one request is answered.

    Attributes:
        status: of HTTP.
        content_type: as the header says it, "" for none.
        body: what is sent.
        headers: further headers, (name, value).
        document: what the body says: the parsed JSON, or the text.
        following: what is sent after the body as it happens; None for an answer that ends.
    """

    status: int
    content_type: str
    body: bytes
    headers: Headers = ()
    document: Any = None
    following: Following | None = None


class Refusal(Exception):
    """A request that cannot be answered as asked: 400 for what was asked wrongly, 404 for what is not there."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status
        self.message = message


def of_document(document: Any, status: int = 200) -> Answer:
    """JSON, as the core's encoder ends it: with a line feed."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n"
    return Answer(status, JSON, text.encode("utf-8", "replace"), document=document)


def of_text(text: str, content_type: str = TEXT, status: int = 200, headers: Headers = ()) -> Answer:
    return Answer(status, content_type, text.encode("utf-8", "replace"), headers, text)


def of_redirect(place: str) -> Answer:
    """For good, to another address."""
    return of_text(f'<a href="{place}">Moved Permanently</a>.\n\n', HTML, 301, (("Location", place),))


def of_refusal(refusal: Refusal) -> Answer:
    """The error as a document, in which the text is said twice. RE-2."""
    said = {"status_code": refusal.status, "message": refusal.message, "description": refusal.message}
    return of_document(said, refusal.status)
