"""A text whose aliases are written out: each is what it stood for, on one line."""

from __future__ import annotations

from workbench.config.write.layout import CannotPatch
from workbench.config.write.patches import Patch, patched
from workbench.config.write.placed_nodes import (
    PlacedAlias,
    PlacedList,
    PlacedNode,
    PlacedScalar,
    body,
    nodes,
    placed_document,
)
from workbench.config.write.scalars import LONGEST_KEY, in_flow, quoted

MOST_CHARACTERS = 1_000_000
"""A few lines of aliases can stand for more than anybody wants to read."""


def without_aliases(text: str) -> str:
    """The same text, its aliases replaced. CannotPatch if that would be too much."""
    document = placed_document(text)
    written: dict[str, str] = {}
    patches, length = [], 0
    for node in nodes(document):
        if isinstance(node, PlacedAlias):
            said = written[node.name]
            length += len(said)
            if length > MOST_CHARACTERS:
                raise CannotPatch("aliases stand for too much")
            patches.append(Patch(node.start, node.end, said))
        elif node.anchor is not None:
            written[node.anchor] = _on_one_line(text, node, written)
    return patched(text, patches)


def _on_one_line(text: str, node: PlacedNode, written: dict[str, str]) -> str:
    if isinstance(node, PlacedAlias):
        said = written[node.name]
    elif isinstance(node, PlacedScalar):
        source = text[body(text, node) : node.end]
        plain = source == node.text
        said = in_flow(source, node.text) if plain or (node.style in ("'", '"') and "\n" not in source) else quoted(node.text)
        if plain and any(mark in source for mark in "[]{}"):
            said = quoted(node.text)
    elif isinstance(node, PlacedList):
        said = "[" + ", ".join(_on_one_line(text, item, written) for item in node.items) + "]"
    else:
        pairs = [(_on_one_line(text, key, written), _on_one_line(text, value, written)) for key, value in node.pairs]
        if any(len(key) > LONGEST_KEY for key, _ in pairs):
            raise CannotPatch("a key is too long for braces")
        said = "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    if len(said) > MOST_CHARACTERS:
        raise CannotPatch("aliases stand for too much")
    return said
