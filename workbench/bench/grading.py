"""Whether an answer says what was asked for, and only then whether it is so.

What an answer names is first read as the requests that it stands for: a queue stands for all that waits in it, an application for
all of its requests. If these are more than the question leaves room for, the answer is not exact enough; that is said without
looking at what comes next, so that it tells nothing. A name that is used for different kinds of things counts for any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from workbench.bench import prediction
from workbench.bench.prediction import APPLICATION, NEXT, NODE, NOTHING, QUEUE, REQUEST
from workbench.explain.wording import counted, listing, name
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition
from workbench.simulation.waiting import Waiting

Key = tuple[str, str]
"""(application id, key) of a request."""
MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer may stand for.

    Attributes:
        kind: "request", "application", "queue" or "node".
        requests: all waiting requests that it stands for, in the order of arrival; none for a node.
    """

    kind: str
    requests: tuple[Waiting, ...] = ()


def readings(answer: str, partition: Partition, waiting: Sequence[Waiting]) -> tuple[Reading, ...]:
    """Everything that the answer may stand for. CommandError if there is nothing of that name, or for root."""
    wanted = answer.strip().lower()
    prediction.check_name(answer, partition, waiting)
    came = prediction.as_they_came(waiting)
    kinds: Mapping[str, Callable[[Waiting], bool]] = {
        REQUEST: lambda each: wanted in (each.ask.key.lower(), f"{each.application.id}/{each.ask.key}".lower()),
        APPLICATION: lambda each: wanted == each.application.id.lower(),
        QUEUE: lambda each: any(
            wanted in (path, path.rpartition(".")[2]) for path in _ways(each.application.queue_path) if "." in path
        ),
    }
    found = [Reading(kind, tuple(each for each in came if holds(each))) for kind, holds in kinds.items()]
    nodes = [Reading(NODE)] if wanted in {node.lower() for node in partition.nodes} else []
    return (*(each for each in found if each.requests), *nodes)


def _ways(path: str) -> list[str]:
    steps = path.split(".")
    return [".".join(steps[:depth]) for depth in range(1, len(steps) + 1)]


def too_vague(answer: str, asked: str, partition: Partition, waiting: Sequence[Waiting]) -> str:
    """Why the answer is not exact enough for what was asked, without a word on whether it is right; "" if it is."""
    if answer.strip().lower() == NOTHING:
        return ""
    read = readings(answer, partition, waiting)
    requests = [each for each in read if each.kind != NODE]
    if asked == NODE:
        return "" if any(each.kind == NODE for each in read) else asked_for_a_node(answer, sorted(partition.nodes)[:MOST_NAMED])
    if not requests:
        if not read:
            return nothing_waits(answer)
        if asked != NEXT:
            return node_instead(answer, asked)
        return only_node(answer) if len(partition.nodes) == 1 else ""
    if asked == NEXT:
        everything = all(len(each.requests) == len(waiting) > 1 for each in requests)
        return holds_everything(answer) if everything and len(read) == len(requests) else ""
    if any(len(_named(asked, each.requests)) == 1 for each in requests):
        return ""
    fewest = min(requests, key=lambda each: len(each.requests)).requests
    named = _named(asked, fewest)
    return not_exact(answer, asked, list(named))


def is_right(answer: str, asked: str, decision: Decision, partition: Partition, waiting: Sequence[Waiting]) -> bool:
    """Whether the decision is about what an answer names that is exact enough."""
    if answer.strip().lower() == NOTHING or not decision.changed_something or not decision.key or asked == NODE:
        return prediction.names_the_next(answer, decision, partition, waiting)
    wanted = decision.application_id, decision.key
    for each in readings(answer, partition, waiting):
        if each.kind == NODE:
            if asked == NEXT and decision.node_id.lower() == answer.strip().lower():
                return True
        elif any((one.application.id, one.ask.key) == wanted for one in each.requests):
            if asked == NEXT or len(_named(asked, each.requests)) == 1:
                return True
    return asked == QUEUE and any(
        decision.path[-1] in _named(QUEUE, each.requests) and len(_named(QUEUE, each.requests)) == 1
        for each in readings(answer, partition, waiting)
    )


def _named(asked: str, requests: Iterable[Waiting]) -> dict[str, None]:
    """What the requests come to on the level asked for, each once."""
    requests = list(requests)
    keys = [each.ask.key for each in requests]
    return dict.fromkeys(
        (f"{each.application.id}/{each.ask.key}" if keys.count(each.ask.key) > 1 else each.ask.key)
        if asked == REQUEST
        else each.application.id
        if asked == APPLICATION
        else each.application.queue_path
        for each in requests
    )


def choices(asked: str, partition: Partition, waiting: Sequence[Waiting]) -> tuple[str, ...]:
    """Every answer that is exact enough, as it is to be given, in an order that tells nothing; "nothing" stands last."""
    came = prediction.as_they_came(waiting)
    if asked == NODE:
        return (*sorted(partition.nodes), NOTHING)
    level = REQUEST if asked == NEXT else asked
    return (*_named(level, came), NOTHING)


# ---- in words ---------------------------------------------------------------------------------------------------------


def not_exact(answer: str, asked: str, named: Sequence[str]) -> str:
    these = listing([name(each) for each in named[:MOST_NAMED]]) + (" and more" if len(named) > MOST_NAMED else "")
    return f"{name(answer)} is not exact enough: it stands for {counted(len(named), asked)}, {these}. Name one."


def asked_for_a_node(answer: str, nodes: Sequence[str]) -> str:
    return f"Asked is the node, and {name(answer)} is none; there are {listing([name(node) for node in nodes])}."


def node_instead(answer: str, asked: str) -> str:
    return f"Asked is the {asked}; {name(answer)} is a node."


def only_node(answer: str) -> str:
    return f"{name(answer)} is the only node there is, so that is no answer. Name what is placed there."


def holds_everything(answer: str) -> str:
    return f"{name(answer)} holds everything that waits, so that is no answer. Name something in it."


def nothing_waits(answer: str) -> str:
    return f'Nothing waits in {name(answer)}. Name something that waits, or "nothing".'
