"""An edited configuration as the text it came from, changed where it was edited: comments, order, quoting and blanks stay.

The text is patched, not written anew. What the text says and what it is to say are compared as plain data, and each
difference becomes a patch of the characters that it is about; everything else is not touched, so not a byte of it can
change. What results is read again: only a text that says exactly the edited configuration is given out.

A comment belongs to the key or list item that it stands right above, or at the end of whose line it stands, or that it
stands below with a deeper indentation. It stays, moves and goes with its owner; comments with blank lines around them stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.config.read.known import known
from workbench.config.read.parse import parse_config
from workbench.config.read.tree_shape import ROOT, completed
from workbench.config.write.aliases import without_aliases
from workbench.config.write.layout import CannotPatch
from workbench.config.write.paired_queues import QueueData, TreeQueue, Written, described, pair, tree_of
from workbench.config.write.patches import Patches, own_pairs, patched, said_items
from workbench.config.write.placed_nodes import Lines, PlacedList, PlacedMap, PlacedScalar, placed_document
from workbench.config.write.plain_data import partition_data
from workbench.values.errors import ConfigError

MOST_PASSES = 3
"""A change of what an anchor stands for changes its aliases as well, which the next pass sets right again."""


def rewritten(text: str, config: SchedulerConfig) -> SchedulerConfig | None:
    """`config` as it is read from `text`, a queues.yaml, changed so that it says it; None if the text allows no such change.

    Where an anchor is changed or taken out, its aliases become what they stood for.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    config = completed(config)
    try:
        said = known(text) or completed(parse_config(text))
        text = text.removeprefix(mark)
        found = _with_or_without_end(replace(said, text=text), config)
        if found is None:
            plain = without_aliases(text)
            found = _with_or_without_end(completed(parse_config(plain)), config) if plain != text else None
    except (CannotPatch, ConfigError, RecursionError):
        return None
    return found if found is None or not mark else replace(found, text=mark + found.text)


def _with_or_without_end(said: SchedulerConfig, config: SchedulerConfig) -> SchedulerConfig | None:
    """`_in_passes`; where the last line has no line break, and goes to where something else is put in, it gets one meanwhile."""
    found = _in_passes(said, config)
    if found is not None or said.text.endswith(("\r", "\n")):
        return found
    newline = Lines(said.text).newline
    longer = _in_passes(completed(parse_config(said.text + newline)), config)
    if longer is None:
        return None
    found = completed(parse_config(longer.text.removesuffix(newline)))
    return found if found.partitions == config.partitions else longer


def _in_passes(said: SchedulerConfig, config: SchedulerConfig) -> SchedulerConfig | None:
    for _ in range(MOST_PASSES + 1):
        if said.partitions == config.partitions and said.checksum == config.checksum:
            return said
        try:
            said = completed(parse_config(_changed(said.text, said, config)))
        except (CannotPatch, ConfigError, RecursionError):
            return None
    return None


def _changed(text: str, said: SchedulerConfig, config: SchedulerConfig) -> str:
    document = placed_document(text)
    if not isinstance(document, PlacedMap):
        raise CannotPatch("there is nothing to change")
    written: dict[TreeQueue, Written] = {}
    old, new = _paired(said, config, document, written)
    return patched(text, Patches(text, document, written).of_map(document, old, new))


def _paired(
    said: SchedulerConfig, config: SchedulerConfig, document: PlacedMap, written: dict[TreeQueue, Written]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both as plain data with their queues paired; and into `written`, where the queues of the text are written."""
    partitions = _list_under(document, "partitions")
    places = said_items(partitions) if partitions is not None else []
    if partitions is None or len(places) != len(said.partitions) or len(said.partitions) != len(config.partitions):
        raise CannotPatch("partitions that are not written one by one")
    olds, news = [], []
    for place, old, new in zip(places, said.partitions, config.partitions, strict=True):
        item = partitions.items[place]
        queues = _list_under(item, "queues") if isinstance(item, PlacedMap) else None
        was, now = tree_of(old.root), tree_of(new.root)
        pair(was, now)
        described_old, described_new = described(was, old), described(now, new)
        if queues is not None and not _writes_root(queues):
            below = described_new.get("queues", [])
            olds.append(partition_data(old, described_old.get("queues", [])))
            # Settings of root need a root that is written.
            implicit = set(described_new) <= {"name", "queues"} and not (len(below) == 1 and below[0].place.name == ROOT)
            news.append(partition_data(new, below if implicit else [described_new]))
            _locate(queues, olds[-1]["queues"], written)
        else:
            olds.append(partition_data(old, [described_old]))
            news.append(partition_data(new, [described_new]))
            if queues is not None:
                _locate(queues, [described_old], written)
    return _document(said, olds), _document(config, news)


def _document(config: SchedulerConfig, partitions: list[dict[str, Any]]) -> dict[str, Any]:
    checksum = {"checksum": config.checksum} if config.checksum else {}
    return {"partitions": partitions, **checksum}


def _writes_root(queues: PlacedList) -> bool:
    """Whether root itself is written; otherwise it stands above what is (C-20)."""
    items = [queues.items[index] for index in said_items(queues)]
    if len(items) != 1 or not isinstance(items[0], PlacedMap):
        return False
    name = own_pairs(items[0]).get("name")
    return name is not None and isinstance(name[1], PlacedScalar) and name[1].text.lower() == ROOT


def _locate(queues: PlacedList, said: list[QueueData], written: dict[TreeQueue, Written]) -> None:
    places = said_items(queues)
    if len(places) != len(said):
        return
    for place, data in zip(places, said, strict=True):
        written[data.place] = Written(data, queues, place)
        item = queues.items[place]
        below = _list_under(item, "queues") if isinstance(item, PlacedMap) else None
        if below is not None:
            _locate(below, data.get("queues", []), written)


def _list_under(node: PlacedMap, key: str) -> PlacedList | None:
    found = own_pairs(node).get(key)
    return found[1] if found is not None and isinstance(found[1], PlacedList) else None
