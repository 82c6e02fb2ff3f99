"""`workbench export kubernetes` writes objects that `workbench import kubernetes` takes, and says what is not in them."""

from __future__ import annotations

import pytest
import yaml

from workbench.cli import main
from workbench.simulation.scenario import load_scenario


def test_an_example_goes_into_a_folder_and_comes_back(tmp_path, capsys):
    folder, target = tmp_path / "objects", tmp_path / "again.yaml"
    assert main(["export", "kubernetes", "multitenancy", "-o", str(folder)]) == 0
    said = capsys.readouterr()
    assert said.out == f"{folder}: 11 pods and 1 node in 5 files\n"
    assert "note: Kubernetes counts pods, the scenario does not" in said.err
    assert main(["import", "kubernetes", str(folder), "-o", str(target)]) == 0
    assert main(["run", str(target), "--steps", "1"]) == 0
    assert len(load_scenario(target).events) == 1 + 7 + 11
    assert "P1" in capsys.readouterr().out


def test_a_queue_configuration_is_a_config_map_in_one_file(tmp_path, capsys):
    (tmp_path / "queues.yaml").write_text("partitions:\n  - name: default\n    queues: [{name: root}]\n")
    assert main(["export", "kubernetes", str(tmp_path / "queues.yaml"), "-o", str(tmp_path / "all.yaml")]) == 0
    assert capsys.readouterr().err == ""
    (config,) = yaml.safe_load_all((tmp_path / "all.yaml").read_text())
    assert config["kind"] == "ConfigMap"


def test_the_same_design_gives_the_same_bytes(tmp_path, capsys):
    for name in ("one.yaml", "two.yaml"):
        assert main(["export", "kubernetes", "multitenancy", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "one.yaml").read_bytes() == (tmp_path / "two.yaml").read_bytes()


@pytest.mark.parametrize(
    ("design", "output", "said"),
    [
        ("nothing", "out", "nothing"),
        ("multitenancy", "file.txt", "a folder is needed, or a name that ends in .yaml"),
        ("multitenancy", "missing/out.yaml", "there is no such folder"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path, capsys, design, output, said):
    (tmp_path / "file.txt").write_text("")
    assert main(["export", "kubernetes", design, "-o", str(tmp_path / output)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
