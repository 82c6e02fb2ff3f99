"""The command as a whole: help, versions, exit codes, and readers that go away."""

from __future__ import annotations

import subprocess
import sys

import pytest

import workbench
from workbench.cli import main
from workbench.cli.entry import SUBCOMMANDS

NAMES = (
    "lab",
    "run",
    "serve",
    "validate",
    "workload",
    "simulate",
    "compare",
    "sweep",
    "test",
    "rollout",
    "import",
    "export",
    "replay",
    "class",
    "answers",
    "record",
    "tables",
)


def test_the_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert all(f"\n    {name} " in text for name in NAMES)
    assert len(NAMES) == len(SUBCOMMANDS)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_a_help_of_its_own(name, capsys):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert len(capsys.readouterr().out.splitlines()) > 5


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"workbench {workbench.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["no-such-command"], ["run"], ["run", "multitenancy", "--steps", "many"], ["import"]])
def test_a_command_line_that_makes_no_sense_is_refused_with_the_usage(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: workbench")


def test_ctrl_c_ends_a_run_without_a_traceback(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("workbench.cli.run.run", interrupted)
    assert main(["run", "multitenancy"]) == 130
    assert capsys.readouterr().err == "\nworkbench: stopped\n"


def test_a_reader_that_goes_away_is_no_error_worth_a_traceback():
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", "run", "multitenancy"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 1
