"""Selecting and explaining: what is looked at, why it comes next, why something else does not, tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from workbench import explain
from workbench.errors import CommandError
from workbench.explain import catalogue
from workbench.explain.running import running
from workbench.scheduler.state import Allocation, Application
from workbench.scheduler.tree import find
from workbench.simulation.waiting import Waiting
from workbench.widgets import forecast, input_forms, prediction, texts
from workbench.widgets.controller import Controller, Text, call_of, quoted

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.widgets.workbench import Workbench


class Explaining(Controller):
    """Verbs that change nothing but the selection."""

    def select(self, path: str = "", *, request: str | None = None, application: str | None = None) -> None:
        """Select a queue by path, or a waiting or running request by its key (and application, if several have the key).

        Without arguments nothing is selected. CommandError if there is no such queue or request.
        """
        call = ", ".join([quoted(path)] if path else [f"{name}={quoted(value)}" for name, value in
                                                     (("request", request), ("application", application)) if value])
        with self._verb(f"wb.select({call})", repeats="wb.select(") as say:
            if request is not None:
                owner, ask = self._request(request, application)
                self.selected, self.selected_request = owner.queue_path, (owner.id, ask.key)
                say(texts.selected_request(owner.id, ask.key, self.selected))
            else:
                if path and find(self.partition, path) is None:
                    raise CommandError(f"there is no queue {path}")
                self.selected, self.selected_request = path, None
                say(texts.selected(path))

    def _drop_lost_selection(self) -> None:
        """A queue that is no longer there is not selected."""
        if self.selected and find(self.partition, self.selected) is None:
            self.selected, self.selected_request = "", None

    def _request(self, key: str, application: str | None) -> tuple[Application, Allocation]:
        """What waits under that key, else what runs."""
        known = [(item.application, item.ask) for item in self.simulation.waiting()] + list(running(self.partition))
        found = [pair for pair in known if pair[1].key == key and application in (None, pair[0].id)]
        if not found:
            raise CommandError(catalogue.no_request(key))
        return found[0]

    def _waiting(self, key: str, application: str | None) -> Waiting:
        found = [item for item in self.simulation.waiting()
                 if item.ask.key == key and application in (None, item.application.id)]
        if not found:
            raise CommandError(f"no request {key} is waiting")
        return found[0]

    def why(self, request: str | None = None, *, application: str | None = None, step: int | None = None) -> Text:
        """Why the next choice is what it is; with `request`, why that one is not next; with `step`, why that step was taken.

        CommandError if there is no such waiting request or recorded step.
        """
        if request is not None:
            return self.why_not(request, application=application)
        if step is not None:
            return Text(explain.why(self.simulation.explain(step), done=True))
        return Text(explain.why(self.simulation.preview()))

    def what_changed(self, a: int | None = None, b: int | None = None) -> Text:
        """What differs between the states after steps `a` and `b`, as a table; without them, what the last step changed.

        The state stays as it is. CommandError if such a step was not taken.
        """
        return Text(explain.render(explain.change_rows(self.simulation, a, b, self.partition.name)))

    def why_not(self, request: str, *, application: str | None = None) -> Text:
        """Why a waiting request is not the next one, and what would help it. CommandError if no request of that key waits."""
        return Text("\n".join(self.why_not_sentences(self._waiting(request, application))))

    def why_not_sentences(self, item: Waiting) -> tuple[str, ...]:
        """The same of one waiting ask, as sentences. What could help it is tried once in a state."""
        simulation = self.simulation
        instant = (id(simulation), simulation.position, simulation.now_ns, item.application.id, item.ask.key)
        if self._tried is None or self._tried[0] != instant:
            self._tried = instant, simulation.remedies(item)
        return explain.why_not(item, simulation.preview(), self._tried[1])

    def table(self, name: str = "pending") -> Text:
        """A table of the present state as stable plain text, by name (see `TABLES`)."""
        if name not in TABLES:
            raise CommandError(texts.no_such("table", name, TABLES))
        return Text(explain.render(TABLES[name](self)))

    def figure(self, name: str = "path", *, dark: bool = False) -> go.Figure:
        """A picture of the present state as a plain plotly Figure, by name (see `PICTURES`). Needs plotly."""
        from workbench.plots.theme import DARK, LIGHT
        from workbench.widgets.pictures import PICTURES, present_of

        if name not in PICTURES:
            raise CommandError(texts.no_such("figure", name, PICTURES))
        kind = PICTURES[name]
        return kind.figure(kind.data(present_of(self), self.pictures.get(name, {})), DARK if dark else LIGHT)

    def picture(self, name: str, **options: str) -> None:
        """Choose what a picture shows: `picture("usage", resource="memory")`, `picture("preemption", stage="result")`.

        CommandError if there is no such picture, option or, at present, value. Needs plotly.
        """
        from workbench.widgets.pictures import PICTURES, present_of

        repeats = f"wb.picture({quoted(name)}, {next(iter(options))}=" if len(options) == 1 else ""
        with self._verb(call_of("picture", name, **options), repeats=repeats) as say:
            if name not in PICTURES:
                raise CommandError(texts.no_such("picture", name, PICTURES))
            known, present = PICTURES[name].options, present_of(self)
            for option, value in options.items():
                if option not in known:
                    raise CommandError(texts.no_such("option", option, known))
                if value not in known[option].choices(present):
                    raise CommandError(texts.no_such(option, value, known[option].choices(present)))
            self.pictures = {**self.pictures, name: {**self.pictures.get(name, {}), **options}}
            say(catalogue.drawn_with(PICTURES[name].title, options))


def pending_table(workbench: Workbench) -> explain.Table:
    """What waits, in ranking order; while a prediction is asked for, in the order of arrival."""
    waiting = workbench.simulation.waiting()
    return prediction.covered_table(waiting) if workbench.question_open else forecast.pending_table(waiting, workbench.turns)


TABLES: Mapping[str, Callable[[Workbench], explain.Table]] = {
    "pending": pending_table,
    "priorities": lambda workbench: prediction.priorities_table(workbench.simulation.waiting()),
    "running": lambda workbench: explain.running_rows(workbench.simulation.state, workbench.partition.name),
    "events": lambda workbench: explain.event_rows(workbench.simulation),
    "records": lambda workbench: explain.record_rows(workbench.simulation.preview()),
    "changes": lambda workbench: explain.change_rows(workbench.simulation, partition=workbench.partition.name),
    "inputs": lambda workbench: input_forms.table(workbench.simulation),
    "order": lambda workbench: explain.order_rows(workbench.simulation),
    "steps": lambda workbench: explain.step_rows(workbench.simulation),
    "queues": lambda workbench: explain.queue_rows(workbench.simulation.state, workbench.partition.name),
    "nodes": lambda workbench: explain.node_rows(workbench.simulation.state, workbench.partition.name),
}
"""The tables of `Workbench.table`, by name."""


