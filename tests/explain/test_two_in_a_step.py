"""Required nodes and quotas in Why: what makes room, what is spared, and what else a step does besides."""

from __future__ import annotations

from workbench.config import load_config
from workbench.explain import why, why_not
from workbench.plots.pictures.preemption_rows import rows
from workbench.scheduler.records.commands import AskSpec, DrainNode
from workbench.simulation import Simulation, asks
from workbench.values.resources import Resource

CONFIG = """\
partitions:
  - name: default
    preemption: {quotapreemptionenabled: true}
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: a
            properties: {preemption.quota.delay: 10s}
            resources: {max: {vcore: %d}}
          - {name: b}
"""


def over_its_quota() -> Simulation:
    """root.a is over its maximum, and an ask of root.b has room."""
    made = Simulation(CONFIG % 4)
    made.add_nodes(1, vcore="16")
    made.submit("app", queue="root.a", asks=asks(5, priority=9, vcore="1"))
    made.run()
    made.reload(load_config(CONFIG % 2))
    made.advance(11)
    made.submit("other", queue="root.b", asks=asks(1, prefix="b-", vcore="1"))
    return made


def daemon(priority: int = 0, *, others: int = 2) -> Simulation:
    """A request that must run on the full node n, where things of priority 0 and one of priority 5 run; another node is drained."""
    made = Simulation(CONFIG % 16)
    made.add_nodes(1, prefix="n", vcore=str(others + 1))
    made.submit("low", queue="root.a", asks=asks(others, prefix="low-", vcore="1"))
    made.submit("high", queue="root.b", asks=asks(1, prefix="high-", priority=5, vcore="1"))
    made.run()
    made.add_nodes(1, vcore="16")
    made.apply(DrainNode(node_id="node-001"))
    agent = AskSpec(application_id="d", key="agent", resource=Resource(vcore=1000), priority=priority, required_node="n000")
    made.submit("d", queue="root.b", asks=[agent])
    made.step()
    return made


def test_a_step_that_places_and_enforces_a_quota_tells_both():
    sim = over_its_quota()
    decision = sim.preview()
    assert decision.outcome == "allocated" and len(decision.victims) == 2
    told = why(decision)
    assert told.headline == "b-000 of app other is next, on node-000."
    assert "In the same step, root.a uses vcore 2 more than its maximum; stopped: ask-003 and ask-002." in told.sentences
    assert not any("Room is made" in each for each in told.sentences)
    assert len(told.sentences) <= 4
    sentence = rows(sim.state.partitions["default"], decision).sentence
    assert sentence == "root.a is over its maximum: 2 allocations are stopped; priorities and fences do not count"


def test_room_on_a_required_node_is_explained_with_what_is_spared():  # P-121, P-122
    decision = daemon().preview()
    assert decision.outcome == "preempted"
    told = why(decision)
    assert "Room is made by stopping low-001." in told.sentences
    node = next(each for each in told.sentences if each.startswith("It must run on n000"))
    assert node == (
        "It must run on n000, where guarantees, fences and offsets protect nobody; priorities do. Spared: low-000 (not needed); "
        "high-000 (higher priority)."
    )


def test_that_nothing_is_stopped_on_a_required_node_is_told_to_who_waits():
    sim = daemon(priority=-1)
    waiting = next(each for each in sim.waiting() if each.ask.key == "agent")
    told = why_not(waiting, sim.preview())
    assert told[-1] == (
        "It must run on n000, and nothing there is stopped for it: low-000, low-001 and high-000 (higher priority)."
    )


def test_room_for_an_ask_on_its_node_is_told_though_another_is_placed_in_the_same_step():
    sim = daemon()
    sim.add_nodes(1, vcore="4")
    sim.submit("next", queue="root.b", asks=asks(1, prefix="next-", vcore="1"))
    decision = sim.preview()
    assert (decision.outcome, decision.key, decision.victims) == ("allocated", "next-000", ("low-001",))
    told = why(decision)
    assert "In the same step, n000 makes room for agent of app d; stopped: low-001." in told.sentences
    assert not any("Room is made" in each for each in told.sentences)
    sentence = rows(sim.state.partitions["default"], decision).sentence
    assert sentence == ("For agent, which must run on n000, 1 allocation there is stopped; guarantees and fences do not count")
