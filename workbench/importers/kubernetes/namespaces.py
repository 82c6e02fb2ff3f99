"""What the annotations of a namespace say about queues that are made for its applications. K-14."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.importers.kubernetes.fields import Object, texts
from workbench.importers.kubernetes.quantities import CPU, Amounts, amount
from workbench.importers.kubernetes.words import (
    NAMESPACE_GUARANTEED,
    NAMESPACE_MAX_APPS,
    NAMESPACE_MAX_CPU,
    NAMESPACE_MAX_MEMORY,
    NAMESPACE_QUOTA,
    PARENT_QUEUE,
    TAG_GUARANTEED,
    TAG_MAX_APPS,
    TAG_PARENT_QUEUE,
    TAG_QUOTA,
)


@dataclass(frozen=True, slots=True)
class Quotas:
    """What a namespace sets; None and empty where it sets nothing, or nothing that can be read."""

    quota: Amounts | None = None
    guaranteed: Amounts | None = None
    max_apps: str = ""
    parent_queue: str = ""


NONE = Quotas()


def quotas_of(namespace: Object) -> Quotas:
    """What the annotations of a namespace set."""
    said = texts(namespace, "metadata", "annotations")
    most = said.get(NAMESPACE_MAX_APPS, "")
    return Quotas(
        _json_amounts(said[NAMESPACE_QUOTA]) if said.get(NAMESPACE_QUOTA) else _old_quota(said),
        _json_amounts(said[NAMESPACE_GUARANTEED]) if said.get(NAMESPACE_GUARANTEED) else None,
        most if re.fullmatch(r"\+?[0-9]{1,18}", most) else "",
        said.get(PARENT_QUEUE, ""),
    )


def unread(namespace: Object) -> list[str]:
    """The annotations of a namespace that cannot be read, and so set nothing."""
    said, found = texts(namespace, "metadata", "annotations"), quotas_of(namespace)
    quota = (
        NAMESPACE_QUOTA if said.get(NAMESPACE_QUOTA) else NAMESPACE_MAX_CPU if said.get(NAMESPACE_MAX_CPU) else NAMESPACE_MAX_MEMORY
    )
    pairs = ((quota, found.quota), (NAMESPACE_GUARANTEED, found.guaranteed), (NAMESPACE_MAX_APPS, found.max_apps))
    return [key for key, read in pairs if said.get(key) and read in (None, "")]


def tags_of(quotas: Quotas) -> dict[str, str]:
    """What a namespace sets as tags of the applications that are in it. PL-86."""
    found = {
        TAG_QUOTA: _message(quotas.quota),
        TAG_GUARANTEED: _message(quotas.guaranteed),
        TAG_MAX_APPS: quotas.max_apps,
        TAG_PARENT_QUEUE: quotas.parent_queue,
    }
    return {key: each for key, each in found.items() if each}


def _json_amounts(said: str) -> Amounts | None:
    """Amounts from JSON whose values are texts; None if any of it is something else."""
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        return None
    return _amounts(found)


def _old_quota(said: Mapping[str, str]) -> Amounts | None:
    given = {CPU: said.get(NAMESPACE_MAX_CPU, ""), "memory": said.get(NAMESPACE_MAX_MEMORY, "")}
    return _amounts({name: each for name, each in given.items() if each}) or None


def _amounts(given: Mapping[str, str]) -> Amounts | None:
    try:
        return dict(amount(name, each) for name, each in given.items())
    except ValueError:
        return None


def _message(amounts: Amounts | None) -> str:
    """Amounts as the Kubernetes side sends them. R-97."""
    if amounts is None:
        return ""
    return json.dumps({"resources": {name: {"value": number} for name, number in sorted(amounts.items())}}, separators=(",", ":"))
