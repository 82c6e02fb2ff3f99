"""Where in the YAML text each key of each queue stands, so that a finding can point at the very line.

The model remembers the line of every object, but not of every property; the text is read once more for these. What
came in through a merge key or was made by an edit has no line here.
"""

from __future__ import annotations

from workbench.config.model import SchedulerConfig
from workbench.config.read.tree_shape import ROOT
from workbench.config.read.yaml_nodes import ListNode, MapNode, Node, ScalarNode, first_document
from workbench.values.errors import ConfigError

KeyLines = dict[tuple[int, str, str], int]
"""(position of the partition, lower-case queue path or "", key as in a finding) -> line."""


def key_lines(config: SchedulerConfig) -> KeyLines:
    """The lines of all keys; empty for a configuration without a text."""
    found: KeyLines = {}
    try:
        document = first_document(config.text) if config.text else None
    except ConfigError:
        return found
    for number, partition in enumerate(_items(_entry(document, "partitions"))):
        if not isinstance(partition, MapNode):
            continue
        queues = _items(_entry(partition, "queues"))
        is_root = len(queues) == 1 and _name(queues[0]) == ROOT
        for queue in queues:
            _queue(found, number, queue, "" if is_root else ROOT)
        for key, value in _pairs(partition):
            if key.text != "queues":
                _keys(found, number, "", key.text, key.line, value)
    return found


def _queue(found: KeyLines, number: int, node: Node, parent_path: str) -> None:
    path = f"{parent_path}.{_name(node)}" if parent_path else _name(node)
    for key, value in _pairs(node):
        if key.text == "queues":
            for child in _items(value):
                _queue(found, number, child, path)
        else:
            _keys(found, number, path, key.text, key.line, value)


def _keys(found: KeyLines, number: int, path: str, key: str, line: int, node: Node) -> None:
    found.setdefault((number, path, key), line)
    for inner, value in _pairs(node):
        _keys(found, number, path, f"{key}.{inner.text}", inner.line, value)
    for position, item in enumerate(_items(node)):
        _keys(found, number, path, f"{key}[{position}]", item.line, item)


def _pairs(node: Node | None) -> list[tuple[ScalarNode, Node]]:
    return [(key, value) for key, value in node.pairs if isinstance(key, ScalarNode)] if isinstance(node, MapNode) else []


def _items(node: Node | None) -> list[Node]:
    """The items of a list without those that are null, which the reader passes over, too."""
    if not isinstance(node, ListNode):
        return []
    return [
        item
        for item in node.items
        if not (isinstance(item, ScalarNode) and not item.quoted and item.text.lower() in ("", "~", "null"))
    ]


def _entry(node: Node | None, name: str) -> Node | None:
    return next((value for key, value in _pairs(node) if key.text == name), None)


def _name(node: Node) -> str:
    name = _entry(node, "name")
    return name.text.lower() if isinstance(name, ScalarNode) else ""
