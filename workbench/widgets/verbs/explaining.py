"""Selecting and explaining: what is looked at, why it comes next, why something else does not, tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench import explain
from workbench.errors import CommandError
from workbench.explain import catalogue
from workbench.explain.running import running
from workbench.explain.tables import with_cells_broken, without_empty_columns
from workbench.explain.use_over_time import series
from workbench.scheduler.state import Allocation, Application
from workbench.scheduler.tree import find
from workbench.simulation.waiting import Waiting
from workbench.widgets import forecast, input_forms, prediction, texts
from workbench.widgets.controller import Controller, Sentences, Text, call_of, quoted

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.widgets.workbench import Workbench

SENTENCE_WIDTH = 40
"""Letters of a sentence in a line of a table."""


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

    def why(self, request: str | None = None, *, application: str | None = None, step: int | None = None) -> Sentences:
        """Why the next choice is what it is; with `request`, why that one is not next; with `step`, why that step was taken.

        CommandError if there is no such waiting request or recorded step.
        """
        if request is not None:
            return self.why_not(request, application=application)
        if step is not None:
            return Sentences(explain.why(self.simulation.explain(step), done=True))
        return Sentences(explain.why(self.simulation.preview()))

    def what_changed(self, a: int | None = None, b: int | None = None) -> Text:
        """What differs between the states after steps `a` and `b`, as a table; without them, what the last step changed.

        The state stays as it is. CommandError if such a step was not taken.
        """
        return Text(explain.render(explain.change_rows(self.simulation, a, b, self.partition.name)))

    def why_not(self, request: str, *, application: str | None = None) -> Sentences:
        """Why a waiting request is not the next one, and what would help it. CommandError if no request of that key waits."""
        return Sentences("\n".join(self.why_not_sentences(self._waiting(request, application))))

    def why_placed(self, application: str) -> Sentences:
        """Why a submitted application went where it did, or was rejected, as of its submission. CommandError if there is none."""
        return Sentences(explain.why_placed(self.simulation.placement(application)))

    def rules_asked(self, application: str) -> Text:
        """Every placement rule that was asked for a submitted application, with what it came to. CommandError if there is none."""
        table = explain.rule_rows(self.simulation.placement(application))
        return Text(without_empty_columns(with_cells_broken(table, catalogue.RULE_COLUMNS[-1], SENTENCE_WIDTH)))

    def why_not_sentences(self, item: Waiting) -> tuple[str, ...]:
        """The same of one waiting ask, as sentences. What could help it is tried once in a state."""
        simulation = self.simulation
        instant = (id(simulation), simulation.position, simulation.now_ns, item.application.id, item.ask.key)
        if self._tried is None or self._tried[0] != instant:
            self._tried = instant, simulation.remedies(item)
        return explain.why_not(item, simulation.preview(), self._tried[1])

    def table(self, name: str = "pending") -> Text:
        """A table of the present state as stable plain text, by name (see `TABLES`); columns with nothing in them are left out."""
        if name not in TABLES:
            raise CommandError(texts.no_such("table", name, TABLES))
        return Text(without_empty_columns(TABLES[name](self)))

    def use_since(self, before: int, after: int | None = None, *, resource: str = "") -> Text:
        """What every queue used after two steps, `after` being the present one unless it is given, as stable plain text.

        CommandError if one of the steps does not exist.
        """
        last = self.simulation.position if after is None else after
        return Text(explain.render(explain.use_change_rows(self.simulation, before, last, resource or None, self.partition.name)))

    def figure(self, name: str = "path", *, dark: bool = False, width: int | None = None) -> go.Figure:
        """A picture of the present state as a plain plotly Figure, by name (see `PICTURES`). Needs plotly.

        Args:
            width: in pixels; None for that of the screen. Names that are cut short there may fit into more.
        """
        from workbench.plots.theme import DARK, LIGHT
        from workbench.widgets.pictures import PICTURES, present_of

        if name not in PICTURES:
            raise CommandError(texts.no_such("figure", name, PICTURES))
        kind = PICTURES[name]
        size = {} if width is None else {"width": width}
        return kind.figure(kind.data(present_of(self), self.pictures.get(name, {})), DARK if dark else LIGHT, **size)

    def picture(self, name: str, **options: str) -> None:
        """Bring a picture to the front, and choose what it shows: `picture("nodes")`, `picture("usage", resource="memory")`.

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
            if options:
                self.pictures = {**self.pictures, name: {**self.pictures.get(name, {}), **options}}
            self.wanted_picture = name, self.wanted_picture[1] + 1
            say(catalogue.drawn_with(PICTURES[name].title, options))


def preemption_table(workbench: Workbench) -> explain.Table:
    """What becomes of whom in the attempt that comes next: that of the selected request, else one that succeeds, else the first.
    Where there is none, or a prediction is asked for, what every queue uses against its guarantee."""
    tried = () if workbench.question_open else explain.attempts(workbench.simulation.preview())
    wanted = workbench.selected_request
    tried = sorted(tried, key=lambda each: ((each.ask.application_id, each.ask.key) != wanted, not each.succeeded))
    if tried:
        return explain.candidate_rows(tried[0])
    return explain.balance_rows(workbench.simulation.state, None, workbench.partition.name)


def pending_table(workbench: Workbench) -> explain.Table:
    """What waits, in ranking order; while a prediction is asked for, in the order of arrival."""
    waiting = workbench.simulation.waiting()
    return prediction.covered_table(waiting) if workbench.question_open else forecast.pending_table(waiting, workbench.turns)


def priority_table(workbench: Workbench) -> explain.Table:
    """What waits with what queues see of it, in the order of arrival; of a blind prediction only what waits."""
    made = prediction.covered_table if workbench.priorities_covered else prediction.priorities_table
    return made(workbench.simulation.waiting())


def queue_table(workbench: Workbench) -> explain.Table:
    """The queues, during a blind prediction without their priorities."""
    table = explain.queue_rows(workbench.simulation.state, workbench.partition.name)
    return prediction.without_priorities(table) if workbench.priorities_covered else table


def application_table(workbench: Workbench) -> explain.Table:
    """The applications, during a blind prediction without their priorities."""
    table = explain.application_rows(workbench.simulation.state, workbench.partition.name)
    return prediction.without_priorities(table) if workbench.priorities_covered else table


def shares_table(workbench: Workbench) -> explain.Table:
    """Who competes in the selected queue, else where the next choice is closest; covered while a prediction is asked for."""
    if workbench.question_open:
        return explain.Table(catalogue.COVERED_TABLE, (), (), empty=catalogue.COVERED_TABLE)
    simulation = workbench.simulation
    return explain.standing_rows(simulation.state, simulation.preview(), workbench.selected or None, workbench.partition.name)


def node_table(workbench: Workbench) -> explain.Table:
    """The nodes in the order of their policy; while a prediction is asked for, by name."""
    rows = prediction.covered_nodes if workbench.question_open else explain.node_rows
    return rows(workbench.simulation.state, workbench.partition.name)


def victims_table(workbench: Workbench) -> explain.Table:
    """Everything that runs, and whether the next attempt at preemption stops it or what protects it, in a word each; with a
    prediction open, nothing."""
    tried = () if workbench.question_open else explain.attempts(workbench.simulation.preview())
    if not tried:
        return explain.Table(catalogue.VICTIM_CAPTION, catalogue.VICTIM_COLUMNS, (),
                             empty=catalogue.COVERED_TABLE if workbench.question_open else catalogue.NOBODY_PREEMPTS)
    table = explain.victim_rows(next((each for each in tried if each.succeeded), tried[0]))
    kept = [table.columns.index(column) for column in catalogue.SHORT_VICTIM_COLUMNS]
    return replace(table, columns=catalogue.SHORT_VICTIM_COLUMNS, rows=tuple(tuple(row[at] for at in kept) for row in table.rows))


TABLES: Mapping[str, Callable[[Workbench], explain.Table]] = {
    "pending": pending_table,
    "priorities": priority_table,
    "running": lambda workbench: explain.running_rows(workbench.simulation.state, workbench.partition.name),
    "events": lambda workbench: explain.event_rows(workbench.simulation),
    "records": lambda workbench: explain.record_rows(workbench.simulation.preview()),
    "changes": lambda workbench: explain.change_rows(workbench.simulation, partition=workbench.partition.name),
    "inputs": lambda workbench: input_forms.table(workbench.simulation),
    "order": lambda workbench: explain.order_rows(workbench.simulation),
    "steps": lambda workbench: explain.step_rows(workbench.simulation),
    "queues": queue_table,
    "nodes": node_table,
    "balance": lambda workbench: explain.balance_rows(workbench.simulation.state, None, workbench.partition.name),
    "victims": victims_table,
    "applications": application_table,
    "states": lambda workbench: explain.state_rows(workbench.simulation.state, workbench.partition.name),
    "placements": lambda workbench: explain.placement_rows(workbench.simulation),
    "limits": lambda workbench: explain.limit_rows(workbench.simulation.state, workbench.partition.name),
    "settings": lambda workbench: explain.setting_rows(workbench.simulation.state, workbench.partition.name),
    "usage": lambda workbench: explain.usage_rows(workbench.simulation.state, None, workbench.partition.name),
    "preemption": preemption_table,
    "time": lambda workbench: explain.time_rows(series(workbench.simulation, workbench.partition.name)),
    "shares": shares_table,
    "headroom": lambda workbench: explain.headroom_rows(workbench.simulation.state, workbench.partition.name),
}
"""The tables of `Workbench.table`, by name."""


