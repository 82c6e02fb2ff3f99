"""What can be done with a served simulation, and asked about it, below `/workbench/v1`: a table of them (RE-40).

Each is a verb of the bench, with what it is given, so that the sentence and the refusal are those of the screen and of Python.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Union

from workbench.bench.controller import BUSY
from workbench.bench.workbench import Workbench
from workbench.files.reading import decoded
from workbench.server.served import Served
from workbench.server.standing import decided, happened, place, standing
from workbench.simulation.scenario import parse_inputs, scenario_to_dict, scenario_to_yaml
from workbench.values.errors import CommandError, ConfigError, ScenarioError
from workbench.values.found import found as phrase

PREFIX = "/workbench/v1/"
MOST_WAITING = 100
"""Requests that wait are told with their reasons, unless `waiting=N` asks for more or fewer."""

INTEGER, NUMBER, TEXT = "integer", "number", "string"
KINDS: Mapping[str, tuple[type, ...]] = {INTEGER: (int,), NUMBER: (int, float), TEXT: (str,)}


class Busy(CommandError):
    """Something is under way, and only one thing is done at a time."""


@dataclass(frozen=True, slots=True)
class Field:
    """Something that a request may give: in the body of a POST, in the address of a GET."""

    name: str
    kind: str
    about: str
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Plain:
    """An answer that is no JSON."""

    content_type: str
    text: str


Given = dict[str, Any]
Result = Union[dict[str, Any], Plain]


@dataclass(frozen=True, slots=True)
class Action:
    """One line of the table.

    Attributes:
        method, name: of the request, the name below `/workbench/v1/`.
        about: what it does, in a sentence.
        act: does it.
        fields: what can be given.
        body: what the whole body is, where it is no object with fields.
    """

    method: str
    name: str
    about: str
    act: Callable[[Served, Given, bytes], Awaitable[Result]]
    fields: tuple[Field, ...] = ()
    body: str = ""


# ---- moving -----------------------------------------------------------------------------------------------------------


async def _moved(served: Served, do: Callable[[Workbench], Any]) -> dict[str, Any]:
    """Carry out a verb that is done at once; where that led, and the decision if it made one."""

    def carried_out() -> dict[str, Any]:
        bench = served.bench
        _free(bench)
        made = do(bench)
        return {**place(bench), **({"decision": decided(made)} if hasattr(made, "outcome") else {})}

    return await served.in_turn(carried_out)


async def _worked(served: Served, verb: Callable[..., Any], *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Carry out a verb that may take long, bit by bit, so that others are answered meanwhile; where it led."""
    bench = served.bench

    def begun() -> None:
        _free(bench)
        bench.player.start(verb.work(bench, *args, **kwargs))  # type: ignore[attr-defined]

    await served.in_turn(begun)
    await bench.player.ended()
    return await served.in_turn(lambda: place(bench))


def _free(bench: Workbench) -> None:
    if bench.player.busy:
        raise Busy(BUSY)


async def _step(served: Served, given: Given, body: bytes) -> Result:
    return await _moved(served, lambda bench: bench.step())


async def _cycle(served: Served, given: Given, body: bytes) -> Result:
    return await _moved(served, lambda bench: bench.cycle())


async def _advance(served: Served, given: Given, body: bytes) -> Result:
    return await _moved(served, lambda bench: bench.advance(given["seconds"]))


async def _back(served: Served, given: Given, body: bytes) -> Result:
    return await _moved(served, lambda bench: bench.back(given.get("n", 1)))


async def _reset(served: Served, given: Given, body: bytes) -> Result:
    return await _moved(served, lambda bench: bench.reset())


async def _goto(served: Served, given: Given, body: bytes) -> Result:
    return await _worked(served, Workbench.goto, given["n"])


async def _run(served: Served, given: Given, body: bytes) -> Result:
    if "until" not in given:
        return await _worked(served, Workbench.run, given.get("max_steps"))
    if "max_steps" in given:
        raise CommandError("run takes max_steps or until, not both")
    return await _worked(served, Workbench.run_until, given["until"], given.get("argument", ""))


async def _stop(served: Served, given: Given, body: bytes) -> Result:
    served.bench.stop()
    return place(served.bench)


async def _undo(served: Served, given: Given, body: bytes) -> Result:
    return await _worked(served, Workbench.undo)


async def _redo(served: Served, given: Given, body: bytes) -> Result:
    return await _worked(served, Workbench.redo)


# ---- putting in -------------------------------------------------------------------------------------------------------


async def _inputs(served: Served, given: Given, body: bytes) -> Result:
    commands = parse_inputs(decoded(body, error=ScenarioError))

    def put_in() -> dict[str, Any]:
        _free(served.bench)
        events = served.bench.apply(*commands)
        return {**place(served.bench), "events": happened(events)}

    return await served.in_turn(put_in)


async def _put_config(served: Served, given: Given, body: bytes) -> Result:
    text, file = decoded(body, error=ConfigError), served.file
    if file is None:
        return {**await _worked(served, Workbench.reload, text), "written": None}
    if body != text.encode("utf-8"):
        raise ConfigError("the file is written in UTF-8 without a byte order mark", hint="send the text so")
    file.check()
    told = await _worked(served, Workbench.reload, text, path=file.path)
    file.written(body)
    return {**told, "written": file.path.name}


# ---- asking -----------------------------------------------------------------------------------------------------------


async def _state(served: Served, given: Given, body: bytes) -> Result:
    most = given.get("waiting", MOST_WAITING)
    if most < 0:
        raise CommandError(f"waiting is a number of requests, not {most}")
    return await served.in_turn(lambda: standing(served.bench, served.waiting(), most))


async def _why(served: Served, given: Given, body: bytes) -> Result:
    def told() -> dict[str, Any]:
        sentences = served.bench.why(given.get("request"), application=given.get("application"), step=given.get("step"))
        return {"sentences": str(sentences).splitlines()}

    return await served.in_turn(told)


async def _scenario(served: Served, given: Given, body: bytes) -> Result:
    form = given.get("format", "json")
    if form not in ("json", "yaml"):
        raise CommandError(f"a scenario is given as json or yaml, not as {phrase(form)}")
    scenario = await served.in_turn(lambda: served.bench.study().scenario)
    return scenario_to_dict(scenario) if form == "json" else Plain("application/yaml; charset=UTF-8", scenario_to_yaml(scenario))


async def _get_config(served: Served, given: Given, body: bytes) -> Result:
    return Plain("application/yaml; charset=UTF-8", await served.in_turn(lambda: str(served.bench.to_yaml())))


async def _openapi(served: Served, given: Given, body: bytes) -> Result:
    from workbench.server.openapi import described

    return described(ACTIONS)


ACTIONS: tuple[Action, ...] = (
    Action(
        "GET",
        "state",
        "Where the simulation stands, what comes next, and what waits and why.",
        _state,
        (Field("waiting", INTEGER, f"so many requests that wait are told; {MOST_WAITING} unless given"),),
    ),
    Action("POST", "step", "One decision that changes something.", _step),
    Action("POST", "cycle", "One whole scheduling cycle, even if it changes nothing.", _cycle),
    Action("POST", "advance", "Let simulated time pass.", _advance, (Field("seconds", NUMBER, "how much passes", True),)),
    Action("POST", "back", "Go back.", _back, (Field("n", INTEGER, "so many steps; 1 unless given"),)),
    Action("POST", "goto", "Go to a step, forwards or back.", _goto, (Field("n", INTEGER, "its number, 0 for the start", True),)),
    Action("POST", "reset", "Go to the start.", _reset),
    Action(
        "POST",
        "run",
        "Step until nothing more can be placed, or until something holds.",
        _run,
        (
            Field("max_steps", INTEGER, "at most so many"),
            Field("until", TEXT, "a condition of the bench, such as placed"),
            Field("argument", TEXT, "what the condition is about"),
        ),
    ),
    Action("POST", "stop", "End a run that is under way, after the step it is at.", _stop),
    Action("POST", "undo", "Take back the last edit or input.", _undo),
    Action("POST", "redo", "Make the last undone edit or input again.", _redo),
    Action("POST", "inputs", "Put in applications, requests, nodes: all of them or none.", _inputs, body="events"),
    Action("GET", "config", "The queues.yaml in force.", _get_config),
    Action(
        "PUT",
        "config",
        "Another queues.yaml, from now on, as on a live cluster; written back to the file that the server was started with.",
        _put_config,
        body="queues.yaml",
    ),
    Action(
        "GET",
        "why",
        "Why the next choice is what it is; why a request is not next; why a step was taken.",
        _why,
        (
            Field("request", TEXT, "the key of a request that waits"),
            Field("application", TEXT, "its application, where several have that key"),
            Field("step", INTEGER, "the number of a step"),
        ),
    ),
    Action(
        "GET",
        "scenario",
        "The design at the start with all inputs, as a scenario file.",
        _scenario,
        (Field("format", TEXT, "json, or yaml"),),
    ),
    Action("GET", "openapi.json", "What there is here, as an OpenAPI document.", _openapi),
)


def actions_at(name: str) -> dict[str, Action]:
    """Method -> what it does there; none for an address that is not there."""
    return {action.method: action for action in ACTIONS if action.name == name}


def given_in_body(action: Action, body: bytes) -> Given:
    """The fields in the body of a POST. CommandError for what the action does not take."""
    if action.body or not body.strip():
        return _checked(action, {})
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"the body is not valid JSON: {error}") from None
    if not isinstance(document, dict):
        raise CommandError(f"the body must be an object, found {phrase(document)}")
    return _checked(action, document)


def given_in_query(action: Action, query: Mapping[str, str]) -> Given:
    """The fields in the address of a GET. CommandError as `given_in_body`."""
    numbers = {each.name for each in action.fields if each.kind == INTEGER}
    return _checked(action, {name: _number(text) if name in numbers else text for name, text in query.items()})


def _number(text: str) -> object:
    return int(text) if text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 20 else text


def _checked(action: Action, given: Given) -> Given:
    known = {each.name: each for each in action.fields}
    for name, value in given.items():
        if name not in known:
            allowed = f"it takes {', '.join(known)}" if known else "it takes none"
            raise CommandError(f"{action.name} has no field {phrase(name)}; {allowed}")
        if not isinstance(value, KINDS[known[name].kind]) or isinstance(value, bool):
            raise CommandError(f"{action.name}: {name} must be of type {known[name].kind}, found {phrase(value)}")
    for each in action.fields:
        if each.needed and each.name not in given:
            raise CommandError(f"{action.name} needs the field {each.name}: {each.about}")
    return given
