"""Predicates: node selectors and taints, allowed nodes, and rules that somebody adds. Chapter 05 section 11."""

from __future__ import annotations

import pytest
from scenes import Scene, amounts

from workbench.scheduler.policies import predicates
from workbench.scheduler.records.commands import AddAsk, AddNode, AskSpec


def scene(**asked) -> Scene:
    """Node n1 with zone a and a taint, node n2 with zone b; one ask with these wishes."""
    made = Scene()
    made.send(AddNode(node_id="n1", capacity=amounts(vcore=4), attributes={"zone": "a"}, taints=("gpu=yes:NoSchedule",)))
    made.send(AddNode(node_id="n2", capacity=amounts(vcore=4), attributes={"zone": "b"}))
    made.app("x")
    return made.send(AddAsk(ask=AskSpec(application_id="x", key="k", resource=amounts(vcore=1), **asked)))


@pytest.mark.parametrize(("asked", "node"), [
    ({}, "n2"),
    ({"node_selector": {"zone": "b"}}, "n2"),
    ({"node_selector": {"zone": "a"}}, ""),
    ({"node_selector": {"zone": "a"}, "tolerations": ("gpu",)}, "n1"),
    ({"node_selector": {"zone": "a"}, "tolerations": ("gpu=yes",)}, "n1"),
    ({"node_selector": {"zone": "a"}, "tolerations": ("*",)}, "n1"),
    ({"node_selector": {"zone": "a"}, "tolerations": ("gpu=no",)}, ""),
    ({"node_selector": {"zone": "a", "disk": "ssd"}, "tolerations": ("*",)}, ""),
    ({"allowed_nodes": ("n1",), "tolerations": ("*",)}, "n1"),
], ids=str)  # fmt: skip
def test_an_ask_goes_only_to_a_node_that_every_predicate_accepts(asked, node):  # section 11 test 4
    assert scene(**asked).cycle().node_id == node


def test_a_taint_that_only_prefers_keeps_nobody_away():
    made = Scene().send(AddNode(node_id="n1", capacity=amounts(vcore=1), taints=("old:PreferNoSchedule",)))
    assert made.app("x").ask("x", "k").cycle().node_id == "n1"


def test_the_texts_of_the_refusals_are_kept_on_the_ask_and_counted():  # W-18
    made = scene(node_selector={"zone": "a"})
    decision = made.cycle()
    refusal = next(level for level in decision.levels if level.kind == "ask").candidates[0].refusal
    assert refusal.code == "W-18"
    assert refusal.text == "node(s) didn't match node selector (1x); node(s) had untolerated taint {gpu=yes} (1x)"
    assert "node(s) had untolerated taint {gpu=yes}" in made.allocation("x", "k").log


def test_a_rule_can_be_added_by_name(monkeypatch):
    monkeypatch.setattr(predicates, "PREDICATES", dict(predicates.PREDICATES))

    @predicates.register_predicate("even names only")
    def even(node, ask):
        return None if node.id.endswith("2") else "node(s) with an odd name"

    assert scene(tolerations=("*",)).cycle().node_id == "n2"
