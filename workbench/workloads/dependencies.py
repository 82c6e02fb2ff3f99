"""Which jobs wait for which: circles found, and what a job waits for when others are taken away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from workbench.workloads.model import Job


def circle_of(waits: Mapping[str, Sequence[str]]) -> list[str]:
    """A circle among jobs that wait for each other, its first once more at its end; empty if there is none.

    >>> circle_of({"a": ["b"], "b": ["c"], "c": ["b"]})
    ['b', 'c', 'b']
    """
    done: set[str] = set()
    for first in waits:
        path: list[str] = []
        on_path: set[str] = set()
        pending = [(first, False)]
        while pending:  # with a stack of our own: a chain may be as long as the workload
            name, leaves = pending.pop()
            if leaves:
                done.add(path.pop())
                on_path.discard(name)
            elif name in on_path:
                return [*path[path.index(name) :], name]
            elif name not in done:
                path.append(name)
                on_path.add(name)
                pending.append((name, True))
                pending.extend((other, False) for other in waits.get(name, ()))
    return []


def met(jobs: Sequence[Job]) -> tuple[tuple[Job, ...], tuple[str, ...]]:
    """The jobs, none of which waits for one that is not there, or in a circle, and sentences about what was dropped for that."""
    ids = {job.id for job in jobs}
    kept: list[Job] = []
    unknown = 0
    for job in jobs:
        there = tuple(each for each in dict.fromkeys(job.after) if each in ids)
        unknown += len(there) < len(set(job.after))
        kept.append(job if there == job.after else replace(job, after=there))
    circular = _circular({job.id: job.after for job in kept if job.after})
    if circular:
        kept = [
            replace(job, after=tuple(each for each in job.after if each not in circular)) if job.id in circular else job
            for job in kept
        ]
    notes = []
    if unknown:
        notes.append(f"{_jobs(unknown)} for jobs that are not here; it is as if these had ended.")
    if circular:
        notes.append(f"{_jobs(len(circular))} for each other in a circle; each arrives at its time.")
    return tuple(kept), tuple(notes)


def without(jobs: Sequence[Job], stays: Callable[[Job], bool]) -> tuple[Job, ...]:
    """The jobs that stay. One that waited for a job that goes waits for what that one waited for."""
    gone = {job.id: job.after for job in jobs if not stays(job)}
    memory: dict[str, tuple[str, ...]] = {}
    return tuple(
        replace(job, after=_bridged(job.after, gone, memory)) if job.after and any(each in gone for each in job.after) else job
        for job in jobs
        if job.id not in gone
    )


def _bridged(after: Sequence[str], gone: Mapping[str, Sequence[str]], memory: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    pending = [(each, False) for each in after if each in gone]
    while pending:
        name, known = pending.pop()
        if name in memory:
            continue
        if known:
            memory[name] = _flat(gone[name], gone, memory)
        else:
            pending.append((name, True))
            pending.extend((other, False) for other in gone[name] if other in gone and other not in memory)
    return _flat(after, gone, memory)


def _flat(after: Sequence[str], gone: Mapping[str, Sequence[str]], memory: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(other for each in after for other in (memory[each] if each in gone else (each,))))


def _circular(waits: Mapping[str, Sequence[str]]) -> set[str]:
    """The jobs in circles and between circles: what is left when whoever waits for nobody, or is waited for by nobody, goes."""
    left = {name: {each for each in after if each in waits} for name, after in waits.items()}
    for _ in range(2):
        back: dict[str, set[str]] = {name: set() for name in left}
        for name, after in left.items():
            for other in after:
                back[other].add(name)
        free = [name for name, after in left.items() if not after]
        while free:
            name = free.pop()
            for other in back[name]:
                left[other].discard(name)
                if not left[other]:
                    free.append(other)
            del left[name]
        left = {name: {other for other in back[name] if other in left} for name in left}
    return set(left)


def _jobs(count: int) -> str:
    return "1 job waits" if count == 1 else f"{count:,} jobs wait"
