"""What the workbench and the scheduler have themselves: a queues.yaml, a ConfigMap with one, and a scenario."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.config import load_config
from workbench.config.write.export import from_configmap
from workbench.files.reading import read_text
from workbench.importers.imported import Imported
from workbench.importers.look import Look
from workbench.importers.registry import Importer, Option, register_importer
from workbench.simulation.scenario import Scenario, load_scenario
from workbench.values.errors import ScenarioError

_KIND = re.compile(r"""^kind\s*:\s*["']?(\w+)|"kind"\s*:\s*"(\w+)\b""", re.MULTILINE)
"""A kind of Kubernetes object: of a document in YAML only at its top, since texts within it are indented."""


def is_configmap(look: Look) -> bool:
    """One object, which is a ConfigMap."""
    return "apiVersion" in look.keys and [yaml or json for yaml, json in _KIND.findall(look.head)] == ["ConfigMap"]


def is_queues(look: Look) -> bool:
    """A configuration has its partitions at the top; a scenario holds it as a value."""
    return "partitions" in look.keys and "config" not in look.keys


def is_scenario(look: Look) -> bool:
    """Either of the keys that it must have: one that lacks the other is told so."""
    return not look.keys.isdisjoint(("config", "events")) and not is_queues(look)


def _text(file: Path) -> str:
    return read_text(file, error=ScenarioError, packed=file.name.lower().endswith(".gz"))


def _stem(file: Path) -> str:
    return Path(file.name.removesuffix(".gz")).stem


def _read_queues(file: Path) -> Imported:
    return Imported(Scenario(config=load_config(_text(file), source=file.name), name=_stem(file)))


def _read_configmap(file: Path) -> Imported:
    text = _text(file)
    config = load_config(from_configmap(text), source=file.name)
    return Imported(Scenario(config=config, name=_stem(file)), configmap=text)


def _read_scenario(file: Path) -> Imported:
    return Imported(load_scenario(file))


_FILE = (Option("file", "the file", Path, "FILE", required=True),)

register_importer(
    "queues",
    Importer(
        "a queue configuration (queues.yaml)",
        "The queues, with a cluster that is empty.",
        _FILE,
        _read_queues,
        recognises=is_queues,
        known_by="a queues.yaml (partitions at the top)",
        command=False,
    ),
)
register_importer(
    "configmap",
    Importer(
        "a ConfigMap with a queue configuration",
        "The queues in the ConfigMap, with a cluster that is empty.",
        _FILE,
        _read_configmap,
        recognises=is_configmap,
        known_by="a ConfigMap (one object of this kind)",
        command=False,
    ),
)
register_importer(
    "scenario",
    Importer(
        "a scenario",
        "A configuration with its inputs.",
        _FILE,
        _read_scenario,
        recognises=is_scenario,
        known_by="a scenario (config and events at the top)",
        command=False,
    ),
)
