"""A table of text as a widget. The rows come from the explain package; sorting by a head is the browser's own affair."""

from __future__ import annotations

import json
from typing import Any

import anywidget
import traitlets

from workbench.explain import Table
from workbench.widgets.parts.browser_part import script


class DataTable(anywidget.AnyWidget):
    """Rows of text under column heads.

    Traits:
        columns: names of the columns.
        rows: lists of texts, in the order that carries the meaning.
        row_keys: one id per row when rows can be selected, else empty.
        numeric: names of the columns that are aligned to the right.
        selected: id of the selected row, "" for none. Written by clicks and keys.
        empty: what to say while there is no row.
        note: what to say below the rows, "" for nothing.
        name: caption, also the accessible name.
    """

    _esm = script("data_table.js")

    columns = traitlets.List(traitlets.Unicode()).tag(sync=True)
    # Not checked cell by cell: that would take longer than all the rest for a thousand rows.
    rows: traitlets.List[Any] = traitlets.List().tag(sync=True)
    row_keys: traitlets.List[Any] = traitlets.List().tag(sync=True)
    numeric = traitlets.List(traitlets.Unicode()).tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    empty = traitlets.Unicode("").tag(sync=True)
    note = traitlets.Unicode("").tag(sync=True)
    name = traitlets.Unicode("").tag(sync=True)

    def show(self, table: Table, chosen: tuple[object, ...] | None = None, note: str = "") -> None:
        """Show a table of the explain package. Its rows can be selected if they stand for (application id, ask key)."""
        selectable = bool(table.keys) and isinstance(table.keys[0], tuple)
        with self.hold_sync():
            self.columns, self.rows = list(table.columns), [list(row) for row in table.rows]
            self.note, self.numeric = note, sorted(table.numeric)
            self.row_keys = [json.dumps(key) for key in table.keys] if selectable else []
            self.selected = json.dumps(chosen) if chosen is not None else ""

    @property
    def selected_key(self) -> tuple[Any, ...] | None:
        """What the selected row stands for, None for no row."""
        return tuple(json.loads(self.selected)) if self.selected else None
