"""Who comes before whom: `order: [urgent, nightly]`, in a scenario or a workload.

An entry is the id of a job or application, the key of a request of a scenario (`P1`, or `app/P1`), or a scope such as
`root.prod` or `class:urgent`. Of each counts the first request that is placed, and each has to be placed before the next one. Where
no two of them ever waited together, no other order was possible, and it says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from workbench.expectations.kinds.registry import Case, Kind, Place, register_kind
from workbench.expectations.story import Point, Request, Story
from workbench.expectations.verdicts import CannotFail, Offender, Outcome, Verdict
from workbench.explain.wording import name
from workbench.measures import Scope, scope_of, units
from workbench.simulation.scenario.document import Cursor
from workbench.values.errors import CommandError

SCOPES = ("cluster", "root.", "user:", "group:", "class:", "job:")


@dataclass(frozen=True)
class Order:
    """Who has to be placed in which order."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"placed in this order: {', '.join(name(each) for each in self.names)}"

    def judge(self, case: Case) -> Verdict:
        story = case.story
        asked = [_requests(story, each) for each in self.names]
        firsts = [min((each for each in found if each.placed is not None), key=_placed, default=None) for found in asked]
        for place, ((one, two), (ones, twos)) in enumerate(zip(pairwise(firsts), pairwise(asked))):
            if two is None or one is None or _placed(two) < _placed(one):
                return self._failed(story, place, one, two, ones, twos)
        if not any(_competed(ones, twos) for ones, twos in pairwise(asked)):
            raise CannotFail(
                f"of {', '.join(map(name, self.names))} no two that follow each other ever waited together, so this could not "
                "fail; let them compete"
            )
        return Verdict(Outcome.PASSED, f"{self}: they were", 0.0)

    def _failed(
        self, story: Story, place: int, one: Request | None, two: Request | None, ones: list[Request], twos: list[Request]
    ) -> Verdict:
        first, second = self.names[place : place + 2]
        if one is None:
            waits = ones[0]
            moment = story.moment(story.end.ns, waits=waits.task, queue=waits.queue)
            if two is not None and waits.arrived < _placed(two):
                moment = story.moment(_placed(two).ns, "placed", two.task, waits.task, two.queue)
            said, who = f"{name(first)} was never placed", first
        elif two is None:
            waits = twos[0]
            moment = story.moment(story.end.ns, waits=waits.task, queue=waits.queue)
            said, who = f"{name(second)} was never placed", second
        else:
            since = ones[0]
            waited = since.arrived < _placed(two)
            moment = story.moment(_placed(two).ns, "placed", two.task, since.task if waited else None, two.queue)
            said = f"{name(second)} was placed at {_time(two)}, before {name(first)} at {_time(one)}"
            said += "" if waited else f", which arrived only at {units.short(since.arrived.ns / units.NS, units.SECONDS)}"
            who = second
        return Verdict(Outcome.FAILED, f"{self}: {said}", margin=-1.0, offender=Offender(who, f"{said}.", moment))


def _placed(request: Request) -> Point:
    assert request.placed is not None
    return request.placed


def _time(request: Request) -> str:
    return units.short(_placed(request).ns / units.NS, units.SECONDS)


def _competed(ones: list[Request], twos: list[Request]) -> bool:
    """Whether a request of one and one of the other waited at the same time."""
    return any(max(one.arrived.ns, two.arrived.ns) <= min(one.waited_until.ns, two.waited_until.ns) for one in ones for two in twos)


def _requests(story: Story, wanted: str) -> list[Request]:
    """The requests of an entry, by arrival. CommandError if nothing of that name asked for anything."""
    found: list[Request] = []
    try:
        found = story.requests(story.scope(Scope("job", wanted)))
    except CommandError:
        job, _, key = wanted.rpartition("/")
        everything = story.requests(Scope("cluster"))
        found = [each for each in everything if each.key == key and job in ("", each.job)]
        if not found and wanted.startswith(SCOPES):
            found = story.requests(story.scope(scope_of(wanted)))
        elif not found:
            jobs = list(dict.fromkeys(each.job for each in everything))
            there = ", ".join(map(name, jobs[:10])) or "none"
            raise CommandError(f"there is no job or request {wanted!r}; there are {there}") from None
    if not found:
        raise CommandError(f"{wanted} never asked for anything that the scheduler took")
    return found


def read(at: Cursor, given: Mapping[str, Cursor], place: Place) -> Order:
    """The order of a file."""
    names = tuple(each.name() for each in at.items())
    if len(names) < 2:
        raise at.fault("an order has at least two entries", "such as order: [urgent, nightly]")
    twice = next((each for each in names if names.count(each) > 1), None)
    if twice is not None:
        raise at.fault(f"{name(twice)} occurs twice in it", "name each once")
    return Order(names)


register_kind("order", Kind("who comes before whom", read, by="workload or scenario"))
