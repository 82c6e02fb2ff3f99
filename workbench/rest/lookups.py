"""Objects by the names that an address gives, or the refusal that is answered instead. RE-2, RE-6."""

from __future__ import annotations

import re
from urllib.parse import unquote

from workbench.config.validation.names import INVALID_QUEUE_NAME, is_queue_name
from workbench.rest.answer import Refusal
from workbench.rest.routes import Request
from workbench.rest.source import Source
from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Partition, Queue

_NO_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")


def partition_of(source: Source, request: Request) -> Partition:
    """Refusal 404 if there is no such partition."""
    found = source.partition(request.names["partition"])
    if found is None:
        raise Refusal(404, "Partition not found")
    return found


def again(name: str) -> str:
    """Quirk: the percent signs of some names are undone a second time. Refusal 400 if that cannot be."""
    if _NO_ESCAPE.search(name):
        found = _NO_ESCAPE.search(name)
        assert found is not None
        raise Refusal(400, f'invalid URL escape "{name[found.start() : found.start() + 3]}"')
    return unquote(name)


def queue_of(partition: Partition, request: Request) -> Queue:
    """Refusal 400 for what no queue can be called, 404 if there is none of that path."""
    path = again(request.names["queue"])
    if not all(map(is_queue_name, path.split("."))):
        raise Refusal(400, INVALID_QUEUE_NAME)
    found = tree.find(partition, path)
    if found is None:
        raise Refusal(404, "Queue not found")
    return found
