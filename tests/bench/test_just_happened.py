"""After a step Why tells what just happened and what is next, apart; a preemption is told with who was spared and why."""

from __future__ import annotations

import pytest

from workbench import Workbench, explain
from workbench.bench import reasons
from workbench.bench.pictures import PICTURES
from workbench.bench.present import present_of


def told(bench: Workbench, kind: str) -> list[str]:
    if kind == "past":
        return list(reasons.just_happened(bench, present_of(bench)))
    return [text for each, text in reasons.paragraphs(bench, present_of(bench))[0] if each == kind]


def picture(bench: Workbench, **chosen: str):
    return PICTURES["preemption"].data(present_of(bench), chosen)


@pytest.fixture
def bench() -> Workbench:
    bench = Workbench.example("lessons/preemption")
    bench.run_until("preemption")
    return bench


def test_what_just_happened_stands_apart_from_what_is_next():
    bench = Workbench.example("multitenancy")
    assert told(bench, "past") == []
    bench.step()
    assert told(bench, "past") == ["Step 1: P1 of app system-high was placed on node-1."]
    assert told(bench, "title") == ["P10 of app system-normal is next, on node-1."]
    bench.back()
    assert told(bench, "past") == []


def test_a_preemption_is_told_with_its_victim_who_was_spared_and_why_this_one(bench):
    assert told(bench, "past") == [
        "Step 1: B3 was preempted on node-1 to make room for R2 of app red-report.",
        "Victim B3 of app blue-model: root.company.blue holds vcore 6 before and vcore 4 after, of vcore 4 guaranteed.",
        "Spared: 2 within their guarantee, 1 not needed, 1 in its own queue and 1 of a higher priority.",
        "B3 rather than G1: the other one has opted out of being preempted, and such go last.",
    ]


def test_one_that_opted_out_goes_after_one_that_did_not():
    bench = Workbench.example("documented/preemption-law-1")
    bench.run_until("preemption")
    assert "Spared: 7 not needed." in told(bench, "past")
    assert told(bench, "past")[-1].startswith("plain-003 rather than plain-000: ")


def test_the_run_stops_on_the_preemption_with_its_picture_in_front(bench):
    assert bench.simulation.steps[bench.simulation.position - 1].decision.victims == ("B3",)
    assert bench.wanted_picture[0] == "preemption"
    assert picture(bench).sentence == "Step 1: For R2 in red, 1 allocation of blue is stopped"


@pytest.mark.parametrize("stage", ["candidates", "chosen", "result"])
def test_all_stages_tell_of_the_step_that_was_taken(bench, stage):
    data = picture(bench, stage=stage)
    assert data.sentence.startswith("Step 1: ") and "R2" in data.sentence
    assert {block.what for block in data.blocks} & {"candidate", "taken", "gone"}


def test_looking_at_the_step_that_was_taken_leaves_everything_as_it_is(bench):
    before = bench.simulation.digest(), bench.simulation.instant, bench.simulation.preview()
    picture(bench)
    told(bench, "past")
    bench.table("preemption")
    assert (bench.simulation.digest(), bench.simulation.instant, bench.simulation.preview()) == before


def test_after_a_further_step_the_next_attempt_is_shown_again(bench):
    bench.step()
    assert bench.preempted is None
    assert not picture(bench).sentence.startswith("Step")


def test_where_the_next_step_tries_to_preempt_as_well_either_can_be_chosen():
    bench = Workbench.example("documented/preemption-slow-ends")
    bench.run_until("preemption")
    assert explain.attempts(bench.simulation.preview())
    choices = PICTURES["preemption"].options["of"].choices(present_of(bench))
    assert list(choices) == ["last", "next"]
    assert picture(bench).sentence.startswith("Step") and not picture(bench, of="next").sentence.startswith("Step")


def test_the_table_of_preemption_tells_of_the_step_that_was_taken(bench):
    assert "taken" in str(bench.table("preemption")) and "B3" in str(bench.table("preemption"))


def test_a_selected_request_stays_selected_and_is_told_when_it_is_preempted():
    bench = Workbench.example("lessons/preemption")
    bench.select(request="B3")
    bench.run_until("preemption")
    bench.step()
    assert bench.selected_request == ("blue-model", "B3")
    assert "B3 of app blue-model was preempted in step 1, for R2 of app red-report." in told(bench, "title")


def test_a_quota_that_is_enforced_tells_of_its_victims():
    bench = Workbench.example("documented/quota-enforced")
    bench.run_until("preemption")
    assert "because root" in told(bench, "past")[0] and "pod-004 and pod-003 were preempted" in told(bench, "past")[0]
