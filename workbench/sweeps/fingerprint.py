"""What a workload is made of as bytes, the same for equal ones on every machine, and the digest of these bytes.

Everything that goes in is a frozen value: dataclasses field by field, mappings by sorted key, and plain values. A thing that
is none of these has no fingerprint unless it brings one, as an attribute `digest`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from workbench.values.errors import CommandError

_PLAIN = (str, int, float, bool, type(None))


def content(thing: Any) -> bytes:
    """A workload, or a description that makes workloads, as JSON. CommandError for something that cannot be told so."""
    own = getattr(thing, "digest", None)
    if isinstance(own, str):
        return json.dumps({"digest": own}).encode()
    return json.dumps(_plain(thing), ensure_ascii=True, separators=(",", ":")).encode()


def digest_of(data: bytes) -> str:
    """Hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, {each.name: _plain(getattr(value, each.name)) for each in fields(value) if each.compare}]
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in sorted(value.items(), key=lambda item: str(item[0]))}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, frozenset | set):
        return sorted((_plain(each) for each in value), key=str)
    if isinstance(value, _PLAIN):
        return value
    raise CommandError(
        f"a {type(value).__name__} cannot be told from others, so its results could not be kept; a workload is made of "
        "dataclasses, or has an attribute 'digest' that names its content"
    )
