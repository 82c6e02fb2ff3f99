"""Predictions (section 5, `predict`): the ranking is covered, an answer takes the step and is scored. With and without a screen."""

from __future__ import annotations

import pytest
from picture_scenes import preempting, same_keys

from workbench import CommandError, Workbench
from workbench.bench import named_tables, prediction, texts
from workbench.bench.prediction import Score


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


# ---- in a script --------------------------------------------------------------------------------------------------


def test_a_question_covers_what_comes_next(bench):
    text = bench.predict()
    assert text.startswith(texts.PREDICT_QUESTION)
    assert bench.question_open
    assert "Next: ?" in repr(bench)
    table = bench.table("pending")
    assert table.splitlines()[0].split() == list(prediction.COVERED_COLUMNS)
    assert [line.split()[0] for line in table.splitlines()[1:]] == "P1 P10 P2 P3 P8 P5 P6 P4 P9 P7 P8".split()
    assert bench.simulation.position == 0


def test_the_table_of_priorities_shows_every_level_and_gives_nothing_away(bench):
    lines = bench.table("priorities").splitlines()
    assert lines[0].split() == ["request", "app", "queue", "priority", "seen", "at", "leaf", "→", "…", "→", "root", "child"]
    assert [line.split()[0] for line in lines[1:]] == "P1 P10 P2 P3 P8 P5 P6 P4 P9 P7 P8".split()
    assert lines[9].split()[3:] == ["9", "9", "→", "0", "→", "0"]


@pytest.mark.parametrize(
    "answer", ["root.system.system-high", "system-HIGH", "P1", "p1", "system-high/P1", "root.system", "system", " P1 "]
)
def test_an_answer_that_names_what_the_step_is_about_is_right(bench, answer):
    text = bench.predict(answer)
    assert text.startswith("Right. P1 of app system-high was placed on node-1.\nroot: system (1001) before tenants (0).")
    assert text.endswith("1 of 1 prediction right.")
    assert bench.simulation.position == 1
    assert bench.score == Score(1, 1)


def test_the_second_wrong_answer_takes_the_step_and_the_reasons_are_given_all_the_same(bench):
    bench.predict("P10")
    assert bench.simulation.position == 0
    text = bench.predict("P9")
    assert text.startswith("Not P9. P1 of app system-high was placed on node-1.\nroot: system (1001) before tenants (0).")
    assert bench.score == Score(0, 1)
    assert "0 of 1 prediction right." in bench.status.text


@pytest.mark.parametrize("answer", ["P99", "root.none", "root", "<b>"])
def test_an_answer_that_is_nothing_here_takes_no_step(bench, answer):
    bench.predict()
    with pytest.raises(CommandError):
        bench.predict(answer)
    assert bench.simulation.position == 0
    assert bench.question_open
    assert bench.score == Score(0, 0)


def test_nothing_is_an_answer(bench):
    bench.run()
    assert bench.predict("nothing").startswith("Right.")
    bench.reset()
    assert bench.predict("nothing").startswith("Not nothing.\nSomething can be placed")


def test_revealing_takes_the_step_unless_an_answer_took_it(bench):
    bench.predict()
    assert (
        bench.reveal() == "P1 of app system-high was placed on node-1.\nroot: system (1001) before tenants (0).\n"
        "system: system-high (1001) before system-normal (10) and system-low (-997)."
    )
    assert bench.simulation.position == 1
    bench.predict("P10")
    assert bench.reveal().startswith("Right. P10 of app system-normal was placed on node-1.")
    assert bench.simulation.position == 2
    assert bench.score == Score(1, 1)


def test_after_an_answer_what_is_next_is_told_to_whoever_asks_and_shown_to_nobody(bench):
    bench.predict("P1")
    assert "Next: ?" in repr(bench)
    assert bench.next_covered and not bench.question_open
    assert bench.why().startswith("P10 of app system-normal is next")
    assert "▸" in bench.tree_text()
    bench.uncover()
    assert "Next: P10 of app system-normal" in repr(bench)
    bench.predict()
    with pytest.raises(CommandError, match="until you have answered"):
        bench.uncover()
    assert bench.question_open


def test_an_answer_is_over_once_something_else_happened_even_if_the_state_is_the_same_again(bench):
    bench.predict("P1")
    bench.back()
    bench.step()
    assert not bench.next_covered
    bench.predict()
    bench.step()
    bench.back()
    assert not bench.question_open


def test_revealing_twice_takes_one_step(bench):
    bench.predict()
    assert bench.reveal() == bench.reveal()
    assert bench.simulation.position == 1


@pytest.mark.parametrize(
    "move",
    [
        lambda bench: bench.step(),
        lambda bench: bench.set("root.tenants", "priority.offset", 5),
        lambda bench: bench.advance(1),
        lambda bench: bench.add_request("system-high", "new", {"vcore": 1}),
        lambda bench: bench.add_request("system-high", "new", {"vcore": 1}, at=9),
    ],
    ids=["a step", "an edit", "time", "an input", "an input for later"],
)
def test_whatever_moves_the_state_closes_the_question_unscored(bench, move):
    bench.predict()
    move(bench)
    assert not bench.question_open
    assert bench.score == Score(0, 0)


def test_victims_are_predicted_by_their_keys():
    bench = Workbench(preempting())
    with pytest.raises(CommandError, match="no allocation mine-000 is running"):
        bench.predict(victims=["mine-000"])
    victims = bench.simulation.preview().victims
    assert len(victims) == 1
    assert bench.predict(victims=victims).startswith("Right. ")
    bench.back()
    assert bench.predict(victims=["else-000"]).startswith("Not else-000")
    assert bench.score == Score(1, 1)
    assert bench.predict(victims=victims).startswith("Right. ")
    assert bench.score == Score(1, 2, 1)


def test_a_wrong_answer_tells_what_spared_whoever_was_named():  # E-20
    bench = Workbench.example("lessons/preemption")
    bench.advance(30)
    answer = bench.predict(victims=["G2", "R1", "B3"])
    assert answer.startswith("Not G2, R1, B3.\n")
    assert "\nWhy not G2? Its priority 5 is above 0, " in answer
    # A queue that is spared as a whole has one verdict for all that runs in it.
    assert "\nWhy not R1? It is in the request's own queue." in answer
    assert "Why not B3" not in answer
    assert bench.simulation.position == 0 and bench.question_open
    again = bench.predict(victims=["G2"])
    assert bench.simulation.position == 1
    assert "\nWhy not G2? Its priority 5 is above 0, " in again
    assert bench.reveal() == again.rpartition("\n")[0]
    bench.back()
    assert "Why not" not in bench.predict(victims=["B3"])
    bench.back()
    assert "Why not" not in bench.predict(victims=[])


def test_the_reason_to_be_spared_is_told_too_where_nothing_is_stopped():
    bench = Workbench.example("lessons/preemption")
    bench.set("root.guests", "preemption.policy", "disabled")
    bench.advance(30)
    bench.goto(2)
    answer = bench.predict(victims=["B1"])
    assert answer.startswith("Not B1.\n")
    assert "\nWhy not B1? root.company.blue holds no more than its guarantee" in answer
    for queue in ("blue", "root.company.blue"):
        bench.goto(2)
        bench.predict(ask="victims")
        assert f"\nWhy not {queue}? root.company.blue holds no more than its guarantee" in bench.predict(queue)


def test_a_blind_question_covers_priorities_until_it_is_answered(bench):  # lesson 4: they are to be worked out
    before = bench.table("queues"), bench.table("applications")
    bench.predict(blind=True)
    for name, count in (("queues", 12), ("applications", 7)):
        lines = bench.table(name).splitlines()
        start = lines[0].index("priority")
        assert [line[start : start + len("priority")].strip() for line in lines[1:]] == ["?"] * count, name
    assert bench.table("priorities") == bench.table("pending")
    assert bench.priorities_covered
    bench.predict("P1")
    assert not bench.priorities_covered
    assert bench.calls[-1] == 'bench.predict("P1")'
    assert "bench.predict(blind=True)" not in bench.calls
    bench.back()
    assert (bench.table("queues"), bench.table("applications")) == before


def test_every_answered_question_is_kept_among_the_calls(bench):  # U-5: without its call the step would be lost
    bench.predict()
    bench.predict("P1")
    bench.predict(blind=True)
    bench.predict("P10")
    bench.predict(ask="victims")
    bench.reveal()
    assert bench.calls[1:] == ['bench.predict("P1")', 'bench.predict("P10")', "bench.reveal()"]


def test_an_open_question_shows_priorities_unless_it_is_blind(bench):
    bench.predict()
    assert "1001" in bench.table("queues")
    bench.predict(blind=True)
    assert "1001" not in bench.table("queues")
    bench.predict()
    assert "1001" in bench.table("queues")


def test_the_question_for_victims_covers_them_and_takes_their_queue_for_an_answer():
    bench = Workbench(preempting())
    assert "else-000" in bench.table("victims") or "long-" in bench.table("victims")
    text = bench.predict(ask="victims")
    assert text.startswith(texts.PREDICT_VICTIMS) and "victims=[" in text
    assert bench.table("victims") == named_tables.COVERED_TABLE
    for nothing in ("nosuch", "root"):
        with pytest.raises(CommandError):
            bench.predict(nothing)
    assert bench.question == texts.PREDICT_QUESTIONS["victims"]
    assert bench.predict("guest").startswith("Right. ")
    assert "Room is made by stopping" in bench.status.text
    for wrong in ("others", "owner", "nothing", "else-000"):
        bench.back()
        bench.predict(ask="victims")
        assert bench.predict(wrong).startswith(f"Not {wrong}.\n")
        assert bench.predict(wrong).startswith(f"Not {wrong}. ")
    bench.back()
    bench.predict(ask="victims")
    assert bench.predict(victims=[]).startswith("Not nobody.\n")
    bench.predict(victims=[])
    assert "taken" in bench.table("victims")  # of the step that was taken
    bench.step()
    assert bench.table("victims") == named_tables.NOBODY_PREEMPTS
    with pytest.raises(CommandError, match="there are next, request, application, queue, node, victims"):
        bench.predict(ask="who")


# ---- graded at the level asked for ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask, answer, told",
    [
        ("request", "system", "it stands for 4 requests, P1, P10, P2 and 1 more. Name one."),
        ("request", "child-a-1", "it stands for 2 requests, P8 and P5. Name one."),
        ("request", "P8", "it stands for 2 requests, child-a-1/P8 and child-b-2/P8. Name one."),
        ("request", "node-1", "Asked is the request; node-1 is a node."),
        ("application", "system", "it stands for 3 applications, system-high, system-normal and system-low. Name one."),
        ("queue", "system", "it stands for 3 queues, "),
        ("node", "P1", "Asked is the node, and P1 is none; there are node-1."),
        ("next", "node-1", "is the only node there is, so that is no answer"),
    ],
)
def test_what_is_not_exact_enough_is_told_so_and_costs_nothing(bench, ask, answer, told):
    bench.predict(ask=ask)
    assert told in bench.predict(answer)
    assert bench.question_open and bench.simulation.position == 0
    assert bench.score == Score(0, 0) and not bench.asked.wrong
    assert told in bench.status.text


def test_that_an_answer_is_not_exact_enough_does_not_tell_whether_it_is_right(bench):
    bench.goto(3)
    bench.predict(ask="request")
    right, wrong = (bench.predict(queue).partition(" stands for")[0] for queue in ("child-a-1", "child-a-2"))
    assert right.replace("child-a-1", "") == wrong.replace("child-a-2", "")


@pytest.mark.parametrize("ask", ["request", "application", "queue"])
@pytest.mark.parametrize("answer", ["P9", "child-b-1/P9", "nothing"])
def test_a_wrong_answer_has_one_more_try_and_then_the_step_is_taken(bench, ask, answer):
    bench.predict(ask=ask)
    first = bench.predict("P10")
    assert first.startswith("Not P10.\n") and first.endswith("One more try: the question stays open.")
    assert bench.question_open and bench.simulation.position == 0 and bench.score == Score(0, 0)
    assert "P1 " not in first and "system-high" not in first
    second = bench.predict(answer)
    assert second.startswith(f"Not {answer}. P1 of app system-high was placed")
    assert not bench.question_open and bench.simulation.position == 1 and bench.score == Score(0, 1, 0)


@pytest.mark.parametrize("ask, answer", [("request", "P1"), ("application", "P1"), ("queue", "system-high"), ("node", "node-1")])
def test_what_is_exact_enough_and_so_is_right(bench, ask, answer):
    bench.predict(ask=ask)
    assert bench.predict(answer).startswith("Right.")
    assert bench.score == Score(1, 1)


def test_right_at_the_second_try_is_counted_as_that(bench):
    bench.predict(ask="request")
    bench.predict("P10")
    assert bench.predict("P1").endswith("0 of 1 prediction right, 1 more at the second try.")
    assert bench.score == Score(0, 1, 1)


@pytest.mark.parametrize(
    "step, settings, answer, told",
    [  # the answers of instructors.md
        (0, (), "P9", "On its way up P9 passes the fence of tenant-b and tenants."),
        (0, (), "P10", "would be next if no queue had an offset"),
        (0, (), "child-a-1/P8", "On its way up P8 passes the fence of tenant-a and tenants."),
        (3, (), "P9", "would be next if requests inside a fence met directly"),
        (3, (), "P3", "would have been served by now if no offset took anything away"),
        (3, (), "child-b-2/P8", "On its way up P8 passes the fence of tenant-b and tenants."),
        (1, (("root.tenants", "priority.policy", None),), "P10", "the queue goes first that uses the smaller share"),
        (1, (("root.tenants", "priority.policy", None),), "P9", "would be next if only the priorities of requests counted"),
    ],
)
def test_a_wrong_answer_gets_the_reply_to_what_was_overlooked(bench, step, settings, answer, told):
    for setting in settings:
        bench.set(*setting)
    bench.goto(step)
    before = bench.simulation.digest()
    bench.predict(ask="request", blind=True)
    assert told in bench.predict(answer)
    assert bench.simulation.digest() == before


BINPACKING = ("partition", "nodesortpolicy.type", "binpacking")


@pytest.mark.parametrize(
    "design, settings, step, ask, answer, told",
    [
        ("lessons/quotas", (), 0, "request", "wide", "wide cannot be placed now: Can never run: it needs vcore 5"),
        ("lessons/limits", (), 2, "request", "A3", "A3 cannot be placed now: Needs vcore 2; user ada has 0 left"),
        ("lessons/first-in-a-queue", (), 0, "application", "evening", "under the other application.sort.policy"),
        ("node-weights", (BINPACKING,), 0, "node", "n3", "would be first if all resource types weighed the same"),
        ("lessons/priority-moves", (), 3, "request", "R1", "At root something else comes before batch"),
        ("lessons/spread-or-pack", (), 1, "node", "node-1", "under the other policy for nodes"),
    ],
)
def test_the_same_of_room_applications_and_nodes(design, settings, step, ask, answer, told):
    bench = Workbench.example(design)
    for setting in settings:
        bench.set(*setting)
    bench.goto(step)
    bench.predict(ask=ask)
    assert told.lower() in bench.predict(answer).lower()


def test_an_answer_without_a_question_is_taken_for_one_that_is_asked_with_it(bench):
    assert bench.predict("P10", ask="request", blind=True).endswith("One more try: the question stays open.")
    assert bench.priorities_covered and bench.asked.about == "request"
    assert bench.predict("P1").startswith("Right.")


# ---- keys that two applications use -------------------------------------------------------------------------------


def test_a_key_of_several_applications_means_all_of_them_unless_the_application_is_named():
    bench = Workbench(same_keys())
    assert bench.simulation.preview().stopped == (("one", "p"),)
    assert bench.predict(victims=["one/p"]).startswith("Right. ")
    for wrong in ("p", "three/p"):
        bench.back()
        assert bench.predict(victims=[wrong]).startswith(f"Not {wrong}.\n")
        assert bench.predict(victims=[wrong]).startswith(f"Not {wrong}. ")


def test_who_has_the_key_of_a_victim_and_is_spared_is_told_why():
    bench = Workbench(same_keys())
    assert "Why not" not in bench.predict(victims=["one/p"])
    bench.back()
    # Which node was chosen is told with the step, and not before the second try.
    assert "Why not three/p? " not in bench.predict(victims=["three/p"])
    assert "\nWhy not three/p? " in bench.predict(victims=["three/p"])


def test_who_loses_is_looked_up_by_application_and_key():
    bench = Workbench(same_keys())
    bench.add_request("else", "p", {"vcore": "1"})
    bench.predict(ask="victims")
    assert bench.predict("guest").startswith("Right. ")
