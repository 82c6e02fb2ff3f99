"""G-8: use over simulated time, asserted as data, and its table."""

from __future__ import annotations

import pytest
from picture_scenes import TEAMS, crowd, nameless, partition, preempting, teams

from workbench.explain import render, time_rows
from workbench.explain.use_over_time import sample, series, series_of
from workbench.plots.pictures import time
from workbench.plots.pictures.time import MOST_BANDS, MOST_INSTANTS, figure, rows
from workbench.scheduler.records.commands import Release, UpdateConfig
from workbench.simulation import Simulation, asks
from workbench.simulation.scenario import example
from workbench.values.errors import CommandError


def picture_rows(sim: Simulation, **options) -> time.TimeRows:
    return rows(series(sim), partition(sim), **options)


def reloaded() -> Simulation:
    """As `teams`; after 3 s the maximum of serving is raised to 7, and canary gets more."""
    sim = teams()
    sim.advance(3)
    sim.apply(
        UpdateConfig(config=TEAMS.replace("max: {vcore: 6}", "max: {vcore: 7}").replace("max: {vcore: 1}", "max: {vcore: 2}"))
    )
    sim.run()
    return sim


def test_there_is_a_sample_for_the_start_and_for_every_step():
    sim = teams()
    found = series(sim)
    assert [each.step for each in found.samples] == list(range(7))
    assert [each.queues["root"].used.get("vcore", 0) for each in found.samples] == [0, 1000, 2000, 3000, 4000, 5000, 6000]
    assert all(each.start_ns <= each.end_ns for each in found.samples)


def test_samples_taken_as_one_goes_make_the_same_series():
    sim = Simulation.from_scenario(example("multitenancy"))
    samples = [sample(sim.state)]
    for _ in range(4):
        sim.step()
        samples.append(sample(sim.state, sim.steps[-1]))
    assert series_of(reversed(samples), sim.steps) == series(sim)


def between() -> Simulation:
    """After two steps of `teams` something ends, after another 3 s the maximum of serving is raised, then it goes on."""
    sim = teams()
    sim.goto(2)
    ended = sim.steps[1].decision
    sim.apply(Release(application_id=ended.application_id, key=ended.key))
    sim.advance(3)
    sim.apply(UpdateConfig(config=TEAMS.replace("max: {vcore: 6}", "max: {vcore: 7}")))
    sim.step()
    return sim


def test_what_ends_or_is_reloaded_between_two_steps_shows_when_it_happened():
    sim = between()
    digest = sim.digest()
    found = series(sim)
    assert [(each.step, each.queues["root"].used.get("vcore", 0)) for each in found.samples] == [
        (0, 0),
        (1, 1000),
        (2, 2000),
        (2, 1000),
        (2, 1000),
        (3, 2000),
    ]
    _, _, second, ended, reload, third = found.samples
    assert second.end_ns <= ended.start_ns < reload.start_ns < third.start_ns
    assert reload.start_ns - ended.start_ns >= 3_000_000_000
    assert found.changed_ns == (reload.start_ns,)
    assert sim.digest() == digest and sim.position == 3
    # The picture goes down at the release, and the maximum rises at the reload.
    panel = picture_rows(sim, path="root.serving").panels[0]
    at = {when: place for place, when in enumerate(panel.times_ns)}
    assert sum(band.amounts[at[ended.start_ns]] for band in panel.bands) < sum(
        band.amounts[at[second.start_ns]] for band in panel.bands
    )
    assert (panel.maximum[at[ended.start_ns]], panel.maximum[at[reload.start_ns]]) == (6000, 7000)
    assert [row[0] for row in time_rows(found).rows] == ["0", "1", "2", "2", "2", "3"]


def test_whoever_stops_watching_leaves_the_simulation_where_it_was():
    sim = between()
    digest, passing = sim.digest(), sim.passing()
    for _ in range(3):
        next(passing)
    passing.close()
    assert (sim.position, sim.digest()) == (3, digest)


def test_without_history_there_is_no_series():
    with pytest.raises(CommandError, match="keeps no history"):
        series(Simulation(TEAMS, history=False))


def test_there_is_a_panel_for_each_type_with_the_top_level_queues_on_each_other():
    data = picture_rows(teams())
    assert [panel.type for panel in data.panels] == ["vcore", "memory"]
    assert [band.label for band in data.panels[0].bands] == ["batch", "serving"]
    assert [band.amounts[-1] for band in data.panels[0].bands] == [1000, 5000]
    assert data.panels[0].maximum[-1] == 8000


def test_below_another_parent_its_children_lie_on_each_other_under_its_guarantee():
    panel = picture_rows(teams(), path="root.serving").panels[0]
    assert [(band.label, band.amounts[-1]) for band in panel.bands] == [("canary", 1000), ("online", 4000)]
    assert panel.guaranteed[-1] == 4000 and panel.maximum[-1] == 6000
    assert len({band.pattern for band in panel.bands}) == 2  # one hue, so that patterns tell them apart, U-21


def test_a_leaf_is_shown_itself():
    assert [band.label for band in picture_rows(teams(), path="root.batch").panels[0].bands] == ["batch"]


def test_a_change_of_the_configuration_is_a_diamond_and_moves_the_limit_there():
    data = picture_rows(reloaded(), path="root.serving")
    panel = data.panels[0]
    assert len(data.changed_ns) == 1
    assert dict(zip(panel.times_ns, panel.maximum))[data.changed_ns[0]] == 7000
    assert [limit for when, limit in zip(panel.times_ns, panel.maximum) if when < data.changed_ns[0]][-1] == 6000
    marks = figure(data).data[len(panel.bands) + 2]
    assert list(marks.marker.symbol) == ["diamond"] and list(marks.x) == list(data.changed_ns)


def test_what_was_stopped_is_a_cross_at_its_time():
    sim = preempting()
    decision = sim.step()
    data = picture_rows(sim)
    assert data.stopped == ((decision.now_ns, 1),)
    assert data.sentence.endswith("; 1 allocation was stopped")
    assert "x" in [symbol for trace in figure(data).data for symbol in trace.marker.symbol or ()]


def test_after_going_back_the_future_is_not_shown():
    sim = teams()
    sim.back(4)
    assert [each.step for each in series(sim).samples] == [0, 1, 2]


@pytest.mark.parametrize(
    ("sim", "sentence"),
    [
        (teams(), "After 0.618 s, root uses vcore 6 of 8, most of it by serving: 5"),
        (Simulation(TEAMS), "Nothing has happened yet"),
        (nameless(), "Nothing has happened yet"),
    ],
    ids=["used", "nothing submitted", "empty"],
)
def test_the_title_says_what_is_seen(sim, sentence):
    assert picture_rows(sim).sentence == sentence


def test_of_many_queues_those_that_used_least_are_one_band():
    panel = picture_rows(crowd(nodes=9)).panels[0]
    assert len(panel.bands) <= MOST_BANDS
    assert sum(band.amounts[-1] for band in panel.bands) == 25_000


def test_of_very_many_steps_as_many_are_drawn_as_can_be_seen():
    sim = crowd(nodes=9)
    sim.submit(
        "flood",
        queue="root.team-00." + "a-queue-with-a-name-that-nobody-would-like-to-read-in-full-3",
        asks=asks(100, prefix="f-", vcore="1"),
    )
    sim.run()
    panel = picture_rows(sim).panels[0]
    assert sim.position > 100 and len(panel.times_ns) == MOST_INSTANTS + 1
    assert list(panel.times_ns) == sorted(panel.times_ns)
    assert sum(band.amounts[-1] for band in panel.bands) == partition(sim).root.allocated["vcore"]


def test_hover_gives_amounts_with_units():  # U-26
    trace = figure(picture_rows(teams(), resources=["memory"])).data[1]
    assert "used: memory 5Gi" in trace.hovertext[-1] and "root.serving" in trace.hovertext[-1]


def test_the_table_says_the_same():  # U-24
    assert render(time_rows(series(teams()))).splitlines()[-2:] == [
        "   5  0.416 s     5      0        5      0",
        "   6  0.517 s     6      1        5      0",
    ]
    assert time_rows(series(teams()), "root.serving", "memory").columns == ("step", "time", "used", "canary", "online")
