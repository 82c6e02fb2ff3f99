"""Who would still be let in: every application that is there, submitted once more as it was, before and after the change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from workbench.scheduler.engine import Engine
from workbench.scheduler.placement.tags import FORCE
from workbench.scheduler.records.commands import AddApplication, ApplicationSpec
from workbench.scheduler.records.refusals.placement import Rejected
from workbench.simulation.placements import placing

Answers = Mapping[tuple[str, str], tuple[AddApplication, str, str]]
"""(partition, application) -> its submission, the queue that takes it, and why none does."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What becomes of applications like some that are there.

    Attributes:
        applications: the ids of those that are there.
        user: who submits them.
        queue: where they go today; empty if they are refused.
        new_queue: where they would go; empty if they would be refused.
        reason: the core's own words, where they would be refused.
    """

    applications: tuple[str, ...]
    user: str
    queue: str
    new_queue: str
    reason: str = ""


def submissions(engine: Engine, commands: Iterable[object]) -> tuple[AddApplication, ...]:
    """The commands by which the applications came that are there now."""
    return tuple(each for each in commands if isinstance(each, AddApplication) and _is_there(engine, each))


def _is_there(engine: Engine, command: AddApplication) -> bool:
    partition = engine.state.partitions.get(command.partition.lower())
    return partition is not None and command.application.id in partition.applications


def answers(engine: Engine, asked: Iterable[AddApplication]) -> Answers:
    """What the scheduler would say to each of them now, if it came once more. The engine, with history, stays as it is."""
    found: dict[tuple[str, str], tuple[AddApplication, str, str]] = {}
    like: dict[tuple[object, ...], tuple[str, str]] = {}
    for command in asked:
        key = _key(command)
        if key not in like:
            like[key] = _answer(engine, command)
        found[command.partition.lower(), command.application.id] = command, *like[key]
    return found


def _answer(engine: Engine, command: AddApplication) -> tuple[str, str]:
    """The queue that takes it, or the reason for which none does."""
    spec = command.application
    partition = engine.state.partitions.get(command.partition.lower())
    known = () if partition is None else {*partition.applications, *partition.rejected}
    number = next(number for number in range(len(known) + 1) if f"{spec.id}-{number}" not in known)
    again = f"{spec.id}-{number}"
    # One that ran already when it was told of has to be taken; one that comes anew has not. PL-57
    tags = {key: text for key, text in spec.tags.items() if key != FORCE}
    verdict = placing(engine, replace(command, application=replace(spec, id=again, tags=tags)))
    text = verdict.refusal.text if isinstance(verdict.refusal, Rejected) else ""
    return verdict.queue, text.replace(again, spec.id)


def admissions(before: Answers, after: Answers) -> tuple[Admission, ...]:
    """What changes from some answers to others; applications that fare alike are told together, with the reason of the first."""
    found: dict[tuple[str, str, str], tuple[list[str], str]] = {}
    for who, (command, queue, _) in before.items():
        _, new_queue, reason = after[who]
        if queue != new_queue:
            found.setdefault((command.application.user, queue, new_queue), ([], reason))[0].append(command.application.id)
    return tuple(Admission(tuple(sorted(ids)), *key, reason) for key, (ids, reason) in found.items())


def _key(command: AddApplication) -> tuple[object, ...]:
    """Submissions that are alike in all that placement looks at."""
    spec: ApplicationSpec = command.application
    return (
        command.partition.lower(),
        spec.queue,
        spec.user,
        spec.groups,
        tuple(sorted((key, text) for key, text in spec.tags.items() if key != FORCE)),
        str(spec.placeholder_ask),
    )
