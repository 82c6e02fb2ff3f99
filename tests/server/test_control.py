"""`/workbench/v1`: every action is a verb of the bench, and what is refused changes nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench import Workbench
from workbench.server.actions import ACTIONS, PREFIX
from workbench.server.design_file import DesignFile
from workbench.simulation import Simulation
from workbench.simulation.scenario import RECORDED, parse_scenario

NODE = {"add_node": {"id": "extra", "resources": {"vcore": "4"}}}


# -- moving -------------------------------------------------------------------------------------------------------------


def test_a_step_says_what_was_decided_and_is_seen_in_the_state(client):
    before = client.state()
    assert (before["step"], before["next"]["request"]) == (0, "P1")
    told = client.post("step").document
    assert (told["step"], told["decision"]["request"], told["call"]) == (1, "P1", "bench.step()")
    assert client.state()["step"] == 1


def test_back_goto_reset_cycle_and_advance_move_as_the_verbs_do(client):
    bench = client.server.bench
    client.post("run", {"max_steps": 4})
    assert client.post("back", {"n": 2}).document["step"] == 2
    assert client.post("back").document["step"] == 1
    assert client.post("goto", {"n": 3}).document["step"] == 3
    assert client.post("reset").document["step"] == 0
    assert client.post("cycle").document["decision"]["request"] == "P1"
    now_ns = bench.simulation.now_ns
    client.post("advance", {"seconds": 1.5})
    assert bench.simulation.now_ns == now_ns + 1_500_000_000 + RECORDED.message_ns


def test_a_run_goes_on_until_nothing_is_left_or_a_condition_holds(client):
    told = client.post("run").document
    assert told["step"] == client.server.bench.simulation.position > 3
    assert client.state()["next"]["outcome"] == "nothing"
    client.post("reset")
    assert client.post("run", {"until": "steps", "argument": "2"}).document["step"] == 2


def test_undo_and_redo_are_those_of_the_screen(client):
    client.post("inputs", NODE)
    assert "extra" in client.server.bench.partition.nodes
    client.post("undo")
    assert "extra" not in client.server.bench.partition.nodes
    client.post("redo")
    assert "extra" in client.server.bench.partition.nodes


def test_while_something_is_under_way_a_second_change_is_refused_and_stop_ends_the_first(client):
    bench = client.server.bench
    client.server._own.call(lambda: bench.play(1))
    assert client.state()["busy"]
    refused = client.post("step")
    assert (refused.status, "under way" in refused.message) == (409, True)
    assert client.post("stop").status == 200
    client.server._own.call(lambda: None)
    while client.state()["busy"]:
        pass
    assert client.post("step").status == 200


# -- putting in ---------------------------------------------------------------------------------------------------------


def test_inputs_are_events_of_a_scenario_file_one_or_many_all_or_none(client):
    told = client.post("inputs", NODE).document
    assert told["events"] == [{"kind": "node accepted", "node_id": "extra"}]
    partition = client.server.bench.partition
    many = [
        {"add_app": {"id": "mine", "queue": "root.tenants.tenant-a.child-a-1", "user": "sue"}},
        {"add_ask": {"app": "mine", "key": "one", "resources": {"vcore": 1}, "repeat": 2}},
    ]
    assert client.post("inputs", many).status == 200
    assert list(partition.applications["mine"].asks) == ["one-000", "one-001"]
    wrong = client.post("inputs", [{"drain_node": "extra"}, {"add_ask": {"app": "mine", "key": "x"}}])
    assert (wrong.status, wrong.message) == (400, "[1].add_ask: the key resources is missing")
    assert client.server.bench.partition.nodes["extra"].schedulable


def test_an_input_may_have_a_time_and_what_lets_time_pass_is_no_input(client):
    assert client.post("inputs", {"drain_node": "node-1", "at_ms": 5000}).status == 200
    assert len(client.server.bench.simulation.planned) == 1
    assert "no input" in client.post("inputs", {"advance_ms": 5}).message
    past = client.post("inputs", [NODE, {"drain_node": "node-1", "at_ms": 1}])
    assert past.status == 400 and "has come already" in past.message
    assert "extra" not in client.server.bench.partition.nodes


def test_what_the_scheduler_rejects_is_told_with_its_reason(client):
    told = client.post("inputs", {"add_app": {"id": "lost", "queue": "root.nowhere", "user": "sue"}}).document
    assert [(each["kind"], each["application_id"]) for each in told["events"]] == [("app rejected", "lost")]
    assert told["events"][0]["reason"].endswith("no placement rule matched")
    assert "There is no queue root.nowhere" in told["said"]


# -- the design ---------------------------------------------------------------------------------------------------------

DESIGN = """# of mine
partitions:
  - name: default
    queues:
      - name: root
        submitacl: '*'
        queues:
          - name: a  # the first
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "queues.yaml"
    path.write_text(DESIGN)
    return path


def put(client, text: str | bytes):
    return client.ask("PUT", PREFIX + "config", text)


def test_another_design_is_a_reload_and_is_written_back_as_it_was_sent(serving, file):
    client = serving(Workbench.open(file), file=DesignFile.of(str(file)))
    new = DESIGN + "          - name: b  # the second\n"
    told = put(client, new)
    assert (told.status, told.document["written"]) == (200, "queues.yaml")
    assert file.read_text() == new
    assert [*client.server.bench.partition.root.children] == ["a", "b"]
    assert client.get(PREFIX + "config").body.decode() == new
    assert client.server.bench.simulation.reloads == (0,)
    assert put(client, DESIGN).status == 200


@pytest.mark.parametrize(
    "text",
    ["", "partitions: [", "- 1", DESIGN.replace("name: a", "name: a b"), DESIGN + "\tx: 1", b"\xff\xfe\xfd", "partitions: []\n"],
)
def test_a_design_that_is_refused_changes_nothing_and_the_file_is_whole(serving, file, text):
    client = serving(Workbench.open(file), file=DesignFile.of(str(file)))
    before = client.server.bench.simulation.digest()
    refused = put(client, text)
    assert refused.status == 400 and refused.message
    assert file.read_text() == DESIGN
    assert client.server.bench.simulation.digest() == before
    assert client.server.bench.simulation.inputs == ()


def test_a_fault_of_the_design_is_told_with_its_line(serving):
    refused = put(serving(), DESIGN.replace("submitacl", "submitacll"))
    assert refused.document["line"] == 6 and "submitacll" in refused.message


def test_a_file_that_cannot_be_written_leaves_the_design_in_force(serving, file):
    client = serving(Workbench.open(file), file=DesignFile.of(str(file)))
    file.chmod(0o444)
    refused = put(client, DESIGN.replace("name: a", "name: b"))
    assert refused.status == 500 and "read-only" in refused.message
    assert [*client.server.bench.partition.root.children] == ["a"]
    assert client.server.bench.calls[-1].startswith("bench =")


def test_a_file_that_somebody_else_changed_is_not_written_over(serving, file):
    client = serving(Workbench.open(file), file=DesignFile.of(str(file)))
    file.write_text("# theirs\n" + DESIGN)
    refused = put(client, DESIGN.replace("name: a", "name: b"))
    assert refused.status == 400 and "changed by somebody else" in refused.message
    assert file.read_text().startswith("# theirs")
    assert [*client.server.bench.partition.root.children] == ["a"]


def test_a_design_that_came_from_no_file_is_in_force_only(client):
    told = put(client, DESIGN.replace("name: a", "name: tenants"))
    assert (told.status, told.document["written"]) == (200, None)


def test_only_a_queues_yaml_is_a_file_that_is_written_back(file, tmp_path):
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(f"config: |\n{''.join('  ' + line for line in DESIGN.splitlines(True))}events: []\n")
    assert DesignFile.of(str(file)) is not None
    assert [DesignFile.of(str(each)) for each in (scenario, "multitenancy", tmp_path)] == [None, None, None]


# -- asking -------------------------------------------------------------------------------------------------------------


def test_why_says_what_the_bench_says_of_the_next_of_one_that_waits_and_of_a_step(client):
    bench = client.server.bench
    client.post("step")

    def sentences(query: str = "") -> str:
        return "\n".join(client.get(PREFIX + "why" + query).document["sentences"])

    assert sentences() == bench.why()
    key = bench.simulation.waiting()[-1].ask.key
    assert sentences(f"?request={key}") == str(bench.why_not(key))
    assert sentences("?step=1") == bench.why(step=1)
    refused = client.get(PREFIX + "why?request=nothing")
    assert (refused.status, refused.message) == (400, "no request nothing is waiting")


def test_the_scenario_is_one_that_opens_again(client):
    client.post("inputs", NODE)
    as_json = client.get(PREFIX + "scenario")
    as_yaml = client.get(PREFIX + "scenario?format=yaml")
    mine, other = (parse_scenario(each.body.decode(), form) for each, form in ((as_json, "json"), (as_yaml, "yaml")))
    assert mine == other
    assert Workbench.from_scenario(mine).simulation.digest() == client.server.bench.simulation.digest()
    assert client.get(PREFIX + "scenario?format=xml").status == 400


def test_asking_changes_nothing(client):
    bench = client.server.bench
    client.post("step")
    before = bench.simulation.digest(), bench.simulation.instant, bench.status, bench.calls
    for action in ACTIONS:
        if action.method == "GET":
            assert client.get(PREFIX + action.name).status == 200
    assert (bench.simulation.digest(), bench.simulation.instant, bench.status, bench.calls) == before


def test_so_many_requests_that_wait_are_told_as_are_wanted(client):
    told = client.get(PREFIX + "state?waiting=2").document["waiting"]
    assert (told["count"], len(told["first"])) == (len(client.server.bench.simulation.waiting()), 2)
    assert told["first"][0]["reason"] is None
    assert client.get(PREFIX + "state?waiting=-1").status == 400


def test_what_comes_next_is_covered_while_a_prediction_of_it_is_asked_for_on_the_screen(client):
    client.post("inputs", {"add_ask": {"app": "system-high", "key": "late", "priority": 9999, "resources": {"vcore": 1}}})
    waiting = client.server.bench.simulation.waiting()
    client.server.bench.predict()
    told = client.state()
    assert (told["covered"], told["next"]) == (True, None)
    assert {each["reason"] for each in told["waiting"]["first"]} == {None}
    stand = [each["request"] for each in told["waiting"]["first"]]
    assert stand == [each.ask.key for each in sorted(waiting, key=lambda item: item.ask.seq)] != [each.ask.key for each in waiting]
    assert "Covered" in client.get(PREFIX + "why").document["sentences"][0]
    client.post("step")
    assert client.state()["next"]["request"] or client.state()["covered"]


def test_what_waits_is_found_out_once_as_long_as_nothing_happens(client, monkeypatch):
    asked, of_class = [], Simulation.waiting
    monkeypatch.setattr(Simulation, "waiting", lambda simulation: asked.append(simulation.position) or of_class(simulation))
    first, again = client.state(), client.state()
    assert (first == again, asked) == (True, [0])
    client.post("step")
    assert client.state()["waiting"]["count"] == first["waiting"]["count"] - 1
    assert asked == [0, 1]


def test_the_description_names_every_action_with_what_it_takes(client):
    described = client.get(PREFIX + "openapi.json").document
    told = {(method.upper(), path) for path, methods in described["paths"].items() for method in methods}
    assert told == {(action.method, PREFIX + action.name) for action in ACTIONS}
    assert described["paths"][PREFIX + "advance"]["post"]["requestBody"]["content"]["application/json"]["schema"]["required"]


# -- asked wrongly ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method, path, body, status, told",
    [
        ("POST", "nothing", None, 404, "there is nothing at"),
        ("GET", "step", None, 405, "is asked with POST"),
        ("POST", "state", None, 405, "is asked with GET"),
        ("POST", "step", b"[1]", 400, "the body must be an object, found a list"),
        ("POST", "step", b"{", 400, "not valid JSON"),
        ("POST", "step", b"[" * 100_000, 400, "not valid JSON"),
        ("POST", "step", b'{"n": 1}', 400, "it takes none"),
        ("POST", "back", b'{"n": "1"}', 400, "n must be of type integer, found"),
        ("POST", "back", b'{"n": true}', 400, "n must be of type integer"),
        ("POST", "back", b'{"n": -1}', 400, "back goes at least 1 step, not -1"),
        ("POST", "advance", None, 400, "advance needs the field seconds"),
        ("POST", "advance", b'{"seconds": -1}', 400, "time does not run backwards"),
        ("POST", "advance", b'{"seconds": 1e400}', 400, "a time is a number of seconds"),
        ("POST", "advance", b'{"seconds": NaN}', 400, "a time is a number of seconds"),
        ("POST", "goto", b'{"n": 100000}', 400, "there is no step 12: after step 11"),
        ("POST", "run", b'{"until": "nonsense"}', 400, "nonsense"),
        ("POST", "run", b'{"until": "steps", "max_steps": 1}', 400, "not both"),
        ("POST", "undo", None, 400, "there is no edit to undo"),
        ("POST", "inputs", b"", 400, "the text is empty"),
        ("POST", "inputs", b"\xff", 400, "not UTF-8 text"),
        ("GET", "why?step=one", None, 400, "step must be of type integer"),
        ("GET", "why?step=99", None, 400, "there is no recorded step 99"),
        ("GET", "why?nonsense=1", None, 400, "it takes request, application, step"),
    ],
)
def test_what_makes_no_sense_is_a_sentence_and_changes_nothing(client, method, path, body, status, told):
    refused = client.ask(method, PREFIX + path, body)
    assert (refused.status, told in refused.message) == (status, True), refused.message
    assert refused.document["description"] == refused.message and refused.document["status_code"] == status
    client.post("reset")
    assert client.server.bench.simulation.inputs == Workbench.example("multitenancy").simulation.inputs


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["n", "seconds", "max_steps", "until", "x"]), inner)
    ),
    max_leaves=6,
)


@given(name=st.sampled_from([each.name for each in ACTIONS if each.method == "POST"]), value=VALUES)
@examples(20)
def test_whatever_is_sent_is_answered_with_a_result_or_a_sentence(shared, name, value):
    reply = shared.ask("POST", PREFIX + name, json.dumps(value))
    assert reply.status == 200 or (400 <= reply.status < 500 and reply.message)
