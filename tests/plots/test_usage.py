"""G-4: use against guarantee and maximum, asserted as data, and its table. U-21, U-24, U-26."""

from __future__ import annotations

import pytest
from picture_scenes import TEAMS, crowd, nameless, partition, teams

from workbench.explain import render, usage_rows
from workbench.plots.pictures import usage
from workbench.plots.pictures.usage import figure, rows
from workbench.simulation import Simulation, asks
from workbench.simulation.scenario import example

GI = 2**30


def picture_rows(sim: Simulation, **options) -> usage.UsageRows:
    return rows(partition(sim), sim.preview(), **options)


def bars(sim: Simulation, **options) -> dict[str, usage.UsageBar]:
    return {bar.label.name: bar for bar in picture_rows(sim, **options).bars}


def test_queues_stand_as_in_the_tree():
    assert [(bar.label.name, bar.label.depth) for bar in picture_rows(teams()).bars] == [
        ("root", 0),
        ("batch", 1),
        ("serving", 1),
        ("canary", 2),
        ("online", 2),
        ("spare", 1),
    ]


def test_use_is_split_at_the_guarantee():
    found = bars(teams())
    assert (found["online"].within, found["online"].above) == (3000, 1000)
    assert (found["batch"].within, found["batch"].above) == (1000, 0)
    assert (found["canary"].within, found["canary"].above) == (0, 1000)


def test_a_queue_without_a_maximum_has_no_share_of_it():
    found = bars(teams(), of_maximum=True, resource="gpu")
    assert {bar.note for bar in found.values()} == {"no max"}


def test_without_any_guarantee_there_is_no_above():
    sim = Simulation.from_scenario(example("multitenancy"))
    sim.run(max_steps=3)
    assert all(bar.above == 0 for bar in picture_rows(sim).bars)
    assert usage.plot_words.ABOVE not in [trace.name for trace in figure(picture_rows(sim)).data if trace.showlegend]


def test_what_is_asked_for_comes_behind_what_is_used():
    assert bars(teams())["canary"].pending == 1000


def test_guarantee_and_maximum_are_those_of_the_queue_itself():
    found = bars(teams())
    assert (found["serving"].guaranteed, found["serving"].maximum) == (4000, 6000)
    assert (found["online"].guaranteed, found["online"].maximum) == (3000, None)


def test_a_reached_maximum_is_marked_with_a_sign_and_told():  # U-21
    assert [bar.label.name for bar in picture_rows(teams()).bars if bar.is_full] == ["canary"]
    notes = figure(picture_rows(teams())).data[usage.NOTE].text
    assert "<b>!</b> 1 of 1" in notes and "6 of 8" in notes


def test_shares_are_of_the_smallest_maximum_on_the_way_to_root():
    found = bars(teams(), of_maximum=True)
    assert found["canary"].note == "100 %" and found["online"].note == "67 %" and found["batch"].note == "12 %"
    assert found["canary"].maximum == 100


def test_another_resource_can_be_chosen():
    assert bars(teams(), resource="memory")["online"].above + bars(teams(), resource="memory")["online"].within == 4 * GI


def test_a_cluster_far_larger_than_all_use_does_not_press_it_flat():
    data = picture_rows(crowd(nodes=1000))
    assert data.largest == 80_000 and data.bars[0].note == "25 of 16k"


def test_an_endless_wish_is_cut_off():
    sim = teams()
    sim.submit("greedy", queue="root.spare", asks=asks(1, prefix="greedy-", vcore="1000"))
    bar = bars(sim)["spare"]
    assert bar.cut and bar.pending < 1_000_000


@pytest.mark.parametrize(
    ("sim", "resource", "sentence"),
    [
        (teams(), None, "canary has reached its max of vcore 1; 1 more is asked for"),
        (teams(), "memory", "memory 5620Mi of 16Gi is used, most of it by serving: 5Gi"),
        (nameless(), None, "No vcore is used yet"),
        (Simulation.from_scenario(example("multitenancy")), None, "No vcore is used yet; 11 is asked for"),
    ],
    ids=["full", "used", "empty", "wanted"],
)
def test_the_title_says_what_is_seen(sim, resource, sentence):
    assert picture_rows(sim, resource=resource).sentence == sentence


def test_the_title_names_who_is_above_its_guarantee():
    sentence = picture_rows(teams_without_maximum()).sentence
    assert sentence == "online uses vcore 4, 1 of it above its guarantee; 1 other queue is above, too"


def teams_without_maximum() -> Simulation:
    bare = Simulation(TEAMS.replace(", resources: {max: {vcore: 1}}", ""))
    bare.add_nodes(1, vcore="8", memory="16Gi")
    bare.submit("web", queue="root.serving.online", asks=asks(4, prefix="web-", vcore="1"))
    bare.submit("try", queue="root.serving.canary", asks=asks(1, prefix="try-", vcore="1"))
    bare.run()
    return bare


def test_many_queues_are_folded_and_their_amounts_kept():
    data = picture_rows(crowd(), most_lines=12)
    assert len(data.bars) <= 14
    below_root = [bar for bar in data.bars if bar.label.depth == 1]
    assert sum(bar.within for bar in below_root) == data.bars[0].within


def test_the_table_says_the_same():  # U-24
    assert render(usage_rows(teams().state)).splitlines() == [
        "queue                used  guaranteed  above  max  pending  share of max  note",
        "root                    6                       8        1          75 %",
        "root.batch              1           2      0             0          12 %",
        "root.serving            5           4      1    6        1          83 %",
        "root.serving.canary     1                       1        1         100 %  at max",
        "root.serving.online     4           3      1             0          67 %",
        "root.spare              0                                0           0 %",
    ]
    assert usage_rows(teams().state, "memory").rows[2][1] == "5Gi"
