"""The constraints of pods in the scheduler's own terms: selector, tolerations, and the nodes of a list. K-32.

The predicates here know taints by key and value, whatever their effect; where that is too coarse, the nodes are listed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from workbench.importers.kubernetes.constraints import REQUIRED, AffinityError, matches, tolerates
from workbench.importers.kubernetes.fields import Object, entries, text, texts, value

NOWHERE = ("(no node matches)",)
"""The list of a pod that no node will do for: a list must not be empty."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which nodes a pod accepts, as the fields of an ask. `fault` is why its affinity cannot be read; then it accepts none."""

    node_selector: Mapping[str, str]
    tolerations: tuple[str, ...] = ()
    allowed_nodes: tuple[str, ...] | None = None
    fault: str = ""


class Placing:
    """The nodes there are, with what pods of the same constraints have been told already."""

    def __init__(self, nodes: Iterable[tuple[str, str, Mapping[str, str], list[str]]]):
        """`nodes`: of each what it is called here, its name, its labels and its taints."""
        self._nodes = list(nodes)
        self._taints = sorted({taint for *_, taints in self._nodes for taint in taints})
        self._known: dict[str, Where] = {}

    def where(self, spec: Object) -> Where:
        """Which nodes a pod with this specification accepts. WrongField for what Kubernetes would not take."""
        asked = {key: spec[key] for key in ("nodeSelector", "tolerations", "affinity") if spec.get(key)}
        known = json.dumps(asked, sort_keys=True, default=str)
        if known not in self._known:
            self._known[known] = self._where(spec)
        return self._known[known]

    def _where(self, spec: Object) -> Where:
        selector = dict(texts(spec, "nodeSelector"))
        given = entries(spec, "tolerations")
        tolerated, too_coarse = self._tolerations(given)
        has_affinity = value(spec, "affinity", *REQUIRED) is not None
        if not has_affinity and not too_coarse:
            return Where(selector, tolerated)
        terms = entries(spec, "affinity", *REQUIRED, "nodeSelectorTerms")
        fault, allowed = "", []
        for id, name, labels, taints in self._nodes:
            try:
                fits = not has_affinity or matches(terms, name, labels)
            except AffinityError as error:
                fits, fault = False, str(error)
            if fits and all(tolerates(given, each) for each in taints if _label(each) in too_coarse):
                allowed.append(id)
        if len(allowed) == len(self._nodes):
            return Where(selector, tolerated)
        return Where(selector, tolerated, tuple(allowed) or NOWHERE, fault)

    def _tolerations(self, given: list[Object]) -> tuple[tuple[str, ...], set[str]]:
        """What is tolerated, as key or key and value; and the taints for which that is too coarse."""
        found = [said for said in map(_plain, given) if said]
        found += [_label(taint) for taint in self._taints if tolerates(given, taint)]
        tolerated = _needed(list(dict.fromkeys(found)))
        coarse = {_label(taint) for taint in self._taints if _taken(tolerated, _label(taint)) != tolerates(given, taint)}
        return tuple(tolerated), coarse


def _needed(found: list[str]) -> list[str]:
    """Without what another one covers."""
    if "*" in found:
        return ["*"]
    return [each for each in found if "=" not in each or each.partition("=")[0] not in found]


def _taken(tolerated: list[str], label: str) -> bool:
    """Whether the predicates take a taint of that key and value."""
    return any(each in ("*", label, label.partition("=")[0]) for each in tolerated)


def _plain(toleration: Object) -> str:
    """A toleration of every effect in the terms of the predicates; empty for one that these do not say."""
    key, operator, label = text(toleration, "key"), text(toleration, "operator") or "Equal", text(toleration, "value")
    if text(toleration, "effect"):
        return ""
    if operator == "Exists":
        return key or "*"
    if operator != "Equal" or not key:
        return ""
    return f"{key}={label}" if label else ""


def _label(taint: str) -> str:
    return taint.rpartition(":")[0]
