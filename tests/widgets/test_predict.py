"""Predictions (section 5, `predict`): the ranking is covered, an answer takes the step and is scored. With and without a screen."""

from __future__ import annotations

import pytest
from picture_scenes import preempting

from workbench import Workbench
from workbench.bench import prediction, texts
from workbench.bench.prediction import Score


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


# ---- on the screen ------------------------------------------------------------------------------------------------


def test_the_screen_covers_ranks_pictures_and_why(bench):
    screen = bench.screen
    open_ranks = [row["rank"] for row in screen.tree.rows]
    assert any(open_ranks)
    screen.predicting.ask.click()
    assert not any(row["rank"] for row in screen.tree.rows)
    assert not any("next" in fact for row in screen.tree.rows for fact in [row["label"]])
    assert screen.why.text.splitlines()[0] == texts.PREDICT_QUESTION
    assert screen.picture.captions["path"].text == texts.COVERED_PICTURE
    assert screen.picture.figures["path"].layout.display == "none"
    assert screen.tables.tabs["pending"].widget.columns == list(prediction.COVERED_COLUMNS)
    assert screen.predicting.answer.disabled
    assert screen.predicting.ask.layout.display == "none"


def test_the_tree_shows_no_priority_during_a_blind_question(bench):
    screen = bench.screen
    bench.predict(blind=True)
    assert {row["value"] for row in screen.tree.rows} == {texts.COVERED_NEXT}
    assert not any("1001" in row["label"] or "1001" in row["title"] for row in screen.tree.rows)
    bench.reveal()
    assert screen.tree.rows[0]["value"] == "10"


def test_a_covered_picture_has_no_controls(bench):  # nor empty ones: those of a picture that was never drawn
    bench.picture("usage")
    bench.predict()
    control = bench.screen.picture.controls["usage"]["resource"]
    assert control.layout.display == "none"
    bench.reveal()
    bench.uncover()
    assert control.layout.display is None
    assert control.value == "vcore"


def test_selecting_a_queue_and_pressing_answer_takes_the_step(bench):
    screen = bench.screen
    screen.predicting.ask.click()
    screen.tree.selected = "root.system.system-high"
    assert bench.simulation.position == 0  # moving through the tree is no answer
    assert screen.predicting.answer.description == "Answer: system-high"
    screen.predicting.answer.click()
    assert bench.simulation.position == 1
    assert bench.score == Score(1, 1)
    assert "Right." in screen.status.text
    assert not screen.predicting.uncover.layout.display
    screen.predicting.uncover.click()
    assert screen.predicting.uncover.layout.display == "none"
    assert screen.picture.figures["path"].layout.display is None
    assert screen.why.text.splitlines()[0] == "P10 of app system-normal is next, on node-1."


def test_the_steps_ahead_on_the_rail_are_not_named_while_a_prediction_is_asked_for(bench):
    screen = bench.screen
    bench.run()
    bench.goto(2)
    assert len(screen.bar.rail.labels) == 11 == screen.bar.rail.recorded
    bench.predict()
    assert list(screen.bar.rail.labels) == ["P1", "P10"]
    assert screen.bar.rail.recorded == 2
    screen.predicting.reveal.click()
    assert bench.simulation.position == 3
    assert len(screen.bar.rail.labels) == 3
    bench.uncover()
    assert len(screen.bar.rail.labels) == 11


def test_the_screen_asks_for_victims_and_takes_the_selected_queue():
    bench = Workbench(preempting())
    screen = bench.screen
    bench.predict(ask="victims")
    assert screen.why.text.splitlines()[:1] == [texts.PREDICT_VICTIMS]
    bench.select("root.team.guest")
    screen.predicting.answer.click()
    assert "Right. " in bench.status.text


def test_the_nodes_are_shown_by_name_while_a_prediction_is_asked_for():
    bench = Workbench.example("node-weights")
    assert bench.table("nodes").splitlines()[1].split()[:2] == ["1", "n2"]
    bench.screen.tables.bring("nodes")
    bench.predict()
    assert [line.split()[0] for line in bench.table("nodes").splitlines()] == ["node", "n1", "n2", "n3"]
    assert "score" not in bench.table("nodes") and "rank" not in bench.table("nodes")
    assert bench.screen.tables.tabs["nodes"].widget.columns == list(prediction.COVERED_NODE_COLUMNS)
    assert bench.predict("n2").startswith("Right.")
    bench.uncover()
    assert "score" in bench.screen.tables.tabs["nodes"].widget.columns


def test_why_says_whether_the_answer_was_right_and_nothing_of_what_is_next_until_something_else_happens(bench):
    screen = bench.screen
    bench.predict()
    bench.predict("P9")
    bench.predict("P9")
    assert screen.why.text.splitlines()[:2] == [
        "Not P9. P1 of app system-high was placed on node-1.",
        "root: system (1001) before tenants (0).",
    ]
    assert screen.why.text.splitlines()[-1] == texts.COVERED_AFTER_ANSWER
    assert screen.picture.captions["path"].text == texts.COVERED_AFTER_ANSWER
    bench.select(request="P10")
    assert "P10 of app system-normal" not in screen.why.text
    bench.step()
    assert "Not P9" not in screen.why.text
    assert "P2 of app system-normal is next" in screen.why.text
    bench.predict()
    assert screen.why.text.splitlines()[0] == texts.PREDICT_QUESTION


def chosen(bench: Workbench) -> list[str]:
    return [value for _, value in bench.screen.predicting.choice.options]


def test_requests_a_parent_and_nothing_can_be_answered_on_the_screen(bench):
    tools = bench.screen.predicting
    bench.predict(ask="request")
    assert chosen(bench)[:4] == ["", "P1", "P10", "P2"]
    assert {"child-a-1/P8", "child-b-2/P8", "root.system", "nothing"} <= set(chosen(bench))
    for answer, told in (("root.system", "is not exact enough"), ("nothing", "Not nothing."), ("P1", "Right.")):
        tools.choice.value = answer
        tools.answer.click()
        assert told in bench.status.text
    assert bench.simulation.position == 1


def test_the_list_of_answers_tells_nothing_and_is_that_of_the_level(bench):
    assert bench.screen.predicting.choice.value == ""
    bench.predict(ask="request")
    assert [key for key in chosen(bench) if key.startswith("P")] == "P1 P10 P2 P3 P5 P6 P4 P9 P7".split()
    bench.predict(ask="node")
    assert chosen(bench) == ["", "node-1", "nothing"]
    bench.predict(ask="victims")
    assert chosen(bench)[:3] == ["", "nothing", "root.system"]


def test_what_is_selected_is_chosen_and_what_was_chosen_stays_until_then(bench):
    tools = bench.screen.predicting
    bench.predict(ask="request")
    tools.choice.value = "P9"
    bench.screen.redraw()
    assert tools.choice.value == "P9" and tools.answer.description == "Answer: P9"
    bench.select(request="P8", application="child-b-2")
    assert tools.choice.value == "child-b-2/P8"
    bench.select("root.tenants")
    assert tools.answer.description == "Answer: tenants"


def test_the_reply_to_a_wrong_answer_stands_in_why_until_the_next(bench):
    screen = bench.screen
    bench.predict(ask="request")
    bench.predict("P10")
    assert screen.why.text.splitlines() == [
        "Which request is next?",
        "Not P10.",
        "P10 would be next if no queue had an offset. An offset is added at every queue on the way up.",
        "One more try: the question stays open.",
    ]
    bench.predict("P9")
    assert screen.why.text.startswith("Not P9. P1 of app system-high was placed")
