"""What a run decided, one thing after the other, in a form in which two runs can be held against each other. CP-3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workbench.explain.wording import counted, name
from workbench.runs.record import NEVER, NOBODY, Fate, JobState, Record

ARRIVES, STOPS, PLACES = 0, 1, 2
NO_QUEUE = "no queue"


class Decision(NamedTuple):
    """One decision. Equal ones are the same decision, whichever run made it; they sort as they happened.

    Attributes:
        at_ns: when.
        kind: a job is taken into a queue or turned away, a task is stopped, a task is placed.
        turn: tells those of one instant and kind apart: their order, for jobs their index.
        job, group, number, restart, placeholder: of the task; of a job only `job`.
        where: the queue that takes a job, or the node.
    """

    at_ns: int
    kind: int
    turn: int
    job: int
    group: int = NOBODY
    number: int = NOBODY
    restart: int = 0
    placeholder: bool = False
    where: str = ""


def decisions(record: Record, until_ns: int | None = None) -> list[Decision]:
    """Everything that was decided, or what was until an instant."""
    found = sorted(each for each in _all(record) if until_ns is None or each.at_ns <= until_ns)
    # Numbers of all placements would tell two runs apart for ever after the first difference; within an instant they are the order.
    made, turns = [], [0, 0, 0]
    last = NEVER
    for each in found:
        if each.at_ns != last:
            turns, last = [0, 0, 0], each.at_ns
        if each.kind == ARRIVES:
            made.append(each)
        else:
            made.append(each._replace(turn=turns[each.kind]))
            turns[each.kind] += 1
    return made


def _all(record: Record) -> Iterator[Decision]:
    for job, at_ns in enumerate(record.job_submitted_ns):
        if at_ns != NEVER:
            place = record.job_queue[job]
            taken = place != NOBODY and record.job_state[job] != JobState.REJECTED
            yield Decision(at_ns, ARRIVES, job, job, where=record.queues[place] if taken else NO_QUEUE)
    for attempt, order in enumerate(record.order):
        if order == NEVER:
            continue
        task = (record.job[attempt], record.group[attempt], record.number[attempt], record.restart[attempt])
        placeholder, node = bool(record.placeholder[attempt]), record.nodes[record.node[attempt]]
        yield Decision(record.placed_ns[attempt], PLACES, order, *task, placeholder, node)
        if record.fate[attempt] == Fate.PREEMPTED:
            yield Decision(record.ended_at_ns[attempt], STOPS, order, *task, placeholder, node)


def first_difference(ours: list[Decision], theirs: list[Decision]) -> int | None:
    """The place from which two runs decide otherwise; None if they never do."""
    for place, (mine, other) in enumerate(zip(ours, theirs)):
        if mine != other:
            return place
    return None if len(ours) == len(theirs) else min(len(ours), len(theirs))


def attempt_of(record: Record, decision: Decision) -> int | None:
    """The attempt that a decision is about; None if the run never came to it."""
    task = decision[3:8]
    for attempt, job in enumerate(record.job):
        if job == decision.job and task == (
            job,
            record.group[attempt],
            record.number[attempt],
            record.restart[attempt],
            bool(record.placeholder[attempt]),
        ):
            return attempt
    return None


def task_words(record: Record, decision: Decision) -> str:
    """Which task a decision is about: `prod-17`, `task 3 of 8 of prod-17`."""
    job = record.workload.jobs[decision.job]
    if job.size == 1 or decision.number == NOBODY:
        said = name(job.id)
    else:
        place = sum(each.count for each in job.tasks[: decision.group]) + decision.number + 1
        said = f"task {place} of {job.size} of {name(job.id)}"
    if decision.placeholder:
        said = f"a place for {said}"
    return f"{said}, stopped {counted(decision.restart, 'time')} before" if decision.restart else said


def in_words(record: Record, decision: Decision) -> str:
    """What was decided, as the end of a sentence: `places prod-17 on node-0`."""
    what = task_words(record, decision)
    if decision.kind == ARRIVES:
        return f"turns {what} away" if decision.where == NO_QUEUE else f"takes {what} into {name(decision.where)}"
    verb = "stops" if decision.kind != PLACES else "holds" if decision.placeholder else "places"
    return f"{verb} {what} on {name(decision.where)}"
