"""Changing text as a widget: the Why region, the status line, the sentence beside a wrong field.

Stock HTML widgets would do, but application ids and ask keys may be any text; here nothing is ever read as HTML, and
the region is announced by screen readers because it stays while its paragraphs change.
"""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from workbench.widgets.parts.browser_part import script

KINDS = ("heading", "past", "title", "body", "note", "error", "code", "key")


class LiveText(anywidget.AnyWidget):
    """Paragraphs of plain text.

    Traits:
        paragraphs: list of {"kind": one of KINDS, "text": ...}.
        name: accessible name of the region.
        live: changes are announced by screen readers.
    """

    _esm = script("live_text.js")

    paragraphs: traitlets.List[Any] = traitlets.List().tag(sync=True)
    name = traitlets.Unicode("").tag(sync=True)
    live = traitlets.Bool(True).tag(sync=True)

    def show(self, *paragraphs: tuple[str, str]) -> None:
        """Replace the text by (kind, text) pairs; pairs with an empty text are left out."""
        self.paragraphs = [{"kind": kind, "text": text} for kind, text in paragraphs if text]

    @property
    def text(self) -> str:
        """All paragraphs, one per line."""
        return "\n".join(paragraph["text"] for paragraph in self.paragraphs)
