"""The service configuration: a flat list of text keys and text values, apart from the queue configuration (C-1, C-2, C-170).

`ServiceConfig` keeps what was written; `value` answers what is in force: the typed value, or the default where the text is
unusable. Nothing is refused at run time, as the core refuses nothing; `problems` lists what a person should know.
`save` writes it back to its file without ever leaving half a file.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from workbench.config.read.yaml_nodes import MapNode, ScalarNode, first_document
from workbench.config.validation.regexp import compile_regexp
from workbench.files.reading import is_folder, read_text
from workbench.files.writing import write_file
from workbench.values.durations import MINUTE, SECOND, parse_duration
from workbench.values.errors import ConfigError
from workbench.values.found import shown
from workbench.values.text import is_text

LOG_LEVELS = {"debug": -1, "info": 0, "warn": 1, "error": 2, "dpanic": 3, "panic": 4, "fatal": 5}
"""Names of the log levels and their numbers, which are accepted as well."""


@dataclass(frozen=True, slots=True)
class ServiceKey:
    """One known key.

    Attributes:
        key: exactly as the core matches it.
        default: the value in force when nothing usable is written.
        parse: text -> value; ValueError when unusable.
        restart: whether a change waits for a restart.
        hint: what it means.
    """

    key: str
    default: Any
    parse: Callable[[str], Any]
    restart: bool
    hint: str


def _boolean(text: str) -> bool:
    if text in ("1", "t", "T", "TRUE", "true", "True"):
        return True
    if text in ("0", "f", "F", "FALSE", "false", "False"):
        return False
    raise ValueError("write true or false")


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise ValueError("write a whole number that is not negative")
    return int(text)


def _positive_count(text: str) -> int:
    """0 stands for the default. C-170"""
    if _count(text) == 0:
        raise ValueError("0 stands for the default")
    return int(text)


def _level(text: str) -> int:
    if text.lower() in LOG_LEVELS:
        return LOG_LEVELS[text.lower()]
    if re.fullmatch(r"-1|[0-5]", text):
        return int(text)
    raise ValueError(f"write a number from -1 to 5 or one of {', '.join(LOG_LEVELS)}")


def _text(text: str) -> str:
    return text


def _regular_expression(text: str) -> str:
    """In the syntax of the service's language, not in Python's. `RegexpError` is a ValueError."""
    compile_regexp(text)
    return text


def _keys(*rows: tuple[str, Any, Callable[[str], Any], bool, str]) -> dict[str, ServiceKey]:
    return {row[0]: ServiceKey(*row) for row in rows}


SERVICE_KEYS: Mapping[str, ServiceKey] = _keys(
    ("event.trackingEnabled", True, _boolean, False, "whether the core records events"),
    ("event.requestCapacity", 1000, _positive_count, False, "events kept per second for the resource manager"),
    ("event.ringBufferCapacity", 100_000, _positive_count, False, "events kept for queries"),
    ("event.maxStreams", 100, _count, False, "event streams open at once"),
    ("event.maxStreamsPerHost", 15, _count, False, "event streams open at once to one host"),
    ("event.RESTResponseSize", 10_000, _positive_count, False, "events in one answer"),
    ("health.checkInterval", 30 * SECOND, parse_duration, False, "time between health checks; 0 or less is never"),
    ("log.level", 0, _level, False, "level of every logger without one of its own"),
    ("service.clusterId", "mycluster", _text, True, "name of the cluster"),
    ("service.policyGroup", "queues", _text, True, "the queue configuration is the text <group>.yaml"),
    ("service.schedulingInterval", 1 * SECOND, parse_duration, True, "time between scheduling rounds of the shim"),
    ("service.volumeBindTimeout", 10 * MINUTE, parse_duration, True, "how long to wait for a volume"),
    ("service.eventChannelCapacity", 1_048_576, _count, True, "events waiting in the shim"),
    ("service.dispatchTimeout", 5 * MINUTE, parse_duration, True, "how long an event may wait in the shim"),
    ("service.disableGangScheduling", False, _boolean, True, "whether task groups are ignored"),
    ("service.enableConfigHotRefresh", True, _boolean, False, "whether changes act at run time; once false, until restart"),
    ("service.placeholderImage", "registry.k8s.io/pause:3.7", _text, True, "image of placeholder pods"),
    ("service.placeholderRunAsUser", None, _count, False, "user id of placeholder pods"),
    ("service.placeholderRunAsGroup", None, _count, False, "group id of placeholder pods"),
    ("service.placeholderFsGroup", None, _count, False, "file system group of placeholder pods"),
    ("service.instanceTypeNodeLabelKey", "node.kubernetes.io/instance-type", _text, True, "node label of the instance type"),
    ("kubernetes.qps", 1000, _count, True, "requests per second to the API server"),
    ("kubernetes.burst", 1000, _count, True, "requests at once to the API server"),
    (
        "admissionController.webHook.amServiceName",
        "yunikorn-admission-controller-service",
        _text,
        True,
        "service of the admission controller",
    ),
    ("admissionController.webHook.schedulerServiceAddress", "yunikorn-service:9080", _text, True, "address of the scheduler"),
    ("admissionController.filtering.processNamespaces", "", _regular_expression, False, "namespaces to handle; empty is all"),
    ("admissionController.filtering.bypassNamespaces", "^kube-system$", _regular_expression, False, "namespaces to leave alone"),
    ("admissionController.filtering.labelNamespaces", "", _regular_expression, False, "namespaces whose pods get an id"),
    ("admissionController.filtering.noLabelNamespaces", "", _regular_expression, False, "namespaces whose pods get none"),
    ("admissionController.filtering.generateUniqueAppId", False, _boolean, False, "whether each pod gets an id of its own"),
    ("admissionController.accessControl.bypassAuth", False, _boolean, False, "whether user checks are skipped"),
    ("admissionController.accessControl.trustControllers", True, _boolean, False, "whether controllers may name users"),
    (
        "admissionController.accessControl.systemUsers",
        "^system:serviceaccount:kube-system:",
        _regular_expression,
        False,
        "users of the system",
    ),
    ("admissionController.accessControl.externalUsers", "", _regular_expression, False, "users who may name others"),
    ("admissionController.accessControl.externalGroups", "", _regular_expression, False, "groups that may name others"),
    # The keys below serve the design of 0.8.0, which the core does not read (C-171).
    ("service.bindHost", "127.0.0.1", _text, True, "address of the scheduler's own service"),
    ("service.port", 9999, _count, True, "port of the scheduler's own service"),
    ("service.webBindHost", "127.0.0.1", _text, True, "address of the web service"),
    ("service.webPort", 9080, _count, True, "port of the web service"),
    ("service.sslCertificate", "", _text, True, "certificate file of the web service; empty is no encryption"),
    ("service.sslKey", "", _text, True, "key file of the web service"),
    ("service.shims", "", _text, True, "names of the shims that may register, comma separated"),
    ("service.schedulerACL", "", _text, True, "who may change the scheduler, in the form of a queue ACL (C-108)"),
    ("service.allocationsPerPass", 0, _count, True, "containers assigned in one pass; 0 is no bound"),
    ("service.preemptionLoadThreshold", 0, _count, True, "load in percent from which preemption runs"),
    ("service.preemptionInterval", 0, parse_duration, True, "time between preemption runs; 0 is every cycle"),
)

ALIASES = {"event.ringbufferCapacity": "event.ringBufferCapacity"}
"""Documented spellings that the core does not match."""

_LOGGER = re.compile(r"log\.(.+)\.level")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a person should know about one key."""

    key: str
    text: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{f'line {self.line}: ' if self.line else ' '}warning: {shown(self.key)}: {self.text}"


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """What a service configuration says. `values` is the text as written; `lines` where each key stands."""

    values: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def value(self, key: str) -> Any:
        """The value in force: nanoseconds for durations, a number for log levels. KeyError for an unknown key."""
        known = _known(key)
        if known is None:
            raise KeyError(key)
        if key not in self.values:
            return known.default
        try:
            return known.parse(self.values[key])
        except ValueError:
            return known.default

    def log_level(self, logger: str) -> int:
        """The level of a logger: the longest configured dotted prefix of its name wins. C-170"""
        parts = logger.split(".")
        for length in range(len(parts), 0, -1):
            key = f"log.{'.'.join(parts[:length])}.level"
            if key in self.values:
                return int(self.value(key))
        return int(self.value("log.level"))

    def with_value(self, key: str, text: str | None) -> ServiceConfig:
        """The same with one key set, or removed with None.

        Raises:
            ConfigError: the key is unknown or the text cannot be used. (A file may still hold either.)
        """
        if text is None:
            return replace(self, values={each: value for each, value in self.values.items() if each != key})
        fault = _fault(key, text)
        if fault is not None:
            raise ConfigError(f"{key}: {fault}")
        return replace(self, values={**self.values, key: text})

    def needs_restart(self, newer: ServiceConfig) -> list[str]:
        """The changed keys that act only after a restart, by name."""
        changed = {key for key in {*self.values, *newer.values} if self.values.get(key) != newer.values.get(key)}
        return sorted(key for key in changed if (known := _known(key)) is not None and known.restart)

    def problems(self) -> list[Problem]:
        """Unknown keys and unusable values, in the order written; the core ignores the ones and uses defaults for the others."""
        found = []
        for key, text in self.values.items():
            fault = _fault(key, text)
            if fault is not None:
                found.append(Problem(key, fault, self.lines.get(key)))
        return found


def load_service(text: str, *, source: str | None = None) -> ServiceConfig:
    """A service configuration from YAML: a flat map, or a ConfigMap with it under `data`.

    Texts that hold a queue configuration (keys ending in .yaml) are left out; the two are kept apart (C-2).

    Raises:
        ConfigError: no map, a value that is no text, or a key twice.
    """
    root = first_document(text)
    if root is None:
        return ServiceConfig()
    entries = _pairs(root, source)
    if "data" in entries and isinstance(entries["data"], MapNode):
        entries = _pairs(entries["data"], source)
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    for key, node in entries.items():
        if key.endswith(".yaml"):
            continue
        if not isinstance(node, ScalarNode):
            raise ConfigError(f"{key}: found a list or mapping", line=node.line, source=source, hint="every value is a text")
        values[key], lines[key] = node.text, node.line
    return ServiceConfig(values, lines)


def save_service(config: ServiceConfig, path: str | os.PathLike[str]) -> None:
    """Write the keys back to a file, in one step: a reader sees the old file or the new one, never half of it.

    A ConfigMap stays one, with its other keys, the queue configuration among them.

    Raises:
        FileError: it cannot be written.
        ConfigError: what is there cannot be read, so that nobody knows what else would be lost; it stays as it is.
    """
    target = Path(path)
    for key, value in config.values.items():
        if not (is_text(key) and is_text(value)):
            raise ConfigError(f"{shown(str(key))}: a key and its value must be texts of whole characters", source=str(path))
    data: dict[str, Any] = dict(config.values)
    if is_folder(target) is not None:
        old = _plain(target)
        if isinstance(old, dict) and isinstance(old.get("data"), dict):
            kept = {key: value for key, value in old["data"].items() if str(key).endswith(".yaml")}
            data = {**old, "data": {**kept, **config.values}}
    write_file(target, yaml.safe_dump(data, sort_keys=False, allow_unicode=True))


def _plain(path: Path) -> Any:
    """What the file holds, as plain values."""
    text = read_text(path)
    try:
        first_document(text)  # refuses what is nested or repeated without end
        return yaml.safe_load(text)
    except ConfigError as error:
        error.source, error.hint = str(path), "mend the file, or save under another name"
        raise
    except (ValueError, TypeError, yaml.YAMLError) as error:
        said = " ".join(str(error).split())
        raise ConfigError(f"not valid YAML: {said}", source=str(path), hint="mend the file, or save under another name") from None


def _pairs(node: Any, source: str | None) -> dict[str, Any]:
    if not isinstance(node, MapNode):
        raise ConfigError("a service configuration is a map of keys to texts", line=node.line, source=source)
    found: dict[str, Any] = {}
    for key, value in node.pairs:
        name = key.text if isinstance(key, ScalarNode) else ""
        if name in found:
            raise ConfigError(f"key {name!r} occurs twice", line=key.line, source=source, hint="keep one of them")
        found[name] = value
    return found


def _known(key: str) -> ServiceKey | None:
    if _LOGGER.fullmatch(key):
        return SERVICE_KEYS["log.level"]
    return SERVICE_KEYS.get(key)


def _fault(key: str, text: str) -> str | None:
    known = _known(key)
    if known is None:
        return _unknown(key, SERVICE_KEYS)
    if not is_text(text):
        return f"must be {'a text of whole characters' if isinstance(text, str) else 'a text'}; the default holds"
    try:
        known.parse(text)
    except ValueError as error:
        return f"{text!r} cannot be used ({error}); the default holds"
    return None


def _unknown(key: str, known: Iterable[str]) -> str:
    if key in ALIASES:
        return f"unknown key; the core matches {ALIASES[key]!r} exactly"
    near = difflib.get_close_matches(key, list(known), 1)
    return f"unknown key; did you mean {near[0]!r}?" if near else "unknown key; it is ignored"
