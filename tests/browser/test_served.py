"""`workbench serve --ui`: a web interface as the scheduler's is built works from the printed address and asks nobody else."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.process import started

INDEX = """<!DOCTYPE html><html lang="en"><head><base href="/">
<meta charset="utf-8"><title>Interface</title><link rel="icon" href="data:,">
<style>body{margin:0}</style>
<link rel="stylesheet" href="styles.css" media="print" onload="this.media='all'"></head>
<body><app-root></app-root><script src="main.js" type="module"></script></body></html>"""
"""As the production build of an Angular application writes it: styles needed at once inlined, the rest when they are there."""
MAIN = """
const ws = `${window.location.protocol}//${window.location.host}/ws/v1`;
const ask = async (path) => (await fetch(`${ws}/${path}`)).json();
const paths = ['clusters', 'partitions', 'partition/default/queues', 'partition/default/nodes', 'history/apps',
  'history/containers', 'scheduler/node-utilizations'];
const answers = await Promise.all(paths.map(ask));
const root = document.querySelector('app-root');
root.textContent = `${answers[0][0].clusterName}: ${answers[2].queuename}, ${answers[3].length} nodes`;
document.body.dataset.ready = 'yes';
"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where it is served."""
    for name, text in (("index.html", INDEX), ("main.js", MAIN), ("styles.css", "app-root{color:rgb(1, 2, 3)}")):
        (tmp_path / name).write_text(text)
    command = ("serve", "multitenancy", "--port", "0", "--ui", str(tmp_path))
    process = started(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    yield next(line.split()[1] for line in process.stdout if line.startswith("Address"))
    process.terminate()
    process.communicate()


def test_the_interface_works_from_the_address_that_is_printed(address, chromium):
    page = chromium.new_page()
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    base = address.partition("?")[0]
    assert page.url == base  # the token is in a cookie now
    assert page.text_content("app-root") == "kubernetes: root, 1 nodes"
    assert page.evaluate("getComputedStyle(document.querySelector('app-root')).color") == "rgb(1, 2, 3)"
    assert [url for url in asked if not url.startswith(base)] == []
    assert errors == []
    page.close()


def test_a_page_from_elsewhere_learns_nothing_although_the_browser_has_the_cookie(address, chromium, tmp_path):
    context = chromium.new_context()
    context.new_page().goto(address)
    base = address.partition("?")[0]
    page = context.new_page()
    (tmp_path / "elsewhere.html").write_text("<!DOCTYPE html><title>elsewhere</title>")
    page.goto((tmp_path / "elsewhere.html").as_uri())
    reading = f"fetch('{base}ws/v1/clusters', {{credentials: 'include'}}).then((answer) => answer.text(), () => 'refused')"
    assert page.evaluate(reading) == "refused"
    stepping = f"fetch('{base}workbench/v1/step', {{method: 'POST', mode: 'no-cors', credentials: 'include'}}).then(() => 'sent')"
    assert page.evaluate(stepping) == "sent"
    own = context.new_page()
    own.goto(base)
    assert own.evaluate("fetch('/workbench/v1/state').then((answer) => answer.json()).then((state) => state.step)") == 0
    context.close()
