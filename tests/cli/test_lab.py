"""`workbench lab` serves on this machine only, behind a token, and opens the start page or a design."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from cli.process import environment, started

from workbench.cli import lab, main
from workbench.lab.folder import NOTEBOOK, START_PAGE, provide_notebook
from workbench.lab.server import LabOptions, LabServer, arguments


def options(**given):
    return LabOptions(**{"directory": Path("somewhere"), "variables": {}} | given)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answer(url: str) -> tuple[int, str]:
    """Status and final address of a request."""
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            return response.status, response.url
    except urllib.error.HTTPError as error:
        return error.code, error.url


def test_it_listens_on_this_machine_only_unless_told_otherwise():
    assert "--ServerApp.ip=127.0.0.1" in arguments(options())
    assert "--ServerApp.ip=10.0.0.1" in arguments(options(ip="10.0.0.1"))


def test_a_port_that_was_asked_for_is_used_or_refused_but_never_changed():
    assert not [argument for argument in arguments(options()) if "port" in argument]
    assert {"--ServerApp.port=9999", "--ServerApp.port_retries=0"} <= set(arguments(options(port=9999)))


def test_options_for_jupyterlab_come_last_so_that_they_win():
    assert arguments(options(more=("--LabApp.collaborative=True",)))[-1] == "--LabApp.collaborative=True"


def test_a_design_is_passed_on_by_a_path_that_holds_in_every_folder(tmp_path, monkeypatch):
    (tmp_path / "queues.yaml").write_text("partitions: [{queues: [{name: root}]}]")
    monkeypatch.chdir(tmp_path)
    assert lab.chosen("queues.yaml") == str(tmp_path / "queues.yaml")
    assert lab.chosen("multitenancy") == "multitenancy"


@pytest.mark.parametrize("design", ["no-such-design", ".", "", "a\nb"])
def test_a_design_that_cannot_be_read_is_told_before_anything_starts(tmp_path, monkeypatch, capsys, design):
    monkeypatch.chdir(tmp_path)
    assert main(["lab", design]) == 2
    assert capsys.readouterr().err.startswith("workbench: ")
    assert list(tmp_path.iterdir()) == []


class Typed(io.StringIO):
    """What a person types at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch):
    """A terminal at which somebody answers; no server is started."""

    def answering(text: str) -> Typed:
        screen = Typed()
        monkeypatch.setattr(sys, "stdin", Typed(text))
        monkeypatch.setattr(sys, "stdout", screen)
        return screen

    class NoServer:
        def __init__(self, options):
            self.options = options

        def __enter__(self):
            raise KeyboardInterrupt

        def __exit__(self, *_):
            raise AssertionError("was never entered")

    monkeypatch.setattr(lab, "LabServer", NoServer)
    return answering


@pytest.mark.parametrize("answer", ["y\n", "YES\n"])
def test_a_folder_that_is_not_there_is_made_when_somebody_says_so(tmp_path, terminal, answer):
    screen = terminal(answer)
    assert main(["lab", "multitenancy", "--dir", str(tmp_path / "new" / "one")]) == 0
    assert screen.getvalue() == f"The folder {tmp_path / 'new' / 'one'} is not there. Make it? [y/N] "
    assert [path.name for path in (tmp_path / "new" / "one").iterdir()] == [NOTEBOOK]


@pytest.mark.parametrize("answer", ["\n", "n\n", "", "yesterday\n"])
def test_a_folder_that_is_not_there_is_not_made_without_a_yes(tmp_path, terminal, capsys, answer):
    terminal(answer)
    assert main(["lab", "multitenancy", "--dir", str(tmp_path / "new")]) == 2
    assert list(tmp_path.iterdir()) == []


def test_where_nobody_can_be_asked_a_folder_is_made_only_on_request(tmp_path, terminal, monkeypatch, capsys):
    terminal("y\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert main(["lab", "multitenancy", "--dir", str(tmp_path / "new")]) == 2
    assert (
        capsys.readouterr().err == f"workbench: the folder {tmp_path / 'new'} is not there; make it, or have it made with --yes\n"
    )
    assert list(tmp_path.iterdir()) == []
    assert main(["lab", "multitenancy", "--dir", str(tmp_path / "new"), "--yes"]) == 0
    assert (tmp_path / "new" / NOTEBOOK).exists()


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http"])
def test_a_port_that_is_none_is_refused(capsys, port):
    with pytest.raises(SystemExit):
        main(["lab", f"--port={port}"])
    assert "a port is a number from 1 to 65535" in capsys.readouterr().err


def test_the_running_server_asks_for_its_token_and_stops_without_a_trace(tmp_path, monkeypatch):
    monkeypatch.delenv("JUPYTER_TOKEN", raising=False)
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "own"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    folder = tmp_path / "work"
    provide_notebook(folder)
    # A port of its own: another server of this machine must not answer in the place of the one that was stopped.
    with LabServer(options(directory=folder, open_browser=False, port=free_port())) as server:
        address = urllib.parse.urlsplit(server.url)
        token = urllib.parse.parse_qs(address.query)["token"][0]
        assert address.hostname == "127.0.0.1"
        assert len(token) >= 32
        contents = f"http://{address.netloc}/api/contents/{NOTEBOOK}"
        assert answer(contents)[0] == 403
        assert answer(f"{contents}?token=wrong")[0] == 403
        assert answer(f"{contents}?token={token}")[0] == 200
        assert answer(server.url) == (200, server.url)
    with pytest.raises(urllib.error.URLError):
        answer(server.url)
    assert not list(tmp_path.glob("workbench-lab-*"))
    assert not (tmp_path / "own").exists()


@pytest.mark.parametrize(("design", "page", "name"), [((), START_PAGE, "SIGINT"), (("multitenancy",), NOTEBOOK, "SIGTERM")])
def test_the_command_tells_what_it_opens_and_ends_well_when_it_is_stopped(tmp_path, design, page, name):
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", "lab", *design, "--no-browser", "--dir", str(tmp_path / "work"), "--yes"],
        env=os.environ | {"JUPYTER_CONFIG_DIR": str(tmp_path / "own"), "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        # A shell that started the tests in the background may have them, and all they start, ignore the interrupt.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    told = list(itertools.takewhile(lambda line: not line.startswith("Ctrl-C"), process.stdout))
    process.send_signal(getattr(signal, name))
    assert process.wait(60) == 0
    assert told[-2].split() == ["Page", str(tmp_path / "work" / page)]
    assert re.match(rf"Address   http://127\.0\.0\.1:\d+/doc/tree/{page}\?token=\w+$", told[-1])
    # What was put there is told, unless it is the one notebook.
    assert [line.split()[0] for line in told[:-2]] == ([] if design else ["Copied"])
    assert not list(tmp_path.glob("workbench-lab-*"))


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_the_server_and_its_kernels_end_with_the_command_however_it_ends(tmp_path, name):
    token = "for-the-test"
    process = started(
        "lab", "multitenancy", "--no-browser", "--port", free_port(), "--dir", tmp_path,
        env=environment(JUPYTER_TOKEN=token, JUPYTER_DATA_DIR=str(tmp_path / "data"), IPYTHONDIR=str(tmp_path / "ipython")),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    address = next(line for line in process.stdout if line.startswith("Address")).split()[1]
    kernels = urllib.request.Request(
        f"{urllib.parse.urljoin(address, '/api/kernels')}?token={token}",
        data=json.dumps({"name": "python3"}).encode(),
        method="POST",
    )
    with urllib.request.urlopen(kernels, timeout=60) as response:
        assert response.status == 201
    process.send_signal(getattr(signal, name))
    # All of them write to one pipe, which ends when the last of them has ended.
    process.communicate(timeout=60)
    assert process.returncode == (-signal.SIGKILL if name == "SIGKILL" else 0)
    with pytest.raises(urllib.error.URLError):
        answer(address)


def test_a_design_behind_a_link_to_itself_is_told(tmp_path, capsys):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert main(["lab", str(tmp_path / "loop")]) == 2
    assert main(["lab", "--dir", str(tmp_path / "loop")]) == 2
    assert "Traceback" not in capsys.readouterr().err
