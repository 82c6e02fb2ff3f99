"""Who was asked in vain is passed over only while nothing that the answer came from has changed: one story per such thing.

Each story asks in vain first, then changes one thing that no ask and no application tells of, and goes on. `TwinScene` fails
where the incremental search decides otherwise than the plain one, in the second half of every story too when it is told again
after an undo.
"""

from __future__ import annotations

import pytest
from scenes import amounts
from twin_scene import TwinScene

from workbench.scheduler.policies import predicates
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, Cycle
from workbench.scheduler.records.events import Noticed


def test_a_node_that_grows_and_is_filled_at_once_may_be_reserved():
    # Nothing is gained that could be used, but now the node is large enough to wait for.
    scene = TwinScene().node("n1", vcore=4).node("n2", vcore=4).wants("x", "root.a", vcore=6)
    scene.later(3)
    scene.cycle()
    scene.resize_node("n1", vcore=8).ask("", "load", on="n1", foreign=True, vcore=4)
    assert scene.cycle().outcome == "reserved"


def test_a_quota_tag_gives_a_dynamic_leaf_a_limit_of_applications():
    # The tags of a later application set the limits of the leaf that it shares with those who wait there.
    rules = [{"name": "provided", "create": True}]
    scene = TwinScene("a: {}", placementrules=rules).node("n1", vcore=1)
    scene.runs("x", "root.dynamic", 1).ask("x", "more").cycle()
    scene.cycle()
    scene.forget().app("y", "root.dynamic", tags={"namespace.resourcemaxapps": "1"})
    scene.cycle()
    assert any(isinstance(event, Noticed) and "queue limit" in event.text for event in scene.events)
    scene.app("z", "root.dynamic", tags={"namespace.resourcemaxapps": "5"}).cycle()
    scene.engine.retrace(6)


def test_an_application_chooses_its_group_anew_after_it_ended():
    # Its first group was chosen before there was a limit; the second choice finds one, and no level comes or goes.
    scene = TwinScene("a: {}").node("n1", vcore=20)
    scene.app("other", user="ann").asks("other", 1)
    scene.app("x", user="ann", groups=("dev",)).asks("x", 1)
    assert scene.cycles(2) == ["other-0", "x-0"]
    scene.reload("a: {limits: [{limit: dev, groups: [dev], maxresources: {vcore: 2}}]}")
    scene.app("y", user="bob", groups=("dev",)).asks("y", 1)
    assert scene.cycles(1) == ["y-0"]
    scene.ask("x", "again")
    assert scene.cycles(1) == ["again"]
    scene.release("x", "again").release("x", "x-0")
    for number in range(4):
        scene.ask("x", f"late-{number}")
    assert scene.cycles(5) == ["late-0"]


def test_each_partition_looks_at_its_own_nodes():
    text = "\n".join(
        ["partitions:"]
        + [f"- {{name: {name}, queues: [{{name: root, submitacl: '*', queues: [{{name: a}}]}}]}}" for name in ("default", "other")]
    )
    scene = TwinScene(text=text)
    for partition, vcore in (("default", 2), ("other", 4)):
        for node in ("n1", "n2"):
            scene.send(AddNode(node_id=node, capacity=amounts(vcore=vcore), partition=partition))
        scene.send(AddApplication(application=ApplicationSpec(id="x", queue="root.a", user="u"), partition=partition))
        scene.send(AddAsk(ask=AskSpec(application_id="x", key="k", resource=amounts(vcore=3)), partition=partition))
    scene.send(Cycle())
    assert [decision.outcome for decision in scene.engine.decisions] == ["nothing", "allocated"]


def test_a_reservation_that_somebody_else_ends_later_in_the_same_pass():
    # x is asked first, and has nothing to say while it holds n1; then y, when it tries to preempt, gives up that reservation.
    scene = TwinScene("""
        application.sort.priority: disabled
        a: {guaranteed: {vcore: 9}}
        b: {guaranteed: {vcore: 9}}
    """).node("n0", vcore=1)
    for number in (1, 2, 3):
        scene.node(f"n{number}", vcore=2).ask("", f"load-{number}", on=f"n{number}", foreign=True, vcore=1)
    scene.runs("y", "root.b", 1, on="n0")
    scene.app("x", "root.a").ask("x", "low", vcore=2)
    scene.ask("y", "high", vcore=2, priority=5)
    scene.advance(3)
    assert {scene.cycle().outcome, scene.cycle().outcome} == {"reserved"}
    assert scene.application("x").reservations == {"low": "n1"}
    scene.later(7202)
    assert scene.application("x").reservations == {}
    assert scene.cycle().outcome == "reserved"
    scene.engine.retrace(12)


# -- rules of others about nodes ---------------------------------------------------------------------------------------


@pytest.fixture
def rule(monkeypatch):
    """Registers a rule for the length of a test."""
    monkeypatch.setattr(predicates, "PREDICATES", dict(predicates.PREDICATES))
    monkeypatch.setattr(predicates, "_READS", dict(predicates._READS))
    monkeypatch.setattr(predicates, "_FIELDS", list(predicates._FIELDS))
    return predicates.register_predicate


def test_a_rule_about_sizes_is_asked_with_the_size_that_a_shape_stands_for(rule):
    # The first ask of the shape gets another size; the second one still has the old.
    @rule("only even sizes", reads=["resource"])
    def even(node, ask):
        return "odd" if ask.resource.get("vcore", 0) // 1000 % 2 else None

    scene = TwinScene().node("n1", vcore=2).app("x", "root.a").ask("x", "first", vcore=2).ask("x", "second", vcore=2)
    scene.ask("", "load", on="n1", foreign=True, vcore=2)
    scene.cycle()
    scene.ask("x", "first", vcore=1).release("", "load")
    assert scene.cycles(2) == ["second"]


def test_a_rule_that_names_nothing_is_asked_for_every_ask_by_itself(rule):
    # The second ask has the key of the first, and is another all the same.
    @rule("only with a pass")
    def with_a_pass(node, ask):
        return None if ask.tags.get("pass") else "no pass"

    scene = TwinScene().node("n1", vcore=2).app("x", "root.a")
    for tags, outcome in (({}, "nothing"), ({"pass": "yes"}, "allocated")):
        scene.send(AddAsk(ask=AskSpec(application_id="x", key="k", resource=amounts(vcore=1), tags=tags)))
        assert scene.cycle().outcome == outcome
        scene.release("x", "k")


# -- passes that found nothing ----------------------------------------------------------------------------------------


def reserved_behind(queues: str) -> TwinScene:
    """The room for an ask is on two nodes, of which it has reserved the one that could hold it; the reserved pass looks in vain."""
    scene = TwinScene(queues).node("n1", vcore=4).node("n2", vcore=1).runs("x", "root.b", 3).wants("y", "root.a", vcore=2)
    assert scene.later(3).outcome == "reserved"
    assert scene.cycles(2) == []
    return scene


def test_an_ask_that_waits_for_a_node_is_placed_when_there_is_room():
    scene = reserved_behind("a: {}\nb: {}")
    scene.release("x", "x-0")
    assert scene.cycles(1) == ["y-0"]


def test_an_ask_that_waits_for_a_node_is_placed_on_another_one_that_comes():
    scene = reserved_behind("a: {}\nb: {}")
    scene.node("n3", vcore=4)
    assert scene.cycles(1) == ["y-0"]


def test_an_attempt_to_preempt_in_vain_stirs_nothing():
    """So that whoever asks why others wait need not ask again; what happens does stir. P-23"""
    scene = reserved_behind("a: {guaranteed: {vcore: 1}, preemption.delay: 1s}\nb: {}")
    scene.cycle()
    engine, ask = scene.engine.engines["incremental"], scene.application("y").asks["y-0"]
    stirred, checked = engine.stirred, ask.preemption_checked_ns
    scene.later(16)
    assert scene.cycles(1) == []
    assert ask.preemption_checked_ns > checked
    assert engine.stirred == stirred
    scene.ask("y", "another")
    assert engine.stirred > stirred
    assert scene.engine.engines["plain"].stirred is None


@pytest.mark.parametrize(("order", "phase"), [("xy", "reserved"), ("yx", "regular")])
def test_a_reservation_that_ends_in_the_midst_of_the_pass_opens_its_node(order, phase):
    """To whoever is asked behind it, in the same pass; to whoever was asked before it, in the one after that. R-951"""
    scene = TwinScene("a: {max: {vcore: 6}}", release="1.9").node("n1", vcore=4).node("n2", vcore=2).node("n3", vcore=3)
    for node, cores in (("n1", 1), ("n2", 1), ("n3", 3)):
        scene.ask("", f"foreign-{node}", on=node, foreign=True, vcore=cores)
    for application in order:
        scene.app(application, "root.a")
    scene.ask("x", "large", vcore=4)
    assert scene.later(3).node_id == "n1"
    scene.ask("y", "small", vcore=2)
    assert scene.later(3).node_id == "n2"
    # Now the queue has no room for the large one, whose reservation ends after an hour.
    scene.ask("x", "load", on="n3", vcore=3)
    assert scene.cycles(2) == []
    decision = scene.later(3601)
    assert (decision.node_id, decision.phase) == ("n1", phase)
