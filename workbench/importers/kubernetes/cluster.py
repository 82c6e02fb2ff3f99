"""A cluster from its objects: the scenario that begins as the scheduler would begin with them. K-1 to K-51.

Registered are the nodes, then what others occupy, then every application with what runs of it, the one with the oldest pod first,
and at last what waits, in the order of creation. From release 1.9 on cordoned nodes are drained behind that (R-971).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median_low
from typing import Any, TypeVar

from workbench.config import load_config
from workbench.config.read.load import DEFAULT_CONFIG_TEXT
from workbench.config.write.export import to_configmap
from workbench.importers.kubernetes import namespaces, priorities
from workbench.importers.kubernetes.constraints import taints_of
from workbench.importers.kubernetes.fields import WrongField, text, texts, within
from workbench.importers.kubernetes.gangs import TaskGroup, gang_total
from workbench.importers.kubernetes.nodes import is_cordoned, node_size
from workbench.importers.kubernetes.notes import Matter, Note, Notebook
from workbench.importers.kubernetes.objects import Found, Progress, read_objects, told
from workbench.importers.kubernetes.placing import Placing
from workbench.importers.kubernetes.pods import Pod, read_pod
from workbench.importers.kubernetes.settings import Settings, is_the_schedulers, settings_of
from workbench.importers.kubernetes.words import OWN_NAME, TASK_GROUPS
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    ApplicationSpec,
    AskSpec,
    Command,
    DrainNode,
)
from workbench.scheduler.releases.profiles import DEFAULT, profile_of
from workbench.simulation.scenario import Scenario, ScenarioEvent
from workbench.simulation.scenario.checks import check_input
from workbench.values.durations import format_duration
from workbench.values.errors import CommandError, ConfigError, ScenarioError
from workbench.values.resources import Resource

_CORDON_IS_A_TAINT = ("1.4", "1.8")
"""Releases that open cordoned nodes and leave it to the pod's tolerations. R-971."""
_MOST_TIMEOUT_S = 10**9
MOST_MEMBERS = 100_000
"""Placeholders of one gang."""

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Attributes:
    queues: id of an application -> the queue that it names, in full; empty where the placement rules decide.
    configmap: the text of the ConfigMap that the queue configuration is from; empty without one.
    """

    scenario: Scenario
    notes: tuple[Note, ...]
    queues: Mapping[str, str]
    configmap: str = ""


@dataclass(slots=True)
class _Objects:
    """The objects that matter, of each kind in the order in which they were found."""

    nodes: list[Found] = field(default_factory=list)
    pods: list[Pod] = field(default_factory=list)
    namespaces: dict[str, namespaces.Quotas] = field(default_factory=dict)
    classes: dict[str, priorities.PriorityClass] = field(default_factory=dict)
    maps: list[Found] = field(default_factory=list)


def load_kubernetes(
    paths: Sequence[str | Path],
    *,
    release: str | None = None,
    all_ours: bool = False,
    names: bool = False,
    durations: bool = False,
    progress: Progress | None = None,
) -> Cluster:
    """The cluster that the objects in files and folders tell of.

    Args:
        paths: of files in YAML or JSON, and of folders with such files.
        release: of the scheduler, for what its releases take otherwise; the default one.
        all_ours: as if all pods were the scheduler's that its admission controller would give it. K-3.
        names: call pods by namespace and name, not by UID.
        durations: note how long the pods ran that have ended, by queue. K-2.
        progress: told how far the reading is, from 0 to 1, and with what.

    Raises:
        ScenarioError: a file cannot be read; with file, document, item and key.
        ConfigError: the scheduler would refuse the queue configuration.
        CommandError: there is no such release.
    """
    title = Path(paths[0]).resolve().name.partition(".")[0] if paths else ""
    objects = read_objects([Path(path) for path in paths], progress)
    return cluster_of(objects, name=title, release=release, all_ours=all_ours, names=names, durations=durations)


def cluster_of(
    found_objects: Iterable[Found],
    *,
    name: str = "",
    release: str | None = None,
    all_ours: bool = False,
    names: bool = False,
    durations: bool = False,
) -> Cluster:
    """The cluster that these objects tell of. Arguments and errors as of `load_kubernetes`."""
    release = profile_of(release).version if release else DEFAULT.version
    notebook = Notebook()
    objects = _Objects()
    seen: set[tuple[str, str]] = set()
    for found in found_objects:
        _take(
            found,
            objects,
            seen,
            notebook,
            lambda each: read_pod(each, release, len(objects.pods), as_if_ours=all_ours, by_name=names),
        )
    settings = _settings(objects, notebook)
    nodes = [_checked(each, lambda each: _node(each, release, notebook)) for each in objects.nodes]
    ids = {each.name: node.node_id for each, node in zip(objects.nodes, nodes)}
    cordoned = [ids[each.name] for each in objects.nodes if is_cordoned(each.object)]
    drained = [] if release in _CORDON_IS_A_TAINT else [DrainNode(node_id=each) for each in cordoned]
    placing = Placing((node.node_id, each.name, node.attributes, list(node.taints)) for each, node in zip(objects.nodes, nodes))
    if durations:
        _note_durations(objects.pods, notebook)
    pods = list(_live(objects.pods, ids.keys(), notebook))
    making = _Making(objects, placing, ids, settings.unique_ids, notebook)
    events = [*nodes, *making.foreign(pods), *making.applications(pods), *drained]
    notebook.note(Matter.AGES)
    scenario = Scenario(
        name=name,
        config=settings.queues or DEFAULT_CONFIG_TEXT,
        events=tuple(ScenarioEvent(event, index=index) for index, event in enumerate(events)),
        engine=release,
    )
    return Cluster(scenario, tuple(notebook.notes()), making.queues, _configmap(settings))


def _checked(found: Found, make: Callable[[Found], Read]) -> Read:
    """What `make` makes of an object. ScenarioError with its place for what it refuses."""
    try:
        return make(found)
    except WrongField as error:
        raise told(found, error) from None


def _take(found: Found, objects: _Objects, seen: set[tuple[str, str]], notebook: Notebook, pod: Callable[[Found], Pod]) -> None:
    """Keep what an object says, or count it."""
    kind, name = found.kind, found.name
    if name and (kind, name) in seen:
        notebook.note(Matter.TWICE, f"{kind} {name}")
        return
    seen.add((kind, name))
    match kind:
        case "Node":
            objects.nodes.append(found)
        case "Pod":
            objects.pods.append(_checked(found, pod))
        case "Namespace":
            _checked(found, lambda each: _namespace(each, objects, notebook))
        case "PriorityClass":
            made = _checked(found, lambda each: priorities.priority_class(each.object))
            objects.classes[made.name] = made
        case "ConfigMap" if _checked(found, is_the_schedulers):
            objects.maps.append(found)
        case "ConfigMap":
            notebook.note(Matter.OTHER_CONFIG_MAP, name)
        case _:
            notebook.note(Matter.OTHER_KIND, name, about=kind)


def _namespace(found: Found, objects: _Objects, notebook: Notebook) -> None:
    name, quotas = text(found.object, "metadata", "name"), namespaces.quotas_of(found.object)
    objects.namespaces[name] = quotas
    if quotas != namespaces.NONE:
        notebook.note(Matter.QUOTA, name)
    for key in namespaces.unread(found.object):
        notebook.note(Matter.QUOTA_UNREAD, f"{name}: {key}")


def _settings(objects: _Objects, notebook: Notebook) -> Settings:
    try:
        settings, left = settings_of(objects.maps)
    except WrongField as error:
        raise ScenarioError(f"ConfigMap: {error}", source=objects.maps[0].file) from None
    for each in left:
        notebook.note(Matter.CONFIG_ELSEWHERE, each.name)
    for key in settings.others:
        notebook.note(Matter.SETTINGS, key)
    if not settings.queues:
        notebook.note(Matter.NO_CONFIG)
    else:
        load_config(settings.queues, source=settings.source)
    return settings


def _configmap(settings: Settings) -> str:
    if not settings.queues:
        return ""
    try:
        config = load_config(settings.queues)
        return to_configmap(config, name=settings.name, namespace=settings.namespace, key=settings.key, others=settings.beside)
    except ConfigError:
        return ""


def _node(found: Found, release: str, notebook: Notebook) -> AddNode:
    node = found.object
    name = text(node, "metadata", "name")
    if not name:
        raise WrongField("metadata.name", "is missing")
    taints = taints_of(node)
    if is_cordoned(node):
        notebook.note(Matter.CORDONED, name)
    made = AddNode(
        node_id=texts(node, "metadata", "annotations").get(OWN_NAME) or name,
        capacity=Resource(node_size(node)),
        attributes=texts(node, "metadata", "labels"),
        taints=tuple(taints),
    )
    _passed(made, found)
    notebook.note(Matter.NODES)
    return made


def _passed(command: Command, found: Found) -> None:
    """What is read passes the gate of every other input."""
    try:
        check_input(command)
    except CommandError as error:
        raise found.fault("the object", str(error)) from None


def _live(pods: Iterable[Pod], nodes: Collection[str], notebook: Notebook) -> Iterator[Pod]:
    """The pods that are told to the scheduler; all others are counted. K-1, K-2."""
    keys: set[tuple[str, str]] = set()
    for pod in pods:
        key = pod.application if pod.is_ours else "", pod.key
        if pod.has_ended:
            notebook.note(Matter.ENDED, pod.name)
        elif pod.is_bound and pod.node not in nodes:
            notebook.note(Matter.UNKNOWN_NODE, f"{pod.name} on {pod.node}")
        elif not pod.is_bound and not pod.is_ours:
            notebook.note(Matter.FOREIGN_WAITING, pod.name)
        elif not pod.is_bound and pod.is_gated:
            notebook.note(Matter.GATED, pod.name)
        elif key in keys:
            raise pod.found.fault("metadata.uid", f"{pod.key!r} is that of another pod as well")
        else:
            keys.add(key)
            yield pod


def _note_durations(pods: Iterable[Pod], notebook: Notebook) -> None:
    """How long the scheduler's pods ran that have ended, by the queue that they name. K-2."""
    ran: dict[str, list[int]] = {}
    for pod in pods:
        if pod.is_ours and pod.ran_s is not None:
            ran.setdefault(pod.queue, []).append(pod.ran_s)
    for queue, those in ran.items():
        examples = (format_duration(median_low(those) * 10**9), format_duration(max(those) * 10**9))
        notebook.put(Matter.RAN, len(those), examples, queue)


class _Making:
    """The inputs that pods become."""

    def __init__(self, objects: _Objects, placing: Placing, ids: Mapping[str, str], unique_ids: bool, notebook: Notebook):
        """`ids`: name of a node -> what it is called here."""
        self._objects, self._placing, self._ids, self._unique_ids, self._notebook = objects, placing, ids, unique_ids, notebook
        self.queues: dict[str, str] = {}

    def foreign(self, pods: Sequence[Pod]) -> Iterator[AddAllocation]:
        """What others occupy. K-1."""
        for pod in pods:
            if not pod.is_ours:
                ask = AskSpec(application_id="", key=pod.key, resource=Resource(pod.size), tags=pod.tags)
                made = AddAllocation(ask=ask, node_id=self._ids[pod.node], foreign=True)
                _passed(made, pod.found)
                self._notebook.note(Matter.FOREIGN, pod.name)
                yield made

    def applications(self, pods: Sequence[Pod]) -> Iterator[Any]:
        """Every application with what runs of it, and then what waits of all."""
        members: dict[str, list[Pod]] = {}
        for pod in pods:
            if pod.is_ours:
                members.setdefault(pod.unique_application if self._unique_ids else pod.application, []).append(pod)
        for those in members.values():
            those.sort(key=lambda pod: pod.age)
        waiting: list[tuple[tuple[int, str, int], AddAsk]] = []
        for id, those in sorted(members.items(), key=lambda item: item[1][0].age):
            yield self._application(id, those)
            # The Kubernetes side asks for the placeholders before it asks for anything else.
            waiting += [(those[0].age, AddAsk(ask=ask)) for ask in self._placeholders(id, those)]
            for pod in those:
                ask = self._ask(id, pod, pod is those[0])
                if pod.is_bound:
                    yield self._said(AddAllocation(ask=ask, node_id=self._ids[pod.node]), pod, Matter.RUNNING)
                else:
                    waiting.append((pod.age, self._said(AddAsk(ask=ask), pod, Matter.WAITING)))
        yield from (ask for _, ask in sorted(waiting, key=lambda item: item[0]))

    def _said(self, command: Any, pod: Pod, matter: Matter) -> Any:
        _passed(command, pod.found)
        self._notebook.note(matter, pod.name)
        return command

    def _application(self, id: str, members: Sequence[Pod]) -> AddApplication:
        """The application as its oldest pod tells it. K-10 to K-13, K-33."""
        first = members[0]
        if any((pod.queue, pod.user) != (first.queue, first.user) for pod in members):
            self._notebook.note(Matter.DIFFERENT, id)
        if first.gang_error:
            self._notebook.note(Matter.GANG_UNREAD, first.name, about=first.gang_error[:200])
        for pod in members:
            if pod.has_user_label:
                self._notebook.note(Matter.USER_LABEL, pod.name)
            if pod.as_if_ours:
                self._notebook.note(Matter.AS_IF_OURS, pod.name)
        quotas = self._objects.namespaces.get(first.namespace, namespaces.NONE)
        total = gang_total(first.groups)
        spec = ApplicationSpec(
            id=id,
            queue=first.queue,
            user=first.user.name,
            groups=first.user.groups or (),
            tags={**first.application_tags, **namespaces.tags_of(quotas)},
            placeholder_ask=Resource(total) if total else None,
            gang_style=first.policy.style,
            execution_timeout_ns=max(0, min(first.policy.timeout_s, _MOST_TIMEOUT_S)) * 10**9,
        )
        made = AddApplication(application=spec)
        _passed(made, first.found)
        self.queues[id] = first.queue.lower() if first.queue.startswith("root.") else ""
        return made

    def _ask(self, id: str, pod: Pod, is_first: bool) -> AskSpec:
        spec = pod.found.object["spec"]
        standing = _checked(pod.found, lambda each: priorities.standing_of(each.object, self._objects.classes))
        where = _checked(pod.found, lambda each: within("spec", self._placing.where, each.object["spec"]))
        if where.fault:
            self._notebook.note(Matter.AFFINITY_UNREAD, pod.name, about=where.fault[:200])
        for each in pod.not_followed:
            self._notebook.note(Matter.NOT_FOLLOWED, pod.name, about=each)
        if "priority" not in spec and spec.get("priorityClassName") and spec["priorityClassName"] not in self._objects.classes:
            self._notebook.note(Matter.CLASS_UNKNOWN, pod.name)
        return AskSpec(
            application_id=id,
            key=pod.key,
            resource=Resource(pod.size),
            priority=standing.priority,
            task_group=pod.task_group,
            placeholder=pod.is_placeholder,
            originator=is_first,
            allow_preempt_self=standing.may_be_preempted,
            allow_preempt_other=standing.may_preempt,
            required_node=self._ids.get(pod.required_node, pod.required_node),
            allowed_nodes=where.allowed_nodes,
            node_selector=where.node_selector,
            tolerations=where.tolerations,
            tags=pod.tags,
        )

    def _placeholders(self, id: str, members: Sequence[Pod]) -> Iterator[AskSpec]:
        """Those of a gang that has not begun, as the Kubernetes side makes them when it begins. K-33."""
        first = members[0]
        if any(pod.is_bound or pod.is_placeholder for pod in members):
            return
        members_of_all = sum(group.members for group in first.groups)
        if members_of_all > MOST_MEMBERS:
            raise first.found.fault(f"metadata.annotations.{TASK_GROUPS}", f"{members_of_all} members, at most are {MOST_MEMBERS}")
        standing = _checked(first.found, lambda each: priorities.standing_of(each.object, self._objects.classes))
        keys = _own_keys(first)
        for group in first.groups:
            try:
                where = self._placing.where(_spec(group))
            except WrongField as error:
                raise first.found.fault(f"task group {group.name}: {error.key}", error.text) from None
            named = keys.get(group.name, [])
            for number in range(group.members):
                key = named[number] if number < len(named) else f"tg-{id}-{group.name}-{number}"
                self._notebook.note(Matter.PLACEHOLDERS, key)
                ask = AskSpec(
                    application_id=id,
                    key=key,
                    resource=Resource(group.size),
                    priority=standing.priority,
                    task_group=group.name,
                    placeholder=True,
                    allow_preempt_self=standing.may_be_preempted,
                    allow_preempt_other=standing.may_preempt,
                    allowed_nodes=where.allowed_nodes,
                    node_selector=where.node_selector,
                    tolerations=where.tolerations,
                )
                _passed(AddAsk(ask=ask), first.found)
                yield ask


def _spec(group: TaskGroup) -> dict[str, Any]:
    """The specification of the placeholders of a group."""
    found = {"nodeSelector": group.node_selector, "tolerations": list(group.tolerations), "affinity": group.affinity}
    return {key: value for key, value in found.items() if value}


def _own_keys(pod: Pod) -> dict[str, list[str]]:
    """The keys that an export gave the placeholders of the gang, by group."""
    try:
        found = json.loads(pod.placeholder_keys) if pod.placeholder_keys else {}
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {
        group: keys for group, keys in found.items() if isinstance(keys, list) and all(isinstance(key, str) and key for key in keys)
    }
