"""Records that stay as they were made, also when what they were made from changes later."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any


def own_copies(record: object, *names: str) -> None:
    """For a `__post_init__`: these fields keep lists as tuples, and dicts as copies that cannot be written to.

    Other values are left as they are; whoever checks the record judges them.
    """
    for name in names:
        given = getattr(record, name)
        if type(given) is list:
            object.__setattr__(record, name, tuple(given))
        elif type(given) is dict:
            object.__setattr__(record, name, MappingProxyType(dict(given)))


def _frozen(entries: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(entries)


def _sent(mapping: MappingProxyType[Any, Any]) -> tuple[Callable[..., Any], tuple[dict[Any, Any]]]:
    return _frozen, (dict(mapping),)


# Python itself sends no such mapping to another process; records that hold one are to be sent all the same.
copyreg.pickle(MappingProxyType, _sent)
