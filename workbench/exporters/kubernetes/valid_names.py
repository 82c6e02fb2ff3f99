"""Names that Kubernetes takes, made of names that it need not take."""

from __future__ import annotations

import re
from collections.abc import Collection

from workbench.importers.kubernetes.quantities import CPU
from workbench.importers.kubernetes.words import OWN
from workbench.values.quantities import VCORE

LONGEST = 63
"""Characters of a name and of a label's value. Names of objects may be longer; those of hosts may not."""
_NAME = re.compile(r"[a-z0-9](?:[-a-z0-9.]{0,61}[a-z0-9])?")
_BAD_DOTS = re.compile(r"\.[-.]|-\.")
_LABEL = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")
_PREFIX = re.compile(r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?")
_NATIVE = ("cpu", "memory", "ephemeral-storage", "pods")


def is_name(text: str) -> bool:
    """Whether an object may be called so.

    >>> is_name("worker-1"), is_name("Worker_1")
    (True, False)
    """
    return _NAME.fullmatch(text) is not None and not _BAD_DOTS.search(text)


def valid_name(text: str, taken: Collection[str] = ()) -> str:
    """The text as a name of an object, another one than those taken.

    >>> valid_name("Worker 1"), valid_name("worker-1", {"worker-1"}), valid_name("äö")
    ('worker-1', 'worker-1-2', 'x')
    """
    name = re.sub(r"[^a-z0-9.]+", "-", text.lower())
    name = re.sub(r"-*\.[-.]*", ".", name).strip("-.")[:LONGEST].strip("-.") or "x"
    found, number = name, 1
    while found in taken:
        number += 1
        ending = f"-{number}"
        found = name[: LONGEST - len(ending)].rstrip("-.") + ending
    return found


def is_label(text: str) -> bool:
    """Whether the value of a label may be so."""
    return _LABEL.fullmatch(text) is not None


def is_label_key(text: str) -> bool:
    """Whether a label may be called so: a name, which may have a domain before it."""
    prefix, slash, name = text.rpartition("/")
    return bool(name) and is_label(name) and (not slash or _PREFIX.fullmatch(prefix) is not None and not _BAD_DOTS.search(prefix))


def resource_name(kind: str) -> str:
    """The resource of Kubernetes for a type; one that it does not know gets a prefix of ours.

    >>> resource_name("vcore"), resource_name("memory"), resource_name("gpu"), resource_name("nvidia.com/gpu")
    ('cpu', 'memory', 'policy-workbench/gpu', 'nvidia.com/gpu')
    """
    if kind == VCORE:
        return CPU
    if kind in _NATIVE and kind != CPU or re.fullmatch(r"hugepages-[0-9]+[KMGTP]i", kind):
        return kind
    if "/" in kind and is_label_key(kind) and not kind.startswith(OWN):
        return kind
    return OWN + (re.sub(r"[^-A-Za-z0-9_.]+", "-", kind).strip("-_.")[:LONGEST].strip("-_.") or "x")


def is_extended(name: str) -> bool:
    """Whether it is a resource of which request and limit must be the same."""
    return "/" in name or name.startswith("hugepages-")
