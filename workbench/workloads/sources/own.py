"""The own format, YAML or JSON with the key `workload`: `workbench.workloads.reading` says what is in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from workbench.files.reading import decoded, read_bytes
from workbench.values.errors import WorkloadError
from workbench.workloads.reading import parse_workload
from workbench.workloads.sources.lines import Progress, is_packed
from workbench.workloads.sources.registry import Read, Source, Written, register_source
from workbench.workloads.writing import workload_to_json, workload_to_yaml

_KEY = re.compile(rb"(?:^|\n)(?:\xef\xbb\xbf)?[\"']?(?:workload|synthetic|preset)[\"']?\s*:")
_JSON_KEY = re.compile(rb"^\s*\{")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def recognises_yaml(path: Path, head: bytes) -> bool:
    """Whether a line begins with the key `workload`, or with that of a description of how to make one."""
    return not _is_json(head) and _KEY.search(_utf_8(head)) is not None


def recognises_json(path: Path, head: bytes) -> bool:
    """Whether it is an object with one of those keys."""
    return _is_json(head) and any(key in _utf_8(head) for key in (b'"workload"', b'"synthetic"', b'"preset"'))


def _is_json(head: bytes) -> bool:
    return _JSON_KEY.match(_utf_8(head).removeprefix(b"\xef\xbb\xbf")) is not None


def _utf_8(head: bytes) -> bytes:
    return head.decode("utf-16", "ignore").encode("utf-8") if head.startswith(_UTF_16) else head


def _reader(format: str) -> Callable[..., Read]:
    def read(path: Path, *, keep_going: bool, first: int | None, progress: Progress | None) -> Read:
        data = read_bytes(path, error=WorkloadError, packed=is_packed(path))
        text = decoded(data, source=str(path), error=WorkloadError)
        return Read(parse_workload(text, format, source=str(path), keep_going=keep_going, first=first))

    return read


register_source(
    "yaml",
    Source(
        title="YAML of the workbench",
        description="A file with the key workload, by itself or beside the config and events of a scenario.",
        suffixes=(".yaml", ".yml"),
        recognises=recognises_yaml,
        read=_reader("yaml"),
        write=lambda workload: Written(workload_to_yaml(workload)),
    ),
)
register_source(
    "json",
    Source(
        title="JSON of the workbench",
        description="The same as JSON.",
        suffixes=(".json",),
        recognises=recognises_json,
        read=_reader("json"),
        write=lambda workload: Written(workload_to_json(workload)),
    ),
)
