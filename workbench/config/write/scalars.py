"""Keys and values as they are written in YAML, so that every reader takes them for what they are.

Written here rather than by the YAML library: the form is fixed and needs neither folding nor references, deep trees stay
within Python's stack, and the text holds no character that a literal block could not carry.
"""

from __future__ import annotations

import re

_WORD = r"[A-Za-z0-9_./@-]*[A-Za-z0-9_/@-]"
_PLAIN = re.compile(rf"(?=[A-Za-z_/]){_WORD}(?:,{_WORD})*(?: {_WORD}(?:,{_WORD})*)*")
_PLAIN_QUANTITY = re.compile(r"0|-?[1-9][0-9]{0,17}|[0-9]+(?:[mkMGTPE]i?|ns|us|ms|s|h)")
_NOT_TEXT = frozenset(("true", "false", "yes", "no", "on", "off", "y", "n", "null"))
_ESCAPED = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
LONGEST_KEY = 1000
"""YAML finds the colon behind a key only within 1024 characters."""


def scalar_text(value: object) -> str:
    """One value; text that would be read as something else is quoted, numbers in text need not be (C-12)."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(repr(value), repr(value))
        case str():
            return value if _PLAIN_QUANTITY.fullmatch(value) else plain_text(value)
    return "{}" if isinstance(value, dict) else "[]"


def plain_text(text: str) -> str:
    """Text that every reader takes for text, Kubernetes included, which wants no numbers in a ConfigMap."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT else quoted(text)


def in_flow(text: str, value: object) -> str:
    """The text of a value, in quotes where a comma would end it."""
    return quoted(value) if isinstance(value, str) and text == value and "," in text else text


def quoted(text: str, quote: str = "'") -> str:
    """Text in quotes; in double quotes where single ones cannot hold it."""
    if quote == "'" and not _ESCAPED.search(text):
        return "'" + text.replace("'", "''") + "'"
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _ESCAPED.sub(lambda match: _escape(ord(match[0])), text) + '"'


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
