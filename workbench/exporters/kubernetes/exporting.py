"""A scenario as manifests: namespaces, priority classes, the ConfigMap of the queues, nodes, pods. K-51.

Pods are the scheduler's (`schedulerName`). They name application and queue by labels, and their gang by annotations; what runs
names its node. They do nothing until somebody ends them. Names that Kubernetes would refuse are made valid, and the true one is
kept in an annotation, from which an import takes it back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from workbench.config import load_config
from workbench.config.write.export import to_configmap
from workbench.exporters.kubernetes.comparing import notes_of
from workbench.exporters.kubernetes.manifests import Manifest, Manifests
from workbench.exporters.kubernetes.notes import Note
from workbench.exporters.kubernetes.population import population_of
from workbench.importers.kubernetes.cluster import cluster_of
from workbench.importers.kubernetes.objects import Found
from workbench.simulation.scenario import Scenario
from workbench.values.errors import ConfigError

NODES = "40-nodes.yaml"
HEADS = {
    NODES: "# The nodes of the scenario, for a cluster of made-up nodes (KWOK); one with nodes of its own does not want these.\n",
}


@dataclass(frozen=True, slots=True)
class Export:
    """Attributes:
    files: name -> text in YAML, in the order in which they are applied; each may have several documents.
    notes: what Kubernetes has no place for.
    pods, nodes: how many there are.
    """

    files: Mapping[str, str]
    notes: tuple[Note, ...]
    pods: int
    nodes: int

    @property
    def text(self) -> str:
        """All files as one."""
        return "---\n".join(self.files.values())


def export_kubernetes(scenario: Scenario, *, configmap: str = "") -> Export:
    """The scenario as objects of Kubernetes.

    Args:
        configmap: the text of a ConfigMap into which the queue configuration is put; everything else in it stays.

    Raises:
        ConfigError: the scheduler would refuse the queue configuration, or it cannot be put into that ConfigMap.
    """
    config = load_config(scenario.text)
    made = Manifests(population_of(scenario))
    queues = to_configmap(config, into=configmap) if configmap else to_configmap(config)
    texts = {
        "10-namespaces.yaml": _dumped(made.namespaces),
        "20-priority-classes.yaml": _dumped(made.classes),
        "30-queues.yaml": queues,
        NODES: _dumped(made.nodes),
        "50-pods.yaml": _dumped(made.pods),
    }
    files = {name: HEADS.get(name, "") + text for name, text in texts.items() if text}
    found = cluster_of(_read_again(made, queues), release=scenario.engine).scenario
    notes = tuple(notes_of(scenario, found, made.counts_pods, made.pods_of_a_node))
    return Export(files, notes, len(made.pods), len(made.nodes))


def _read_again(made: Manifests, queues: str) -> Iterator[Found]:
    config: Any = yaml.safe_load(queues)
    if not isinstance(config, dict):
        raise ConfigError("the ConfigMap is no single object")
    for each in (*made.namespaces, *made.classes, config, *made.nodes, *made.pods):
        yield Found(each, "the exported objects")


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Without references: every object is written out. The one in C, where it is built in, is ten times as fast."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _dumped(objects: list[Manifest]) -> str:
    parts = (yaml.dump(each, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=4096) for each in objects)
    return "---\n".join(parts)
