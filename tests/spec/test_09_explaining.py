"""Chapter 09: what is told about every outcome, and by which rule it surprises. Sentences are those of tests/explain."""

from __future__ import annotations

import pytest

from tests.scenes import Scene, amounts, attempt, config_text, no_preemption, refusals
from workbench.explain import (
    log_rows,
    reason,
    render,
    rule_rows,
    shortfall_rows,
    victim_node_rows,
    victim_rows,
    what_would_help,
    why,
    why_not,
    why_placed,
    why_preempt,
)
from workbench.explain.html import table_html
from workbench.explain.refusals import raw
from workbench.scheduler.engine import Engine
from workbench.scheduler.preemption.general import Attempt
from workbench.scheduler.records.commands import AddAsk, AddNode, ApplicationSpec, AskSpec, Cycle, DrainNode, UpdateConfig
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.refusals.nodes import WaitsForVictims
from workbench.scheduler.records.refusals.preemption import ReservesInstead
from workbench.simulation import Simulation, Waiting, asks
from workbench.simulation.remedies import remedies
from workbench.simulation.waiting import waiting_asks

NO_PREEMPTION = {"enabled": False}


def cluster(queues: str = "a: {}", vcore: str = "4", nodes: int = 1, **partition) -> Simulation:
    sim = Simulation(config_text(queues, **partition))
    sim.add_nodes(nodes, vcore=vcore)
    return sim


def waits(sim: Simulation, key: str) -> Waiting:
    return next(item for item in sim.waiting() if item.ask.key == key)


def helped(sim: Simulation, key: str) -> tuple[str, ...]:
    """What would help the ask, and nothing of it happened."""
    before, item = sim.digest(), waits(sim, key)
    told = what_would_help(item, sim.remedies(item))
    assert sim.digest() == before
    return told


# ---- general ------------------------------------------------------------------------------------------------------


def test_explaining_changes_nothing_and_reads_the_decision_itself():  # E-1
    sim = cluster("{a: {max: {vcore: 1}}, b: {}}")
    sim.submit("x", queue="root.a", asks=asks(2, vcore="1"))
    sim.step()
    before = sim.digest()
    item, decision = sim.waiting()[0], sim.preview()
    why_not(item, decision, sim.remedies(item))
    why(decision)
    log_rows(item.ask)
    shortfall_rows(sim.state.partitions["default"], item.ask)
    assert sim.digest() == before
    assert item.refusal in [each.refusal for level in decision.levels for each in level.candidates]


def test_the_first_test_that_fails_is_the_reason():  # E-3
    scene = Scene("a: {max: {vcore: 1}}", preemption=NO_PREEMPTION).node("n1", vcore=2).app("x")
    scene.ask("x", "k", vcore=3)
    assert refusals(scene.cycle(), "ask") == {"k": "W-11"}, "that no node is large enough is not looked at"


def test_amounts_are_those_of_the_configuration():  # E-2
    sim = cluster("a: {max: {vcore: 1, memory: 1Gi}}")
    sim.submit("x", queue="root.a", asks=asks(1, vcore="1500m"))
    told = reason(waits(sim, "ask-000").refusal)
    assert told == "Can never run: it needs vcore 1500m, and queue root.a has 1 in all."  # E-10


# ---- what would change it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("queues", "told"),
    [
        ("{a: {priority.offset: 7}, b: {}}", "An offset of at least 7 on root.b would make it the next (tried)."),
        (
            "{a: {priority.offset: 7}, b: {priority.policy: fence}}",
            "An offset of at least 7 on root.b would make it the next (tried).",
        ),
    ],
    ids=["an offset", "the offset of a fence"],
)
def test_the_smallest_offset_that_wins_is_found_by_trying(queues, told):  # E-5
    sim = cluster(queues)
    sim.submit("x", queue="root.a", asks=asks(2, prefix="x-", vcore="1"))
    sim.submit("y", queue="root.b", asks=asks(1, prefix="y-", vcore="1"))
    sim.step()
    assert told in helped(sim, "y-000")


def test_no_fence_helps_an_ask_that_the_fence_hides():  # E-5
    sim = cluster("{a: {}, b: {priority.policy: fence}}")
    sim.submit("x", queue="root.a", asks=asks(2, prefix="x-", priority=1, vcore="1"))
    sim.submit("y", queue="root.b", asks=asks(1, prefix="y-", priority=9, vcore="1"))
    assert "No fence on root.b would make it the next (tried)." in helped(sim, "y-000")


def test_a_share_is_turned_by_a_guarantee_or_an_offset():  # E-5
    sim = cluster("{a: {guaranteed: {vcore: 2}}, b: {guaranteed: {vcore: 1}}}")
    for app, queue in (("x", "root.a"), ("y", "root.b")):
        sim.submit(app, queue=queue, asks=asks(3, prefix=f"{app}-", vcore="1"))
    sim.run(2)
    assert helped(sim, "y-001") == (
        "An offset of at least 1 on root.b would make it the next (tried).",
        "A guarantee of at least vcore 2001m on root.b would make it the next (tried).",
    )


def test_an_ask_behind_others_of_its_application_needs_a_priority_of_its_own():  # E-5
    sim = cluster()
    sim.submit("x", queue="root.a", asks=[*asks(1, prefix="hi-", priority=3, vcore="1"), *asks(1, prefix="lo-", vcore="1")])
    assert helped(sim, "lo-000") == ("Asking anew with a priority of at least 4 for lo-000 would make it the next (tried).",)


def test_applications_of_a_leaf_are_turned_by_priority_or_by_the_order_of_the_leaf():  # E-5
    sim = cluster(vcore="9")
    sim.submit("x", queue="root.a", asks=asks(3, prefix="x-", vcore="1"))
    sim.step()
    sim.submit("y", queue="root.a", asks=asks(1, prefix="y-", vcore="1"))
    assert helped(sim, "y-000") == (
        "Asking anew with a priority of at least 1 for y-000 would make it the next (tried).",
        "application.sort.policy: fair on root.a would make it the next (tried).",
    )


@pytest.mark.parametrize(
    ("queues", "ask", "told"),
    [
        ("a: {max: {vcore: 2}}", {"vcore": "2"}, "A maximum of at least vcore 3 on root.a would make it the next (tried)."),
        (
            "a: {limits: [{users: [sue], maxresources: {vcore: 2}}]}",
            {"vcore": "2"},
            "A limit of at least vcore 3 for user sue in root.a would make it the next (tried).",
        ),
        ("a: {}", {"vcore": "9"}, "A further node with vcore 9 would make it the next (tried)."),
    ],
    ids=["maximum", "limit of a user", "cluster"],
)
def test_room_is_made_where_it_is_short(queues, ask, told):  # E-5, E-6
    sim = cluster(queues)
    sim.submit("x", queue="root.a", user="sue", asks=[*asks(1, vcore="1"), *asks(1, prefix="more-", **ask)])
    sim.step()
    assert told in helped(sim, "more-000")


def test_more_applications_may_run():  # E-5, W-05
    sim = cluster("a: {maxapplications: 1}")
    for app in ("x", "y"):
        sim.submit(app, queue="root.a", asks=asks(1, prefix=f"{app}-", vcore="1"))
    sim.step()
    assert helped(sim, "y-000") == ("maxapplications of at least 2 on root.a would make it the next (tried).",)


def test_time_helps_an_ask_that_is_too_young_to_preempt():  # E-5, V-07
    scene = sharing_scene()
    assert "Waiting for 29.999 s would let it stop others and be placed (tried)." in what(scene, "y-0")


def test_nodes_are_opened_enlarged_and_added():  # E-5, W-13, W-19
    sim = cluster()
    sim.apply(DrainNode(node_id="node-000"))
    sim.submit("x", queue="root.a", asks=asks(1, vcore="1"))
    assert "Opening node node-000 for new work would make it the next (tried)." in helped(sim, "ask-000")
    sim = cluster(nodes=2)
    sim.submit("x", queue="root.a")
    for key, size in (("first", 3000), ("second", 2000)):
        sim.apply(AddAsk(ask=AskSpec(application_id="x", key=key, resource=amounts(vcore=size / 1000), required_node="node-000")))
    sim.run()
    told = helped(sim, "second")
    assert told == ("At least vcore 5 on node node-000 would make it the next (tried).",)


def test_a_change_that_only_lets_it_reserve_a_node_does_not_make_it_the_next():  # E-5, R-551
    sim = cluster("{a: {priority.offset: 1}, b: {}}", nodes=2, preemption=NO_PREEMPTION)
    sim.submit("x", queue="root.a", asks=asks(4, prefix="x-", vcore="2"))
    sim.submit("y", queue="root.b", asks=asks(1, prefix="y-", vcore="3"))
    sim.run(2)
    sim.advance(3)
    told = helped(sim, "y-000")
    assert not any("the next" in each for each in told if "offset" in each), told
    assert "An offset of at least 1 on root.b would let it reserve a node, but not yet be placed (tried)." in told


def test_another_priority_is_tried_with_a_new_request_as_young_as_one(monkeypatch):  # E-5, R-472
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=4).app("x").ask("x", "high", priority=3)
    scene.ask("x", "low", created_ns=0).advance(5)
    tried, apply = [], scene.engine.apply
    monkeypatch.setattr(Engine, "apply", lambda engine, command, **how: (tried.append(command), apply(command, **how))[1])
    assert what(scene, "low") == ("Asking anew with a priority of at least 4 for low would make it the next (tried).",)
    assert {each.ask.created_ns for each in tried if isinstance(each, AddAsk)} == {None}


def test_what_was_tried_in_vain_is_said():  # E-5, U-20
    sim = cluster("{a: {}, b: {priority.policy: fence}}")
    sim.submit("x", queue="root.a", asks=asks(1, prefix="x-", priority=2**31 - 1, vcore="1"))
    sim.submit("y", queue="root.b", asks=asks(1, prefix="y-", vcore="1"))
    sim.apply(UpdateConfig(config=config_text("{a: {}, b: {priority.policy: fence}}")))
    told = helped(sim, "y-000")
    assert told == ("Tried in vain: priority.offset, no fence and application.sort.priority.",)


def test_the_next_one_needs_no_help():
    sim = cluster()
    sim.submit("x", queue="root.a", asks=asks(1, vcore="1"))
    assert helped(sim, "ask-000") == ()


# ---- why it waits -------------------------------------------------------------------------------------------------


def test_every_node_and_type_is_shown_with_what_it_lacks():  # E-11
    sim = Simulation(config_text())
    for node, vcore, memory in (("n1", 2, 8), ("n2", 4, 1)):
        sim.apply(AddNode(node_id=node, capacity=amounts(vcore=vcore, memory=memory * 2**30)))
    sim.apply(DrainNode(node_id="n1"))
    sim.submit("x", queue="root.a", asks=asks(1, vcore="3", memory="2Gi"))
    assert render(shortfall_rows(sim.state.partitions["default"], waits(sim, "ask-000").ask)) == (
        "node  type    needed  available  missing  capacity  state\n"
        "n1    vcore        3          2        1         2  draining\n"
        "n1    memory     2Gi        8Gi     -6Gi       8Gi  draining\n"
        "n2    vcore        3          4       -1         4\n"
        "n2    memory     2Gi        1Gi      1Gi       1Gi"
    )


def test_the_texts_of_the_real_scheduler_stand_beside_the_reason():  # E-7, R-580
    scene = Scene("a: {max: {vcore: 1}}", preemption=NO_PREEMPTION).node("n1", vcore=4).app("x").ask("x", "k", vcore=2)
    scene.cycles(3)
    table = log_rows(scene.allocation("x", "k"))
    assert table.rows == (("Not enough queue quota", "3", "0.206 s"),)
    assert "Not enough queue quota" in table_html(table)
    assert (
        render(log_rows(scene.app("y").ask("y", "k").allocation("y", "k"))) == "The real scheduler notes nothing on this request."
    )


def test_an_ask_too_young_to_reserve_a_node_is_said_to_be():  # W-17, W-21
    sim = cluster(preemption=NO_PREEMPTION, nodes=2)
    sim.submit("x", queue="root.a", asks=[*asks(2, vcore="3"), *asks(1, prefix="big-", vcore="2")])
    sim.run()
    assert any(sentence.startswith("Too young for a reservation") for sentence in why_not(waits(sim, "big-000"), sim.preview()))


# ---- preemption ---------------------------------------------------------------------------------------------------


def sharing_scene(queues: str = "{a: {guaranteed: {vcore: 2}}, b: {guaranteed: {vcore: 2}}}") -> Scene:
    """root.b runs over its guarantee on a full node; root.a wants one core of its own."""
    return Scene(queues, confirm=False).node("n1", vcore=4).runs("x", "root.b", 4).wants("y", "root.a")


def what(scene: Scene, key: str) -> tuple[str, ...]:
    """As `helped`, in a scene."""
    mark = scene.engine.mark
    scene.engine.apply(Cycle(), traced=True)
    decisions = scene.engine.decisions
    scene.engine.unwind(mark)
    item = next(each for each in waiting_asks(scene.engine.state, decisions) if each.ask.key == key)
    return what_would_help(item, remedies(scene.engine, item))


def test_a_victim_is_told_with_its_place_its_keys_and_what_its_queue_holds():  # E-20, P-72
    scene = sharing_scene()
    told = why_preempt(attempt(scene.later()))
    assert str(told).splitlines() == [
        "For y-0 of app y, 1 allocation is stopped; it waits for n1.",
        "n1 has nothing free and gets vcore 1 back for the vcore 1 needed, which is enough.",
        "1. x-3 of app x in root.b: regular, created at 0.006 s.",
        "root.b holds vcore 4 before and vcore 3 after, of vcore 2 guaranteed.",
    ]


def protections(decision: Decision) -> dict[str, str]:
    """Victim or queue -> code of what protected it."""
    return {
        verdict.key or verdict.queue: verdict.refusal.code if verdict.refusal else "taken" for verdict in attempt(decision).verdicts
    }


def test_every_candidate_is_told_what_protected_it():
    scene = Scene(
        "{f: {preemption.policy: fence, a: {guaranteed: {vcore: 9}}, b: {}, shut: {preemption.policy: disabled}, "
        "within: {guaranteed: {vcore: 9}}, up: {priority.policy: fence, priority.offset: 5}}, out: {}}",
        confirm=False,
    ).node("n1", vcore=10)
    scene.app("own", "root.f.a").ask("own", "own-0", on="n1")
    for queue in ("shut", "within", "up"):
        scene.runs(queue, f"root.f.{queue}", 1)
    scene.runs("out", "root.out", 1)
    scene.app("v", "root.f.b").ask("v", "bound", on="n1", required="n1").ask("v", "high", on="n1", priority=3)
    scene.ask("v", "other", on="n1", memory=5).ask("v", "free", on="n1").ask("v", "free-2", on="n1")
    scene.resize_node("n1", vcore=8, memory=9)
    assert protections(scene.wants("y", "root.f.a", vcore=1).later()) == {
        "free-2": "taken",
        "free": "X-16",
        "bound": "X-06",
        "high": "X-08",
        "other": "X-05",
        "root.f.a": "X-01",
        "root.f.shut": "X-03",
        "root.f.up": "X-09",
        "root.f.within": "X-04",
        "root.out": "X-02",
    }


def test_the_table_of_victims_has_a_sentence_for_each():  # section 4.2
    scene = sharing_scene()
    scene.ask("x", "pinned", on="n1", required="n1", vcore=0)
    told = attempt(scene.later())
    table = victim_rows(told)
    assert [(row[0], row[5]) for row in table.rows][:3] == [
        ("x-3", "taken"),
        ("x-0", "victim-not-over-guarantee"),
        ("x-1", "victim-not-over-guarantee"),
    ]
    assert all(row[-1].endswith(".") for row in table.rows)
    assert "x-3" in table_html(table) and "taken" in render(table)
    assert victim_node_rows(told).rows == (("n1", "4", "2", "1", "chosen"),)


def test_a_priority_is_told_with_the_way_that_it_was_computed():  # X-08, P-33, P-34
    scene = sharing_scene("{a: {guaranteed: {vcore: 2}, priority.offset: 3}, b: {priority.offset: 1}}")
    scene.release("x", "x-0").ask("x", "high", on="n1", priority=5)
    decision = scene.later()
    protection = next(each.refusal for each in attempt(decision).verdicts if each.key == "high")
    assert reason(protection) == (
        "Its priority 5 is above 2, which is what the request counts as here (root.a 3, root 3, root.b 2)."
    )


@pytest.mark.parametrize(
    ("queues", "code", "told"),
    [
        ("{a: {}, b: {}}", "V-10", "It does not preempt: no queue from root to root.a has a guarantee left for it."),
        (
            "{a: {guaranteed: {vcore: 2}, preemption.policy: fence}, b: {}}",
            "V-12",
            "It does not preempt: nothing below root.a, to which the search is limited (it has preemption.policy: fence) may be "
            "stopped for it.",
        ),
    ],
    ids=["nothing is guaranteed", "fenced in"],
)
def test_an_attempt_that_fails_tells_its_first_failing_stage(queues, code, told):  # section 4.1
    failed = attempt(sharing_scene(queues).later())
    assert failed.refusal is not None and failed.refusal.code == code
    assert why_preempt(failed).headline == "Nothing is stopped for y-0 of app y."
    assert why_preempt(failed).sentences[0] == told


def surprises_of(told: Attempt) -> set[str]:
    return {met.code for each in told.taken for met in each.surprises} | {each.code for each in told.surprises}


PREEMPTION_SURPRISES = {
    "P-35": ("{p: {priority.offset: 5, a: {guaranteed: {vcore: 2}}, b: {}}}", "root.p.a", "root.p.b", {"priority": 3}, {}),
    "P-46": (
        "{p: {guaranteed: {vcore: 1}, b: {guaranteed: {vcore: 1}}, c: {}}, a: {guaranteed: {vcore: 2}}}",
        "root.a",
        "root.p.b",
        {"vcore": 1},
        {"also": "root.p.c"},
    ),
    "P-47": ("{team: {guaranteed: {vcore: 9}}, team2: {guaranteed: {vcore: 2}}}", "root.team2", "root.team", {}, {}),
    "P-74": ("{a: {guaranteed: {vcore: 4}}, b: {guaranteed: {vcore: 3}}}", "root.a", "root.b", {"vcore": 2}, {}),
}


@pytest.mark.parametrize("rule", sorted(PREEMPTION_SURPRISES))
def test_a_victim_that_the_laws_promise_to_spare_is_told_with_the_surprise(rule):  # E-20, P-35, P-46, P-47, P-74
    queues, mine, theirs, size, extra = PREEMPTION_SURPRISES[rule]
    scene = Scene(queues, confirm=False).node("n1", vcore=4)
    count = {"P-46": 1, "P-74": 2}.get(rule, 4)
    if "also" in extra:
        scene.runs("z", extra["also"], 3, required="n1")
    scene.runs("x", theirs, count, **size).wants("y", mine)
    told = attempt(scene.later())
    assert told.succeeded and rule in surprises_of(told)
    assert f"This is a known surprise of the real scheduler ({rule})." in "\n".join(
        (*why_preempt(told).sentences, *why_preempt(told).more)
    )


def test_free_space_that_is_not_counted_is_told_as_a_surprise():  # P-103
    scene = Scene("{a: {guaranteed: {vcore: 4}}, b: {}}", confirm=False).node("n1", vcore=5).runs("x", "root.b", 4)
    told = attempt(scene.wants("y", "root.a", vcore=3).later())
    assert len(told.victims) == 3 and surprises_of(told) == {"P-103"}


def test_no_surprise_is_told_where_nothing_surprises():
    assert surprises_of(attempt(sharing_scene().later())) == set()


# ---- known surprises of scheduling --------------------------------------------------------------------------------


def noticed(decision: Decision) -> list[str]:
    return [each.code for each in decision.surprises]


def test_a_slot_that_only_holds_a_reservation_is_told():
    scene = Scene("a: {maxapplications: 1}", preemption=NO_PREEMPTION).node("n1", vcore=4).node("n2", vcore=4)
    scene.app("w", "root.a").remove_app("w")
    scene.ask("", "foreign-1", on="n1", foreign=True, vcore=3).ask("", "foreign-2", on="n2", foreign=True, vcore=3)
    scene.wants("x", "root.a", vcore=3).advance(3)
    assert scene.cycle().outcome == "reserved"
    decision = scene.wants("y", "root.a", vcore=1).cycle()
    assert noticed(decision) == ["R-515"]
    item = next(each for each in waiting_asks(scene.engine.state, (decision,)) if each.ask.key == "y-0")
    assert (
        "x has taken a slot although it only holds a reservation. This is a known surprise of the real scheduler (R-515)."
        in why_not(item, decision)
    )


def test_a_reservation_of_a_node_that_lacks_more_is_told():
    scene = Scene(preemption=NO_PREEMPTION, nodesortpolicy={"type": "binpacking"}).node("n1", vcore=9).node("n2", vcore=9)
    scene.app("v").ask("v", "most", on="n1", vcore=8).ask("v", "little", on="n2", vcore=1)
    decision = scene.wants("x", "root.a", vcore=9).later(3)
    assert (decision.outcome, decision.node_id, noticed(decision)) == ("reserved", "n1", ["R-553"])
    assert any("n2 lacks less" in sentence for sentence in why(decision).sentences)


def test_a_reservation_that_the_constraints_refuse_is_told():
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=4).node("n2", vcore=4)
    scene.runs("v", "root.a", 1, on="n1", vcore=3).runs("w", "root.a", 1, on="n2", vcore=3)
    decision = scene.app("x").ask("x", "k", vcore=2, allowed=("n2",)).later(3)
    assert noticed(decision) == ["R-554"]


def test_a_score_that_is_out_of_date_is_told():
    scene = Scene().node("n1", vcore=4).node("n2", vcore=4)
    scene.runs("v", "root.a", 1, on="n2", vcore=1).ask("", "foreign", on="n1", foreign=True, vcore=3)
    decision = scene.wants("x", "root.a").cycle()
    assert (decision.node_id, noticed(decision)) == ("n1", ["R-559"])


def test_a_drained_node_that_is_still_reserved_is_told():
    scene = Scene(preemption=NO_PREEMPTION).node("n1", vcore=2).ask("", "foreign", on="n1", foreign=True, vcore=2)
    scene.wants("x", "root.a", vcore=2).later(3)
    decision = scene.drain("n1").release("", "foreign").cycle()
    assert (decision.key, decision.node_id, noticed(decision)) == ("x-0", "n1", ["R-569"])


def test_a_priority_that_is_out_of_date_after_a_reload_is_told():
    queues = "{{p: {{a: {{priority.offset: {0}}}}}, q: {{b: {{}}}}}}"
    scene = Scene(queues.format(0)).node("n1", vcore=4)
    scene.wants("x", "root.p.a", 2, priority=5).wants("y", "root.q.b", 2, priority=9)
    decision = scene.reload(queues.format(100)).cycle()
    assert (decision.key, noticed(decision)) == ("y-0", ["R-644"])


def test_a_node_that_could_be_cleared_but_is_not_reached_is_told():  # P-126
    scene = Scene("{b: {}, d: {}}").node("n1", vcore=4).runs("v", "root.b", 4)
    decision = scene.app("d", "root.d").ask("d", "daemon", required="n1", vcore=2).cycle()
    assert (refusals(decision, "ask"), noticed(decision)) == ({"daemon": "W-14"}, ["P-126"])
    item = waiting_asks(scene.engine.state, (decision,))[0]
    assert why_not(item, decision)[1] == (
        "Needs vcore 2; the cluster has 0 left (4 of 4 used), 2 missing. Only when there is room in the queues does it look at its "
        "node, n1."
    )
    assert "P-126" in why_not(item, decision)[-1]


def test_a_removed_wildcard_that_still_counts_is_told():  # PL-132
    limits = "a: {{limits: [{{users: [bob], maxresources: {{vcore: 9}}}}{0}]}}"
    wildcard = ", {users: ['*'], maxresources: {vcore: 1}}"
    scene = Scene(limits.format(wildcard), preemption=NO_PREEMPTION).node("n1", vcore=9)
    scene.app("x", user="sue").ask("x", "runs").ask("x", "waits")
    scene.cycle()
    decision = scene.reload(limits.format("")).cycle()
    item = waiting_asks(scene.engine.state, (decision,))[0]
    assert item.refusal is not None and item.refusal.code == "W-10"
    assert why_not(item, decision)[-1] == (
        "The limit of a wildcard that was removed still counts for sue. This is a known surprise of the real scheduler (PL-132)."
    )


# ---- placement ----------------------------------------------------------------------------------------------------

RULES = [
    {"name": "tag", "value": "namespace", "create": False},
    {"name": "provided", "filter": {"type": "allow", "users": ["sue"]}},
    {"name": "user", "create": True, "parent": {"name": "fixed", "value": "root.people"}},
]


def submitted(queues: str = "{people: {parent: true}, a: {}}", *, rules=RULES, **fields):
    sim = Simulation(config_text(queues, placementrules=rules))
    return sim.placement(ApplicationSpec(**{"id": "x", "user": "bob", **fields}))


def test_the_rule_that_leads_to_a_queue_is_told_and_the_others_why_not():  # E-30
    placing = submitted(queue="root.a")
    assert (placing.queue, placing.created, placing.refusal) == ("root.people.bob", ("root.people.bob",), None)
    assert str(why_placed(placing)).splitlines() == [
        "App x goes to root.people.bob.",
        "Rule user leads to root.people.bob, which takes it.",
        "Created for it: root.people.bob.",
        "Rule tag, passed over: It finds no tag namespace to go by.",
        "Rule provided, passed over: Its filter does not let user bob of bob pass.",
    ]
    assert [row[0] for row in rule_rows(placing).rows] == ["tag", "provided", "user", "↳ fixed"]


@pytest.mark.parametrize(
    ("fields", "rule", "code"),
    [
        ({"tags": {"namespace": "nowhere"}}, "tag", "rule-missing"),
        ({"user": "sue", "queue": "root.people"}, "provided", "queue-parent"),
        ({"user": "sue", "queue": "root.closed"}, "provided", "queue-access"),
        ({"user": "sue", "queue": "root.gone"}, "provided", "queue-draining"),
    ],
    ids=["the queue is missing", "the queue is a parent", "no access", "the queue drains"],
)
def test_each_rule_says_why_it_was_passed_over(fields, rule, code):  # E-30
    queues = "{{submitacl: ' ', people: {{parent: true, submitacl: '*'}}, closed: {{}}{0}}}"
    sim = Simulation(config_text(queues.format(", gone: {submitacl: '*'}"), placementrules=RULES))
    sim.submit("stays", queue="root.gone", user="sue")
    sim.apply(UpdateConfig(config=config_text(queues.format(""), placementrules=RULES)))
    placing = sim.placement(ApplicationSpec(**{"id": "x", "user": "bob", **fields}))
    found = next(each.refusal for each in placing.trace if each.rule == rule)
    assert found is not None and found.code == code
    assert reason(found) != raw(found) and reason(found).endswith(".")


PROVIDED = [{"name": "provided"}]
REJECTED = {
    "J-02": ({"user": ""}, PROVIDED, "empty user cannot resolve"),
    "J-05": ({"queue": "root.nowhere"}, PROVIDED, "failed to place application x: application rejected: no placement rule matched"),
    "J-06": (
        {"tags": {"namespace": "a"}},
        [{"name": "user", "create": True, "parent": {"name": "tag", "value": "namespace"}}],
        "failed to place application x: parent rule returned a leaf queue: root.a",
    ),
    "J-07": (
        {"queue": "root.a.b"},
        [{"name": "provided", "create": True}],
        "failed to create rule based queue root.a.b for application x\n"
        "creation of queue root.a.b failed parent is already a leaf: root.a",
    ),
    "J-09": (
        {"queue": "root.fair", "placeholder_ask": amounts(vcore=1)},
        PROVIDED,
        "queue root.fair cannot run application x with task group request: unsupported sort type",
    ),
    "J-10": (
        {"queue": "root.a", "placeholder_ask": amounts(vcore=9)},
        PROVIDED,
        "queue root.a cannot fit application x: task group request map[vcore:9000] larger than max queue allocation "
        "map[vcore:4000]",
    ),
}


@pytest.mark.parametrize("code", sorted(REJECTED))
def test_a_rejection_is_told_with_the_text_of_the_real_scheduler(code):  # section 5
    fields, rules, text = REJECTED[code]
    placing = submitted("{a: {max: {vcore: 4}}, fair: {application.sort.policy: fair}}", rules=rules, **fields)
    assert placing.refusal is not None
    assert (placing.refusal.code, placing.refusal.text) == (code, text)
    assert why_placed(placing).headline == "App x is rejected."
    assert why_placed(placing).sentences[0].startswith("The scheduler answers: ")


def test_an_application_is_asked_about_as_it_was_when_it_came():  # E-1, E-30, J-04
    sim = cluster("{a: {}, b: {}}")
    sim.submit("x", queue="root.a", asks=asks(1, vcore="1"))
    sim.apply(UpdateConfig(config=config_text("b: {}")))
    sim.run()
    assert sim.placement("x").queue == "root.a"
    assert sim.placement(ApplicationSpec(id="z", user="bob", queue="root.a")).queue == ""
    duplicate = sim.placement(ApplicationSpec(id="x", user="bob", queue="root.b"))
    assert duplicate.refusal is not None and duplicate.refusal.code == "J-04"
    unknown = sim.placement(ApplicationSpec(id="z", user="bob"), partition="other")
    assert unknown.refusal is not None and unknown.refusal.code == "J-01"


# ---- what preemption waits for, and why it is not tried -------------------------------------------------------------

BELOW_AND_ABOVE = "{a: {guaranteed: {vcore: 4}}, b: {}}"


def test_an_ask_whose_user_has_no_room_is_told_that_this_comes_before_preemption():  # V-01, P-20
    limits = "[{limit: '', users: [sue], maxresources: {vcore: 1}}]"
    scene = Scene(f"{{a: {{guaranteed: {{vcore: 4}}, limits: {limits}}}, b: {{}}}}").node("n1", vcore=4).runs("x", "root.b", 4)
    scene.app("y", "root.a", user="sue").ask("y", "first", vcore=2)
    assert refusals(scene.cycle(), "ask") == {"first": "W-10"}
    decision = scene.later()
    assert (refusals(decision, "ask"), no_preemption(decision)) == ({"first": "W-10"}, {"first": "V-01"})


def test_before_its_delay_an_ask_without_user_room_has_nothing_more_to_say():  # V-01
    limits = "[{limit: '', users: [sue], maxresources: {vcore: 1}}]"
    scene = Scene(f"{{a: {{limits: {limits}}}, b: {{}}}}").node("n1", vcore=4)
    assert no_preemption(scene.app("y", "root.a", user="sue").ask("y", "first", vcore=2).cycle()) == {}


def test_an_ask_that_reserves_is_told_that_it_does_not_preempt_in_this_step():  # V-02, P-20
    scene = Scene(BELOW_AND_ABOVE).node("n1", vcore=4).node("n2", vcore=4).runs("x", "root.b", 3).runs("z", "root.b", 3, on="n2")
    decision = scene.wants("y", "root.a", vcore=2).later()
    assert (decision.outcome, decision.instead_of_preempting) == ("reserved", ReservesInstead("y-0", decision.node_id))
    assert f"It does not preempt in this step: it reserves {decision.node_id} instead." in (
        *why(decision).sentences,
        *why(decision).more,
    )


def test_an_ask_waits_for_the_end_of_what_it_stops():  # W-22
    scene = Scene(BELOW_AND_ABOVE, confirm=False).node("n1", vcore=4).runs("x", "root.b", 4).wants("y", "root.a", vcore=2)
    stopped = scene.later()
    assert stopped.outcome == "preempted"
    decision = scene.cycle()
    told = next(each.refusal for each in decision.levels[-1].candidates if each.name == "y-0")
    assert (told.code, told.preemption) == ("W-11", WaitsForVictims("y-0", "n1", ("x-2", "x-3")))
    assert reason(told.preemption).endswith("waits for the end of what is stopped there: x-2 and x-3.")


def test_with_room_in_the_queues_its_wait_is_the_reason_itself():  # W-22
    scene = Scene(BELOW_AND_ABOVE, confirm=False).node("n1", vcore=4).node("n2", vcore=5)
    scene.runs("x", "root.b", 4).runs("z", "root.b", 2, on="n2").wants("y", "root.a", vcore=2, allowed=("n1",))
    assert [scene.later().outcome, scene.cycle().outcome] == ["reserved", "preempted"]
    assert refusals(scene.cycle(), "ask")["y-0"] == "W-22"
    assert refusals(scene.confirm_releases().cycle(), "ask") == {}
