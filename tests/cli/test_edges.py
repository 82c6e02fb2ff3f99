"""Whatever surrounds the command, it ends in a sentence and an exit code that scripts can use, never in a traceback."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import unicodedata
from pathlib import Path

import pytest
from cli.process import CONSOLE_SCRIPT, done, environment, started
from hypothesis import given
from hypothesis import strategies as st

from workbench.cli import main
from workbench.cli.output import one_line, printable
from workbench.simulation.scenario import example, scenario_to_json

LONG = "a" * 300
HOSTILE = "\x1b]0;owned\x07\x1b[31mred\x9b2J\u202egnirts\u2066\u200f\x08"
"""Retitles a terminal, colours and clears it, turns text round."""


def sentence(code: int, output: str, errors: str, expected: int = 2) -> str:
    """The one sentence that the command ended with."""
    assert (code, output) == (expected, ""), errors
    assert errors.startswith("workbench: ")
    assert errors.count("\n") == 1
    return errors.removeprefix("workbench: ")


def obeyed(text: str) -> set[str]:
    """The characters of an output that a terminal would obey instead of show, or that turn text round."""
    return {each for each in text if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")} - {*"\n\u2068\u2069"}


# -- Encodings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "ascii:strict", "cp1252", "cp037", "utf-16", "utf-7", "utf-8:strict", "idna"])
@pytest.mark.parametrize(
    "command", [("run", "two-tenants"), ("run", "two-tenants", "--to-end", "--progress")], ids=["lines", "bar"]
)
def test_every_encoding_of_the_output_will_do(encoding, command, tmp_path):
    with (tmp_path / "output").open("wb") as file:
        code, _, errors = done(*command, env=environment(PYTHONIOENCODING=encoding), stdout=file)
    assert code == 0
    assert "Traceback" not in errors
    name = "ascii" if encoding == "idna" else encoding.partition(":")[0]
    assert "18 steps until 2.046 s" in (tmp_path / "output").read_bytes().decode(name)


def test_signs_that_an_encoding_lacks_are_written_in_another_way():
    _, output, _ = done("run", "two-tenants", "--to-end", env=environment(PYTHONIOENCODING="ascii"))
    assert "leaf -> ... -> root child" in output


def test_a_file_name_that_is_no_text_is_shown_all_the_same(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.yaml"
    with open(path, "w") as file:
        file.write("partitions: [{name: default, queues: [{name: root}]}]")
    code, output, errors = done("validate", os.fsdecode(path))
    assert (code, errors) == (0, "")
    assert "\\udcff.yaml: valid: 1 partition" in output


# -- Outputs that are full, closed, or not read ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("run", "two-tenants"), ("run", "two-tenants", "--json"), ("--help",), ("run", "--help")])
def test_a_full_output_is_told(command):
    with open("/dev/full", "w") as full:
        told = sentence(*done(*command, stdout=full))
    assert told == "cannot write to the output: No space left on device\n"


@pytest.mark.parametrize("command", [("run", "two-tenants"), ("--help",), ("validate", "no-such-file")])
def test_a_closed_output_is_told(command):
    told = sentence(*done(*command, stdout=None, preexec_fn=lambda: os.close(1)))
    assert told == "cannot write to the output: it is closed\n"


def test_an_output_that_can_only_be_read_is_told():
    with open(os.devnull) as readable:
        assert sentence(*done("run", "two-tenants", stdout=readable)).startswith("cannot write to the output: ")


@pytest.mark.parametrize("closed", [(2,), (0, 2)])
def test_without_a_place_for_errors_the_output_holds_none_of_them(closed):
    def close() -> None:
        for number in closed:
            os.close(number)

    assert done("run", "no-such-scenario", stderr=None, stdin=None, preexec_fn=close) == (2, "", "")


def test_a_full_place_for_errors_changes_no_exit_code():
    with open("/dev/full", "w") as full:
        assert done("run", "no-such-scenario", stderr=full)[0] == 2


@pytest.mark.parametrize("command", [("run", "multitenancy"), ("run", "multitenancy", "--json"), ("--help",)])
def test_a_reader_that_goes_away_is_no_error_worth_a_word(command):
    process = started(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 1


# -- Arguments ------------------------------------------------------------------------------------------------------------

COMMANDS = (
    ("run", "{}"),
    ("run", "two-tenants", "--to-end", "--html", "nowhere/{}x"),
    ("run", "two-tenants", "--to-end", "--html", "{}/nowhere/page.html"),
    ("validate", "{}"),
    ("replay", "{}"),
    ("tables", "{}"),
    ("lab", "{}"),
    ("lab", "--no-browser", "--dir", "nowhere/{}"),
    ("import", "alibaba", "{}", "{}", "-o", "x.json"),
    ("import", "alibaba", "x", "x", "-o", "{}/x.json"),
    ("import", "alibaba", "x", "x", "-o", "x.json", "--config", "{}"),
    ("run", "two-tenants", "--release", "{}"),
    ("lab", "--port", "{}"),
    ("{}",),
)


@pytest.fixture
def loop(tmp_path):
    """A symbolic link to itself."""
    path = tmp_path / "loop"
    path.symlink_to(path)
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command))
@pytest.mark.parametrize("kind", ["long", "loop", "hostile", "empty", "newline", "under a file"])
def test_no_argument_ends_in_a_traceback(command, kind, loop, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    given = {"loop": str(loop), "long": LONG, "hostile": HOSTILE, "empty": "", "newline": "a\nb", "under a file": "file/x"}
    try:
        code = main([part.format(given[kind]) for part in command])
    except SystemExit as ended:
        code = ended.code
    told = capsys.readouterr()
    # No path at all is the present folder, in which nothing is to be replayed.
    assert code == (1 if (kind, command[0]) == ("empty", "replay") else 2)
    assert "Traceback" not in told.err
    assert not obeyed(told.out + told.err)
    # The usage, which stands before what argparse says, is of our own making.
    *usage, last = (told.out + told.err).splitlines()
    assert len(last) < 800
    assert not usage or usage[0].startswith("usage: ")
    assert {path.name for path in tmp_path.iterdir()} <= {"loop", "file"}


@pytest.fixture
def closed():
    """A folder that may not be read, for somebody else than root, who may read everything."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    (top / "closed").mkdir(mode=0)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield top / "closed"
    if root:
        os.seteuid(0)
    shutil.rmtree(top)


@pytest.mark.parametrize("command", ["run", "validate", "replay", "tables"])
def test_a_folder_that_may_not_be_read_is_told(command, closed, capsys):
    assert main([command, str(closed / "x.yaml" if command == "run" else closed)]) == 2
    told = capsys.readouterr()
    assert "".join(told).endswith(("Permission denied\n", "Is a directory\n"))
    assert len("".join(told).splitlines()) == 1


def test_a_page_without_the_plotting_library_is_refused_before_the_long_work(tmp_path):
    without = "import sys; sys.modules['plotly'] = None; " + CONSOLE_SCRIPT
    told = sentence(*done("run", "two-tenants", "--html", tmp_path / "page.html", python=("-c", without)))
    assert "pip install plotly" in told
    assert not (tmp_path / "page.html").exists()


def test_another_library_that_is_missing_is_told_with_what_adds_it(monkeypatch, capsys):
    def needing(*_, **__):
        raise ModuleNotFoundError("No module named 'networkx'", name="networkx")

    monkeypatch.setattr("workbench.cli.run.run", needing)
    assert sentence(main(["run", "multitenancy", "--json"]), *capsys.readouterr()) == (
        "this needs networkx, which is not installed here; 'pip install networkx' adds it\n"
    )


def test_a_fault_of_our_own_is_told_as_such_and_with_its_place_on_request(monkeypatch, capsys):
    def broken(*_, **__):
        raise KeyError("x\x1b[2J\ny")

    monkeypatch.setattr("workbench.cli.run.run", broken)
    assert sentence(main(["run", "multitenancy", "--json"]), *capsys.readouterr(), 70).startswith(
        "this is a fault of the workbench"
    )
    monkeypatch.setenv("WORKBENCH_TRACEBACK", "1")
    assert main(["run", "multitenancy", "--json"]) == 70
    assert "in broken" in capsys.readouterr().err


# -- Requests to end --------------------------------------------------------------------------------------------------------

AT_IMPORT = """
import signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
{program}
"""
AS_MODULE = "import runpy; runpy.run_module('workbench', run_name='__main__', alter_sys=True)"


@pytest.mark.parametrize("program", [AS_MODULE, CONSOLE_SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize(
    "name", ["workbench.cli.entry", "argparse", "yaml", "workbench.scheduler.engine", "workbench.explain.words", "plotly"]
)
def test_ctrl_c_during_the_imports_ends_without_a_traceback(name, program, tmp_path):
    code = AT_IMPORT.format(name=name, program=program)
    ended, output, errors = done("run", "two-tenants", "--to-end", "--html", tmp_path / "x", python=("-c", code))
    assert ended == 130
    assert "Traceback" not in errors
    assert "Error" not in errors


def test_nothing_is_imported_before_ctrl_c_is_looked_after():
    code = "import sys; before = {*sys.modules, '__future__'}; import workbench.cli; print(*sorted({*sys.modules} - before))"
    assert done(python=("-c", code))[1].split() == ["workbench", "workbench.cli"]


SWALLOWED = """
import signal, sys, weakref
class Thing: pass
import workbench.cli.entry as entry
def execute(*_):
    thing = Thing()
    reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing
    print("went on")
entry.main = execute
"""


def test_ctrl_c_where_python_would_swallow_it_ends_as_well():
    ended, output, errors = done("run", "two-tenants", python=("-c", SWALLOWED + CONSOLE_SCRIPT))
    assert (ended, output, errors) == (130, "", "")


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_run_that_is_asked_to_end_does_so_in_a_sentence(name, code, tmp_path):
    scenario = json.loads(scenario_to_json(example("two-tenants")))
    scenario["events"].append({"schedule": 10_000_000})
    (tmp_path / "long.json").write_text(json.dumps(scenario))
    process = started("run", tmp_path / "long.json", "--to-end", "--progress", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # Wherever it is then: in the interpreter itself, in an import, or at work.
    process.send_signal(getattr(signal, name))
    output, errors = process.communicate(timeout=60)
    assert process.returncode in (code, -getattr(signal, name))
    assert b"Traceback" not in errors


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_what_was_begun_is_cleared_away_when_the_command_is_asked_to_end(name, code, monkeypatch, capsys):
    cleared = []

    def run(*_, **__):
        try:
            signal.raise_signal(getattr(signal, name))
        finally:
            cleared.append(True)

    before = signal.getsignal(getattr(signal, name))
    signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        monkeypatch.setattr("workbench.cli.run.run", run)
        assert main(["run", "multitenancy", "--json"]) == code
        assert signal.getsignal(getattr(signal, name)) is signal.default_int_handler
    finally:
        signal.signal(getattr(signal, name), before)
    assert cleared
    assert capsys.readouterr().err == "\nworkbench: stopped\n"


# -- Names ----------------------------------------------------------------------------------------------------------------------


def hostile_config() -> str:
    quoted = json.dumps(HOSTILE)
    return (
        "partitions:\n  - name: default\n    queues:\n      - name: root\n        submitacl: '*'\n        queues:\n"
        f"          - name: a\n            properties: {{priority.offset: {quoted}, {quoted}: {quoted}}}\n"
        f"            limits: [{{limit: {quoted}, users: [{quoted}], maxapplications: 2}}]\n"
        f"          - name: {quoted}\n"
    )


@pytest.fixture
def hostile(tmp_path):
    """A folder whose files, and names of files, are out to steer a terminal; the path of one by the command that reads it."""
    places = {}
    for kind, text in (
        ("validate", hostile_config()),
        ("validate ok", hostile_config().rpartition("          - name")[0]),
        ("replay", json.dumps({"name": HOSTILE, "config": hostile_config().rpartition("          - name")[0],
                               "events": [{"add_app": {"id": HOSTILE, "queue": HOSTILE, "user": HOSTILE}}],
                               "expect": {"trace": [{"event": 0, "outcomes": [{HOSTILE: HOSTILE}]}], "final": {}}})),
        ("run", json.dumps({"name": HOSTILE, "description": HOSTILE,
                            "config": "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]",
                            "events": [
                                {"add_app": {"id": HOSTILE, "queue": f"root.{HOSTILE}", "user": HOSTILE}},
                                {"add_app": {"id": "b" + HOSTILE, "queue": "root.a", "user": HOSTILE}},
                                {"add_ask": {"app": "b" + HOSTILE, "key": HOSTILE, "resources": {HOSTILE: 1}}},
                                {"schedule": 1}]})),
        ("run bad", json.dumps({HOSTILE: 1})),
        ("run refused", json.dumps({"config": hostile_config(), "events": []})),
    ):  # fmt: skip
        place = tmp_path / f"{kind}{HOSTILE.replace('/', '')}.json"
        place.write_text(text, encoding="utf-8")
        places[kind] = place
    return places


@pytest.mark.parametrize("kind", ["validate", "validate ok", "replay", "run", "run bad", "run refused"])
@pytest.mark.parametrize("options", [(), ("--to-end", "--progress")], ids=["plainly", "with the bar"])
def test_no_name_reaches_the_terminal_as_it_is(hostile, kind, options, capsys):
    command = kind.split()[0]
    assert main([command, str(hostile[kind]), *(options if command == "run" else ())]) < 70
    told = capsys.readouterr()
    assert "\\x1b" in told.out + told.err
    assert not obeyed(told.out)
    assert not obeyed(told.err) - ({"\r"} if options else set())


def test_json_stays_exact(hostile, capsys):
    assert main(["run", str(hostile["run"]), "--json"]) == 0
    *steps, end = map(json.loads, capsys.readouterr().out.splitlines())
    assert steps == []
    assert end["waiting"][0]["request"] == HOSTILE


@given(st.text())
def test_printable_text_holds_nothing_to_obey_and_stays_as_long_as_there_is_nothing(text):
    shown = printable(text)
    assert not obeyed(shown.replace("\t", ""))
    assert shown.count("\u2068") == shown.count("\u2069")
    assert printable(shown) == shown
    assert "\n" not in one_line(text)


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs"))))
def test_what_is_printable_is_printed_as_it_is(text):
    assert printable(text) == one_line(text) == text


# -- Recordings that are none -----------------------------------------------------------------------------------------------------

ODD = [
    None,
    1,
    2.5,
    "text",
    [],
    {},
    [1],
    [[]],
    {"a": 1},
    [{"outcomes": 1}],
    [{"outcomes": [1]}],
    [{"event": {}}],
    [{"event": [1]}],
    True,
]


@pytest.mark.parametrize("key", ["", "trace", "snapshots", "final"])
@pytest.mark.parametrize("odd", ODD, ids=map(str, range(len(ODD))))
def test_an_expectation_of_another_form_is_told(key, odd, tmp_path, capsys):
    scenario = {"name": "x", "config": "partitions: [{queues: [{name: root}]}]", "events": [{"schedule": 1}]}
    expect = {"trace": [], "snapshots": [], "final": {}}
    scenario["expect"] = {**expect, key: odd} if key else odd
    (tmp_path / "x.json").write_text(json.dumps(scenario))
    assert main(["replay", str(tmp_path)]) in (1, 2)
    told = capsys.readouterr()
    assert "replayed 1 scenarios: 0 match" in told.out
    assert len(told.out.splitlines()) == 2


@pytest.mark.parametrize("odd", ["2024-01-01", "{1: 2}", "!!set {a}", "{a: {b: 2024-01-01 00:00:00}}", "[!!binary YWJj]"])
def test_an_expectation_that_json_cannot_hold_is_told(odd, tmp_path, capsys):
    (tmp_path / "x.yaml").write_text(
        "name: x\nconfig: 'partitions: [{queues: [{name: root}]}]'\nevents: [{schedule: 1}]\n"
        f"expect: {{trace: [{{event: 0, cycle: 1, t_ms: 0, outcomes: [{{x: {odd}}}]}}], final: {{queues: {odd}}}}}\n"
    )
    assert main(["replay", str(tmp_path / "x.yaml")]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err
