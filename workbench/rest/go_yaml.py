"""Documents as YAML in the layout of the core's writer: four blanks a level, lists indented, only what must be in quotes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

STEP = 4
_RESOLVER = yaml.resolver.Resolver()
_OTHERS = {f"tag:yaml.org,2002:{kind}" for kind in ("bool", "float", "int", "null", "timestamp", "merge")}


def go_yaml(document: Mapping[str, Any]) -> str:
    """The text of a document of mappings, lists, texts, numbers and switches."""
    return "".join(f"{line}\n" for line in _mapping(document, 0))


def _mapping(found: Mapping[str, Any], indent: int) -> Iterator[str]:
    for key, value in found.items():
        yield from _entry(f"{' ' * indent}{_scalar(key)}:", value, indent)


def _entry(head: str, value: Any, indent: int) -> Iterator[str]:
    """A key with its value; what is below it begins at the next multiple of the step."""
    below = STEP * ((indent + STEP) // STEP)
    if isinstance(value, Mapping):
        yield head if value else f"{head} {{}}"
        yield from _mapping(value, below)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield head if value else f"{head} []"
        for each in value:
            lines = list(_mapping(each, below + 2)) if isinstance(each, Mapping) else [f"{' ' * (below + 2)}{_scalar(each)}"]
            yield f"{' ' * below}- {lines[0].lstrip() if lines else '{}'}"
            yield from lines[1:]
    else:
        yield f"{head} {_scalar(value)}"


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(int(value)) if value == int(value) else repr(value)
    text = str(value)
    tag: str = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    if tag in _OTHERS:
        return json.dumps(text, ensure_ascii=False)
    written = yaml.safe_dump(text, width=2**31, allow_unicode=True)
    return written.removesuffix("\n").removesuffix("\n...")
