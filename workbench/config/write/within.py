"""A text inside another YAML text, such as the queues.yaml that a ConfigMap carries: exchanged, with all around it left alone."""

from __future__ import annotations

from difflib import SequenceMatcher

from workbench.config.write.layout import CannotPatch
from workbench.config.write.patches import Patch, own_pairs, patched
from workbench.config.write.placed_nodes import Lines, PlacedMap, PlacedScalar, body, placed_document
from workbench.config.write.scalars import quoted


def with_text(text: str, path: tuple[str, ...], new: str) -> str:
    """The text with another value under the keys of `path`. CannotPatch if there is none that is text."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    map_node, value = placed_document(text), None
    key: PlacedScalar | None = None
    for name in path:
        found = own_pairs(map_node).get(name) if isinstance(map_node, PlacedMap) else None
        if found is None:
            raise CannotPatch(f"there is no key {name}")
        within, (key, value) = map_node, found
        map_node = value
    if not isinstance(value, PlacedScalar) or key is None or not isinstance(within, PlacedMap):
        raise CannotPatch("there is no text")
    if value.text == new:
        return mark + text
    for patch in _ways(text, within, key, value, new):
        changed = patched(text, [patch])
        if _text_at(changed, path) == new:
            return mark + changed
    raise CannotPatch("no way to write the text here")


def _ways(text: str, within: PlacedMap, key: PlacedScalar, value: PlacedScalar, new: str) -> list[Patch]:
    """Ways to put the text there, the one that changes least first."""
    lines = Lines(text)
    start = body(text, value)
    ways = [Patch(start, value.end, quoted(new, '"'))]
    if within.flow:
        return ways
    pad = " " * (lines.column(key.start) + 2)
    ends = {0: "-", 1: ""}.get(len(new) - len(new.rstrip("\n")), "+")
    block = [f"{pad}{line}" if line else "" for line in new.removesuffix("\n").split("\n")]
    ways.insert(0, Patch(start, value.end, lines.newline.join([f"|{ends}", *block])))
    if value.style == "|":
        ways.insert(0, _by_line(lines, start, value, new, pad))
    return ways


def _by_line(lines: Lines, start: int, value: PlacedScalar, new: str, pad: str) -> Patch:
    """Only the changed lines of a block, and the others as they stand there."""
    first = lines.at(start) + 1
    before, after = value.text.removesuffix("\n").split("\n"), new.removesuffix("\n").split("\n")
    sources = [lines.said(first + number) for number in range(len(before)) if first + number < len(lines)]
    filled = next(((source, line) for source, line in zip(sources, before, strict=False) if line.strip()), None)
    if filled is not None:
        pad = filled[0][: len(filled[0]) - len(filled[1])]
    block: list[str] = []
    for kind, low, high, begin, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        block += sources[low:high] if kind == "equal" else [f"{pad}{line}" if line else "" for line in after[begin:end]]
    last = min(first + len(before), len(lines)) - 1
    return Patch(lines.starts[first], lines.ends[last], lines.newline.join(block))


def _text_at(text: str, path: tuple[str, ...]) -> str | None:
    node = placed_document(text)
    for name in path:
        found = own_pairs(node).get(name) if isinstance(node, PlacedMap) else None
        node = found[1] if found is not None else None
    return node.text if isinstance(node, PlacedScalar) else None
