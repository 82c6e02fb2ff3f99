"""Simulations whose pictures are worth a test, and questions about the text on a figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import plotly.graph_objects as go

from workbench.scheduler.records.commands import AddNode
from workbench.simulation import Simulation, asks
from workbench.values.resources import Resource

HOSTILE = (
    "<script>alert(1)</script>",
    '<a href="javascript:alert(1)">x</a>',
    "<b>bold</b>",
    "a\"b'c",
    "two\nlines",
    "\u202eturned",
    "$x^2$",
    "&lt;",
    "x" * 5000,
    "שלום",
)
TEAMS = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: serving
            resources: {guaranteed: {vcore: 4}, max: {vcore: 6}}
            queues: [{name: online, resources: {guaranteed: {vcore: 3}}}, {name: canary, resources: {max: {vcore: 1}}}]
          - {name: batch, resources: {guaranteed: {vcore: 2}}, properties: {application.sort.policy: fair}}
          - {name: spare}
"""
PREEMPTING = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: team
            properties: {%s}
            queues:
              - {name: owner, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 1s}}
              - {name: guest}
          - {name: others, properties: {preemption.policy: disabled}}
"""
FENCE = "preemption.policy: fence"


def teams() -> Simulation:
    """8 cores: online uses 4, 1 above its guarantee; canary its max of 1 and wants 1 more; batch 1 of 2; nothing in spare."""
    sim = Simulation(TEAMS)
    sim.add_nodes(1, vcore="8", memory="16Gi")
    sim.submit("web", queue="root.serving.online", asks=asks(4, prefix="web-", priority=5, vcore="1", memory="1Gi"))
    sim.submit("try", queue="root.serving.canary", asks=asks(2, prefix="try-", priority=4, vcore="1", memory="1Gi"))
    sim.submit("etl", queue="root.batch", asks=asks(1, prefix="etl-", vcore="1", memory="500Mi"))
    sim.run()
    return sim


def preempting(team: str = FENCE) -> Simulation:
    """guest and others fill 4 cores; owner, below its guarantee of 2, waits for 1 and may preempt in the step that comes next."""
    sim = Simulation(PREEMPTING % team)
    sim.add_nodes(1, vcore="4")
    sim.submit("long", queue="root.team.guest", asks=asks(3, prefix="long-", vcore="1"))
    sim.submit("else", queue="root.others", asks=asks(1, prefix="else-", vcore="1"))
    sim.run()
    sim.submit("mine", queue="root.team.owner", asks=asks(1, prefix="mine-", priority=3, vcore="1"))
    sim.advance(2)
    return sim


def same_keys() -> Simulation:
    """The same, and the guests run an allocation `p` of each of one, two and three, each on a node; that of one is stopped."""
    sim = Simulation(PREEMPTING % FENCE)
    sim.add_nodes(4, vcore="1")
    sim.submit("else", queue="root.others", asks=asks(1, prefix="else-", vcore="1"))
    sim.run()
    for app in ("one", "two", "three"):
        sim.submit(app, queue="root.team.guest", asks=[replace(asks(1, vcore="1")[0], key="p")])
        sim.run()
    sim.submit("mine", queue="root.team.owner", asks=asks(1, prefix="mine-", priority=3, vcore="1"))
    sim.advance(2)
    return sim


def crowd(teams: int = 20, queues: int = 9, nodes: int = 3) -> Simulation:
    """Many queues with names of up to 60 characters, something waiting in each of the first ones of a team."""
    listed = ", ".join(
        f"{{name: team-{team:02d}, queues: [{', '.join(f'{{name: {_long(number)}}}' for number in range(queues))}]}}"
        for team in range(teams)
    )
    sim = Simulation(f'partitions: [{{name: default, queues: [{{name: root, submitacl: "*", queues: [{listed}]}}]}}]')
    sim.add_nodes(nodes, vcore="16")
    for team in range(teams):
        sim.submit(f"app-{team}", queue=f"root.team-{team:02d}.{_long(0)}", asks=asks(4, priority=team, vcore="1"))
    sim.run(max_steps=25)
    return sim


def _long(number: int) -> str:
    return f"a-queue-with-a-name-that-nobody-would-like-to-read-in-full-{number}"


def nameless() -> Simulation:
    """No queue below root, no node, nothing submitted."""
    return Simulation("partitions: [{name: default, queues: [{name: root}]}]")


def hostile(name: str) -> Simulation:
    """An application, its asks, a node and a resource type of that name; two of three asks fit."""
    sim = Simulation(TEAMS)
    sim.apply(AddNode(node_id=name, capacity=Resource({"vcore": 2000, name: 8})))
    sim.submit(name, queue="root.batch", asks=asks(3, prefix=name, vcore="1", **{name: 1}))
    sim.run()
    sim.submit(f"{name}2", queue="root.batch", asks=asks(1, prefix=name, vcore="1", **{name: 1}))
    return sim


def partition(sim: Simulation):
    return sim.state.partitions["default"]


def texts(figure: go.Figure) -> Iterator[str]:
    """Every text on a figure and in its hover boxes."""
    for trace in figure.data:
        for found in (trace.text, trace.hovertext, trace.name):
            yield from (found,) if isinstance(found, str) else (text for text in found or () if text)
    layout = figure.layout
    for axis in figure.select_xaxes():
        yield from axis.ticktext or ()
        yield axis.title.text or ""
    for axis in figure.select_yaxes():
        yield from axis.ticktext or ()
    yield from (note.text for note in layout.annotations)
    yield layout.title.text or ""


def assert_no_markup(figure: go.Figure) -> None:
    """Only the markup of the package itself, no control characters, and nothing endless."""
    for text in texts(figure):
        bare = text
        for tag in ("<b>", "</b>", "<br>", "</span>"):
            bare = bare.replace(tag, "")
        while '<span style="color:#' in bare:
            start = bare.index('<span style="color:#')
            bare = bare[:start] + bare[bare.index(">", start) + 1 :]
        assert "<" not in bare and "$" not in bare and "\n" not in bare and "\u202e" not in bare and len(bare) < 4000, text
