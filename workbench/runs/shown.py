"""What tells a run to people: its measures, a sentence, a page. It registers itself here from above, because runs know no measures.

The package says in `workbench.RUN_VIEW` which module does so, and that one is imported when a run is first told.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import workbench

if TYPE_CHECKING:
    from workbench.runs.run import Run


class Telling(Protocol):
    """One run, told."""

    @property
    def measures(self) -> Any:
        """The table of its measures."""

    @property
    def sentence(self) -> str:
        """What came of it, in a sentence or two."""

    def picture(self, resource: str | None = None, theme: str = "light", **size: int) -> Any:
        """What was used and who waited over time, as a plotly figure."""

    def picture_table(self, resource: str | None = None) -> Any:
        """What the picture shows, as a table."""

    def html(self) -> str:
        """The sentence and the table as markup."""

    def display(self) -> None:
        """Show it in a notebook: the sentence, the table, the picture."""

    def page(self) -> str:
        """One HTML page that needs no network."""


Maker = Callable[["Run"], Telling]
_makers: list[Maker] = []


def register(maker: Maker) -> None:
    """From now on runs are told by what `maker(run)` makes."""
    _makers.append(maker)


def telling(run: Run) -> Telling:
    """How the run is told."""
    if not _makers:
        import_module(workbench.RUN_VIEW)
    return _makers[-1](run)
