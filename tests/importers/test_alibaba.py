"""The Alibaba GPU trace as a scenario, on a small made-up sample of the two tables."""

from __future__ import annotations

import pytest

from workbench.importers.alibaba import CONFIG, GPU_TYPE, MODEL_ATTRIBUTE, load_alibaba
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, Release
from workbench.simulation import Simulation
from workbench.simulation.scenario import AdvanceMs, Schedule, parse_scenario, scenario_to_json
from workbench.values.errors import ScenarioError
from workbench.values.resources import Resource

NODES = """\
sn,cpu_milli,memory_mib,gpu,model
n-0,8000,16384,0,
n-1,16000,32768,2,T4
n-2,16000,32768,1,P100
"""
TASKS = """\
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
t-0,4000,8192,0,0,,LS,Running,0,100,0
t-1,2000,4096,1,460,,BE,Running,10,60,10
t-2,2000,4096,2,1000,T4|V100,Guaranteed,Pending,10,200,
t-3,1000,1024,1,1000,P100,Burstable,Succeeded,60,,60
t-4,1000,1024,0,0,,BE,Failed,70,70,70
"""


@pytest.fixture
def load(tmp_path):
    """Read the sample, or other texts, as the two tables."""

    def loaded(nodes_text=NODES, tasks_text=TASKS, **options):
        (tmp_path / "nodes.csv").write_bytes(nodes_text.encode() if isinstance(nodes_text, str) else nodes_text)
        (tmp_path / "tasks.csv").write_bytes(tasks_text.encode() if isinstance(tasks_text, str) else tasks_text)
        return load_alibaba(tmp_path / "nodes.csv", tmp_path / "tasks.csv", **options)

    return loaded


def commands(scenario, kind):
    return [event.command for event in scenario.events if isinstance(event.command, kind)]


def asks(scenario):
    return {command.ask.key: command.ask for command in commands(scenario, AddAsk)}


def test_a_node_keeps_its_size_and_its_gpus_are_thousandths(load):
    assert commands(load(), AddNode) == [
        AddNode(node_id="n-0", capacity=Resource(vcore=8000, memory=16384 * 2**20)),
        AddNode(
            node_id="n-1",
            capacity=Resource({"vcore": 16000, "memory": 32768 * 2**20, GPU_TYPE: 2000}),
            attributes={MODEL_ATTRIBUTE: "T4"},
        ),
        AddNode(
            node_id="n-2",
            capacity=Resource({"vcore": 16000, "memory": 32768 * 2**20, GPU_TYPE: 1000}),
            attributes={MODEL_ATTRIBUTE: "P100"},
        ),
    ]


def test_a_task_is_an_application_with_one_ask_in_the_leaf_of_its_class(load):
    scenario = load()
    assert [(command.application.id, command.application.queue) for command in commands(scenario, AddApplication)] == [
        ("t-0", "root.ls"),
        ("t-1", "root.be"),
        ("t-2", "root.guaranteed"),
        ("t-3", "root.burstable"),
        ("t-4", "root.be"),
    ]
    assert [(ask.application_id, key) for key, ask in asks(scenario).items()] == [(f"t-{n}", f"t-{n}") for n in range(5)]


@pytest.mark.parametrize(
    ("task", "gpus"), [("t-0", None), ("t-1", 460), ("t-2", 2000), ("t-3", 1000)], ids=["none", "a part of one", "two", "one"]
)
def test_a_task_asks_for_its_share_of_gpus(load, task, gpus):
    assert asks(load())[task].resource.get(GPU_TYPE) == gpus


def test_gpu_spec_is_a_predicate_on_the_model_of_the_node(load):
    found = asks(load())
    assert found["t-0"].allowed_nodes is None
    assert found["t-2"].allowed_nodes == ("n-1",)
    assert found["t-3"].allowed_nodes == ("n-2",)


def shown(scenario):
    """The events after the nodes, in short."""
    for event in scenario.events:
        match event.command:
            case AdvanceMs(ms):
                yield f"wait {ms}"
            case Schedule(cycles):
                yield f"cycles {cycles}"
            case AddAsk():
                yield f"ask {event.command.ask.key}"
            case Release():
                yield f"release {event.command.key}"


def test_arrivals_and_departures_come_in_the_order_of_the_trace(load):
    assert list(shown(load())) == [
        "ask t-0",
        "cycles 2",
        "wait 9791",
        "ask t-1",
        "ask t-2",
        "cycles 3",
        "wait 49692",
        "release t-1",
        "ask t-3",
        "cycles 3",
        "wait 9693",
        "ask t-4",
        "cycles 2",
        "release t-4",
        "cycles 2",
        "wait 29592",
        "release t-0",
        "cycles 2",
        "wait 99796",
        "release t-2",
        "cycles 2",
    ]


def test_simulated_time_follows_the_trace(load):
    sim = Simulation.from_scenario(load())
    sim.run()
    seconds = [(step.decision.key, round(step.decision.now_ns / 1e9)) for step in sim.steps]
    assert seconds == [("t-0", 0), ("t-2", 10), ("t-1", 10), ("t-3", 60), ("t-4", 70)]


def test_the_classes_go_in_order_and_every_task_runs_where_it_may(load):
    sim = Simulation.from_scenario(load())
    sim.run()
    nodes = {step.decision.key: step.decision.node_id for step in sim.steps}
    assert nodes["t-2"] == "n-1"
    assert nodes["t-3"] == "n-2"
    # t-2 of the class guaranteed took both GPUs of n-1, so the part that t-1 of the class BE wants is on the other node.
    assert nodes["t-1"] == "n-2"


def test_spare_cycles_nodes_and_tasks_can_be_chosen(load):
    scenario = load(nodes=2, tasks=2, spare_cycles=5)
    assert len(commands(scenario, AddNode)) == 2
    assert list(asks(scenario)) == ["t-0", "t-1"]
    assert [command.cycles for command in commands(scenario, Schedule)] == [6, 6, 6, 6]


def test_another_configuration_can_be_given(load):
    assert load().config == CONFIG
    assert load(config="partitions: []").config == "partitions: []"


def test_the_scenario_can_be_written_and_read(load):
    scenario = load()
    assert parse_scenario(scenario_to_json(scenario), "json") == scenario


def test_columns_may_stand_in_any_order_and_others_are_left_out(load):
    nodes = "model,note,sn,gpu,memory_mib,cpu_milli\n,x,n-0,0,16384,8000\nT4,y,n-1,2,32768,16000\nP100,,n-2,1,32768,16000\n"
    assert load(nodes).events == load().events


@pytest.mark.parametrize(
    ("nodes", "tasks", "line", "said"),
    [
        ("", TASKS, None, "nodes.csv: the file is empty (the first line must name sn, cpu_milli"),
        ("sn,cpu_milli,memory_mib,gpu,model\n", TASKS, None, "the table has no nodes"),
        ("sn,cpu,memory_mib,gpu,model\n", TASKS, 1, "there is no column cpu_milli"),
        ("sn,sn,cpu_milli,memory_mib,gpu,model\n", TASKS, 1, "two columns are called sn"),
        (NODES + "n-3,1,1\n", TASKS, 5, "the row has 3 fields, the header 5"),
        (NODES + "n-3,1,1,0,,,\n", TASKS, 5, "the row has 7 fields, the header 5"),
        (NODES + ",1,1,0,\n", TASKS, 5, "column sn: is empty"),
        (NODES + "n-0,1,1,0,\n", TASKS, 5, "column sn: node 'n-0' occurs twice"),
        (NODES + "n-3,-1,1,0,\n", TASKS, 5, "column cpu_milli: must be a whole number of at most 15 digits, found '-1'"),
        (NODES + "n-3,1.5,1,0,\n", TASKS, 5, "column cpu_milli: must be a whole number"),
        (NODES + "n-3,\u0661,1,0,\n", TASKS, 5, "column cpu_milli: must be a whole number"),
        (NODES + "n-3,1,999999999999999,0,\n", TASKS, 5, "column memory_mib: is more than 64 bits of bytes"),
        (NODES + "n-3,1,1,1001,\n", TASKS, 5, "column gpu: 1001 GPUs are more than 1000"),
        (NODES + '"n-3,1,1,1,\n', TASKS, None, "not valid CSV"),
        (b"\x1f\x8b\x08\xff\xfe", TASKS, 1, "not UTF-8 text"),
        (NODES, TASKS + "t-0,1,1,0,0,,LS,,1,2,\n", 7, "column name: task 't-0' occurs twice"),
        (
            NODES,
            TASKS + "t-9,1,1,0,0,,Gold,,1,2,\n",
            7,
            "column qos: unknown class 'Gold' (allowed are Guaranteed, LS, Burstable, BE)",
        ),
        (
            NODES,
            TASKS + "t-9,1,1,1,0,A10,LS,,1,2,\n",
            7,
            "column gpu_spec: no node has a GPU of model 'A10' (the nodes have P100, T4)",
        ),
        (NODES, TASKS + "t-9,1,1,1,1001,,LS,,1,2,\n", 7, "column gpu_milli: 1001 thousandths of each of 1 GPUs"),
        (NODES, TASKS + "t-9,1,1,2,500,,LS,,1,2,\n", 7, "column gpu_milli: 500 thousandths of each of 2 GPUs"),
        (NODES, TASKS + "t-9,1,1,0,0,,LS,,,2,\n", 7, "column creation_time: must be a whole number of at most 15 digits, found ''"),
        (NODES, TASKS + "t-9,1,1,0,0,,LS,,3,2,\n", 7, "column deletion_time: 2 is before the creation_time 3"),
    ],
)
def test_a_bad_table_is_refused_with_file_line_and_column(load, nodes, tasks, line, said):
    with pytest.raises(ScenarioError) as caught:
        load(nodes, tasks)
    assert said in str(caught.value)
    assert line in (None, caught.value.line)
    assert caught.value.source.endswith(".csv")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ScenarioError, match=r"nodes\.csv: cannot be read: No such file"):
        load_alibaba(tmp_path / "nodes.csv", tmp_path / "tasks.csv")
