"""The browser's part of a widget, as text.

A widget's script stands alone in the browser and cannot import another, so that what several need is put before each.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
SHARED = "dom.js"


def script(name: str) -> str:
    """The script of that file, after `SHARED`."""
    return _text(SHARED) + _text(name)


def style(name: str) -> str:
    """The style sheet of that file."""
    return _text(name)


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
