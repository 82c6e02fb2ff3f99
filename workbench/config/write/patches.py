"""Differences between what a text says and what it is to say, as changes of the characters that they are about."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from workbench.config.read.parse import is_merge, is_null
from workbench.config.write.layout import CannotPatch, Layout, flow_text
from workbench.config.write.paired_queues import QueueData, TreeQueue, Written
from workbench.config.write.placed_nodes import (
    Lines,
    PlacedList,
    PlacedMap,
    PlacedNode,
    PlacedScalar,
    body,
    dashes,
)
from workbench.config.write.scalars import in_flow, quoted, scalar_text

Pair = tuple[PlacedScalar, PlacedNode]

_COLON = re.compile(r"\s*:")


@dataclass(frozen=True, slots=True)
class Patch:
    """`text` instead of what stands from `start` to `end`."""

    start: int
    end: int
    text: str


def patched(text: str, patches: Iterable[Patch], start: int = 0, end: int | None = None) -> str:
    """The text from `start` to `end` with every patch made; of those at one place the first comes first."""
    parts, at = [], start
    end = len(text) if end is None else end
    for patch in sorted(patches, key=lambda each: (each.start, each.end)):
        if patch.start < at or patch.end > end:
            raise CannotPatch("two changes are about the same place")
        parts += [text[at : patch.start], patch.text]
        at = patch.end
    return "".join([*parts, text[at:end]])


def own_pairs(node: PlacedMap) -> dict[str, Pair]:
    """Keys of a map with their values; without null keys, and without those that `<<` merges in."""
    return {
        key.text: (key, value)
        for key, value in node.pairs
        if isinstance(key, PlacedScalar) and not is_merge(key) and not is_null(key)
    }


def said_items(node: PlacedList) -> list[int]:
    """Indexes of the items of a list that are not null, which the reader passes over."""
    return [index for index, item in enumerate(node.items) if not (isinstance(item, PlacedScalar) and is_null(item))]


@dataclass(frozen=True, slots=True)
class _Entries:
    """Pairs or items that stand below each other: where each begins and ends, and at which column."""

    starts: Sequence[int]
    ends: Sequence[int]
    column: int


class Patches:
    """Makes patches of one text; `written` tells where each queue of the tree that the text says is written."""

    def __init__(self, text: str, document: PlacedNode, written: Mapping[TreeQueue, Written]):
        self.text, self.lines = text, Lines(text)
        self._written = written
        self.layout = _MovingLayout(self.lines, document, self._moved)

    # -- maps ----------------------------------------------------------------------------------------------------------

    def of_map(self, node: PlacedMap, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Patch]:
        """What makes a map that says `old` say `new`. CannotPatch if it is not written so that this can be."""
        own = own_pairs(node)
        patches: list[Patch] = []
        inserted: list[tuple[Pair | None, str, Any]] = []
        before: Pair | None = None
        for key, value in new.items():
            here = own.get(key)
            if here is None:
                if key not in old or old[key] != value:  # else it is merged in
                    inserted.append((before, key, value))
                    if not node.flow:
                        patches.append(self._inserted_pair(node, *inserted[-1]))
                continue
            before = here
            if key not in old or old[key] != value:
                patches += self._of_value(node, here, old.get(key), value)
        removed = [key for key in old if key not in new]
        if any(key not in own for key in removed):
            raise CannotPatch("a key that is merged in cannot be taken out")
        gone = [index for index, (key, _) in enumerate(node.pairs) if isinstance(key, PlacedScalar) and key.text in removed]
        if node.flow:
            spans = [(key.start, value.end) for key, value in node.pairs]
            places = {key.start: index for index, (key, _) in enumerate(node.pairs)}
            texts = [(-1 if at is None else places[at[0].start], flow_text({key: value})[1:-1]) for at, key, value in inserted]
            return patches + self._in_brackets(node, spans, gone, texts)
        if gone:
            patches += self._removed_pairs(node, gone)
        return patches

    def _of_value(self, node: PlacedMap, pair: Pair, old: Any, new: Any) -> list[Patch]:
        key, value = pair
        try:
            if new and isinstance(new, dict) and isinstance(value, PlacedMap):
                return self.of_map(value, old or {}, new)
            if new and isinstance(new, list) and isinstance(value, PlacedList):
                return self._of_list(value, old or [], new)
        except CannotPatch:
            pass
        return [self._replaced(node, key, value, new)]

    def _replaced(self, node: PlacedMap, key: PlacedScalar, value: PlacedNode, new: Any) -> Patch:
        """Another value for a key."""
        is_block = isinstance(value, PlacedList | PlacedMap) and not value.flow
        colon = self._behind_colon(key)
        if not new or not isinstance(new, dict | list):
            text = self._scalar(value, new, node.flow)
            return Patch(colon, value.end, f" {text}") if is_block else self._at_value(value, text)
        if node.flow or (isinstance(value, PlacedList | PlacedMap) and value.flow):
            return self._at_value(value, flow_text(new))
        if not is_block and self.layout.in_brackets(key.text):
            return Patch(colon, value.end, f" {flow_text(new)}")
        column = self.lines.column(self._start(key))
        if isinstance(new, dict):
            lines = list(self.layout.map_lines(new, column + self.layout.step))
        else:
            lines = [line for item in new for line in self.layout.item_lines(item, column + self.layout.dash)]
        return Patch(colon, value.end, "".join(f"{self.lines.newline}{line}" for line in lines))

    def _at_value(self, value: PlacedNode, text: str) -> Patch:
        """Another text where the value is, apart from the colon where there was none."""
        start = body(self.text, value)
        is_absent = start == value.end and not self.text[start - 1 : start].isspace()
        return Patch(start, value.end, f" {text}" if is_absent else text)

    def _scalar(self, value: PlacedNode, new: object, flow: bool) -> str:
        """A value in the quotes of the one that stands there."""
        if isinstance(new, str) and isinstance(value, PlacedScalar) and value.style in ("'", '"'):
            return quoted(new, value.style)
        text = scalar_text(new)
        return in_flow(text, new) if flow else text

    def _behind_colon(self, key: PlacedScalar) -> int:
        found = _COLON.match(self.text, key.end)
        if found is None:
            raise CannotPatch("a key without a colon behind it")
        return found.end()

    def _start(self, key: PlacedNode) -> int:
        """Where a pair begins: at its key, or at the question mark before it."""
        before = self.text[self.lines.starts[self.lines.at(key.start)] : key.start].rstrip(" ")
        return key.start - 2 if before.endswith("?") and self.text[key.start - 2] == "?" else key.start

    def _inserted_pair(self, node: PlacedMap, before: Pair | None, key: str, value: Any) -> Patch:
        """A new key below `before`, or above all keys."""
        if not node.pairs:
            raise CannotPatch("an empty map")
        first = self._start(node.pairs[0][0])
        column = self.lines.column(first)
        lines = list(self.layout.map_lines({key: value}, column))
        if before is None:
            return Patch(first, first, self.lines.newline.join([*lines, ""]).lstrip(" ") + " " * column)
        return self._below(self._last_line(before[1].end, column), lines)

    def _removed_pairs(self, node: PlacedMap, gone: list[int]) -> list[Patch]:
        if len(gone) == len(node.pairs):
            raise CannotPatch("nothing is left of a map")
        starts, ends = [self._start(key) for key, _ in node.pairs], [value.end for _, value in node.pairs]
        entries = _Entries(starts, ends, self.lines.column(starts[0]))
        patches = []
        if not self.lines.begins(starts[0]) and gone[0] == 0:  # behind the dash of a list item, which stays
            run = next(count for count in range(1, len(node.pairs)) if count not in gone)
            upto = starts[run]
            if "#" in self.text[ends[run - 1] : upto]:
                upto = self.lines.ends[self.lines.at(ends[run - 1])]
            patches.append(Patch(starts[0], upto, ""))
            gone = gone[run:]
        return patches + [self._removed(entries, index) for index in gone]

    # -- lists ---------------------------------------------------------------------------------------------------------

    def _of_list(self, node: PlacedList, old: Sequence[Any], new: Sequence[Any]) -> list[Patch]:
        """What makes a list that says `old` say `new`."""
        said = said_items(node)
        if len(said) != len(old):
            raise CannotPatch("a list that does not say what it seems to")
        before = pairing(old, new)
        kept = _longest_rise(before)
        stays = {before[at] for at in kept}
        gone = [said[index] for index in range(len(old)) if index not in stays]
        if node.flow:
            return self._of_flow_list(node, said, old, new, before, kept, gone)
        entries = self._items(node)
        patches: list[Patch] = []
        above: int | None = None
        for at, item in enumerate(new):
            if at in kept:
                above = said[before[at]]  # type: ignore[index]
                patches += self._of_item(entries, node, above, old[before[at]], item)  # type: ignore[index]
            else:
                patches.append(self._inserted_item(entries, above, item))
        return patches + [self._removed(entries, index) for index in gone]

    def _of_flow_list(
        self,
        node: PlacedList,
        said: list[int],
        old: Sequence[Any],
        new: Sequence[Any],
        before: Sequence[int | None],
        kept: set[int],
        gone: list[int],
    ) -> list[Patch]:
        patches: list[Patch] = []
        texts: list[tuple[int, str]] = []
        above = -1
        for at, item in enumerate(new):
            if at not in kept:
                texts.append((above, flow_text(item)))
                continue
            above = said[before[at]]  # type: ignore[index]
            was, written = old[before[at]], node.items[above]  # type: ignore[index]
            if was != item:
                if isinstance(written, PlacedMap) and isinstance(item, dict):
                    patches += self.of_map(written, was, item)
                else:
                    patches.append(self._at_value(written, flow_text(item)))
        return patches + self._in_brackets(node, [(each.start, each.end) for each in node.items], gone, texts)

    def _of_item(self, entries: _Entries, node: PlacedList, index: int, old: Any, new: Any) -> list[Patch]:
        item = node.items[index]
        if old == new:
            return []
        if isinstance(item, PlacedMap) and isinstance(new, dict):
            try:
                return self.of_map(item, old, new)
            except CannotPatch:
                pass
        text = self.lines.newline.join(self.layout.item_lines(new, entries.column)).lstrip(" ")
        return [Patch(entries.starts[index], entries.ends[index], text)]

    def _items(self, node: PlacedList) -> _Entries:
        try:
            starts = dashes(self.text, node)
        except ValueError as error:
            raise CannotPatch(str(error)) from None
        ends = [max(item.end, start + 1) for item, start in zip(node.items, starts, strict=True)]
        return _Entries(starts, ends, self.lines.column(starts[0]))

    def _inserted_item(self, entries: _Entries, above: int | None, item: Any) -> Patch:
        lines = list(self.layout.item_lines(item, entries.column))
        if above is not None:
            return self._below(self._last_line(entries.ends[above], entries.column), lines)
        if not self.lines.begins(entries.starts[0]):
            raise CannotPatch("a list begins in the middle of a line")
        at = self.lines.starts[self._first_line(entries, 0)]
        return Patch(at, at, "".join(f"{line}{self.lines.newline}" for line in lines))

    def _moved(self, item: QueueData, column: int) -> list[str] | None:
        """The lines of a queue that stood elsewhere in the text, comments included; None if it did not."""
        written = self._written.get(item.place.before) if item.place.before is not None else None
        if written is None:
            return None
        node, index = written.within, written.index
        queue = node.items[index]
        if node.flow or not isinstance(queue, PlacedMap):
            return None
        try:
            entries = self._items(node)
            if not self.lines.begins(entries.starts[index]):
                return None
            start = self.lines.starts[self._first_line(entries, index)]
            end = self.lines.ends[self._last_line(entries.ends[index], entries.column)]
            text = patched(self.text, self.of_map(queue, written.data, item), start, end)
        except CannotPatch:
            return None
        return [_shifted(line, column - entries.column) for line in _lines(text)]

    # -- lines ---------------------------------------------------------------------------------------------------------

    def _first_line(self, entries: _Entries, index: int) -> int:
        """The first line of an entry: that of the comments right above it."""
        line = self.lines.at(entries.starts[index])
        above = 0
        if index > 0:
            above = self._last_line(entries.ends[index - 1], entries.column) + 1
        while line > above and self.lines.comment_column(line - 1) is not None:
            line -= 1
        return line

    def _last_line(self, end: int, column: int) -> int:
        """The last line of an entry that says its last at `end`: that of the deeper comments right below it."""
        line = self.lines.at(end)
        while line + 1 < len(self.lines):
            comment = self.lines.comment_column(line + 1)
            if comment is None or comment <= column:
                break
            line += 1
        return line

    def _below(self, line: int, lines: Iterable[str]) -> Patch:
        """More lines below a line, which may be the last and without a line break."""
        if line + 1 < len(self.lines):
            at = self.lines.starts[line + 1]
            return Patch(at, at, "".join(f"{each}{self.lines.newline}" for each in lines))
        at = len(self.text)
        return Patch(at, at, "".join(f"{self.lines.newline}{each}" for each in lines))

    def _removed(self, entries: _Entries, index: int) -> Patch:
        """An entry with its comments, and with the blank lines below it where there are some above."""
        if not self.lines.begins(entries.starts[index]):
            raise CannotPatch("an entry begins in the middle of a line")
        first = self._first_line(entries, index)
        last = self._last_line(entries.ends[index], entries.column)
        following = last + 1
        if index == 0 or (first > 0 and self.lines.is_blank(first - 1)):
            while index + 1 < len(entries.starts) and following < len(self.lines) and self.lines.is_blank(following):
                following += 1
        if following < len(self.lines):
            return Patch(self.lines.starts[first], self.lines.starts[following], "")
        return Patch(self.lines.ends[first - 1] if first else 0, len(self.text), "")

    # -- in brackets ---------------------------------------------------------------------------------------------------

    def _in_brackets(
        self,
        node: PlacedList | PlacedMap,
        spans: Sequence[tuple[int, int]],
        gone: Sequence[int],
        inserted: Sequence[tuple[int, str]],
    ) -> list[Patch]:
        """Entries between brackets taken out, and put in behind those of the given indexes, -1 for the beginning."""
        kept = [index for index in range(len(spans)) if index not in gone]
        if not kept:
            start = body(self.text, node) + 1
            return [Patch(start, spans[-1][1] if spans else start, ", ".join(text for _, text in inserted))]
        patches = []
        for after, text in inserted:
            at = spans[kept[0]][0] if after < 0 else spans[after][1]
            patches.append(Patch(at, at, f"{text}, " if after < 0 else f", {text}"))
        for index in gone:
            start, end = spans[index]
            if index > kept[0]:
                start = spans[index - 1][1]
            elif index + 1 < len(spans):
                end = spans[index + 1][0]
            if len(_lines(self.text[start:end])) > 1:  # comments of others may stand between
                start, end = spans[index]
                behind = self.text[end : spans[index + 1][0] if index + 1 < len(spans) else node.end]
                if behind.lstrip(" \t").startswith(","):
                    end += behind.index(",") + 1
            patches.append(Patch(start, end, ""))
        return patches


class _MovingLayout(Layout):
    """A layout in which a queue that was written elsewhere brings its lines along."""

    def __init__(self, lines: Lines, document: PlacedNode, moved: Any):
        super().__init__(lines, document)
        self._moved = moved

    def item_lines(self, item: Any, column: int) -> Iterable[str]:  # type: ignore[override]
        lines = self._moved(item, column) if isinstance(item, QueueData) else None
        return super().item_lines(item, column) if lines is None else lines


def pairing(old: Sequence[Any], new: Sequence[Any]) -> list[int | None]:
    """For each new item the old one that it was: of queues as paired, else the equal ones, and maps between them in turn."""
    if any(isinstance(item, QueueData) for item in new):
        places = {item.place: index for index, item in enumerate(old)}
        return [places.get(item.place.before) for item in new]
    found: list[int | None] = [None] * len(new)
    matcher = SequenceMatcher(None, [repr(item) for item in old], [repr(item) for item in new], autojunk=False)
    for kind, low, high, start, end in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and all(isinstance(item, dict) for item in (*old, *new))):
            for was, now in zip(range(low, high), range(start, end), strict=False):
                found[now] = was
    return found


def _longest_rise(before: Sequence[int | None]) -> set[int]:
    """Places of the longest sequence of known, rising numbers: what need not be moved for the rest to be in order."""
    tails: list[int] = []
    """The least last number of a rise of each length, and below where it is and what comes before each."""
    places: list[int] = []
    ahead: dict[int, int | None] = {}
    for at, number in enumerate(before):
        if number is not None:
            length = bisect_left(tails, number)
            ahead[at] = places[length - 1] if length else None
            tails[length : length + 1], places[length : length + 1] = [number], [at]
    rise: set[int] = set()
    last = places[-1] if places else None
    while last is not None:
        rise.add(last)
        last = ahead[last]
    return rise


def _lines(text: str) -> list[str]:
    lines = Lines(text)
    return [lines.said(number) for number in range(len(lines))]


def _shifted(line: str, by: int) -> str:
    if not line.strip():
        return line
    if by >= 0:
        return " " * by + line
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(-by, blanks) :]
