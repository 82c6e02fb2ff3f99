"""What a decision stops is known by application and key, of its own partition only: keys of two applications may be equal."""

from __future__ import annotations

from scenes import Scene, amounts

from workbench.config import load_config
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, Advance, ApplicationSpec, AskSpec, Cycle

SECOND_NS = 10**9
TWO_PARTITIONS = """
partitions:
- name: default
  queues:
  - name: root
    submitacl: "*"
    queues:
    - {name: a, resources: {guaranteed: {vcore: 1}}, properties: {preemption.delay: 1s}}
    - {name: b}
- name: second
  queues:
  - {name: root, submitacl: "*", queues: [{name: b}]}
"""


def same_keys() -> Scene:
    """x may stop one of the two allocations `p`, which run on nodes of their own: that of one, on the first node."""
    scene = Scene("a: {guaranteed: {vcore: 1}, preemption.delay: 1s}\nb: {}", confirm=False).node("n1", vcore=1).node("n2", vcore=1)
    for app in ("one", "two"):
        scene.app(app, "root.b").ask(app, "p", vcore=1).cycle()
    return scene.wants("x", "root.a")


def test_a_decision_tells_whose_allocation_it_stops():  # P-110
    decision = same_keys().later(2)
    assert (decision.stopped, decision.victims) == ((("one", "p"),), ("p",))


def test_preemption_on_a_required_node_tells_it_too():  # P-125
    scene = Scene("b: {}\nd: {}", confirm=False).node("n1", vcore=1).node("n2", vcore=1)
    for app in ("one", "two"):
        scene.app(app, "root.b").ask(app, "p", vcore=1).cycle()
    # The ask must fit the cluster before it looks at its node.
    scene.node("n3", vcore=1).drain("n3").app("d", "root.d").ask("d", "daemon", required="n2").cycle()
    assert scene.cycle().stopped == (("two", "p"),)


def test_what_one_partition_stops_is_no_matter_of_the_next_one():
    engine = Engine(load_config(TWO_PARTITIONS))
    for partition in ("default", "second"):
        engine.apply(AddNode(node_id=f"of-{partition}", capacity=amounts(vcore=1), partition=partition))
        for number in range(2):
            app = ApplicationSpec(id="x", queue="root.b", user="sue")
            if number == 0:
                engine.apply(AddApplication(application=app, partition=partition))
            ask = AskSpec(application_id="x", key=f"{partition}-{number}", resource=amounts(vcore=1))
            engine.apply(AddAsk(ask=ask, partition=partition))
    engine.apply(Cycle())
    engine.apply(AddApplication(application=ApplicationSpec(id="y", queue="root.a", user="sue")))
    engine.apply(AddAsk(ask=AskSpec(application_id="y", key="wants", resource=amounts(vcore=1))))
    engine.apply(Advance(ns=2 * SECOND_NS))
    engine.apply(Cycle())
    first, second = engine.decisions
    assert (first.outcome, first.stopped) == ("preempted", (("x", "default-0"),))
    assert (second.outcome, second.stopped) == ("nothing", ())
