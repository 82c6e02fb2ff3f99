"""A live cluster from saved answers of its REST API: what becomes what, what is unknown, and what is wrong with an answer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from workbench import ConfigError, ScenarioError, Workbench
from workbench.config import load_config
from workbench.importers import rest_notes
from workbench.importers.look import look
from workbench.importers.rest import load_rest, recognises, simulation_of
from workbench.importers.rest_texts import rest_note
from workbench.scheduler.objects.tree import find
from workbench.values.resources import Resource

SAMPLE = Path(__file__).parent / "rest"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLE, tmp_path / "prod")
    return tmp_path / "prod"


def changed(folder: Path, name: str, change) -> None:
    """An answer in which something is another."""
    found = json.loads((folder / name).read_text())
    changed = change(found)
    (folder / name).write_text(json.dumps(found if changed is None else changed))


def notes(folder: Path) -> tuple[rest_notes.Note, ...]:
    return simulation_of(load_rest(folder))[1]


def test_nodes_queues_applications_and_what_runs_and_waits_are_there(folder):
    wb = Workbench.from_rest(folder)
    assert wb.name == "prod"
    assert [line.split()[:4] for line in wb.table("running").splitlines()[1:]] == [
        ["web-1", "web", "root.prod", "worker-1"],
        ["web-2", "web", "root.prod", "worker-1"],
        ["batch-1", "batch", "root.dev.team-a", "worker-2"],
    ]
    assert {item.ask.key for item in wb.simulation.waiting()} == {"batch-2-000", "batch-2-001", "batch-3"}
    nodes = wb.partition.nodes
    assert not nodes["worker-2"].schedulable and nodes["worker-1"].schedulable
    assert dict(nodes["worker-1"].occupied.items()) == {"memory": 268435456, "vcore": 500}
    assert find(wb.partition, "root.prod").settings.priority_offset == 100
    assert wb.partition.applications["batch"].user == "alice"


def test_amounts_are_in_base_units_and_zeros_are_no_types(folder):
    node = load_rest(folder).scenario.events[0].command
    assert dict(node.capacity.items()) == {"memory": 34359738368, "pods": 110, "vcore": 8000}
    assert dict(node.attributes) == {"zone": "west"}


def test_what_used_to_run_is_shown_as_used_by_the_live_cluster(folder):
    wb = Workbench.from_rest(folder)
    told = json.loads((folder / "nodes.json").read_text())
    for node in told:
        here = wb.partition.nodes[node["nodeID"]]
        assert {kind: amount for kind, amount in here.allocated.items() if amount} == node["allocated"]
        assert all(here.available.get(kind, 0) == amount for kind, amount in node["available"].items())


def test_the_order_of_submission_and_of_requests_is_kept(folder):
    commands = [event.command for event in load_rest(folder).scenario.events]
    assert [each.application.id for each in commands if hasattr(each, "application")] == ["web", "batch"]
    assert [each.ask.key for each in commands if type(each).__name__ == "AddAsk"] == ["batch-2-000", "batch-2-001", "batch-3"]


def test_it_goes_on_from_there(folder):
    wb = Workbench.from_rest(folder)
    wb.run()
    assert wb.simulation.position == 3 and wb.simulation.waiting() == ()


def test_what_is_not_known_is_said(folder):
    text = Workbench.from_rest(folder).status.text
    assert text.startswith("Opened the design prod. 1 application had ended and is left out.")
    assert "counted from now on" in text and "Which nodes a request accepts is unknown" in text
    assert Workbench.open(folder).status.text == text
    other = Workbench.example("multitenancy")
    other.load(folder)
    assert other.status.text == text


def test_without_a_configuration_the_queues_are_those_of_the_answer(folder):
    (folder / "config.yaml").unlink()
    config = load_config(load_rest(folder).scenario.config)
    root = config.partitions[0].queues[0]
    assert [queue.name for queue in root.queues] == ["prod", "dev"]
    assert [queue.name for queue in root.queues[1].queues] == ["team-a"]  # created by a rule: it creates it again
    assert dict(root.queues[0].properties) == {"priority.offset": "100"}
    assert root.queues[1].max_applications == 7
    assert rest_notes.QueuesOnly() in notes(folder)
    wb = Workbench.from_rest(folder)
    assert wb.partition.applications["web"].queue_path == "root.prod"
    assert find(wb.partition, "root.prod").maximum == Resource(vcore=12000, memory=25769803776)


def test_a_configuration_as_json_is_the_same_configuration(folder):
    as_yaml = load_config((folder / "config.yaml").read_text())
    (folder / "config.yaml").unlink()
    (folder / "config.json").write_text(
        json.dumps(
            {
                "Partitions": [
                    {
                        "Name": "default",
                        "PlacementRules": None,
                        "Queues": [
                            {
                                "Name": "root",
                                "Parent": True,
                                "SubmitACL": "*",
                                "AdminACL": "",
                                "MaxApplications": 0,
                                "Queues": [
                                    {
                                        "Name": "prod",
                                        "Properties": {"priority.offset": "100"},
                                        "Resources": {"Guaranteed": {"vcore": "4"}, "Max": {"vcore": "12", "memory": "24Gi"}},
                                    },
                                    {"Name": "dev", "Parent": True, "Queues": [{"Name": "team-a"}]},
                                ],
                            }
                        ],
                    }
                ],
                "Checksum": "D75996C0",
            }
        )
    )
    assert load_config(load_rest(folder).scenario.config).partitions == as_yaml.partitions


def test_every_note_has_a_sentence():
    made = {
        rest_notes.EndedLeftOut: rest_notes.EndedLeftOut(1),
        rest_notes.Elsewhere: rest_notes.Elsewhere(("batch",)),
        rest_notes.NotAccepted: rest_notes.NotAccepted(("batch",)),
        rest_notes.Missing: rest_notes.Missing("nodes", "the scheduler answers 500"),
        rest_notes.OtherPartitions: rest_notes.OtherPartitions(("gpu",)),
        rest_notes.ServiceLeftOut: rest_notes.ServiceLeftOut(1),
        rest_notes.OutOfStep: rest_notes.OutOfStep(2),
    }
    kinds = [each for each in vars(rest_notes).values() if isinstance(each, type) and issubclass(each, rest_notes.Note)]
    for kind in kinds:
        if kind is not rest_notes.Note:
            assert rest_note(made[kind] if kind in made else kind()).endswith(".")


def test_an_application_that_a_rule_puts_elsewhere_is_told(folder):
    text = (folder / "config.yaml").read_text()
    rules = "- name: default\n  placementrules:\n  - {name: fixed, value: root.prod}\n"
    (folder / "config.yaml").write_text(text.replace("- name: default\n", rules, 1))
    assert rest_notes.Elsewhere(("batch",)) in notes(folder)
    assert "By the placement rules batch would be in another queue" in Workbench.from_rest(folder).status.text


def test_an_application_that_is_not_accepted_again_is_told(folder):
    changed(folder, "applications.json", lambda found: found[0].update(queueName="root.nowhere"))
    assert rest_notes.NotAccepted(("batch",)) in notes(folder)
    assert "Events says why" in Workbench.from_rest(folder).status.text


def test_a_gang_comes_with_its_placeholders(folder):
    def gang(found):
        found[1]["allocations"][0].update(placeholder=True, taskGroupName="workers")
        found[1]["placeholderData"] = [{"taskGroupName": "workers", "count": 2, "minResource": {"vcore": 2000}, "replaced": 0}]

    changed(folder, "applications.json", gang)
    dump = load_rest(folder)
    wb = Workbench.from_rest(folder)
    assert wb.table("running").splitlines()[1].split()[-1] == "placeholder"
    assert next(
        each.command.application.placeholder_ask
        for each in dump.scenario.events
        if getattr(getattr(each.command, "application", None), "id", "") == "web"
    ) == Resource(vcore=4000)
    assert rest_notes.GangsSoft() in notes(folder)


def test_answers_of_several_queues_are_several_files(folder):
    found = json.loads((folder / "applications.json").read_text())
    (folder / "applications.json").unlink()
    for number, each in enumerate(found):
        (folder / f"queue-{number}-applications.json").write_text(json.dumps(each if number else [each]))
    assert set(load_rest(folder).queues) == {"batch", "web"}


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("nodes.json", lambda found: found[0].pop("nodeID"), "nodes.json: [0]: the key nodeID is missing"),
        ("nodes.json", lambda found: found[1].update(capacity=[]), "nodes.json: [1].capacity: must be a mapping"),
        ("nodes.json", lambda found: found[1]["capacity"].update(vcore=-1), "[1].capacity.vcore: -1 is out of range"),
        (
            "nodes.json",
            lambda found: {"status_code": 400, "message": "Partition not found"},
            "answered an error: Partition not found",
        ),
        ("applications.json", lambda found: found[0].pop("queueName"), "[0]: the key queueName is missing"),
        ("applications.json", lambda found: found[1]["allocations"][0].update(nodeId="gone"), "nodeId 'gone' is none of the nodes"),
        ("applications.json", lambda found: found[0]["requests"][0].update(priority="high"), ".priority: must be an integer"),
        ("applications.json", lambda found: found[0]["requests"][0].pop("resource"), "the key resourcePerAlloc is missing"),
        ("applications.json", lambda found: 5, "must be a list, found 5"),
    ],
)
def test_a_wrong_answer_is_told_with_file_and_key(folder, name, change, said):  # U-9
    changed(
        folder,
        name,
        lambda found: (lambda other: other if isinstance(other, dict) and "status_code" in other or other == 5 else None)(
            change(found)
        ),
    )
    with pytest.raises(ScenarioError) as raised:
        Workbench.from_rest(folder)
    assert said in str(raised.value) and name in str(raised.value)


def test_what_is_no_json_is_told_with_its_line(folder):
    (folder / "nodes.json").write_text("[\n{]")
    with pytest.raises(ScenarioError, match="nodes.json:line 2: not valid JSON"):
        load_rest(folder)


def test_a_configuration_that_is_refused_is_told(folder):
    (folder / "config.yaml").write_text("partitions: [{name: default, queues: [{name: root}, {name: root}]}]")
    with pytest.raises(ConfigError):
        load_rest(folder)


@pytest.mark.parametrize("missing", ["nodes", "applications"])
def test_a_missing_answer_is_told(folder, missing):
    (folder / f"{missing}.json").unlink()
    assert not recognises(look(folder))
    with pytest.raises(ScenarioError, match=f"no answer with {missing} in its name"):
        load_rest(folder)


def test_a_folder_that_is_no_dump_or_not_there_is_told(tmp_path):
    with pytest.raises(ScenarioError, match="there is no such folder"):
        Workbench.from_rest(tmp_path / "nothing")
    with pytest.raises(ScenarioError, match="nothing here tells what this folder is.*a queues.yaml"):
        Workbench.open(tmp_path)


def test_names_of_a_cluster_are_data(folder):
    changed(folder, "nodes.json", lambda found: found[1].update(nodeID="<img src=x>\n\u202e"))
    changed(folder, "applications.json", lambda found: found[0]["allocations"][0].update(nodeId="<img src=x>\n\u202e"))
    text = str(Workbench.from_rest(folder).table("nodes"))
    assert "\u202e" not in text and "<img src=x>\\n" in text
