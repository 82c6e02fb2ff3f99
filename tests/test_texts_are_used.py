"""No text is kept that nobody shows: every constant and sentence that this package defines has a reader in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "workbench"
PARTS = ("explain", "plots", "advice", "bench", "widgets", "lessons", "cli")
"""Whoever speaks to people."""
TEXTS = [path for part in PARTS for path in sorted((PACKAGE / part).rglob("*.py")) if path.stem.endswith(("texts", "words"))]


def readers() -> dict[str, list[tuple[Path, int]]]:
    """Name -> (module, line) wherever it is read: alone, as an attribute, or imported."""
    found: dict[str, list[tuple[Path, int]]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.alias(name=name):
                    found.setdefault(name, []).append((path, node.lineno))
    return found


def defined(path: Path) -> Iterator[tuple[str, range]]:
    """(name, its lines) of every constant and function of a module."""
    for node in ast.parse(path.read_text("utf-8")).body:
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        match node:
            case ast.FunctionDef(name=name):
                yield name, lines
            case ast.Assign(targets=targets):
                for target in targets:
                    yield from ((each.id, lines) for each in ast.walk(target) if isinstance(each, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, lines


READERS = readers()


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_text_has_a_reader(path):
    unread = [
        name
        for name, lines in defined(path)
        if not any(reader != path or line not in lines for reader, line in READERS.get(name, ()))
    ]
    assert unread == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_text_is_bound_twice(path):  # the later one would silently be shown in place of the first
    names = [name for name, _ in defined(path)]
    assert sorted(names) == sorted(set(names))
