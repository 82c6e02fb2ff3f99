"""YAML text as a tree of nodes that know their line; nothing is ever constructed from a tag.

The tree is built from parser events with an explicit stack, so that no input can exhaust Python's own stack, and
what aliases repeat is counted while building, so that a few lines cannot stand for billions of values. Rules C-10
and C-11. What a scalar means is left to `yaml_scalars`, which keys are allowed to `parse`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import yaml

from workbench.files.reading import refuse_long
from workbench.values.errors import ConfigError
from workbench.values.text import is_text

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Only its scanner and parser are used. Where it is built in, the one in C: it is four times as fast."""

# A queue takes two levels. The reference goes deeper, but a hundred queues below each other are a mistake, and
# everything that walks the tree may do so recursively.
MAX_DEPTH = 200
# Values that aliases may repeat on top of those written; the reference stops near 400,000.
MAX_REPEATED = 400_000

# As in the YAML specification, and U+FEFF, which nobody sees.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
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
        self.line, self.size, self.height, self.closed = line, 1, 0, False
        self.items: list[Node] = []

    def add(self, node: Node) -> None:
        """Append one item."""
        self.items.append(node)


class MapNode:
    """Keys and values in the order written; duplicates and merge keys are still in it. Measures as in `ListNode`."""

    __slots__ = ("line", "pairs", "size", "height", "closed", "_key")

    def __init__(self, line: int):
        self.line, self.size, self.height, self.closed = line, 1, 0, False
        self.pairs: list[tuple[Node, Node]] = []
        self._key: Node | None = None

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
    refuse_long(text)
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
        events.close()  # type: ignore[attr-defined]  # a generator, which the stubs call an iterator


def _tree(events: Iterable[yaml.Event]) -> Node | None:
    """The root node of the first document, built with a stack of the lists and maps that are still open."""
    anchors: dict[str, Node] = {}
    open_nodes: list[ListNode | MapNode] = []
    document: Node | None = None
    written = 0
    for event in events:
        node: Node
        if isinstance(event, yaml.ScalarEvent):
            node = _scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            opened = (ListNode if isinstance(event, yaml.SequenceStartEvent) else MapNode)(_line(event))
            open_nodes.append(opened)
            _refuse_depth(len(open_nodes), opened.line)
            node = opened
        elif isinstance(event, yaml.CollectionEndEvent):
            ended = open_nodes.pop()
            ended.closed = True
            _refuse_repetition(ended, written)
            node = ended
        elif isinstance(event, yaml.AliasEvent):
            node = _aliased(event, anchors, len(open_nodes))
        elif isinstance(event, yaml.DocumentEndEvent):
            break
        else:  # the other marks of stream and document
            continue
        if isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)):
            written += 1
            if event.anchor is not None:
                anchors[event.anchor] = node
        if isinstance(event, yaml.CollectionStartEvent):
            continue
        if open_nodes:
            _attach(open_nodes[-1], node)
        else:
            document = node
    return document


_QUOTING = frozenset("'\"|>")


def _line(event: yaml.Event) -> int:
    assert event.start_mark is not None  # what was read from a text has its place in it
    return event.start_mark.line + 1


def _scalar(event: yaml.ScalarEvent) -> ScalarNode:
    line = _line(event)
    if not is_text(event.value):
        raise ConfigError("not valid YAML: half a surrogate pair is no character", line=line)
    return ScalarNode(line, event.value, event.tag, event.style in _QUOTING)


def _attach(parent: ListNode | MapNode, node: Node) -> None:
    parent.add(node)
    parent.size += node.size
    if node.height >= parent.height:
        parent.height = node.height + 1


def _aliased(event: yaml.AliasEvent, anchors: dict[str, Node], depth: int) -> Node:
    line, name = _line(event), event.anchor or ""
    node = anchors.get(name)
    if node is None:
        raise ConfigError(f"not valid YAML: *{name} refers to no anchor above it", line=line, hint=_QUOTE_HINT)
    if not isinstance(node, ScalarNode):
        if not node.closed:
            raise ConfigError(f"not valid YAML: the value of anchor &{name} contains itself", line=line)
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
