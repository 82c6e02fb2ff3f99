"""What of a workload cannot run on a design and its nodes: jobs that are refused, jobs that fit nowhere. Findings, not errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.explain.wording import amounts, counted, listing, name
from workbench.scheduler.engine import Engine
from workbench.scheduler.policies.predicates import refusal_text
from workbench.scheduler.records.commands import AddApplication, ApplicationSpec
from workbench.scheduler.records.refusals.placement import Rejected
from workbench.simulation.placements import placing
from workbench.values.resources import EMPTY, Resource, add, fit_in, multiply
from workbench.workloads.model import Job, NodeEvent, Pool, Tasks, Workload

SHOWN = 3
"""Jobs that a finding names."""
ANY = "JOB"
"""Id of the submission that stands for all that differ in theirs only; the scheduler's words name it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that keeps jobs from ever running.

    Attributes:
        kind: `refused`, `fits no node`, or `larger than the cluster`.
        text: a sentence, with the first of the jobs.
        jobs: ids of all that are concerned, in the order of arrival.
    """

    kind: str
    text: str
    jobs: tuple[str, ...]

    def __str__(self) -> str:
        return self.text


def findings(
    workload: Workload, config: SchedulerConfig | str | None = None, pools: Sequence[Pool] | None = None
) -> tuple[Finding, ...]:
    """What cannot run: with a design, jobs that the scheduler would refuse; with nodes, tasks that none of them could hold.

    Args:
        config: the design; None to leave it aside.
        pools: the nodes; None for those of the workload. Without any, nothing is said of nodes.
    """
    found: list[Finding] = []
    if config is not None:
        found += _refused(workload, load_config(config) if isinstance(config, str) else config)
    there = workload.pools if pools is None else tuple(pools)
    if there:
        found += _too_large(workload, _Nodes(there, workload.node_events if pools is None else ()))
        found += _larger_than_all(workload, there)
    return tuple(found)


def _refused(workload: Workload, config: SchedulerConfig) -> Iterator[Finding]:
    """The scheduler itself is asked about every kind of submission that there is."""
    engine = Engine(config)
    reasons: dict[str, list[Job]] = {}
    answers: dict[tuple[Any, ...], str] = {}
    for job in workload.jobs:
        key = (job.queue, job.user, job.groups, tuple(sorted(job.tags.items())))
        if key not in answers:
            spec = ApplicationSpec(id=ANY, queue=job.queue, user=job.user, groups=job.groups, tags=job.tags)
            refusal = placing(engine, AddApplication(application=spec)).refusal
            answers[key] = refusal.text if isinstance(refusal, Rejected) else ""
        if answers[key]:
            reasons.setdefault(answers[key], []).append(job)
    for reason, jobs in reasons.items():
        yield _finding("refused", jobs, f"would be refused: {name(reason, 300)}")


class _Nodes:
    """The nodes as predicates look at them: one for each pool and each that is added, or one that is named."""

    def __init__(self, pools: Sequence[Pool], events: Sequence[NodeEvent]):
        self._pools = {pool.name: pool for pool in pools}
        self._added = {event.node_id: _node(event.node_id, event) for event in events if event.capacity is not None}
        self._kinds = [*(_node(pool.node_id(0), pool) for pool in pools), *self._added.values()]

    def hold(self, each: Tasks) -> bool:
        """Whether one of them could hold such a task if it was empty."""
        if each.required_node:
            return any(_holds(node, each) for node in self._named([each.required_node]))
        return any(_holds(node, each) for node in (self._kinds if each.allowed_nodes is None else self._named(each.allowed_nodes)))

    def _named(self, ids: Sequence[str]) -> Iterator[Any]:
        for node_id in ids:
            if node_id in self._added:
                yield self._added[node_id]
            pool = self._pools.get(node_id.rpartition("-")[0])
            if pool is not None and pool.has_node(node_id):
                yield _node(node_id, pool)


def _node(node_id: str, given: Any) -> Any:
    return SimpleNamespace(id=node_id, capacity=given.capacity, attributes=given.attributes, taints=given.taints)


def _too_large(workload: Workload, nodes: _Nodes) -> Iterator[Finding]:
    known: dict[tuple[Any, ...], bool] = {}
    by_size: dict[tuple[Resource, bool], list[Job]] = {}
    for job in workload.jobs:
        for each in job.tasks:
            selector = tuple(sorted(each.node_selector.items()))
            key = (each.resource, selector, each.tolerations, each.allowed_nodes, each.required_node)
            if key not in known:
                known[key] = nodes.hold(each)
            if not known[key]:
                jobs = by_size.setdefault((each.resource, _constrained(each)), [])
                if not jobs or jobs[-1] is not job:
                    jobs.append(job)
    for (resource, constrained), jobs in by_size.items():
        which = " that its constraints allow" if constrained else ""
        yield _finding("fits no node", jobs, f"asks for {amounts(resource, 'nothing')} a task, which no node{which} could hold")


def _holds(node: Any, each: Tasks) -> bool:
    asked: Any = SimpleNamespace(allowed_nodes=each.allowed_nodes, node_selector=each.node_selector, tolerations=each.tolerations)
    return fit_in(node.capacity, each.resource) and refusal_text(node, asked) is None


def _constrained(each: Tasks) -> bool:
    return bool(each.node_selector or each.required_node or each.allowed_nodes is not None)


def _larger_than_all(workload: Workload, pools: Sequence[Pool]) -> Iterator[Finding]:
    total = EMPTY
    for pool in pools:
        total = add(total, multiply(pool.capacity, max(pool.count, pool.maximum or 0)))
    large = []
    for job in workload.jobs:
        if job.gang is not None:
            whole = EMPTY
            for each in job.tasks:
                whole = add(whole, multiply(each.resource, each.count))
            if not fit_in(total, whole):
                large.append(job)
    if large:
        yield _finding("larger than the cluster", large, "is a gang that asks for more than all nodes together have")


def _finding(kind: str, jobs: list[Job], said: str) -> Finding:
    names = [name(job.id) for job in jobs]
    who = f"Job {names[0]}" if len(names) == 1 else f"{counted(len(names), 'job')} ({listing(names, most=SHOWN)}), each of which"
    return Finding(kind, f"{who} {said}.", tuple(job.id for job in jobs))
