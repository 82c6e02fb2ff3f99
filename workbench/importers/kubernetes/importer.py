"""`workbench import kubernetes`: how objects of Kubernetes are recognised, and what reads them."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.importers.imported import Imported
from workbench.importers.kubernetes.cluster import load_kubernetes
from workbench.importers.kubernetes.notes_texts import sentence
from workbench.importers.kubernetes.objects import Progress, is_named_so
from workbench.importers.look import Look, top_keys
from workbench.importers.registry import Importer, Option, register_importer

KINDS = ("Node", "Pod", "Namespace", "PriorityClass", "ConfigMap")
"""Kinds of objects that are read."""
_KIND = re.compile(r"""^(?:- |[ ]{2})?kind\s*:\s*["']?(\w+)|"kind"\s*:\s*"(\w+)\b""", re.MULTILINE)
_MOST_LOOKED_AT = 50
"""Files of a folder."""


def recognises(look: Look) -> bool:
    """A list of objects, several, or one that is no ConfigMap, which alone is a queue configuration; or a folder of such."""
    if not look.is_folder:
        return _is_of_objects(look.head, look.keys)
    named = [name for name in look.names if is_named_so(name)][:_MOST_LOOKED_AT]
    return any(_is_of_objects(head, top_keys(head)) for head in map(look.head_of, named))


def _is_of_objects(head: str, keys: frozenset[str]) -> bool:
    if "apiVersion" not in keys:
        return False
    kinds = [yaml or json for yaml, json in _KIND.findall(head)]
    known = [each for each in kinds if each.removesuffix("List") in (*KINDS, "")]
    return bool(known) and ("items" in keys or known != ["ConfigMap"] or kinds != known)


def _places(look: Look) -> dict[str, object]:
    """What is opened is looked at, so its pods are called by name; the UID is what the scheduler calls them."""
    return {"paths": (look.path,), "names": True}


def _read(
    paths: tuple[Path, ...],
    release: str | None = None,
    all_ours: bool | None = None,
    names: bool | None = None,
    durations: bool | None = None,
    progress: Progress | None = None,
) -> Imported:
    found = load_kubernetes(
        paths, release=release, all_ours=bool(all_ours), names=bool(names), durations=bool(durations), progress=progress
    )
    return Imported(found.scenario, tuple(map(sentence, found.notes)), found.queues, found.configmap)


register_importer(
    "kubernetes",
    Importer(
        "objects of Kubernetes, as kubectl get writes them",
        "Reads nodes, pods, namespaces, priority classes and ConfigMaps, in YAML or JSON, from files and folders: what "
        "'kubectl get nodes,pods,namespaces,priorityclasses,configmaps -A -o json' gives (YAML takes longer). Nodes with what "
        "runs on them, what waits, and the queue configuration become a scenario.",
        (
            Option("paths", "files and folders", Path, "PATH", required=True, many=True),
            Option("release", "release of the scheduler, such as 1.9", str, "R"),
            Option("all_ours", "as if all pods were the scheduler's that its admission controller would give it", bool),
            Option("names", "call pods by namespace and name, not by UID", bool),
            Option("durations", "tell how long the pods ran that have ended, by queue", bool),
        ),
        _read,
        recognises=recognises,
        places=_places,
        known_by="objects of Kubernetes (apiVersion and kind)",
        tells_progress=True,
    ),
)
