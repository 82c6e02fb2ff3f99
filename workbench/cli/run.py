"""`workbench run`: a scenario stepped through in the terminal, or written down as JSON or as one page."""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from pathlib import Path

from workbench.advice import checks
from workbench.cli import steps
from workbench.cli.output import one_line
from workbench.cli.progress import Progress
from workbench.cli.subcommands import Subcommands
from workbench.cli.writable import check_writable
from workbench.explain import render, upgrade
from workbench.explain.events import EVENT_KINDS
from workbench.explain.wording import name
from workbench.files.writing import write_file
from workbench.scheduler.records.commands import AddAsk
from workbench.scheduler.records.events import ApplicationRejected, AskRejected, ConfigRejected, NodeRejected
from workbench.scheduler.releases.profiles import DEFAULT, PROFILES, release_names
from workbench.simulation import Simulation
from workbench.simulation.scenario import Scenario, Schedule, all_example_names, example, example_names, load_scenario
from workbench.values.errors import CommandError, ScenarioError

REDRAW_EVERY = 50
"""Steps between two pictures of the progress bar."""


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "run",
        help="step through a scenario in the terminal",
        description="Steps through a scenario and prints a line for each step: when, which request went to which node, and "
        "which comparison of queues decided. At the end it lists what still waits, and why.",
    )
    command.add_argument(
        "scenario",
        metavar="SCENARIO",
        help="an example by name, or the path of a scenario (.yaml, .json, each also with .gz behind it)",
    )
    command.add_argument(
        "--release",
        "--engine",
        dest="release",
        choices=tuple(PROFILES),
        metavar="VERSION",
        help=f"the release of the core whose rules hold: {release_names('or')}; without it what the scenario says, or else "
        f"{DEFAULT.version}. --engine is its former name",
    )
    command.add_argument(
        "--against",
        choices=tuple(PROFILES),
        metavar="VERSION",
        help="instead of the steps, the first thing that this release would do otherwise, with both reasons, and which settings "
        "it takes otherwise",
    )
    command.add_argument("--steps", type=_count, metavar="N", help="stop after N steps")
    command.add_argument(
        "--to-end", action="store_true", help="print no line for a step, only what it came to; shows how far it is on a terminal"
    )
    command.add_argument("--progress", action="store_true", help="show how far it is even if errors go to no terminal")
    command.add_argument(
        "--json", action="store_true", help="print JSON: an object for each step and one for the end, each on a line"
    )
    command.add_argument("--html", type=Path, metavar="FILE", help="also write everything into one page that needs no network")
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Step, print, write. Returns 0. WorkbenchError if the scenario cannot be read or the page not be written."""
    if arguments.html is not None:
        check_writable(arguments.html)
        if importlib.util.find_spec("plotly") is None:
            raise CommandError("a page needs plotly, which is not installed here; 'pip install plotly' adds it")
    simulation = Simulation.from_scenario(found(arguments.scenario), release=arguments.release)
    if arguments.against is not None:
        for line in against(simulation, arguments.against):
            print(one_line(line))
        return 0
    rows = run(simulation, arguments)
    waiting, refused = simulation.waiting(), rejected(simulation)
    if arguments.json:
        print(
            json.dumps(
                {
                    "steps": simulation.position,
                    "now_ns": simulation.now_ns,
                    "waiting": [steps.waiting_dict(item) for item in waiting],
                    "rejected": {"inputs": len(refused), "first": refused[0] if refused else None},
                }
            )
        )
    else:
        print(summary(simulation, len(waiting)))
        if refused:
            print(rejections(refused))
        if waiting:
            print(render(steps.waiting_table(waiting)))
    if arguments.html is not None:
        # Here, since it loads the plotting library, which takes as long as a short run.
        from workbench.cli.page import page

        told = [summary(simulation, len(waiting)), *([rejections(refused)] if refused else [])]
        write_file(arguments.html, page(simulation, rows, waiting, " ".join(told)))
    return 0


def against(simulation: Simulation, release: str) -> list[str]:
    """What another release would do otherwise first, and which settings of the design it takes otherwise."""
    lines = list(upgrade(simulation.upgrade(release)))
    for at, other in ((simulation.release, release), (release, simulation.release)):
        here, there = (checks(simulation.config, release=each) for each in (at, other))
        said = {(check.code, check.path, check.text) for check in there}
        lines += [f"Only in release {at}: {check}" for check in here if (check.code, check.path, check.text) not in said]
    return lines


def found(scenario: str) -> Scenario:
    """The scenario of a name or path. ScenarioError if there is none, or it cannot be read."""
    if scenario in all_example_names():
        return example(scenario)
    if not Path(scenario).exists():
        raise ScenarioError(f"there is no file and no example {scenario!r}", hint=f"the examples are {', '.join(example_names())}")
    return load_scenario(scenario)


def run(simulation: Simulation, arguments: argparse.Namespace) -> list[steps.Row]:
    """Take the steps and print what was asked for. The rows, as far as a page needs them."""
    prints = not arguments.to_end
    keeps = arguments.html is not None
    planned = planned_cycles(simulation.scenario)
    kept: list[steps.Row] = []
    if prints and not arguments.json:
        print(steps.line(steps.COLUMNS))
    shown = arguments.progress or not prints and sys.stderr.isatty()
    with Progress(sys.stderr, shown=shown) as progress:
        for row in steps.walk(simulation, arguments.steps, traced=prints or keeps):
            if keeps:
                kept.append(row)
            if prints:
                print(json.dumps(row.as_dict()) if arguments.json else steps.line(row.cells))
            if row.number % REDRAW_EVERY == 0:
                progress.show(simulation.state.cycle / planned, f"step {row.number:,}")
    if prints and not arguments.json:
        print()
    return kept


def planned_cycles(scenario: Scenario) -> int:
    """How many scheduling cycles the scenario runs; without any of its own, about one for each request."""
    commands = [event.command for event in scenario.events]
    scheduled = sum(command.cycles for command in commands if isinstance(command, Schedule))
    return scheduled or max(1, sum(isinstance(command, AddAsk) for command in commands))


def summary(simulation: Simulation, waiting: int) -> str:
    """What it came to, in a sentence."""
    taken = "1 step" if simulation.position == 1 else f"{simulation.position:,} steps"
    left = "nothing waits" if not waiting else "1 request waits" if waiting == 1 else f"{waiting:,} requests wait"
    return f"{taken} until {simulation.now_ns / 1e9:,.3f} s of simulated time; {left}."


REJECTIONS = {
    ApplicationRejected: "application_id",
    AskRejected: "key",
    NodeRejected: "node_id",
    ConfigRejected: None,
}
"""What the scheduler says to an input that it does not take, and which field names the input."""


def rejected(simulation: Simulation) -> list[dict[str, str | None]]:
    """Every input up to now that the scheduler rejected: its kind, which one, and the reason in the scheduler's words."""
    return [
        {
            "kind": EVENT_KINDS[type(event).__name__],
            "name": getattr(event, field) if (field := REJECTIONS[type(event)]) else None,
            "reason": event.reason,
        }
        for event in (told.event for told in simulation.said)
        if isinstance(event, ApplicationRejected | AskRejected | NodeRejected | ConfigRejected)
    ]


def rejections(refused: list[dict[str, str | None]]) -> str:
    """How many inputs were rejected and why the first was, in a sentence."""
    first = refused[0]
    which = f" ({name(first['name'])})" if first["name"] is not None else ""
    counted = "1 input was" if len(refused) == 1 else f"{len(refused):,} inputs were"
    return f"{counted} rejected{', the first' if len(refused) > 1 else ''}{which}: {name(first['reason'] or '', 300)}"


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of steps")
    return int(text)
