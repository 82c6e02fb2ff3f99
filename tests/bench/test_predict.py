"""Predictions (section 5, `predict`): the ranking is covered, an answer takes the step and is scored. With and without a screen."""

from __future__ import annotations

import pytest
from picture_scenes import preempting, same_keys

from workbench import CommandError, Workbench
from workbench.bench import named_tables, prediction, texts
from workbench.bench.prediction import Score


@pytest.fixture
def wb() -> Workbench:
    return Workbench.example("multitenancy")


# ---- in a script --------------------------------------------------------------------------------------------------


def test_a_question_covers_what_comes_next(wb):
    text = wb.predict()
    assert text.startswith(texts.PREDICT_QUESTION)
    assert wb.question_open
    assert "Next: ?" in repr(wb)
    table = wb.table("pending")
    assert table.splitlines()[0].split() == list(prediction.COVERED_COLUMNS)
    assert [line.split()[0] for line in table.splitlines()[1:]] == "P1 P10 P2 P3 P8 P5 P6 P4 P9 P7 P8".split()
    assert wb.simulation.position == 0


def test_the_table_of_priorities_shows_every_level_and_gives_nothing_away(wb):
    lines = wb.table("priorities").splitlines()
    assert lines[0].split() == ["request", "app", "queue", "priority", "seen", "at", "leaf", "→", "…", "→", "root", "child"]
    assert [line.split()[0] for line in lines[1:]] == "P1 P10 P2 P3 P8 P5 P6 P4 P9 P7 P8".split()
    assert lines[9].split()[3:] == ["9", "9", "→", "0", "→", "0"]


@pytest.mark.parametrize(
    "answer", ["root.system.system-high", "system-HIGH", "P1", "p1", "node-1", "root.system", "system", " P1 "]
)
def test_an_answer_that_names_what_the_step_is_about_is_right(wb, answer):
    text = wb.predict(answer)
    assert text.startswith("Right. P1 of app system-high was placed on node-1.\nroot: system (1001) before tenants (0).")
    assert text.endswith("1 of 1 prediction right.")
    assert wb.simulation.position == 1
    assert wb.score == Score(1, 1)


def test_another_answer_is_wrong_and_the_reasons_are_given_all_the_same(wb):
    text = wb.predict("P9")
    assert text.startswith("Not P9. P1 of app system-high was placed on node-1.\nroot: system (1001) before tenants (0).")
    assert wb.score == Score(0, 1)
    assert "0 of 1 prediction right." in wb.status.text


@pytest.mark.parametrize("answer", ["P99", "root.none", "root", "<b>"])
def test_an_answer_that_is_nothing_here_takes_no_step(wb, answer):
    wb.predict()
    with pytest.raises(CommandError):
        wb.predict(answer)
    assert wb.simulation.position == 0
    assert wb.question_open
    assert wb.score == Score(0, 0)


def test_nothing_is_an_answer(wb):
    wb.run()
    assert wb.predict("nothing").startswith("Right.")
    wb.reset()
    assert wb.predict("nothing").startswith("Not nothing.")


def test_revealing_takes_the_step_unless_an_answer_took_it(wb):
    wb.predict()
    assert (
        wb.reveal() == "P1 of app system-high was placed on node-1.\nroot: system (1001) before tenants (0).\n"
        "system: system-high (1001) before system-normal (10) and system-low (-997)."
    )
    assert wb.simulation.position == 1
    wb.predict("P10")
    assert wb.reveal().startswith("Right. P10 of app system-normal was placed on node-1.")
    assert wb.simulation.position == 2
    assert wb.score == Score(1, 1)


@pytest.mark.parametrize(
    "move",
    [
        lambda wb: wb.step(),
        lambda wb: wb.set("root.tenants", "priority.offset", 5),
        lambda wb: wb.advance(1),
        lambda wb: wb.add_request("system-high", "new", {"vcore": 1}),
        lambda wb: wb.add_request("system-high", "new", {"vcore": 1}, at=9),
    ],
    ids=["a step", "an edit", "time", "an input", "an input for later"],
)
def test_whatever_moves_the_state_closes_the_question_unscored(wb, move):
    wb.predict()
    move(wb)
    assert not wb.question_open
    assert wb.score == Score(0, 0)


def test_victims_are_predicted_by_their_keys():
    wb = Workbench(preempting())
    with pytest.raises(CommandError, match="no allocation mine-000 is running"):
        wb.predict(victims=["mine-000"])
    victims = wb.simulation.preview().victims
    assert len(victims) == 1
    assert wb.predict(victims=victims).startswith("Right. ")
    wb.back()
    assert wb.predict(victims=["else-000"]).startswith("Not else-000")
    assert wb.score == Score(1, 2)


def test_a_wrong_answer_tells_what_spared_whoever_was_named():  # E-20
    wb = Workbench.example("lessons/preemption")
    wb.advance(30)
    answer = wb.predict(victims=["G2", "R1", "B3"])
    assert answer.startswith("Not G2, R1, B3. ")
    assert "\nWhy not G2? Its priority 5 is above 0, " in answer
    # A queue that is spared as a whole has one verdict for all that runs in it.
    assert "\nWhy not R1? It is in the request's own queue." in answer
    assert "Why not B3" not in answer
    assert wb.reveal() == answer.rpartition("\n")[0]
    wb.back()
    assert "Why not" not in wb.predict(victims=["B3"])
    wb.back()
    assert "Why not" not in wb.predict(victims=[])


def test_the_reason_to_be_spared_is_told_too_where_nothing_is_stopped():
    wb = Workbench.example("lessons/preemption")
    wb.set("root.guests", "preemption.policy", "disabled")
    wb.advance(30)
    wb.goto(2)
    answer = wb.predict(victims=["B1"])
    assert answer.startswith("Not B1. ")
    assert "\nWhy not B1? root.company.blue holds no more than its guarantee" in answer
    for queue in ("blue", "root.company.blue"):
        wb.goto(2)
        wb.predict(ask="victims")
        assert f"\nWhy not {queue}? root.company.blue holds no more than its guarantee" in wb.predict(queue)


def test_a_blind_question_covers_priorities_until_it_is_answered(wb):  # lesson 4: they are to be worked out
    before = wb.table("queues"), wb.table("applications")
    wb.predict(blind=True)
    for name, count in (("queues", 12), ("applications", 7)):
        lines = wb.table(name).splitlines()
        start = lines[0].index("priority")
        assert [line[start : start + len("priority")].strip() for line in lines[1:]] == ["?"] * count, name
    assert wb.table("priorities") == wb.table("pending")
    assert wb.priorities_covered
    wb.predict("P1")
    assert not wb.priorities_covered
    assert wb.calls[-1] == 'bench.predict("P1")'
    assert "bench.predict(blind=True)" not in wb.calls
    wb.back()
    assert (wb.table("queues"), wb.table("applications")) == before


def test_every_answered_question_is_kept_among_the_calls(wb):  # U-5: without its call the step would be lost
    wb.predict()
    wb.predict("P1")
    wb.predict(blind=True)
    wb.predict("P10")
    wb.predict(ask="victims")
    wb.reveal()
    assert wb.calls[1:] == ['bench.predict("P1")', 'bench.predict("P10")', "bench.reveal()"]


def test_an_open_question_shows_priorities_unless_it_is_blind(wb):
    wb.predict()
    assert "1001" in wb.table("queues")
    wb.predict(blind=True)
    assert "1001" not in wb.table("queues")
    wb.predict()
    assert "1001" in wb.table("queues")


def test_the_question_for_victims_covers_them_and_takes_their_queue_for_an_answer():
    wb = Workbench(preempting())
    assert "else-000" in wb.table("victims") or "long-" in wb.table("victims")
    text = wb.predict(ask="victims")
    assert text.startswith(texts.PREDICT_VICTIMS) and "victims=[" in text
    assert wb.table("victims") == named_tables.COVERED_TABLE
    for nothing in ("nosuch", "root"):
        with pytest.raises(CommandError):
            wb.predict(nothing)
    assert wb.question == texts.PREDICT_QUESTIONS["victims"]
    assert wb.predict("guest").startswith("Right. ")
    assert "Room is made by stopping" in wb.status.text
    for wrong in ("others", "owner", "nothing", "else-000"):
        wb.back()
        wb.predict(ask="victims")
        assert wb.predict(wrong).startswith(f"Not {wrong}. ")
    wb.back()
    wb.predict(ask="victims")
    assert wb.predict(victims=[]).startswith("Not nobody. ")
    assert wb.table("victims") == named_tables.NOBODY_PREEMPTS
    with pytest.raises(CommandError, match="there are next, victims"):
        wb.predict(ask="who")


# ---- keys that two applications use -------------------------------------------------------------------------------


def test_a_key_of_several_applications_means_all_of_them_unless_the_application_is_named():
    wb = Workbench(same_keys())
    assert wb.simulation.preview().stopped == (("one", "p"),)
    assert wb.predict(victims=["one/p"]).startswith("Right. ")
    for wrong in ("p", "three/p"):
        wb.back()
        assert wb.predict(victims=[wrong]).startswith(f"Not {wrong}. ")


def test_who_has_the_key_of_a_victim_and_is_spared_is_told_why():
    wb = Workbench(same_keys())
    assert "Why not" not in wb.predict(victims=["one/p"])
    wb.back()
    assert "\nWhy not three/p? " in wb.predict(victims=["three/p"])


def test_who_loses_is_looked_up_by_application_and_key():
    wb = Workbench(same_keys())
    wb.add_request("else", "p", {"vcore": "1"})
    wb.predict(ask="victims")
    assert wb.predict("guest").startswith("Right. ")
