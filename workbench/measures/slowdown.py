"""M-2: slowdown, turnaround, makespan and throughput of jobs, and how they ended.

The bounded slowdown of a job is `max(1, (wait + run) / max(run, 10 s))`: Feitelson and Rudolph, "Metrics and benchmarking for
parallel job scheduling", JSSPP 1998. Its run is what it takes if nothing waits: the duration of its longest task, with the delay to
its start. Its wait is all the rest from its arrival to its end, so that `wait + run` is its turnaround; a job of one task that is
never stopped, and a gang of equal tasks, have what the source has.

Slowdown and turnaround are those of the jobs that arrived after the warm-up and finished; `jobs.*` tell of how many that is. The
makespan lasts from the first of the jobs that arrived after the warm-up to the end of the last of them, or of the run if not all
have ended. The throughput counts the jobs that finished after the warm-up, whenever they arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.measures import units
from workbench.measures.measure import Computed, Direction, Measure
from workbench.measures.reading import Reading
from workbench.measures.registry import register_measure
from workbench.measures.scopes import Scope
from workbench.measures.spread import STATISTICS, Spread, spread, title_of
from workbench.runs.record import NEVER, JobState
from workbench.workloads.model import Job

BOUND_NS = 10 * units.NS
"""A run below this counts as so long, so that short jobs do not drown all others."""
MS_NS = 10**6

NO_JOBS = "no jobs finished"


def arrived_jobs(reading: Reading, scope: Scope) -> Iterator[int]:
    """The jobs of a scope that arrived in the window."""
    submitted = reading.record.job_submitted_ns
    return (job for job in reading.scopes.jobs(scope) if submitted[job] != NEVER and submitted[job] >= reading.from_ns)


def _finished(reading: Reading, scope: Scope) -> Iterator[int]:
    states = reading.record.job_state
    return (job for job in arrived_jobs(reading, scope) if states[job] == JobState.FINISHED)


def run_ns(job: Job, start_delay_ms: int = 0) -> int | None:
    """How long a job takes if nothing waits; None if it does not end by itself."""
    longest = 0
    for tasks in job.tasks:
        durations = tasks.duration_ms if isinstance(tasks.duration_ms, tuple) else (tasks.duration_ms,)
        for duration in durations:
            if duration is None:
                return None
            longest = max(longest, duration)
    return (longest + start_delay_ms) * MS_NS


def turnaround_ns(reading: Reading, job: int) -> int:
    """From the arrival of a job that ended to its end."""
    return reading.record.job_ended_ns[job] - reading.record.job_submitted_ns[job]


def bounded_slowdown(turnaround: int, run: int) -> float:
    """Of a job, from nanoseconds.

    >>> bounded_slowdown(100 * 10**9, 50 * 10**9), bounded_slowdown(15 * 10**9, 10**9), bounded_slowdown(2 * 10**9, 10**9)
    (2.0, 1.5, 1.0)
    """
    return max(turnaround / max(run, BOUND_NS), 1.0)


def _slowdowns(reading: Reading, scope: Scope) -> Spread | None:
    workload = reading.record.workload
    return reading.once(
        ("slowdown", scope),
        lambda: spread(
            bounded_slowdown(turnaround_ns(reading, job), run)
            for job in _finished(reading, scope)
            if (run := run_ns(workload.jobs[job], workload.start_delay_ms)) is not None
        ),
    )


def _turnarounds(reading: Reading, scope: Scope) -> Spread | None:
    return reading.once(
        ("turnaround", scope), lambda: spread(turnaround_ns(reading, job) / units.NS for job in _finished(reading, scope))
    )


def _makespan(reading: Reading, scope: Scope) -> float | None:
    record = reading.record
    jobs = [job for job in arrived_jobs(reading, scope) if record.job_state[job] != JobState.REJECTED]
    if not jobs:
        return None
    ended = [record.job_ended_ns[job] for job in jobs]
    last = record.ended_ns if NEVER in ended else max(ended)
    return (last - min(record.job_submitted_ns[job] for job in jobs)) / units.NS


def _throughput(reading: Reading, scope: Scope) -> float | None:
    record = reading.record
    if not reading.window_ns:
        return None
    done = sum(
        record.job_state[job] == JobState.FINISHED and record.job_ended_ns[job] >= reading.from_ns
        for job in reading.scopes.jobs(scope)
    )
    return done * units.HOUR_NS / reading.window_ns


def _count(*states: JobState) -> Computed:
    def count(reading: Reading, scope: Scope) -> float:
        found = reading.record.job_state
        return sum(found[job] in states for job in arrived_jobs(reading, scope))

    return count


def _register(statistic: str, found: Callable[[Reading, Scope], Spread | None], name: str, unit: str) -> None:
    def of(reading: Reading, scope: Scope) -> float | None:
        spread_ = found(reading, scope)
        return None if spread_ is None else getattr(spread_, statistic)

    title = "largest slowdown" if (name, statistic) == ("slowdown", "max") else title_of(statistic, name)
    register_measure(
        f"{name}.{statistic}",
        Measure(title, unit, "lower", of, empty=NO_JOBS, headline=(name, statistic) == ("slowdown", "mean")),
    )


for _statistic in STATISTICS:
    _register(_statistic, _slowdowns, "slowdown", units.TIMES)
for _statistic in STATISTICS:
    _register(_statistic, _turnarounds, "turnaround", units.SECONDS)
register_measure("makespan", Measure("from the first arrival to the last end", units.SECONDS, "lower", _makespan, empty="no jobs"))
register_measure("throughput", Measure("jobs finished per hour", "jobs per hour", "higher", _throughput, empty="no time"))
register_measure("jobs.submitted", Measure("jobs that arrived", "jobs", "neither", _count(*JobState)))


def _register_count(name: str, title: str, direction: Direction, *states: JobState) -> None:
    register_measure(f"jobs.{name}", Measure(title, "jobs", direction, _count(*states), headline=name == "never_ran"))


_register_count("finished", "jobs that finished", "higher", JobState.FINISHED)
_register_count("unfinished", "jobs that were not finished at the end", "lower", JobState.WAITING, JobState.RUNNING)
_register_count("never_ran", "jobs of which nothing ever ran", "lower", JobState.WAITING)
_register_count("failed", "jobs that failed", "lower", JobState.FAILED)
_register_count("rejected", "jobs that were refused", "lower", JobState.REJECTED)
