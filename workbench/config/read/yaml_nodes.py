"""YAML text as a tree of nodes that know their line; nothing is ever constructed from a tag.

The tree is built from parser events with an explicit stack, so that no input can exhaust Python's own stack, and
what aliases repeat is counted while building, so that a few lines cannot stand for billions of values. Rules C-10
and C-11. What a scalar means is left to `yaml_scalars`, which keys are allowed to `parse`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from workbench.values.errors import ConfigError

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Only its scanner and parser are used. Where it is built in, the one in C: it is four times as fast."""

# A queue takes two levels. The reference goes deeper, but a hundred queues below each other are a mistake, and
# everything that walks the tree may do so recursively.
MAX_DEPTH = 200
# Values that aliases may repeat on top of those written; the reference stops near 400,000.
MAX_REPEATED = 400_000

# As in the YAML specification, and U+FEFF, which nobody sees.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


class ScalarNode:
    """One value. `tag` is an explicit tag or None; `quoted` covers quotes and block texts."""

    __slots__ = ("line", "text", "tag", "quoted")
    size, height = 1, 0

    def __init__(self, line: int, text: str, tag: str | None, quoted: bool):
        self.line, self.text, self.tag, self.quoted = line, text, tag, quoted


class ListNode:
    """A list of nodes. `size` counts the values in it, repeated ones included, `height` the levels below it."""

    __slots__ = ("line", "items", "size", "height", "closed")

    def __init__(self, line: int):
        self.line, self.items, self.size, self.height, self.closed = line, [], 1, 0, False

    def add(self, node: Node) -> None:
        """Append one item."""
        self.items.append(node)


class MapNode:
    """Keys and values in the order written; duplicates and merge keys are still in it. Measures as in `ListNode`."""

    __slots__ = ("line", "pairs", "size", "height", "closed", "_key")

    def __init__(self, line: int):
        self.line, self.pairs, self.size, self.height, self.closed, self._key = line, [], 1, 0, False, None

    def add(self, node: Node) -> None:
        """Take the next key or the next value, in turn."""
        if self._key is None:
            self._key = node
        else:
            self.pairs.append((self._key, node))
            self._key = None


Node = ScalarNode | ListNode | MapNode


def first_document(text: str) -> Node | None:
    """The first document of `text` (C-11), None if there is none.

    ConfigError for anything that is no YAML, an unknown or self-containing anchor, nesting deeper than MAX_DEPTH
    and aliases that repeat more than MAX_REPEATED values.
    """
    text = text.removeprefix("\ufeff")
    _refuse_forbidden_characters(text)
    events = yaml.parse(text, Loader=LOADER)
    try:
        return _tree(events)
    except yaml.YAMLError as error:
        raise _syntax_error(text, error) from None
    except (ValueError, OverflowError) as error:  # the pure Python scanner on an impossible escape or version
        raise ConfigError(f"not valid YAML: {error}") from None
    finally:
        events.close()


def _tree(events: Iterator[yaml.Event]) -> Node | None:
    """The root node of the first document, built with a stack of the lists and maps that are still open."""
    anchors: dict[str, Node] = {}
    open_nodes: list[ListNode | MapNode] = []
    document: Node | None = None
    written = 0
    for event in events:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            node: Node = _scalar(event)
        elif kind in _STARTS:
            node = _STARTS[kind](event.start_mark.line + 1)
            open_nodes.append(node)
            _refuse_depth(len(open_nodes), node.line)
        elif kind in _ENDS:
            node = open_nodes.pop()
            node.closed = True
            _refuse_repetition(node, written)
        elif kind is yaml.AliasEvent:
            node = _aliased(event, anchors, len(open_nodes))
        elif kind is yaml.DocumentEndEvent:
            break
        else:  # the other marks of stream and document
            continue
        if kind is yaml.ScalarEvent or kind in _STARTS:
            written += 1
            if event.anchor is not None:
                anchors[event.anchor] = node
        if kind in _STARTS:
            continue
        if open_nodes:
            _attach(open_nodes[-1], node)
        else:
            document = node
    return document


_STARTS = {yaml.SequenceStartEvent: ListNode, yaml.MappingStartEvent: MapNode}
_ENDS = frozenset((yaml.SequenceEndEvent, yaml.MappingEndEvent))
_QUOTING = frozenset("'\"|>")


def _scalar(event: yaml.ScalarEvent) -> ScalarNode:
    line = event.start_mark.line + 1
    if not event.value.isascii() and _SURROGATE.search(event.value):
        raise ConfigError("not valid YAML: half a surrogate pair is no character", line=line)
    return ScalarNode(line, event.value, event.tag, event.style in _QUOTING)


def _attach(parent: ListNode | MapNode, node: Node) -> None:
    parent.add(node)
    parent.size += node.size
    if node.height >= parent.height:
        parent.height = node.height + 1


def _aliased(event: yaml.AliasEvent, anchors: dict[str, Node], depth: int) -> Node:
    line = event.start_mark.line + 1
    node = anchors.get(event.anchor)
    if node is None:
        raise ConfigError(f"not valid YAML: *{event.anchor} refers to no anchor above it", line=line, hint=_QUOTE_HINT)
    if not isinstance(node, ScalarNode):
        if not node.closed:
            raise ConfigError(f"not valid YAML: the value of anchor &{event.anchor} contains itself", line=line)
        _refuse_depth(depth + node.height + 1, line)
    return node


def _refuse_depth(depth: int, line: int) -> None:
    if depth > MAX_DEPTH:
        raise ConfigError(f"the text is nested deeper than {MAX_DEPTH} levels", line=line)


def _refuse_repetition(node: ListNode | MapNode, written: int) -> None:
    if node.size > written + MAX_REPEATED:
        raise ConfigError(f"aliases repeat more than {MAX_REPEATED} values", line=node.line)


def _refuse_forbidden_characters(text: str) -> None:
    found = _FORBIDDEN.search(text)
    if found:
        raise ConfigError(
            f"not valid YAML: the text holds the control or invisible character U+{ord(found[0]):04X}",
            line=_line_at(text, found.start()),
            hint="remove it, or write it as an escape inside double quotes",
        )


def _line_at(text: str, position: int) -> int:
    return len(_LINE_BREAK.findall(text, 0, position)) + 1


# -- what the YAML library says, for people ---------------------------------------------------------------------

_QUOTE_HINT = "a value that starts with a special character needs quotes, as in submitacl: '*'"


def _syntax_error(text: str, error: yaml.YAMLError) -> ConfigError:
    problem = getattr(error, "problem", None) or str(error)
    context, mark = getattr(error, "context", None), getattr(error, "problem_mark", None)
    said = f"{problem} {context}" if context else str(problem)
    if mark is None:
        return ConfigError(f"not valid YAML: {said}")
    lines = _LINE_BREAK.split(text)
    line = min(mark.line, len(lines) - 1)
    while line and not lines[line].strip():  # at the end of the text, point at the last line that says something
        line -= 1
    at_mark = lines[line][mark.column : mark.column + 1] if line == mark.line else ""
    return ConfigError(f"not valid YAML: {said}", line=line + 1, hint=_hint(lines[line], at_mark, said))


def _hint(line: str, at_mark: str, said: str) -> str:
    if "\t" in line[: len(line) - len(line.lstrip())] or at_mark == "\t":
        return "indent with blanks; YAML allows no tabs there"
    if "alphabetic or numeric" in said or "cannot start any token" in said:
        return _QUOTE_HINT
    if "mapping values are not allowed" in said:
        return "check the indentation, and quote a value that holds ': '"
    if "incompatible" in said:
        return "remove the %YAML line"
    return "check the indentation and that every quote and bracket is closed"
