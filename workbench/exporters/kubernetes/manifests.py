"""The objects of Kubernetes for a population: namespaces, priority classes, nodes, pods. K-1 to K-33, the other way round."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from workbench.exporters.kubernetes.population import Population
from workbench.exporters.kubernetes.valid_names import (
    is_extended,
    is_label,
    is_label_key,
    is_name,
    resource_name,
    valid_name,
)
from workbench.importers.kubernetes.applications import application_id, queue_name
from workbench.importers.kubernetes.constraints import REQUIRED
from workbench.importers.kubernetes.gangs import HARD, SOFT, STYLE, TIMEOUT
from workbench.importers.kubernetes.quantities import PODS
from workbench.importers.kubernetes.words import (
    ALLOW_PREEMPTION,
    APP_ID,
    APP_ID_LEGACY,
    DEFAULT_NAMESPACE,
    NAMESPACE_GUARANTEED,
    NAMESPACE_MAX_APPS,
    NAMESPACE_QUOTA,
    NOBODY,
    OWN_FOREIGN,
    OWN_KEY,
    OWN_NAME,
    OWN_PLACEHOLDERS,
    PARENT_QUEUE,
    PLACEHOLDER,
    POLICY_PARAMETERS,
    QUEUE,
    QUEUE_LEGACY,
    SCHEDULER,
    TAG_CREATED,
    TAG_FOREIGN,
    TAG_GUARANTEED,
    TAG_LABEL,
    TAG_MAX_APPS,
    TAG_NAMESPACE,
    TAG_PARENT_QUEUE,
    TAG_POD_NAME,
    TAG_POD_NAMESPACE,
    TAG_PULL_SECRETS,
    TAG_QUOTA,
    TASK_GROUP_NAME,
    TASK_GROUPS,
    USER_INFO,
)
from workbench.scheduler.records.commands import AddNode, ApplicationSpec, AskSpec
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource

Manifest = dict[str, Any]

IMAGE, COMMAND = "busybox", ["sleep", "infinity"]
"""What pods run: nothing, until somebody ends them."""
LEAST_PODS = 110
"""Pods that a node takes, as kubelets have it, where the scenario does not count pods."""


class Manifests:
    """The objects for a population, each kind in a list of its own."""

    def __init__(self, population: Population):
        self._population = population
        self._names: dict[str, set[str]] = {}
        self._classes: dict[tuple[int, bool], str] = {}
        self._begun: set[str] = set()
        """Applications of which a pod was made."""
        self._nodes: dict[str, str] = {}
        """Id of a node -> its name."""
        self.counts_pods = _counts_pods(population)
        for id in population.nodes:
            self._nodes[id] = valid_name(id, self._nodes.values()) if not is_name(id) or id in self._nodes.values() else id
        pods = len(population.foreign) + sum(map(len, population.running.values())) + sum(map(len, population.waiting.values()))
        self.pods_of_a_node = max(LEAST_PODS, pods)
        self.nodes = [self._node(each) for each in population.nodes.values()]
        self.pods = [*self._foreign(), *self._applications()]
        self.classes = [_priority_class(name, *key) for key, name in sorted(self._classes.items(), key=lambda item: item[1])]
        self.namespaces = [_namespace(name, tags) for name, tags in self._namespaces().items()]

    # -- nodes ----------------------------------------------------------------------------------------------------------

    def _node(self, node: AddNode) -> Manifest:
        name = self._nodes[node.node_id]
        labels = {key: value for key, value in node.attributes.items() if is_label_key(key) and is_label(value)}
        annotations = {} if name == node.node_id else {OWN_NAME: node.node_id}
        offered = _quantities(node.capacity)
        if not self.counts_pods:
            offered[PODS] = str(self.pods_of_a_node)
        taints = [_taint(each) for each in node.taints]
        spec: Manifest = {"taints": taints} if taints else {}
        if node.node_id in self._population.drained:
            spec["unschedulable"] = True
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": _metadata(name, labels=labels, annotations=annotations),
            "spec": spec,
            "status": {"allocatable": offered, "capacity": offered},
        }

    # -- pods -----------------------------------------------------------------------------------------------------------

    def _foreign(self) -> Iterator[Manifest]:
        for ask, node in self._population.foreign:
            pod = self._pod(ask, ask.tags.get(TAG_POD_NAMESPACE) or DEFAULT_NAMESPACE, _labels(ask), {}, node=node, scheduler="")
            created = ask.tags.get(TAG_CREATED, "")
            if re.fullmatch(r"[0-9]{1,11}", created):
                stamp = datetime.fromtimestamp(int(created), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
                pod["metadata"]["creationTimestamp"] = stamp
            if ask.tags.get(TAG_FOREIGN) == "static":
                pod["metadata"]["annotations"] = {**pod["metadata"].get("annotations", {}), OWN_FOREIGN: "static"}
            yield pod

    def _applications(self) -> Iterator[Manifest]:
        """The pods of all applications, in an order from which an import finds that of the applications and of what waits."""
        members = {id: self._members(spec) for id, spec in self._population.applications.items()}
        pods = {(id, ask.key) for id, each in members.items() for ask, _ in each}
        made: set[tuple[str, str]] = set()
        closed = list(members)
        for asked in self._population.asked:
            while asked.application_id in closed:
                yield from self._opened(closed.pop(0), members, made)
            if (asked.application_id, asked.key) in pods:
                yield from self._once(asked, "", members, made)
        for id in closed:
            yield from self._opened(id, members, made)

    def _opened(self, id: str, members: Mapping[str, list[tuple[AskSpec, str]]], made: set[tuple[str, str]]) -> Iterator[Manifest]:
        """What an application begins with: its originator, if that waits, and what runs; or the first pod that waits."""
        mine = members[id]
        first = [(ask, node) for ask, node in mine if ask.originator and not node]
        for ask, node in (first + [each for each in mine if each[1]]) or mine[:1]:
            yield from self._once(ask, node, members, made)

    def _once(
        self, ask: AskSpec, node: str, members: Mapping[str, list[tuple[AskSpec, str]]], made: set[tuple[str, str]]
    ) -> Iterator[Manifest]:
        """The pod of a request, unless it was made. The first one of an application speaks of its gang."""
        id = ask.application_id
        if (id, ask.key) in made:
            return
        spec = self._population.applications[id]
        own = _application_annotations(spec)
        if id not in self._begun:
            self._begun.add(id)
            own |= _gang_annotations(spec, self._groups(spec, members[id]))
        made.add((id, ask.key))
        yield self._pod(ask, _namespace_of(spec), _labels(ask), own, node=node, application=spec)

    def _members(self, spec: ApplicationSpec) -> list[tuple[AskSpec, str]]:
        """The requests of an application that become pods: not the placeholders of a gang that has not begun."""
        running, waiting = self._population.running[spec.id], self._population.waiting[spec.id]
        groups = _gang(waiting) if not running else {}
        members = [ask for ask in waiting if not (groups and ask.placeholder)] or waiting
        return [*running, *((ask, "") for ask in members)]

    def _groups(self, spec: ApplicationSpec, members: list[tuple[AskSpec, str]]) -> dict[str, list[AskSpec]]:
        """The task groups whose placeholders are not made as pods."""
        made = {ask.key for ask, _ in members}
        return _gang([ask for ask in self._population.waiting[spec.id] if ask.key not in made])

    def _pod(
        self,
        ask: AskSpec,
        namespace: str,
        labels: dict[str, str],
        annotations: dict[str, str],
        *,
        node: str,
        application: ApplicationSpec | None = None,
        scheduler: str = SCHEDULER,
    ) -> Manifest:
        namespace = namespace if is_name(namespace) else valid_name(namespace)
        name = self._pod_name(ask, namespace)
        if ask.key != f"{namespace}/{name}":
            annotations = {**annotations, OWN_KEY: ask.key}
        if ask.task_group:
            annotations = {**annotations, TASK_GROUP_NAME: ask.task_group}
        if ask.placeholder:
            annotations = {**annotations, PLACEHOLDER: "true"}
        if not ask.allow_preempt_self:
            annotations = {**annotations, ALLOW_PREEMPTION: "false"}
        spec: Manifest = {"schedulerName": scheduler} if scheduler else {}
        if ask.priority or not ask.allow_preempt_other:
            spec["priorityClassName"] = self._class(ask.priority, not ask.allow_preempt_other)
        if node:
            spec["nodeName"] = self._nodes[node]
        spec.update(self._constraints(ask))
        if application is not None and application.tags.get(TAG_PULL_SECRETS):
            spec["imagePullSecrets"] = [{"name": each} for each in application.tags[TAG_PULL_SECRETS].split(",")]
        spec["containers"] = [_container(ask.resource)]
        pod: Manifest = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": _metadata(name, namespace, labels=labels, annotations=annotations),
            "spec": {**spec, "restartPolicy": "Never"},
        }
        if application is not None:
            _name_application(pod, application)
        return pod

    def _pod_name(self, ask: AskSpec, namespace: str) -> str:
        wanted = ask.tags.get(TAG_POD_NAME) or ask.key.removeprefix(f"{namespace}/")
        taken = self._names.setdefault(namespace, set())
        name = wanted if is_name(wanted) and wanted not in taken else valid_name(wanted, taken)
        taken.add(name)
        return name

    def _class(self, priority: int, never: bool) -> str:
        name = f"priority-{'minus-' if priority < 0 else ''}{abs(priority)}{'-never' if never else ''}"
        return self._classes.setdefault((priority, never), name)

    def _constraints(self, ask: AskSpec) -> Manifest:
        found: Manifest = {}
        if ask.node_selector:
            found["nodeSelector"] = dict(ask.node_selector)
        allowed = (ask.required_node,) if ask.required_node else ask.allowed_nodes
        if allowed is not None:
            fields = ({"key": "metadata.name", "operator": "In", "values": [self._nodes.get(each, each)]} for each in allowed)
            terms = [{"matchFields": [field]} for field in fields]
            found["affinity"] = {REQUIRED[0]: {REQUIRED[1]: {"nodeSelectorTerms": terms}}}
        if ask.tolerations:
            found["tolerations"] = [_toleration(each) for each in ask.tolerations]
        return found

    # -- namespaces -----------------------------------------------------------------------------------------------------

    def _namespaces(self) -> dict[str, Mapping[str, str]]:
        """Those of all pods, with the tags of the last application in each: of several the last one counts. PL-87."""
        found: dict[str, Mapping[str, str]] = {each["metadata"]["namespace"]: {} for each in self.pods}
        for spec in self._population.applications.values():
            namespace = _namespace_of(spec)
            found[namespace if is_name(namespace) else valid_name(namespace)] = spec.tags
        return dict(sorted(found.items()))


def _counts_pods(population: Population) -> bool:
    """Whether anything in the scenario says how many pods there are or may be."""
    sizes: Iterable[Resource] = (node.capacity for node in population.nodes.values())
    asks = [ask for ask, _ in population.foreign]
    asks += [ask for each in population.running.values() for ask, _ in each] + [
        ask for each in population.waiting.values() for ask in each
    ]
    return any(PODS in size.amounts for size in (*sizes, *(ask.resource for ask in asks)))


def _metadata(name: str, namespace: str = "", *, labels: Mapping[str, str], annotations: Mapping[str, str]) -> Manifest:
    found: Manifest = {"name": name}
    if namespace:
        found["namespace"] = namespace
    if labels:
        found["labels"] = dict(labels)
    if annotations:
        found["annotations"] = dict(annotations)
    return found


def _quantities(size: Resource) -> dict[str, str]:
    return {resource_name(kind): format_quantity(amount, kind) for kind, amount in sorted(size.amounts.items())}


def _container(size: Resource) -> Manifest:
    requests = {name: each for name, each in _quantities(size).items() if name != PODS}
    limits = {name: each for name, each in requests.items() if is_extended(name)}
    resources = {key: each for key, each in (("requests", requests), ("limits", limits)) if each}
    return {"name": "main", "image": IMAGE, "command": list(COMMAND), "resources": resources}


def _labels(ask: AskSpec) -> dict[str, str]:
    """The labels that the tags of a pod tell of."""
    given = {key.removeprefix(TAG_LABEL): value for key, value in ask.tags.items() if key.startswith(TAG_LABEL)}
    return {key: value for key, value in given.items() if is_label_key(key) and is_label(value)}


def _name_application(pod: Manifest, spec: ApplicationSpec) -> None:
    """Have the pod name its application and its queue, by labels where these may say it."""
    metadata = pod["metadata"]
    given = any(key in metadata.get("labels", {}) for key in (APP_ID, APP_ID_LEGACY, QUEUE, QUEUE_LEGACY))
    for wanted, read, label, annotation in (
        (spec.id, application_id, APP_ID_LEGACY, APP_ID),
        (spec.queue, queue_name, QUEUE_LEGACY, QUEUE),
    ):
        if read(pod) == wanted:
            continue
        if is_label(wanted) and not given:
            metadata["labels"] = {**metadata.get("labels", {}), label: wanted}
        else:
            metadata["annotations"] = {**metadata.get("annotations", {}), annotation: wanted}


def _namespace_of(spec: ApplicationSpec) -> str:
    return spec.tags.get(TAG_NAMESPACE) or DEFAULT_NAMESPACE


def _application_annotations(spec: ApplicationSpec) -> dict[str, str]:
    if not spec.groups and spec.user in ("", NOBODY):
        return {}
    said = {"user": spec.user, **({"groups": list(spec.groups)} if spec.groups else {})}
    return {USER_INFO: json.dumps(said, ensure_ascii=False)}


def _gang(waiting: list[AskSpec]) -> dict[str, list[AskSpec]]:
    """The placeholders of a gang that has not begun, by group."""
    found: dict[str, list[AskSpec]] = {}
    for ask in waiting:
        if ask.placeholder and ask.task_group:
            found.setdefault(ask.task_group, []).append(ask)
    return found


def _gang_annotations(spec: ApplicationSpec, groups: Mapping[str, list[AskSpec]]) -> dict[str, str]:
    """What the first pod says of its gang: the task groups, how they are waited for, and what the placeholders are called."""
    found: dict[str, str] = {}
    parameters = []
    if spec.execution_timeout_ns:
        parameters.append(f"{TIMEOUT}={spec.execution_timeout_ns // 10**9}")
    if spec.gang_style == HARD or spec.gang_style == SOFT and groups and spec.tags.get(POLICY_PARAMETERS):
        parameters.append(f"{STYLE}={spec.gang_style}")
    said = spec.tags.get(POLICY_PARAMETERS) or " ".join(parameters)
    if said:
        found[POLICY_PARAMETERS] = said
    if groups or spec.tags.get(TASK_GROUPS):
        found[TASK_GROUPS] = spec.tags.get(TASK_GROUPS) or json.dumps(
            [_task_group(name, members) for name, members in groups.items()], ensure_ascii=False
        )
    keys = {name: [each.key for each in members] for name, members in groups.items()}
    if any(key != f"tg-{spec.id}-{name}-{number}" for name, each in keys.items() for number, key in enumerate(each)):
        found[OWN_PLACEHOLDERS] = json.dumps(keys, ensure_ascii=False)
    return found


def _task_group(name: str, members: list[AskSpec]) -> Manifest:
    first = members[0]
    size = {each: amount for each, amount in _quantities(first.resource).items() if each != PODS}
    found: Manifest = {"name": name, "minMember": len(members), "minResource": size}
    if first.node_selector:
        found["nodeSelector"] = dict(first.node_selector)
    if first.tolerations:
        found["tolerations"] = [_toleration(each) for each in first.tolerations]
    return found


def _toleration(said: str) -> Manifest:
    key, equals, label = said.partition("=")
    if said == "*":
        return {"operator": "Exists"}
    return {"key": key, "operator": "Equal", "value": label} if equals else {"key": key, "operator": "Exists"}


def _taint(said: str) -> Manifest:
    label, _, effect = said.rpartition(":") if ":" in said else (said, "", "")
    key, _, label = label.partition("=")
    return {"key": key, **({"value": label} if label else {}), "effect": effect or "NoSchedule"}


def _priority_class(name: str, priority: int, never: bool) -> Manifest:
    found: Manifest = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name},
        "value": priority,
    }
    return {**found, "preemptionPolicy": "Never"} if never else found


def _namespace(name: str, tags: Mapping[str, str]) -> Manifest:
    annotations = {
        NAMESPACE_QUOTA: _quota(tags.get(TAG_QUOTA, "")),
        NAMESPACE_GUARANTEED: _quota(tags.get(TAG_GUARANTEED, "")),
        NAMESPACE_MAX_APPS: tags.get(TAG_MAX_APPS, ""),
        PARENT_QUEUE: tags.get(TAG_PARENT_QUEUE, ""),
    }
    said = {key: value for key, value in annotations.items() if value}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": _metadata(name, labels={}, annotations=said)}


def _quota(said: str) -> str:
    """The amounts of a tag as the annotation of a namespace has them; empty if they cannot be read. R-97."""
    try:
        found = json.loads(said)["resources"] if said else {}
        sizes = {resource_name(kind): format_quantity(int(each["value"]), kind) for kind, each in found.items()}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ""
    return json.dumps(sizes) if sizes else ""
