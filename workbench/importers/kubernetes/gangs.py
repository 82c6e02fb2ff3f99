"""Gangs: the task groups that a pod declares, how long their placeholders are waited for, and what a placeholder is. K-33."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.importers.kubernetes.fields import Object, texts
from workbench.importers.kubernetes.quantities import PODS, Amounts, added, amount
from workbench.importers.kubernetes.words import (
    PLACEHOLDER_LABEL,
    PLACEHOLDERS,
    POLICY_PARAMETERS,
    TASK_GROUP_NAME,
    TASK_GROUPS,
)
from workbench.values.quantities import MAX_INT64, MIN_INT64

SOFT, HARD = "Soft", "Hard"
STYLES = (SOFT, HARD)
TIMEOUT, STYLE = "placeholderTimeoutInSeconds", "gangSchedulingStyle"
_MOST_MEMBERS = 2**31 - 1
_NUMBER = re.compile(r"[+-]?[0-9]{1,19}")


class GangError(ValueError):
    """Task groups that cannot be read, in the words of the Kubernetes side."""


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """A part of a gang.

    Attributes:
        members: how many placeholders it has.
        size: of each, `pods: 1` included.
        node_selector, tolerations, affinity: of its placeholders, as in the specification of a pod.
    """

    name: str
    members: int
    size: Amounts
    node_selector: Mapping[str, str] | None = None
    tolerations: tuple[Object, ...] = field(default=())
    affinity: Object | None = None

    @property
    def total(self) -> Amounts:
        """What all of them are together."""
        return {name: max(MIN_INT64, min(number * self.members, MAX_INT64)) for name, number in self.size.items()}


@dataclass(frozen=True, slots=True)
class Policy:
    """How a gang is waited for. `timeout_s` 0: as long as the scheduler does by itself."""

    style: str = SOFT
    timeout_s: int = 0


def task_groups(pod: Object) -> tuple[TaskGroup, ...]:
    """The task groups that a pod declares. GangError if they cannot be read."""
    said = texts(pod, "metadata", "annotations").get(TASK_GROUPS, "")
    return read_task_groups(said) if said else ()


def read_task_groups(said: str) -> tuple[TaskGroup, ...]:
    """The task groups in a text. GangError if they cannot be read."""
    try:
        found = json.loads(said)
    except json.JSONDecodeError as error:
        raise GangError(_go_syntax_error(said, error)) from None
    except (ValueError, RecursionError) as error:
        raise GangError(str(error)) from None
    if found is None:
        return ()
    if not isinstance(found, list):
        raise GangError(f"json: cannot unmarshal {_go_kind(found)} into Go value of type []cache.TaskGroup")
    return tuple(_task_group(each, said) for each in found)


def _task_group(given: object, said: str) -> TaskGroup:
    if not isinstance(given, dict):
        raise GangError(f"json: cannot unmarshal {_go_kind(given)} into Go value of type cache.TaskGroup")
    name, members, wanted = given.get("name") or "", given.get("minMember") or 0, given.get("minResource")
    if not isinstance(name, str):
        raise GangError(_wrong_kind(name, "name", "string"))
    if type(members) is not int or abs(members) > _MOST_MEMBERS:
        raise GangError(_wrong_kind(members, "minMember", "int32"))
    if not isinstance(wanted, dict | None):
        raise GangError(_wrong_kind(wanted, "minResource", "map[string]resource.Quantity"))
    size: Amounts = {PODS: 1}
    for kind, text in (wanted or {}).items():
        try:
            size = added(size, dict([amount(kind, text)]))
        except ValueError as error:
            raise GangError(str(error)) from None
    if not name:
        raise GangError(f"can't get taskGroup Name from pod annotation, {said}")
    if not wanted:
        raise GangError(f"can't get taskGroup MinResource from pod annotation, {said}")
    if members == 0:
        raise GangError(f"can't get taskGroup MinMember from pod annotation, {said}")
    if members < 0:
        raise GangError(f"minMember cannot be negative, {said}")
    selector, tolerations, affinity = (given.get(key) for key in ("nodeSelector", "tolerations", "affinity"))
    if selector is not None and not (isinstance(selector, dict) and all(isinstance(each, str) for each in selector.values())):
        raise GangError(_wrong_kind(selector, "nodeSelector", "string"))
    if tolerations is not None and not (isinstance(tolerations, list) and all(isinstance(each, dict) for each in tolerations)):
        raise GangError(_wrong_kind(tolerations, "tolerations", "[]v1.Toleration"))
    if affinity is not None and not isinstance(affinity, dict):
        raise GangError(_wrong_kind(affinity, "affinity", "v1.Affinity"))
    return TaskGroup(name, members, size, selector, tuple(tolerations or ()), affinity)


def policy_of(pod: Object) -> Policy:
    """How the gang of a pod is waited for; what cannot be read in it is skipped."""
    style, timeout_s = SOFT, 0
    for part in texts(pod, "metadata", "annotations").get(POLICY_PARAMETERS, "").split(" "):
        key, *values = part.split("=")
        if len(values) != 1:
            continue
        if key == TIMEOUT and _NUMBER.fullmatch(values[0]) and MIN_INT64 <= int(values[0]) <= MAX_INT64:
            timeout_s = int(values[0])
        if key == STYLE and values[0] in STYLES:
            style = values[0]
    return Policy(style, timeout_s)


def task_group_name(pod: Object) -> str:
    """The task group that a pod is of; empty for none."""
    return texts(pod, "metadata", "annotations").get(TASK_GROUP_NAME, "")


def is_placeholder(pod: Object) -> bool:
    """Whether a pod keeps a place for a member of a gang."""
    annotations = texts(pod, "metadata", "annotations")
    return (
        any(annotations.get(each) == "true" for each in PLACEHOLDERS)
        or texts(pod, "metadata", "labels").get(PLACEHOLDER_LABEL) == "true"
    )


def gang_total(groups: tuple[TaskGroup, ...]) -> Amounts:
    """What all placeholders are together."""
    found: Amounts = {}
    for each in groups:
        found = added(found, each.total)
    return found


# -- as the decoder of the Kubernetes side says it ---------------------------------------------------------------------


def _go_syntax_error(said: str, error: json.JSONDecodeError) -> str:
    rest = said[error.pos :].lstrip(" \t\r\n")
    if not rest:
        return "unexpected end of JSON input"
    return f"invalid character '{rest[0]}' looking for beginning of value"


def _wrong_kind(value: object, field: str, wanted: str) -> str:
    return f"json: cannot unmarshal {_go_kind(value)} into Go struct field TaskGroup.{field} of type {wanted}"


def _go_kind(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    return (
        "object"
        if isinstance(value, dict)
        else "array"
        if isinstance(value, list)
        else ("string" if isinstance(value, str) else "number")
    )
