"""`workbench run` prints what the engine decided, in the order in which it did, and nothing that a name could turn."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from workbench.cli import main
from workbench.cli.progress import Progress
from workbench.cli.run import planned_cycles
from workbench.simulation.scenario import example, parse_scenario

HOSTILE = "<script>alert(1)</script>\x1b[31m<b>&amp;"

SCENARIO = """\
name: three
config: |
  partitions:
    - name: default
      queues:
        - name: root
          submitacl: "*"
          queues:
            - name: first
              properties: {priority.offset: "10"}
            - name: second
events:
  - add_node: {id: NODE, resources: {vcore: "2"}}
  - add_app: {id: slow, queue: root.second, user: sue}
  - add_app: {id: quick, queue: root.first, user: bob}
  - add_ask: {app: slow, key: s1, resources: {vcore: "1"}}
  - add_ask: {app: slow, key: s2, resources: {vcore: "1"}}
  - add_ask: {app: quick, key: q1, resources: {vcore: "1"}}
  - schedule: 4
"""


@pytest.fixture
def scenario(tmp_path):
    """Path of a scenario in which q1 goes before s1 and s2 finds no room."""
    path = tmp_path / "three.yaml"
    path.write_text(SCENARIO.replace("NODE", "node-1"))
    return path


def run(capsys, *arguments):
    """Printed lines of a run that ends well."""
    assert main(["run", *map(str, arguments)]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return output.out.splitlines()


def test_a_line_for_each_step_tells_who_went_where_and_which_queues_were_compared(scenario, capsys):
    head, first, second, *_ = run(capsys, scenario)
    assert head.split() == ["step", "time", "outcome", "request", "application", "queue", "node", "decided", "by"]
    assert first.split()[:8] == ["1", "0.007", "s", "allocated", "q1", "quick", "root.first", "node-1"]
    assert first.endswith("root: first (10) before second (0).")
    assert second.split()[4] == "s1"


def test_at_the_end_it_tells_what_waits_and_why(scenario, capsys):  # W-11
    *_, waits = run(capsys, scenario)
    assert "s2" in waits
    assert "Needs vcore 1" in waits


def test_it_stops_after_so_many_steps(scenario, capsys):
    lines = run(capsys, scenario, "--steps", "1")
    assert [line.split()[0] for line in lines[1:2]] == ["1"]
    assert lines[2:4] == ["", "1 step until 0.108 s of simulated time; 2 requests wait."]


@pytest.fixture
def refused(tmp_path):
    """Path of a scenario of which the scheduler takes neither the first application nor its request."""
    path = tmp_path / "refused.yaml"
    path.write_text(
        SCENARIO.replace("NODE", "node-1")
        .replace("  - add_app: {id: slow", "  - add_app: {id: lost, queue: root.nowhere, user: sue}\n  - add_app: {id: slow")
        .replace("  - schedule", "  - add_ask: {app: lost, key: l1, resources: {vcore: '1'}}\n  - schedule")
    )
    return path


def test_at_the_end_it_tells_how_many_inputs_were_rejected_and_why_the_first_was(refused, capsys):
    lines = run(capsys, refused, "--to-end")
    assert lines[1].startswith("2 inputs were rejected, the first (lost): ")
    assert lines[1].endswith("application rejected: no placement rule matched")
    assert not [line for line in run(capsys, "multitenancy", "--to-end") if "rejected" in line]


def test_json_tells_how_many_inputs_were_rejected_and_why_the_first_was(refused, scenario, capsys):
    told = json.loads(run(capsys, refused, "--json")[-1])["rejected"]
    assert (told["inputs"], told["first"]["kind"], told["first"]["name"]) == (2, "app rejected", "lost")
    assert told["first"]["reason"].endswith("application rejected: no placement rule matched")
    assert json.loads(run(capsys, scenario, "--json")[-1])["rejected"] == {"inputs": 0, "first": None}


def test_the_page_tells_how_many_inputs_were_rejected(refused, tmp_path, capsys):
    assert "2 inputs were rejected, the first (lost): " in page(tmp_path, capsys, refused)


def test_to_the_end_prints_no_line_for_a_step(scenario, capsys):
    assert run(capsys, scenario, "--to-end")[0] == "2 steps until 0.411 s of simulated time; 1 request waits."


def test_progress_goes_beside_the_output_and_only_when_asked_for(scenario, capsys):
    assert main(["run", str(scenario), "--to-end", "--progress"]) == 0
    assert capsys.readouterr().out.startswith("2 steps")


def test_json_gives_an_object_for_each_step_and_one_for_the_end(scenario, capsys):
    *steps, end = map(json.loads, run(capsys, scenario, "--json"))
    assert [(step["step"], step["request"], step["path"], step["node"]) for step in steps] == [
        (1, "q1", ["root", "root.first"], "node-1"),
        (2, "s1", ["root", "root.second"], "node-1"),
    ]
    queues = steps[0]["levels"][0]
    assert (queues["kind"], queues["of"], queues["taken"]) == ("queue", "root", 0)
    assert [(each["name"], each["key"]["priority"]) for each in queues["candidates"]] == [("first", 10), ("second", 0)]
    assert [(each["request"], each["code"]) for each in end["waiting"]] == [("s2", "W-11")]
    assert end["steps"] == 2


def test_every_example_runs_to_its_end_and_gives_the_same_twice(capsys):
    for name in ("multitenancy", "node-packing", "node-weights", "quota-headroom", "state-aware", "two-tenants"):
        assert run(capsys, name) == run(capsys, name)


def test_a_release_can_be_chosen(capsys):
    drivers = ["sales-driver", "stock-driver", "audit-driver"]
    assert [line.split()[4] for line in run(capsys, "state-aware", "--steps", "2")[1:3]] == ["sales-driver", "sales-executor-000"]
    assert [line.split()[4] for line in run(capsys, "state-aware", "--release", "1.8", "--steps", "3")[1:4]] == drivers
    with pytest.raises(SystemExit):
        main(["run", "state-aware", "--release", "1.5"])
    assert "choose from '1.9', '1.8', '1.4'" in capsys.readouterr().err


def test_the_documented_multitenancy_example_comes_out_as_documented(capsys):
    lines = run(capsys, "multitenancy")
    assert [line.split()[4] for line in lines[1:12]] == ["P1", "P10", "P2", "P8", "P6", "P5", "P4", "P9", "P8", "P7", "P3"]


def test_the_rules_of_an_older_release_can_be_chosen_by_its_version(capsys):
    assert run(capsys, "multitenancy", "--engine", "1.4") == run(capsys, "multitenancy", "--release", "1.4")  # its former name
    assert run(capsys, "multitenancy", "--release", "1.4")[-1] == "11 steps until 1.131 s of simulated time; nothing waits."
    with pytest.raises(SystemExit):
        main(["run", "multitenancy", "--release", "0.9"])
    assert "1.8" in capsys.readouterr().err


def test_names_cannot_steer_the_terminal(tmp_path, capsys):
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(hostile()))
    text = "\n".join(run(capsys, path))
    assert "\x1b" not in text
    assert "<script>" in text


# -- The page -----------------------------------------------------------------------------------------------------------


def hostile():
    """A scenario whose every free name is markup."""
    return {
        "name": HOSTILE,
        "description": HOSTILE,
        "config": "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*' # <i>\n    queues: [{name: a}]\n",
        "events": [
            {"add_node": {"id": HOSTILE, "resources": {"vcore": 1000}}},
            {"add_app": {"id": HOSTILE, "queue": "root.a", "user": HOSTILE}},
            {"add_ask": {"app": HOSTILE, "key": HOSTILE, "resources": {"vcore": 1000}}},
            {"add_ask": {"app": HOSTILE, "key": f"{HOSTILE}2", "resources": {"vcore": 1000, HOSTILE: 1}}},
            {"schedule": 2},
        ],
    }


def page(tmp_path, capsys, source):
    path = tmp_path / "page.html"
    run(capsys, source, "--to-end", "--html", path)
    return path.read_text(encoding="utf-8")


def test_the_page_holds_steps_waiting_requests_and_configuration(scenario, tmp_path, capsys):
    text = page(tmp_path, capsys, scenario)
    assert "<td" in text
    assert "root: first (10) before second (0)." in text
    assert "2 steps until 0.411 s of simulated time; 1 request waits." in text
    assert "priority.offset: &quot;10&quot;" in text


def test_the_page_needs_nothing_but_itself(scenario, tmp_path, capsys):
    text = page(tmp_path, capsys, scenario)
    assert "default-src &#x27;none&#x27;" in text
    assert text.count("plotly.js v") == 1
    for loads in ("<script src", "<link", "<img", "<iframe", "@import", "url(http"):
        assert loads not in text.partition("plotly.js v")[0]


def test_names_are_text_on_the_page_and_never_markup(tmp_path, capsys):
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(hostile()))
    text = page(tmp_path, capsys, path)
    assert "<script>alert" not in text
    assert "<b>&amp;" not in text
    assert "# <i>" not in text
    assert "\x1b" not in text


def test_the_same_run_makes_the_same_page(scenario, tmp_path, capsys):
    assert page(tmp_path, capsys, scenario) == page(tmp_path, capsys, scenario)


def test_a_page_that_cannot_be_written_is_told_before_the_long_work(scenario, tmp_path, capsys):
    for place in (tmp_path, tmp_path / "nowhere" / "page.html"):
        assert main(["run", str(scenario), "--html", str(place)]) == 2
        output = capsys.readouterr()
        assert output.err.startswith("workbench: cannot write ")
        assert output.out == ""


# -- What cannot be run --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[",
        b"- 1",
        b"config: 1",
        b"\xff\xff\xff",
        b"name: only",
        b"partitions: [{queues: [{name: root}]}]",
        b"config: 'partitions: 1'\nevents: []",
        b"config: 'partitions: []'\nevents: [{add_nod: {id: n}}]",
    ],
    ids=[
        "nothing",
        "half a list",
        "a list",
        "no configuration",
        "no text",
        "only a name",
        "a queues.yaml",
        "a refused configuration",
        "an unknown event",
    ],
)
def test_a_broken_scenario_ends_with_one_line(tmp_path, capsys, data):
    path = tmp_path / "broken.yaml"
    path.write_bytes(data)
    assert main(["run", str(path)]) == 2
    output = capsys.readouterr()
    assert output.err.startswith("workbench: ")
    assert len(output.err.splitlines()) == 1
    assert output.out == ""


def test_a_name_that_is_neither_a_file_nor_an_example_is_told_with_the_examples(capsys):
    assert main(["run", "no-such-scenario"]) == 2
    assert "the examples are multitenancy, " in capsys.readouterr().err


# -- Progress -----------------------------------------------------------------------------------------------------------


def test_the_bar_is_drawn_over_itself_and_cleared():
    stream = io.StringIO()
    with Progress(stream, shown=True) as progress:
        progress.show(0.5, "step 50")
        progress.show(2.0, "step 100")
    half, full, cleared = stream.getvalue().split("\r")[1:4]
    assert half == f"[{'#' * 15}{'.' * 15}]  50%  step 50"
    assert full == f"[{'#' * 30}] 100%  step 100"
    assert cleared.strip() == ""


def test_the_bar_is_nothing_where_it_is_not_shown():
    stream = io.StringIO()
    with Progress(stream, shown=False) as progress:
        progress.show(0.5, "step 50")
    assert stream.getvalue() == ""


def test_the_length_of_a_run_is_counted_in_its_cycles_or_else_its_requests():
    assert planned_cycles(example("quota-headroom")) == 10
    assert planned_cycles(parse_scenario(SCENARIO.replace("  - schedule: 4\n", ""))) == 3
    assert planned_cycles(parse_scenario("config: 'partitions: []'\nevents: []")) == 1


def test_two_releases_can_be_compared(capsys):
    """What an upgrade would change: the first decision with both reasons, and what is taken otherwise. R-901, R-930."""
    assert run(capsys, "multitenancy", "--against", "1.9") == ["Release 1.9 decides as release 1.8 does, in all of 11 steps."]
    recorded = Path(__file__).parents[1] / "conformance" / "release-1.9" / "scenarios-1.8"
    lines = run(capsys, str(recorded / "release19-fence-parent-max.json.gz"), "--engine", "1.8", "--against", "1.9")
    assert lines[0].startswith("Release 1.9 first decides otherwise than 1.8 at ")
    assert [line.split(":")[0] for line in lines if line.startswith("Release 1.8")] != []
    lines = run(capsys, str(recorded / "release19-q-key-preemption-quota-delay.json.gz"), "--against", "1.9")
    assert any(line.startswith("Only in release 1.9: ") and "L-13" in line for line in lines)
