"""Inputs: applications, requests, gangs, nodes, drains, releases. Each verb is one undo entry and acts at the present step."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from workbench.errors import ScenarioError
from workbench.explain import catalogue
from workbench.resources import Resource
from workbench.scheduler.commands import (
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
from workbench.scheduler.events import ApplicationRejected, AskRejected, Event, NodeRejected
from workbench.simulation.scenario import Schedule, load_scenario
from workbench.widgets import input_forms, study, texts
from workbench.widgets.controller import call_of
from workbench.widgets.input_forms import names, resource
from workbench.widgets.verbs.edits import Edits

Amounts = str | Mapping[str, object] | Resource
"""Amounts as in a configuration: "vcore: 2, memory: 4Gi", or a dict of texts."""


class Inputs(Edits):
    """Verbs that put something into the cluster. What the scheduler rejects is said, and is an input all the same.

    All raise ScenarioError or CommandError, and change nothing, for input that makes no sense.
    """

    def apply(self, *commands: Command) -> tuple[Event, ...]:
        """Give commands to the scheduler now, such as `AddNode` or `AddAsk`, and return what they caused."""
        return self._input("wb.apply(...)", list(commands), texts.applied(len(commands)))

    def add_app(self, id: str, queue: str = "", user: str = "nobody", *, groups: str | tuple[str, ...] = (),
                placeholders: Amounts = "", gang_style: str = "", repeat: int = 1) -> tuple[Event, ...]:
        """Submit an application; `placeholders` makes it a gang that needs as much, `repeat` so many numbered ones."""
        call = call_of("add_app", id, queue, user, groups=groups, placeholders=placeholders, gang_style=gang_style,
                       repeat=repeat if repeat != 1 else None)
        listed = tuple(part.strip() for part in groups.split(",") if part.strip()) if isinstance(groups, str) else tuple(groups)

        def made() -> list[Command]:
            gang = resource(placeholders, "gang resources") if placeholders else None
            return [AddApplication(application=ApplicationSpec(id=name, queue=queue, user=user, groups=listed, placeholder_ask=gang,
                                                               gang_style=gang_style))
                    for name in names(id, repeat, "app")]

        return self._input(call, made, catalogue.submitted(id, repeat))

    def add_request(self, app: str, key: str, resources: Amounts, *, priority: int = 0, repeat: int = 1, queue: str = "",
                    user: str = "", task_group: str = "", placeholder: bool = False) -> tuple[Event, ...]:
        """Let an application ask for resources, `repeat` times. An application that does not exist is submitted to `queue`."""
        call = call_of("add_request", app, key, resources, priority=priority if priority else None,
                       repeat=repeat if repeat != 1 else None, queue=queue, user=user, task_group=task_group,
                       placeholder=placeholder)

        def made() -> list[Command]:
            if not app:
                raise ScenarioError(catalogue.name_missing("app"))
            what = resource(resources)
            first: list[Command] = [] if app in self.partition.applications else [
                AddApplication(application=ApplicationSpec(id=app, queue=queue, user=user or "nobody"))]
            return first + [AddAsk(ask=AskSpec(application_id=app, key=name, resource=what, priority=priority,
                                               task_group=task_group, placeholder=placeholder))
                            for name in names(key, repeat, "key")]

        return self._input(call, made, catalogue.asked(key, app, repeat))

    def add_gang(self, id: str, queue: str, members: int, resources: Amounts, *, user: str = "nobody",
                 gang_style: str = "Soft") -> tuple[Event, ...]:
        """Submit an application with so many placeholders of one task group, all of equal size."""
        call = call_of("add_gang", id, queue, members, resources, user=None if user == "nobody" else user,
                       gang_style=None if gang_style == "Soft" else gang_style)

        def made() -> list[Command]:
            what = resource(resources)
            keys = names(f"{id}-placeholder", members, "members")
            whole = Resource({name: amount * members for name, amount in what.items()})
            spec = ApplicationSpec(id=id, queue=queue, user=user, placeholder_ask=whole, gang_style=gang_style)
            return [AddApplication(application=spec),
                    *(AddAsk(ask=AskSpec(application_id=id, key=key, resource=what, task_group="group", placeholder=True))
                      for key in keys)]

        return self._input(call, made, catalogue.gang_submitted(id, members))

    def add_node(self, id: str, resources: Amounts, *, repeat: int = 1) -> tuple[Event, ...]:
        """Register a node, or so many numbered ones."""
        call = call_of("add_node", id, resources, repeat=repeat if repeat != 1 else None)

        def made() -> list[Command]:
            return [AddNode(node_id=name, capacity=resource(resources)) for name in names(id, repeat, "node")]

        return self._input(call, made, catalogue.node_added(id, repeat))

    def drain_node(self, id: str) -> tuple[Event, ...]:
        """Let a node take nothing new."""
        return self._input(call_of("drain_node", id), self._for_node(id, DrainNode), catalogue.node_drained(id))

    def undrain_node(self, id: str) -> tuple[Event, ...]:
        """Let a node take new work again."""
        return self._input(call_of("undrain_node", id), self._for_node(id, UndrainNode), catalogue.node_opened(id))

    def remove_node(self, id: str) -> tuple[Event, ...]:
        """Take a node away; what ran on it is released."""
        return self._input(call_of("remove_node", id), self._for_node(id, RemoveNode), catalogue.node_removed(id))

    def finish(self, app: str, key: str = "") -> tuple[Event, ...]:
        """Let one allocation of an application end, or without a key all it has and asks for."""
        def made() -> list[Command]:
            self._known_app(app)
            return [Release(application_id=app, key=key)]

        return self._input(call_of("finish", app, *([key] if key else [])), made, catalogue.finished(app, key))

    def remove_app(self, app: str) -> tuple[Event, ...]:
        """Take an application away with all it has."""
        def made() -> list[Command]:
            self._known_app(app)
            return [RemoveApplication(application_id=app)]

        return self._input(call_of("remove_app", app), made, catalogue.app_removed(app))

    def load_inputs(self, table: str | Path) -> tuple[Event, ...]:
        """Requests from a table (its text or the path of a .csv), or the inputs of a scenario file without its cycles.

        A table has a header: app, key, and the resources such as vcore; if wanted also queue, user, priority and repeat.
        """
        def made() -> list[Command]:
            known = tuple(self.partition.applications)
            if isinstance(table, str) and "\n" in table:
                return input_forms.table_commands(table, known)
            path = Path(table)
            if path.suffix.lower() == ".csv":
                try:
                    text = path.read_text(encoding="utf-8")
                except (OSError, UnicodeDecodeError) as error:
                    raise ScenarioError(f"cannot be read: {error}", source=str(path)) from None
                return input_forms.table_commands(text, known, source=path.name)
            return [event.command for event in load_scenario(path).events if not isinstance(event.command, Schedule)]

        return self._input(call_of("load_inputs", str(table)), made, None)

    def _for_node(self, id: str, command: type) -> list[Command]:
        return lambda: [command(node_id=self._known_node(id))]

    def _known_node(self, id: str) -> str:
        if id not in self.partition.nodes:
            raise ScenarioError(texts.no_such("node", id, sorted(self.partition.nodes)[:8]))
        return id

    def _known_app(self, id: str) -> None:
        if id not in self.partition.applications:
            raise ScenarioError(texts.no_such("application", id, sorted(self.partition.applications)[:8]))

    def _input(self, call: str, made, done: str | None) -> tuple[Event, ...]:
        """Apply the commands that `made` makes, all or none, as one undo entry."""
        before, ahead = self._study(), self._ahead
        with self._verb(call) as say:
            commands = made() if callable(made) else made
            self._turns = None
            events: tuple[Event, ...] = ()
            try:
                for command in commands:
                    events += self.simulation.apply(command)
            except Exception:
                if events:
                    self.simulation = study.at_once(before)
                raise
            self._remember(before)
            self._drop_lost_selection()
            refused = [event for event in events if isinstance(event, ApplicationRejected | AskRejected | NodeRejected)]
            told = f"{done if done is not None else texts.applied(len(commands))} {catalogue.steps_dropped(ahead)}".rstrip()
            say(f"{told} {catalogue.input_rejected(len(refused), refused[0].reason)}" if refused else told)
        return events
