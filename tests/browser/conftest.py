"""A JupyterLab of our own and a browser that watches for errors and for requests that leave the machine.

Where chromium or playwright is missing the tests are skipped, except in CI (environment variable CI), where a missing
browser is a failure: a suite that silently stops looking is worse than none.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
READY = """() => { const s = window.jupyterapp?.shell?.currentWidget?.sessionContext;
  return s && s.isReady && s.session?.kernel?.connectionStatus === 'connected'
           && s.session.kernel.status === 'idle'; }"""
RUN_ALL = """() => { window.__done = null;
  window.jupyterapp.commands.execute('notebook:run-all-cells')
    .then(() => window.__done = 'ok', e => window.__done = String(e)); }"""
LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:", "about:")
"""Beginnings of the addresses that stay on this machine."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def needs_browser() -> None:
    """Skip without a browser, fail in CI."""
    missing = [
        name
        for name, found in (
            ("playwright", importlib.util.find_spec("playwright")),
            (CHROMIUM, Path(CHROMIUM).exists()),
            ("jupyterlab", importlib.util.find_spec("jupyterlab")),
        )
        if not found
    ]
    if missing:
        tell = pytest.fail if os.environ.get("CI") else pytest.skip
        tell(f"the browser tests need {', '.join(missing)}")


@dataclass
class Lab:
    """A running JupyterLab over an own folder; nothing of the developer's settings counts."""

    address: str
    folder: Path

    def sessions(self) -> list[dict[str, Any]]:
        with urllib.request.urlopen(f"{self.address}/api/sessions") as answer:
            return json.load(answer)

    def shut_down_sessions(self) -> None:
        for session in self.sessions():
            request = urllib.request.Request(f"{self.address}/api/sessions/{session['id']}", method="DELETE")
            urllib.request.urlopen(request).close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def lab(needs_browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """`workbench lab` without a browser of its own, on a free port."""
    home = tmp_path_factory.mktemp("lab")
    folder = home / "notebooks"
    folder.mkdir()
    port = free_port()
    environment = dict(os.environ)
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        environment[name] = str(home / name.lower())
    log = (home / "server.log").open("wb")
    server = subprocess.Popen(
        [sys.executable, "-m", "workbench", "lab", "multitenancy", "--no-browser", "--port", str(port)],
        cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT,
    )  # fmt: skip
    running = Lab(f"http://127.0.0.1:{port}", folder)
    try:
        _wait_until_up(running, server, home / "server.log")
        yield running
        running.shut_down_sessions()
    finally:
        server.terminate()
        try:
            server.wait(timeout=15)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        log.close()
        shutil.rmtree(home, ignore_errors=True)


def _wait_until_up(lab: Lab, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            lab.sessions()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text(errors='replace')[-4000:]}")
