"""Scenario files: the recorded JSON form, YAML written by hand, and what is said about mistakes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    DrainNode,
    Release,
    RemoveApplication,
    RemoveNode,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.simulation import Simulation
from workbench.simulation.scenario import (
    AdvanceMs,
    Scenario,
    ScenarioEvent,
    Schedule,
    example,
    example_names,
    load_scenario,
    parse_scenario,
    reading,
    scenario_to_dict,
    scenario_to_json,
    scenario_to_yaml,
)
from workbench.values.errors import ScenarioError
from workbench.values.resources import Resource

RECORDED = Path(__file__).resolve().parents[1] / "conformance" / "scenarios"
CONFIG = "partitions:\n  - name: default\n    queues:\n      - name: root\n"


def scenario(*events, config=CONFIG, **more):
    """The scenario that a recorded file with these events says."""
    return parse_scenario(json.dumps({"config": config, "events": events, **more}), "json")


def commands(*events):
    return [event.command for event in scenario(*events).events]


def yaml_events(text):
    """The commands that events written by hand say."""
    return [event.command for event in parse_scenario(f"config: ''\nevents:\n{text}").events]


# -- what a file says -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (
            {"add_node": {"id": "n", "resources": {"vcore": 1000, "memory": 0}, "attributes": {"zone": "a"}}},
            AddNode(node_id="n", capacity=Resource(vcore=1000, memory=0), attributes={"zone": "a"}),
        ),
        ({"update_node": {"id": "n", "resources": {"vcore": 1}}}, UpdateNode(node_id="n", capacity=Resource(vcore=1))),
        ({"drain_node": "n"}, DrainNode(node_id="n")),
        ({"undrain_node": "n"}, UndrainNode(node_id="n")),
        ({"remove_node": "n"}, RemoveNode(node_id="n")),
        ({"add_app": {"id": "a"}}, AddApplication(application=ApplicationSpec(id="a"))),
        (
            {
                "add_app": {
                    "id": "a",
                    "queue": "root.q",
                    "user": "sue",
                    "groups": ["dev"],
                    "tags": {"t": "1"},
                    "placeholder_ask": {"vcore": 2},
                    "gang_style": "Hard",
                    "execution_timeout_ms": 1500,
                }
            },
            AddApplication(
                application=ApplicationSpec(
                    id="a",
                    queue="root.q",
                    user="sue",
                    groups=("dev",),
                    tags={"t": "1"},
                    placeholder_ask=Resource(vcore=2),
                    gang_style="Hard",
                    execution_timeout_ns=1_500_000_000,
                )
            ),
        ),
        ({"remove_app": "a"}, RemoveApplication(application_id="a")),
        (
            {"add_ask": {"app": "a", "key": "k", "resources": {"vcore": 1}}},
            AddAsk(ask=AskSpec(application_id="a", key="k", resource=Resource(vcore=1))),
        ),
        (
            {
                "add_ask": {
                    "app": "a",
                    "key": "k",
                    "resources": {"gpu": 1},
                    "priority": -(2**31),
                    "task_group": "t",
                    "placeholder": True,
                    "originator": True,
                    "allow_preempt_self": False,
                    "allow_preempt_other": False,
                    "required_node": "n",
                    "allowed_nodes": ["n", "m"],
                }
            },
            AddAsk(
                ask=AskSpec(
                    application_id="a",
                    key="k",
                    resource=Resource(gpu=1),
                    priority=-(2**31),
                    task_group="t",
                    placeholder=True,
                    originator=True,
                    allow_preempt_self=False,
                    allow_preempt_other=False,
                    required_node="n",
                    allowed_nodes=("n", "m"),
                )
            ),
        ),
        (
            {"add_allocation": {"app": "a", "key": "k", "resources": {"vcore": 1}, "node": "n"}},
            AddAllocation(ask=AskSpec(application_id="a", key="k", resource=Resource(vcore=1)), node_id="n"),
        ),
        (
            {"add_allocation": {"app": "", "key": "k", "resources": {"vcore": 1}, "node": "n", "foreign": True}},
            AddAllocation(ask=AskSpec(application_id="", key="k", resource=Resource(vcore=1)), node_id="n", foreign=True),
        ),
        ({"release": {"app": "a", "key": "k"}}, Release(application_id="a", key="k")),
        ({"update_config": "partitions: []"}, UpdateConfig(config="partitions: []")),
        ({"advance_ms": 5}, AdvanceMs(5)),
        ({"schedule": 3}, Schedule(3)),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_each_kind_of_event_is_one_command(event, command):
    assert commands(event) == [command]


def test_events_are_numbered_and_may_ask_for_a_snapshot():
    events = scenario({"schedule": 1}, {"schedule": 2, "snapshot": True}).events
    assert events == (ScenarioEvent(Schedule(1), False, 0), ScenarioEvent(Schedule(2), True, 1))


def test_releases_are_confirmed_unless_the_scenario_says_otherwise():
    assert scenario().confirm_releases
    assert not scenario(confirm_releases=False).confirm_releases


def test_what_was_recorded_is_kept_as_it_stands():
    expect = {"core": "v1.8.0", "trace": [{"event": 0, "t_ms": 2, "outcomes": []}], "snapshots": [], "final": {"apps": {}}}
    assert scenario(expect=expect).expect == expect
    assert scenario().expect is None


def test_a_key_that_is_null_counts_as_absent():
    assert commands({"add_app": {"id": "a", "groups": None, "placeholder_ask": None}}) == commands({"add_app": {"id": "a"}})


def test_yaml_says_the_same_as_json():
    recording = RECORDED / "documented-required-node.json"
    data = json.loads(recording.read_text())
    in_yaml = parse_scenario(json.dumps(data), "yaml")  # JSON is YAML, too
    assert in_yaml == load_scenario(recording)


def test_quantities_are_text_in_the_words_of_the_configuration_or_integers_in_base_units():
    assert yaml_events('- update_node: {id: n, resources: {vcore: "2", memory: 8Gi, gpu: "1"}}') == yaml_events(
        "- update_node: {id: n, resources: {vcore: 2000, memory: 8589934592, gpu: 1}}"
    )
    assert yaml_events("- update_node: {id: n, resources: {vcore: 500m}}") == [
        UpdateNode(node_id="n", capacity=Resource(vcore=500))
    ]


def test_words_and_dates_of_older_yaml_are_text():
    text = "- add_app: {id: no, user: 2001-01-01, queue: 12:30:45, tags: {on: yes}}"
    assert yaml_events(text) == [
        AddApplication(application=ApplicationSpec(id="no", user="2001-01-01", queue="12:30:45", tags={"on": "yes"}))
    ]


@pytest.mark.parametrize(
    ("event", "names"),
    [
        ("add_node: {id: n, repeat: 3, resources: {}}", ["n-000", "n-001", "n-002"]),
        ("add_app: {id: a, repeat: 1}", ["a-000"]),
        ("add_ask: {app: a, key: k, repeat: 2, resources: {}}", ["k-000", "k-001"]),
    ],
)
def test_repeat_makes_several_with_numbers_behind_their_names(event, names):
    def name(command):
        match command:
            case AddNode():
                return command.node_id
            case AddApplication():
                return command.application.id
        return command.ask.key

    assert [name(command) for command in yaml_events(f"- {event}")] == names


def test_a_repeated_event_asks_for_one_snapshot_after_the_last():
    events = parse_scenario("config: ''\nevents:\n- {add_app: {id: a, repeat: 3}, snapshot: true}").events
    assert [event.snapshot for event in events] == [False, False, True]
    assert [event.index for event in events] == [0, 1, 2]


# -- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["plan.json", "plan.json.gz", "plan.yaml", "plan.yml", "plan.yaml.gz", "PLAN.JSON"])
def test_a_scenario_is_read_from_plain_and_packed_files(tmp_path, name):
    made = scenario({"schedule": 1})
    text = scenario_to_json(made) if "json" in name.lower() else scenario_to_yaml(made)
    data = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert load_scenario(tmp_path / name).events == made.events


def test_a_scenario_without_a_name_is_called_like_its_file(tmp_path):
    path = tmp_path / "plan.b.yaml"
    path.write_text("config: ''\nevents: []\n")
    assert load_scenario(path).name == "plan.b"


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.json"))[::9], ids=lambda path: path.stem)
def test_a_recording_is_the_same_after_writing_and_reading(path):
    recorded = load_scenario(path)
    assert parse_scenario(scenario_to_json(recorded), "json") == recorded
    assert parse_scenario(scenario_to_yaml(recorded), "yaml") == recorded


def test_yaml_is_written_for_people():
    made = scenario({"add_node": {"id": "no", "resources": {"vcore": 500, "memory": 8 * 2**30}}})
    text = scenario_to_yaml(made)
    assert "config: |\n" in text
    assert "vcore: 500m" in text and "memory: 8Gi" in text
    assert parse_scenario(text) == made


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (AddNode(node_id="n", capacity=Resource(vcore=-1)), "amounts from 0 up"),
        (AddApplication(application=ApplicationSpec(id="a", execution_timeout_ns=1)), "milliseconds"),
        (AddAsk(ask=AskSpec(application_id="a", key="k", resource=Resource(), allowed_nodes=())), "an empty tuple"),
        (AddAsk(ask=AskSpec(application_id="a", key="", resource=Resource())), r"events\[0\] cannot be written .* not empty"),
        (Advance(ns=1), "Advance"),
    ],
)
def test_what_the_form_cannot_say_is_refused_and_not_written_in_part(command, why):
    with pytest.raises(ScenarioError, match=why):
        scenario_to_dict(Scenario(config="", events=(ScenarioEvent(command),)))


# -- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "text", "hint"),
    [
        ("add_nod: {}", "unknown key 'add_nod'", "did you mean add_node?"),
        ("{}", "exactly one kind, found none", "add_node, "),
        ("{schedule: 1, advance_ms: 1}", "found schedule and advance_ms", ""),
        ("schedule", "must be a mapping of keys to values, found the text 'schedule'", ""),
        ("schedule: 0", "0 is out of range", "1 to 1000000"),
        ("schedule: -1", "-1 is out of range", "1 to"),
        ('schedule: "2"', "must be an integer, found the text '2'", "remove the quotes"),
        ("schedule: 1.5", "must be an integer, found 1.5", ""),
        ("schedule: true", "must be an integer, found true", ""),
        ("schedule: {}", "must be an integer, found a mapping", ""),
        ("advance_ms: 9223372036855", "out of range", "1 to 3155760000000"),
        ("advance_ms: 99999999999999999999999999", "must be an integer", ""),
        ("drain_node: ''", "is empty", "give a name"),
        ("drain_node: 7", "must be a text, found 7", "put it in quotes"),
        ("remove_app: [a]", "must be a text, found a list", ""),
        ("add_node: {resources: {}}", "the key id is missing", ""),
        ("add_node: {id: n, resources: {vcore: -1}}", "-1 is out of range", "0 to"),
        ("add_node: {id: n, resources: {vcore: '-1'}}", "invalid quantity: '-1'", "500m"),
        ("add_node: {id: n, resources: {memory: 8GB}}", "invalid quantity: '8GB'", "8Gi"),
        ("add_node: {id: n, resources: {vcore: 1.5}}", "found 1.5", "1500m"),
        ("add_node: {id: n, resources: {vcore: 9223372036854775808}}", "9223372036854775808 is out of range", ""),
        ("add_node: {id: n, resources: {memory: 9223372036854775808k}}", "invalid quantity: overflow", ""),
        ("add_node: {id: n, resources: {vcore: yes}}", "invalid quantity: 'yes'", ""),
        ("add_node: {id: n, resources: {vcore: [1]}}", "found a list", ""),
        ("add_node: {id: n, resources: {'': 1}}", "without a name", ""),
        ("add_node: {id: n, resources: {}, repeat: 0}", "0 is out of range", "1 to"),
        (
            "add_node: {id: n, resources: {}, zone: a}",
            "unknown key 'zone'",
            "allowed are id, resources, attributes, taints, schedulable, partition, repeat",
        ),
        ("add_app: {id: a, groups: dev}", "must be a list, found the text 'dev'", ""),
        ("add_app: {id: a, tags: {count: 3}}", "must be a text, found 3", "put it in quotes"),
        ("add_ask: {app: a, key: k, resources: {}, priority: 2147483648}", "out of range", "-2147483648 to 2147483647"),
        ("add_ask: {app: a, key: k, resources: {}, placeholder: 1}", "must be true or false, found 1", ""),
        ("add_ask: {app: a, key: k, resources: {}, allowed_nodes: []}", "is empty", "leave it out if every node will do"),
        ("add_ask: {app: a, key: k, resources: {}, node: n}", "unknown key 'node'", ""),
        ("add_allocation: {key: k, resources: {}, node: n}", "the key app is missing", "foreign: true"),
        ("release: {}", "names nothing", "app and key"),
    ],
    ids=lambda value: value if ":" in value else "",
)
def test_a_mistake_in_an_event_is_told_with_its_line_and_what_is_allowed(event, text, hint):
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(f"config: ''\nevents:\n- schedule: 1\n- {event}\n", source="plan.yaml")
    error = caught.value
    assert text in error.text
    assert hint in error.hint
    assert error.line == 4
    assert str(error).startswith("plan.yaml:line 4: events[1]")


def test_a_mistake_in_json_is_told_with_the_path_of_the_value():
    with pytest.raises(ScenarioError, match=r"^events\[1\]\.add_ask\.resources\.vcore: -1 is out of range"):
        scenario({"schedule": 1}, {"add_ask": {"app": "a", "key": "k", "resources": {"vcore": -1}}})


@pytest.mark.parametrize(
    ("text", "format", "line", "said"),
    [
        ("", "yaml", None, "the text is empty"),
        ("  \n", "json", None, "the text is empty"),
        ("# nothing\n", "yaml", None, "holds no values"),
        ("hello", "yaml", 1, "must be a mapping"),
        ("[]", "json", None, "must be a mapping"),
        ('{"config": ""\n,"events": [}', "json", 2, "not valid JSON"),
        ("config: ''\nevents: [", "yaml", 2, "not valid YAML"),
        ("events: []", "yaml", 1, "the key config is missing"),
        ("config: ''", "yaml", 1, "the key events is missing"),
        ("config: ''\nevents: {}", "yaml", 2, "must be a list, found a mapping"),
        ("config: [a]\nevents: []", "yaml", 1, "must be a text, found a list"),
        ("config: ''\nevents: []\nconfig: ''", "yaml", 3, "key 'config' occurs twice"),
        ('{"config": "", "config": "", "events": []}', "json", None, "key 'config' occurs twice"),
        ("config: ''\nevents: []\nexpect: 3", "yaml", 3, "must be a mapping"),
        ("partitions: []", "yaml", 1, "this is a queue configuration, not a scenario"),
        ("{}", "toml", None, "unknown format 'toml'"),
        ('{"config": "", "events": [{"schedule": NaN}]}', "json", None, "NaN is no JSON value"),
        ('{"config": "", "events": [{"schedule": ' + "9" * 5000 + "}]}", "json", None, "integer of thousands of digits"),
        ('{"config": "", "events": [{"schedule": ' + "9" * 100 + "}]}", "json", None, "more than 40 digits is out of range"),
        ('{"config": "", "events": [{"remove_app": "\\ud800"}]}', "json", None, "half a surrogate pair"),
        ("[" * 100_000, "json", None, "nested too deeply"),
        ("[" * 100_000, "yaml", 1, "nested deeper"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_text_that_is_no_scenario_is_refused_with_its_place(text, format, line, said):
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, format)
    assert said in caught.value.text
    assert caught.value.line == line


def test_a_scenario_cannot_repeat_itself_without_end(monkeypatch):
    monkeypatch.setattr(reading, "MOST_EVENTS", 5)
    assert len(yaml_events("- add_app: {id: a, repeat: 5}")) == 5
    with pytest.raises(ScenarioError, match="6 is out of range"):
        yaml_events("- add_app: {id: a, repeat: 6}")
    with pytest.raises(ScenarioError, match=r"events\[1\]: the scenario has more than 5 events"):
        yaml_events("- add_app: {id: a, repeat: 5}\n- schedule: 1")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("plan.txt", b"", "cannot tell the format"),
        ("plan.gz", b"", "cannot tell the format"),
        ("plan.json", b"\xff\xfe\x00", "not UTF-16 text: byte 0x00"),
        ("plan.json.gz", b"not packed", "not a readable gzip file"),
        ("plan.json.gz", gzip.compress(b"{}" * 100, mtime=0)[:-9], "not a readable gzip file"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ScenarioError, match=said) as caught:
        load_scenario(tmp_path / name)
    assert caught.value.source == str(tmp_path / name)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(ScenarioError, match="No such file"):
        load_scenario(tmp_path / "nothing.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_scenario(tmp_path / "folder.json")


# -- examples ---------------------------------------------------------------------------------------------------------


def placed(name):
    """(application, key, node) of every allocation of an example, in order."""
    sim = Simulation.from_scenario(example(name))
    sim.run()
    return [(step.decision.application_id, step.decision.key, step.decision.node_id) for step in sim.steps]


@pytest.mark.parametrize("name", example_names())
def test_an_example_can_be_played_to_its_end_and_written(name):
    made = example(name)
    assert made.name == name
    assert made.description
    assert placed(name)
    assert parse_scenario(scenario_to_yaml(made)) == made


def test_an_unknown_example_is_answered_with_the_known_ones():
    with pytest.raises(ScenarioError, match=r"there is no example 'x' \(the examples are multitenancy, "):
        example("x")


def test_the_multitenancy_example_places_its_eleven_requests_in_the_documented_order():
    assert [(application, key) for application, key, _ in placed("multitenancy")] == [
        ("system-high", "P1"),
        ("system-normal", "P10"),
        ("system-normal", "P2"),
        ("child-a-1", "P8"),
        ("child-a-2", "P6"),
        ("child-a-1", "P5"),
        ("child-a-2", "P4"),
        ("child-b-1", "P9"),
        ("child-b-2", "P8"),
        ("child-b-1", "P7"),
        ("system-low", "P3"),
    ]


def test_of_two_tenants_the_one_with_twice_the_guarantee_gets_twice_as_much():
    applications = [application for application, _, _ in placed("two-tenants")]
    assert applications[:12].count("red-training") == 8
    assert applications[:12].count("blue-etl") == 4
    assert "nightly" not in applications[:16]


def test_binpacking_fills_a_node_before_it_begins_the_next_one():
    nodes = [node for _, _, node in placed("node-packing")]
    assert nodes == ["slim"] * 5 + ["small"] * 5 + ["square"] * 3


def test_heavier_cores_make_the_node_that_is_short_of_them_the_last():
    assert [node for _, _, node in placed("node-weights")][:2] == ["n2", "n2"]


def test_a_request_larger_than_its_queue_may_ever_use_stays_behind():
    keys = [key for _, key, _ in placed("quota-headroom")]
    assert "build-large" not in keys
    assert len(keys) == 8  # 7 cores of org, and the one that was released
