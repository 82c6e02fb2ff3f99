"""Why a decision came out as it did, and why an ask is not the next one. Chapter 09 sections 1 to 3; U-19, U-20, U-26."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from workbench.explain import reason, short_name, title, why, why_not
from workbench.explain.html import explanation_html, sentences_html
from workbench.explain.refusals import raw
from workbench.scheduler.records.commands import AddAllocation, AddNode, AskSpec, DrainNode
from workbench.scheduler.records.decision import Candidate, Decision, Level
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.nodes import (
    AllReserved,
    Constraints,
    FitsNowhereNow,
    HoldsReservation,
    NeverFits,
    NodeFull,
    NodeReserved,
    RequiredNodeFull,
    TooYoung,
    UnknownNode,
    Unschedulable,
)
from workbench.scheduler.records.refusals.room import NoQueueRoom, NoUserRoom, OverMaximum
from workbench.scheduler.records.refusals.slots import Backoff, BackoffReached, GangWait, HolderFull, QueueFull
from workbench.scheduler.records.refusals.taking_part import Lost, NotReached, NotScheduled, QueueStopped, QueueWithoutPending
from workbench.simulation import Simulation, asks
from workbench.simulation.scenario import example, load_scenario
from workbench.values.resources import Resource

RECORDED = Path(__file__).resolve().parents[1] / "conformance" / "scenarios"
TWO_QUEUES = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: serving
            properties: {priority.offset: "100"}
            resources: {max: {vcore: 1}}
          - name: batch
"""
HOSTILE = ("<script>alert(1)</script>", "<b>bold</b>", "a\"b'c", "two\nlines", "\u202eturned", "x" * 5000)


@pytest.fixture
def multitenancy() -> Simulation:
    return Simulation.from_scenario(example("multitenancy"))


def two_queues(config: str = TWO_QUEUES, nodes: int = 1) -> Simulation:
    sim = Simulation(config)
    sim.add_nodes(nodes, vcore="4", memory="16Gi")
    return sim


def waiting(sim: Simulation, key: str):
    return next(item for item in sim.waiting() if item.ask.key == key)


# ---- why this one -------------------------------------------------------------------------------------------------


def test_the_first_step_of_the_documented_example_is_explained_from_root_down(multitenancy):
    assert str(why(multitenancy.preview())).splitlines() == [
        "P1 of app system-high is next, on node-1.",
        "root: system (1001) before tenants (0).",
        "system: system-high (1001) before system-normal (10) and system-low (-997).",
    ]


def test_a_step_that_was_taken_is_told_in_the_past(multitenancy):
    multitenancy.step()
    assert why(multitenancy.explain(1), done=True).headline == "P1 of app system-high was placed on node-1."


def test_queues_application_and_ask_are_told_in_this_order(multitenancy):
    multitenancy.goto(3)
    assert why(multitenancy.preview()).sentences == (
        "root: tenants (0) before system (-997).",
        "tenants: tenant-a (10) before tenant-b (0).",
        "tenant-a: child-a-1 (8) before child-a-2 (6).",
        "Requests of child-a-1: P8 (8) before P5 (5).",
    )


def test_the_last_one_left_competes_with_nothing(multitenancy):
    multitenancy.goto(10)
    assert str(why(multitenancy.preview())) == "P3 of app system-low is next, on node-1.\nNothing competes with it."


def test_a_smaller_share_decides_between_equal_priorities():
    sim = two_queues(TWO_QUEUES.replace('properties: {priority.offset: "100"}', "").replace("max: {vcore: 1}", "max: {vcore: 4}"))
    sim.submit("api", queue="root.serving", asks=asks(2, prefix="api-", vcore="1"))
    sim.submit("etl", queue="root.batch", asks=asks(2, prefix="etl-", vcore="1"))
    sim.goto(1)
    assert why(sim.preview()).sentences[0] == "root: batch (share 0) before serving (share 0.25), equal in priority."


def test_a_tie_is_named_with_the_tie_break_of_the_simulator():  # E-4
    sim = two_queues(TWO_QUEUES.replace('properties: {priority.offset: "100"}', ""))
    sim.submit("api", queue="root.serving", asks=asks(1, prefix="api-", vcore="1"))
    sim.submit("etl", queue="root.batch", asks=asks(1, prefix="etl-", vcore="1"))
    assert why(sim.preview()).sentences == (
        "root: serving (0) before batch (0), a tie in priority, share and pending amounts: the scheduler leaves this order open, "
        "and the simulator takes the one created first.",
    )


def test_nodes_of_equal_score_are_told_to_go_by_id():
    sim = two_queues(nodes=2)
    sim.submit("etl", queue="root.batch", asks=asks(1, vcore="1"))
    assert why(sim.preview()).sentences == (
        "Nodes by fair: node-000 (score 0) before node-001 (score 0), a tie in score: the smaller node id goes first.",
    )


def test_a_node_without_room_is_passed_over_with_what_is_missing():  # A-09, E-5
    sim = two_queues()
    sim.apply(AddNode(node_id="a-small-one", capacity=Resource(vcore=500)))
    sim.submit("etl", queue="root.batch", asks=asks(1, vcore="1"))
    assert why(sim.preview()).sentences == (
        "Nodes by fair: a-small-one (score 0) came first but was passed over: Node a-small-one is too small: vcore 500m in all, "
        "1 needed.",
    )


def test_a_queue_that_came_first_but_placed_nothing_is_named_with_the_limit_that_binds():  # A-05, W-11, E-5, E-6
    sim = two_queues()
    sim.submit("api", queue="root.serving", asks=asks(2, prefix="api-", vcore="750m"))
    sim.submit("etl", queue="root.batch", asks=asks(1, prefix="etl-", vcore="1"))
    sim.goto(1)
    assert why(sim.preview()).sentences == (
        "root: serving (100) came first but placed nothing: api-001 of app api: Needs vcore 750m; queue root.serving has 250m "
        "left (750m of 1 used), 500m missing.",
    )


def test_what_can_never_run_is_not_said_to_wait():  # E-10
    sim = two_queues()
    sim.submit("api", queue="root.serving", asks=asks(1, vcore="2"))
    assert reason(sim.waiting()[0].refusal) == "Can never run: it needs vcore 2, and queue root.serving has 1 in all."


def test_when_nothing_can_be_placed_the_first_reason_of_each_ask_is_told():
    sim = two_queues()
    sim.submit("api", queue="root.serving", asks=asks(2, prefix="api-", vcore="2"))
    told = why(sim.preview())
    assert told.headline == "Nothing can be placed now."
    assert [sentence.partition(":")[0] for sentence in told.sentences] == ["api-000 of app api", "api-001 of app api"]


def test_a_partition_without_nodes_says_so():  # W-01
    sim = Simulation(TWO_QUEUES)
    sim.submit("api", queue="root.serving", asks=asks(1, vcore="1"))
    assert why(sim.preview()).sentences == ("Partition default is not scheduled: no node registered.",)


@pytest.mark.parametrize("scenario", ["documented-gang-hard-replaced", "documented-preemption-fence", "flat-0", "limits-1"])
def test_no_answer_is_longer_than_five_sentences(scenario):  # U-19
    for decision in decisions(scenario):
        told = why(decision)
        assert 1 + len(told.sentences) <= 5
        assert all(sentence.endswith(".") for sentence in (told.headline, *told.sentences, *told.more))


def test_a_replacement_names_the_placeholder():
    decision = next(each for each in decisions("documented-gang-hard-replaced") if each.outcome == "replaced")
    assert why(decision).sentences[0] == (
        f"It takes the place of {decision.placeholder}, and replacements are tried before the normal order."
    )


def test_a_preemption_names_its_victims():
    decision = next(each for each in decisions("documented-preemption-fence") if each.outcome == "preempted")
    assert why(decision, done=True).headline == f"Victims on {decision.node_id} were chosen for {decision.key} of app sys."
    assert why(decision).sentences[0] == "Room is made by stopping qb3-14."


def test_an_ask_with_a_reservation_is_told_to_come_before_the_order():
    decision = next(each for each in decisions("limits-1") if (each.phase, each.outcome) == ("reserved", "allocated"))
    assert why(decision).sentences[0] == "It holds a reservation, and requests with reservations are tried before all others."


def decisions(scenario: str) -> Iterator[Decision]:
    """Every decision of a recorded scenario, with its comparisons."""
    sim = Simulation.from_scenario(load_scenario(RECORDED / f"{scenario}.json"))
    while True:
        yield sim.preview()
        if not sim.step().changed_something:
            return


# ---- why not that one ---------------------------------------------------------------------------------------------


def test_p9_waits_because_the_fence_makes_it_0_at_root(multitenancy):  # U-20, R-651
    assert why_not(waiting(multitenancy, "P9"), multitenancy.preview()) == (
        "Not yet: P9 of app child-b-1 in root.tenants.tenant-b.child-b-1.",
        "root: tenants (0) comes after system (1001).",
        "The fence at tenants makes its priority 9 count as 0 there.",
    )


def test_the_first_level_at_which_the_branch_lost_is_named(multitenancy):  # U-20
    multitenancy.goto(3)
    assert why_not(waiting(multitenancy, "P9"), multitenancy.preview())[1:] == (
        "tenants: tenant-b (0) comes after tenant-a (10).",
        "The fence at tenant-b makes its priority 9 count as 0 there.",
    )


def test_an_offset_that_holds_an_ask_back_is_named(multitenancy):
    assert why_not(waiting(multitenancy, "P3"), multitenancy.preview())[1:] == (
        "system: system-low (-997) comes after system-high (1001).",
        "With the offsets on its way its priority 3 counts as -997 there.",
    )


def test_a_queue_that_counts_for_another_ask_is_said_to(multitenancy):
    multitenancy.goto(1)
    assert why_not(waiting(multitenancy, "P3"), multitenancy.preview())[1] == (
        "system: system-low (-997) comes after system-normal (10)."
    )
    multitenancy.goto(3)
    lost = why_not(waiting(multitenancy, "P4"), multitenancy.preview())
    assert lost[1:] == (
        "tenant-a: child-a-2 (6) comes after child-a-1 (8).",
        "child-a-2 counts as much because of another request; for this one alone it would count as 4.",
    )


def test_asks_of_one_application_are_compared_with_each_other(multitenancy):
    multitenancy.goto(3)
    assert why_not(waiting(multitenancy, "P5"), multitenancy.preview())[1] == "Requests of child-a-1: P5 (5) comes after P8 (8)."


def test_the_next_one_has_no_reason_to_wait(multitenancy):
    assert why_not(waiting(multitenancy, "P1"), multitenancy.preview()) == ("P1 of app system-high is next.",)


def test_an_ask_that_was_tried_is_refused_with_its_shortfall():  # E-5
    sim = two_queues()
    sim.submit("etl", queue="root.batch", asks=[*asks(1, prefix="big-", vcore="3"), *asks(1, prefix="more-", vcore="2")])
    sim.goto(1)
    assert why_not(waiting(sim, "more-000"), sim.preview())[:2] == (
        "Not yet: more-000 of app etl in root.batch.",
        "Needs vcore 2; the cluster has 1 left (3 of 4 used), 1 missing.",
    )


# ---- reasons: one sentence and one short name per code ------------------------------------------------------------

GI = 2**30
REASONS = [
    (NotScheduled("default", state="Stopped"), "Partition default is not scheduled: stopped."),
    (QueueStopped("batch", state="Stopped"), "Queue batch is stopped; nothing in it is scheduled."),
    (NotReached("root"), "Not reached: an earlier candidate was served."),
    (
        NotReached("root", Lost("root", "a", "b", "priority", -2, -1)),
        "Not reached: at root, a goes before b.",
    ),
    (
        QueueFull("root.a", running=1, allocating=1, limit=2),
        "Queue root.a may run 2 applications: 1 running and 1 starting, so another must wait.",
    ),
    (
        HolderFull("root", kind="user", who="sue", running=2, limit=2),
        "In root user sue may run 2 applications: 2 running, so another must wait.",
    ),
    (
        Backoff("app", deadline_ns=31_500_000_000, now_ns=1_500_000_000, threshold=3),
        "Application app pauses after 3 unschedulable requests: 30 s left.",
    ),
    (
        BackoffReached("app", threshold=3, position=3),
        "3 requests of app found no place in this attempt, so its later requests are not looked at.",
    ),
    (
        GangWait("ask", task_group="tg", count=3, replaced=1, timed_out=0),
        "Waits to replace a placeholder of task group tg: 3 placed, 1 replaced, 0 timed out.",
    ),
    (
        NoUserRoom(
            "root.a",
            kind="group",
            who="dev",
            type="memory",
            need=4 * GI,
            headroom=GI,
            maximum=8 * GI,
            used=7 * GI,
        ),
        "Needs memory 4Gi; group dev has 1Gi left in root.a (7Gi of 8Gi used), 3Gi missing.",
    ),
    (UnknownNode("ask", node="n9"), "Must run on node n9, which is not registered."),
    (
        RequiredNodeFull("ask", node="n1", available=Resource(vcore=500), need=Resource(vcore=2000), fault="node-available"),
        "Must run on node n1, which lacks vcore 1500m (needs 2, 500m available).",
    ),
    (
        AllReserved("ask", nodes=(("n1", "x"), ("n2", "y"))),
        "Every node that could hold it is reserved: n1 for x and n2 for y.",
    ),
    (NeverFits("ask", types=("gpu",), largest=(("gpu", 1, 0),)), "Can never run: no node offers gpu."),
    (
        NeverFits("ask", types=(), largest=(("vcore", 9000, 4000), ("memory", GI, 2 * GI))),
        "Can never run: it needs vcore 9 where the largest node has 4.",
    ),
    (
        NeverFits("ask", types=(), largest=(("vcore", 2000, 4000),)),
        "Can never run: no single node is large enough in every type at once.",
    ),
    (
        FitsNowhereNow("ask", nodes=(("n1", "vcore", 2000, 500), ("n2", "vcore", 2000, 1500), ("n3", "memory", 8 * GI, GI))),
        "No node has room now; n2 comes closest: vcore 1500m of 2 available, 500m missing.",
    ),
    (FitsNowhereNow("ask", nodes=()), "No node has room now."),
    (Constraints("ask", text="no match", nodes=("n1",)), "The node constraints refuse n1: no match."),
    (Unschedulable("ask", nodes=("n1",)), "Only nodes that take no new work could hold it: n1."),
    (
        HoldsReservation("ask", node="n1", missing=(("vcore", 2000, 500),)),
        "Holds a reservation on node n1, which still lacks vcore 1500m (needs 2, 500m available).",
    ),
    (
        TooYoung("ask", age_ns=500_000_000),
        "Too young for a reservation (0.5 s old); a request may reserve a node after 2 s.",
    ),
    (NodeReserved("n1", ask="x"), "Node n1 is reserved for x."),
    (
        NodeFull("n1", type="vcore", need=2000, available=-500),
        "Node n1 has vcore -500m available, 2 needed, 2 missing.",
    ),
    (
        OverMaximum("root.a", type="vcore", maximum=4000, allocated=3000, need=2000),
        "Queue root.a would exceed its maximum: vcore 3 used and 2 needed, of 4.",
    ),
]


@pytest.mark.parametrize(("refusal", "sentence"), REASONS, ids=lambda value: getattr(value, "code", ""))
def test_every_reason_has_a_sentence_with_its_numbers(refusal, sentence):  # E-2
    assert reason(refusal) == sentence


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (NoQueueRoom, "queue-headroom"),
        (QueueWithoutPending, "no-pending"),
        (QueueFull, "max-apps"),
        (FitsNowhereNow, "node-fit"),
        (Backoff, "backoff"),
        (GangWait, "gang-wait"),
    ],
)
def test_codes_have_the_short_names_of_the_interface(kind, name):
    assert short_name(kind) == name


@dataclass(frozen=True)
class OfAnotherHand(Refusal):
    """A refusal that somebody brought along without words for it."""

    code: ClassVar[str] = "Z-99"
    limit: int
    need: Resource


def test_a_refusal_without_words_is_shown_raw_with_its_fields():  # never hidden
    refusal = OfAnotherHand("root.a", 3, Resource(vcore=1500))
    assert reason(refusal) == "Z-99: root.a (limit=3, need=vcore 1500m)."
    assert short_name(refusal) == short_name(OfAnotherHand) == "Z-99"


@pytest.mark.parametrize("scenario", ["churn-1", "flat-0", "limits-1", "dynamic-1", "documented-preemption-fence"])
def test_the_engine_gives_no_reason_that_has_no_sentence(scenario):  # U-26
    for decision in decisions(scenario):
        refusals = [candidate.refusal for level in decision.levels for candidate in level.candidates if candidate.refusal]
        refusals += [refusal for level in decision.levels for refusal in level.filtered]
        for refusal in refusals:
            assert short_name(refusal) != refusal.code or refusal.code == "node-unschedulable"
            assert reason(refusal) != raw(refusal)


def test_why_an_ask_could_not_preempt_is_told_after_why_it_waits():  # W-23
    sim = two_queues()
    sim.submit("etl", queue="root.batch", asks=asks(2, vcore="3"))
    sim.goto(1)
    assert why_not(waiting(sim, "ask-001"), sim.preview())[2] == (
        "It may not preempt before 30 s after it was created, the delay of root.batch: 29.898 s left."
    )


# ---- titles of pictures -------------------------------------------------------------------------------------------


def test_the_title_is_a_sentence_about_the_first_contest(multitenancy):
    assert title(multitenancy.preview()) == "system-high goes first: at root 1001 beats 0"


def test_an_earlier_submission_goes_before_a_later_one():
    sim = two_queues()
    sim.submit("first", queue="root.batch", asks=asks(1, prefix="a-", vcore="1"))
    sim.submit("second", queue="root.batch", asks=asks(1, prefix="b-", vcore="1"))
    assert title(sim.preview()) == "first goes first: at batch submitted at 0.002 s, before 0.004 s"


@pytest.mark.parametrize(
    ("decision", "sentence"),
    [
        (Decision(1, 0, "default"), "Nothing can be placed now"),
        (
            Decision(1, 0, "default", "allocated", "reserved", "k", "app", "n", ("root", "root.a")),
            "a goes first: it holds a reservation",
        ),
        (
            Decision(1, 0, "default", "allocated", "regular", "k", "app", "n", ("root", "root.a")),
            "a goes first: nothing competes with it",
        ),
    ],
    ids=["nothing", "reservation", "alone"],
)
def test_titles_without_a_contest_say_what_there_is(decision, sentence):
    assert title(decision) == sentence


# ---- names are data -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE, ids=["script", "markup", "quotes", "newline", "override", "long"])
def test_names_stay_on_one_line_and_keep_their_place(name):
    decision = Decision(
        1,
        0,
        "default",
        "allocated",
        "regular",
        name,
        name,
        name,
        ("root", "root.a"),
        (Level("ask", name, "priority", (Candidate(name, None), Candidate("other", None)), 0),),
    )
    told = str(why(decision)).splitlines()
    assert len(told) == 2 and told[0].endswith(".") and len(told[0]) < 300
    assert "\u202e" not in told[0]


def test_a_right_to_left_name_is_isolated_from_the_sentence():
    decision = Decision(1, 0, "default", "allocated", "regular", "שלום", "app", "n", ("root",))
    assert why(decision).headline == "\u2068שלום\u2069 of app app is next, on n."


def test_html_of_an_explanation_escapes_names():
    decision = Decision(1, 0, "default", "allocated", "regular", "<script>x</script>", "<b>", "n", ("root",))
    markup = explanation_html(why(decision))
    assert "<script" not in markup and "<b>" not in markup
    assert "&lt;script&gt;x&lt;/script&gt; of app &lt;b&gt; is next" in markup
    assert sentences_html(["<i>"]) == "<p>&lt;i&gt;</p>"


def test_reasons_left_over_stand_in_a_closed_part():
    sim = two_queues()
    sim.submit("api", queue="root.serving", asks=asks(7, vcore="2"))
    told = why(sim.preview())
    assert len(told.sentences) == 4 and len(told.more) == 3
    assert explanation_html(told).count("<li>") == 7 and "<summary>Show all</summary>" in explanation_html(told)


def test_a_draining_node_and_foreign_load_are_told_apart():  # W-19, W-17
    sim = two_queues(nodes=2)
    sim.apply(DrainNode(node_id="node-001"))
    sim.apply(
        AddAllocation(ask=AskSpec(application_id="", key="daemon", resource=Resource(vcore=3500)), node_id="node-000", foreign=True)
    )
    sim.submit("etl", queue="root.batch", asks=asks(1, vcore="1"))
    assert reason(sim.waiting()[0].refusal).startswith("No node has room now; node-000 comes closest: vcore 500m of 1 available")
