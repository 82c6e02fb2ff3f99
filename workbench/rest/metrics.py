"""`metrics`: counters and gauges in the text form of Prometheus, without the figures of a process."""

from __future__ import annotations

from workbench.rest.answer import Answer, of_text
from workbench.rest.routes import Request
from workbench.rest.source import Source

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def text(source: Source, request: Request) -> Answer:
    return of_text("", CONTENT_TYPE)
