"""Where a live cluster comes from: whatever an importer recognises, an example, a scenario, a simulation."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from loopback import Answer, serving
from rollout_scenes import Cluster, design

import workbench as wb
from workbench.cli import main
from workbench.rollouts import read_live
from workbench.simulation.scenario import scenario_to_yaml

ANSWERS = Path(__file__).resolve().parents[1] / "importers" / "rest"
PLAIN = design("a:\nb:")


def test_saved_answers_are_a_cluster_with_notes_on_what_they_leave_open():
    live = read_live(ANSWERS)
    engine, _ = live.engine()
    assert sorted(engine.state.partitions["default"].applications) == ["batch", "web"]
    assert any("is unknown" in each for each in live.notes)
    assert f"note: {live.notes[0]}" in str(wb.rollout(ANSWERS / "config.yaml", ANSWERS))


def test_a_scenario_file_an_example_and_a_scenario_are_clusters(tmp_path):
    scenario = Cluster(PLAIN).runs("x", "root.a").scenario
    (tmp_path / "live.yaml").write_text(scenario_to_yaml(scenario))
    for live in (read_live(tmp_path / "live.yaml"), read_live(scenario)):
        engine, _ = live.engine()
        assert list(engine.state.partitions["default"].applications) == ["x"]
    assert read_live("multitenancy").scenario == wb.example("multitenancy")


def test_a_configuration_alone_is_a_cluster_in_which_nothing_runs_and_its_configmap_says_under_which_key(tmp_path):
    carried = wb.export.to_configmap(wb.load_config(PLAIN), key="campus.yaml", others={"service.policyGroup": "campus"})
    (tmp_path / "configs.yaml").write_text(carried)
    (tmp_path / "queues.yaml").write_text(design("a:\nb:\nc:"))
    found = wb.rollout(tmp_path / "queues.yaml", tmp_path / "configs.yaml")
    assert [str(each) for each in found.edits] == ["root.c: added"]
    assert list(yaml.safe_load(found.patch())["data"]) == ["campus.yaml"]


def test_a_scheduler_that_runs_is_a_cluster_and_is_only_read(monkeypatch):  # RO-3
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    below = "/ws/v1/partition/default"
    answers: dict[str, Answer] = {
        "/ws/v1/partitions": '[{"name": "default"}]',
        "/ws/v1/config": (ANSWERS / "config.yaml").read_text(),
        f"{below}/queues": (ANSWERS / "queues.json").read_text(),
        f"{below}/nodes": (ANSWERS / "nodes.json").read_text(),
        f"{below}/applications/active": (ANSWERS / "applications.json").read_text(),
    }
    with serving(answers) as service:
        found = wb.rollout(ANSWERS / "config.yaml", service.url)
        assert {method for method, _ in service.asked} == {"GET"}
    assert found.nothing_changes
    assert found.effects is not None and found.effects.new.uses[0]["root.prod"].allocated["vcore"] > 0


def test_objects_of_kubernetes_are_a_cluster_whose_pods_go_by_their_names(tmp_path):
    (tmp_path / "live.yaml").write_text(scenario_to_yaml(Cluster(PLAIN).runs("x", "root.b", 2).waits("y", "root.a").scenario))
    assert main(["export", "kubernetes", str(tmp_path / "live.yaml"), "-o", str(tmp_path / "objects")]) == 0
    found = wb.rollout(design("a:"), tmp_path / "objects", release="1.9")
    assert found.live.release == "1.9"
    assert found.effects is not None
    assert [(each.queue, each.running) for each in found.effects.drained] == [("root.b", 2)]
    assert [each.who[1].rpartition("/")[2] for each in found.effects.new.started] == ["y-0"]
    # What ran already had to be taken; what comes anew has not.
    assert [each.queue for each in found.effects.refused] == ["root.b"]
    assert found.exit_code == 1


def test_a_workbench_is_a_cluster_at_the_step_at_which_it_stands():
    bench = wb.Workbench(Cluster(PLAIN).waits("x", "root.b", 3).scenario)
    bench.step()
    bench.step()
    found = wb.rollout(design("a:"), bench)  # type: ignore[arg-type]
    assert found.effects is not None
    assert [(each.running, each.waiting) for each in found.effects.drained] == [(2, 1)]


def test_what_can_be_no_cluster_is_told():
    with pytest.raises(wb.CommandError, match="a live cluster is a path, an address, a scenario"):
        read_live(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "hello\n", "nodes: [\n"])
def test_what_nobody_recognises_is_told_with_the_file(tmp_path, text):
    (tmp_path / "live.yaml").write_text(text)
    with pytest.raises(wb.ScenarioError, match="live.yaml"):
        read_live(tmp_path / "live.yaml")


def test_a_cluster_without_any_partition_is_refused():
    with pytest.raises(wb.ConfigError, match="the configuration of the live cluster has no partition"):
        read_live(wb.Scenario(config="partitions: []\n", name="live"))
