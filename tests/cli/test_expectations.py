"""`workbench test` and `workbench lab --failing`: lines, exit codes, files, and the moment at which something failed. EX-2, EX-3"""

from __future__ import annotations

import signal
import subprocess
from xml.etree import ElementTree as xml

import pytest
from cli.process import started
from expected import BY_CHANCE, UNFENCED, put

import workbench as wb
from workbench.bench.workbench import DESIGN_VARIABLE, STEP_VARIABLE
from workbench.cli import lab, main
from workbench.lab.folder import NOTEBOOK

FILE = """\
design: queues.yaml
workload: monday.yaml
expect:
  - {name: quick, measure: wait.p95, of: root.system, at_most: 40s}
  - {name: fence, never: {placed: root.tenants.b, while_waiting: root.system}}
  - {name: advice, no_findings: [L-10]}
"""
BROKEN = {"queues.yaml": UNFENCED}


def run(capsys, *arguments):
    """Exit code, output, errors."""
    code = main(["test", *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_all_passed_is_0_with_a_line_for_each(tmp_path, capsys):
    code, output, errors = run(capsys, put(tmp_path, FILE))
    assert (code, errors) == (0, "")  # no bar in a pipe
    assert [line.split(":")[0] for line in output.splitlines()] == [
        "passed      quick",
        "passed      fence",
        "passed      advice",
        "queues.expect.yaml",
    ]


def test_one_failed_is_1_and_says_who_and_why(tmp_path, capsys):
    code, output, _ = run(capsys, put(tmp_path, FILE, **BROKEN))
    assert code == 1
    assert "failed      quick: wait that 95 of 100 do not exceed, root.system: 1 minute 34 seconds" in output
    assert "    backup in root.system waited 1 min 34 s from 6 s on: no node with room (1 min 34 s)." in output
    assert output.endswith("queues.expect.yaml: 1 passed, 2 failed\n")


def test_what_cannot_fail_is_2(tmp_path, capsys):
    code, output, _ = run(capsys, put(tmp_path, FILE.replace("of: root.system", "of: root.nobody")))
    assert code == 2
    assert "error       quick: there is no queue 'root.nobody' in this run" in output


def test_a_file_that_cannot_be_read_is_2_and_the_others_are_judged_all_the_same(tmp_path, capsys):
    good = put(tmp_path, FILE)
    bad = tmp_path / "bad.expect.yaml"
    bad.write_text(FILE.replace("at_most", "at_mots"))
    code, output, errors = run(capsys, bad, tmp_path / "none.expect.yaml", good)
    assert code == 2
    assert f"workbench: {bad}:line 4: expect[0]: unknown key 'at_mots'" in errors
    assert "none.expect.yaml: cannot be read" in errors
    assert "queues.expect.yaml: 3 passed" in output


def test_a_folder_is_searched(tmp_path, capsys):
    (tmp_path / "below").mkdir()
    put(tmp_path / "below", FILE)
    assert run(capsys, tmp_path)[0] == 0
    (tmp_path / "empty").mkdir()
    code, _, errors = run(capsys, tmp_path / "empty")
    assert code == 2 and "there is no file *.expect.yaml or *.expect.yml in" in errors


def test_only_some_are_judged(tmp_path, capsys):
    path = put(tmp_path, FILE, **BROKEN)
    code, output, _ = run(capsys, path, "--only", "advice")
    assert (code, output.count("\n")) == (0, 2)
    code, _, errors = run(capsys, path, "--only", "advise")
    assert code == 2 and "there is no expectation advise; did you mean advice?" in errors


def test_list_names_them_and_plays_nothing(tmp_path, capsys):
    code, output, _ = run(capsys, put(tmp_path, FILE, **{"monday.yaml": "no workload"}), "--list")
    assert code == 0
    assert output == "".join(
        f"queues.expect.yaml: {each}\n" for each in ("quick (measure)", "fence (never)", "advice (no_findings)")
    )


def test_it_writes_junit_and_a_page_of_all_files(tmp_path, capsys):
    put(tmp_path, FILE, **BROKEN)
    other = tmp_path / "other.expect.yaml"
    other.write_text(FILE)
    code, _, _ = run(capsys, tmp_path, "--junit", tmp_path / "found.xml", "--html", tmp_path / "found.html")
    assert code == 1
    root = xml.parse(tmp_path / "found.xml").getroot()
    assert (root.get("tests"), root.get("failures")) == ("6", "4")
    assert [suite.get("name") for suite in root] == ["other.expect.yaml", "queues.expect.yaml"]
    page = (tmp_path / "found.html").read_text("utf-8")
    assert "✗ failed: quick" in page and "other.expect.yaml" in page


def test_a_slip_in_the_name_of_an_output_shows_before_the_work(tmp_path, capsys):
    code, output, errors = run(capsys, put(tmp_path, FILE), "--junit", tmp_path / "no" / "found.xml")
    assert (code, output) == (2, "")
    assert "there is no such folder" in errors


def test_ctrl_c_leaves_what_was_judged(tmp_path):
    path = put(
        tmp_path,
        "design: queues.yaml\nworkloads: {monday: monday.yaml, long: {file: long.yaml, seeds: 200}}\nexpect:\n"
        "  - {name: quick, measure: wait.p95, of: root.system, at_most: 40s, workload: monday}\n"
        "  - {name: long, measure: wait.p95, of: root.tenants.b, at_most: 1000d, workload: long}\n",
        **{"long.yaml": f"workload: {BY_CHANCE}"},
    )  # fmt: skip
    process = started("test", path, "--progress", "--junit", tmp_path / "found.xml", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stderr is not None
    seen = b""
    while b"long, seed 2" not in seen:
        piece = process.stderr.read1(4096)
        assert piece, seen
        seen += piece
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert output.startswith(b"passed      quick")
    assert b"1 passed, 1 not judged" in output
    root = xml.parse(tmp_path / "found.xml").getroot()
    assert (root.get("tests"), root.get("skipped")) == ("2", "1")


# ---- workbench lab FILE --failing NAME --------------------------------------------------------------------------------


@pytest.fixture
def served(monkeypatch):
    """What JupyterLab would have been started with; it is not."""
    options = []

    class NoServer:
        def __init__(self, given):
            options.append(given)

        def __enter__(self):
            raise KeyboardInterrupt

        def __exit__(self, *_):
            raise AssertionError("was never entered")

    monkeypatch.setattr(lab, "LabServer", NoServer)
    return options


def opened(options, monkeypatch):
    """The workbench that the notebook opens."""
    for name, value in options.variables.items():
        monkeypatch.setenv(name, value)
    return wb.Workbench.open()


def test_the_screen_opens_before_the_step_that_breaks_the_rule(tmp_path, capsys, monkeypatch, served):  # EX-3
    path = put(tmp_path, FILE, **BROKEN)
    assert main(["lab", str(path), "--failing", "fence", "--dir", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("failed      fence: never: a request of root.tenants.b is placed")
    assert served[0].page == NOTEBOOK
    assert set(served[0].variables) == {DESIGN_VARIABLE, STEP_VARIABLE}
    bench = opened(served[0], monkeypatch)
    following = bench.simulation.preview()
    assert following.path[-1] == "root.tenants.b"
    assert "backup:0" in [each.ask.key for each in bench.simulation.waiting()]
    assert "was placed while backup of root.system had waited since 6 s" in bench.status.text


def test_the_screen_opens_when_a_wait_broke_its_bound(tmp_path, monkeypatch, served):
    path = put(tmp_path, FILE, **BROKEN)
    assert main(["lab", str(path), "--failing", "quick", "--dir", str(tmp_path)]) == 0
    assert (tmp_path / "failing-quick.yaml").is_file()
    assert opened(served[0], monkeypatch).simulation.now_ns == (6 + 40) * 10**9


def test_without_a_name_the_only_one_that_fails_is_opened(tmp_path, served):
    only = FILE.replace("  - {name: fence, never: {placed: root.tenants.b, while_waiting: root.system}}\n", "")
    assert main(["lab", str(put(tmp_path, only, **BROKEN)), "--failing", "--dir", str(tmp_path)]) == 0
    assert served[0].variables[DESIGN_VARIABLE] == str(tmp_path / "failing-quick.yaml")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--failing", "fense"], "there is no expectation fense; did you mean fence?"),
        (["--failing", "advice"], "advice has not failed, it is: passed"),
        (["--failing"], "2 expectations failed: quick and fence; name one"),
        ([], "this is a file of expectations; name one that fails with --failing NAME"),
    ],
)
def test_what_cannot_be_opened_is_told_before_anything_starts(tmp_path, capsys, served, arguments, says):
    path = put(tmp_path, FILE, **BROKEN)
    there = sorted(tmp_path.iterdir())
    assert main(["lab", str(path), *arguments, "--dir", str(tmp_path)]) == 2
    assert says in capsys.readouterr().err
    assert served == [] and sorted(tmp_path.iterdir()) == there


def test_failing_needs_a_file(capsys, served):
    assert main(["lab", "--failing", "quick"]) == 2
    assert "--failing needs a file of expectations" in capsys.readouterr().err


def test_a_file_of_somebody_elses_is_kept(tmp_path, served):
    (tmp_path / "failing-quick.yaml").write_text("mine")
    path = put(tmp_path, FILE, **BROKEN)
    for _ in range(2):
        assert main(["lab", str(path), "--failing", "quick", "--dir", str(tmp_path)]) == 0
    assert (tmp_path / "failing-quick.yaml").read_text() == "mine"
    assert [options.variables[DESIGN_VARIABLE] for options in served] == [str(tmp_path / "failing-quick-2.yaml")] * 2
