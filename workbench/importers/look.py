"""What lies at a path, looked at just as far as is needed to recognise it: the beginnings of files, and no folders in folders."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from workbench.files.reading import entries, is_folder, reason
from workbench.values.errors import ScenarioError

HEAD_BYTES = 2**21
"""So much of a file is looked at, unpacked: a ConfigMap, which may tell its kind at its end, is smaller."""
MOST_NAMES = 10_000
"""Files of a folder that are looked at."""

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Look:
    """A file or a folder.

    Attributes:
        path: where it lies.
        head: the text at the beginning of a file, unpacked if it is packed; what is no text in it is replaced. Empty of a folder.
        keys: the keys at the top of a file in YAML or JSON, as far as its beginning tells; of all documents, if there are several.
        names: the files in a folder by name, without hidden ones. Empty of a file.
        is_folder: which of the two it is.
    """

    path: Path
    head: str = ""
    keys: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    is_folder: bool = False

    def head_of(self, name: str) -> str:
        """The text at the beginning of a file in the folder. ScenarioError if it cannot be read."""
        return _head(self.path / name)

    @property
    def suffix(self) -> str:
        """The ending of the name in lower case, without that of a packed file: `.json` of `a.json.gz`."""
        return Path(self.path.name.lower().removesuffix(".gz")).suffix


def is_url(text: object) -> bool:
    """Whether it is meant as the address of a service, and not as a path."""
    return isinstance(text, str) and text.startswith(("http://", "https://"))


def look(path: str | os.PathLike[str]) -> Look:
    """Look at a file or a folder. ScenarioError if there is nothing, or it cannot be read."""
    path = Path(path)
    kind = is_folder(path, error=ScenarioError)
    if kind is None:
        raise ScenarioError("there is no such file or folder", source=str(path))
    if not kind:
        head = _head(path)
        return Look(path, head=head, keys=top_keys(head))
    there = [each.name for each in entries(path, error=ScenarioError) if not each.name.startswith(".") and os.path.isfile(each)]
    return Look(path, names=tuple(there[:MOST_NAMES]), is_folder=True)


def top_keys(head: str) -> frozenset[str]:
    """The keys at the top of the beginning of a text in YAML or JSON. A text that stands for a value is not looked into.

    >>> sorted(top_keys('{"config": "a: {}", "events": [{"wait": {}}]}')), sorted(top_keys("a:\\n  b: 1\\nc: 2"))
    (['config', 'events'], ['a', 'c'])
    """
    start = _BEFORE.match(head)
    body = head[start.end() if start else 0 :]
    if not body.startswith(("{", "[")):
        return frozenset(_BLOCK_KEY.findall(body))
    found, depth = set(), 0
    for token in _FLOW.finditer(body):
        text = token.group()
        if text in "{[":
            depth += 1
        elif text in "}]":
            depth -= 1
        elif depth == 1 and body.startswith("{") and _COLON.match(body, token.end()):
            found.add(text.strip("\"'"))
    return frozenset(found)


_BEFORE = re.compile(r"(?:\s*(?:#[^\n]*|---[^\n]*|%[^\n]*)?\n)*\s*")
"""What may stand before a document."""
_BLOCK_KEY = re.compile(r"""^["']?([A-Za-z_][\w./-]*+)["']?[ \t]*+:""", re.MULTILINE)
_FLOW = re.compile(r"""\"(?:\\.|[^"\\])*"|'[^'\n]*'|(?<![\w./-])[A-Za-z_][\w./-]*+(?=\s*:)|[{}\[\]]""", re.DOTALL)
_COLON = re.compile(r"\s*:")


def _head(path: Path) -> str:
    """Only of a regular file: a pipe would be emptied, or waited for."""
    if not os.path.isfile(path):
        raise ScenarioError("is no file that can be read", source=str(path))
    try:
        with open(path, "rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path, "rb") if packed else open(path, "rb") as file:
            data = file.read(HEAD_BYTES)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return ""
    except (OSError, ValueError) as fault:
        raise ScenarioError(f"cannot be read: {reason(fault)}", source=str(path)) from None
    # A text in another encoding than this is refused, with its line, by whoever reads it.
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    return data.decode(encoding, "replace").removeprefix("\ufeff")
