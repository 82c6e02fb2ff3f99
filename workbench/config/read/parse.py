"""YAML text to the configuration model, strictly: known keys once each, with values of the right type (C-10 to C-12).

The schema of chapter 02, section 3 is a table per kind of object; everything else here is four generic readers for
objects, lists, text maps and single values. Every object keeps the line it came from. Nothing is judged beyond
types: names, quantities and hierarchies are the business of `validate`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from workbench.config.model import (
    EMPTY,
    ChildTemplate,
    Limit,
    NodeSorting,
    PartitionConfig,
    PlacementRule,
    PreemptionSwitches,
    QueueConfig,
    ResourcesConfig,
    RuleFilter,
    SchedulerConfig,
)
from workbench.config.read import yaml_scalars
from workbench.config.read.yaml_nodes import ListNode, MapNode, Node, ScalarNode, first_document
from workbench.values.errors import ConfigError


def parse_config(text: str, *, source: str | None = None) -> SchedulerConfig:
    """The configuration that `text` writes down, neither completed (section 4) nor validated (section 5).

    An empty text is a configuration without partitions (C-3). Errors: ConfigError with the line.
    """
    try:
        document = first_document(text)
        if document is None or is_null(document):
            return SchedulerConfig(text=text)
        return SchedulerConfig(text=text, **_fields(document, _DOCUMENT, "the document"))
    except ConfigError as error:
        error.source = source
        raise


# -- readers: node and the place's name -> value; None for null, which leaves the default ---------------------------

Reader = Callable[[Node, str, int], Any]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of object: how messages call it, what builds it, and per key the attribute and the reader of its value."""

    called: str
    build: Callable[..., Any]
    keys: Mapping[str, tuple[str, Reader]]
    has_line: bool = True
    example: str = "write its 'key: value' lines below it"


def _value(read: Callable[[ScalarNode], Any], wanted: str) -> Reader:
    def reader(node: Node, place: str, line: int) -> Any:
        if not isinstance(node, ScalarNode):
            raise _wrong_type(node, place, wanted)
        try:
            return read(node)
        except yaml_scalars.WrongType as error:
            raise ConfigError(f"{place} {error}", line=node.line, hint=error.hint) from None

    return reader


_text = _value(yaml_scalars.text, "text")
_switch = _value(yaml_scalars.switch, "true or false")
_count = _value(yaml_scalars.count, "a whole number from 0 up")
_number = _value(yaml_scalars.number, "a number")


def _object(kind: Callable[[], _Kind]) -> Reader:
    """`kind` is a function because queues and rules contain themselves."""

    def reader(node: Node, place: str, line: int) -> Any:
        if is_null(node):
            return None
        described = kind()
        fields = _fields(node, described, place)
        if described.has_line:
            fields["line"] = line
        return described.build(**fields)

    return reader


def _list(item: Reader) -> Reader:
    def reader(node: Node, place: str, line: int) -> tuple[Any, ...] | None:
        if is_null(node):
            return None
        if not isinstance(node, ListNode):
            raise _wrong_type(node, place, "a list", "write each item on its own line after '- '")
        values = (item(child, f"an item of {place}", child.line) for child in node.items)
        return tuple(value for value in values if value is not None)  # null items vanish, as in the reference

    return reader


def _map(value: Reader, null: Any) -> Reader:
    def reader(node: Node, place: str, line: int) -> Mapping[str, Any] | None:
        if is_null(node):
            return None
        if not isinstance(node, MapNode):
            raise _wrong_type(node, place, "a map of keys and values", "write 'key: value' lines below it")
        entries = {}
        for key, child in _entries(node, place):
            read = value(child, f"{_shown(key)} in {place}", child.line)
            entries[key.text] = null if read is None else read
        return MappingProxyType(entries) if entries else EMPTY

    return reader


_texts = _list(_text)
_text_map = _map(_text, null="")
_number_map = _map(_number, null=0.0)


def _fields(node: Node, kind: _Kind, place: str) -> dict[str, Any]:
    """The attributes that a mapping sets, for the builder of its kind."""
    if not isinstance(node, MapNode):
        raise _wrong_type(node, place, "a map of keys and values", kind.example)
    fields = {}
    for key, child in _entries(node, kind.called):
        known = kind.keys.get(key.text)
        if known is None:
            raise _unknown_key(key, kind)
        attribute, read = known
        value = read(child, f"{_shown(key)} of {kind.called}", key.line)
        if value is not None:
            fields[attribute] = value
    return fields


# -- mappings: duplicate keys, null keys and merge keys ------------------------------------------------------------


def _entries(node: MapNode, place: str) -> Iterator[tuple[ScalarNode, Node]]:
    """The keys and values of a mapping: its own, then those that `<<` merges in and that are not there yet."""
    lines: dict[str, int] = {}
    merged: Node | None = None
    for key, value in node.pairs:
        if not isinstance(key, ScalarNode):
            raise ConfigError(f"a key in {place} must be text, found {_phrase(key)}", line=key.line)
        if key.text in lines:
            raise ConfigError(
                f"key {_shown(key)} appears twice in {place}, first in line {lines[key.text]}",
                line=key.line,
                hint="keep one of the two",
            )
        lines[key.text] = key.line
        if is_merge(key):
            merged = value
        elif not is_null(key):  # a null key is passed over, as in the reference
            yield key, value
    if merged is not None:
        for source in merged.items if isinstance(merged, ListNode) else (merged,):
            if not isinstance(source, MapNode):
                raise ConfigError("the merge key '<<' takes a map or a list of maps", line=source.line)
            for key, value in _entries(source, place):
                if key.text not in lines:
                    lines[key.text] = key.line
                    yield key, value


def is_merge(key: ScalarNode) -> bool:
    return key.text == "<<" and not key.quoted and key.tag in (None, "!", "tag:yaml.org,2002:merge")


def is_null(node: Node) -> bool:
    if not isinstance(node, ScalarNode):
        return False
    try:
        return yaml_scalars.meaning(node) is None
    except yaml_scalars.WrongType as error:
        raise ConfigError(f"a value {error}", line=node.line) from None


# -- messages ------------------------------------------------------------------------------------------------------


def _wrong_type(node: Node, place: str, wanted: str, hint: str = "") -> ConfigError:
    return ConfigError(f"{place} must be {wanted}, found {_phrase(node)}", line=node.line, hint=hint)


def _phrase(node: Node) -> str:
    if isinstance(node, ScalarNode):
        return yaml_scalars.found(node)
    return "a list" if isinstance(node, ListNode) else "a map"


def _shown(key: ScalarNode) -> str:
    return repr(key.text if len(key.text) <= 64 else key.text[:61] + "...")


def _unknown_key(key: ScalarNode, kind: _Kind) -> ConfigError:
    near = difflib.get_close_matches(key.text[:64].lower(), kind.keys, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}?" if near else f"allowed: {', '.join(kind.keys)}"
    if key.text == "statedumpfilepath":  # 1.2 took it and ignored it (C-180)
        hint = "later versions than 1.2 know it no more; delete the line"
    return ConfigError(f"unknown key {_shown(key)} in {kind.called}", line=key.line, hint=hint)


# -- the schema, chapter 02 section 3 ------------------------------------------------------------------------------

_RESOURCES = _Kind(
    "resources",
    ResourcesConfig,
    {"guaranteed": ("guaranteed", _text_map), "max": ("max", _text_map)},
    example="as in resources: {max: {vcore: 2, memory: 8Gi}}",
)
_resources = _object(lambda: _RESOURCES)

_TEMPLATE = _Kind(
    "a child template",
    ChildTemplate,
    {
        "maxapplications": ("max_applications", _count),
        "properties": ("properties", _text_map),
        "resources": ("resources", _resources),
    },
)

_LIMIT = _Kind(
    "a limit",
    Limit,
    {
        "limit": ("limit", _text),
        "users": ("users", _texts),
        "groups": ("groups", _texts),
        "maxapplications": ("max_applications", _count),
        "maxresources": ("max_resources", _text_map),
    },
)
_limits = _list(_object(lambda: _LIMIT))

_QUEUE: _Kind = _Kind(
    "a queue",
    lambda name="", **fields: QueueConfig(name=name, **fields),
    {
        "name": ("name", _text),
        "parent": ("parent", _switch),
        "queues": ("queues", _list(_object(lambda: _QUEUE))),
        "maxapplications": ("max_applications", _count),
        "resources": ("resources", _resources),
        "properties": ("properties", _text_map),
        "adminacl": ("admin_acl", _text),
        "submitacl": ("submit_acl", _text),
        "childtemplate": ("child_template", _object(lambda: _TEMPLATE)),
        "limits": ("limits", _limits),
    },
)

_FILTER = _Kind(
    "a filter",
    RuleFilter,
    {"type": ("type", _text), "users": ("users", _texts), "groups": ("groups", _texts)},
    has_line=False,
)

_RULE: _Kind = _Kind(
    "a placement rule",
    PlacementRule,
    {
        "name": ("name", _text),
        "create": ("create", _switch),
        "value": ("value", _text),
        "parent": ("parent", _object(lambda: _RULE)),
        "filter": ("filter", _object(lambda: _FILTER)),
    },
)

_NODE_SORTING = _Kind(
    "nodesortpolicy",
    NodeSorting,
    {"type": ("type", _text), "resourceweights": ("weights", _number_map)},
    example="as in nodesortpolicy: {type: binpacking}",
)

_PREEMPTION = _Kind(
    "preemption",
    PreemptionSwitches,
    {"enabled": ("enabled", _switch), "quotapreemptionenabled": ("quota_enabled", _switch)},
    has_line=False,
    example="as in preemption: {enabled: false}",
)

_RESOLVER = _Kind(
    "usergroupresolver",
    lambda type="": type,
    {"type": ("type", _text)},
    has_line=False,
    example="as in usergroupresolver: {type: os}",
)

_PARTITION = _Kind(
    "a partition",
    # An absent name becomes "default" with the other spellings of it, in `tree_shape` (C-23).
    lambda name="", **fields: PartitionConfig(name=name, **fields),
    {
        "name": ("name", _text),
        "queues": ("queues", _list(_object(lambda: _QUEUE))),
        "placementrules": ("placement_rules", _list(_object(lambda: _RULE))),
        "limits": ("limits", _limits),
        "nodesortpolicy": ("node_sorting", _object(lambda: _NODE_SORTING)),
        "preemption": ("preemption", _object(lambda: _PREEMPTION)),
        "usergroupresolver": ("user_group_resolver", _object(lambda: _RESOLVER)),
    },
)

_DOCUMENT = _Kind(
    "the document",
    SchedulerConfig,
    {
        "partitions": ("partitions", _list(_object(lambda: _PARTITION))),
        "checksum": ("checksum", _text),
    },
    has_line=False,
)
