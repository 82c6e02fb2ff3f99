"""The inputs of a simulation as a person gives them: forms as tables of fields, lines of a table, and their commands.

Each `InputForm` is one verb of the workbench. A form is added with one entry; what is typed is turned into the arguments of
the verb, which checks them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.bench import input_forms_texts, study, texts
from workbench.config.snippets import read_amounts
from workbench.explain import Table
from workbench.explain.refused import Refused
from workbench.importers.csv_table import records
from workbench.scheduler.records import commands
from workbench.scheduler.records.command_checks import is_whole
from workbench.scheduler.records.commands import AddApplication, AddAsk, ApplicationSpec, AskSpec, Command
from workbench.simulation.driver import MS_NS
from workbench.simulation.scenario import AdvanceMs, Planned, Schedule, Until
from workbench.simulation.scenario.checks import MOST_EVENTS, check_input
from workbench.simulation.scenario.model import LAST_MS
from workbench.simulation.simulation import Simulation
from workbench.values.errors import CommandError, ConfigError, ScenarioError
from workbench.values.found import found as phrase
from workbench.values.quantities import QuantityError, parse_quantity
from workbench.values.resources import Resource
from workbench.values.text import is_text

INPUT_FORMS: Mapping[str, str] = {
    "add_request": "Request",
    "add_app": "Application",
    "add_gang": "Gang",
    "add_node": "Node",
    "drain_node": "Drain a node",
    "undrain_node": "Open a node",
    "remove_node": "Remove a node",
    "finish": "Finish or release",
    "remove_app": "Remove an application",
    "advance": "Let time pass",
}
INPUT_COLUMNS = ("no.", "input", "name", "details", "state")
INPUT_CAPTION = "Inputs"
AHEAD = "ahead"
NOTHING_REFUSED = Refused()
AT_LABEL = "at (s)"
AT_EXAMPLE = "empty: now"
TABLE_HEAD = "the first line names the columns, app and key among them"
NO_AMOUNT_GIVEN = "no amount is given"

MOST_REPEATS = 10_000
MOST_SECONDS = LAST_MS / 1000


@dataclass(frozen=True, slots=True)
class InputField:
    """One field of a form: the verb's argument, its label, and what it starts with. `example` stands in an empty field."""

    name: str
    label: str
    start: str = ""
    kind: str = "text"
    example: str = ""


@dataclass(frozen=True, slots=True)
class InputForm:
    """A form: the verb that it calls and its fields in order; a name that is `wanted` must be filled."""

    verb: str
    title: str
    fields: tuple[InputField, ...]


_WHAT = InputField("resources", "resources", "vcore: 1", example="vcore: 500m, memory: 1Gi")
_REPEAT = InputField("repeat", "repeat", "1", "integer")
_AT = InputField("at", AT_LABEL, "", "number", AT_EXAMPLE)

FORMS: Mapping[str, InputForm] = {
    form.verb: form
    for form in (
        InputForm(
            "add_request",
            INPUT_FORMS["add_request"],
            (
                InputField("app", "app", example="app-1"),
                InputField("key", "key", example="P5"),
                _WHAT,
                InputField("priority", "priority", "0", "integer"),
                _REPEAT,
                InputField("queue", "queue", example="root.a, for a new app"),
                InputField("user", "user", example="for a new app"),
                InputField("task_group", "task group", example="of a gang"),
                InputField("placeholder", "placeholder", "", "switch"),
                _AT,
            ),
        ),
        InputForm(
            "add_app",
            INPUT_FORMS["add_app"],
            (
                InputField("id", "app"),
                InputField("queue", "queue", example="root.a"),
                InputField("user", "user", "nobody"),
                InputField("groups", "groups", example="a, b"),
                InputField("placeholders", "gang resources", example="vcore: 4"),
                InputField("gang_style", "gang style", example="Soft or Hard"),
                _REPEAT,
                _AT,
            ),
        ),
        InputForm(
            "add_gang",
            INPUT_FORMS["add_gang"],
            (
                InputField("id", "app"),
                InputField("queue", "queue", example="root.a"),
                InputField("user", "user", "nobody"),
                InputField("members", "members", "3", "integer"),
                _WHAT,
                InputField("gang_style", "gang style", "Soft"),
                _AT,
            ),
        ),
        InputForm(
            "add_node",
            INPUT_FORMS["add_node"],
            (
                InputField("id", "node"),
                InputField("resources", "resources", "vcore: 16, memory: 64Gi"),
                _REPEAT,
                _AT,
            ),
        ),
        InputForm("drain_node", INPUT_FORMS["drain_node"], (InputField("id", "node"), _AT)),
        InputForm("undrain_node", INPUT_FORMS["undrain_node"], (InputField("id", "node"), _AT)),
        InputForm("remove_node", INPUT_FORMS["remove_node"], (InputField("id", "node"), _AT)),
        InputForm(
            "finish",
            INPUT_FORMS["finish"],
            (
                InputField("app", "app"),
                InputField("key", "key", example="all of the app's"),
                _AT,
            ),
        ),
        InputForm("remove_app", INPUT_FORMS["remove_app"], (InputField("app", "app"), _AT)),
        InputForm("advance", INPUT_FORMS["advance"], (InputField("seconds", "seconds", "1", example="40, 40s or 1h30m"),)),
    )
}
"""Verb -> form, in the order of the list."""


def arguments(form: InputForm, typed: Mapping[str, str]) -> dict[str, object]:
    """The arguments of the verb from what was typed; empty fields are left out. ScenarioError for a text that is no number."""
    found: dict[str, object] = {}
    for field in form.fields:
        text = typed.get(field.name, "").strip()
        if not text:
            continue
        if field.kind == "integer":
            found[field.name] = whole(text, field.label)
        elif field.kind == "number":
            found[field.name] = decimal(text, field.label)
        elif field.kind == "switch":
            found[field.name] = text == "true"
        else:
            found[field.name] = text
    return found


def whole(text: str, label: str) -> int:
    """A whole number. ScenarioError for anything else."""
    digits = text.strip().removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 12:
        raise ScenarioError(input_forms_texts.no_whole_number(label, text))
    return int(text)


def decimal(text: str, label: str) -> float:
    """A number, not an infinite one. ScenarioError for anything else."""
    try:
        value = float(text)
    except ValueError:
        raise ScenarioError(input_forms_texts.no_number(label, text)) from None
    if not -1e9 < value < 1e9:
        raise ScenarioError(input_forms_texts.no_number(label, text))
    return value


def resource(given: str | Mapping[str, object] | Resource, label: str = "resources") -> Resource:
    """Amounts as text or as a dict of texts. ScenarioError if there are none or one cannot be read."""
    if isinstance(given, Resource):
        return given
    if not isinstance(given, str) and not (isinstance(given, Mapping) and all(map(is_text, given))):
        raise ScenarioError(input_forms_texts.no_amounts(label, phrase(given)))
    try:
        found_texts = read_amounts(given) if isinstance(given, str) else {name: str(each) for name, each in given.items()}
        found = Resource({name: parse_quantity(text, name) for name, text in found_texts.items()})
    except (QuantityError, ConfigError) as error:
        raise ScenarioError(input_forms_texts.no_amounts(label, str(getattr(error, "text", error)))) from None
    if not found:
        raise ScenarioError(input_forms_texts.no_amounts(label, NO_AMOUNT_GIVEN))
    return found


def names(name: str, repeat: int, label: str) -> list[str]:
    """One name, or so many numbered ones, as in a scenario file. ScenarioError for no name or a wild number."""
    if not is_text(name) or not name:
        raise ScenarioError(texts.name_missing(label))
    if not is_whole(repeat, -(2**63), 2**63):
        raise ScenarioError(input_forms_texts.no_whole_number("repeat", repeat))
    if not 1 <= repeat <= MOST_REPEATS:
        raise ScenarioError(input_forms_texts.wild_repeat(repeat, MOST_REPEATS))
    return [name] if repeat == 1 else [f"{name}-{number:03d}" for number in range(repeat)]


COLUMNS = ("app", "key", "queue", "user", "priority", "repeat", "at")
"""Columns of a table of requests that are no resource; every other column is one, such as vcore."""


def instant_ms(seconds: float, now_ns: int, label: str = AT_LABEL) -> int:
    """A time that is still to come, in seconds since the start, as whole milliseconds. ScenarioError for any other."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= MOST_SECONDS:
        raise ScenarioError(input_forms_texts.no_number(label, str(seconds)))
    found = round(seconds * 1000)
    if found * MS_NS <= now_ns:
        raise ScenarioError(input_forms_texts.time_has_come(label, found * MS_NS, now_ns))
    return found


def table_commands(text: str, known: Sequence[str], *, now_ns: int = 0, source: str | None = None) -> list[Command | Planned]:
    """The requests of a table with a header line, comma-separated; apps that are not `known` are submitted first.

    Requests with something under `at` wait for that time, in seconds. ScenarioError with the line for a column or value that
    cannot be read.
    """
    rows = records(text, source=source, blanks=True)
    _, first = next(rows, (1, []))
    head = [column.strip() for column in first]
    if "app" not in head or "key" not in head:
        raise ScenarioError(TABLE_HEAD, line=1, source=source)
    submitted = set(known)
    found: list[Command | Planned] = []
    for line, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        try:
            if len(cells) != len(head):
                raise ScenarioError(input_forms_texts.cells(len(cells), len(head)))
            row = dict(zip(head, (cell.strip() for cell in cells)))
            made = _row_commands(row, submitted, now_ns)
            for each in (made[0], made[-1]):  # those between differ in a number only
                check_input(each.command if isinstance(each, Planned) else each)
            found += made
            if len(found) > MOST_EVENTS:
                raise ScenarioError(input_forms_texts.too_many_inputs(MOST_EVENTS))
        except ScenarioError as error:
            error.line, error.source = line, source
            raise
        except CommandError as error:
            raise ScenarioError(str(error), line=line, source=source) from None
    return found


def _row_commands(row: Mapping[str, str], submitted: set[str], now_ns: int) -> Sequence[Command | Planned]:
    app = row["app"]
    what = resource({name: text for name, text in row.items() if name not in COLUMNS and text})
    keys = names(row["key"], whole(row.get("repeat") or "1", "repeat"), "key")
    if not app:
        raise ScenarioError(texts.name_missing("app"))
    found: list[Command] = []
    if app not in submitted:
        submitted.add(app)
        spec = ApplicationSpec(id=app, queue=row.get("queue", ""), user=row.get("user") or "nobody")
        found.append(AddApplication(application=spec))
    priority = whole(row.get("priority") or "0", "priority")
    found += [AddAsk(ask=AskSpec(application_id=app, key=key, resource=what, priority=priority)) for key in keys]
    if not row.get("at"):
        return found
    at = decimal(row["at"], "at")
    if at == 0:  # now
        return found
    at_ms = instant_ms(at, now_ns, "at")
    return [Planned(at_ms, command) for command in found]


_SAID: Mapping[type, str] = {
    commands.AddNode: "add_node",
    commands.UpdateNode: "update_node",
    commands.DrainNode: "drain_node",
    commands.UndrainNode: "undrain_node",
    commands.RemoveNode: "remove_node",
    commands.AddApplication: "add_app",
    commands.RemoveApplication: "remove_app",
    commands.AddAsk: "add_ask",
    commands.AddAllocation: "add_allocation",
    commands.Release: "release",
    commands.UpdateConfig: "update_config",
    AdvanceMs: "advance_ms",
    Until: "until_ns",
    Schedule: "schedule",
}


def described(command: object) -> tuple[str, str, str]:
    """(kind, name, details) of an input, for a table."""
    return _SAID.get(type(command), type(command).__name__), *input_forms_texts.input_details(command)


def _happened(command: object, refused: Refused) -> str:
    why = _refusal(command, refused)
    return input_forms_texts.was_refused(why) if why else input_forms_texts.HAPPENED


def _refusal(command: object, refused: Refused) -> str:
    """Why the scheduler refused that input; "" if it did not."""
    match command:
        case commands.AddApplication(application=spec):
            return refused.applications.get(spec.id, "")
        case commands.AddAsk(ask=ask):
            return refused.requests.get((ask.application_id, ask.key), "")
        case commands.AddNode(node_id=id):
            return refused.nodes.get(id, "")
        case _:
            return ""


def table(simulation: Simulation, refused: Refused = NOTHING_REFUSED) -> Table:
    """Everything that was put in, in order, as a table; inputs with a time of their own come last, by their time.

    With what the scheduler has `refused`, each of these rows says why.
    """
    rows = [
        (str(index + 1), *described(event.command), _happened(event.command, refused) if happened else AHEAD)
        for index, event, happened in study.inputs(simulation)
    ]
    for index, each in enumerate(simulation.planned):
        has_happened = index < simulation.planned_played
        why = _refusal(each.command, refused) if has_happened else ""
        state = input_forms_texts.planned_state(each.at_ms * MS_NS, has_happened, why)
        rows.append((str(len(rows) + 1), *described(each.command), state))
    return Table(
        INPUT_CAPTION,
        INPUT_COLUMNS,
        tuple(rows),
        frozenset({INPUT_COLUMNS[0]}),
        tuple(("input", number) for number in range(1, len(rows) + 1)),
        texts.NO_INPUTS,
    )
