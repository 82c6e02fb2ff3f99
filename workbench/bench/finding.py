"""Finding a queue or a waiting request by what somebody types."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.explain.wording import name
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.state import Partition
from workbench.simulation.waiting import Waiting
from workbench.values.errors import CommandError


def found(text: str, partition: Partition, waiting: Sequence[Waiting]) -> dict[str, str]:
    """What `Workbench.select` takes to select it: an exact name goes before one that contains the text, a queue before a request.

    CommandError if there is neither.
    """
    wanted = text.strip().lower()
    paths = [queue.path for queue in walk(partition.root)]
    requests = [(item.ask.key, item.application.id) for item in waiting]
    if wanted:
        for matches in (_equal, _within):
            for path in paths:
                if matches(wanted, path.lower()) or matches(wanted, path.rpartition(".")[2].lower()):
                    return {"path": path}
            for key, application in requests:
                if matches(wanted, key.lower()) or matches(wanted, application.lower()):
                    return {"request": key, "application": application}
    raise CommandError(not_found(text))


def _equal(wanted: str, text: str) -> bool:
    return wanted == text


def _within(wanted: str, text: str) -> bool:
    return wanted in text


# ---- in words ---------------------------------------------------------------------------------------------------------


def not_found(text: str) -> str:
    return f"no queue and no waiting request is called {name(text)}"
