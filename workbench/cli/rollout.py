"""`workbench rollout`: what a new queues.yaml would do to a live cluster, before anybody rolls it out. RO-1 to RO-3."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from workbench.cli.output import one_line
from workbench.cli.progress import Progress
from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import add_reading, read_any
from workbench.cli.writable import check_writable
from workbench.files.writing import write_file
from workbench.rollouts import read_live, rollout
from workbench.rollouts.horizon import MOST
from workbench.scheduler.releases.profiles import PROFILES, release_names


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "rollout",
        help="say what a new configuration would do to a live cluster, and how to go back",
        description="Tries a new queues.yaml on a cluster as it is now, with the decisions of the real scheduler: would it be "
        "accepted, what changes, what happens to what runs and waits, which advice is new, what to tell people, and how to go "
        "back. Nothing is written to any cluster. Exit code 0 when nothing stands against it, 1 when something would be stopped "
        "or refused, 2 when something cannot be read.",
    )
    command.add_argument("new", type=Path, metavar="NEW", help="the new queues.yaml, or the ConfigMap that carries it")
    command.add_argument(
        "--live",
        required=True,
        metavar="SOURCE",
        help="the cluster: the address of a scheduler that runs, which is only read; a folder of its saved answers; Kubernetes "
        "objects; or a scenario, at the moment when all its events have happened",
    )
    command.add_argument("--token-file", type=Path, metavar="FILE", help="with the token of a scheduler whose address wants one")
    command.add_argument("--workload", dest="file", type=Path, metavar="FILE", help="also compare both with this workload")
    command.add_argument("--seeds", type=_count, default=1, metavar="N", help="of that comparison; 1 if not given")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="also write everything into one page, report.html")
    command.add_argument("--json", type=Path, metavar="FILE", help="also write it as JSON")
    command.add_argument(
        "--patch", type=Path, metavar="FILE", help="also write what 'kubectl patch configmap yunikorn-configs --patch-file' takes"
    )
    command.add_argument("--back", type=Path, metavar="FILE", help="also write the patch that goes back to what is in force")
    command.add_argument(
        "--engine",
        choices=tuple(PROFILES),
        metavar="RELEASE",
        help=f"the release of the core whose rules hold: {release_names('or')}; what the source says if not given",
    )
    command.add_argument(
        "--minutes",
        type=_count,
        metavar="N",
        help=f"look so far ahead, {MOST} at most; if not given, as far as the delays of preemption want, and at least ten",
    )
    add_reading(command)
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Try it, print, write. 0 or 1."""
    for path in (arguments.output, arguments.json, arguments.patch, arguments.back):
        if path is not None:
            check_writable(path)
    workload = None if arguments.file is None else read_any(arguments)
    with Progress(sys.stderr, shown=sys.stderr.isatty()) as progress:
        found = rollout(
            arguments.new,
            read_live(arguments.live, release=arguments.engine, **_options(arguments)),
            workload,
            release=arguments.engine,
            minutes=arguments.minutes,
            seeds=arguments.seeds,
            progress=progress.show,
        )
    print(found)
    if arguments.output is not None:
        found.to_html(arguments.output)
    if arguments.json is not None:
        found.to_json(arguments.json)
    if arguments.back is not None:
        write_file(arguments.back, found.patch_back())
    if arguments.patch is not None:
        if found.acceptance.accepted:
            write_file(arguments.patch, found.patch())
        else:
            print(one_line(f"no patch was written to {arguments.patch}: the file would not come into force"), file=sys.stderr)
    return found.exit_code


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    return {} if arguments.token_file is None else {"token_file": arguments.token_file}


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)
