"""Inputs by verb, by form, by table and by file; each is one undo entry, and bad input changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import CommandError, ScenarioError, Workbench
from workbench.bench.input_forms import FORMS
from workbench.values.errors import FileError

LOW = "root.system.system-low"


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def waiting(bench: Workbench) -> list[str]:
    return [item.ask.key for item in bench.simulation.waiting()]


def test_a_request_submits_its_application_and_may_be_repeated(bench):
    bench.add_request("new", "r", {"vcore": "500m"}, queue=LOW, repeat=3)
    assert {"r-000", "r-001", "r-002"} <= set(waiting(bench))
    assert bench.partition.applications["new"].queue_path == LOW
    bench.add_request("new", "again", "vcore: 1, memory: 1Gi", priority=7)
    assert "again" in waiting(bench)
    bench.undo()
    bench.undo()
    assert "new" not in bench.partition.applications


def test_a_gang_gets_its_placeholders(bench):
    bench.add_gang("team", LOW, 3, {"vcore": "1"})
    bench.run()
    assert bench.partition.applications["team"].placeholder_allocated["vcore"] == 3000


def test_nodes_come_drain_open_and_go(bench):
    bench.add_node("big", {"vcore": "4", "memory": "8Gi"}, repeat=2)
    assert {"big-000", "big-001"} <= set(bench.partition.nodes)
    bench.drain_node("big-000")
    assert not bench.partition.nodes["big-000"].schedulable
    bench.undrain_node("big-000")
    assert bench.partition.nodes["big-000"].schedulable
    bench.remove_node("big-001")
    assert "big-001" not in bench.partition.nodes
    for _ in range(4):
        bench.undo()
    assert list(bench.partition.nodes) == ["node-1"]


def test_an_allocation_or_a_whole_application_ends(bench):
    bench.run(max_steps=3)
    bench.finish("system-normal", "P10")
    assert "P10" not in bench.partition.nodes["node-1"].allocations
    bench.remove_app("system-normal")
    assert "system-normal" not in bench.partition.applications
    assert bench.status.call == 'bench.remove_app("system-normal")'


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        ("add_request", ("a", "k", "vcore: many")),
        ("add_request", ("a", "k", "")),
        ("add_request", ("", "k", "vcore: 1")),
        ("add_request", ("a", "", "vcore: 1")),
        ("add_node", ("", "vcore: 1")),
        ("drain_node", ("nowhere",)),
        ("finish", ("nobody",)),
        ("remove_app", ("nobody",)),
        ("load_inputs", ("no-such-file.csv",)),
        ("load_inputs", ("app,vcore\na,1",)),
        ("load_inputs", ("app,key,vcore\na,k\n",)),
        ("load_inputs", ("app,key,vcore\na,k,x\n",)),
        ("add_gang", ("a", LOW, 0, "vcore: 1")),
        ("advance", (0,)),
    ],
)
def test_input_that_makes_no_sense_is_refused_and_changes_nothing(bench, verb, arguments):
    bench.run(max_steps=2)
    digest, recorded = bench.simulation.digest(), bench.simulation.recorded
    with pytest.raises((ScenarioError, CommandError)):
        getattr(bench, verb)(*arguments)
    assert (bench.simulation.digest(), bench.simulation.recorded, bench.can_undo) == (digest, recorded, False)
    assert bench.status.is_error


def test_what_the_scheduler_rejects_is_said(bench):
    bench.add_app("stray", "root.nowhere")
    assert "rejected 1 of it" in bench.status.text
    assert bench.can_undo


def test_a_table_of_requests(bench):
    bench.load_inputs(f"app,key,queue,vcore,memory,priority,repeat\none,a,{LOW},1,1Gi,5,2\n\none,b,,500m,,,\n")
    assert {"a-000", "a-001", "b"} <= set(waiting(bench))
    bench.undo()
    assert "b" not in waiting(bench)


def test_a_table_tells_the_line_that_is_wrong(bench):
    with pytest.raises(ScenarioError) as refused:
        bench.load_inputs("app,key,vcore\na,k,1\nb,l,oops\n")
    assert refused.value.line == 3
    assert "a" not in bench.partition.applications


def test_inputs_are_loaded_from_files(bench, tmp_path: Path):
    table = tmp_path / "requests.csv"
    table.write_text(f"app,key,queue,vcore\nfile,f,{LOW},1\n")
    bench.load_inputs(table)
    assert "f" in waiting(bench)
    other = Workbench.from_yaml(str(bench.to_yaml()))
    saved = tmp_path / "inputs.yaml"
    bench.save(saved)
    other.load_inputs(saved)
    assert waiting(other) == waiting(bench)


def test_a_saved_scenario_opens_again(bench, tmp_path: Path):
    bench.add_request("new", "r", {"vcore": "1"}, queue=LOW)
    bench.set("root.tenants", "priority.offset", 3)
    for name in ("s.yaml", "s.json"):
        bench.save(tmp_path / name)
        again = Workbench.open(tmp_path / name)
        assert again.config == bench.config
        assert waiting(again) == waiting(bench)
    with pytest.raises(FileError, match="cannot write .*nowhere"):
        bench.save(tmp_path / "nowhere" / "s.yaml")


def test_the_calls_of_inputs_lead_to_the_same_state(bench):
    bench.add_node("n2", {"vcore": "4", "memory": "8Gi"})
    bench.add_request("new", "r", "vcore: 1", queue=LOW, priority=3, repeat=2)
    bench.step()
    bench.drain_node("n2")
    bench.add_gang("team", LOW, 2, {"vcore": "1"})
    bench.advance(1)
    bench.load_inputs(f"app,key,queue,vcore\nt,k,{LOW},1\n")
    scope: dict = {}
    exec(str(bench.to_python()), scope)  # the calls are ours, made by the verbs above
    assert scope["bench"].simulation.digest() == bench.simulation.digest()


def test_every_form_is_a_verb_with_its_arguments(bench):
    import inspect

    for verb, form in FORMS.items():
        known = set(inspect.signature(getattr(bench, verb)).parameters)
        assert {field.name for field in form.fields} <= known, verb


def test_names_are_told_as_they_were_written(bench):
    bench.add_app("ETL-Nightly", LOW)
    assert bench.status.text.startswith("Application ETL-Nightly submitted.")
    bench.add_app("ETL-Hourly", LOW, repeat=2)
    assert bench.status.text.startswith("2 applications ETL-Hourly-000 and so on submitted.")


def test_of_a_scenario_that_lets_time_pass_only_the_inputs_are_taken(bench, tmp_path):
    scenario = tmp_path / "later.yaml"
    other = Workbench.example("multitenancy")
    other.step()
    other.advance(5)
    other.add_node("extra", "vcore: 1")
    other.save(scenario)
    before = bench.simulation.now_ns
    bench.load_inputs(scenario)
    assert "extra" in bench.partition.nodes
    assert bench.simulation.now_ns - before < 1_000_000_000
