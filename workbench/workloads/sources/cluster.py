"""What runs and waits on a cluster now, as a workload: objects of Kubernetes, or answers of a scheduler. WL-13.

- What runs arrives at the beginning, what waits a second later, as a job `ID.2` of its own where both are of one application: so
  what runs gets its place again before others ask. Where it is placed is for the scheduler to decide.
- Nodes keep their names, without what others occupy on them.
- How long it will still run nobody says. In objects of Kubernetes pods that ended do: those of the same application, or else of the
  same namespace, or else all. Of n that are alike the k-th gets the (k - 1/2)/n quantile of these durations; one that runs already
  that of those that were longer than it ran, less what it ran. Without such pods nothing ends.
- Of a gang that runs, placeholders that nobody took the place of are left out; of one that waits they stand for its members.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workbench.files.reading import is_folder
from workbench.importers import rest
from workbench.importers.imported import Imported
from workbench.importers.kubernetes import importer
from workbench.importers.kubernetes.cluster import cluster_of
from workbench.importers.kubernetes.notes_texts import sentence
from workbench.importers.kubernetes.objects import read_objects
from workbench.importers.look import look
from workbench.scheduler.records.commands import AddAllocation, AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, DrainNode
from workbench.values.errors import ConfigError, ScenarioError, WorkloadError
from workbench.values.resources import EMPTY, Resource
from workbench.workloads.model import Gang, Job, NodeEvent, Style, Tasks, Workload
from workbench.workloads.sources.cluster_durations import Durations, durations_of
from workbench.workloads.sources.lines import Progress
from workbench.workloads.sources.registry import Option, Read, Source, register_source

WAITS_MS = 1000
NOTHING_ENDS = "How long it runs is not told, so that nothing of it ends."


def read_kubernetes(
    path: str | os.PathLike[str],
    *,
    keep_going: bool = False,
    first: int | None = None,
    progress: Progress | None = None,
    all_ours: bool = False,
) -> Read:
    """What runs and waits by the objects in a file or folder. WorkloadError with file and key for what cannot be read."""
    try:
        objects = list(read_objects([Path(path)], progress))
        cluster = cluster_of(objects, name=Path(path).resolve().name.partition(".")[0], all_ours=all_ours, names=True)
        durations = durations_of(each.object for each in objects if each.kind == "Pod")
    except (ScenarioError, ConfigError) as error:
        raise _of_workload(error) from None
    notes = [sentence(note) for note in cluster.notes]
    if durations.count:
        notes.append(f"How long it runs is taken from {durations.count:,} pods that ended.")
    if durations.unreadable:
        notes.append(f"Of {durations.unreadable:,} pods that ended it is not told from when to when they ran.")
    return _read(Imported(cluster.scenario, tuple(notes)), durations, first)


def read_answers(
    path: str | os.PathLike[str], *, keep_going: bool = False, first: int | None = None, progress: Progress | None = None
) -> Read:
    """What runs and waits by the answers in a folder. WorkloadError with file and key for what cannot be read."""
    try:
        return _read(rest.import_rest(str(path)), Durations(), first)
    except (ScenarioError, ConfigError) as error:
        raise _of_workload(error) from None


# -- jobs -----------------------------------------------------------------------------------------------------------------


def _read(imported: Imported, durations: Durations, first: int | None) -> Read:
    applications: dict[str, ApplicationSpec] = {}
    running: dict[str, list[AskSpec]] = {}
    waiting: dict[str, list[AskSpec]] = {}
    nodes: dict[str, AddNode] = {}
    others: dict[str, Resource] = {}
    drained = []
    for event in imported.scenario.events:
        match event.command:
            case AddNode() as node:
                nodes[node.node_id] = node
            case DrainNode(node_id=node_id):
                drained.append(node_id)
            case AddApplication(application=application):
                applications[application.id] = application
            case AddAllocation(ask=ask, node_id=node_id, foreign=True):
                others[node_id] = _sum(others.get(node_id, EMPTY), ask.resource)
            case AddAllocation(ask=ask):
                running.setdefault(ask.application_id, []).append(ask)
            case AddAsk(ask=ask):
                waiting.setdefault(ask.application_id, []).append(ask)
            case _:
                pass
    jobs: list[Job] = []
    left_out = 0
    for id, application in applications.items():
        made, lost = _jobs(application, running.get(id, []), waiting.get(id, []), durations)
        jobs += made
        left_out += lost
    jobs.sort(key=lambda job: job.submit_ms)
    kept = jobs if first is None else jobs[:first]
    notes = list(imported.notes)
    if not durations.count:
        notes.append(NOTHING_ENDS)
    if left_out:
        notes.append(f"Left out: {left_out:,} placeholders of gangs that run.")
    if len(kept) < len(jobs):
        notes.append(f"Only the first {len(kept):,} of {len(jobs):,} jobs.")
    node_events = [
        NodeEvent(
            at_ms=0,
            node_id=node.node_id,
            happens="added",
            capacity=_less(node.capacity, others.get(node.node_id, EMPTY)),
            attributes=node.attributes,
            taints=node.taints,
        )
        for node in nodes.values()
    ]
    node_events += [NodeEvent(at_ms=0, node_id=node_id, happens="drained") for node_id in drained if node_id in nodes]
    return Read(Workload(jobs=tuple(kept), node_events=tuple(node_events), name=imported.scenario.name, notes=tuple(notes)))


def _jobs(
    application: ApplicationSpec, running: list[AskSpec], waiting: list[AskSpec], durations: Durations
) -> tuple[list[Job], int]:
    """The jobs of an application, and how many placeholders were left out."""
    real = [ask for ask in running if not ask.placeholder], [ask for ask in waiting if not ask.placeholder]
    held = [ask for ask in (*running, *waiting) if ask.placeholder]
    style: Style = "Hard" if application.gang_style == "Hard" else "Soft"
    if held and not any(real) and all(ask.task_group for ask in held):
        gang = Gang(style=style, timeout_ms=application.execution_timeout_ns // 10**6)
        submit = 0 if any(ask.placeholder for ask in running) else WAITS_MS
        return [_job(application, application.id, submit, held, durations, gang)], 0
    jobs: list[Job] = []
    for asks, submit in zip(real, (0, WAITS_MS)):
        if asks:
            jobs.append(_job(application, application.id if not jobs else f"{application.id}.2", submit, asks, durations, None))
    return jobs, len(held)


def _job(
    application: ApplicationSpec, id: str, submit_ms: int, asks: list[AskSpec], durations: Durations, gang: Gang | None
) -> Job:
    alike: dict[tuple[Any, ...], list[AskSpec]] = {}
    for ask in asks:
        key = (
            ask.task_group if gang else "",
            ask.resource,
            ask.priority,
            ask.required_node,
            ask.allowed_nodes,
            ask.tolerations,
            tuple(sorted(ask.node_selector.items())),
            ask.allow_preempt_self,
            ask.allow_preempt_other,
        )
        alike.setdefault(key, []).append(ask)
    named: dict[str, int] = {}
    return Job(
        id=id,
        submit_ms=submit_ms,
        tasks=tuple(_tasks(application, same, durations, named if gang else None) for same in alike.values()),
        user=application.user or "nobody",
        groups=application.groups,
        queue=application.queue,
        tags=application.tags,
        gang=gang,
    )


def _tasks(application: ApplicationSpec, asks: list[AskSpec], durations: Durations, named: dict[str, int] | None) -> Tasks:
    one = asks[0]
    name = ""
    if named is not None:
        named[one.task_group] = named.get(one.task_group, 0) + 1
        name = one.task_group if named[one.task_group] == 1 else f"{one.task_group}-{named[one.task_group]}"
    still = durations.of(application.id, application.tags.get("namespace", ""), [durations.ages.get(ask.key, 0) for ask in asks])
    return Tasks(
        resource=one.resource,
        count=len(asks),
        name=name,
        duration_ms=still[0] if len(set(still)) == 1 else still,
        priority=one.priority or None,
        preemptible=one.allow_preempt_self,
        may_preempt=one.allow_preempt_other,
        node_selector=one.node_selector,
        tolerations=one.tolerations,
        allowed_nodes=one.allowed_nodes,
        required_node=one.required_node,
    )


def _sum(one: Resource, other: Resource) -> Resource:
    return Resource({kind: one.get(kind, 0) + other.get(kind, 0) for kind in {*one, *other}})


def _less(whole: Resource, part: Resource) -> Resource:
    return Resource({kind: max(0, amount - part.get(kind, 0)) for kind, amount in whole.items()})


# -- registry -------------------------------------------------------------------------------------------------------------


def _of_workload(error: ScenarioError | ConfigError) -> WorkloadError:
    return WorkloadError(error.text, line=error.line, source=error.source, hint=error.hint)


def _recognised_by(recognises: Callable[[Any], bool]) -> Callable[[Path, bytes], bool]:
    def recognised(path: Path, start: bytes) -> bool:
        if not is_folder(path, error=WorkloadError) and b"apiVersion" not in start:
            return False
        try:
            return recognises(look(path))
        except ScenarioError:
            return False

    return recognised


KUBERNETES = register_source(
    "kubernetes",
    Source(
        title="objects of Kubernetes, as kubectl get writes them",
        description="What runs and waits on a cluster now, in a file or folder. Pods that ended say how long the others run.",
        suffixes=(".json", ".yaml", ".yml"),
        recognises=_recognised_by(importer.recognises),
        read=read_kubernetes,
        options=(Option("all_ours", "as if all pods were the scheduler's that its admission controller would give it", bool),),
        folders=True,
    ),
)
ANSWERS = register_source(
    "answers",
    Source(
        title="answers of a scheduler's REST interface",
        description="What runs and waits on a cluster now, in a folder. Nothing says how long it runs.",
        suffixes=(".json",),
        recognises=_recognised_by(rest.recognises),
        read=read_answers,
        general=True,
        folders=True,
    ),
)
