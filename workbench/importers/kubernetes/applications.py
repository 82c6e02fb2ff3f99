"""Application, queue and user that a pod names, and the labels that the admission controller adds. K-3, K-10 to K-13."""

from __future__ import annotations

import json
from dataclasses import dataclass

from workbench.importers.kubernetes.belonging import is_bound
from workbench.importers.kubernetes.fields import Object, entries, text, texts
from workbench.importers.kubernetes.words import (
    APP_ID,
    APP_ID_LEGACY,
    APP_ID_SPARK,
    DEFAULT_NAMESPACE,
    NOBODY,
    POLICY_PARAMETERS,
    QUEUE,
    QUEUE_LEGACY,
    TAG_FORCE,
    TAG_LABEL,
    TAG_NAMESPACE,
    TAG_POD_NAME,
    TAG_POD_NAMESPACE,
    TAG_PULL_SECRETS,
    TAG_REQUIRED_NODE,
    TASK_GROUPS,
    USER_INFO,
    USER_LABEL,
)


@dataclass(frozen=True, slots=True)
class User:
    """Who submits. `groups` is None where nobody said any."""

    name: str = NOBODY
    groups: tuple[str, ...] | None = None


def namespace_of(pod: Object) -> str:
    """The namespace of a pod; the default one if it names none."""
    return text(pod, "metadata", "namespace") or DEFAULT_NAMESPACE


def application_id(pod: Object, *, unique: bool = False) -> str:
    """The application of a pod; of one that names none that of its namespace, or one of its own (`unique`). K-10."""
    labels, annotations = texts(pod, "metadata", "labels"), texts(pod, "metadata", "annotations")
    said = (labels.get(APP_ID), annotations.get(APP_ID), labels.get(APP_ID_LEGACY), labels.get(APP_ID_SPARK))
    return next(filter(None, said), "") or made_up_id(pod, unique=unique)


def made_up_id(pod: Object, *, unique: bool = False) -> str:
    """The application of a pod that names none."""
    namespace = namespace_of(pod)
    return f"{namespace}-{text(pod, 'metadata', 'uid')}" if unique else f"yunikorn-{namespace}-autogen"


def queue_name(pod: Object) -> str:
    """The queue that a pod names; empty if none, and the placement rules decide. K-11."""
    labels, annotations = texts(pod, "metadata", "labels"), texts(pod, "metadata", "annotations")
    return labels.get(QUEUE) or annotations.get(QUEUE) or labels.get(QUEUE_LEGACY) or ""


def user_of(pod: Object) -> User:
    """Who submits the pod. What cannot be read is nobody. K-12, R-972."""
    said = texts(pod, "metadata", "annotations").get(USER_INFO)
    if not said:
        return User(texts(pod, "metadata", "labels").get(USER_LABEL) or NOBODY)
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        return User()
    if not isinstance(found, dict):
        return User()
    name, groups = found.get("user") or "", found.get("groups")
    if not isinstance(name, str) or not (groups is None or isinstance(groups, list) and all(isinstance(g, str) for g in groups)):
        return User()
    return User(name or NOBODY, None if groups is None else tuple(groups))


def application_tags(pod: Object) -> dict[str, str]:
    """The tags of the application that a pod starts, those of its namespace aside. K-13."""
    annotations = texts(pod, "metadata", "annotations")
    found = {
        TAG_NAMESPACE: namespace_of(pod),
        TASK_GROUPS: annotations.get(TASK_GROUPS, ""),
        POLICY_PARAMETERS: annotations.get(POLICY_PARAMETERS, ""),
        TAG_FORCE: "true" if is_bound(pod) else "false",
    }
    secrets = [text(each, "name") for each in entries(pod, "spec", "imagePullSecrets")]
    return {**found, TAG_PULL_SECRETS: ",".join(secrets)} if secrets else found


def pod_tags(pod: Object, required_node: str = "") -> dict[str, str]:
    """The tags of the pod itself: its name, its namespace, its labels, and the node that it wants."""
    found = {TAG_POD_NAMESPACE: text(pod, "metadata", "namespace"), TAG_POD_NAME: text(pod, "metadata", "name")}
    found.update({f"{TAG_LABEL}{key}": value for key, value in texts(pod, "metadata", "labels").items()})
    return {**found, TAG_REQUIRED_NODE: required_node} if required_node else found


def admission_labels(pod: Object, *, unique: bool = False) -> dict[str, str]:
    """The labels of a pod after the admission controller saw it. K-3."""
    labels, annotations = texts(pod, "metadata", "labels"), texts(pod, "metadata", "annotations")
    found = dict(labels)
    if labels.get(APP_ID):
        found[APP_ID_LEGACY] = labels[APP_ID]
    elif not (annotations.get(APP_ID) or labels.get(APP_ID_LEGACY) or labels.get(APP_ID_SPARK)):
        found[APP_ID] = found[APP_ID_LEGACY] = made_up_id(pod, unique=unique)
    if labels.get(QUEUE):
        found[QUEUE_LEGACY] = labels[QUEUE]
    return found
