"""What is kept for attempts to preempt is repaired: one story for each thing that another attempt's answer could hang on.

Each story has an attempt first, changes one thing that the next one must notice, and attempts again. `compared_attempts` fails
where an answer is not that of `general.attempt` on the same state.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from properties.attempts import compared_attempts
from twin_scene import TwinScene

from workbench.scheduler.search.running import Running

TAKER = "a: {guaranteed: {vcore: 4}, preemption.delay: 1s}"


@pytest.fixture(autouse=True)
def every_attempt_is_compared() -> Iterator[None]:
    with compared_attempts():
        yield


def test_a_leaf_that_falls_back_to_its_guarantee_gives_nothing_on_other_nodes():
    # The second task of b is on a node that nothing touches; c is never protected and has nothing.
    scene = TwinScene(f"{TAKER}\nb: {{guaranteed: {{vcore: 1}}}}\nc: {{}}").node("n1", vcore=1).node("n2", vcore=1)
    scene.runs("x", "root.b", 1, on="n1").asks("x", 0).ask("x", "x-1", on="n2")
    scene.wants("y", "root.a", 2)
    assert scene.later(2).outcome == "preempted"
    scene.run_for(40)
    assert scene.used("root.b") == 1 and scene.used("root.a") == 1


def test_a_leaf_that_comes_above_its_guarantee_gives():
    scene = TwinScene(f"{TAKER}\nb: {{guaranteed: {{vcore: 1}}}}\nc: {{}}").node("n1", vcore=1).node("n2", vcore=2, memory=1)
    scene.runs("x", "root.b", 1, on="n1").runs("full", "root.a", 1, on="n2", vcore=2)
    scene.wants("y", "root.a", 1)
    assert scene.later(2).outcome == "nothing"
    scene.ask("x", "x-1", on="n2", memory=1, vcore=1)
    assert scene.later(16).outcome == "preempted"


def test_a_leaf_that_comes_into_being_is_looked_into():
    rules = [{"name": "provided", "create": True}]
    scene = TwinScene(f"{TAKER}\nc: {{preemption.policy: disabled}}", placementrules=rules).node("n1", vcore=2)
    scene.runs("x", "root.c", 2).wants("y", "root.a")
    assert scene.later(2).outcome == "nothing"
    scene.release("x", "x-0").runs("z", "root.dynamic", 1)
    assert scene.later(16).outcome == "preempted"


def test_a_leaf_that_runs_out_gives_less_on_the_node_that_the_ask_itself_has_reserved():
    # Two tasks would have to go, and after the first one b is within its guarantee.
    scene = TwinScene(f"{TAKER}\nb: {{guaranteed: {{vcore: 3}}}}")
    scene.node("n1", vcore=4).node("n2", vcore=1).node("n3", vcore=1)
    scene.runs("x", "root.b", 4).wants("y", "root.a", vcore=2)
    assert scene.later(3).outcome == "reserved"
    assert scene.later(16).outcome == "nothing"
    # One more makes it enough.
    scene.ask("x", "more", on="n2")
    assert scene.later(16).outcome == "preempted"


def test_what_a_leaf_does_not_give_counts_for_how_good_its_node_is():
    # b is over its guarantee in a type that nobody asks for: its task is looked at first, and hides that c's is opted out. P-84
    scene = TwinScene(f"{TAKER}\nb: {{guaranteed: {{memory: 1}}}}\nc: {{}}").node("n1", vcore=4, memory=9).node("n2", vcore=2)
    scene.runs("x", "root.b", 1, on="n1", vcore=2, memory=2).runs("z", "root.c", 1, on="n1", vcore=2, may_be_victim=False)
    scene.runs("w", "root.c", 2, on="n2").wants("y", "root.a", vcore=2)
    assert scene.later(2).node_id == "n1"


def test_a_guarantee_that_is_used_up_ends_the_attempts_at_once():
    scene = TwinScene(f"{TAKER}\nb: {{}}").node("n1", vcore=8).runs("x", "root.b", 4).runs("own", "root.a", 4)
    scene.wants("y", "root.a")
    assert scene.later(2).outcome == "nothing"
    scene.release("own", "own-0").ask("x", "x-4", on="n1")
    assert scene.later(16).outcome == "preempted"


def test_a_drained_node_gives_nothing_until_it_is_open_again():
    scene = TwinScene(f"{TAKER}\nb: {{}}").node("n1", vcore=1).runs("x", "root.b", 1).drain("n1").wants("y", "root.a")
    assert scene.later(2).outcome == "nothing"
    scene.undrain("n1")
    assert scene.later(16).outcome == "preempted"


def test_what_runs_is_known_as_by_looking_at_everything():
    scene = TwinScene(f"{TAKER}\nb: {{}}").node("n1", vcore=8).node("n2", vcore=4).runs("x", "root.b", 4).wants("y", "root.a")
    running = Running(scene.partition)
    journal = scene.engine.engines["incremental"]._ctx.journal
    journal.touched.clear()
    scene.ask("x", "x-4", on="n2", originator=True).ask("x", "bound", on="n1", required="n1").release("x", "x-1")
    scene.runs("z", "root.b", 2, on="n2").remove_app("z")
    running.hear(list(journal.touched))
    assert running.on == Running(scene.partition).on
    assert running.hosts == Running(scene.partition).hosts
    assert [standing[4].key for standing in running.everybody()] == ["x-3", "x-2", "x-0", "x-4"]
