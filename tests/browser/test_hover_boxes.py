"""The boxes that open over the marks of a picture show names as the text that they are, whatever the names try."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from browser.conftest import LOCAL
from plotly.offline import get_plotlyjs

import workbench
from workbench.config import load_config
from workbench.config.model import QueueConfig
from workbench.scheduler.records.commands import AddNode
from workbench.simulation import Simulation, asks
from workbench.values.resources import Resource

OUTSIDE = "https://outside.example"
HOSTILE = (
    f"<img src={OUTSIDE}/x onerror=window.pwned=1>",
    "<a href=javascript:window.pwned=1>link</a>",
    f'<a href="{OUTSIDE}">out</a>',
    "</script><script>window.pwned=1</script>",
    "<svg onload=window.pwned=1>",
    "<b>b</b><br>&lt;i&gt;&amp;&quot;",
    "\"'`onmouseover=window.pwned=1 ",
    "%{customdata} %{x} %{meta} <extra>e</extra>",
    "$x^2$ ${window.pwned=1}",
    "x" * 300,
)

CONFIG = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: team
            properties: {preemption.policy: fence}
            queues:
              - {name: owner, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 1s}}
              - {name: guest, resources: {max: {vcore: 5}}}
"""

DRAW = """async (figure) => {
  const plot = document.createElement('div');
  document.body.replaceChildren(plot);
  await Plotly.newPlot(plot, figure.data, figure.layout, {displayModeBar: false});
}"""

HOVER = """() => {
  let now = Date.now();
  Date.now = () => (now += 1000);  // plotly opens a box at most every 50 ms
  const plot = document.querySelector('.js-plotly-plot');
  const found = { texts: [], strange: [], pwned: window.pwned ?? null };
  for (const [curveNumber, trace] of plot.data.entries()) {
    if (plot._fullData[curveNumber].hoverinfo === 'skip' || plot._fullData[curveNumber].visible !== true) continue;
    const count = Math.max(0, ...['x', 'y'].map((key) => trace[key]?.length ?? 0));
    for (let pointNumber = 0; pointNumber < count; pointNumber += 1) {
      const { xaxis, yaxis } = plot._fullData[curveNumber];
      Plotly.Fx.hover(plot, [{ curveNumber, pointNumber }], [xaxis + yaxis]);
      const boxes = plot.querySelectorAll('.hoverlayer .hovertext');
      for (const box of boxes) {
        found.texts.push(box.textContent);
        for (const node of box.querySelectorAll('*')) {
          const known = ['g', 'path', 'rect', 'text', 'tspan'].includes(node.tagName);
          if (!known || [...node.attributes].some((each) => each.name.startsWith('on'))) found.strange.push(node.outerHTML);
        }
      }
      Plotly.Fx.unhover(plot, undefined, xaxis + yaxis);
    }
  }
  const never = 'a, img, image, script, iframe, foreignObject, [onerror], [onload], [onmouseover]';
  for (const node of document.body.querySelectorAll(never)) {
    found.strange.push(node.outerHTML.slice(0, 200));
  }
  return found;
}"""
"""Opens the box of every mark, reads it, and looks for what no picture of ours has."""


def placed(bad: str) -> Simulation:
    """Something for every picture: use, guarantees, what waits, and a step that preempts; application, asks, node of that name."""
    sim = Simulation(CONFIG)
    sim.apply(AddNode(node_id=bad, capacity=Resource({"vcore": 4000, bad: 8})))
    sim.submit(f"long{bad}", queue="root.team.guest", asks=asks(4, prefix=f"long{bad}", vcore="1", **{bad: 1}))
    sim.run()
    sim.submit(f"mine{bad}", queue="root.team.owner", asks=asks(2, prefix=f"mine{bad}", priority=3, vcore="1"))
    sim.advance(2)
    return sim


def queues(bad: str) -> Simulation:
    """Queues of that name. No such configuration is valid; it is made past the validation, as if that had a hole."""
    config = load_config(CONFIG)

    def renamed(queue: QueueConfig) -> QueueConfig:
        name = queue.name if queue.name == "root" else f"{queue.name}{bad.replace('.', '_').lower()}"
        return replace(queue, name=name, queues=tuple(map(renamed, queue.queues)))

    partitions = tuple(replace(each, queues=(renamed(each.root),)) for each in config.partitions)
    sim = Simulation(replace(config, partitions=partitions))
    sim.add_nodes(1, vcore="4")
    return sim


NAMED = {placed: ("nodes", "order", "preemption", "slope"), queues: ("order", "path", "preemption", "shares", "usage")}
"""Situation -> the pictures whose boxes hold the name."""


@pytest.fixture(scope="module")
def page(chromium: Any) -> Iterator[Any]:
    """An empty page with the drawing library, and no policy that would keep an attack from succeeding."""
    opened = chromium.new_page()
    opened.add_script_tag(content=get_plotlyjs())
    yield opened
    opened.close()


def letters(text: str) -> str:
    """Without white space: a box breaks its lines where it likes."""
    return "".join(text.split())


def meant(figure: Any) -> set[str]:
    """What the boxes of a picture are to show: their texts without our own markup, which is bold type and the ends of lines."""
    given = (text for trace in figure.data for text in trace.hovertext or ())
    return {letters(unescape(re.sub("</?b>|<br>", " ", text))) for text in given if text}


@pytest.mark.parametrize("bad", HOSTILE, ids=map(str, range(len(HOSTILE))))
@pytest.mark.parametrize(
    ("situation", "picture"),
    [*((placed, name) for name in sorted(workbench.plots.__all__)), *((queues, name) for name in NAMED[queues])],
)
def test_names_in_hover_boxes_are_the_text_that_they_are(page: Any, situation: Any, picture: str, bad: str) -> None:
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url) if not request.url.startswith(LOCAL) else None)
    page.on("console", lambda message: seen.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: seen.append(str(error)))
    figure = getattr(workbench.plots, picture)(situation(bad))
    page.evaluate(DRAW, json.loads(figure.to_json()))
    found = page.evaluate(HOVER)
    assert (found["strange"], found["pwned"], seen) == ([], None, [])
    read = {letters(text) for text in found["texts"]}
    assert read
    assert read <= meant(figure)
    if picture in NAMED[situation]:
        assert letters(bad)[:12].replace(".", "_").lower() in " ".join(read).replace(".", "_").lower()
