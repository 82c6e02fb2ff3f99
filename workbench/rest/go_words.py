"""What the core's own reader of YAML would say of a text that is no configuration: every misfit at once, line by line. RE-20

That reader knows records with fields, lists, maps and values, and names them as the core's source does in its messages. For what
is read but not valid, the workbench has the core's words already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import yaml
from yaml.scanner import ScannerError

from workbench.config.read import yaml_scalars
from workbench.config.read.parse import is_merge, is_null
from workbench.config.read.yaml_nodes import LOADER, ListNode, MapNode, Node, ScalarNode, first_document
from workbench.values.errors import ConfigError

LONGEST = 10
"""Longer values are shown by their first characters."""


@dataclass(frozen=True, slots=True)
class Value:
    """A single value of a type: "string", "bool", "uint64" or "float64"."""

    type: str


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list."""

    item: Value | Record
    name: str


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map whose keys are texts."""

    value: Value
    name: str


@dataclass(slots=True)
class Record:
    """A mapping with known keys."""

    name: str
    fields: dict[str, Kind] = field(default_factory=dict)


Kind = Value | ListOf | MapOf | Record

STRING, BOOL, COUNT, FLOAT = Value("string"), Value("bool"), Value("uint64"), Value("float64")
TEXTS, TEXT_MAP = ListOf(STRING, "[]string"), MapOf(STRING, "map[string]string")
RESOURCES = Record("configs.Resources", {"guaranteed": TEXT_MAP, "max": TEXT_MAP})
TEMPLATE = Record("configs.ChildTemplate", {"maxapplications": COUNT, "properties": TEXT_MAP, "resources": RESOURCES})
LIMIT = Record(
    "configs.Limit", {"limit": STRING, "users": TEXTS, "groups": TEXTS, "maxresources": TEXT_MAP, "maxapplications": COUNT}
)
LIMITS = ListOf(LIMIT, "[]configs.Limit")
QUEUE = Record("configs.QueueConfig")
QUEUES = ListOf(QUEUE, "[]configs.QueueConfig")
QUEUE.fields.update(
    name=STRING,
    parent=BOOL,
    resources=RESOURCES,
    maxapplications=COUNT,
    properties=TEXT_MAP,
    adminacl=STRING,
    submitacl=STRING,
    childtemplate=TEMPLATE,
    queues=QUEUES,
    limits=LIMITS,
)
RULE = Record("configs.PlacementRule")
RULE.fields.update(
    name=STRING,
    create=BOOL,
    filter=Record("configs.Filter", {"type": STRING, "users": TEXTS, "groups": TEXTS}),
    parent=RULE,
    value=STRING,
)
PARTITION = Record(
    "configs.PartitionConfig",
    {
        "name": STRING,
        "queues": QUEUES,
        "placementrules": ListOf(RULE, "[]configs.PlacementRule"),
        "limits": LIMITS,
        "preemption": Record("configs.PartitionPreemptionConfig", {"enabled": BOOL, "quotapreemptionenabled": BOOL}),
        "nodesortpolicy": Record(
            "configs.NodeSortingPolicy", {"type": STRING, "resourceweights": MapOf(FLOAT, "map[string]float64")}
        ),
        "usergroupresolver": Record("configs.UserGroupResolver", {"type": STRING}),
    },
)
DOCUMENT = Record("configs.SchedulerConfig", {"partitions": ListOf(PARTITION, "[]configs.PartitionConfig"), "checksum": STRING})


def misfit(text: str) -> str:
    """Why the text cannot be read as a configuration, "" if it can."""
    try:
        root = first_document(text)
    except ConfigError as error:
        return _not_yaml(text, error)
    if root is None:
        return ""
    try:
        found = list(_misfits(root, DOCUMENT))
    except ConfigError:
        return ""
    return "yaml: unmarshal errors:\n" + "\n".join(f"  {each}" for each in found) if found else ""


def _not_yaml(text: str, error: ConfigError) -> str:
    """The reader's own words; "" where it is the workbench that refuses."""
    said = error.text.removeprefix("not valid YAML: ")
    name, refers, _ = said.partition(" refers to no anchor")
    if refers:
        return f"yaml: unknown anchor '{name.removeprefix('*')}' referenced"
    if said == error.text:
        return ""
    try:
        for _ in yaml.parse(text, Loader=LOADER):
            pass
    except yaml.MarkedYAMLError as found:
        return _syntax(found)
    except yaml.YAMLError:
        pass
    return f"yaml: {said}"


def _syntax(error: yaml.MarkedYAMLError) -> str:
    """Lines are counted from nought, and not told of the first; what is wrong in a single word is one line further."""
    for mark in (error.context_mark, error.problem_mark):
        if mark is not None and mark.line:
            return f"yaml: line {mark.line + isinstance(error, ScannerError)}: {error.problem}"
    return f"yaml: {error.problem}"


def _misfits(node: Node, kind: Kind) -> Iterator[str]:
    if is_null(node):
        return
    if isinstance(kind, Value):
        if not isinstance(node, ScalarNode) or not _fits(node, kind):
            yield _cannot(node, kind.type)
    elif isinstance(kind, ListOf):
        if isinstance(node, ListNode):
            for item in node.items:
                yield from _misfits(item, kind.item)
        else:
            yield _cannot(node, kind.name)
    elif not isinstance(node, MapNode):
        yield _cannot(node, kind.name)
    else:
        yield from _misfits_of_map(node, kind)


def _misfits_of_map(node: MapNode, kind: MapOf | Record) -> Iterator[str]:
    twice = list(_repeated(node))
    if twice:
        yield from twice
        return
    fields: Mapping[str, Kind] = kind.fields if isinstance(kind, Record) else {}
    for key, value in node.pairs:
        if not isinstance(key, ScalarNode) or is_merge(key) or is_null(key):
            continue
        if isinstance(kind, MapOf):
            yield from _misfits(value, kind.value)
        elif key.text in fields:
            yield from _misfits(value, fields[key.text])
        else:
            yield f"line {key.line}: field {key.text} not found in type {kind.name}"


def _repeated(node: MapNode) -> Iterator[str]:
    lines: dict[str, int] = {}
    for key, _ in node.pairs:
        if isinstance(key, ScalarNode):
            if key.text in lines:
                yield f'line {key.line}: mapping key "{key.text}" already defined at line {lines[key.text]}'
            lines.setdefault(key.text, key.line)


READERS = {"string": yaml_scalars.text, "bool": yaml_scalars.switch, "uint64": yaml_scalars.count, "float64": yaml_scalars.number}


def _fits(node: ScalarNode, kind: Value) -> bool:
    try:
        READERS[kind.type](node)
    except yaml_scalars.WrongType:
        return False
    return True


def _cannot(node: Node, wanted: str) -> str:
    if isinstance(node, ScalarNode):
        shown = f"{node.text[: LONGEST - 3]}..." if len(node.text) > LONGEST else node.text
        found = f"!!{_tag(node)} `{shown}`"
    else:
        found = "!!seq" if isinstance(node, ListNode) else "!!map"
    return f"line {node.line}: cannot unmarshal {found} into {wanted}"


def _tag(node: ScalarNode) -> str:
    try:
        value = yaml_scalars.meaning(node)
    except yaml_scalars.WrongType:
        return "str"
    names = {bool: "bool", int: "int", float: "float", str: "str"}
    return names.get(type(value), "null")
