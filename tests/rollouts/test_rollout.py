"""A rollout as a whole: the headline, text, page, JSON and patch, and the laws that hold for every cluster. RO-1 to RO-3"""

from __future__ import annotations

import json
import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from rollout_scenes import Cluster, design

import workbench as wb
from workbench.rollouts import rollout
from workbench.rollouts.ahead import Ahead
from workbench.rollouts.live import read_live
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import AddAllocation, Advance, Cycle
from workbench.scheduler.records.events import Allocated, Released
from workbench.simulation import driver
from workbench.simulation.digest import digest

PLAIN = design("a:\nb:")
TITLES = (
    "1  Would the scheduler accept it?",
    "2  What changes",
    "3  What then happens to what runs and waits",
    "4  Advice that is new with it",
    "5  In the long run, with a workload",
    "6  What people should be told",
    "7  How to go back",
)


def test_the_text_is_the_headline_and_the_seven_parts_in_order():
    lines = str(rollout(design("a:\nb:\nc:"), Cluster(PLAIN).scenario)).splitlines()
    assert lines[0] == "Nothing stands against it: 1 change, and nobody is stopped or refused within 10 minutes."
    assert [line for line in lines if re.match(r"\d  ", line)] == [
        f"{TITLES[0]} yes",
        f"{TITLES[1]}: 1 change",
        f"{TITLES[2]}: nothing",
        f"{TITLES[3]}: none",
        f"{TITLES[4]}: not asked",
        f"{TITLES[5]}: 1 queue",
        f"{TITLES[6]}: stops nobody after 10 minutes",
    ]


def test_the_page_has_the_same_parts_and_stands_alone():
    made = rollout(design("a:\nb:\nc:"), Cluster(PLAIN).scenario).to_html()
    assert re.findall(r"<h2>(\d  [^<]*)</h2>", made) == list(TITLES)
    assert "prefers-color-scheme: dark" in made
    assert not re.search(r"(src|href)=\"(?!#)", made)
    assert "http" not in made.replace("http-equiv", "")


def test_a_notebook_shows_what_each_part_comes_to_and_folds_it_away():
    made = rollout(design("a:\nb:\nc:"), Cluster(PLAIN).scenario)._repr_html_()
    told = [re.sub("<[^>]*>", "", each) for each in re.findall("<summary>(.*?)</summary>", made)]
    assert told[0] == "1  Would the scheduler accept it? yes"
    assert told[-2:] == ["7  How to go back: stops nobody after 10 minutes", "The old file"]
    assert len(told) == len(TITLES) + 1


def test_everything_in_it_is_plain_data_too(tmp_path):
    found = rollout(design("a:"), Cluster(PLAIN).runs("x", "root.b", 2).scenario)
    found.to_json(tmp_path / "found.json")
    data = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert (data["exit_code"], data["sentence"]) == (1, found.sentence)
    assert data["effects"]["drained"] == [{"queue": "root.b", "applications": 1, "running": 2, "waiting": 0, "gone_ns": None}]
    assert data["effects"]["new"]["uses"][0]["root.b"]["allocated"] == {"vcore": 2000}
    assert data["back"]["text"] == PLAIN


def test_the_same_question_gets_the_same_answer():
    live = Cluster(PLAIN, vcore=3).runs("x", "root.a", 2).waits("y", "root.b", 3)
    new = design("a: {resources: {max: {vcore: 1}}}\nb: {properties: {priority.offset: '7'}}")
    one, other = (rollout(new, live.scenario) for _ in range(2))
    assert (str(one), one.to_html(), one.as_data()) == (str(other), other.to_html(), other.as_data())


def test_the_public_name_is_a_function_whatever_was_imported_before():
    import workbench.rollouts.rollout  # noqa: F401

    assert callable(wb.rollout)
    assert wb.rollout(PLAIN, Cluster(PLAIN).scenario).nothing_changes


def test_a_simulation_is_a_cluster_as_well():
    simulation = wb.Simulation.from_scenario(Cluster(PLAIN).runs("x", "root.b", 2).scenario)
    found = wb.rollout(design("a:"), simulation)
    assert found.effects is not None
    assert [each.queue for each in found.effects.drained] == ["root.b"]
    before = simulation.digest()
    wb.rollout(design("a:"), simulation)
    assert simulation.digest() == before


def test_what_stepping_placed_in_a_simulation_runs_and_what_is_ahead_of_it_does_not():
    simulation = wb.Simulation.from_scenario(Cluster(PLAIN).waits("x", "root.b", 4).scenario)
    simulation.run()
    simulation.back(1)
    found = wb.rollout(design("a:"), simulation)
    assert found.effects is not None
    assert [(each.running, each.waiting) for each in found.effects.drained] == [(3, 1)]


def test_minutes_that_make_no_sense_are_refused():
    with pytest.raises(wb.CommandError, match="whole number from 1 to 1440"):
        rollout(PLAIN, Cluster(PLAIN).scenario, minutes=0)


# ---- names that are markup ---------------------------------------------------------------------------------------------

HOSTILE = "<img src=x onerror=alert(1)>"


def test_names_are_escaped_on_the_page_and_in_a_notebook():
    live = Cluster(PLAIN).runs(HOSTILE, "root.b", 2, user=f"{HOSTILE}\x1b[31m")
    new = design("a: {properties: {x: '<script>alert(1)</script>'}}")
    found = rollout(new, live.scenario)
    for made in (found.to_html(), found._repr_html_()):
        assert "<img" not in made
        assert "<script" not in made
        assert "&lt;img" in made
    assert "\x1b" not in str(found)


# ---- the patch ---------------------------------------------------------------------------------------------------------

CONFIGMAP = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "yunikorn-configs", "namespace": "yunikorn", "labels": {"app": "yunikorn"}},
    "data": {"queues.yaml": PLAIN, "log.level": "DEBUG", "service.schedulingInterval": "1s"},
}


def merged(target, patch):
    """A strategic merge patch without lists, which a ConfigMap has none of: maps are merged, null removes, the rest replaces."""
    if not isinstance(target, dict) or not isinstance(patch, dict):
        return patch
    kept = {**target, **{key: merged(target.get(key), each) for key, each in patch.items()}}
    return {key: each for key, each in kept.items() if each is not None}


COMMENTED = """\
# The queues of the campus; ask the board before changing them.
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"   # everybody
        queues:
          - name: a

          # bought by physics
          - name: b
            resources:
              max: {vcore: 4}"""


def test_the_patch_brings_the_file_with_its_comments_and_leaves_the_other_keys():
    found = rollout(COMMENTED, Cluster(PLAIN).scenario)
    patched = merged(CONFIGMAP, yaml.safe_load(found.patch()))
    assert patched == {**CONFIGMAP, "data": {**CONFIGMAP["data"], "queues.yaml": COMMENTED}}
    assert "    # bought by physics" in found.patch()
    assert merged(patched, yaml.safe_load(found.patch_back())) == CONFIGMAP


def test_a_configmap_is_a_new_file_too_and_its_key_is_that_of_its_policy_group():
    carried = wb.export.to_configmap(wb.load_config(COMMENTED), key="campus.yaml", others={"service.policyGroup": "campus"})
    found = rollout(carried, Cluster(PLAIN).scenario)
    assert yaml.safe_load(found.patch()) == {"data": {"campus.yaml": f"{COMMENTED}\n"}}


def test_there_is_no_patch_of_a_file_that_is_refused():
    with pytest.raises(wb.CommandError, match="no patch"):
        rollout(PLAIN.replace("name: b", "name: a"), Cluster(PLAIN).scenario).patch()


@examples(60)
@given(st.text(alphabet=st.sampled_from(" \n\t#:-|a'\"\r\u2028\x00é\ufeff{"), max_size=12))
def test_whatever_the_text_is_the_patch_carries_it(text):
    assert yaml.safe_load(wb.export.to_patch(text)) == {"data": {"queues.yaml": text}}


# ---- laws --------------------------------------------------------------------------------------------------------------

QUEUES = ("a", "b", "c")


@st.composite
def clusters(draw: st.DrawFn) -> Cluster:
    """Three queues with some guarantees, maxima and offsets, and up to six applications that run or wait."""
    lines = []
    for queue in QUEUES:
        settings = []
        if draw(st.booleans()):
            settings.append(f"resources: {{guaranteed: {{vcore: {draw(st.integers(1, 3))}}}}}")
        elif draw(st.booleans()):
            settings.append(f"resources: {{max: {{vcore: {draw(st.integers(4, 9))}}}}}")
        if draw(st.booleans()):
            settings.append(
                f"properties: {{priority.offset: '{draw(st.integers(0, 3))}', preemption.delay: {draw(st.integers(1, 90))}s}}"
            )
        lines.append(f"{queue}: {{{', '.join(settings)}}}")
    made = Cluster(design("\n".join(lines)), release=draw(st.sampled_from(("1.8", "1.9"))), vcore=9)
    free = 9
    for number in range(draw(st.integers(1, 6))):
        queue, count, size = f"root.{draw(st.sampled_from(QUEUES))}", draw(st.integers(1, 4)), draw(st.integers(1, 2))
        priority = draw(st.integers(0, 2))
        if draw(st.booleans()) and count * size <= free:
            free -= count * size
            made.runs(f"r{number}", queue, count, vcore=size, priority=priority)
        else:
            made.waits(f"w{number}", queue, count, vcore=size, priority=priority)
    return made


@examples(15)
@given(clusters(), st.integers(1, 4))
def test_rolling_out_what_is_in_force_changes_nothing_whatever_happens_anyway(live, minutes):
    found = rollout(live.config, live.scenario, minutes=minutes)
    assert found.nothing_changes
    assert (found.exit_code, found.against) == (0, ())
    assert found.effects is not None
    assert found.effects.today == found.effects.new
    assert found.back is not None and found.back.stopped == ()


@examples(15)
@given(clusters(), clusters())
def test_whatever_is_rolled_out_where_something_stands_against_it_exactly_when_somebody_is_touched(live, other):
    found = rollout(other.config, live.scenario, minutes=2)
    assert found.effects is not None  # all these designs are valid, and name the same queues
    touched = found.effects.stopped or found.effects.refused
    late = any(each.starts_ns for each in found.effects.over)
    assert found.exit_code == bool(touched or late)
    assert found.sentence.startswith("Nothing stands against it") == (found.exit_code == 0)
    assert found.to_html().count("<section") == 8
    assert json.loads(json.dumps(found.as_data()))["sentence"] == found.sentence
    # Who is told to be stopped ran, or started meanwhile.
    there = {(app, key) for event in live.events if isinstance(event, AddAllocation) for app, key in [_who(event)]}
    assert {each.who for each in found.effects.stopped} <= there | {each.who for each in found.effects.new.started}


def _who(event: AddAllocation) -> tuple[str, str]:
    return event.ask.application_id, event.ask.key


@pytest.mark.parametrize("name", wb.example_names())
def test_rolling_out_what_is_in_force_changes_nothing_in_any_example(name):
    found = rollout(wb.example(name).text, name)
    assert (found.nothing_changes, found.exit_code) == (True, 0)


@examples(15)
@given(clusters())
def test_time_jumps_to_where_a_cycle_in_every_second_would_decide(live):  # WL-5
    engine, _ = read_live(live.scenario).engine()
    course = Ahead(engine, comes_back_ns=None).play(2)
    plain, _ = read_live(live.scenario).engine()
    assert ([each.who for each in course.started], [each.who for each in course.stopped]) == _each_second(plain, 120)


def _each_second(engine: Engine, seconds: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    started, stopped = [], []
    end_ns, unconfirmed = engine.state.now_ns + seconds * 10**9, ()
    while engine.state.now_ns <= end_ns:
        events = engine.apply(Cycle()) + engine.apply(Advance(ns=1000))
        events += driver.confirm(engine, unconfirmed)
        unconfirmed = driver.announced(events)
        started += [(each.application_id, each.key) for each in events if isinstance(each, Allocated)]
        stopped += [(each.application_id, each.key) for each in unconfirmed]
        if not any(decision.changed_something for decision in engine.decisions) and not unconfirmed:
            events = engine.apply(Advance(ns=10**9))
            unconfirmed = driver.announced(events)
            stopped += [(each.application_id, each.key) for each in unconfirmed if isinstance(each, Released)]
    return started, stopped


@examples(10)
@given(clusters())
def test_playing_on_and_coming_back_leaves_no_trace(live):
    engine, _ = read_live(live.scenario).engine()
    before = digest(engine.state)
    ahead = Ahead(engine)
    mark = ahead.mark()
    first = ahead.play(2)
    ahead.return_to(mark)
    assert digest(engine.state) == before
    assert ahead.play(2) == first


def test_requests_that_came_one_after_the_other_are_looked_at_together():
    live = Cluster(design("a: {resources: {guaranteed: {vcore: 2}}}\nb:"), vcore=2).runs("r", "root.b", 2)
    live.waits("w", "root.a", 300, vcore=3)  # none of them ever fits
    engine, _ = read_live(live.scenario).engine()
    cycles = engine.state.cycle
    Ahead(engine).play(30)
    assert engine.state.cycle - cycles < 100
