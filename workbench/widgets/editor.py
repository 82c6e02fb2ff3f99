"""The queue editor: a form for the properties of the selected queue.

It shows `fields` and asks for edits; whether a value is accepted is decided by `Workbench.set`. A refusal stands beside
its field and the field keeps what was typed, while the last valid design stays in force (U-9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import ipywidgets as widgets

from workbench.config.properties import PROPERTIES, Property
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

    def show(self, queue: Queue | None, table: Mapping[str, Property] = PROPERTIES) -> None:
        """Show the fields of `queue`; None: say what would appear here. `table`: the properties that the engine knows."""
        same_queue = queue is not None and queue.path == self.path
        self.path = "" if queue is None else queue.path
        self.clear.layout.visibility = "visible" if queue is not None else "hidden"
        if queue is None:
            self.title.show(("note", texts.NOTHING_SELECTED))
            self.form.children = ()
            return
        self.title.show(("title", queue.path))
        shown = fields(queue, table)
        if not self.rows:
            self.rows = {field.key: FieldRow(field, self._set) for field in shown}
        for field in shown:
            self.rows[field.key].show(field, keep_problem=same_queue)
        self.form.children = tuple(self.rows[field.key].widget for field in shown)

    def _set(self, key: str, text: str | None) -> str:
        return self._on_set(self.path, key, text)


class FieldRow:
    """One field: its key and control, the way back to the default, and below it the hint, the reason or the problem."""

    def __init__(self, field: Field, on_set: Callable[[str, str | None], str]):
        self.key = field.key
        self._on_set = on_set
        self._filling = self._asking = False
        self._value: str | None = None
        self.note = LiveText(name=f"{field.key}: about", live=False)
        self.problem = LiveText(name=f"{field.key}: problem")
        self.reset = widgets.Button(description=texts.default(field.default), tooltip=texts.remove(field.key))
        self.reset.add_class("wb-quiet")
        self.reset.on_click(lambda _button: self._ask(None))
        self.slider: widgets.IntSlider | None = None
        self.control: widgets.ValueWidget
        if field.choices:
            self.control = widgets.RadioButtons(description=field.key, options=field.choices, orientation="horizontal")
            controls = [self.control]
        else:
            self.control = widgets.Text(description=field.key, continuous_update=False)
            self.slider = widgets.IntSlider(description=f"{field.key} slider", min=-SLIDER_RANGE, max=SLIDER_RANGE,
                                            continuous_update=False, readout=False)
            self.slider.observe(self._edited, "value")
            controls = [self.control, self.slider]
        self.control.observe(self._edited, "value")
        self.head = LiveText(name=f"{field.key}: key", live=False)
        head, line = widgets.HBox([self.head, self.reset]), widgets.HBox(controls)
        head.add_class("wb-field-head")
        line.add_class("wb-field-line")
        self.widget = widgets.VBox([head, line, self.problem, self.note])
        self.widget.add_class("wb-field")

    def show(self, field: Field, *, keep_problem: bool = False) -> None:
        """Show a field. A refused text stays in its box, with its sentence, until the value in force changes."""
        refused = keep_problem and (self._asking or bool(self.problem.paragraphs)) and field.value == self._value
        self._value = field.value
        self.head.show(("code", texts.key_head(field.key, field.is_own)))
        self.note.show(("note", field.disabled or field.hint))
        self.reset.disabled = not field.is_own or bool(field.disabled)
        self._filling = True
        try:
            self.control.disabled = bool(field.disabled)
            if field.choices and self.control.options != field.choices:
                self.control.options = field.choices
            if not refused:
                self.control.value = field.value
                self.problem.show()
            if self.slider is not None:
                self.slider.disabled = bool(field.disabled)
                self.slider.value = _within(field.value)
        finally:
            self._filling = False

    def _edited(self, change: dict) -> None:
        if not self._filling:
            self._ask(str(change["new"]))

    def _ask(self, text: str | None) -> None:
        # The answer comes after the redraw that the verb causes, which must not wipe what was typed.
        self._asking = True
        try:
            refusal = self._on_set(self.key, text)
        finally:
            self._asking = False
        self.problem.show(("error", refusal))


def _within(text: str) -> int:
    """The slider's place for a number; 0 for text that is none."""
    try:
        return max(-SLIDER_RANGE, min(SLIDER_RANGE, int(text)))
    except ValueError:
        return 0
