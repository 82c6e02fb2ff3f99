"""What the scheduler refused so far, and the true cause of each: not that nobody knows the application, but why it is not there.

The core answers a request of an application that it rejected with "failed to find application"; whoever reads that has to look for
the rejection of the application, and from there for the rule of placement or the access list that led to it. Here that way is
gone. It is the engine that is asked, as of the submission, so the cause is what held then (E-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field

from workbench.explain import refusals, words
from workbench.explain.wording import counted, listing, name
from workbench.scheduler.records.event_log import Told
from workbench.scheduler.records.events import ApplicationAccepted, ApplicationRejected, AskRejected, NodeRejected
from workbench.scheduler.records.refusals.placement import IsDraining, IsParent, NoRule, NoSubmitAccess, QueueMissing
from workbench.simulation import Simulation
from workbench.simulation.placements import Placing

MOST_CAUSES = 3
"""Causes that are told one by one."""
TELLING = (IsParent, NoSubmitAccess, IsDraining, QueueMissing)
"""Why a rule was passed over that says what is wrong; the first kind says most."""

Causes = MutableMapping[tuple[str, int, str], str]
"""Causes that were found before: (application id, when it was rejected, the scheduler's answer) -> the cause."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What was refused, by its cause.

    Attributes:
        applications: id -> cause, of those that are not there because of it.
        requests: (application id, key) -> cause, one for each that was refused, a key that was refused twice being there once.
        nodes: id -> the scheduler's answer.
        number: of requests that were refused, each time counted.
    """

    applications: Mapping[str, str] = field(default_factory=dict)
    requests: Mapping[tuple[str, str], str] = field(default_factory=dict)
    nodes: Mapping[str, str] = field(default_factory=dict)
    number: int = 0

    def __bool__(self) -> bool:
        return bool(self.applications or self.requests or self.nodes)

    def of(self, key: str, application_id: str | None = None) -> str:
        """Why the request of that key was refused; "" if none of that key was."""
        return next((why for (of, asked), why in self.requests.items() if asked == key and application_id in (None, of)), "")

    @property
    def many(self) -> str:
        """How much was refused, in a few words; "" for nothing.

        >>> Refused({"a": "no queue"}, {("a", "P1"): "no queue", ("a", "P2"): "no queue"}, number=2).many
        '2 requests of 1 app'
        """
        owners = len({of for of, _ in self.requests} | set(self.applications))
        apps = counted(owners, words.APPLICATION) if owners else ""
        of_apps = f"{counted(self.number, 'request')} of {apps}" if self.number else apps
        return listing([part for part in (of_apps, counted(len(self.nodes), "node") if self.nodes else "") if part])

    @property
    def sentences(self) -> tuple[str, ...]:
        """How much was refused, and why, the most frequent cause first."""
        if not self:
            return ()
        about: dict[str, list[str]] = {}
        for id, why in self.applications.items():
            about.setdefault(why, []).append(f"{words.APPLICATION} {name(id)}")
        for (of, key), why in self.requests.items():
            if of not in self.applications:
                about.setdefault(why, []).append(words.request(key, of))
        for id, why in self.nodes.items():
            about.setdefault(why, []).append(f"node {name(id)}")
        ranked = sorted(about.items(), key=lambda item: -len(item[1]))
        told = [because(listing(who), why) for why, who in ranked[:MOST_CAUSES]]
        rest = [further_causes(len(ranked) - MOST_CAUSES)] if len(ranked) > MOST_CAUSES else []
        return (were_refused(self.many), *told, *rest)


def refused(simulation: Simulation, known: Causes | None = None) -> Refused:
    """What the scheduler has refused up to now. Needs history.

    Args:
        known: causes that were found before, to which those found now are added; what was once said stays so.
    """
    told = tuple(simulation.said.of(ApplicationRejected, AskRejected, NodeRejected, ApplicationAccepted))
    if all(isinstance(each.event, ApplicationAccepted) for each in told):
        return Refused()
    causes = _causes(simulation, told, {} if known is None else known)
    applications: dict[str, str] = {}
    there: set[str] = set()
    requests: dict[tuple[str, str], str] = {}
    nodes: dict[str, str] = {}
    number = 0
    for each in told:
        match each.event:
            case ApplicationAccepted(application_id=id):
                there.add(id)
                applications.pop(id, None)
            case ApplicationRejected(application_id=id, reason=reason) if id not in there:  # else the first of that id stays
                applications[id] = causes.get((id, each.now_ns, reason)) or answers(reason)
            case AskRejected(key=key, application_id=id, reason=reason):
                number += 1
                requests[id, key] = applications.get(id) or answers(reason)
            case NodeRejected(node_id=id, reason=reason):
                nodes[id] = answers(reason)
    return Refused(applications, requests, nodes, number)


def _causes(simulation: Simulation, told: Sequence[Told], known: Causes) -> Causes:
    """The cause of each application that was rejected; the script is only played again where one is not known."""
    missing = {
        each.event.application_id: (each.event.application_id, each.now_ns, each.event.reason)
        for each in told
        if isinstance(each.event, ApplicationRejected) and (each.event.application_id, each.now_ns, each.event.reason) not in known
    }
    if missing:
        for id, placing in simulation.placements(missing).items():
            if placing.refusal is not None:
                known[missing[id]] = cause(placing)
    return known


def cause(placing: Placing) -> str:
    """Why a submission was rejected, as a sentence: what is wrong with the queue that it was led to, else the core's answer."""
    assert placing.refusal is not None, "it was accepted"
    if isinstance(placing.refusal, NoRule):
        found = list(_told(placing))
        if found:
            return " ".join(found)
    return refusals.reason(placing.refusal)


def _told(placing: Placing) -> Iterator[str]:
    for kind in TELLING:
        for attempt in placing.trace:
            if isinstance(attempt.refusal, kind):
                yield refusals.reason(attempt.refusal)
                if isinstance(attempt.refusal, NoSubmitAccess):
                    yield everybody_may(attempt.refusal.asked[-1] if attempt.refusal.asked else "root")
                return


# ---- in words ---------------------------------------------------------------------------------------------------------


def were_refused(many: str) -> str:
    return f"The scheduler refused {many}."


def because(who: str, why: str) -> str:
    return f"{who}: {why}"


def further_causes(number: int) -> str:
    return f"and {counted(number, 'further cause')}; the table of events has each."


def answers(reason: str) -> str:
    return f"The scheduler answers: {name(reason, 400)}."


def everybody_may(path: str) -> str:
    return f'submitacl: "*" on {name(path)} lets everybody submit.'
