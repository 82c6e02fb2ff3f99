"""Objects of Kubernetes, made for tests with what these need to say."""

from __future__ import annotations

from typing import Any

A = "yunikorn.apache.org/"


def pod(
    name: str = "p",
    *,
    namespace: str = "default",
    uid: str | None = None,
    created: str = "2026-01-02T03:04:05Z",
    labels=None,
    annotations=None,
    owner: str = "",
    status=None,
    requests=None,
    node: str = "",
    phase: str = "",
    **spec: Any,
) -> dict[str, Any]:
    """A pod of the scheduler's with one container; `requests` are its container's, other keywords go into its specification."""
    found: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "uid": uid or f"uid-{name}", "creationTimestamp": created},
        "spec": {
            "schedulerName": "yunikorn",
            "containers": [{"name": "c", "image": "i", "resources": {"requests": requests or {"cpu": "1", "memory": "1Gi"}}}],
            **({"nodeName": node} if node else {}),
            **spec,
        },
        "status": {"phase": phase or ("Running" if node else "Pending"), **(status or {})},
    }
    for key, value in (("labels", labels), ("annotations", annotations)):
        if value:
            found["metadata"][key] = value
    if owner:
        found["metadata"]["ownerReferences"] = [{"apiVersion": "apps/v1", "kind": owner, "name": "o", "uid": "u"}]
    return found


def node(name: str = "n1", *, cordoned: bool = False, taints=(), labels=None, **allocatable: str) -> dict[str, Any]:
    """A node with 8 cores, 32 GiB and 110 pods, unless something else is said."""
    offered = {"cpu": "8", "memory": "32Gi", "pods": "110", **allocatable}
    spec: dict[str, Any] = {"unschedulable": True} if cordoned else {}
    if taints:
        spec["taints"] = list(taints)
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
        "spec": spec,
        "status": {"allocatable": offered, "capacity": offered},
    }


def namespace(name: str, **annotations: str) -> dict[str, Any]:
    """A namespace; annotations by what follows the domain, `_` for `.`."""
    said = {f"{A}{key.replace('_', '.')}": value for key, value in annotations.items()}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "annotations": said}}


def priority_class(name: str, value: int, **more: Any) -> dict[str, Any]:
    """A priority class."""
    return {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value, **more}


def config_map(name: str, data=None, *, namespace: str = "yunikorn", **more: Any) -> dict[str, Any]:
    """A ConfigMap in the scheduler's namespace."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data or {}, **more}


def required(*terms: Any) -> dict[str, Any]:
    """A required node affinity with these terms."""
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}}


def listed(*objects: Any) -> dict[str, Any]:
    """As `kubectl get -o json` writes several objects."""
    return {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": list(objects)}
