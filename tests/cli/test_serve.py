"""`workbench serve` as a process: it says where it is, answers, and ends when it is asked to."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import urllib.request

import pytest
from cli.process import started

from workbench.cli import main

DESIGN = "partitions:\n  - name: default\n    queues:\n      - name: root\n        submitacl: '*'\n        queues: [{name: a}]\n"


@pytest.fixture
def serving():
    """Starts the command; the process and the address that it printed."""
    running = []

    def serve(*arguments, **given):
        process = started("serve", "--port", "0", *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **given)
        running.append(process)
        for line in process.stdout:
            if line.startswith("Address"):
                return process, line.split()[1]
        raise AssertionError(process.stderr.read())

    yield serve
    for process in running:
        process.kill()
        process.communicate()


def ended(process, number: int) -> tuple[int, str]:
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    return process.returncode, errors


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_at_the_address_that_it_prints_and_ends_in_order(serving, number):
    process, url = serving("two-tenants")
    base, _, token = url.partition("?token=")
    asked = urllib.request.Request(base + "ws/v1/clusters", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(asked, timeout=60) as answered:
        assert json.loads(answered.read())[0]["partition"] == "default"
    follows = urllib.request.Request(base + "ws/v1/events/stream", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(follows, timeout=60) as following:
        assert b"InstanceUUID" in following.readline()
        assert ended(process, number) == (0, "")
        assert following.read() == b""


def test_a_design_sent_to_it_is_in_its_file_and_the_release_is_the_one_asked_for(serving, tmp_path):
    file = tmp_path / "queues.yaml"
    file.write_text(DESIGN)
    _, url = serving(file, "--release", "1.9", "--no-token")
    assert "token" not in url
    sent = DESIGN.replace("name: a", "name: b")
    asked = urllib.request.Request(url + "workbench/v1/config", data=sent.encode(), method="PUT")
    with urllib.request.urlopen(asked, timeout=60) as answered:
        assert json.loads(answered.read())["written"] == "queues.yaml"
    assert file.read_text() == sent
    with urllib.request.urlopen(url + "workbench/v1/state", timeout=60) as answered:
        assert json.loads(answered.read())["release"] == "1.9"


def test_a_port_that_is_taken_is_a_sentence_that_says_what_to_do(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "two-tenants", "--port", str(taken.getsockname()[1])]) == 2
    assert "is taken by another program" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, told",
    [
        (("nothing-there",), "There is no design nothing-there"),
        (("two-tenants", "--ui", "."), "holds no index.html"),
        (("two-tenants", "--host", "0.0.0.0", "--no-token"), "leave --no-token out"),
    ],
)
def test_what_cannot_be_served_is_a_sentence(arguments, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["serve", "--port", "0", *arguments]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("port", ["many", "-1", "65536"])
def test_a_port_is_a_number_that_a_port_can_have(port, capsys):
    with pytest.raises(SystemExit):
        main(["serve", f"--port={port}"])
    assert "is no port" in capsys.readouterr().err
