"""The queue editor: a form for the properties of the selected queue.

It shows `fields` and asks for edits; whether a value is accepted is decided by `Workbench.set`. A refusal stands beside
its field and the field keeps what was typed, while the last valid design stays in force (U-9).
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets

from workbench.scheduler.state import Queue
from workbench.widgets import texts
from workbench.widgets.fields import Field, fields
from workbench.widgets.live_text import LiveText

SLIDER_RANGE = 1000
"""The slider of a number covers -1000..1000; larger values are typed (U-15)."""

SetHandler = Callable[[str, str, "str | None"], str]
"""`(path, key, text)`; text None removes the property. Answers with why it was refused, "" when it was not."""


class QueueEditor:
    """Form of one queue. `widget` is what is displayed."""

    def __init__(self, on_set: SetHandler, on_clear: Callable[[], None]):
        self._on_set = on_set
        self.path = ""
        self.title = LiveText(name="Queue editor")
        self.clear = widgets.Button(description="Clear selection", tooltip="Select nothing")
        self.clear.add_class("wb-quiet")
        self.clear.on_click(lambda _button: on_clear())
        self.rows: dict[str, FieldRow] = {}
        self.form = widgets.VBox()
        head = widgets.HBox([self.title, self.clear])
        head.add_class("wb-editor-head")
        self.widget = widgets.VBox([head, self.form])
        self.widget.add_class("wb-editor")

    def show(self, queue: Queue | None) -> None:
        """Show the fields of `queue`; None: say what would appear here."""
        same_queue = queue is not None and queue.path == self.path
        self.path = "" if queue is None else queue.path
        self.clear.layout.visibility = "visible" if queue is not None else "hidden"
        if queue is None:
            self.title.show(("note", texts.NOTHING_SELECTED))
            self.form.children = ()
            return
        self.title.show(("title", queue.path))
        shown = fields(queue)
        if not self.rows:
            self.rows = {field.key: FieldRow(field, self._set) for field in shown}
        for field in shown:
            self.rows[field.key].show(field, keep_problem=same_queue)
        self.form.children = tuple(self.rows[field.key].widget for field in shown)

    def _set(self, key: str, text: str | None) -> str:
        return self._on_set(self.path, key, text)


class FieldRow:
    """One field: key and state, control, way back to the default, hint or problem."""

    def __init__(self, field: Field, on_set: Callable[[str, str | None], str]):
        self.field = field
        self._on_set = on_set
        self._filling = False
        self._shown_value: str | None = None
        self.label = LiveText(name=field.key)
        self.problem = LiveText(name=f"{field.key}: problem")
        self.reset = widgets.Button(description="Default", tooltip=f"Remove {field.key} from this queue")
        self.reset.add_class("wb-quiet")
        self.reset.on_click(lambda _button: self._ask(None))
        self.slider: widgets.IntSlider | None = None
        self.control: widgets.ValueWidget
        if field.choices:
            self.control = widgets.RadioButtons(options=field.choices, orientation="horizontal")
            parts = [self.control]
        else:
            self.control = widgets.Text(continuous_update=False)
            self.slider = widgets.IntSlider(min=-SLIDER_RANGE, max=SLIDER_RANGE, continuous_update=False, readout=False)
            self.slider.observe(lambda change: self._edited(str(change["new"])), "value")
            parts = [self.control, self.slider]
        self.control.tooltip = field.key
        self.control.observe(lambda change: self._edited(change["new"]), "value")
        line = widgets.HBox([*parts, self.reset])
        line.add_class("wb-field-line")
        self.widget = widgets.VBox([self.label, line, self.problem])
        self.widget.add_class("wb-field")

    def show(self, field: Field, *, keep_problem: bool = False) -> None:
        """Show a field. A refused text stays in its box, with its sentence, until the value in force changes."""
        refused = keep_problem and bool(self.problem.paragraphs) and field.value == self._shown_value
        self.field, self._shown_value = field, field.value
        state = "set here" if field.is_own else "not set here"
        self.label.show(("code", field.key), ("note", f"{state}, default {field.default}. {field.disabled or field.hint}"))
        self._filling = True
        try:
            for control in (self.control, self.slider):
                if control is not None:
                    control.disabled = bool(field.disabled)
            if not refused:
                self.control.value = field.value
                self.problem.show()
            if self.slider is not None and not refused:
                self.slider.value = _within(field.value)
        finally:
            self._filling = False
        self.reset.disabled = not field.is_own or bool(field.disabled)

    def _edited(self, text: str) -> None:
        if not self._filling:
            self._ask(text)

    def _ask(self, text: str | None) -> None:
        refusal = self._on_set(self.field.key, text)
        self.problem.show(("error", refusal))
        if not refusal and text is None:
            self.show(self.field)


def _within(text: str) -> int:
    """The slider's place for a number; 0 for text that is none."""
    try:
        return max(-SLIDER_RANGE, min(SLIDER_RANGE, int(text)))
    except ValueError:
        return 0
