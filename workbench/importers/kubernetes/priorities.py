"""Which priority a pod has, whether it may be preempted, and whether it may preempt. K-30."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.importers.kubernetes.fields import Object, WrongField, integer, text, texts, value
from workbench.importers.kubernetes.words import ALLOW_PREEMPTION

LEAST, MOST = -(2**31), 2**31 - 1


@dataclass(frozen=True, slots=True)
class PriorityClass:
    """A class of pods. `allows_preemption` is what its annotation says, empty for nothing."""

    name: str
    value: int
    is_default: bool = False
    never_preempts: bool = False
    allows_preemption: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What priority makes of a pod."""

    priority: int
    may_be_preempted: bool
    may_preempt: bool


def priority_class(given: Object) -> PriorityClass:
    """A PriorityClass as it was read. WrongField for what Kubernetes would not take."""
    number = integer(given, "value")
    return PriorityClass(
        text(given, "metadata", "name"),
        _bounded(number or 0, "value"),
        value(given, "globalDefault") is True,
        text(given, "preemptionPolicy") == "Never",
        texts(given, "metadata", "annotations").get(ALLOW_PREEMPTION, ""),
    )


def priority_of(pod: Object, classes: Mapping[str, PriorityClass]) -> int:
    """`spec.priority`; without it that of the class, of the default class, or 0."""
    said = integer(pod, "spec", "priority")
    if said is not None:
        return _bounded(said, "spec.priority")
    found = class_of(pod, classes)
    return found.value if found is not None else 0


def class_of(pod: Object, classes: Mapping[str, PriorityClass]) -> PriorityClass | None:
    """The class that a pod names, or the default one; None if that is not known."""
    name = text(pod, "spec", "priorityClassName")
    if name:
        return classes.get(name)
    return next((each for each in classes.values() if each.is_default), None)


def allow_preemption(pod: Object) -> str:
    """What the pod's annotation says, empty for nothing."""
    return texts(pod, "metadata", "annotations").get(ALLOW_PREEMPTION, "")


def standing_of(pod: Object, classes: Mapping[str, PriorityClass]) -> Standing:
    """The priority of a pod, and what it allows."""
    found = class_of(pod, classes)
    said = allow_preemption(pod) or (found.allows_preemption if found is not None else "")
    policy = text(pod, "spec", "preemptionPolicy")
    never = policy == "Never" if policy else found is not None and found.never_preempts
    return Standing(priority_of(pod, classes), said != "false", not never)


def _bounded(number: int, key: str) -> int:
    if not LEAST <= number <= MOST:
        raise WrongField(key, f"found {number}, allowed are {LEAST} to {MOST}")
    return number
