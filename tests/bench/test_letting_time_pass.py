"""Where nothing can be allocated now, it is said that requests wait and when the scheduler looks anew; time passes up to there."""

from __future__ import annotations

import pytest

from workbench import CommandError, Workbench, explain
from workbench.bench import study


@pytest.fixture
def bench() -> Workbench:
    """R2, R3 and R4 wait for the delay of preemption, 30 s; two of them may then take from others."""
    return Workbench.example("lessons/preemption")


def test_a_run_that_takes_no_step_says_that_requests_wait(bench):
    bench.run()
    assert bench.status.text == (
        "Ran 0 steps; now at step 0, where nothing can be allocated and 3 requests wait. "
        "The scheduler looks anew in 29.997 s; Skip lets time pass."
    )


def test_skip_lets_time_pass_until_something_can_be_decided(bench):
    assert not bench.simulation.preview().changed_something
    assert bench.skip() > 0
    assert bench.simulation.preview().changed_something
    assert "have passed" in bench.status.text and "is next" in bench.status.text
    bench.undo()
    assert bench.simulation.now_ns == Workbench.example("lessons/preemption").simulation.now_ns


def test_skip_says_when_nothing_has_to_be_waited_for(bench):
    other = Workbench.example("multitenancy")
    now_ns = other.simulation.now_ns
    assert other.skip() == 0
    assert other.simulation.now_ns == now_ns and "Step does it" in other.status.text


def test_where_time_brings_nothing_none_passes():
    bench = Workbench.example("lessons/campus")
    bench.run()
    digest = bench.simulation.digest()
    assert bench.simulation.waiting()
    while bench.skip():
        bench.run()
    assert "Time alone brings nothing" in bench.status.text and "No time has passed" in bench.status.text
    digest = bench.simulation.digest()
    bench.skip()
    assert bench.simulation.digest() == digest


def test_a_run_until_something_is_preempted_lets_time_pass_and_stops_on_it(bench):
    bench.run_until("preemption")
    assert bench.simulation.steps[bench.simulation.position - 1].decision.victims
    assert "until something is preempted" in bench.status.text and "pass" in bench.status.text
    again = study.at_once(study.study_of(bench.simulation))
    assert again.digest() == bench.simulation.digest()
    bench.undo()
    assert bench.simulation.position == 0


def test_a_run_until_something_that_never_happens_ends_and_says_who_waits():
    bench = Workbench.example("documented/preemption-law-3")
    bench.run_until("preemption")
    assert "did not come to" in bench.status.text and "1 request waits" in bench.status.text
    assert "nothing is left" not in bench.status.text


def test_it_may_preempt_is_said_only_of_those_that_will(bench):
    told = {item.ask.key: "\n".join(bench.why_not_sentences(item)) for item in bench.simulation.waiting()}
    assert "Waiting for 29.997 s would let it stop others and be placed (tried)." in told["R2"]
    assert "Then, as things stand," not in told["R2"]
    assert (
        "Then, as things stand, it does not preempt: with vcore 2 queue root.company.red would be above its guarantee" in told["R4"]
    )
    assert "It may preempt" not in told["R4"]


def test_what_brings_room_that_others_take_is_said_with_who_takes_it(bench):
    last = bench.simulation.waiting()[-1]
    told = "\n".join(bench.why_not_sentences(last))
    assert "A further node with vcore 2 would serve R2 of app red-report first, and leave nothing for it (tried)." in told
    assert "Tried in vain" not in told


def test_what_helps_a_request_can_be_done_and_taken_back(bench):
    bench.apply_remedy("R2", "Waiting")
    assert bench.status.text == "Done: waiting for 29.997 s. Next is R2 of app red-report."
    bench.undo()
    bench.apply_remedy("R2")
    assert "further-node-1" in bench.partition.nodes
    bench.undo()
    assert "further-node-1" not in bench.partition.nodes


def test_what_was_not_found_to_help_is_refused_with_what_was(bench):
    with pytest.raises(CommandError, match="A further node with vcore 2 and Waiting for 29.997 s would"):
        bench.apply_remedy("R2", "An offset")
    with pytest.raises(CommandError, match="nothing was found that helps R4"):
        bench.apply_remedy("R4")


def test_an_edit_that_helps_takes_effect_as_edits_do():
    bench = Workbench.example("multitenancy")
    bench.run(max_steps=3)
    item = next(each for each in bench.simulation.waiting() if each.ask.key == "P9")
    change = next(each for each in bench.remedies_of(item) if each.config is not None)
    bench.apply_remedy("P9", explain.remedy_change(change))
    assert bench.config != Workbench.example("multitenancy").config
    assert "Done: " in bench.status.text
    bench.undo()
    assert bench.config == Workbench.example("multitenancy").config
