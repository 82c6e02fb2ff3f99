"""The lesson on limits and gangs: its exercise, and what its text says of the scenes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lessons.trying import assert_not_yet

from workbench import Workbench
from workbench.scheduler.records.commands import AddApplication
from workbench.simulation.scenario import example

LAB = "root.lab"
EVERYBODY = "- users: ['*']\n  maxresources: {vcore: 4}\n"
ADA = "- users: [ada]\n  maxresources: {vcore: 8}\n"
BEN = "- users: [ben]\n  maxresources: {vcore: 4}\n"
OTHERS = "- users: [ben]\n  maxresources: {vcore: 4}\n- users: [cleo]\n  maxresources: {vcore: 4}\n"


@pytest.mark.parametrize(
    "limits, at",
    [(ADA + EVERYBODY, LAB), (ADA + EVERYBODY, "root")],
    ids=["ada is named", "at root"],
)
def test_a_limit_for_ada_and_three_applications_solve_it(exercise, bench, limits, at):  # PL-102, R-427
    bench.set(LAB, "limits", None)
    bench.set(at, "limits", limits)
    bench.set(LAB, "maxapplications", 3)
    assert exercise.check(bench).startswith("Solved.")
    assert bench.simulation.position == 0


@pytest.mark.parametrize(
    "limits, applications, says",
    [
        (EVERYBODY, 1, "of the four placeholders P1, P2 got a place"),
        (EVERYBODY, 3, "of the four placeholders P1, P2 got a place"),
        (EVERYBODY.replace("4", "8"), 3, "ben holds 6 cores"),
        (None, 3, "ben holds 6 cores"),
        (ADA + EVERYBODY, 2, "C1 of cleo does not run"),
        (ADA + EVERYBODY, 0, "4 applications run at a time"),
        (ADA.replace("8", "6") + EVERYBODY, 3, "P1, P2, P3 got a place"),
        (BEN, 3, "Next week eve comes, and holds 8 cores"),
        (OTHERS, 3, "Next week eve comes, and holds 8 cores"),
    ],
    ids=[
        "as given",
        "applications alone",
        "more for everybody",
        "no limit",
        "two applications",
        "any number",
        "too little for ada",
        "ben alone is held back",
        "all but ada are named, and nobody else",
    ],
)
def test_what_does_not_solve_it_is_told_by_what_happens(exercise, bench, limits, applications, says):
    bench.set(LAB, "limits", limits)
    bench.set(LAB, "maxapplications", applications)
    assert_not_yet(exercise, bench, says)


# ---- the scenes of the text -----------------------------------------------------------------------------------------


def placed(bench: Workbench) -> list[str]:
    bench.run()
    return [step.decision.key for step in bench.simulation.steps]


def test_a_user_limit_and_the_number_of_applications_hold_up_what_has_room():  # PL-102, PL-126
    bench = Workbench.example("lessons/limits")
    assert placed(bench) == ["A1", "A2", "B1"]
    assert "user ada has 0 left in root.lab (4 of 4 used)" in bench.why_not("A3")
    assert "may run 2 applications: 2 running" in bench.why_not("C1")
    bench.set(LAB, "maxapplications", 3)
    assert placed(bench) == ["A1", "A2", "B1", "C1"]


def test_when_a_request_of_ada_ends_her_next_one_is_served():  # PL-128
    bench = Workbench.example("lessons/limits")
    bench.run()
    bench.finish("ada-simulation", "A1")
    assert placed(bench)[-1] == "A3"


def gang(style: str = "Soft", user_limit: str = "") -> Workbench:
    scenario = example("lessons/gang")
    events = tuple(
        replace(event, command=replace(event.command, application=replace(event.command.application, gang_style=style)))
        if isinstance(event.command, AddApplication) and event.command.application.placeholder_ask
        else event
        for event in scenario.events
    )
    bench = Workbench.from_scenario(replace(scenario, events=events))
    if user_limit:
        bench.set(LAB, "limits", f"- users: ['*']\n  maxresources: {{vcore: {user_limit}}}")
    return bench


def state(bench: Workbench, application: str = "training") -> str:
    known = [*bench.partition.applications.values(), *bench.partition.completed.values()]
    return next(each.state for each in known if each.id == application)


def test_placeholders_hold_the_room_until_the_gang_is_complete_and_are_replaced_then():
    bench = gang()
    assert placed(bench) == ["P1", "P2", "P3"]
    assert state(bench) == "Accepted"
    bench.finish("notebook")
    assert placed(bench)[-1] == "P4"
    assert state(bench) == "Running"
    bench.add_request("training", "T", "vcore: 2", repeat=4, task_group="workers")
    bench.run()
    assert [step.decision.outcome for step in bench.simulation.steps[4:]] == ["replaced"] * 4
    assert not any(each.placeholder for each in bench.partition.applications["training"].allocations.values())


@pytest.mark.parametrize("style, end", [("Soft", "Accepted"), ("Hard", "Failed")])
def test_after_the_time_is_over_the_room_is_free_again(style, end):
    bench = gang(style)
    bench.run()
    bench.advance(60)
    assert placed(bench)[-1] == "Q1"
    assert state(bench) == end


def test_what_is_asked_for_again_goes_without_a_gang():
    bench = gang()
    bench.run()
    bench.advance(60)
    bench.run()
    bench.add_request("training", "T", "vcore: 2", repeat=4, task_group="workers")
    assert placed(bench)[-2:] == ["T-000", "T-001"]


def test_a_gang_larger_than_a_user_limit_is_let_in_and_never_complete():  # R-702, PL-122
    bench = gang(user_limit="6")
    bench.finish("notebook")
    assert placed(bench) == ["P1", "P2", "P3", "Q1"]
    assert "user ada has 0 left" in bench.why_not("P4")
