"""The queue tree as a widget: rows in; a selection, the page's theme and wishes for another tree out.

Row data is made by `queue_rows`; this module only shows it. The browser part sets text with textContent only, keeps
its state in the traits, and never decides anything, so several views of one tree stay equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import traitlets

from workbench.widgets.parts.browser_part import script, style

TREE_TOOLS: Mapping[str, tuple[str, str]] = {
    "add": ("+ Add", "Add a queue below the selected one (Insert)"),
    "rename": ("Rename", "Rename the selected queue (F2 or double click)"),
    "duplicate": ("Copy", "Copy the selected queue with all below it (Ctrl+D)"),
    "delete": ("Delete", "Remove the selected queue with all below it (Delete)"),
}
NEW_QUEUE = "name of the new queue"


class QueueTree(anywidget.AnyWidget):
    """A tree of queues that is walked with the arrow keys.

    Traits:
        rows: flat list in display order, made by `queue_rows.queue_rows`.
        selected: path of the selected queue, "" for none. Written by clicks and keys.
        collapsed: paths whose children are hidden.
        headings: names of the three columns; the first also names the tree.
        empty: what to say while there is no row.
        editable: the tree can be changed; `tools`: the buttons for it, new_name: what stands in the field of a new name.
        reserved: keys that are left to the screen around the tree.
        theme: "light" or "dark" as the page has it; written by the browser only.
    """

    _esm = script("queue_tree.js")
    _css = style("queue_tree.css")

    rows: traitlets.List[Any] = traitlets.List().tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    collapsed = traitlets.List(traitlets.Unicode()).tag(sync=True)
    headings = traitlets.List(traitlets.Unicode(), default_value=["Queues", "priority", "next"]).tag(sync=True)
    empty = traitlets.Unicode("").tag(sync=True)
    editable = traitlets.Bool(True).tag(sync=True)
    tools: traitlets.List[Any] = traitlets.List().tag(sync=True)
    new_name = traitlets.Unicode(NEW_QUEUE).tag(sync=True)
    reserved = traitlets.Unicode("").tag(sync=True)
    theme = traitlets.Enum(("light", "dark"), default_value="light").tag(sync=True)

    @traitlets.default("tools")
    def _all_tools(self) -> list[dict[str, str]]:
        return [{"verb": verb, "text": text, "title": title} for verb, (text, title) in TREE_TOOLS.items()]

    def on_wish(self, handler: Callable[[dict[str, Any]], str]) -> None:
        """Call `handler(wish)` for every wish: {"verb": "add", "rename", "duplicate", "delete" or "move", "path", ...}.

        It answers with why the wish was refused, "" when it was carried out; the view that asked is told.
        """

        def received(_widget: object, content: object, _buffers: object) -> None:
            wish = _wish(content)
            if wish is not None:
                self.send({"verb": "answer", "number": wish["number"], "refused": handler(wish)})

        self.on_msg(received)


WISHES: dict[str, tuple[str, ...]] = {
    "add": ("path", "name"),
    "rename": ("path", "name"),
    "duplicate": ("path",),
    "delete": ("path",),
    "move": ("path", "parent"),
}
"""Verb of a wish -> the texts that it needs."""


def _wish(content: object) -> dict[str, Any] | None:
    """A message as a wish, None for anything else."""
    if not isinstance(content, dict) or content.get("verb") not in WISHES:
        return None
    wanted = (*WISHES[content["verb"]], "number")
    if not all(isinstance(content.get(key), str) for key in wanted):
        return None
    index = content.get("index")
    return {**content, "index": index if isinstance(index, int) and not isinstance(index, bool) and index >= 0 else None}
