"""The queue tree as a widget: rows in, a selection and the page's theme out.

Row data is made by `queue_rows`; this module only shows it. The browser part sets text with textContent only, keeps
its state in the traits, and never decides anything, so several views of one tree stay equal.
"""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent


class QueueTree(anywidget.AnyWidget):
    """A tree of queues that is walked with the arrow keys.

    Traits:
        rows: flat list in display order, made by `queue_rows.queue_rows`.
        selected: path of the selected queue, "" for none. Written by clicks and keys.
        collapsed: paths whose children are hidden.
        headings: names of the three columns; the first also names the tree.
        empty: what to say while there is no row.
        theme: "light" or "dark" as the page has it; written by the browser only.
    """

    _esm = (HERE / "queue_tree.js").read_text(encoding="utf-8")
    _css = (HERE / "queue_tree.css").read_text(encoding="utf-8")

    rows = traitlets.List().tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    collapsed = traitlets.List(traitlets.Unicode()).tag(sync=True)
    headings = traitlets.List(traitlets.Unicode(), default_value=["Queues", "priority", "next"]).tag(sync=True)
    empty = traitlets.Unicode("").tag(sync=True)
    theme = traitlets.Enum(("light", "dark"), default_value="light").tag(sync=True)
