"""G-7: use against the guarantee in blocks, and what an attempt at preemption made of each, asserted as data; its table."""

from __future__ import annotations

from pathlib import Path

import pytest
from picture_scenes import FENCE, crowd, nameless, partition, preempting, teams

import workbench
from workbench.explain import attempts, balance_rows, render
from workbench.plots.pictures import preemption
from workbench.plots.pictures.preemption import figure, rows
from workbench.plots.pictures.preemption_rows import ASK, CANDIDATE, GONE, PLAIN, SPARED, TAKEN
from workbench.scheduler.records.commands import AskSpec, DrainNode
from workbench.simulation import Simulation, asks
from workbench.simulation.scenario import load_scenario
from workbench.values.errors import CommandError
from workbench.values.resources import Resource

SCENARIOS = Path(__file__).parents[1] / "conformance" / "scenarios"


def picture_rows(sim: Simulation, **options) -> preemption.PreemptionRows:
    return rows(partition(sim), sim.preview(), **options)


def blocks(data, name: str) -> list[tuple[int, int, str, str]]:
    line = [label.name for label in data.labels].index(name)
    return [(block.start, block.amount, block.what, block.letter) for block in data.blocks if block.line == line]


def before_a_preemption(name: str) -> Simulation:
    """A recorded scenario just before its first step that has victims."""
    sim = Simulation.from_scenario(load_scenario(SCENARIOS / f"{name}.json"))
    while not sim.preview().victims:
        assert sim.step().changed_something
    return sim


def test_blocks_begin_at_what_is_guaranteed_and_zero_is_the_guarantee():
    assert blocks(picture_rows(teams()), "online") == [
        (-3000, 1000, PLAIN, ""),
        (-2000, 1000, PLAIN, ""),
        (-1000, 1000, PLAIN, ""),
        (0, 1000, PLAIN, ""),
    ]


def test_victims_end_their_row_and_what_was_spared_has_a_letter():  # E-20
    data = picture_rows(preempting())
    assert blocks(data, "guest") == [(0, 1000, SPARED, "a"), (1000, 1000, SPARED, "a"), (2000, 1000, TAKEN, "")]
    assert data.letters == ("a = not-needed",)


def test_the_ask_stands_open_where_its_queue_ends():
    assert blocks(picture_rows(preempting()), "owner") == [(-2000, 1000, ASK, "")]


def test_the_frame_is_around_the_queues_inside_the_fence():  # U-21
    data = picture_rows(preempting(FENCE))
    assert [data.labels[line].name for line in range(data.fence[0], data.fence[1] + 1)] == ["team", "guest", "owner"]
    assert figure(data).layout.shapes[0].line.dash
    assert picture_rows(preempting("")).fence is None


def test_what_protects_a_whole_queue_stands_behind_it():
    notes = {
        sim: dict(zip([label.name for label in data.labels], data.notes))
        for sim, data in (("fence", picture_rows(preempting())), ("no fence", picture_rows(preempting(""))))
    }
    assert notes["fence"]["others"] == "outside-fence" and notes["no fence"]["others"] == "preemption-disabled"
    assert notes["fence"]["guest"] == "1 of 3 stopped" and notes["fence"]["owner"] == "asks for 1"


@pytest.mark.parametrize("name", ["documented-preemption-normal", "documented-preemption-fence", "preempt_tree-12", "preempt-16"])
def test_the_victims_are_those_of_the_decision(name):  # U-1
    sim = before_a_preemption(name)
    data, decision = picture_rows(sim), sim.preview()
    attempt = next(each for each in attempts(decision) if each.succeeded)
    drawn = {block.hover[0] for block in data.blocks if block.what == TAKEN}
    assert drawn == {
        f"{victim.key} of app {victim.application_id}" for victim in attempt.victims if victim.resource.get(data.type, 0)
    }
    assert {letter.partition(" = ")[0] for letter in data.letters} == {block.letter for block in data.blocks} - {""}


@pytest.mark.parametrize(
    ("sim", "sentence"),
    [
        (preempting(), "For mine-000 in owner, 1 allocation of guest is stopped"),
        (teams(), "No request preempts in this step: no queue waits below its guarantee"),
        (crowd(), "No queue has a guarantee of vcore, so none may ask for preemption"),
        (nameless(), "No queue has a guarantee of vcore, so none may ask for preemption"),
    ],
    ids=["stops", "nobody", "no guarantee", "empty"],
)
def test_the_title_says_what_is_seen(sim, sentence):
    assert picture_rows(sim).sentence == sentence


def test_without_a_preemption_it_says_who_could_ask_and_who_could_give():
    sim = teams()
    sim.submit("big", queue="root.batch", asks=asks(1, prefix="big-", vcore="8"))
    data = picture_rows(sim)
    assert data.sentence == (
        "No request preempts in this step; batch waits with vcore 1 below its guarantee and online uses vcore 1 above its own"
    )
    assert dict(zip([label.name for label in data.labels], data.notes))["batch"] == "may ask"


def test_a_leaf_behind_a_fence_of_its_own_may_not_ask():  # P-30, P-51
    rows = {row[0]: row[-1] for row in balance_rows(preempting().state).rows}
    assert rows["root.team.owner"] == "may ask"
    bench = workbench.Workbench(preempting())
    bench.set("root.team.owner", "preemption.policy", "fence")
    rows = {row[0]: row[-1] for row in balance_rows(bench.simulation.state).rows}
    assert rows["root.team.owner"] == "behind its own fence"


def test_a_past_step_can_be_shown_and_the_simulation_is_where_it_was():
    sim = preempting()
    sim.step()
    before = sim.digest(), sim.position
    picture = workbench.plots.preemption(sim, step=5)
    assert picture.layout.meta["sentence"] == "For mine-000 in owner, 1 allocation of guest is stopped"
    assert (sim.digest(), sim.position) == before
    with pytest.raises(CommandError, match="no recorded step"):
        workbench.plots.preemption(sim, step=99)


def test_many_allocations_of_a_queue_become_one_block():
    sim = preempting("")
    sim.add_nodes(30, vcore="4")
    sim.submit("crowd", queue="root.team.guest", asks=asks(100, prefix="c-", vcore="1"))
    sim.run()
    data = picture_rows(sim)
    guests = blocks(data, "guest")
    assert len(guests) <= preemption.MOST_LINES * 3 and sum(amount for _, amount, _, _ in guests) >= 100_000


def test_a_victim_has_a_sign_and_a_colour_of_its_own():  # U-21
    picture = figure(picture_rows(preempting()))
    assert picture.data[preemption.STOPPED].marker.color == (preemption.LIGHT.chosen,)
    assert "<b>✕</b>" in picture.data[preemption.SIGNS].text


def test_the_table_says_who_is_above_and_below():  # U-24
    assert render(balance_rows(preempting().state)).splitlines() == [
        "queue            used  guaranteed  above  pending  what it may do",
        "root.others         1                  1        0  preemption disabled",
        "root.team           3                  3        1",
        "root.team.guest     3                  3        0  may give",
        "root.team.owner     0           2     -2        1  may ask",
    ]
    assert render(balance_rows(nameless().state)) == "There is no queue below root."


def test_the_stages_tell_who_could_be_stopped_who_is_and_what_is_left():
    sim = preempting()
    stages = {stage: picture_rows(sim, stage=stage) for stage in preemption.STAGES}
    assert [what for _, _, what, _ in blocks(stages["candidates"], "guest")] == [CANDIDATE] * 3
    assert stages["candidates"].notes[2] == "3 of 3 could go"
    assert [what for _, _, what, _ in blocks(stages["chosen"], "guest")] == [SPARED, SPARED, TAKEN]
    assert [what for _, _, what, _ in blocks(stages["result"], "guest")] == [SPARED, SPARED, GONE]
    assert [what for _, _, what, _ in blocks(stages["result"], "owner")] == [PLAIN]
    assert [data.sentence for data in stages.values()] == [
        "For mine-000 in owner, 3 of 4 allocations could be stopped",
        "For mine-000 in owner, 1 allocation of guest is stopped",
        "When the victims have ended, mine-000 can run: owner then uses vcore 1, of 2 guaranteed",
    ]


def test_an_unknown_stage_is_an_error():
    with pytest.raises(ValueError, match="there are candidates, chosen, result"):
        picture_rows(preempting(), stage="later")


def test_the_result_says_when_the_room_will_not_do():  # P-103
    sim = Simulation.from_scenario(load_scenario(SCENARIOS / "preempt_tree-16.json"))
    sim.goto(30)
    assert picture_rows(sim, stage="result").sentence == (
        "Even when the victims have ended, node-00 has too little room for app-02-k030; the scheduler does not look (P-103)"
    )


def test_the_victims_of_a_required_node_are_drawn_with_what_spared_the_others():  # section 15 of chapter 08
    sim = Simulation("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}, {name: b}]}]}]")
    sim.add_nodes(1, vcore="2")
    sim.submit("old", queue="root.a", asks=asks(2, vcore="1"))
    sim.run()
    sim.add_nodes(1, vcore="2")  # without free cores somewhere such an ask does not start (P-126)
    sim.apply(DrainNode(node_id="node-001"))
    must = AskSpec(application_id="", key="must", resource=Resource(vcore=1000), priority=5, required_node="node-000")
    sim.submit("new", queue="root.b", asks=[must])
    assert sim.step().outcome == "reserved"
    decision = sim.preview()
    assert decision.victims and not decision.preemptions
    data = rows(partition(sim), decision)
    assert data.sentence == (
        "For must, which must run on node-000, 1 allocation there is stopped; guarantees and fences do not count"
    )
    assert data.letters == ("a = not-needed",)
    assert [block.what for block in data.blocks].count("taken") == 1


def test_what_is_on_its_way_out_is_told_though_no_attempt_stops_it():
    sim = Simulation(
        "partitions: [{name: default, preemption: {quotapreemptionenabled: true}, queues: [{name: root, "
        "submitacl: '*', queues: [{name: a, resources: {max: {vcore: 2}}}]}]}]"
    )
    sim.add_nodes(1, vcore="4")
    sim.submit("app", queue="root.a", asks=asks(2, vcore="1"))
    sim.run()
    allocation = next(iter(partition(sim).applications["app"].allocations.values()))
    allocation.preempted = True
    assert rows(partition(sim), sim.preview()).sentence == "1 allocation of a is being stopped already"
    partition(sim).root.children["a"].maximum = Resource(vcore=1000)
    assert rows(partition(sim), sim.preview()).sentence == (
        "1 allocation of a is being stopped already to keep to a lowered maximum; why these ones is not recorded"
    )
