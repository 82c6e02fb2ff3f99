"""The keys of the screen as a widget: an invisible element that hears keys pressed anywhere in the screen (U-17)."""

from __future__ import annotations

from collections.abc import Callable

import anywidget
import traitlets

from workbench.widgets.parts.browser_part import script

BINDINGS = {
    "n": "step",
    "ArrowRight": "step",
    "p": "back",
    "ArrowLeft": "back",
    "r": "run",
    " ": "play",
    "u": "undo",
    "e": "editor",
    "w": "why",
    "/": "find",
    "?": "help",
}
"""Key -> what it does. "editor", "why" and "find" move the focus, which is the browser's own affair."""
LETTERS = "".join(key for key in BINDINGS if len(key) == 1)
"""The keys that the tree leaves to the screen."""


class Keyboard(anywidget.AnyWidget):
    """Keys pressed inside the screen around it.

    Traits:
        bindings: key -> verb; enabled: whether they count.
    """

    _esm = script("keyboard.js")

    bindings = traitlets.Dict(BINDINGS).tag(sync=True)
    enabled = traitlets.Bool(True).tag(sync=True)

    def on_verb(self, handler: Callable[[str], None]) -> None:
        """Call `handler(verb)` whenever a bound key was pressed."""

        def received(_widget: object, content: object, _buffers: object) -> None:
            if isinstance(content, dict) and content.get("verb") in set(self.bindings.values()):
                handler(content["verb"])

        self.on_msg(received)
