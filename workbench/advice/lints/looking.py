"""Applications and asks of a leaf, for the checks that look at what is there."""

from __future__ import annotations

from itertools import chain

from workbench.scheduler.records.state import Allocation, Application, Partition


def applications(partition: Partition, path: str) -> list[Application]:
    """The active applications of a leaf, in the order of their creation."""
    return sorted(
        (app for app in partition.applications.values() if app.queue is not None and app.queue.path == path),
        key=lambda app: app.seq,
    )


def asks(partition: Partition, path: str) -> list[Allocation]:
    """Everything asked for in a leaf, what is placed included."""
    return [ask for app in applications(partition, path) for ask in app.asks.values()]


def waiting(partition: Partition, path: str) -> list[Allocation]:
    """What is asked for in a leaf and not placed."""
    return [ask for ask in asks(partition, path) if not ask.allocated]


def users_of(partition: Partition, path: str) -> tuple[str, ...]:
    """Who has applications in a leaf, each once."""
    finished = chain(partition.applications.values(), partition.completed.values())
    return tuple(dict.fromkeys(app.user for app in finished if app.queue_path.lower() == path))
