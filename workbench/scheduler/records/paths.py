"""Queue paths as text."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=65_536)
def prefixes(path: str) -> tuple[str, ...]:
    """The paths of a queue and everything above it, from the root down.

    >>> prefixes("root.a.b")
    ('root', 'root.a', 'root.a.b')
    """
    return (*(path[:index] for index, letter in enumerate(path) if letter == "."), path)
