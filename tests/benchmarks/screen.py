"""What a click costs until the screen is redrawn, in a real browser, beside a bare FigureWidget that redraws its marks.

    python -m benchmarks.screen          # from the folder `tests`; needs chromium, playwright and JupyterLab

A redraw has ended with the last change of the page within the screen, before a pause without any. Both sides are measured on the
same page with the same clock, that of the page, so the ratio says what the workbench adds to what plotly's own widget needs. The
targets in seconds are those of the interface design. This is no section of the report, so that no test waits for a browser.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import Figure, Target, spread
from benchmarks.report import line

SECTION = "screen"
ROUNDS = 7
SIZES = ((12, 50, 0.25), (150, 1000, 0.6))
"""Queues with root, requests, and the seconds that a step may take."""
BACK_SECONDS, STOP_SECONDS, OPEN_SECONDS, NOTEBOOK_KB = 0.2, 0.3, 5.0, 300
FASTEST = 5
"""Steps per second of play."""
QUIET_MS = 250
"""So long nothing changes once everything is drawn."""

REDRAWN = """([selector, act, done]) => new Promise((resolve, reject) => {
  const root = document.querySelector(selector), quiet = QUIET_MS;
  let started = 0, last = 0, timer = 0;
  const reached = () => !done || (root.querySelector(done[0])?.getAttribute(done[1]) === done[2]);
  const ends = () => reached() ? (observer.disconnect(), resolve((last - started) / 1000)) : wait();
  const wait = () => { clearTimeout(timer); timer = setTimeout(ends, quiet); };
  const observer = new MutationObserver(() => { last = performance.now(); wait(); });
  observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
  setTimeout(() => reject(new Error('no redraw within 30 s')), 30000);
  started = last = performance.now();
  const target = act[0] === 'button' ? [...root.querySelectorAll('button')].find((each) => each.textContent.trim() === act[1])
                                     : root.querySelector(act[1]);
  if (act[0] === 'button') target.click();
  else { target.focus(); target.dispatchEvent(new KeyboardEvent('keydown', {key: act[2], bubbles: true})); }
})""".replace("QUIET_MS", str(QUIET_MS))
"""Seconds from an act to the last change of what it redraws: [where, [what, which, key], [selector, attribute, value then]]."""

STOPPED = """() => new Promise((resolve, reject) => {
  const button = (name) => [...document.querySelectorAll('.wb-screen button')].find((each) => each.textContent.trim() === name);
  const rail = document.querySelector('.wb-rail'), status = document.querySelector('.wb-status');
  const at = () => Number(rail.getAttribute('aria-valuenow')), begun = at();
  let pressed = 0, from = 0;
  const watch = new MutationObserver(() => {
    if (!pressed && at() >= begun + 2 && button('Stop')) {
      // At any moment between two steps, not only just after one.
      pressed = -1;
      setTimeout(() => { from = at(); pressed = performance.now(); button('Stop').click(); }, Math.random() * 180);
    } else if (pressed > 0 && status.textContent.includes('Stopped after')) {
      watch.disconnect();
      resolve([(performance.now() - pressed) / 1000, at() - from]);
    }
  });
  watch.observe(document.querySelector('.wb-screen'), {subtree: true, childList: true, attributes: true, characterData: true});
  setTimeout(() => reject(new Error('not stopped within 30 s')), 30000);
  button('Play').click();
})"""
"""Play a little, press Stop: the seconds until the screen says that it has stopped, and the steps taken meanwhile."""

MAKE = """
from workbench import Resource, Workbench
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec
bench = Workbench.from_yaml({text!r})
leaves, many = {leaves!r}, {requests}
bench.apply(AddNode(node_id="node-1", capacity=Resource(vcore=10**9)), *(
    AddApplication(application=ApplicationSpec(id=leaf.rpartition(".")[2], queue=leaf, user="somebody")) for leaf in leaves), *(
    AddAsk(ask=AskSpec(application_id=leaves[at % len(leaves)].rpartition(".")[2], key=f"P{{at}}", resource=Resource(vcore=1000),
                       priority=at % 10)) for at in range(many)))
assert len(bench.simulation.waiting()) == many
bench
"""
BARE = """
import ipywidgets, plotly.graph_objects as go
figure = go.FigureWidget([go.Scatter(x=list(range({marks})), y=[0] * {marks}, mode="markers+text", text=["q"] * {marks})],
                         {{"width": 760, "height": 300}})
button, turn = ipywidgets.Button(description="Draw"), [0]
def draw(_):
    turn[0] += 1
    with figure.batch_update():
        figure.data[0].y = [(at * turn[0]) % 7 for at in range({marks})]
button.on_click(draw)
box = ipywidgets.VBox([button, figure])
box.add_class("bare")
box
"""


def design(queues: int) -> tuple[str, list[str]]:
    """A configuration with so many queues, root among them, and the paths of its leaves."""
    parents = max(2, round((queues - 1) ** 0.5 * 0.75))
    each, left = divmod(queues - 1 - parents, parents)
    lines, leaves, number = (
        ["partitions:", "  - name: default", "    queues:", "      - name: root", "        submitacl: '*'", "        queues:"],
        [],
        0,
    )
    for parent in range(parents):
        lines += [f"          - name: team-{parent}", "            queues:"]
        for _ in range(each + (parent < left)):
            lines.append(f"              - name: leaf-{number}")
            leaves.append(f"root.team-{parent}.leaf-{number}")
            number += 1
    return "\n".join(lines) + "\n", leaves


def notebook(queues: int, requests: int) -> dict[str, Any]:
    """A workbench of that size in one cell, and in another a figure with as many marks."""
    text, leaves = design(queues)
    cells = [MAKE.format(text=text, leaves=leaves, requests=requests).strip(), BARE.format(marks=queues).strip()]
    return {
        "nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "cells": [{"cell_type": "code", "id": f"c{at}", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
                  for at, source in enumerate(cells)],
    }  # fmt: skip


def figures(opened: Any, queues: int, requests: int, step_seconds: float, rounds: int = ROUNDS) -> Iterator[Figure]:
    """Measure on a notebook page whose cells have been run."""
    page, size = opened.page, f"{queues} queues, {requests} requests"
    page.wait_for_selector(".bare .main-svg")
    page.wait_for_timeout(1000)

    def timed(act: list[str], at: Callable[[int], int]) -> list[float]:
        return [page.evaluate(REDRAWN, [".wb-screen", act, [".wb-rail", "aria-valuenow", str(at(turn))]]) for turn in range(rounds)]

    def bare() -> list[float]:
        return [page.evaluate(REDRAWN, [".bare", ["button", "Draw"], None]) for _ in range(rounds)]

    yardstick = bare()
    received: list[int] = opened.received
    page.evaluate(REDRAWN, [".wb-screen", ["button", "Step"], [".wb-rail", "aria-valuenow", "1"]])  # not counted
    received.clear()
    steps = timed(["button", "Step"], lambda turn: turn + 2)
    sent = sum(received) / rounds / 1000
    backs = timed(["button", "Back"], lambda turn: rounds - turn)
    rails = timed(["key", ".wb-rail", "ArrowRight"], lambda turn: turn + 2)
    stops = played(opened, rounds)
    yardstick += bare()
    unit = median(yardstick)
    yield Figure(SECTION, f"bare FigureWidget, {queues} marks", unit, "s", note=f"{spread(yardstick)} s")
    for name, times, target in (("step", steps, step_seconds), ("back", backs, BACK_SECONDS), ("rail", rails, BACK_SECONDS)):
        took = median(times)
        yield Figure(SECTION, f"{name}, {size}", took, "s", Target("<=", target), f"{spread(times)} s")
        yield Figure(SECTION, f"{name} / bare FigureWidget, {size}", took / unit)
    seconds, more = zip(*stops)
    yield Figure(
        SECTION,
        f"stop while playing, {size}",
        max(seconds),
        "s",
        Target("<=", STOP_SECONDS),
        f"the longest of {rounds}; at most {max(more)} more steps",
    )
    yield Figure(SECTION, f"sent to the page for a step, {size}", sent, "kB")


def played(opened: Any, rounds: int) -> list[tuple[float, int]]:
    """Play at full speed and stop, so many times."""
    opened.execute(f"bench.screen.bar.speed.value = {FASTEST}")
    stops = []
    for _ in range(rounds):
        stops.append(tuple(opened.page.evaluate(STOPPED)))
        opened.page.wait_for_timeout(2 * QUIET_MS)
        opened.execute("bench.reset()")
        opened.page.wait_for_timeout(2 * QUIET_MS)
    return stops


def main() -> None:
    import time

    from browser.conftest import CHROMIUM, FLAGS, SIZE, Notebook, running_lab
    from playwright.sync_api import sync_playwright

    print("| section | what | figure | target | met | remarks |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as home, running_lab(Path(home), "multitenancy") as lab, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        outside = 0

        def opened_on(name: str) -> tuple[Any, float]:
            opened = Notebook(lab, browser.new_context(viewport=SIZE).new_page())
            opened.received = []
            opened.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: opened.received.append(len(frame))))
            opened.open(name)
            started = time.monotonic()
            opened.run_all()
            return opened, time.monotonic() - started

        def close(opened: Any) -> int:
            many = len(opened.outside)
            opened.page.context.close()
            lab.shut_down(opened.name)
            return many

        opened, took = opened_on("workbench.ipynb")
        print(line(Figure(SECTION, "open a workbench once the kernel is ready", took, "s", Target("<=", OPEN_SECONDS))), flush=True)
        opened.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        opened.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
        saved = (lab.folder / "workbench.ipynb").read_text()
        kept = json.loads(saved)
        outputs = sum(len(cell.get("outputs", ())) for cell in kept["cells"])
        state = f"{outputs} outputs, {'widget state is stored' if 'widgets' in kept['metadata'] else 'no widget state'}"
        print(line(Figure(SECTION, "a notebook with outputs", len(saved) / 1000, "kB", Target("<=", NOTEBOOK_KB), state)))
        outside += close(opened)
        for queues, requests, seconds in SIZES:
            name = f"size-{queues}.ipynb"
            (lab.folder / name).write_text(json.dumps(notebook(queues, requests)))
            opened, _ = opened_on(name)
            for figure in figures(opened, queues, requests, seconds):
                print(line(figure), flush=True)
            outside += close(opened)
        print(line(Figure(SECTION, "requests to other hosts", outside, "", Target("<=", 0))))
        browser.close()


if __name__ == "__main__":
    main()
