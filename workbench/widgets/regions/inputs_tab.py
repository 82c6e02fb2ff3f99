"""The tab of inputs: a form for each kind, a table to paste, a file to load, and the list of what was put in."""

from __future__ import annotations

from dataclasses import replace

import ipywidgets as widgets

from workbench.bench import input_forms, texts
from workbench.bench.input_forms import FORMS, InputForm
from workbench.bench.present import Present
from workbench.values.errors import WorkbenchError
from workbench.widgets.parts.data_table import DataTable
from workbench.widgets.parts.live_text import LiveText
from workbench.widgets.parts.text_editor import TextEditor
from workbench.widgets.regions.hooks import Hooks

REMOVE_INPUT = "Remove selected"
REMOVE_INPUT_HINT = "Take back the selected input, which has not happened yet"
ADD = "Add"
LOAD_TABLE = "Add rows"
TABLE_EXAMPLE = "app,key,queue,vcore,memory,priority,repeat\napp-1,small,root.a,1,2Gi,0,3\napp-2,urgent,root.b,2,,100,1"

TABLE, FILE = "table", "file"
MOST_ROWS = 500


class InputsTab:
    """`widget` is what is displayed: the form at the left, the list at the right."""

    def __init__(self, hooks: Hooks):
        self._hooks = hooks
        options = [(form.title, verb) for verb, form in FORMS.items()] + [(texts.BY_TABLE, TABLE), (texts.BY_FILE, FILE)]
        self.kind = widgets.Dropdown(description=texts.INPUT, options=options)
        self.kind.observe(lambda _change: self._choose(), "value")
        self.boxes: dict[str, dict[str, widgets.ValueWidget]] = {}
        self.add = widgets.Button(description=ADD, tooltip=texts.ADD_HINT)
        self.add.on_click(lambda _button: self.press())
        self.problem = LiveText(name=texts.INPUT_PROBLEM)
        self.table = TextEditor(self._add_table, name=texts.BY_TABLE, example=TABLE_EXAMPLE, lines=4, apply_label=LOAD_TABLE)
        self.path = widgets.Text(description=texts.PATH, placeholder=texts.PATH_EXAMPLE)
        self.form = widgets.HBox()
        self.form.add_class("wb-input-form")
        self.remove = widgets.Button(description=REMOVE_INPUT, tooltip=REMOVE_INPUT_HINT, disabled=True)
        self.remove.on_click(lambda _button: self.press_remove())
        self._ahead: frozenset[int] = frozenset()
        head = widgets.HBox([self.kind, self.add, self.remove])
        head.add_class("wb-input-head")
        left = widgets.VBox([head, self.form, self.problem])
        left.add_class("wb-input-left")
        self.list = DataTable(name=texts.INPUTS, empty=texts.NO_INPUTS)
        self.list.observe(lambda _change: self._show_remove(), "selected")
        self.widget = widgets.HBox([left, self.list])
        self.widget.add_class("wb-inputs")
        self._choose()

    def draw(self, present: Present) -> None:
        """List what was put in, the latest first, before it what is planned."""
        simulation, chosen = present.simulation, self.list.selected_key
        table = input_forms.table(simulation, present.refused)
        latest, keys = table.rows[::-1][:MOST_ROWS], table.keys[::-1][:MOST_ROWS]
        first = len(simulation.inputs) + 1
        self._ahead = frozenset(range(first + simulation.planned_played, first + len(simulation.planned)))
        self.list.show(
            replace(table, rows=latest, keys=keys),
            chosen if chosen in keys else None,
            texts.earlier_inputs(len(table.rows) - MOST_ROWS),
        )
        self.remove.layout.display = None if self._ahead else "none"
        self._show_remove()

    def press_remove(self) -> None:
        """Take back the selected input."""
        if self._chosen in self._ahead:
            number, self.list.selected = self._chosen, ""
            self._done(self._hooks.carry_out("remove_input", number))

    @property
    def _chosen(self) -> int:
        """Number of the selected input, 0 for none."""
        return int(self.list.selected_key[1]) if self.list.selected_key is not None else 0

    def _show_remove(self) -> None:
        self.remove.disabled = self._chosen not in self._ahead

    def press(self) -> None:
        """Carry out the form."""
        kind = self.kind.value
        if kind == FILE:
            self._done(
                self._hooks.carry_out("load_inputs", self.path.value.strip()) if self.path.value.strip() else texts.GIVE_A_PATH
            )
            return
        form = FORMS[kind]
        typed = {
            name: str(box.value).lower() if isinstance(box.value, bool) else box.value for name, box in self._fields(form).items()
        }
        try:
            arguments = input_forms.arguments(form, typed)
        except WorkbenchError as error:
            self._done(error)
            return
        missing = [field.label for field in form.fields if field.name in _NEEDED.get(kind, ()) and field.name not in arguments]
        self._done(texts.name_missing(missing[0]) if missing else self._hooks.carry_out(kind, **arguments))

    def _choose(self) -> None:
        kind = self.kind.value
        self.problem.show()
        self.add.layout.display = "none" if kind == TABLE else ""
        if kind == TABLE:
            self.form.children = (self.table,)
        elif kind == FILE:
            self.form.children = (self.path,)
        else:
            self.form.children = tuple(self._fields(FORMS[kind]).values())

    def _fields(self, form: InputForm) -> dict[str, widgets.ValueWidget]:
        if form.verb not in self.boxes:
            self.boxes[form.verb] = {
                field.name: widgets.Checkbox(description=field.label, indent=False)
                if field.kind == "switch"
                else widgets.Text(description=field.label, value=field.start, placeholder=field.example)
                for field in form.fields
            }
        return self.boxes[form.verb]

    def _add_table(self, text: str) -> Exception | None:
        return self._hooks.carry_out("load_inputs", text if "\n" in text else f"{text}\n")

    def _done(self, problem: Exception | str | None) -> None:
        self.problem.show(("error", str(problem) if problem else ""))


_NEEDED = {
    "add_request": ("app", "key", "resources"),
    "add_app": ("id",),
    "add_gang": ("id", "queue", "members", "resources"),
    "add_node": ("id", "resources"),
    "drain_node": ("id",),
    "undrain_node": ("id",),
    "remove_node": ("id",),
    "finish": ("app",),
    "remove_app": ("app",),
    "advance": ("seconds",),
}
"""Arguments that a verb cannot do without."""
