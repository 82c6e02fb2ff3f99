"""Who may preempt whom as far as the configuration says: fences, guarantees, disabled leaves, priorities on the way."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from scenes import config_text

from workbench.config import load_config, may_preempt
from workbench.config.facts.design import QueueFacts, designs

PACKAGE = Path(may_preempt.__file__).resolve().parents[1]
SAID_IN = {"config/may_preempt.py", "config/properties.py"}
"""Where the texts of `preemption.policy` are read, and where they are parsed."""

TWO_TEAMS = """
red: {guaranteed: {vcore: 4}, a: {}, b: {preemption.policy: disabled}}
blue: {preemption.policy: fence, c: {guaranteed: {vcore: 1}}, d: {preemption.policy: fence, guaranteed: {vcore: 1}}}
guests: {}
"""


def queues(text: str) -> dict[str, QueueFacts]:
    return next(designs(load_config(config_text(text)))).queues


def who_may(text: str) -> set[tuple[str, str]]:
    leaves = [queue for queue in queues(text).values() if queue.is_leaf]
    return {(one.config.name, two.config.name) for one in leaves for two in leaves if may_preempt.may_preempt(one, two)}


def test_who_has_a_claim_may_preempt_inside_its_fence_whom_no_policy_protects():  # P-30, P-51, P-60
    assert who_may(TWO_TEAMS) == {
        # b has the guarantee of its parent, and may preempt though nothing may preempt in it
        *(("a", each) for each in ("c", "d", "guests")),
        *(("b", each) for each in ("a", "c", "d", "guests")),
        # blue is a fence: c stays inside, others come in; d sees only itself, guests are promised nothing
        ("c", "d"),
    }


def test_nobody_preempts_where_nothing_is_guaranteed():  # P-60
    assert who_may("a: {}\nb: {}") == set()


def test_a_guarantee_high_in_the_tree_is_a_claim_of_every_leaf_below_it():  # P-60
    tree = queues(TWO_TEAMS)
    assert may_preempt.has_claim(tree["root.red.a"]) and not may_preempt.has_claim(tree["root.guests"])


@pytest.mark.parametrize(
    ("queue", "up", "down"),
    [("{}", 7, 7), ("{priority.offset: 5}", 12, 2), ("{priority.offset: -5}", 2, 12)]
    + [("{priority.policy: fence, priority.offset: 5}", 5, 7), ("{priority.policy: fence, priority.offset: 8}", 8, None)],
)
def test_offsets_add_on_the_way_up_and_take_off_on_the_way_down_and_a_fence_shuts_out_what_is_below_it(queue, up, down):
    at = queues(f"a: {queue}")["root.a"]
    assert (may_preempt.raised_by(at, 7), may_preempt.lowered_by(at, 7)) == (up, down)  # P-33, P-34


def test_nobody_else_reads_the_policy_of_preemption():
    readers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "preemption_policy"
    }
    # The recorded facts about settings name all of them.
    assert readers - {"conformance/config_facts.py"} == SAID_IN - {"config/properties.py"}
