"""`workbench import alibaba` writes a scenario that `workbench run` takes."""

from __future__ import annotations

import pytest

from workbench.cli import main
from workbench.simulation.scenario import load_scenario

NODES = "sn,cpu_milli,memory_mib,gpu,model\nnode-0,8000,16384,2,T4\nnode-1,8000,16384,0,\n"
TASKS = """\
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
task-0,4000,4096,1,500,T4,LS,Running,0,100,1
task-1,4000,4096,0,0,,BE,Running,2,50,3
task-2,1000,1024,0,0,,Burstable,Running,4,,5
"""


@pytest.fixture
def tables(tmp_path):
    """Paths of the two tables."""
    paths = tmp_path / "nodes.csv", tmp_path / "tasks.csv"
    for path, text in zip(paths, (NODES, TASKS)):
        path.write_text(text)
    return [str(path) for path in paths]


@pytest.mark.parametrize("name", ["trace.json", "trace.yaml", "trace.json.gz", "trace.yml.gz"])
def test_the_scenario_is_written_in_the_format_of_its_name_and_can_be_run(tables, tmp_path, capsys, name):
    path = tmp_path / name
    assert main(["import", "alibaba", *tables, "-o", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{path}: 2 nodes and 3 tasks ")
    assert main(["run", str(path), "--to-end"]) == 0
    assert capsys.readouterr().out.startswith("3 steps ")


def test_the_same_tables_give_the_same_bytes(tables, tmp_path):
    one, two = tmp_path / "one.json.gz", tmp_path / "two.json.gz"
    for path in (one, two):
        main(["import", "alibaba", *tables, "-o", str(path)])
    assert one.read_bytes() == two.read_bytes()


def test_only_the_first_tasks_and_another_configuration(tables, tmp_path):
    config = tmp_path / "queues.yaml"
    config.write_text("partitions: [{queues: [{name: root, submitacl: '*', queues: [{name: ls}, {name: be}]}]}]")
    path = tmp_path / "trace.json"
    assert main(["import", "alibaba", *tables, "-o", str(path), "--first-tasks", "1", "--config", str(config)]) == 0
    scenario = load_scenario(path)
    assert scenario.config == config.read_text()
    assert "task-1" not in path.read_text()


@pytest.mark.parametrize("name", ["trace", "trace.csv", "trace.gz", "nowhere/trace.json"])
def test_a_file_that_cannot_be_written_is_told(tables, tmp_path, capsys, name):
    assert main(["import", "alibaba", *tables, "-o", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.startswith("workbench: cannot ")


def test_a_broken_table_is_told_with_its_line(tables, tmp_path, capsys):
    (tmp_path / "tasks.csv").write_text(TASKS.replace("BE", "BEST"))
    assert main(["import", "alibaba", *tables, "-o", str(tmp_path / "trace.json")]) == 2
    assert "line 3" in capsys.readouterr().err
