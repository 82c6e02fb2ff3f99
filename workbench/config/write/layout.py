"""How a text is laid out: its indentation and where its lists and maps are in brackets, so that what is new looks like the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from workbench.config.write.placed_nodes import Lines, PlacedList, PlacedMap, PlacedNode, PlacedScalar, nodes
from workbench.config.write.scalars import LONGEST_KEY, in_flow, plain_text, scalar_text


class CannotPatch(Exception):
    """The text is written in a way that cannot be changed in place."""


class Layout:
    """The habits of a text.

    Attributes:
        step: columns from a key to the keys of the map below it.
        dash: columns from a key to the dashes of the list below it.
        behind_dash: columns from a dash to what it stands before.
    """

    def __init__(self, lines: Lines, document: PlacedNode | None):
        steps, dashes, behind = Counter[int](), Counter[int](), Counter[int]()
        in_brackets = Counter[str]()
        for node in nodes(document):
            if isinstance(node, PlacedList) and not node.flow and isinstance(node.items[0], PlacedMap):
                first = _first(node.items[0])
                behind[first - node.start] += node.anchor is None and lines.at(first) == lines.at(node.start)
            if not isinstance(node, PlacedMap) or node.flow:
                continue
            for key, value in node.pairs:
                if not isinstance(key, PlacedScalar) or not isinstance(value, PlacedList | PlacedMap):
                    continue
                in_brackets[key.text] += 1 if value.flow else -1
                if value.flow or value.anchor is not None:
                    continue
                if isinstance(value, PlacedList):
                    dashes[lines.column(value.start) - lines.column(key.start)] += 1
                else:
                    steps[lines.column(value.start) - lines.column(key.start)] += 1
        self.step = _most(steps, 1, 2)
        self.dash = _most(dashes, 0, 2)
        self.behind_dash = _most(behind, 2, 2)
        self._in_brackets = {key for key, surplus in in_brackets.items() if surplus > 0}

    def in_brackets(self, key: str) -> bool:
        """Whether this text mostly has the map or list of that key in braces or brackets."""
        return key in self._in_brackets

    def map_lines(self, data: dict[str, Any], column: int) -> Iterator[str]:
        """The lines of a filled map whose keys stand at that column."""
        pad = " " * column
        for key, value in data.items():
            name = plain_text(key)
            if len(name) > LONGEST_KEY:
                yield f"{pad}? {name}"
                name = ""
            if not isinstance(value, dict | list) or not value:
                yield f"{pad}{name}: {scalar_text(value)}"
            elif self.in_brackets(key) and name:
                yield f"{pad}{name}: {flow_text(value)}"
            else:
                yield f"{pad}{name}:"
                if isinstance(value, dict):
                    yield from self.map_lines(value, column + self.step)
                else:
                    for item in value:
                        yield from self.item_lines(item, column + self.dash)

    def item_lines(self, item: Any, column: int) -> Iterator[str]:
        """The lines of one list item whose dash stands at that column."""
        dash = " " * column + "-" + " " * (self.behind_dash - 1)
        if isinstance(item, dict) and item:
            first, *rest = self.map_lines(item, column + self.behind_dash)
            yield dash + first.lstrip(" ")
            yield from rest
        else:
            yield f"{dash}{scalar_text(item)}"


def flow_text(value: Any) -> str:
    """A value inside braces or brackets, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow_key(key)}: {flow_text(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow_text(each) for each in value) + "]"
    return in_flow(scalar_text(value), value)


def _flow_key(key: str) -> str:
    text = in_flow(plain_text(key), key)
    if len(text) > LONGEST_KEY:
        raise CannotPatch("a key is too long for braces")
    return text


def _first(node: PlacedMap) -> int:
    return node.start if node.flow or not node.pairs else node.pairs[0][0].start


def _most(found: Counter[int], least: int, otherwise: int) -> int:
    """The most frequent number that is possible."""
    return next((number for number, count in found.most_common() if number >= least and count), otherwise)
