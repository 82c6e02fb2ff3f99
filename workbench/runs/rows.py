"""One row for every job of a run: what the jobs table of `workbench simulate --csv` holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workbench.runs.record import JobState, Record

COLUMNS = ("job", "user", "queue", "class", "submit_s", "start_s", "end_s", "wait_s", "restarts", "state")
STATES = {
    JobState.NOT_SUBMITTED: "not submitted",
    JobState.WAITING: "waiting",
    JobState.RUNNING: "running",
    JobState.FINISHED: "finished",
    JobState.FAILED: "failed",
    JobState.REJECTED: "rejected",
}


class JobRow(NamedTuple):
    """One job. Times in seconds since the workload's zero, None where it never came to that.

    Attributes:
        job: the id in the source.
        queue: the leaf that took it; else the queue that it asked for.
        kind: its class.
        submit_s: when it arrived, which for a job that waits for others is when the last of them had ended.
        start_s: when the first of its tasks started to run; of a gang the last, since it runs with all or not at all.
        end_s: when its last task ended, or it was refused.
        wait_s: from its arrival to the placement that `start_s` follows.
        restarts: how often tasks of it were stopped and came back.
        state: "finished", "running", "waiting", "failed", "rejected" or "not submitted".
    """

    job: str
    user: str
    queue: str
    kind: str
    submit_s: float | None
    start_s: float | None
    end_s: float | None
    wait_s: float | None
    restarts: int
    state: str


def job_rows(record: Record) -> Iterator[JobRow]:
    """The jobs in the order of the workload."""
    jobs = record.workload.jobs
    delay_ns = record.workload.start_delay_ms * 1_000_000
    first = [-1] * len(jobs)
    last = [-1] * len(jobs)
    placed = [0] * len(jobs)
    restarts = [0] * len(jobs)
    for index, at_ns, again, placeholder in zip(record.job, record.placed_ns, record.restart, record.placeholder):
        if placeholder:
            continue
        if again:
            restarts[index] += 1
        elif at_ns >= 0:
            placed[index] += 1
            last[index] = max(last[index], at_ns)
            first[index] = at_ns if first[index] < 0 else min(first[index], at_ns)
    for index, job in enumerate(jobs):
        submitted_ns, queue = record.job_submitted_ns[index], record.job_queue[index]
        start_ns = first[index]
        if job.gang is not None:
            start_ns = last[index] if placed[index] == job.size else -1
        yield JobRow(
            job.id,
            job.user,
            record.queues[queue] if queue >= 0 else job.queue,
            job.kind,
            _seconds(submitted_ns),
            _seconds(start_ns + delay_ns if start_ns >= 0 else -1),
            _seconds(record.job_ended_ns[index]),
            _seconds(start_ns - submitted_ns if start_ns >= 0 else -1),
            restarts[index],
            STATES[JobState(record.job_state[index])],
        )


def _seconds(ns: int) -> float | None:
    """Seconds, a whole number where they are one; None for never."""
    if ns < 0:
        return None
    return ns // 1_000_000_000 if ns % 1_000_000_000 == 0 else ns / 1e9
