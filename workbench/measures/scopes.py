"""Parts of a run that measures are taken of: the cluster, a queue with all below it, a user, a group, a class, a job.

As text: `cluster`, `root.prod`, `user:anna`, `group:physics`, `class:training`, `job:4711`. The cluster has every job, also those
that no queue took; a queue has those that ran or waited in it or anywhere below it, dynamic queues included; a group those of
users who were in it when they submitted, so that one job may count for several groups. A user, group or class without a name is
that of jobs which name none.
"""

from __future__ import annotations

import difflib
from array import array
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from workbench.runs.record import NOBODY, Record
from workbench.values.errors import CommandError

Kind = Literal["cluster", "queue", "user", "group", "class", "job"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_WITH_NAME = {f"{kind}:": kind for kind in KINDS if kind not in ("cluster", "queue")}


class Scope(NamedTuple):
    """A part of a run: its kind, and the name of the queue, user, group, class or job."""

    kind: Kind
    name: str = ""

    def __str__(self) -> str:
        if self.kind == "cluster":
            return "cluster"
        return self.name if self.kind == "queue" else f"{self.kind}:{self.name}"


WHOLE = Scope("cluster")


def scope_of(text: str | Scope) -> Scope:
    """Read a scope.

    Raises:
        CommandError: it is none; whether the queue or user is there is another question.
    """
    if isinstance(text, Scope):
        return text
    if not isinstance(text, str):
        raise CommandError(f"a scope is a text such as 'cluster', 'root.prod' or 'user:anna', found {text!r}")
    if text == "cluster":
        return WHOLE
    for start, kind in _WITH_NAME.items():
        if text.startswith(start):
            return Scope(kind, text[len(start) :])
    path = text.lower()
    if path == "root" or path.startswith("root."):
        return Scope("queue", path)
    raise CommandError(
        f"{text!r} is no scope; write cluster, the full path of a queue (root.prod), or user:, group:, class: or job: and a name"
    )


def paths_above(path: str) -> list[str]:
    """A queue's path and those of all queues above it, the queue first.

    >>> paths_above("root.prod.web")
    ['root.prod.web', 'root.prod', 'root']
    """
    parts = path.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)]


class ScopeIndex:
    """The jobs of every scope. Each kind is gone through once, when it is first asked for."""

    def __init__(self, record: Record):
        self._record = record
        self._jobs: dict[Kind, dict[str, array[int]]] = {}

    def jobs(self, scope: Scope) -> Sequence[int]:
        """The indices of its jobs, in the order of the workload; none if nothing has that name."""
        if scope.kind == "cluster":
            return range(len(self._record.workload.jobs))
        return self.by_name(scope.kind).get(scope.name, ())

    def names(self, kind: Kind) -> list[str]:
        """The names of a kind that jobs have: queues by path, the others as they first come."""
        names = self.by_name(kind)
        return sorted(names, key=lambda path: path.split(".")) if kind == "queue" else list(names)

    def by_name(self, kind: Kind) -> dict[str, array[int]]:
        """Name -> indices of the jobs."""
        found = self._jobs.get(kind)
        if found is None:
            found = self._jobs[kind] = self._queues() if kind == "queue" else self._named(kind)
        return found

    def missing(self, scope: Scope, known: Sequence[str] = ()) -> CommandError:
        """That nobody of this name is in the run; `known` are further names."""
        names = [*self.by_name(scope.kind), *known]
        near = difflib.get_close_matches(scope.name, names, 1)
        kind = "queue" if scope.kind == "queue" else scope.kind
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names[:10])}" if names else "there is none at all"
        return CommandError(f"there is no {kind} {scope.name!r} in this run; {hint}")

    def _queues(self) -> dict[str, array[int]]:
        above = [paths_above(path) for path in self._record.queues]
        found: dict[str, array[int]] = {path: array("l") for paths in above for path in paths}
        lists = [[found[path] for path in paths] for paths in above]
        for job, place in enumerate(self._record.job_queue):
            if place != NOBODY:
                for each in lists[place]:
                    each.append(job)
        return found

    def _named(self, kind: Kind) -> dict[str, array[int]]:
        found: dict[str, array[int]] = {}
        for index, job in enumerate(self._record.workload.jobs):
            if kind == "group":
                names: tuple[str, ...] = job.groups or ("",)
            else:
                names = (job.user if kind == "user" else job.kind if kind == "class" else job.id,)
            for name in dict.fromkeys(names):
                if name not in found:
                    found[name] = array("l")
                found[name].append(index)
        return found
