"""`workbench import kubernetes` writes a scenario, tells what is not in it, and shows on a terminal how far it is."""

from __future__ import annotations

import json

import kubernetes_dump
import kubernetes_objects
import pytest

from workbench import Workbench
from workbench.cli import main
from workbench.simulation.scenario import load_scenario


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "cluster.json"
    path.write_text(kubernetes_dump.made(nodes=10, pods=120).json())
    return path


def test_the_scenario_can_be_run_and_the_notes_are_on_the_side(dump, tmp_path, capsys):
    target = tmp_path / "scenario.json.gz"
    assert main(["import", "kubernetes", str(dump), "-o", str(target)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"{target}: 10 nodes and ")
    assert "10 nodes were read." in said.err
    assert "#" not in said.err
    assert main(["run", str(target), "--steps", "3"]) == 0
    assert len(load_scenario(target).events) > 100


def test_several_places_and_switches(dump, tmp_path, capsys):
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "node.json").write_text(json.dumps({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "added"}}))
    target = tmp_path / "scenario.json"
    options = ["--names", "--all-ours", "--release", "1.9"]
    assert main(["import", "kubernetes", str(dump), str(folder), "-o", str(target), *options]) == 0
    found = load_scenario(target)
    assert found.engine == "1.9"
    assert '"added"' in target.read_text() and '"prod/job-' in target.read_text()
    assert "11 nodes" in capsys.readouterr().out


def test_a_terminal_sees_how_far_it_is(dump, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main(["import", "kubernetes", str(dump), "-o", str(tmp_path / "s.json")]) == 0
    assert "objects" in capsys.readouterr().err


def test_what_is_wrong_is_one_line_with_the_place(tmp_path, capsys):
    (tmp_path / "pods.yaml").write_text(
        "kind: Pod\nmetadata: {name: p}\nspec: {containers: [{resources: {requests: {cpu: 1x}}}]}\n"
    )
    assert main(["import", "kubernetes", str(tmp_path / "pods.yaml"), "-o", str(tmp_path / "s.json")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "pods.yaml: document 1, Pod p: spec.containers[0].resources.requests.cpu: found '1x'" in line
    assert not (tmp_path / "s.json").exists()


def test_a_pod_that_waits_is_explained(tmp_path):
    found = [kubernetes_objects.node("n1", cpu="4"), kubernetes_objects.pod("web", node="n1", requests={"cpu": "3"})]
    found.append(kubernetes_objects.pod("report", requests={"cpu": "2"}, labels={"applicationId": "late"}))
    (tmp_path / "cluster.json").write_text(json.dumps(kubernetes_objects.listed(*found)))
    bench = Workbench.open(tmp_path / "cluster.json")
    bench.cycle()
    assert "Needs vcore 2; the cluster has 1 left (3 of 4 used), 1 missing." in bench.why_not("default/report")
