"""How long pods run: those that ended say it, and those that run by how long they do already. WL-13."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from workbench.importers.kubernetes import belonging
from workbench.importers.kubernetes.applications import application_id, namespace_of
from workbench.importers.kubernetes.fields import Object, WrongField, entries, text


@dataclass(slots=True)
class Durations:
    """How long ended pods ran, in milliseconds, by what they belong to; "" for all. `ages`: how long the others run already."""

    ended: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    ages: dict[str, int] = field(default_factory=dict)
    unreadable: int = 0

    def add(self, pod: Object, ms: int) -> None:
        """A pod of an application in a namespace ran so long."""
        for key in _keys(application_id(pod), namespace_of(pod)):
            self.ended.setdefault(key, []).append(ms)

    @property
    def count(self) -> int:
        return len(self.ended.get(_ALL, ()))

    def of(self, application: str, namespace: str, ages: Sequence[int]) -> tuple[int | None, ...]:
        """How long each of some that are alike will still run; `ages` is how long they run already."""
        known = next((sorted(self.ended[key]) for key in _keys(application, namespace) if key in self.ended), [])
        return tuple(_still(known, age, number, len(ages)) for number, age in enumerate(ages))


_ALL = ("", "")


def _keys(application: str, namespace: str) -> tuple[tuple[str, str], ...]:
    return ("application", application), ("namespace", namespace), _ALL


def _still(known: Sequence[int], age: int, number: int, count: int) -> int | None:
    longer = [each - age for each in known if each > age]
    if not longer:  # older than any that ended
        return None if not known else max(1, known[len(known) // 2])
    return max(1, longer[min(len(longer) - 1, (2 * number + 1) * len(longer) // (2 * count))])


def durations_of(pods: Iterable[Object]) -> Durations:
    """How long pods ran that ended, by their containers; and how long others run until now, the latest instant that is told."""
    found = Durations()
    started: dict[str, int] = {}
    now = 0
    for pod in pods:
        try:
            spans = list(_spans(pod))
            began = _instant(text(pod, "status", "startTime"))
        except WrongField:
            spans, began = [], 0
        instants = [each for span in spans for each in span if each]
        now = max(now, began, *instants)
        if not belonging.has_ended(pod):
            if began and belonging.is_bound(pod):
                started[f"{namespace_of(pod)}/{text(pod, 'metadata', 'name')}"] = began
            continue
        starts, ends = [start for start, _ in spans if start], [end for _, end in spans if end]
        if starts and ends and max(ends) >= min(starts):
            found.add(pod, max(1, max(ends) - min(starts)))
        else:
            found.unreadable += 1
    found.ages = {key: now - began for key, began in started.items()}
    return found


def _spans(pod: Object) -> Iterator[tuple[int, int]]:
    """From when to when each container ran, as far as that is told."""
    for each in entries(pod, "status", "containerStatuses"):
        ended = ("state", "terminated")
        yield _instant(text(each, *ended, "startedAt")), _instant(text(each, *ended, "finishedAt"))


def _instant(said: str) -> int:
    """Milliseconds since 1970; 0 for nothing that could be read."""
    try:
        return round(datetime.fromisoformat(said).timestamp() * 1000) if said else 0
    except (ValueError, OverflowError):
        return 0
