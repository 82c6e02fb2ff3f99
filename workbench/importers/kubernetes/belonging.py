"""Whose a pod is, whether it is placed, and whether it has ended. K-1, K-2, K-3."""

from __future__ import annotations

from workbench.importers.kubernetes.fields import Object, entries, text
from workbench.importers.kubernetes.words import SCHEDULER, SYSTEM_NAMESPACE

ENDED = ("Succeeded", "Failed")
DAEMON_SET, NODE = "DaemonSet", "Node"


def is_ours(pod: Object) -> bool:
    """Whether the scheduler places the pod. K-1."""
    return text(pod, "spec", "schedulerName") == SCHEDULER


def is_bound(pod: Object) -> bool:
    """Whether the pod has a node."""
    return bool(text(pod, "spec", "nodeName"))


def has_ended(pod: Object) -> bool:
    """Whether the pod has run to its end. K-2."""
    return text(pod, "status", "phase") in ENDED


def is_gated(pod: Object) -> bool:
    """Whether the pod is held back by scheduling gates. K-2."""
    return bool(entries(pod, "spec", "schedulingGates"))


def is_owned_by(pod: Object, kind: str) -> bool:
    """Whether one of the owners of the pod is of that kind."""
    return any(text(each, "kind") == kind for each in entries(pod, "metadata", "ownerReferences"))


def foreign_kind(pod: Object) -> str:
    """What a foreign pod is told as: `static` if its node made it, else `default`. K-1."""
    return "static" if is_owned_by(pod, NODE) else "default"


def would_be_ours(pod: Object) -> bool:
    """Whether the admission controller would hand the pod to the scheduler, if that were there. K-3."""
    return not (is_owned_by(pod, NODE) or is_owned_by(pod, DAEMON_SET) or text(pod, "metadata", "namespace") == SYSTEM_NAMESPACE)
