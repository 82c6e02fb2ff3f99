"""`workbench simulate`: a workload played under a design, and what came of it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from workbench.cli.output import one_line
from workbench.cli.progress import Progress
from workbench.cli.stopping import Asked, asked_to_stop
from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import add_reading, read_any, tell_notes
from workbench.cli.writable import check_writable
from workbench.files.rows import Rows
from workbench.files.writing import write_file
from workbench.measures import measure
from workbench.runs import Run, simulate
from workbench.runs.plain import plain_scenario
from workbench.runs.rows import COLUMNS
from workbench.scheduler.releases.profiles import DEFAULT, PROFILES, release_names
from workbench.simulation.scenario import scenario_to_json, scenario_to_yaml
from workbench.workloads import of_seed


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "simulate",
        help="play a workload under a design, and measure what came of it",
        description="Plays a workload under a design with the decisions of the real scheduler: jobs arrive, wait, run for their "
        "durations, are stopped and come back. Prints what came of it, and writes the jobs and the measures where it is told to. "
        "Ctrl-C ends it early and keeps what was done.",
    )
    command.add_argument("design", type=Path, metavar="DESIGN", help="a queues.yaml, or a ConfigMap with one")
    command.add_argument("--workload", dest="file", type=Path, required=True, metavar="FILE", help="the workload, in any format")
    add_playing(command)
    command.add_argument("--csv", type=Path, metavar="FILE", help="write the jobs as a table, one row a job")
    command.add_argument("--json", type=Path, metavar="FILE", help="write the measures and the jobs as JSON")
    command.add_argument("--html", type=Path, metavar="FILE", help="write what came of it as one page that needs no network")
    command.add_argument(
        "--scenario",
        type=Path,
        metavar="FILE",
        help="write what the scheduler was told as a scenario (.yaml, .json), to step through or to play on the real core",
    )
    add_reading(command)
    command.set_defaults(execute=execute)


def add_playing(command: argparse.ArgumentParser) -> None:
    """The options that say how a workload is played."""
    command.add_argument(
        "--nodes",
        metavar="TEXT",
        help="the nodes, such as '20 x vcore=8,memory=32Gi', kinds set apart by ';'; those of the workload if not given",
    )
    command.add_argument("--until", metavar="TIME", help="end there, such as 36h or 90m; without it when nothing more can happen")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of made-up workloads and failing nodes; 0 if not given")
    command.add_argument("--rate", type=float, metavar="N", help="at most N placements a second; as fast as can be if not given")
    command.add_argument(
        "--release",
        choices=tuple(PROFILES),
        metavar="VERSION",
        help=f"the release of the core whose rules hold: {release_names('or')}; {DEFAULT.version} if not given",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Play, print, write. 0, or what a shell reports of a process that was stopped."""
    for path in (arguments.csv, arguments.json, arguments.html, arguments.scenario):
        if path is not None:
            check_writable(path)
    workload = of_seed(read_any(arguments), arguments.seed)
    tell_notes(workload.notes)
    with asked_to_stop() as asked, Progress(sys.stderr, shown=sys.stderr.isatty()) as progress:
        run = simulate(
            arguments.design,
            workload,
            nodes=arguments.nodes,
            until=arguments.until,
            seed=arguments.seed,
            rate=arguments.rate,
            release=arguments.release,
            progress=progress.show,
            stop=asked,
        )
    return _tell(run, arguments, asked)


def _tell(run: Run, arguments: argparse.Namespace, asked: Asked) -> int:
    if run.stopped:
        print(one_line(f"stopped at {run.record.ended_ns / 3.6e12:.2f} h of the workload; what follows is what came until then"))
    print(run.sentence)
    print(measure(run))
    if arguments.csv is not None:
        Rows(COLUMNS, run.jobs).write_csv(arguments.csv)
    if arguments.json is not None:
        write_file(arguments.json, json.dumps(as_json(run), indent=1) + "\n")
    if arguments.html is not None:
        write_file(arguments.html, run.to_html())
    if arguments.scenario is not None:
        scenario, note = plain_scenario(run)
        if note:
            tell_notes((note,))
        is_json = ".json" in arguments.scenario.suffixes
        write_file(arguments.scenario, scenario_to_json(scenario) if is_json else scenario_to_yaml(scenario))
    return asked.exit_code


def as_json(run: Run) -> dict[str, Any]:
    """The run, its measures by scope and its jobs, as plain values."""
    return {
        "release": run.release,
        "seed": run.seed,
        "ended_s": run.record.ended_ns / 1e9,
        "stopped": run.stopped,
        "measures": json.loads(measure(run).to_json()),
        "jobs": [dict(zip(COLUMNS, row)) for row in run.jobs],
    }
