"""Inputs: applications, requests, gangs, nodes, drains, releases. Each verb is one undo entry.

It acts at the present step, or, given `at`, as soon as the simulated clock shows so many seconds; 0 is now. What the scheduler
rejects is said, and is an input all the same. All raise ScenarioError or CommandError, and change nothing, for input that makes no
sense.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from workbench.bench import input_forms, texts
from workbench.bench.controller import call_of
from workbench.bench.desk import Desk
from workbench.bench.input_forms import names, resource
from workbench.bench.verbs import inputs_texts
from workbench.files.reading import read_text
from workbench.scheduler.records.commands import (
    AddApplication,
    AddAsk,
    AddNode,
    ApplicationSpec,
    AskSpec,
    Command,
    DrainNode,
    Release,
    RemoveApplication,
    RemoveNode,
    UndrainNode,
)
from workbench.scheduler.records.events import ApplicationRejected, AskRejected, Event, NodeRejected
from workbench.simulation.driver import MS_NS
from workbench.simulation.scenario import AdvanceMs, Planned, Schedule, Until, load_scenario
from workbench.values.errors import CommandError, ScenarioError
from workbench.values.resources import Resource

Amounts = str | Mapping[str, object] | Resource
"""Amounts as in a configuration: "vcore: 2, memory: 4Gi", or a dict of texts."""

Given = Sequence[Command | Planned] | Callable[[], Sequence[Command | Planned]]
"""Commands, or what makes them once the verb has begun."""


def apply(desk: Desk, *commands: Command | Planned) -> tuple[Event, ...]:
    """Give commands to the scheduler now, such as `AddNode` or `AddAsk`, and return what they caused. Each may have a time."""
    return _input(desk, "bench.apply(...)", list(commands), None)


def add_app(
    desk: Desk,
    id: str,
    queue: str = "",
    user: str = "nobody",
    *,
    groups: str | tuple[str, ...] = (),
    placeholders: Amounts = "",
    gang_style: str = "",
    repeat: int = 1,
    at: float | None = None,
) -> tuple[Event, ...]:
    """Submit an application; `placeholders` makes it a gang that needs as much, `repeat` so many numbered ones."""
    call = call_of(
        "add_app",
        id,
        queue,
        user,
        groups=groups,
        placeholders=placeholders,
        gang_style=gang_style,
        repeat=repeat if repeat != 1 else None,
        at=at,
    )
    listed = tuple(part.strip() for part in groups.split(",") if part.strip()) if isinstance(groups, str) else tuple(groups)

    def made() -> list[Command]:
        gang = resource(placeholders, "gang resources") if placeholders else None
        return [
            AddApplication(
                application=ApplicationSpec(
                    id=name, queue=queue, user=user, groups=listed, placeholder_ask=gang, gang_style=gang_style
                )
            )
            for name in names(id, repeat, "app")
        ]

    return _input(desk, call, made, inputs_texts.submitted(id, repeat), at)


def add_request(
    desk: Desk,
    app: str,
    key: str,
    resources: Amounts,
    *,
    priority: int = 0,
    repeat: int = 1,
    queue: str = "",
    user: str = "",
    task_group: str = "",
    placeholder: bool = False,
    at: float | None = None,
) -> tuple[Event, ...]:
    """Let an application ask for resources, `repeat` times. An application that does not exist is submitted to `queue`."""
    call = call_of(
        "add_request",
        app,
        key,
        resources,
        priority=priority if priority else None,
        repeat=repeat if repeat != 1 else None,
        queue=queue,
        user=user,
        task_group=task_group,
        placeholder=placeholder,
        at=at,
    )

    def made() -> list[Command]:
        if not app:
            raise ScenarioError(texts.name_missing("app"))
        what = resource(resources)
        first: list[Command] = (
            []
            if app in _apps(desk, at)
            else [AddApplication(application=ApplicationSpec(id=app, queue=queue, user=user or "nobody"))]
        )
        return first + [
            AddAsk(
                ask=AskSpec(
                    application_id=app,
                    key=name,
                    resource=what,
                    priority=priority,
                    task_group=task_group,
                    placeholder=placeholder,
                )
            )
            for name in names(key, repeat, "key")
        ]

    return _input(desk, call, made, inputs_texts.asked(key, app, repeat), at)


def add_gang(
    desk: Desk,
    id: str,
    queue: str,
    members: int,
    resources: Amounts,
    *,
    user: str = "nobody",
    gang_style: str = "Soft",
    at: float | None = None,
) -> tuple[Event, ...]:
    """Submit an application with so many placeholders of one task group, all of equal size."""
    call = call_of(
        "add_gang",
        id,
        queue,
        members,
        resources,
        user=None if user == "nobody" else user,
        gang_style=None if gang_style == "Soft" else gang_style,
        at=at,
    )

    def made() -> list[Command]:
        what = resource(resources)
        keys = names(f"{id}-placeholder", members, "members")
        whole = Resource({name: amount * members for name, amount in what.items()})
        spec = ApplicationSpec(id=id, queue=queue, user=user, placeholder_ask=whole, gang_style=gang_style)
        return [
            AddApplication(application=spec),
            *(AddAsk(ask=AskSpec(application_id=id, key=key, resource=what, task_group="group", placeholder=True)) for key in keys),
        ]

    return _input(desk, call, made, inputs_texts.gang_submitted(id, members), at)


def add_node(desk: Desk, id: str, resources: Amounts, *, repeat: int = 1, at: float | None = None) -> tuple[Event, ...]:
    """Register a node, or so many numbered ones."""
    call = call_of("add_node", id, resources, repeat=repeat if repeat != 1 else None, at=at)

    def made() -> list[Command]:
        return [AddNode(node_id=name, capacity=resource(resources)) for name in names(id, repeat, "node")]

    return _input(desk, call, made, inputs_texts.node_added(id, repeat), at)


def drain_node(desk: Desk, id: str, *, at: float | None = None) -> tuple[Event, ...]:
    """Let a node take nothing new."""
    return _input(desk, call_of("drain_node", id, at=at), _for_node(desk, id, DrainNode, at), inputs_texts.node_drained(id), at)


def undrain_node(desk: Desk, id: str, *, at: float | None = None) -> tuple[Event, ...]:
    """Let a node take new work again."""
    return _input(desk, call_of("undrain_node", id, at=at), _for_node(desk, id, UndrainNode, at), inputs_texts.node_opened(id), at)


def remove_node(desk: Desk, id: str, *, at: float | None = None) -> tuple[Event, ...]:
    """Take a node away; what ran on it is released."""
    return _input(desk, call_of("remove_node", id, at=at), _for_node(desk, id, RemoveNode, at), inputs_texts.node_removed(id), at)


def finish(desk: Desk, app: str, key: str = "", *, at: float | None = None) -> tuple[Event, ...]:
    """Let one allocation of an application end, or without a key all it has and asks for."""

    def made() -> list[Command]:
        _known_app(desk, app, at)
        return [Release(application_id=app, key=key)]

    return _input(desk, call_of("finish", app, *([key] if key else []), at=at), made, inputs_texts.finished(app, key), at)


def remove_app(desk: Desk, app: str, *, at: float | None = None) -> tuple[Event, ...]:
    """Take an application away with all it has."""

    def made() -> list[Command]:
        _known_app(desk, app, at)
        return [RemoveApplication(application_id=app)]

    return _input(desk, call_of("remove_app", app, at=at), made, inputs_texts.app_removed(app), at)


def load_inputs(desk: Desk, table: str | Path) -> tuple[Event, ...]:
    """Requests from a table (its text or the path of a .csv), or the inputs of a scenario file without its cycles.

    A table has a header: app, key, and the resources such as vcore; if wanted also queue, user, priority, repeat and at.
    """

    def made() -> list[Command | Planned]:
        known = tuple(desk.partition.applications)
        if isinstance(table, str) and "\n" in table:
            return input_forms.table_commands(table, known, now_ns=desk.simulation.now_ns)
        path = Path(table)
        if path.suffix.lower() == ".csv":
            text = read_text(path, error=ScenarioError)
            return input_forms.table_commands(text, known, now_ns=desk.simulation.now_ns, source=path.name)
        scenario, now_ns = load_scenario(path), desk.simulation.now_ns
        given: list[Command | Planned] = []
        given += [event.command for event in scenario.events if not isinstance(event.command, Schedule | AdvanceMs | Until)]
        given += [each if each.at_ms * MS_NS > now_ns else each.command for each in scenario.planned]
        return given

    return _input(desk, call_of("load_inputs", str(table)), made, None)


def remove_input(desk: Desk, number: int) -> None:
    """Take back an input that is planned and has not happened, by its number in the table of inputs.

    CommandError if there is none of that number, or it has happened.
    """
    before = desk.study()
    with desk.verb(call_of("remove_input", number)) as say:
        simulation = desk.simulation
        index = number - 1 - len(simulation.inputs)
        if not simulation.planned_played <= index < len(simulation.planned):
            raise CommandError(inputs_texts.not_ahead(number))
        removed = simulation.planned[index]
        simulation.unplan(index)
        desk.forget_turns()
        desk.remember(before)
        say(inputs_texts.input_removed(*input_forms.described(removed.command)[:2], removed.at_ms * MS_NS))


def _for_node(
    desk: Desk, id: str, command: type[DrainNode | UndrainNode | RemoveNode], at: float | None
) -> Callable[[], list[Command]]:
    return lambda: [command(node_id=_known_node(desk, id, at))]


def _known_node(desk: Desk, id: str, at: float | None) -> str:
    known = set(desk.partition.nodes) | {each.node_id for each in _planned_until(desk, at) if isinstance(each, AddNode)}
    if id not in known:
        raise ScenarioError(texts.no_such("node", id, sorted(known)[:8]))
    return id


def _known_app(desk: Desk, id: str, at: float | None) -> None:
    known = _apps(desk, at)
    if id not in known:
        raise ScenarioError(texts.no_such("application", id, sorted(known)[:8]))


def _apps(desk: Desk, at: float | None) -> set[str]:
    """The applications that there are, and, for an input with a time, those that are planned for before it."""
    return set(desk.partition.applications) | {
        each.application.id for each in _planned_until(desk, at) if isinstance(each, AddApplication)
    }


def _planned_until(desk: Desk, at: float | None) -> list[Command]:
    ahead = desk.simulation.planned[desk.simulation.planned_played :]
    return [] if at is None else [each.command for each in ahead if each.at_ms <= at * 1000]


def _input(desk: Desk, call: str, made: Given, done: str | None, at: float | None = None) -> tuple[Event, ...]:
    """Apply the commands that `made` makes, now or at a time of their own, all or none, as one undo entry."""
    before, ahead = desk.study(), desk.ahead
    with desk.verb(call) as say:
        at_ms = None if at is None or _is_now(at) else input_forms.instant_ms(at, desk.simulation.now_ns)
        given = list(made() if callable(made) else made)
        if at_ms is not None:
            given = [each if isinstance(each, Planned) else Planned(at_ms, each) for each in given]
        planned = [each for each in given if isinstance(each, Planned)]
        desk.forget_turns()
        events: tuple[Event, ...] = ()
        for each in given:
            if isinstance(each, Planned):
                desk.simulation.plan(each.command, each.at_ms)
            else:
                events += desk.simulation.apply(each)
        desk.remember(before)
        desk.drop_lost_selection()
        refused = [event for event in events if isinstance(event, ApplicationRejected | AskRejected | NodeRejected)]
        told = [done if done is not None else texts.applied(len(given) - len(planned))] if len(planned) < len(given) else []
        if planned:
            told.append(inputs_texts.planned(len(planned), planned[0].at_ms * MS_NS, planned[-1].at_ms * MS_NS))
        told.append(texts.steps_dropped(ahead))
        if refused:
            told.append(inputs_texts.input_rejected(len(refused), _why_refused(desk, refused)))
        say(" ".join(filter(None, told)))
    return events


def _is_now(at: float) -> bool:
    """0 is no time that could be waited for: whoever gives it means now."""
    return isinstance(at, int | float) and not isinstance(at, bool) and at == 0


def _why_refused(desk: Desk, refused: Sequence[ApplicationRejected | AskRejected | NodeRejected]) -> str:
    """The true cause of the first of them, else the scheduler's own words."""
    known = desk.refused
    match refused[0]:
        case ApplicationRejected(application_id=id, reason=reason):
            return known.applications.get(id) or reason
        case AskRejected(key=key, application_id=id, reason=reason):
            return known.requests.get((id, key)) or reason
        case NodeRejected(reason=reason):
            return reason
