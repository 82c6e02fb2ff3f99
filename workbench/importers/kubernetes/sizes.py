"""What a pod asks for. K-20, R-970."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.importers.kubernetes.fields import Object, entries, mapping, text, value, within
from workbench.importers.kubernetes.quantities import PODS, Amounts, added, amounts, largest
from workbench.values.quantities import VCORE

OF_THE_POD = (VCORE, "memory")
"""Types that a request of the pod itself replaces."""
_COUNTED_TWICE = ("1.4", "1.8")
"""Releases in which a sidecar's own request is compared with itself on top of it. R-970."""


def pod_size(pod: Object, release: str = "1.8") -> Amounts:
    """What a pod asks for, in the scheduler's units, `pods: 1` included. WrongField for what cannot be read.

    The sum of its containers and sidecars; at least what each init container needs beside the sidecars that were started before
    it; cpu and memory replaced where the pod itself requests them; and the overhead on top.
    """
    spec = mapping(pod, "spec")
    status = mapping(pod, "status")
    infeasible = _infeasible(status)
    statuses = _statuses(status, "containerStatuses")
    size: Amounts = {PODS: 1}
    for place, each in enumerate(entries(pod, "spec", "containers")):
        size = added(size, within(f"spec.containers[{place}]", _request, each, statuses, infeasible))
    starting = entries(pod, "spec", "initContainers")
    if starting:
        size = _with_init_containers(size, starting, _statuses(status, "initContainerStatuses"), infeasible, release)
    own = amounts(pod, "spec", "resources", "requests") if "resources" in spec else {}
    size.update({name: own[name] for name in OF_THE_POD if name in own})
    return added(size, amounts(pod, "spec", "overhead"))


def _with_init_containers(
    size: Amounts, starting: list[Object], statuses: Mapping[str, Object], infeasible: bool, release: str
) -> Amounts:
    needs: list[Amounts] = []
    before: Amounts = {}
    """The sidecars that run already."""
    for place, each in enumerate(starting):
        here = f"spec.initContainers[{place}]"
        if text(each, "restartPolicy") == "Always":
            own = within(here, _request, each, statuses, infeasible)
            size = added(size, own)
            needs.append(added(before, added(own, own) if release in _COUNTED_TWICE else own))
            before = added(before, own)
        else:
            needs.append(added(before, within(here, amounts, each, "resources", "requests")))
    for need in needs:
        size = largest(size, need)
    return size


def _request(container: Object, statuses: Mapping[str, Object], infeasible: bool) -> Amounts:
    """What a container counts for: of one that was resized the largest of request, allocated and actual."""
    asked = amounts(container, "resources", "requests")
    status = statuses.get(text(container, "name"))
    if status is None or value(status, "resources") is None:
        return asked
    held = largest(amounts(status, "allocatedResources"), amounts(status, "resources", "requests"))
    return held if infeasible else largest(asked, held)


def _statuses(status: Object, key: str) -> Mapping[str, Object]:
    return {text(each, "name"): each for each in entries(status, key)} if key in status else {}


def _infeasible(status: Object) -> bool:
    """Whether a resize was asked for that the node cannot give."""
    if text(status, "resize") == "Infeasible":
        return True
    return any(
        text(each, "type") == "PodResizePending" and text(each, "reason") == "Infeasible" for each in entries(status, "conditions")
    )
