"""What shows a workbench in a notebook. It registers itself here from above, because the bench knows no widgets.

The package says in `workbench.VIEW` which module does so, and that one is imported when a workbench is first shown. Where its
libraries are not installed, a workbench is text.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

import workbench


class View(Protocol):
    """The view of one workbench."""

    def bundle(self, **options: Any) -> dict[str, Any]:
        """What Jupyter shows: MIME type -> content."""


Maker = Callable[[Any], View]
"""Makes the view of a workbench."""

_makers: list[Maker] = []


def register(maker: Maker) -> None:
    """From now on workbenches are shown by what `maker(workbench)` makes."""
    _makers.append(maker)


def view_of(bench: object) -> View:
    """A view of the workbench. ImportError where the libraries that it needs are not installed."""
    if not _makers:
        import_module(workbench.VIEW)
    return _makers[-1](bench)
