"""A table of text as a widget. The rows come from the explain package; sorting by a head is the browser's own affair."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent


class DataTable(anywidget.AnyWidget):
    """Rows of text under column heads.

    Traits:
        columns: names of the columns.
        rows: lists of texts, in the order that carries the meaning.
        row_keys: one id per row when rows can be selected, else empty.
        numeric: names of the columns that are aligned to the right.
        selected: id of the selected row, "" for none. Written by clicks and keys.
        empty: what to say while there is no row.
        name: caption, also the accessible name.
    """

    _esm = (HERE / "data_table.js").read_text(encoding="utf-8")

    columns = traitlets.List(traitlets.Unicode()).tag(sync=True)
    rows = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)
    row_keys = traitlets.List(traitlets.Unicode()).tag(sync=True)
    numeric = traitlets.List(traitlets.Unicode()).tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    empty = traitlets.Unicode("").tag(sync=True)
    name = traitlets.Unicode("").tag(sync=True)
