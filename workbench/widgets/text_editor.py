"""Lines of text to edit, with line numbers, a place for what is wrong, and Apply. What was typed is never lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anywidget
import traitlets

from workbench.errors import PlacedError
from workbench.explain import catalogue

HERE = Path(__file__).parent


class TextEditor(anywidget.AnyWidget):
    """A text and its draft.

    Traits:
        value: the text in force.
        draft: what stands in the box; written by the browser.
        problem, problem_line: what was wrong with the draft applied last, and its line, 0 for none.
        note: said while the draft is not applied; hint: said otherwise.
        name: accessible name; example: shown in an empty box; lines: height of the box.
        disabled: nothing can be typed.
        apply_label, discard_label: of the two buttons.
    """

    _esm = (HERE / "text_editor.js").read_text(encoding="utf-8")

    value = traitlets.Unicode("").tag(sync=True)
    draft = traitlets.Unicode("").tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)
    problem_line = traitlets.Int(0).tag(sync=True)
    note = traitlets.Unicode(catalogue.DRAFT_OPEN).tag(sync=True)
    hint = traitlets.Unicode("").tag(sync=True)
    name = traitlets.Unicode("").tag(sync=True)
    example = traitlets.Unicode("").tag(sync=True)
    lines = traitlets.Int(6).tag(sync=True)
    disabled = traitlets.Bool(False).tag(sync=True)
    apply_label = traitlets.Unicode(catalogue.APPLY).tag(sync=True)
    discard_label = traitlets.Unicode(catalogue.DISCARD).tag(sync=True)

    def __init__(self, on_apply: Callable[[str], Exception | str | None], **traits: object):
        """`on_apply(text)` answers with what is wrong with the text, "" or None for nothing."""
        super().__init__(**traits)
        self._on_apply = on_apply
        self.on_msg(self._received)

    @property
    def has_draft(self) -> bool:
        """Something was typed that is not applied."""
        return self.draft != self.value

    def show(self, value: str, *, force: bool = False) -> None:
        """Another text is in force. A draft stays, and the box says so; with `force` it goes."""
        if value == self.value and not force:
            return
        with self.hold_sync():
            if force or not self.has_draft or self.draft == value:
                self.draft, self.problem, self.problem_line, self.note = value, "", 0, catalogue.DRAFT_OPEN
            else:
                self.note = catalogue.DRAFT_BEHIND
            self.value = value

    def apply(self, text: str) -> None:
        """Apply a draft; what is wrong with it is shown, and the draft stays."""
        self.draft = text
        problem = self._on_apply(text)
        with self.hold_sync():
            self.problem_line = getattr(problem, "line", None) or 0
            if isinstance(problem, PlacedError) and problem.line:
                self.problem = f"line {problem.line}: {problem.text}{f' ({problem.hint})' if problem.hint else ''}"
            else:
                self.problem = str(problem or "")
            if not problem:
                self.value, self.note = text, catalogue.DRAFT_OPEN

    def reveal(self, line: int) -> None:
        """Show a line, counting from 1, and put the cursor there."""
        self.send({"verb": "reveal", "line": line})

    @traitlets.observe("draft")
    def _repaired(self, _change: object) -> None:
        # Typing back to the text in force leaves nothing wrong, and nothing to apply.
        if self.problem and not self.has_draft:
            self.problem, self.problem_line = "", 0

    def discard(self) -> None:
        """Go back to the text in force."""
        self.show(self.value, force=True)

    def _received(self, _widget: object, content: object, _buffers: object) -> None:
        if not isinstance(content, dict) or not isinstance(content.get("text"), str):
            return
        if content.get("verb") == "apply":
            self.apply(content["text"])
        elif content.get("verb") == "discard":
            self.discard()
