"""A YAML text as a tree of nodes that know where they stand in it, so that a piece can be changed and the rest left alone.

For texts that the reader has accepted already: it has bounded their depth and what aliases repeat, and here nothing is
judged. Positions are character offsets. As in the reader, nothing is ever constructed from a tag.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from workbench.config.read.yaml_nodes import LOADER, ScalarNode

_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)+")
_ANCHOR = re.compile(r"&\S+")
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_TO_DASH = re.compile(r"(?:\s|#[^\n\r\x85\u2028\u2029]*)*-")


class PlacedScalar(ScalarNode):
    """A value that a reader of scalars takes, at `start` to `end`; `style` is its quote, "|", ">" or None."""

    __slots__ = ("start", "end", "style", "anchor")

    def __init__(self, event: yaml.ScalarEvent, end: int):
        super().__init__(_line(event), event.value, event.tag, event.style in tuple("'\"|>"))
        self.start, self.end = _start(event), end
        self.style: str | None = event.style or None
        self.anchor: str | None = event.anchor


@dataclass(slots=True)
class PlacedAlias:
    """`*name`."""

    start: int
    end: int
    name: str


@dataclass(slots=True)
class PlacedList:
    """A list. `flow` is one in brackets."""

    start: int
    flow: bool
    anchor: str | None
    end: int = 0
    items: list[PlacedNode] = field(default_factory=list)


@dataclass(slots=True)
class PlacedMap:
    """A map: keys and values as written, merge keys included. `flow` is one in braces."""

    start: int
    flow: bool
    anchor: str | None
    end: int = 0
    pairs: list[tuple[PlacedNode, PlacedNode]] = field(default_factory=list)
    key: PlacedNode | None = None
    """The key that waits for its value, while the tree is being built."""


PlacedNode = PlacedScalar | PlacedAlias | PlacedList | PlacedMap


class Lines:
    """The lines of a text: where each begins, and where what it says ends, before its line break."""

    def __init__(self, text: str):
        self.text = text
        breaks = [(found.start(), found.end()) for found in _BREAK.finditer(text)]
        self.starts = [0, *(end for _, end in breaks)]
        self.ends = [*(start for start, _ in breaks), len(text)]
        self.newline = text[slice(*breaks[0])] if breaks else "\n"

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, offset: int) -> int:
        """Number of the line, from 0, that holds the offset."""
        return bisect_right(self.starts, offset) - 1

    def column(self, offset: int) -> int:
        return offset - self.starts[self.at(offset)]

    def said(self, line: int) -> str:
        """The line without its break."""
        return self.text[self.starts[line] : self.ends[line]]

    def is_blank(self, line: int) -> bool:
        return not self.said(line).strip()

    def comment_column(self, line: int) -> int | None:
        """Where the comment of a line begins that is nothing but a comment, else None."""
        said = self.said(line)
        stripped = said.lstrip()
        return len(said) - len(stripped) if stripped.startswith("#") else None

    def begins(self, offset: int) -> bool:
        """Whether nothing but blanks stands before the offset in its line."""
        return not self.text[self.starts[self.at(offset)] : offset].strip()


def placed_document(text: str) -> PlacedNode | None:
    """The first document of a text without byte order mark that `first_document` accepts, None if there is none."""
    open_nodes: list[PlacedList | PlacedMap] = []
    document: PlacedNode | None = None
    events = yaml.parse(text, Loader=LOADER)
    try:
        for event in events:
            node: PlacedNode
            if isinstance(event, yaml.ScalarEvent):
                node = PlacedScalar(event, _end_of_scalar(text, event))
            elif isinstance(event, yaml.AliasEvent):
                node = PlacedAlias(_start(event), _end(event), str(event.anchor))
            elif isinstance(event, yaml.SequenceStartEvent):
                open_nodes.append(PlacedList(_start(event), bool(event.flow_style), event.anchor))
                continue
            elif isinstance(event, yaml.MappingStartEvent):
                open_nodes.append(PlacedMap(_start(event), bool(event.flow_style), event.anchor))
                continue
            elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
                node = closed = open_nodes.pop()
                # The end of a block is told only where the next thing begins.
                last = closed.items[-1:] if isinstance(closed, PlacedList) else [value for _, value in closed.pairs[-1:]]
                closed.end = _end(event) if closed.flow else last[0].end
            elif isinstance(event, yaml.DocumentEndEvent):
                break
            else:
                continue
            if not open_nodes:
                document = node
            else:
                _attach(open_nodes[-1], node)
    finally:
        events.close()  # type: ignore[attr-defined]  # a generator, which the stubs call an iterator
    return document


def _start(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark is not None else 0


def _end(event: yaml.Event) -> int:
    return event.end_mark.index if event.end_mark is not None else 0


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark is not None else 1


def _attach(parent: PlacedList | PlacedMap, node: PlacedNode) -> None:
    if isinstance(parent, PlacedList):
        parent.items.append(node)
    elif parent.key is None:
        parent.key = node
    else:
        parent.pairs.append((parent.key, node))
        parent.key = None


def _end_of_scalar(text: str, event: yaml.ScalarEvent) -> int:
    end = _end(event)
    if event.style in ("|", ">"):  # a block ends with its last line that says something
        return _start(event) + len(text[_start(event) : end].rstrip())
    return end


def body(text: str, node: PlacedNode) -> int:
    """Where the value itself begins, behind its anchor; a tag is part of what is replaced with the value."""
    if isinstance(node, PlacedAlias) or node.anchor is None:
        return node.start
    found = _PROPERTIES.match(text, node.start, node.end)
    anchor = _ANCHOR.search(text, node.start, found.end() if found else node.end)
    if anchor is None or not found:
        return node.start
    after = text[anchor.end() : found.end()]
    return anchor.end() + len(after) - len(after.lstrip())


def dashes(text: str, node: PlacedList) -> list[int]:
    """Offset of the dash before each item of a list that is not in brackets."""
    found = []
    at = body(text, node)
    for item in node.items:
        match = _TO_DASH.match(text, at)
        if match is None or match.end() > max(item.start, at + 1):
            raise ValueError("no dash before an item")
        found.append(match.end() - 1)
        at = max(item.end, match.end())
    return found


def nodes(node: PlacedNode | None) -> Iterator[PlacedNode]:
    """The node and everything below it, as written."""
    waiting = [node] if node is not None else []
    while waiting:
        each = waiting.pop()
        yield each
        if isinstance(each, PlacedList):
            waiting.extend(reversed(each.items))
        elif isinstance(each, PlacedMap):
            waiting.extend(part for pair in reversed(each.pairs) for part in reversed(pair))
