"""What is this file or folder? It is told by what is in it, and by nothing else: one answer for everything that opens a path."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

import workbench as wb
from workbench.cli import main
from workbench.importers import rest
from workbench.importers.imported import Imported
from workbench.importers.look import HEAD_BYTES, look, top_keys
from workbench.importers.opening import opened, recognised
from workbench.importers.registry import IMPORTERS, Importer, Option, register_importer
from workbench.simulation.scenario import Scenario
from workbench.values.errors import CommandError, ConfigError, ScenarioError

REST = Path(__file__).parent / "rest"
QUEUES = "# ours\npartitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues: [{name: a}]\n"
INDENTED = QUEUES.replace("\n", "\n    ")
CONFIGMAP = f"apiVersion: v1\ndata:\n  queues.yaml: |\n    {INDENTED}\nkind: ConfigMap\nmetadata: {{name: yunikorn-configs}}\n"
SCENARIO = f"config: |\n    {INDENTED}\nevents:\n- add_node: {{id: n1, resources: {{vcore: 4}}}}\n"
NODES = "sn,cpu_milli,memory_mib,gpu,model\nnode-0,8000,16384,2,T4\n"
TASKS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"


@pytest.fixture
def importers_as_before() -> Iterator[None]:
    kept = dict(IMPORTERS)
    yield
    IMPORTERS.clear()
    IMPORTERS.update(kept)


def written(folder: Path, text: str, name: str = "given") -> Path:
    """A file whose name tells nothing."""
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (QUEUES, "queues"),
        (json.dumps({"partitions": [{"name": "default"}]}), "queues"),
        ("{partitions: [{name: default}]}", "queues"),
        (CONFIGMAP, "configmap"),
        (json.dumps({"apiVersion": "v1", "data": {"queues.yaml": QUEUES}, "kind": "ConfigMap"}), "configmap"),
        (SCENARIO, "scenario"),
        (json.dumps({"config": QUEUES, "events": []}, indent=1), "scenario"),
        ("events: []\n", "scenario"),
    ],
)
def test_a_file_is_known_by_what_is_in_it_and_not_by_its_name(tmp_path, text, kind):
    assert recognised(written(tmp_path, text)) == kind


def test_a_folder_is_known_by_its_files(tmp_path):
    assert recognised(REST) == "rest"
    written(tmp_path, NODES, "one.csv")
    written(tmp_path, TASKS + "task-0,4000,4096,0,0,,BE,Running,0,100,1\n", "two.csv")
    assert recognised(tmp_path) == "alibaba"
    assert opened(tmp_path).imported.scenario.description.startswith("1 nodes and 1 tasks")


def test_objects_of_kubernetes_are_no_answers_of_the_scheduler(tmp_path):
    shutil.copytree(REST, tmp_path / "dump")
    assert rest.recognises(look(tmp_path / "dump"))
    written(tmp_path / "dump", json.dumps({"apiVersion": "v1", "items": [], "kind": "List"}), "nodes.json")
    assert not rest.recognises(look(tmp_path / "dump"))


@pytest.mark.parametrize("text", ["", "hello\n", "a: 1\n", "[1, 2]", '{"a": {"partitions": 1, "config": 2}}'])
def test_what_nothing_recognises_is_told_with_what_was_looked_for(tmp_path, text):
    path = written(tmp_path, text)
    with pytest.raises(ScenarioError) as unknown:
        opened(path)
    assert str(unknown.value).startswith(
        f"{path}: nothing here tells what this file is (looked for a queues.yaml (partitions at the top)"
    )
    assert all(each.known_by in unknown.value.hint for each in IMPORTERS.values())


def test_what_is_not_there_and_what_is_no_file_is_told(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name, text in (("nothing", "there is no such file or folder"), ("pipe", "is no file that can be read")):
        with pytest.raises(ScenarioError, match=text):
            opened(tmp_path / name)


def test_what_may_be_two_things_is_told_with_both(tmp_path, importers_as_before):
    register_importer(
        "mine",
        Importer("a thing of mine", "", (Option("file", "", Path, required=True),), lambda file: Imported(Scenario(config="")),
                 recognises=lambda seen: "partitions" in seen.keys, known_by="mine"),
    )  # fmt: skip
    path = written(tmp_path, QUEUES)
    with pytest.raises(ScenarioError, match=r"it may be a queue configuration .* or a thing of mine .*say which: queues or mine"):
        opened(path)
    assert opened(path, "mine").kind == "mine"


def test_an_importer_that_there_is_not_is_told(tmp_path):
    with pytest.raises(CommandError, match="there is no importer 'nothing'; there are queues, configmap"):
        opened(written(tmp_path, QUEUES), "nothing")


def test_only_the_beginning_of_a_long_file_is_looked_at(tmp_path):
    path = written(tmp_path, QUEUES + "#" * (2 * HEAD_BYTES))
    assert len(look(path).head) == HEAD_BYTES
    assert recognised(path) == "queues"


def test_a_packed_file_is_known_as_if_it_were_unpacked(tmp_path):
    path = tmp_path / "queues.yaml.gz"
    path.write_bytes(gzip.compress(QUEUES.encode()))
    assert opened(path).kind == "queues"


ODD = {
    "letters": "{" + "a" * HEAD_BYTES,
    "quotes": "{" + '"' * HEAD_BYTES,
    "lines": "\n" * HEAD_BYTES,
    "one line": "a" * HEAD_BYTES,
}


@pytest.mark.parametrize("odd", ODD)
def test_a_file_that_is_none_is_gone_through_once(odd):  # from each letter again it would take hours
    assert top_keys(ODD[odd]) == frozenset()


@given(
    st.recursive(
        st.text(st.characters(codec="utf-8")) | st.integers() | st.none(),
        lambda each: st.dictionaries(st.text("abcd_", min_size=1), each),
    )
)
@examples(20)
def test_the_keys_at_the_top_are_those_of_the_whole_document(value):
    expected = {key for key in value if key} if isinstance(value, dict) else set()
    assert top_keys(json.dumps({f"k{key}": each for key, each in value.items()} if expected else [value])) == {
        f"k{key}" for key in expected
    }


# ---- who opens paths ----------------------------------------------------------------------------------------------------


def test_the_bench_opens_a_configmap_and_exports_it_as_one(tmp_path):
    bench = wb.Workbench.open(written(tmp_path, CONFIGMAP, "ours.yaml"))
    assert bench.name == "ours" and list(bench.partition.root.children) == ["a"]
    assert bench.configmap == CONFIGMAP


def test_loading_a_configmap_over_a_design_and_back(tmp_path):
    bench = wb.Workbench.example("two-tenants")
    bench.load(written(tmp_path, CONFIGMAP, "ours.yaml"))
    assert bench.configmap == CONFIGMAP and list(bench.partition.root.children) == ["a"]
    bench.load(written(tmp_path, QUEUES, "plain.yaml"))
    assert bench.configmap == ""


def test_notes_are_said_where_it_is_opened(capsys):
    bench = wb.Workbench.open(REST)
    assert "Whether" in bench.status.text or "How long requests" in bench.status.text
    from workbench.cli.lab import chosen

    chosen(str(REST))
    assert "note: How long requests and allocations are there is counted from now on." in capsys.readouterr().err


def test_a_workload_is_no_design_and_is_told_what_to_do_with_it(tmp_path):
    path = written(tmp_path, "workload: {jobs: []}\n", "monday.yaml")
    with pytest.raises(ScenarioError, match=r"this is a workload \(format .*--workload .*monday.yaml"):
        wb.Workbench.open(path)


@pytest.mark.parametrize("text", [QUEUES, CONFIGMAP, SCENARIO])
def test_a_workload_is_played_under_whatever_has_queues(tmp_path, text, capsys):
    workload = written(
        tmp_path, "workload: {pools: 1 x vcore=4, jobs: [{queue: root.a, resources: {vcore: 1}, duration: 5s}]}\n", "w.yaml"
    )
    assert main(["simulate", str(written(tmp_path, text, "design.yaml")), "--workload", str(workload)]) == 0
    assert "1 job" in capsys.readouterr().out


def test_a_design_that_nothing_recognises_is_refused_as_a_configuration(tmp_path):
    with pytest.raises(ConfigError):
        wb.simulate(written(tmp_path, "- no design\n"), "workload: {jobs: []}")


def test_saved_answers_become_a_scenario_file(tmp_path, capsys):
    path = tmp_path / "live.yaml"
    assert main(["import", "rest", str(REST), "-o", str(path)]) == 0
    told = capsys.readouterr()
    assert told.out == f"{path}: 2 nodes and 2 applications\n"
    assert "note: How long requests and allocations are there is counted from now on.\n" in told.err
    assert set(wb.Workbench.open(path).partition.applications) == {"web", "batch"}
