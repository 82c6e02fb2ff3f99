"""Inputs by verb, by form, by table and by file; each is one undo entry, and bad input changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import CommandError, ScenarioError, Workbench
from workbench.bench.input_forms import FORMS
from workbench.values.errors import FileError

LOW = "root.system.system-low"


@pytest.fixture
def wb() -> Workbench:
    return Workbench.example("multitenancy")


def waiting(wb: Workbench) -> list[str]:
    return [item.ask.key for item in wb.simulation.waiting()]


def test_a_request_submits_its_application_and_may_be_repeated(wb):
    wb.add_request("new", "r", {"vcore": "500m"}, queue=LOW, repeat=3)
    assert {"r-000", "r-001", "r-002"} <= set(waiting(wb))
    assert wb.partition.applications["new"].queue_path == LOW
    wb.add_request("new", "again", "vcore: 1, memory: 1Gi", priority=7)
    assert "again" in waiting(wb)
    wb.undo()
    wb.undo()
    assert "new" not in wb.partition.applications


def test_a_gang_gets_its_placeholders(wb):
    wb.add_gang("team", LOW, 3, {"vcore": "1"})
    wb.run()
    assert wb.partition.applications["team"].placeholder_allocated["vcore"] == 3000


def test_nodes_come_drain_open_and_go(wb):
    wb.add_node("big", {"vcore": "4", "memory": "8Gi"}, repeat=2)
    assert {"big-000", "big-001"} <= set(wb.partition.nodes)
    wb.drain_node("big-000")
    assert not wb.partition.nodes["big-000"].schedulable
    wb.undrain_node("big-000")
    assert wb.partition.nodes["big-000"].schedulable
    wb.remove_node("big-001")
    assert "big-001" not in wb.partition.nodes
    for _ in range(4):
        wb.undo()
    assert list(wb.partition.nodes) == ["node-1"]


def test_an_allocation_or_a_whole_application_ends(wb):
    wb.run(max_steps=3)
    wb.finish("system-normal", "P10")
    assert "P10" not in wb.partition.nodes["node-1"].allocations
    wb.remove_app("system-normal")
    assert "system-normal" not in wb.partition.applications
    assert wb.status.call == 'bench.remove_app("system-normal")'


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
def test_input_that_makes_no_sense_is_refused_and_changes_nothing(wb, verb, arguments):
    wb.run(max_steps=2)
    digest, recorded = wb.simulation.digest(), wb.simulation.recorded
    with pytest.raises((ScenarioError, CommandError)):
        getattr(wb, verb)(*arguments)
    assert (wb.simulation.digest(), wb.simulation.recorded, wb.can_undo) == (digest, recorded, False)
    assert wb.status.is_error


def test_what_the_scheduler_rejects_is_said(wb):
    wb.add_app("stray", "root.nowhere")
    assert "rejected 1 of it" in wb.status.text
    assert wb.can_undo


def test_a_table_of_requests(wb):
    wb.load_inputs(f"app,key,queue,vcore,memory,priority,repeat\none,a,{LOW},1,1Gi,5,2\n\none,b,,500m,,,\n")
    assert {"a-000", "a-001", "b"} <= set(waiting(wb))
    wb.undo()
    assert "b" not in waiting(wb)


def test_a_table_tells_the_line_that_is_wrong(wb):
    with pytest.raises(ScenarioError) as refused:
        wb.load_inputs("app,key,vcore\na,k,1\nb,l,oops\n")
    assert refused.value.line == 3
    assert "a" not in wb.partition.applications


def test_inputs_are_loaded_from_files(wb, tmp_path: Path):
    table = tmp_path / "requests.csv"
    table.write_text(f"app,key,queue,vcore\nfile,f,{LOW},1\n")
    wb.load_inputs(table)
    assert "f" in waiting(wb)
    other = Workbench.from_yaml(str(wb.to_yaml()))
    saved = tmp_path / "inputs.yaml"
    wb.save(saved)
    other.load_inputs(saved)
    assert waiting(other) == waiting(wb)


def test_a_saved_scenario_opens_again(wb, tmp_path: Path):
    wb.add_request("new", "r", {"vcore": "1"}, queue=LOW)
    wb.set("root.tenants", "priority.offset", 3)
    for name in ("s.yaml", "s.json"):
        wb.save(tmp_path / name)
        again = Workbench.open(tmp_path / name)
        assert again.config == wb.config
        assert waiting(again) == waiting(wb)
    with pytest.raises(FileError, match="cannot write .*nowhere"):
        wb.save(tmp_path / "nowhere" / "s.yaml")


def test_the_calls_of_inputs_lead_to_the_same_state(wb):
    wb.add_node("n2", {"vcore": "4", "memory": "8Gi"})
    wb.add_request("new", "r", "vcore: 1", queue=LOW, priority=3, repeat=2)
    wb.step()
    wb.drain_node("n2")
    wb.add_gang("team", LOW, 2, {"vcore": "1"})
    wb.advance(1)
    wb.load_inputs(f"app,key,queue,vcore\nt,k,{LOW},1\n")
    scope: dict = {}
    exec(str(wb.to_python()), scope)  # the calls are ours, made by the verbs above
    assert scope["bench"].simulation.digest() == wb.simulation.digest()


def test_every_form_is_a_verb_with_its_arguments(wb):
    import inspect

    for verb, form in FORMS.items():
        known = set(inspect.signature(getattr(wb, verb)).parameters)
        assert {field.name for field in form.fields} <= known, verb


def test_names_are_told_as_they_were_written(wb):
    wb.add_app("ETL-Nightly", LOW)
    assert wb.status.text.startswith("Application ETL-Nightly submitted.")
    wb.add_app("ETL-Hourly", LOW, repeat=2)
    assert wb.status.text.startswith("2 applications ETL-Hourly-000 and so on submitted.")


def test_of_a_scenario_that_lets_time_pass_only_the_inputs_are_taken(wb, tmp_path):
    scenario = tmp_path / "later.yaml"
    other = Workbench.example("multitenancy")
    other.step()
    other.advance(5)
    other.add_node("extra", "vcore: 1")
    other.save(scenario)
    before = wb.simulation.now_ns
    wb.load_inputs(scenario)
    assert "extra" in wb.partition.nodes
    assert wb.simulation.now_ns - before < 1_000_000_000
