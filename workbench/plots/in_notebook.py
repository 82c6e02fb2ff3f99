"""How a result shows itself in a notebook: its text and table, and below them its picture, as two outputs.

One output holds one form of a thing, and JupyterLab takes the picture where it can: in one output the table would be hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def show(markup: str, text: str, picture: Callable[[], Any | None]) -> None:
    """Show what a result says, and its picture where plotly is there to draw it; None for no picture."""
    display = import_module("IPython.display").display
    display({"text/html": markup, "text/plain": text}, raw=True)
    drawn = picture() if find_spec("plotly") is not None else None
    if drawn is not None:
        display(drawn)
