"""G-5: nodes in the order of the node policy with what runs on them, asserted as data. U-2, U-21, U-26."""

from __future__ import annotations

import json

import plotly.graph_objects as go
import pytest

from workbench.plots.pictures import nodes
from workbench.plots.pictures.nodes import figure, resource_types, rows, update
from workbench.plots.quantity_axis import ticks
from workbench.plots.theme import DARK, LIGHT
from workbench.scheduler.records.commands import AddAllocation, AddNode, AskSpec
from workbench.simulation import Simulation, asks
from workbench.values.resources import Resource

CONFIG = """
partitions:
  - name: default
    nodesortpolicy: {type: %s}
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: system}, {name: tenants, queues: [{name: a}, {name: b}]}]
"""
HOSTILE = (
    "<script>alert(1)</script>",
    '<a href="javascript:alert(1)">x</a>',
    "<b>bold</b>",
    "a\"b'c",
    "two\nlines",
    "\u202eturned",
    "$x^2$",
    "x" * 5000,
    "שלום",
)
GI = 2**30


def cluster(policy: str = "fair", number: int = 3, waiting: int = 1) -> Simulation:
    """`number` nodes of 8 cores and 16Gi; system and a hold a core each, node-000 has 2 cores of others; asks of b wait."""
    sim = Simulation(CONFIG % policy)
    sim.add_nodes(number, vcore="8", memory="16Gi")
    sim.apply(
        AddAllocation(ask=AskSpec(application_id="", key="daemon", resource=Resource(vcore=2000)), node_id="node-000", foreign=True)
    )
    sim.submit("sys", queue="root.system", asks=asks(1, prefix="sys-", priority=1, vcore="1", memory="1Gi"))
    sim.submit("ten", queue="root.tenants.a", asks=asks(1, prefix="ten-", vcore="1", memory="2Gi"))
    sim.run()
    sim.submit("late", queue="root.tenants.b", asks=asks(waiting, prefix="late-", vcore="3", memory="1Gi"))
    return sim


def picture_rows(sim: Simulation, **options) -> nodes.NodeRows:
    return rows(sim.state.partitions["default"], sim.preview(), **options)


def test_nodes_stand_in_the_order_of_the_policy_with_their_score():
    data = picture_rows(cluster())
    assert [(bar.id, bar.score) for bar in data.bars] == [("node-002", "0"), ("node-001", "0.125"), ("node-000", "0.219")]


def test_binpacking_turns_the_order_round():
    sim = cluster("binpacking")
    assert [bar.id for bar in picture_rows(sim).bars][0] == "node-000"


def test_segments_add_up_to_the_capacity():
    for bar in picture_rows(cluster()).bars:
        assert sum(bar.used) + bar.others + bar.wanted + bar.free == 8000


def test_segments_are_in_the_hue_of_the_top_level_queue_and_others_apart():
    bars = {bar.id: bar for bar in picture_rows(cluster()).bars}
    assert bars["node-000"].used[:2] == (1000, 0) and bars["node-000"].others == 2000
    assert bars["node-001"].used[:2] == (0, 1000)
    assert picture_rows(cluster()).legend == ("system", "tenants", "", "", "", "")


def test_the_next_choice_is_shown_before_it_is_made():  # U-2
    sim = cluster()
    chosen = next(bar for bar in picture_rows(sim).bars if bar.is_chosen)
    assert (chosen.id, chosen.wanted, chosen.free) == ("node-002", 3000, 5000)
    assert "next: late-000 of app late: vcore 3" in chosen.hover


def test_a_choice_that_was_made_is_no_longer_wanted():
    sim = cluster()
    decision = sim.step()
    bar = next(bar for bar in rows(sim.state.partitions["default"], decision).bars if bar.id == "node-002")
    assert bar.wanted == 0 and bar.used[1] == 3000


@pytest.mark.parametrize(
    ("sim", "sentence"),
    [
        (cluster(), "node-002 takes late-000: score 0 before 0.125 under fair"),
        (cluster(number=4), "node-002 takes late-000: score 0 like node-003 under fair, first by id"),
        (cluster(waiting=0), "node-002 comes first under fair: score 0"),
        (Simulation(CONFIG % "fair"), "No node is registered"),
    ],
    ids=["score", "tie", "nothing next", "no node"],
)
def test_the_title_says_what_is_seen(sim, sentence):
    assert picture_rows(sim).sentence == sentence


def test_nodes_passed_over_are_counted_in_the_title():
    sim = cluster("binpacking")
    sim.submit("y", queue="root.system", asks=asks(1, prefix="y-", priority=9, vcore="6"))
    assert picture_rows(sim).sentence == "node-001 takes y-000: 1 node before it has no room"


def test_many_nodes_end_in_one_bar_with_their_mean_and_the_chosen_one_is_drawn():
    sim = cluster("binpacking", number=200)
    data = picture_rows(sim, most_nodes=10)
    assert len(data.bars) == 10 and data.bars[-1].label == "… 191 more" and data.bars[-1].free == 8000
    assert any(bar.is_chosen for bar in data.bars)


def test_another_resource_can_be_chosen():
    sim = cluster()
    assert resource_types(sim.state.partitions["default"]) == ["vcore", "memory"]
    bars = {bar.id: bar for bar in picture_rows(sim, resource="memory").bars}
    assert bars["node-001"].used[1] == 2 * GI and bars["node-001"].free == 14 * GI


@pytest.mark.parametrize(
    ("largest", "kind", "texts"),
    [
        (16000, "vcore", ["0", "5", "10", "15"]),
        (1500, "vcore", ["0", "500m", "1", "1500m"]),
        (64 * GI, "memory", ["0", "16Gi", "32Gi", "48Gi", "64Gi"]),
        (10**9, "memory", ["0", "200M", "400M", "600M", "800M", "1G"]),
        (3, "gpu", ["0", "1", "2", "3"]),
        (0, "gpu", ["0"]),
        (1023, "memory", ["0", "200", "400", "600", "800", "1k"]),
    ],
    ids=lambda value: str(value),
)
def test_axis_ticks_are_round_amounts_in_configuration_units(largest, kind, texts):  # U-26
    assert ticks(largest, kind)[1] == texts


def test_ticks_stay_few_whatever_the_amount():
    for power in range(60):
        for kind in ("vcore", "memory"):
            for largest in (2**power, 2**power + 1, 3 * 2**power):
                values, texts = ticks(largest, kind)
                assert len(values) <= 7 and len(set(texts)) == len(texts) and values[-1] <= largest


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_an_updated_figure_equals_a_new_one(theme):  # recipes 4.1
    picture = figure(picture_rows(cluster()), LIGHT)
    for sim in (cluster("binpacking", number=90), Simulation(CONFIG % "fair"), cluster(waiting=0)):
        update(picture, picture_rows(sim), theme)
        assert plain(picture) == plain(figure(picture_rows(sim), theme))


def plain(picture: go.Figure) -> dict:
    return json.loads(picture.to_json())


def test_the_number_and_kind_of_traces_never_changes():  # recipes 4.4
    kinds = {
        tuple(trace.type for trace in figure(picture_rows(sim)).data)
        for sim in (cluster(), cluster(number=100), Simulation(CONFIG % "fair"))
    }
    assert len(kinds) == 1


def test_segments_differ_by_pattern_too():  # U-21
    patterns = [trace.marker.pattern.shape for trace in figure(picture_rows(cluster())).data[: nodes.SEGMENTS + 1]]
    assert len(set(patterns)) == len(patterns)


def test_bars_that_hold_nothing_draw_nothing():
    picture = figure(picture_rows(cluster()))
    assert all(amount is None or amount > 0 for trace in picture.data[: nodes.FREE + 1] for amount in trace.x)


def test_only_what_is_seen_is_in_the_legend():
    assert [trace.name for trace in figure(picture_rows(cluster())).data if trace.showlegend] == [
        "system",
        "tenants",
        "other pods",
        "next",
        "free",
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_nodes_and_asks_are_no_markup(name):
    sim = Simulation(CONFIG % "fair")
    sim.apply(AddNode(node_id=name, capacity=Resource({"vcore": 8000, name: 4})))
    sim.submit(name, queue="root.tenants.b", asks=asks(1, prefix=name, vcore="1"))
    for resource in (None, name):
        picture = figure(picture_rows(sim, resource=resource))
        drawn = [texts for trace in picture.data for texts in (trace.text, trace.hovertext, (trace.name,)) if texts]
        texts = [str(text) for texts in drawn for text in texts]
        texts += [*picture.layout.yaxis.ticktext, picture.layout.title.text, picture.layout.xaxis.title.text]
        for text in texts:
            bare = text.replace("<b>", "").replace("</b>", "").replace("<br>", "")
            assert "<" not in bare and "$" not in bare and "\n" not in bare and "\u202e" not in bare and len(bare) < 3000


def test_equal_keys_of_two_applications_on_one_node_are_two_segments():
    sim = Simulation(CONFIG % "fair")
    sim.add_nodes(1, vcore="8", memory="16Gi")
    for app, queue in (("one", "root.system"), ("two", "root.tenants.a")):
        sim.submit(app, queue=queue, asks=asks(1, prefix="same-", vcore="3"))
    sim.run()
    bar = picture_rows(sim).bars[0]
    assert bar.used[:2] == (3000, 3000) and bar.free == 2000
    assert "root.system: vcore 3" in bar.hover and "root.tenants.a: vcore 3" in bar.hover
