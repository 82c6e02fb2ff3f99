"""`workbench compare`: the same arrivals under two to four designs: what changes, where they part, which edit does it, who pays."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from workbench.cli.output import one_line
from workbench.cli.progress import Progress
from workbench.cli.stopping import exit_code
from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import add_reading, read_any, tell_notes
from workbench.cli.writable import check_writable
from workbench.comparison import Comparison, Plan
from workbench.comparison.sides import MOST
from workbench.explain import render
from workbench.explain.wording import name
from workbench.scheduler.releases.profiles import DEFAULT, PROFILES, release_names
from workbench.values.errors import CommandError


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "compare",
        help="say what becomes of a workload under one design instead of another, why, and by which edit",
        description="Plays the same workload under two to four designs and says what changes: in a sentence, as a table with the "
        "largest difference first, where the designs part and why, which edit does what, and whose jobs wait longer. The first "
        "design is what the others are compared with. Ctrl-C ends it early; seeds that were finished are compared.",
    )
    command.add_argument(
        "designs", type=Path, nargs="+", metavar="DESIGN", help=f"two to {MOST} files: queues.yaml, or a ConfigMap"
    )
    command.add_argument("--workload", dest="file", type=Path, required=True, metavar="FILE", help="the workload, in any format")
    command.add_argument(
        "--names", metavar="A,B,...", help="what the designs are called, with commas between; A, B, C, D without it"
    )
    command.add_argument(
        "--seeds",
        type=_count,
        default=1,
        metavar="N",
        help="play each design with N seeds, where chance plays a part; 1 if not given",
    )
    command.add_argument(
        "--nodes",
        metavar="TEXT",
        help="the nodes, such as '20 x vcore=8,memory=32Gi', kinds with ';' between them; without it those of the workload",
    )
    command.add_argument("--until", metavar="TIME", help="end there, such as 36h or 90m; without it when nothing more can happen")
    command.add_argument(
        "--rate", type=float, metavar="N", help="the scheduler places at most N a second; without it as fast as can be"
    )
    command.add_argument(
        "--release",
        choices=tuple(PROFILES),
        metavar="VERSION",
        help=f"the release of the core whose rules hold: {release_names('or')}; {DEFAULT.version} if not given",
    )
    command.add_argument("--brief", action="store_true", help="only the sentence and the table, which takes a fraction of the time")
    command.add_argument("--html", type=Path, metavar="FILE", help="also write everything into one page that needs no network")
    command.add_argument("--csv", type=Path, metavar="FILE", help="also write every measure as a table")
    command.add_argument("--json", type=Path, metavar="FILE", help="also write every measure as JSON")
    add_reading(command)
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Play, print, write. 0, or what a shell reports of a process that was stopped."""
    for path in (arguments.html, arguments.csv, arguments.json):
        if path is not None:
            check_writable(path)
    if arguments.html is not None and importlib.util.find_spec("plotly") is None:
        raise CommandError("a page needs plotly, which is not installed here; 'pip install plotly' adds it")
    names = None if arguments.names is None else arguments.names.split(",")
    options = {each: getattr(arguments, each) for each in ("seeds", "nodes", "until", "rate", "release")}
    plan = Plan(arguments.designs, read_any(arguments), names=names, **options)
    code = 0
    with Progress(sys.stderr, shown=sys.stderr.isatty()) as progress:
        try:
            plan.play(progress=progress.show)
        except KeyboardInterrupt as stop:
            if not plan.finished:
                raise
            code = exit_code(stop)
        found = plan.comparison()
        if not arguments.brief and not code:
            try:
                for other in found.others:
                    found.against(other.name).attribution.play(progress=progress.show)
            except KeyboardInterrupt as stop:
                code = exit_code(stop)
    _tell(found, whole=not arguments.brief and not code)
    if arguments.csv is not None:
        found.to_csv(arguments.csv)
    if arguments.json is not None:
        found.to_json(arguments.json)
    if arguments.html is not None:
        found.to_html(arguments.html, whole=not arguments.brief and not code)
    return code


def _tell(found: Comparison, *, whole: bool) -> None:
    print(one_line(found.sentence))
    print()
    print(render(found.table.as_text()))
    if whole:
        for other in found.others:
            pair = found.against(other.name)
            print(f"\n{name(found.first.name)} and {name(other.name)}:\n{pair.partings}\n\n{pair.attribution}\n\n{pair.moved}")
    print()
    print(one_line(found.basis))
    tell_notes(found.notes)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)
