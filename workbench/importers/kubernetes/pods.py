"""A pod as far as it matters here: what its object says about itself, read once. The rest of the object is let go."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from workbench.importers.kubernetes import belonging, gangs
from workbench.importers.kubernetes.applications import (
    User,
    application_id,
    application_tags,
    namespace_of,
    pod_tags,
    queue_name,
    user_of,
)
from workbench.importers.kubernetes.constraints import REQUIRED, required_node
from workbench.importers.kubernetes.fields import Object, WrongField, entries, mapping, text, texts, value
from workbench.importers.kubernetes.objects import Found
from workbench.importers.kubernetes.quantities import Amounts
from workbench.importers.kubernetes.sizes import pod_size
from workbench.importers.kubernetes.words import OWN_FOREIGN, OWN_KEY, OWN_PLACEHOLDERS, TAG_CREATED, TAG_FOREIGN, USER_LABEL

_OF_THE_SPEC = ("nodeSelector", "tolerations", "priority", "priorityClassName", "preemptionPolicy")

NOT_FOLLOWED = {
    "podAffinity": "affinity to other pods",
    "podAntiAffinity": "anti-affinity to other pods",
    "preferred": "preferred node affinity",
    "topologySpreadConstraints": "topology spread",
    "hostPorts": "host ports",
    "volumes": "volume claims",
    "resourceClaims": "resource claims",
}
"""What a pod may want of its node that is not followed, by what it is called in its object. K-32."""


@dataclass(frozen=True, slots=True)
class Pod:
    """Attributes:
    found: the object, without what is not needed any more, and where it was found.
    position: how many pods were found before.
    key: as the scheduler calls it, the UID; without one its name.
    name: namespace and name.
    created: seconds since 1970; None if it does not say.
    as_if_ours: it is another scheduler's, and taken as ours.
    application, unique_application: which one it is of; the second if ids are made for each pod.
    not_followed: what it wants of its node that is not followed.
    gang_error: why its task groups cannot be read.
    ran_s: how long it ran, of one that has ended and says it.
    """

    found: Found
    position: int
    key: str
    name: str
    namespace: str
    created: int | None
    has_ended: bool
    is_gated: bool
    is_ours: bool
    as_if_ours: bool
    is_bound: bool
    node: str
    required_node: str
    size: Amounts
    application: str
    unique_application: str
    queue: str
    user: User
    tags: dict[str, str]
    application_tags: dict[str, str]
    groups: tuple[gangs.TaskGroup, ...]
    gang_error: str
    policy: gangs.Policy
    task_group: str
    is_placeholder: bool
    placeholder_keys: str
    has_user_label: bool
    ran_s: int | None
    not_followed: tuple[str, ...]

    @property
    def age(self) -> tuple[int, str, int]:
        """What the oldest pod has least of. K-11. Pods that do not say when they were made come as they stand in the files."""
        return (0, "", self.position) if self.created is None else (self.created, self.key, self.position)


def read_pod(found: Found, release: str, position: int = 0, *, as_if_ours: bool = False, by_name: bool = False) -> Pod:
    """A pod. WrongField for what Kubernetes would not take."""
    pod = found.object
    name, namespace = text(pod, "metadata", "name"), namespace_of(pod)
    annotations = texts(pod, "metadata", "annotations")
    full = f"{namespace}/{name}"
    uid = text(pod, "metadata", "uid")
    if not (name or uid):
        raise WrongField("metadata.name", "is missing")
    groups: tuple[gangs.TaskGroup, ...] = ()
    gang_error = ""
    try:
        groups = gangs.task_groups(pod)
    except gangs.GangError as error:
        gang_error = str(error)
    wanted = required_node(pod)
    node = text(pod, "spec", "nodeName")
    is_theirs = not belonging.is_ours(pod)
    taken = is_theirs and as_if_ours and belonging.would_be_ours(pod)
    is_ours = taken or not is_theirs
    tags = pod_tags(pod, wanted)
    created = _seconds(pod)
    if not is_ours:
        tags = {
            **tags,
            TAG_FOREIGN: annotations.get(OWN_FOREIGN) or belonging.foreign_kind(pod),
            **({TAG_CREATED: str(created)} if created is not None else {}),
        }
    return Pod(
        found=Found(_slim(pod), found.file, found.document, found.item),
        position=position,
        key=annotations.get(OWN_KEY) or (full if by_name else uid or full),
        name=full,
        namespace=namespace,
        created=created,
        has_ended=belonging.has_ended(pod),
        is_gated=belonging.is_gated(pod),
        is_ours=is_ours,
        as_if_ours=taken,
        is_bound=bool(node),
        node=node,
        required_node=wanted,
        size=pod_size(pod, release),
        application=application_id(pod),
        unique_application=application_id(pod, unique=True),
        queue=queue_name(pod),
        user=user_of(pod),
        tags=tags,
        application_tags=application_tags(pod),
        groups=groups,
        gang_error=gang_error,
        policy=gangs.policy_of(pod),
        task_group=gangs.task_group_name(pod),
        is_placeholder=gangs.is_placeholder(pod),
        placeholder_keys=annotations.get(OWN_PLACEHOLDERS, ""),
        ran_s=_ran(pod) if belonging.has_ended(pod) else None,
        has_user_label=USER_LABEL in texts(pod, "metadata", "labels"),
        not_followed=_not_followed(pod),
    )


def _slim(pod: Object) -> Object:
    """What is asked of the object later: who it is, which nodes it takes, which priority it has."""
    spec, metadata = mapping(pod, "spec"), mapping(pod, "metadata")
    kept = {key: spec[key] for key in _OF_THE_SPEC if key in spec}
    terms = value(spec, "affinity", *REQUIRED)
    if terms is not None:
        kept["affinity"] = {REQUIRED[0]: {REQUIRED[1]: terms}}
    known = {key: metadata[key] for key in ("name", "namespace", "annotations") if key in metadata}
    return {"kind": "Pod", "metadata": known, "spec": kept}


def _seconds(pod: Object) -> int | None:
    said = text(pod, "metadata", "creationTimestamp")
    if not said:
        return None
    seconds = _instant(said)
    if seconds is None:
        raise WrongField("metadata.creationTimestamp", f"found {said[:40]!r}, allowed is an instant like 2026-01-02T03:04:05Z")
    return seconds


def _instant(said: str) -> int | None:
    """Seconds since 1970; None for a text that is no instant."""
    try:
        return int(datetime.fromisoformat(said).timestamp())
    except (ValueError, OverflowError):
        return None


def _ran(pod: Object) -> int | None:
    """From the first start of a container to the last end, in seconds. K-2."""
    ended = [mapping(each, "state", "terminated") for each in entries(pod, "status", "containerStatuses")]
    starts = [_instant(text(each, "startedAt")) for each in ended]
    ends = [_instant(text(each, "finishedAt")) for each in ended]
    begun, done = [each for each in starts if each is not None], [each for each in ends if each is not None]
    return max(done) - min(begun) if begun and done and max(done) >= min(begun) else None


def _not_followed(pod: Object) -> tuple[str, ...]:
    spec = mapping(pod, "spec")
    found = {key for key in ("podAffinity", "podAntiAffinity") if value(spec, "affinity", key)}
    if value(spec, "affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"):
        found.add("preferred")
    found |= {key for key in ("topologySpreadConstraints", "resourceClaims") if spec.get(key)}
    if any("persistentVolumeClaim" in each or "ephemeral" in each for each in entries(spec, "volumes")):
        found.add("volumes")
    ports = (port for container in entries(spec, "containers") if "ports" in container for port in entries(container, "ports"))
    if any(port.get("hostPort") for port in ports):
        found.add("hostPorts")
    return tuple(each for each in NOT_FOLLOWED if each in found)
