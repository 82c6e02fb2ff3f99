"""Beside the sentences of Why stand buttons: what was tried and helps, and the time that has to pass; in the bar, Skip."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from workbench import Workbench


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("lessons/preemption")


def labels(bench: Workbench) -> list[str]:
    return [button.description for button in bench.screen.reasons.remedies.children]


def press(bench: Workbench, label: str) -> None:
    next(button for button in bench.screen.reasons.remedies.children if button.description == label).click()


def test_where_only_time_helps_why_lets_it_pass(bench):
    assert labels(bench) == ["Let 29.997 s pass"]
    press(bench, "Let 29.997 s pass")
    assert bench.simulation.preview().changed_something
    assert labels(bench) == []


def test_what_helps_the_selected_request_is_a_button_that_says_what_trying_showed(bench):
    bench.select(request="R2")
    assert labels(bench) == ["A further node with vcore 2", "Waiting for 29.997 s"]
    node = bench.screen.reasons.remedies.children[0]
    assert node.tooltip == "A further node with vcore 2 would make it the next (tried)."
    node.click()
    assert bench.simulation.preview().key == "R2" and bench.can_undo


def test_while_a_prediction_is_asked_for_nothing_is_offered(bench):
    bench.select(request="R2")
    bench.predict()
    assert labels(bench) == []


def test_the_bar_skips_to_what_comes_next(bench):
    bench.screen.bar.skip.click()
    assert bench.simulation.preview().changed_something and "have passed" in bench.status.text


def test_a_run_until_a_preemption_has_its_picture_and_its_reasons_in_front(bench):
    bench.screen.bar.until.value = "preemption"
    bench.screen.bar.press_run()
    assert bench.screen.picture.visible == "preemption"
    assert bench.screen.picture.captions["preemption"].text.startswith("Step 1: ")
    past = bench.screen.reasons.past.text
    assert past.startswith("Step 1: B3 was preempted") and "Spared: " in past and "rather than" in past
    assert "Step 1" not in bench.screen.why.text
