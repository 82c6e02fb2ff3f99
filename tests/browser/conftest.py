"""A JupyterLab of our own and a browser that watches for errors and for requests that leave the machine.

Where chromium or playwright is missing the tests are skipped, except in CI (environment variable CI), where a missing
browser is a failure: a suite that silently stops looking is worse than none.
"""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
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
EXECUTE = """(code) => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
  .requestExecute({code}).done.then((reply) => reply.content)"""
COLUMN = """([table, head]) => {
  const found = [...document.querySelectorAll('.wb-screen table')].find(
    (each) => each.querySelector('caption').textContent === table);
  if (!found) return [];
  const at = [...found.querySelectorAll('thead th')].findIndex((cell) => cell.textContent.trim() === head);
  return at < 0 ? [] : [...found.querySelectorAll('tbody tr')].map((row) => row.children[at].textContent);
}"""
FOCUSED = """([selector, text]) => {
  const node = document.activeElement;
  return Boolean(node?.matches(selector)) && (!text || node.textContent.trim() === text);
}"""
ROOT = Path(__file__).resolve().parents[2]
SLOW_MS = 60_000
SIZE = {"width": 1400, "height": 900}
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


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab over an own folder; nothing of the developer's settings counts."""

    address: str
    token: str
    folder: Path

    def call(self, path: str, method: str = "GET") -> Any:
        """The answer of the server's own interface, as data."""
        request = urllib.request.Request(
            f"{self.address}/api/{path}", method=method, headers={"Authorization": f"token {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def copy(self, name: str) -> str:
        """The main notebook under another name, so that tests do not meet in one file."""
        (self.folder / name).write_bytes((ROOT / "workbench" / "lab" / "workbench.ipynb").read_bytes())
        return name

    def restart_kernel(self, notebook: str) -> None:
        """Kill the kernel of a notebook and start another, as after a crash."""
        for session in self.call("sessions"):
            if session["path"] == notebook:
                self.call(f"kernels/{session['kernel']['id']}/restart", "POST")

    def shut_down(self, notebook: str) -> None:
        """End the kernel of a notebook; it stays alive after the page is closed."""
        for session in self.call("sessions"):
            if session["path"] == notebook:
                self.call(f"sessions/{session['id']}", "DELETE")


@pytest.fixture(scope="session")
def lab(needs_browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with running_lab(tmp_path_factory.mktemp("lab"), "multitenancy") as running:
        yield running


@contextmanager
def running_lab(home: Path, *design: str) -> Iterator[Lab]:
    """`workbench lab` as people start it, but without opening a browser, and with JupyterLab's own object for the tests."""
    folder = home / "work"
    folder.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = Lab(f"http://127.0.0.1:{port}", "for-the-tests", folder)
    environment = os.environ | {
        "JUPYTER_TOKEN": running.token, "JUPYTER_DATA_DIR": str(home / "data"), "IPYTHONDIR": str(home / "ipython"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"), "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        # The package under test, also where it is not installed.
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", "")))),
    }  # fmt: skip
    command = [sys.executable, "-m", "workbench", "lab", *design, "--no-browser", "--port", str(port)]
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [*command, "--jupyter=--expose-app-in-browser"],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_up(running, server, home / "server.log")
            yield running
        finally:
            server.terminate()
            try:
                server.wait(timeout=20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait_until_up(lab: Lab, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 120
    while server.poll() is None and time.monotonic() < deadline:
        try:
            lab.call("sessions")
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text(errors='replace')[-4000:]}")


@pytest.fixture(scope="module")
def chromium(needs_browser: None) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


class Notebook:
    """A notebook page. What it must never see, errors and requests to other machines, is collected."""

    def __init__(self, lab: Lab, page: Any):
        self.lab, self.page, self.name = lab, page, ""
        self.outside: list[str] = []
        self.errors: list[str] = []
        page.set_default_timeout(SLOW_MS)
        page.on("request", lambda request: self.outside.append(request.url) if not request.url.startswith(LOCAL) else None)
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(f"{error} {error.stack}"))

    def check(self) -> None:
        """Nothing was asked of another machine, and nothing went wrong, since the last check."""
        outside, errors = self.outside[:], self.errors[:]
        self.outside.clear()
        self.errors.clear()
        assert outside == []
        assert errors == []

    def open(self, name: str = "workbench.ipynb") -> None:
        """Open a notebook and wait for its kernel; a cell run before that is lost."""
        self.name = name
        self.page.goto(f"{self.lab.address}/doc/tree/{name}?reset&token={self.lab.token}", wait_until="domcontentloaded")
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=SLOW_MS)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait for the kernel."""
        self.page.wait_for_function(READY, timeout=SLOW_MS)

    def run_all(self, *, step: int | None = 0) -> None:
        """Run every cell and wait for the workbench with its picture, at a step if one is named."""
        # A screen of an earlier run must not be taken for the new one.
        self.page.evaluate("document.querySelectorAll('.wb-screen').forEach((screen) => { screen.dataset.old = 'yes'; })")
        self.page.evaluate(RUN_ALL)
        self.page.wait_for_function("window.__done !== null", timeout=SLOW_MS)
        assert self.page.evaluate("window.__done") == "ok"
        self.page.wait_for_selector(".wb-screen:not([data-old])", timeout=SLOW_MS)
        self.page.wait_for_selector(".wb-screen[data-old]", state="detached", timeout=SLOW_MS)
        self.page.wait_for_selector(".wb-screen .js-plotly-plot .main-svg", timeout=SLOW_MS)
        if step is not None:
            self.wait_for_step(step)

    def execute(self, code: str) -> None:
        """Run Python in the notebook's kernel, as a further cell would."""
        reply = self.page.evaluate(EXECUTE, code)
        assert reply["status"] == "ok", reply

    def theme(self, name: str) -> None:
        """JupyterLab's own light or dark theme."""
        self.page.evaluate(
            "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})", f"JupyterLab {name}"
        )
        self.wait_for_theme(name)

    def wait_for_theme(self, name: str) -> None:
        """Wait until the theme is on, and the splash off: JupyterLab stumbles over a second splash while the first fades."""
        self.page.wait_for_function(
            "light => document.body.dataset.jpThemeLight === light && !document.querySelector('#jupyterlab-splash')",
            arg=str(name == "Light").lower(),
        )

    def button(self, name: str) -> Any:
        return self.page.locator(".wb-screen").first.get_by_role("button", name=name, exact=True)

    def queue(self, path: str) -> Any:
        return self.page.locator(f'.wb-screen [role=treeitem][data-path="{path}"]').first

    def tab_to(self, selector: str, text: str = "", *, key: str = "Tab", most: int = 60) -> None:
        """Press Tab, as somebody without a mouse does, until something of that selector (and text) has the focus."""
        for _ in range(most):
            self.page.keyboard.press(key)
            if self.page.evaluate(FOCUSED, [selector, text]):
                return
        raise AssertionError(f"{most} times {key} do not lead to {selector} {text}")

    def wait_for_step(self, number: int) -> None:
        self.page.wait_for_function(
            "number => document.querySelector('.wb-rail').getAttribute('aria-valuenow') === String(number)", arg=number
        )

    def wait_for_text(self, selector: str, text: str) -> None:
        self.page.wait_for_function(
            "([selector, text]) => document.querySelector(selector)?.textContent.includes(text)", arg=[selector, text]
        )

    def column(self, table: str, head: str) -> list[str]:
        """The cells of one column of the table of that name, top to bottom."""
        return self.page.evaluate(COLUMN, [table, head])

    def wait_for_column(self, table: str, head: str, cells: list[str]) -> None:
        self.page.wait_for_function(
            f"([table, head, cells]) => JSON.stringify(({COLUMN})([table, head])) === JSON.stringify(cells)",
            arg=[table, head, cells],
        )

    def wait_for_cell(self, table: str, head: str, text: str) -> None:
        """Until the table of that name is drawn and the first cell of the column begins so."""
        self.page.wait_for_function(
            f"([table, head, text]) => (({COLUMN})([table, head])[0] ?? '').startsWith(text)", arg=[table, head, text]
        )

    def screenshot(self, name: str, show: str = ".wb-screen") -> None:
        """A picture for people to look at, when WORKBENCH_SCREENSHOTS names a folder. `show` begins at the top of the window."""
        folder = os.environ.get("WORKBENCH_SCREENSHOTS")
        if folder:
            self.page.evaluate("show => document.querySelector(show).scrollIntoView({block: 'start'})", show)
            self.page.wait_for_timeout(400)
            self.page.screenshot(path=str(Path(folder) / f"{name}.png"))

    def screenshots(self, name: str, show: str = ".wb-screen") -> None:
        """The same in light and in dark. JupyterLab stumbles over themes that are changed without a pause."""
        if os.environ.get("WORKBENCH_SCREENSHOTS"):
            for theme in ("Dark", "Light"):
                self.theme(theme)
                self.screenshot(f"{name}-{theme.lower()}", show)


@pytest.fixture
def notebook(lab: Lab, chromium: Any) -> Iterator[Notebook]:
    """A page and a kernel of its own. Fails if the page logged an error or asked another machine for anything."""
    context = chromium.new_context(viewport=SIZE)
    opened = Notebook(lab, context.new_page())
    yield opened
    context.close()
    lab.shut_down(opened.name)
    opened.check()


@pytest.fixture(scope="module")
def shared_notebook(lab: Lab, chromium: Any, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    """The main notebook, opened once for all tests of a module, in a file of its own: JupyterLab saves by itself after a while, and
    whoever opens what was saved sees outputs of a kernel that is gone."""
    context = chromium.new_context(viewport=SIZE)
    opened = Notebook(lab, context.new_page())
    opened.open(lab.copy(f"{request.module.__name__.rpartition('.')[2]}.ipynb"))
    yield opened
    context.close()
    lab.shut_down(opened.name)


@pytest.fixture
def opened(shared_notebook: Notebook) -> Iterator[Notebook]:
    """The main notebook with a fresh workbench, its cells just run, on the shared page."""
    shared_notebook.page.set_viewport_size(SIZE)
    shared_notebook.run_all()
    yield shared_notebook
    shared_notebook.check()
