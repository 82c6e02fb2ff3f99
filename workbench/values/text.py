"""Texts that can be written to a file and read back."""

from __future__ import annotations

import re

HALF_CHARACTER = re.compile("[\ud800-\udfff]")
"""Half a surrogate pair: Python holds it, UTF-8 has no bytes for it."""


def is_text(value: object) -> bool:
    """A text of whole characters.

    >>> is_text("é"), is_text("\\ud800"), is_text(b"e")
    (True, False, False)
    """
    return isinstance(value, str) and (value.isascii() or not HALF_CHARACTER.search(value))
