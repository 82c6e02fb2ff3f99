"""While a prediction is asked for, no place of the workbench tells what comes next: for every question of every lesson.

A place tells something if it would say something else were the next decision another one. So each place is asked twice: as it
is, and with a simulation in which nothing is next and what waits stands in another order; and where the priorities of queues are to
be worked out, with other ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from io import StringIO

import pytest
from lessons.playing import LESSONS, questions

from workbench import CommandError, Workbench
from workbench.bench import texts
from workbench.bench.named_tables import COVERED_TABLE, TABLES
from workbench.bench.pictures import PICTURES
from workbench.bench.report import report_html
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.decision import Decision
from workbench.simulation.simulation import Simulation

Place = Callable[[Workbench], object]

ASKED: dict[str, Place] = {
    "the workbench in text": repr,
    "why": lambda bench: bench.why(),
    "why(request)": lambda bench: bench.why(bench.simulation.waiting()[0].ask.key),
    "why_not": lambda bench: bench.why_not(bench.simulation.waiting()[-1].ask.key),
    "why of the step": lambda bench: bench.why(step=bench.simulation.position + 1),
    "what_changed by the step": lambda bench: bench.what_changed(bench.simulation.position, bench.simulation.position + 1),
    "use_since": lambda bench: bench.use_since(bench.simulation.position, bench.simulation.position + 1),
    "what_changed": lambda bench: bench.what_changed(),
    "tree_text": lambda bench: bench.tree_text(),
    "report": report_html,
    "check": lambda bench: "\n".join(str(each) for each in bench.check()),
    **{f"table {name}": lambda bench, name=name: bench.table(name) for name in TABLES},
    **{
        f"figure {name}": lambda bench, name=name: json.dumps(bench.figure(name).to_plotly_json(), default=str) for name in PICTURES
    },
    **{f"picture {name} with an option": lambda bench, name=name: bench.picture(name, stage="result") for name in PICTURES},
}

REPLAYED = {"report", "what_changed", "table steps", "table changes", "table time", "figure time"}
"""What is found by going back in the simulation; of these it is asked in words whether they tell priorities."""


@contextmanager
def another_next(bench: Workbench) -> Iterator[None]:
    """Nothing is next, and what waits stands the other way round."""
    here, foreseen, of_class = bench.simulation.position, Simulation.preview, Simulation.waiting
    with pytest.MonkeyPatch.context() as patch:
        decision = Decision(1, bench.simulation.now_ns, bench.partition.name)

        def waiting(simulation: Simulation) -> tuple:
            found = of_class(simulation)[::-1]
            return tuple(replace(item, rank=rank, refusal=found[0].refusal) for rank, item in enumerate(found, 1))

        patch.setattr(Simulation, "preview", lambda sim: decision if sim.position == here else foreseen(sim))
        patch.setattr(Simulation, "ahead", lambda _simulation, _most: ())
        patch.setattr(Simulation, "waiting", waiting)
        bench.forget_turns()
        yield
    bench.forget_turns()


@contextmanager
def other_priorities(bench: Workbench) -> Iterator[None]:
    """Every queue shows another number. Nothing may be replayed meanwhile."""
    queues = [(queue, queue.priority) for queue in walk(bench.partition.root)]
    try:
        for queue, value in queues:
            queue.priority = value + 7
        yield
    finally:
        for queue, value in queues:
            queue.priority = value


def said(bench: Workbench, place: Place) -> str:
    try:
        with redirect_stdout(StringIO()):
            return str(place(bench))
    except CommandError as error:
        return f"refused: {error}"


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_place_that_is_asked_tells_what_is_next(lesson):
    for bench in questions(lesson):
        asked = {name: said(bench, place) for name, place in ASKED.items()}
        with another_next(bench):
            other = {name: said(bench, place) for name, place in ASKED.items()}
        assert bench.question_open
        if bench.priorities_covered:
            with other_priorities(bench):
                other |= {name: said(bench, ASKED[name]) for name in ASKED if name not in REPLAYED}
            assert bench.what_changed() == texts.COVERED_WHY
            assert bench.table("changes") == COVERED_TABLE
            assert not bench.simulation.position or all(line.endswith("?") for line in bench.table("steps").splitlines()[1:])
        assert "; ".join(name for name in ASKED if asked[name] != other[name]) == "", f"step {bench.simulation.position}"


def test_steps_that_were_taken_before_and_gone_back_from_tell_nothing_either():
    straight, been_there = Workbench.example("multitenancy"), Workbench.example("multitenancy")
    been_there.run()
    for bench in (straight, been_there):
        bench.goto(3)
        bench.predict()
    told = [name for name, place in ASKED.items() if said(straight, place) != said(been_there, place)]
    assert told == ["report"]  # which calls were made, bench.run() among them, is no secret


def test_a_place_that_tells_is_found_out():
    bench = Workbench.example("multitenancy")
    telling = {name: said(bench, ASKED[name]) for name in ("why", "figure order", "table records", "tree_text")}
    with another_next(bench):
        assert [name for name, text in telling.items() if text == said(bench, ASKED[name])] == []
