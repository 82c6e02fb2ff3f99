"""Lines of text to edit, with line numbers, a place for what is wrong, and Apply. What was typed is never lost."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher

import anywidget
import traitlets

from workbench.values.errors import PlacedError
from workbench.widgets.parts.browser_part import script

APPLY = "Apply"
DISCARD = "Discard"
DRAFT_BEHIND = "The design has changed since; this text is still yours. Discard shows the design."
DRAFT_OPEN = "Not applied yet."


def line_in_draft(value: str, draft: str, line: int) -> tuple[int, bool]:
    """Where line number `line` of a text is in a draft of it, and whether it stands there unchanged; else what took its place.

    >>> text, draft = "a b c".replace(" ", chr(10)), "new a B c".replace(" ", chr(10))
    >>> line_in_draft(text, draft, 3), line_in_draft(text, draft, 2)
    ((4, True), (3, False))
    """
    mine, theirs = value.split("\n"), draft.split("\n")
    for kind, start, end, there, _ in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if start <= line - 1 < end:
            is_same = kind == "equal"
            return min(there + (line - 1 - start if kind != "delete" else 0) + 1, len(theirs)), is_same
    return min(line, len(theirs)), False


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

    _esm = script("text_editor.js")

    value = traitlets.Unicode("").tag(sync=True)
    draft = traitlets.Unicode("").tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)
    problem_line = traitlets.Int(0).tag(sync=True)
    note = traitlets.Unicode(DRAFT_OPEN).tag(sync=True)
    hint = traitlets.Unicode("").tag(sync=True)
    name = traitlets.Unicode("").tag(sync=True)
    example = traitlets.Unicode("").tag(sync=True)
    lines = traitlets.Int(6).tag(sync=True)
    disabled = traitlets.Bool(False).tag(sync=True)
    apply_label = traitlets.Unicode(APPLY).tag(sync=True)
    discard_label = traitlets.Unicode(DISCARD).tag(sync=True)

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
                self.draft, self.problem, self.problem_line, self.note = value, "", 0, DRAFT_OPEN
            else:
                self.note = DRAFT_BEHIND
            self.value = value

    def apply(self, text: str) -> None:
        """Apply a draft; what is wrong with it is shown, and the draft stays."""
        self.draft = text
        problem = self._on_apply(text)
        self._tell(problem)
        if not problem:
            self.value, self.note = text, DRAFT_OPEN

    def offer(self, text: str, problem: Exception | str) -> None:
        """Put a text into the box that is not in force, with what is wrong with it."""
        self.draft = text
        self._tell(problem)

    def _tell(self, problem: Exception | str | None) -> None:
        with self.hold_sync():
            self.problem_line = getattr(problem, "line", None) or 0
            if isinstance(problem, PlacedError) and problem.line:
                self.problem = f"line {problem.line}: {problem.text}{f' ({problem.hint})' if problem.hint else ''}"
            else:
                self.problem = str(problem or "")

    def reveal(self, line: int) -> None:
        """Show a line of the text in force, counting from 1, or its place in the draft, and put the cursor there."""
        at, is_same = line_in_draft(self.value, self.draft, line)
        if self.has_draft:
            self.note = place_in_draft(line, at if is_same else 0)
        self.send({"verb": "reveal", "line": at})

    @traitlets.observe("draft")
    def _repaired(self, _change: object) -> None:
        if self.note not in (DRAFT_OPEN, DRAFT_BEHIND):
            self.note = DRAFT_OPEN  # what was said about a line of an earlier draft
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


# ---- in words ---------------------------------------------------------------------------------------------------------


def place_in_draft(line: int, at: int) -> str:
    """Where a line of the design is in a text that is being edited; 0 where it was changed there."""
    if not at:
        return f"Line {line} of the design is changed in this text, which is not applied yet."
    moved = f" is line {at} of this text" if at != line else " is unchanged in this text"
    return f"Line {line} of the design{moved}, which is not applied yet."
