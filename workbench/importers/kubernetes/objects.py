"""The objects in files and folders, one after the other, as `kubectl get -o yaml` and `-o json` write them, or as people do.

A list in YAML is read item by item, where it is written as kubectl does, so that one can see how far a long one is.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from workbench.explain.wording import name as shown
from workbench.files.reading import entries, is_folder, read_text
from workbench.importers.kubernetes.fields import Object, WrongField
from workbench.values.errors import ScenarioError
from workbench.values.found import found as phrase

ENDINGS = (".yaml", ".yml", ".json")
"""Of the files in a folder that are read; each also with .gz behind it."""
MOST_OBJECTS = 1_000_000
MOST_FILES, MOST_LEVELS = 10_000, 20
_DEEPEST = 200
"""Levels of one object in YAML; a parser in C has no bound of its own."""

Progress = Callable[[float, str], None]
"""Told how far the work is, from 0 to 1, and with what."""


@dataclass(frozen=True, slots=True)
class Found:
    """An object and where it was found: the file, its document and its place in the list, both from 1, 0 for no list."""

    object: Object
    file: str
    document: int = 1
    item: int = 0

    def fault(self, key: str, text: str) -> ScenarioError:
        """An error about a key of the object, ready to be raised."""
        place = f"document {self.document}" + (f", item {self.item}" if self.item else "")
        both = f"{self.kind} {self.name}".strip()
        named = shown(both, 120) if both else ""
        return ScenarioError(f"{place}{', ' if named else ''}{named}: {key}: {text}", source=self.file)

    @property
    def kind(self) -> str:
        kind = self.object.get("kind")
        return kind if isinstance(kind, str) else ""

    @property
    def name(self) -> str:
        """`namespace/name`, as far as they are there."""
        metadata = self.object.get("metadata")
        if not isinstance(metadata, dict):
            return ""
        parts = (metadata.get("namespace"), metadata.get("name"))
        return "/".join(each for each in parts if isinstance(each, str) and each)


def read_objects(paths: Sequence[Path], progress: Progress | None = None) -> Iterator[Found]:
    """Every object in the files, the items of lists one by one.

    Raises:
        ScenarioError: a file cannot be read, or holds something else than objects; with file, document and item.
    """
    files = [file for path in paths for file in _files(path)]
    if not files:
        named = ", ".join(str(path) for path in paths)
        raise ScenarioError(
            "there is no file of objects", source=named, hint=f"files end in {', '.join(ENDINGS)}, or in these and .gz"
        )
    sizes = [os.path.getsize(file) for file in files]
    done, all_bytes, number = 0, max(sum(sizes), 1), 0
    for file, size in zip(files, sizes):
        for found, share in _of_file(file):
            number += 1
            if number > MOST_OBJECTS:
                raise ScenarioError(f"there are more than {MOST_OBJECTS:,} objects", source=str(file))
            if progress is not None and number % 50 == 0:
                progress((done + size * share) / all_bytes, f"{number:,} objects")
            yield found
        done += size


def _files(path: Path, level: int = 0) -> list[Path]:
    kind = is_folder(path, error=ScenarioError)
    if kind is None:
        raise ScenarioError("there is no such file or folder", source=str(path))
    if not kind:
        return [path]
    if level > MOST_LEVELS:
        raise ScenarioError(f"there are more than {MOST_LEVELS} folders in folders", source=str(path))
    found: list[Path] = []
    for each in entries(path, error=ScenarioError):
        if each.name.startswith("."):
            continue
        if each.is_dir():
            found += _files(each, level + 1)
        elif is_named_so(each.name):
            found.append(each)
        if len(found) > MOST_FILES:
            raise ScenarioError(f"there are more than {MOST_FILES:,} files", source=str(path))
    return found


def is_named_so(name: str) -> bool:
    """Whether a file of that name is read as one of objects."""
    return name.lower().removesuffix(".gz").endswith(ENDINGS)


def _of_file(path: Path) -> Iterator[tuple[Found, float]]:
    """The objects of one file, each with how much of the file is read."""
    text = read_text(path, error=ScenarioError, packed=path.name.lower().endswith(".gz"))
    documents = _json_documents(text, path) if text.lstrip()[:1] in ("{", "[") else _yaml_documents(text, path)
    for value, document, item, share in documents:
        yield from _objects(value, str(path), document, item, share)


def _objects(value: Any, file: str, document: int, item: int, share: float) -> Iterator[tuple[Found, float]]:
    if value is None:
        return
    here = Found(value if isinstance(value, dict) else {}, file, document, item)
    if not isinstance(value, dict):
        raise here.fault("the object", f"found {phrase(value)}, allowed is a mapping with apiVersion and kind")
    if not here.kind:
        raise here.fault("kind", "is missing; an object says of which kind it is")
    items = value.get("items")
    if here.kind.endswith("List") and items is not None:
        if not isinstance(items, list):
            raise here.fault("items", f"found {phrase(items)}, allowed is a list")
        kind = here.kind.removesuffix("List")
        for place, each in enumerate(items, 1):
            # The items of a PodList need not say that they are pods.
            named = {"kind": kind, **each} if isinstance(each, dict) and kind else each
            yield from _objects(named, file, document, place, share + place / len(items) * (1 - share))
    else:
        yield here, share


# -- JSON ---------------------------------------------------------------------------------------------------------------


def _json_documents(text: str, path: Path) -> Iterator[tuple[Any, int, int, float]]:
    decoder, at, document = json.JSONDecoder(), _next(text, 0), 0
    while at < len(text):
        document += 1
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise ScenarioError(
                f"document {document}: not valid JSON: {error.msg} at column {error.colno}", line=error.lineno, source=str(path)
            ) from None
        except ValueError:
            raise ScenarioError(f"document {document}: it holds an integer of thousands of digits", source=str(path)) from None
        except RecursionError:
            raise ScenarioError(f"document {document}: it is nested too deeply", source=str(path)) from None
        yield value, document, 0, at / len(text)
        at = _next(text, end)


def _next(text: str, at: int) -> int:
    """Where the next document begins."""
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


# -- YAML ---------------------------------------------------------------------------------------------------------------


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Values as Kubernetes takes them: an instant stays a text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.rpartition(":")[2] not in ("timestamp", "value")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}

_DOCUMENT = re.compile(r"^(?:---|\.\.\.)(?=[ \t\r\n]|\Z)", re.MULTILINE)
_ITEMS = re.compile(r"^items:[ \t]*\r?\n(?=- )", re.MULTILINE)
_ITEM = re.compile(r"^- ", re.MULTILINE)
_AFTER = re.compile(r"^[^\s#-]", re.MULTILINE)
"""A line that is in no item: those begin with a blank, a dash or a comment."""
_REFERENCE = re.compile(r"^[^\n#'\"]*(?:: |- )[&*][\w-]", re.MULTILINE)


def _yaml_documents(text: str, path: Path) -> Iterator[tuple[Any, int, int, float]]:
    starts = [0, *(match.end() for match in _DOCUMENT.finditer(text))]
    ends = [*(match.start() for match in _DOCUMENT.finditer(text)), len(text)]
    document = 0
    for start, end in zip(starts, ends):
        if not text[start:end].strip():
            continue
        document += 1
        for value, item, at in _yaml_document(text, start, end, path, document):
            yield value, document, item, at / max(len(text), 1)


def _yaml_document(text: str, start: int, end: int, path: Path, document: int) -> Iterator[tuple[Any, int, int]]:
    listed = _ITEMS.search(text, start, end)
    if listed is None or _REFERENCE.search(text, start, end):
        yield _loaded(text, start, end, path, document), 0, start
        return
    after = _AFTER.search(text, listed.end(), end)
    stop = after.start() if after else end
    rest = text[start : listed.start()] + text[stop:end]
    head = _loaded(rest, 0, len(rest), path, document)
    kind = str(head.get("kind", "")) if isinstance(head, dict) else ""
    if not kind.endswith("List"):
        yield _loaded(text, start, end, path, document), 0, start
        return
    begins = [match.start() for match in _ITEM.finditer(text, listed.end(), stop)]
    for place, (first, last) in enumerate(zip(begins, [*begins[1:], stop]), 1):
        value = _loaded(text, first, last, path, document)[0]
        kind_of_items = kind.removesuffix("List")
        yield ({"kind": kind_of_items, **value} if isinstance(value, dict) and kind_of_items else value), place, last


def _loaded(text: str, start: int, end: int, path: Path, document: int) -> Any:
    part = text[start:end]
    _refuse_deep(part, text, start, path, document)
    try:
        return _value_of(part)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = text.count("\n", 0, start) + mark.line + 1 if mark is not None else None
        said = " ".join(str(error.problem or error.context).split())
        raise ScenarioError(f"document {document}: not valid YAML: {said}", line=line, source=str(path)) from None
    except RecursionError:
        raise ScenarioError(f"document {document}: it is nested too deeply", source=str(path)) from None
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise ScenarioError(f"document {document}: not valid YAML: {' '.join(str(error).split())}", source=str(path)) from None


class _Unusual(Exception):
    """A mapping with keys that are no plain texts, which is left to the library."""


_TEXT, _MAPPING, _LIST = (f"tag:yaml.org,2002:{each}" for each in ("str", "map", "seq"))


def _value_of(text: str) -> Any:
    """The value of a document. As the library makes it, in half the time: of a long list that is what takes the time."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        try:
            return _plain(node, loader, {})
        except _Unusual:
            return loader.construct_document(node)
    finally:
        loader.dispose()


def _plain(node: yaml.Node, loader: Any, known: dict[int, Any]) -> Any:
    """What a node stands for; one that is referred to several times is one value."""
    kind, tag = type(node), node.tag
    if kind is yaml.ScalarNode:
        return node.value if tag == _TEXT else loader.construct_object(node, deep=True)
    if id(node) in known:
        return known[id(node)]
    if kind is yaml.MappingNode and tag == _MAPPING:
        found: Any = {}
        for key, value in node.value:
            if key.tag != _TEXT or type(key) is not yaml.ScalarNode:
                raise _Unusual
            found[key.value] = _plain(value, loader, known)
    elif kind is yaml.SequenceNode and tag == _LIST:
        found = [_plain(each, loader, known) for each in node.value]
    else:
        raise _Unusual
    known[id(node)] = found
    return found


_INDENT = re.compile(rf"^[ -]{{{2 * _DEEPEST},}}[^\s-]", re.MULTILINE)
_OPENING = re.compile(r"[\[{]")


def _refuse_deep(part: str, text: str, start: int, path: Path, document: int) -> None:
    """The parser in C ends the whole process when a text is nested without end."""
    if len(_OPENING.findall(part)) < _DEEPEST and not _INDENT.search(part):
        return
    level = 0
    try:
        for event in yaml.parse(part, Loader=_Loader):
            level += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if level > _DEEPEST:
                mark = event.start_mark
                line = text.count("\n", 0, start) + mark.line + 1 if mark is not None else None
                raise ScenarioError(f"document {document}: it is nested too deeply", line=line, source=str(path))
    except yaml.YAMLError:
        return  # told by who loads it


def told(found: Found, error: WrongField) -> ScenarioError:
    """A wrong field with its place."""
    return found.fault(error.key, error.text)
