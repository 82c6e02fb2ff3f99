"""How many applications and containers there were, minute by minute. Chapter 11, section 2."""

from __future__ import annotations

from typing import Any

from workbench.rest.routes import Request
from workbench.rest.source import Source


def applications(source: Source, request: Request) -> list[dict[str, Any]]:
    return [{"timestamp": source.at(entry.now_ns), "totalApplications": str(entry.applications)} for entry in source.past.minutes()]


def containers(source: Source, request: Request) -> list[dict[str, Any]]:
    return [{"timestamp": source.at(entry.now_ns), "totalContainers": str(entry.containers)} for entry in source.past.minutes()]
