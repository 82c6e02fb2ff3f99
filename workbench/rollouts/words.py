"""What a rollout says, in parts of sentences: instants, pods, queues, amounts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from workbench.explain.wording import counted, listing, name
from workbench.measures import units
from workbench.rollouts.course import Stopped
from workbench.rollouts.lasting import Stays

MOST_NAMED = 3


def after(ns: int) -> str:
    """How long after the change: "at once", "after 1 min 30 s"."""
    seconds = ns / 1e9
    return "at once" if seconds < 1 else f"after {duration(ns)}"


def duration(ns: int) -> str:
    """A duration, to the second."""
    return units.short(round(ns / 1e9), units.SECONDS)


def in_minutes(minutes: int) -> str:
    """A number of minutes.

    >>> in_minutes(1), in_minutes(90)
    ('1 minute', '90 minutes')
    """
    return counted(minutes, "minute")


def pods(some: Iterable[tuple[str, str]], most: int = MOST_NAMED) -> str:
    """Some pods by name, the first of many."""
    return listing([name(key) for _, key in some], most)


def stopped(each: Stopped) -> str:
    """Why somebody is stopped."""
    if each.by == "request":
        assert each.for_whom is not None
        return f"for {name(each.for_whom[1])} of {name(each.for_queue)}" if each.for_queue else f"for {name(each.for_whom[1])}"
    return "quota preemption" if each.by == "quota" else "its gang is not complete in time"


def by_queue(some: Sequence[Stopped]) -> Mapping[str, list[Stopped]]:
    """Queue -> who is stopped in it."""
    found: dict[str, list[Stopped]] = {}
    for each in some:
        found.setdefault(each.queue, []).append(each)
    return found


def stays(each: Stays) -> str:
    """What stays in force, in a sentence."""
    place = f" of {name(each.path, None)}" if each.path else ""
    stays, wanted = (name(text) if text else "not set" for text in (each.stays, each.wanted))
    return f"{name(each.setting)}{place} stays {stays} until the scheduler restarts; the file says {wanted}."
