"""What holds for every picture: a sentence as title, themes, escaping, empty and huge states, and the calls of workbench.plots."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest
from picture_scenes import HOSTILE, assert_no_markup, crowd, hostile, nameless, partition, preempting, teams, texts

import workbench
from workbench import Workbench, plots
from workbench.bench.pictures import BUILT_IN
from workbench.explain.use_over_time import series
from workbench.plots.pictures import nodes, order, preemption, shares, slope, time, usage
from workbench.plots.pictures import path as path_picture
from workbench.plots.theme import DARK, LIGHT, contrast
from workbench.simulation import Simulation

PICTURES = {
    "path": (path_picture, lambda sim: path_picture.rows(partition(sim), sim.preview())),
    "slope": (slope, lambda sim: slope.rows(partition(sim), sim.preview())),
    "order": (order, lambda sim: order.rows(partition(sim), sim.steps[: sim.position], sim.preview())),
    "usage": (usage, lambda sim: usage.rows(partition(sim), sim.preview())),
    "nodes": (nodes, lambda sim: nodes.rows(partition(sim), sim.preview())),
    "shares": (shares, lambda sim: shares.rows(partition(sim), sim.preview())),
    "preemption": (preemption, lambda sim: preemption.rows(partition(sim), sim.preview())),
    "time": (time, lambda sim: time.rows(series(sim), partition(sim))),
}
UPDATED = sorted(set(PICTURES) - {"time"})
BIG = crowd()
MADE = {"teams": teams(), "preempting": preempting(), "empty": nameless(), "crowd": BIG}


def drawn(name: str, sim: Simulation, theme=LIGHT, **options):
    module, rows = PICTURES[name]
    return module.figure(rows(sim), theme, **options)


@pytest.mark.parametrize("state", MADE)
@pytest.mark.parametrize("name", PICTURES)
def test_every_state_has_a_picture_with_a_sentence(name, state):  # U-24
    picture = drawn(name, MADE[state])
    assert len(picture.layout.meta["sentence"].split()) > 2
    assert picture.layout.title.text
    assert drawn(name, MADE[state], titled=False).layout.title.text is None


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_leaves_the_simulation_as_it_is(name):
    sim = teams()
    before = sim.digest(), sim.position, sim.recorded
    drawn(name, sim)
    assert (sim.digest(), sim.position, sim.recorded) == before


@pytest.mark.parametrize("name", PICTURES)
def test_the_same_state_gives_the_same_picture(name):  # U-6
    assert drawn(name, preempting()).to_json() == drawn(name, preempting()).to_json()


@pytest.mark.parametrize("bad", HOSTILE)
@pytest.mark.parametrize("name", PICTURES)
def test_names_are_no_markup(name, bad):
    assert_no_markup(drawn(name, hostile(bad)))


@pytest.mark.parametrize("name", PICTURES)
def test_texts_take_the_colour_of_the_theme(name):  # U-22, U-23
    dark = drawn(name, MADE["preempting"], DARK)
    assert dark.layout.paper_bgcolor is None and dark.layout.template.layout.paper_bgcolor == "rgba(0,0,0,0)"
    inks = [trace.textfont.color for trace in dark.data if trace.type == "scatter" and isinstance(trace.textfont.color, str)]
    assert all(contrast(ink, ground) >= 4.5 for ink in inks for ground in DARK.backgrounds)


@pytest.mark.parametrize("name", UPDATED)
def test_an_updated_figure_equals_a_new_one(name):  # recipes 4.1
    module, rows = PICTURES[name]
    picture = drawn(name, MADE["teams"])
    for state in ("preempting", "crowd", "empty"):
        module.update(picture, rows(MADE[state]), DARK)
        assert plain(picture) == plain(drawn(name, MADE[state], DARK))


def plain(picture) -> dict:
    """As data; an empty list that was assigned counts like none."""
    data = json.loads(picture.to_json())
    return data | {"layout": {name: value for name, value in data["layout"].items() if value != []}}


@pytest.mark.parametrize("name", PICTURES)
def test_a_huge_state_stays_a_small_picture(name):  # section 13
    picture = drawn(name, BIG)
    assert len(picture.to_json()) < 400_000
    assert max(map(len, texts(picture))) < 2_000


@pytest.mark.parametrize("name", sorted(workbench.plots.__all__))
def test_every_picture_is_one_call_away(name):
    picture = getattr(workbench.plots, name)(MADE["teams"], theme="dark", width=900, height=400)
    assert (picture.layout.width, picture.layout.height) == (900, 400)


def test_there_is_a_call_for_every_picture_and_no_other():
    assert set(workbench.plots.__all__) == set(PICTURES)
    with pytest.raises(AttributeError, match="no attribute 'pie'"):
        workbench.plots.pie  # noqa: B018


def test_a_selected_queue_gets_a_ring():  # U-12
    for name in ("path", "slope", "order", "usage", "shares", "preemption"):
        ring = getattr(workbench.plots, name)(MADE["teams"], selected="root.serving").data[-1]
        assert (name, list(ring.customdata)) == (name, ["root.serving"])


def test_a_queue_has_the_same_colour_in_every_picture():
    colours = {}
    for name in ("order", "usage", "shares", "preemption"):
        dots = drawn(name, MADE["teams"]).data[0]
        colours[name] = {path: colour for path, colour in zip(dots.customdata, dots.marker.color) if path.count(".") == 1}
    assert all(found == colours["usage"] for found in colours.values())


def test_a_picture_has_one_name_as_a_function_a_module_and_a_tab():
    assert set(plots.__all__) == set(BUILT_IN)
    for name, kind in BUILT_IN.items():
        assert find_spec(f"workbench.plots.pictures.{name}"), name
        assert kind.title.lower() == name


def test_a_picture_is_found_by_its_former_name_with_a_warning():
    sim = Workbench.example("multitenancy").simulation
    with pytest.warns(DeprecationWarning, match=r"^plots\.node_bars .* use plots\.nodes$") as said:
        assert plots.node_bars(sim, theme="dark") == plots.nodes(sim, theme="dark")
    assert said[0].filename == __file__
