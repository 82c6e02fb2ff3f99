"""What is made of the core's plays, with recordings in place of the core."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from benchmarks.replay import recording

from oracle.program import CORES, PlayFailed, build
from oracle.runs import exported, record, simulated_again
from oracle.verdict import judge
from workbench.config import load_config
from workbench.conformance.replay import replay
from workbench.runs.simulate import simulate
from workbench.simulation.scenario import load_scenario, parse_scenario
from workbench.workloads import parse_workload

RECORDED = load_scenario(Path(__file__).parents[1] / "conformance" / "runs" / "preempt-6.json.gz")


def core(*plays):
    """A core that plays these in turn."""
    turns = cycle(plays)
    return lambda scenario: next(turns)


def elsewhere(expect, number: int = 0):
    """The same play, but for the node of one placement and all that follows from it."""
    other = copy.deepcopy(dict(expect))
    found = [outcome for item in other["trace"] for outcome in item["outcomes"] if "allocated" in outcome]
    found[number]["node"] = "elsewhere"
    return other


def test_a_core_that_plays_as_we_do_is_asked_once():
    verdict = judge(RECORDED, core(RECORDED.expect), times=30)
    assert (verdict.kind, verdict.plays, verdict.ways, verdict.ours) == ("alike", 1, 1, 1)


def test_to_be_recorded_it_has_to_play_so_every_time():
    assert judge(RECORDED, core(RECORDED.expect), times=30, always=True).plays == 30
    verdict = judge(RECORDED, core(RECORDED.expect, elsewhere(RECORDED.expect)), times=30, always=True)
    assert (verdict.kind, verdict.plays, verdict.ways) == ("alike", 2, 2)


def test_one_of_several_ways_of_the_core_is_enough():
    verdict = judge(RECORDED, core(elsewhere(RECORDED.expect), RECORDED.expect), times=30)
    assert (verdict.kind, verdict.plays, verdict.ours) == ("alike", 2, 1)
    assert str(verdict).startswith("preempt-6: alike, ") and str(verdict).endswith("; the core has 2 ways in 2 plays, 1 ours")


def test_a_core_that_never_plays_so_where_the_order_is_settled_differs():
    verdict = judge(RECORDED, core(elsewhere(RECORDED.expect)), times=7)
    assert (verdict.kind, verdict.plays, verdict.ways, verdict.ours) == ("differs", 7, 1, 0)
    assert "DIFFERS" in str(verdict) and "elsewhere" in str(verdict)


TIED = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: q
            properties: {application.sort.policy: fair}
"""
TWO_ALIKE = """
workload:
  pools: [{name: n, count: 1, resources: {vcore: 1}}]
  jobs:
    - {id: x, submit: 0s, duration: 10s, queue: root.q, resources: {vcore: 1}}
    - {id: y, submit: 0s, duration: 10s, queue: root.q, resources: {vcore: 1}}
"""


def test_an_answer_that_equals_ours_in_all_that_is_compared_leaves_it_open():
    """E-4: two applications of one leaf, fair, with nothing running: the core may take either."""
    scenario = simulate(load_config(TIED), parse_workload(TWO_ALIKE)).scenario()
    mine = recording(scenario)
    theirs = copy.deepcopy(mine)
    first = next(outcome for item in theirs["trace"] for outcome in item["outcomes"] if "allocated" in outcome)
    assert first["app"] == "x"
    first.update(allocated="y:0", app="y")
    assert replay(replace(scenario, expect=mine)).agrees
    assert judge(scenario, core(theirs), times=3).kind == "open"


OF_DIFFERENT_MAXIMA = """
config: |
  partitions:
    - name: default
      queues:
        - name: root
          submitacl: "*"
          queues:
            - {name: wide, resources: {max: {vcore: 90}}}
            - {name: narrow, resources: {max: {vcore: 20}}}
events:
  - add_node: {id: n, resources: {vcore: 9}}
  - add_app: {id: x, queue: root.wide, user: u}
  - add_app: {id: y, queue: root.narrow, user: u}
  - add_ask: {app: x, key: x, repeat: 4, resources: {vcore: 1}}
  - add_ask: {app: y, key: y, repeat: 4, resources: {vcore: 1}}
  - schedule: 8
"""


@pytest.mark.parametrize(("ways", "kind"), [(1, "differs"), (2, "open")])
def test_where_siblings_have_different_maxima_a_core_that_is_not_at_one_with_itself_leaves_it_open(ways, kind):
    """R-526: it may compare a queue with the maximum of another."""
    scenario = parse_scenario(OF_DIFFERENT_MAXIMA)
    mine = recording(scenario)
    placed = [number for number, item in enumerate(mine["trace"]) if any("allocated" in each for each in item["outcomes"])]
    plays = []
    for way in range(ways):
        play = copy.deepcopy(mine)
        first = next(each for each in play["trace"][placed[3 - way]]["outcomes"] if "allocated" in each)
        first.update(app="other", node="elsewhere")
        plays.append(play)
    assert judge(scenario, core(*plays), times=4).kind == kind


def test_a_run_is_found_again_by_what_its_scenario_says():
    scenario = exported("gangs", 7, 4)
    assert simulated_again(scenario).workload.name == "gangs-7" and len(simulated_again(scenario).workload.jobs) == 4


def test_a_recording_is_written_only_of_what_the_family_is_for(tmp_path):
    assert record(tmp_path, "preempt", RECORDED)
    (written,) = tmp_path.iterdir()
    assert load_scenario(written) == RECORDED
    assert not record(tmp_path, "gangs", replace(RECORDED, name="other"))
    assert list(tmp_path.iterdir()) == [written]


def test_without_go_it_is_said_what_is_needed(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PlayFailed, match="Go 1.25 or newer is needed"):
        build(tmp_path / "program")


def test_every_core_has_its_list_of_modules():
    folder = Path(__file__).parent / "core"
    for version, modules in CORES.values():
        assert f"github.com/apache/yunikorn-core {version}\n" in (folder / modules).read_text(encoding="utf-8")
