"""The queue editor: one form per tab for the settings of the selected queue and of the partition.

It shows `fields` and asks for edits; whether a value is accepted is decided by `Workbench.set`. A refusal stands beside
its field and the field keeps what was typed, while the last valid design stays in force (U-9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import ipywidgets as widgets

from workbench.bench import schema, texts
from workbench.bench.fields import Field, partition_fields, queue_fields
from workbench.config.model import SchedulerConfig
from workbench.config.snippets import read_amounts
from workbench.explain.wording import listing
from workbench.scheduler.records.state import Partition, Queue
from workbench.values.errors import ConfigError
from workbench.widgets.parts.live_text import LiveText
from workbench.widgets.parts.text_editor import TextEditor

OTHER_TYPE = "another resource"

SLIDER_RANGE = 1000
"""The slider of a number covers -1000..1000; larger values are typed (U-15)."""
SLIDERS = ("priority.offset",)
COMMON_TYPES = ("vcore", "memory")

SetHandler = Callable[[str, str, "str | None"], "Exception | None"]
"""`(path, key, text)`; text None removes the setting. Answers with the refusal, None when there was none."""


class QueueEditor:
    """Forms of one queue and of the partition, by tabs. `widget` is what is displayed; `turn` is held to fill them."""

    def __init__(self, on_set: SetHandler, on_clear: Callable[[], object], turn: AbstractContextManager[object]):
        self._on_set, self._turn = on_set, turn
        self._shown: tuple[Queue | None, SchedulerConfig, Partition] | None = None
        self.path = ""
        self.title = LiveText(name="Queue editor")
        self.clear = widgets.Button(description="Clear selection", tooltip="Select nothing")
        self.clear.add_class("wb-quiet")
        self.clear.on_click(lambda _button: on_clear())
        self.rows: dict[str, FieldRow] = {}
        self.missing = LiveText(name="Queue editor: empty", live=False)
        self.forms = {tab: widgets.VBox() for tab in schema.TABS}
        self.tabs = widgets.Tab(
            children=tuple(self.forms.values()), titles=schema.TABS, selected_index=schema.TABS.index("Priority")
        )
        self.tabs.observe(lambda _change: self._draw(), "selected_index")
        head = widgets.HBox([self.title, self.clear])
        head.add_class("wb-editor-head")
        self.widget = widgets.VBox([head, self.tabs])
        self.widget.add_class("wb-editor")

    @property
    def tab(self) -> str:
        """The tab in front."""
        return schema.TABS[self.tabs.selected_index or 0]

    def show(self, queue: Queue | None, config: SchedulerConfig, partition: Partition) -> None:
        """Show the settings of `queue`; with None those of the partition only, and what would appear here."""
        self._same = queue is not None and queue.path == self.path or queue is None and self.path == ""
        self.path = "" if queue is None else queue.path
        self._shown = queue, config, partition
        self.clear.layout.visibility = "visible" if queue is not None else "hidden"
        self.title.show(("note", texts.NOTHING_SELECTED) if queue is None else ("title", queue.path))
        for row in self.rows.values():
            if not self._same and not row.of_partition:
                row.forget()
        self._draw()

    def row(self, key: str) -> FieldRow:
        """The row of a setting; its tab is brought in front."""
        setting = schema.SETTINGS.get(key) or schema.OF_PARTITION[key]
        self.tabs.selected_index = schema.TABS.index(setting.tab)
        return self.rows[key]

    def _draw(self) -> None:
        """Fill the tab in front; the others are filled when they come there."""
        with self._turn:
            if self._shown is not None:
                self._fill(*self._shown)

    def _fill(self, queue: Queue | None, config: SchedulerConfig, partition: Partition) -> None:
        tab = self.tab
        if tab == "Partition":
            found = tuple(partition_fields(config, partition))
        else:
            found = tuple(queue_fields(queue, config, partition)) if queue is not None else ()
        rows = []
        for field in found:
            if field.setting.tab != tab:
                continue
            if field.key not in self.rows:
                self.rows[field.key] = FieldRow(field, self._set)
            self.rows[field.key].show(field, keep_problem=self._same)
            rows.append(self.rows[field.key].widget)
        if not rows:
            self.missing.show(
                (
                    "note",
                    queue_settings_appear(
                        tab, [setting.key for setting in schema.queue_settings(partition.profile) if setting.tab == tab]
                    ),
                )
            )
            rows.append(self.missing)
        if tuple(rows) != self.forms[tab].children:
            self.forms[tab].children = tuple(rows)

    def _set(self, key: str, text: str | None) -> Exception | None:
        return self._on_set(schema.PARTITION if key in schema.OF_PARTITION else self.path, key, text)


class FieldRow:
    """One field: its key and control, the way back to the default, and below it the hint, the reason or the problem.

    The control is chosen by the kind of the setting; see `CONTROLS`.
    """

    def __init__(self, field: Field, on_set: Callable[[str, str | None], Exception | None]):
        self.key = field.key
        self.of_partition = field.key in schema.OF_PARTITION
        self._on_set = on_set
        self._asking = False
        self._value: str | None = None
        self.note = LiveText(name=f"{field.key}: about", live=False)
        self.problem = LiveText(name=f"{field.key}: problem")
        self.reset = widgets.Button(description=texts.default(field.setting.default), tooltip=texts.remove(field.key), icon="undo")
        self.reset.add_class("wb-reset")
        self.reset.on_click(lambda _button: self._ask(None))
        self.form = CONTROLS[field.setting.kind](field, self._ask)
        self.control, self.slider = self.form.control, getattr(self.form, "slider", None)
        self.head = LiveText(name=f"{field.key}: key", live=False)
        head, line = widgets.HBox([self.head, self.reset]), widgets.HBox(self.form.widgets)
        head.add_class("wb-field-head")
        line.add_class("wb-field-line")
        self.widget = widgets.VBox([head, line, self.problem, self.note])
        self.widget.add_class("wb-field")
        self.widget.add_class(f"wb-field-{field.setting.kind}")

    def show(self, field: Field, *, keep_problem: bool = False) -> None:
        """Show a field. A refused text stays in its box, with its sentence, until the value in force changes."""
        refused = keep_problem and (self._asking or bool(self.problem.paragraphs)) and field.value == self._value
        self._value = field.value
        self.head.show(("code", texts.key_head(field.key, field.is_own)))
        self.note.show(("note", field.disabled or field.hint))
        # Also where a value has no effect: there it is to be got rid of all the more.
        self.reset.disabled, self.reset.layout.display = not field.is_own, None if field.is_own else "none"
        self.form.enable(not field.disabled)
        if not refused:
            self.problem.show()
            self.form.show(field)

    def forget(self) -> None:
        """Another queue comes: what was typed for the last one is not for it."""
        self.problem.show()
        self._value = None
        self.form.forget()

    def _ask(self, text: str | None) -> Exception | None:
        # The answer comes after the redraw that the verb causes, which must not wipe what was typed.
        self._asking = True
        try:
            refusal = self._on_set(self.key, text)
        finally:
            self._asking = False
        self.problem.show(("error", str(refusal) if refusal is not None and not self.form.tells_problems else ""))
        return refusal


# -- controls, one class per kind -----------------------------------------------------------------------------------------

Ask = Callable[["str | None"], "Exception | None"]


class _Control:
    """A control that shows a field and asks with a text when it was changed by a person."""

    tells_problems = False
    control: widgets.Widget
    widgets: list[widgets.Widget]

    def __init__(self, ask: Ask):
        self._ask, self._filling = ask, False

    def _edited(self, change: dict[str, Any]) -> None:
        if not self._filling:
            self._ask(str(change["new"]))

    def show(self, field: Field) -> None:
        self._filling = True
        try:
            self._fill(field)
        finally:
            self._filling = False

    def _fill(self, field: Field) -> None:
        self.control.value = field.value

    def enable(self, enabled: bool) -> None:
        self.control.disabled = not enabled

    def forget(self) -> None:
        """Drop what was typed."""


class Choice(_Control):
    """One of a few words."""

    def __init__(self, field: Field, ask: Ask):
        super().__init__(ask)
        self.control = widgets.RadioButtons(description=field.key, options=field.choices, orientation="horizontal")
        self.control.observe(self._edited, "value")
        self.widgets = [self.control]

    def _fill(self, field: Field) -> None:
        if self.control.options != field.choices:
            self.control.options = field.choices
        self.control.value = field.value if field.value in field.choices else field.choices[0] if field.value else None


class Typed(_Control):
    """A text, with a slider beside it where a number is often dragged."""

    def __init__(self, field: Field, ask: Ask):
        super().__init__(ask)
        self.control = widgets.Text(description=field.key, continuous_update=False, placeholder=field.setting.example)
        self.control.observe(self._edited, "value")
        self.slider: widgets.IntSlider | None = None
        self.widgets = [self.control]
        if field.key in SLIDERS:
            self.slider = widgets.IntSlider(
                description=f"{field.key} slider", min=-SLIDER_RANGE, max=SLIDER_RANGE, continuous_update=False, readout=False
            )
            self.slider.observe(self._edited, "value")
            self.widgets.append(self.slider)

    def _fill(self, field: Field) -> None:
        self.control.value = field.value
        if self.slider is not None:
            self.slider.value = _within(field.value)

    def enable(self, enabled: bool) -> None:
        super().enable(enabled)
        if self.slider is not None:
            self.slider.disabled = not enabled


class Amounts(_Control):
    """Amounts by resource: a box for each type, and one for another."""

    def __init__(self, field: Field, ask: Ask):
        super().__init__(ask)
        self._key = field.key
        self.boxes: dict[str, widgets.Text] = {}
        self.other = widgets.Text(description=f"{field.key}: {OTHER_TYPE}", continuous_update=False, placeholder="gpu: 2")
        self.other.observe(self._edited_any, "value")
        self.control = self.other
        self.line = widgets.HBox()
        self.line.add_class("wb-amounts")
        self.widgets = [self.line]
        self._enabled = True

    def _fill(self, field: Field) -> None:
        try:
            amounts = dict(read_amounts(field.value)) if field.value else {}
        except ConfigError:
            amounts = {}
        for name in [name for name in self.boxes if name not in amounts and name not in COMMON_TYPES]:
            del self.boxes[name]
        for name in (*COMMON_TYPES, *amounts):
            if name not in self.boxes:
                box = widgets.Text(description=f"{self._key}: {name}", continuous_update=False)
                box.observe(self._edited_any, "value")
                self.boxes[name] = box
        cells = []
        for name, box in self.boxes.items():
            box.value, box.disabled = amounts.get(name, ""), not self._enabled
            label = LiveText(name=f"{self._key}: {name} label", live=False)
            label.show(("note", name))
            cells.append(widgets.HBox([label, box]))
        self.other.value = ""
        if len(cells) + 1 != len(self.line.children) or list(self.boxes) != self._drawn:
            self._drawn = list(self.boxes)
            self.line.children = (*cells, self.other)

    _drawn: list[str] = []

    def _edited_any(self, _change: dict[str, Any]) -> None:
        if self._filling:
            return
        typed = {name: box.value.strip() for name, box in self.boxes.items() if box.value.strip()}
        parts = [f"{_quoted(name)}: {_quoted(text)}" for name, text in typed.items()]
        if self.other.value.strip():
            parts.append(self.other.value.strip())
        self._ask(", ".join(parts) or None)

    def enable(self, enabled: bool) -> None:
        self._enabled = enabled
        for box in (*self.boxes.values(), self.other):
            box.disabled = not enabled


class Block(_Control):
    """Some lines of YAML with a button to apply them; what is wrong is marked at its line."""

    tells_problems = True

    def __init__(self, field: Field, ask: Ask):
        super().__init__(ask)
        self.control = TextEditor(
            lambda text: self._ask(text if text.strip() else None), name=field.key, example=field.setting.example, lines=4
        )
        self.widgets = [self.control]

    def _fill(self, field: Field) -> None:
        self.control.show(field.value)

    def forget(self) -> None:
        self.control.show("", force=True)


CONTROLS: dict[str, Callable[[Field, Ask], _Control]] = {
    "choice": Choice,
    "integer": Typed,
    "count": Typed,
    "duration": Typed,
    "text": Typed,
    "weights": Typed,
    "amounts": Amounts,
    "block": Block,
}
"""Kind of a setting -> what edits it."""


def _quoted(text: str) -> str:
    """A word of a YAML flow mapping, quoted where it is not plainly a word."""
    plain = text.replace(".", "").replace("/", "").replace("-", "").replace("_", "")
    return text if plain.isalnum() and plain.isascii() else "'" + text.replace("'", "''") + "'"


def _within(text: str) -> int:
    """The slider's place for a number; 0 for text that is none."""
    try:
        return max(-SLIDER_RANGE, min(SLIDER_RANGE, int(text)))
    except ValueError:
        return 0


# ---- in words ---------------------------------------------------------------------------------------------------------


def queue_settings_appear(tab: str, keys: Sequence[str]) -> str:
    """What stands in a tab of the editor once a queue is selected."""
    return f"{tab} of a queue: {listing(list(keys), most=len(keys))}. Select a queue in the tree."
