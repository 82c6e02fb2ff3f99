"""`wb.serve()` in a real kernel: it answers between two cells, from the kernel's own loop, and the screen follows."""

from __future__ import annotations

import json
import urllib.request

import pytest
from jupyter_client.manager import start_new_kernel

from workbench.server.server import TOKEN_VARIABLE

SECONDS = 120


@pytest.fixture
def kernel(monkeypatch):
    monkeypatch.setenv(TOKEN_VARIABLE, "of-this-test")
    manager, client = start_new_kernel(kernel_name="python3")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(kernel, code: str) -> str:
    """What a cell prints. AssertionError with what it raised."""
    printed: list[str] = []

    def heard(message) -> None:
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])
        if message["msg_type"] == "execute_result":
            printed.append(message["content"]["data"]["text/plain"])

    reply = kernel.execute_interactive(code, output_hook=heard, timeout=SECONDS)
    assert reply["content"]["status"] == "ok", "\n".join(reply["content"]["traceback"])
    return "".join(printed)


def ask(address: str, method: str = "GET") -> dict:
    asked = urllib.request.Request(address, method=method, headers={"Authorization": "Bearer of-this-test"})
    with urllib.request.urlopen(asked, timeout=SECONDS) as answered:
        return json.loads(answered.read())


def test_the_screen_and_the_server_show_the_same_simulation(kernel):
    run(kernel, "import threading, workbench as wb\nbench = wb.Workbench.example('multitenancy')\nbench")
    shown = run(kernel, "server = wb.serve()\nserver")
    assert shown.startswith("Served at http://127.0.0.1:") and "stop() ends it" in shown
    address = run(kernel, "print(server.address)").strip()
    assert ask(address + "workbench/v1/step", "POST")["step"] == 1
    assert run(kernel, "print(bench.simulation.position, bench.screen.status.paragraphs)").startswith("1 ")
    assert "Step 1: P1" in run(kernel, "print(bench.screen.status.paragraphs)")
    run(kernel, "bench.step()")
    assert ask(address + "workbench/v1/state")["step"] == 2
    assert ask(address + "workbench/v1/run", "POST")["step"] > 5
    assert run(kernel, "print('workbench-server' in [each.name for each in threading.enumerate()])").strip() == "False"
    run(kernel, "server.stop()")
    with pytest.raises(OSError):
        ask(address)
