"""Whether a pod may run on a node, room aside: nodeSelector, required node affinity, taints and tolerations. K-31, K-32."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from workbench.importers.kubernetes.belonging import DAEMON_SET, is_owned_by
from workbench.importers.kubernetes.fields import Object, entries, names, text, texts, value
from workbench.importers.kubernetes.words import CORDON_TAINT

REQUIRED = ("nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
KEEPS_AWAY = ("NoSchedule", "NoExecute")
NODE_NAME = "metadata.name"
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


class AffinityError(ValueError):
    """A term of an affinity that Kubernetes would not take, in its words."""


def required_node(pod: Object) -> str:
    """The node that a DaemonSet's pod wants; empty for any. K-31."""
    if not is_owned_by(pod, DAEMON_SET):
        return ""
    for term in entries(pod, "spec", "affinity", *REQUIRED, "nodeSelectorTerms"):
        for field in entries(term, "matchFields"):
            wanted = names(field, "values")
            if text(field, "key") == NODE_NAME and text(field, "operator") == "In" and len(wanted) == 1:
                return wanted[0]
    return ""


def selects(spec: Object, name: str, labels: Mapping[str, str]) -> bool:
    """Whether selector and required affinity of a pod's specification accept the node. AffinityError as `matches`."""
    wanted = texts(spec, "nodeSelector")
    if any(labels.get(key) != each for key, each in wanted.items()):
        return False
    if value(spec, "affinity", *REQUIRED) is None:
        return True
    return matches(entries(spec, "affinity", *REQUIRED, "nodeSelectorTerms"), name, labels)


def matches(terms: Iterable[Object], name: str, labels: Mapping[str, str]) -> bool:
    """Whether one of the terms accepts the node; none do without any.

    AffinityError: a term has an operator that there is not, and no other accepts.
    """
    fault: AffinityError | None = None
    for place, term in enumerate(terms):
        try:
            if _matches(term, name, labels, f"nodeSelectorTerms[{place}]"):
                return True
        except AffinityError as error:
            fault = fault or error
    if fault is not None:
        raise fault
    return False


def _matches(term: Object, name: str, labels: Mapping[str, str], path: str) -> bool:
    expressions, fields = entries(term, "matchExpressions"), entries(term, "matchFields")
    if not expressions and not fields:
        return False
    found = [_holds(each, labels, f"{path}.matchExpressions[{place}]") for place, each in enumerate(expressions)]
    found += [_holds(each, {NODE_NAME: name}, f"{path}.matchFields[{place}]") for place, each in enumerate(fields)]
    return all(found)


def _holds(expression: Object, labels: Mapping[str, str], path: str) -> bool:
    key, operator, wanted = text(expression, "key"), text(expression, "operator"), names(expression, "values")
    has = labels.get(key)
    match operator:
        case "In":
            return has is not None and has in wanted
        case "NotIn":
            return has is None or has not in wanted
        case "Exists":
            return has is not None
        case "DoesNotExist":
            return has is None
        case "Gt" | "Lt":
            if has is None or len(wanted) != 1 or not (_NUMBER.fullmatch(has) and _NUMBER.fullmatch(wanted[0])):
                return False
            return int(has) > int(wanted[0]) if operator == "Gt" else int(has) < int(wanted[0])
    listed = ", ".join(f'"{each}"' for each in OPERATORS)
    raise AffinityError(f'{path}.operator: Unsupported value: "{operator}": supported values: {listed}')


def taints_of(node: Object) -> list[str]:
    """The taints of a node that keep pods away, as `key=value:Effect`; a cordoned node has that of the cordon. K-22."""
    found = [_taint(each) for each in entries(node, "spec", "taints") if text(each, "effect") in KEEPS_AWAY]
    cordon = f"{CORDON_TAINT}:NoSchedule"
    if value(node, "spec", "unschedulable") is True and cordon not in found:
        found.append(cordon)
    return found


def _taint(taint: Object) -> str:
    label, effect = text(taint, "value"), text(taint, "effect")
    return f"{text(taint, 'key')}{'=' if label else ''}{label}:{effect}"


def tolerates(tolerations: Iterable[Object], taint: str) -> bool:
    """Whether one of the tolerations takes a taint, written as `taints_of` does."""
    label, _, effect = taint.rpartition(":")
    key, _, label = label.partition("=")
    return any(_tolerates(each, key, label, effect) for each in tolerations)


def _tolerates(toleration: Object, key: str, label: str, effect: str) -> bool:
    wanted, operator = text(toleration, "key"), text(toleration, "operator") or "Equal"
    if text(toleration, "effect") not in ("", effect):
        return False
    if wanted != key and not (wanted == "" and operator == "Exists"):
        return False
    return operator == "Exists" or operator == "Equal" and text(toleration, "value") == label


def untolerated(spec: Object, taints: Iterable[str]) -> str:
    """The first taint that a pod's specification does not tolerate; empty if there is none."""
    tolerations = entries(spec, "tolerations")
    return next((each for each in taints if not tolerates(tolerations, each)), "")
