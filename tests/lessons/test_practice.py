"""Practice: a task has exactly one right answer, wrong ones that each come from something overlooked, and is always the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

import workbench as wb
from workbench import CommandError, Workbench
from workbench.bench import grading
from workbench.lessons.practice import practice, topics
from workbench.simulation.simulation import Simulation

LEVELS = range(1, 6)


def fresh(bench: Workbench) -> Simulation:
    """The same design and inputs, played anew."""
    simulation = Simulation.from_scenario(bench.study().scenario)
    simulation.goto(bench.simulation.position)
    return simulation


@pytest.mark.parametrize("topic", topics())
@pytest.mark.parametrize("level", LEVELS)
@given(seed=st.integers(0, 49))
@examples(4)
def test_a_task_has_exactly_one_right_answer(topic, level, seed):
    task = practice(topic, level=level, seed=seed)
    waiting, partition = task.bench.simulation.waiting(), task.bench.partition
    decision = task.bench.simulation.preview()
    right = [each for each in task.choices if grading.is_right(each, task.asked, decision, partition, waiting)]
    assert right == [task.right]
    assert decision.changed_something
    wrong = [each.answer for each in task.wrong]
    assert wrong and len(set(wrong)) == len(wrong)
    assert task.right not in wrong and set(wrong) <= set(task.choices)
    assert task.right in task.reason
    assert all(each.overlooked and each.reply for each in task.wrong)


@pytest.mark.parametrize("topic", topics())
def test_the_right_answer_is_what_the_engine_does_when_all_is_played_anew(topic):
    task = practice(topic, level=3, seed=5)
    step = fresh(task.bench).step()
    assert task.right == (step.node_id if task.asked == "node" else step.key)


@pytest.mark.parametrize("topic", topics())
def test_the_same_seed_makes_the_same_task_and_another_one_another(topic):
    assert repr(practice(topic, level=2, seed=7)) == repr(practice(topic, level=2, seed=7))
    assert len({repr(practice(topic, level=2, seed=seed)).partition("\n")[2] for seed in range(5)}) > 1


def test_a_wrong_answer_gets_its_reply_and_a_right_one_the_reason():
    task = wb.practice("fences", level=3, seed=7)
    assert task.right == "P4"
    assert "P12 would be next if no queue had a priority fence" in task.answer("P12")
    assert task.answer("P4").startswith("Right. P4")
    assert wb.score["practice fences 3.7"].outcome == "second"


def test_the_task_shows_what_is_needed_and_nothing_that_tells():
    task = wb.practice("quotas", level=2, seed=1)
    text = repr(task)
    assert "asks for" in text and "Which request is next?" in text and "max" in text
    assert task.bench.question_open and task.bench.priorities_covered
    assert task.reason not in text


@pytest.mark.parametrize("answers, level", [(["right"], 4), (["wrong", "right"], 3), (["wrong", "wrong"], 2), ([], 3)])
def test_it_becomes_harder_with_success(answers, level):
    task = wb.practice("offsets", level=3, seed=1)
    for answer in answers:
        task.answer(task.right if answer == "right" else task.wrong[0].answer)
    following = task.next()
    assert (following.level, following.seed) == (level, 2)


def test_it_is_never_harder_than_the_hardest_nor_easier_than_the_easiest():
    task = wb.practice("offsets", level=5, seed=1)
    task.answer(task.right)
    assert task.next().level == 5
    task = wb.practice("offsets", level=1, seed=1)
    for _ in range(2):
        task.answer(task.wrong[0].answer)
    assert task.next().level == 1


@pytest.mark.parametrize(
    "topic, level, told", [("fence", 1, "did you mean fences"), ("fences", 6, "from 1 to 5"), ("fences", "2", "from 1 to 5")]
)
def test_what_cannot_be_practised_is_told_with_what_can(topic, level, told):
    with pytest.raises(CommandError, match=told):
        wb.practice(topic, level=level)


# ---- two designs side by side -----------------------------------------------------------------------------------------

PAIRED = [topic for topic in topics() if topic not in ("spread-or-pack", "priority-moves")]


@pytest.mark.parametrize("topic", PAIRED)
@given(level=st.sampled_from(LEVELS), seed=st.integers(0, 49))
@examples(5)
def test_exactly_one_of_two_designs_serves_the_request_first(topic, level, seed):
    pair = wb.practice_pair(topic, level=level, seed=seed)
    steps = []
    for bench in pair.benches:
        assert bench.simulation.position == 0
        bench.run()
        steps.append(next(step.number for step in bench.simulation.steps if step.decision.key == pair.key))
    assert pair.right == ("A" if steps[0] < steps[1] else "B") and steps[0] != steps[1]
    assert pair.reason == f"A serves {pair.key} at step {steps[0]}, B at step {steps[1]}."


def test_a_pair_is_shown_side_by_side_and_answered_once():
    pair = wb.practice_pair("fences", level=2, seed=3)
    text = repr(pair)
    assert text == repr(wb.practice_pair("fences", level=2, seed=3))
    assert text.endswith(f"Which of the two serves {pair.key} first, A or B?")
    assert pair.reason not in text
    other = "B" if pair.right == "A" else "A"
    assert pair.answer(other) == f"Not {other}. {pair.reason}"
    assert wb.score["practice pair fences 2.3"].outcome == "wrong"
    with pytest.raises(CommandError, match="answer A or B"):
        pair.answer("C")
    with pytest.raises(CommandError, match="has no pairs"):
        wb.practice_pair("spread-or-pack")
