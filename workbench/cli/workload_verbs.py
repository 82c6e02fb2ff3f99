"""The verbs of `workbench workload` that read workloads and print or write one: describe, cut, scale, convert."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import add_input, add_output, check_output, put, read_workload
from workbench.config import load_path
from workbench.values.errors import CommandError
from workbench.workloads import Workload, anonymise, cut, merge, sample, scale_load, scale_time, with_nodes
from workbench.workloads.description import describe
from workbench.workloads.findings import findings

FOUND = 1


def add(verbs: Subcommands) -> None:
    """Describe the verbs on the command line."""
    _add_describe(verbs)
    _add_cut(verbs)
    _add_scale(verbs)
    _add_convert(verbs)


def _add_describe(verbs: Subcommands) -> None:
    parser = verbs.add_parser(
        "describe",
        help="say what a workload is like",
        description="Says how much of what arrives when, from whom, for which queues, how much of the nodes that asks for, and "
        "what is odd about it. With --design it also asks the scheduler what it would refuse, and with nodes it says what would "
        "fit on none: then the exit code is 1 if there is such a thing.",
    )
    add_input(parser)
    _add_nodes(parser)
    parser.add_argument("--design", type=Path, metavar="FILE", help="a queues.yaml, whose refusals are told")
    parser.set_defaults(execute=described)


def described(arguments: argparse.Namespace) -> int:
    """Print the description; 1 if something can never run."""
    config = load_path(arguments.design) if arguments.design is not None else None
    workload = _on_nodes(read_workload(arguments), arguments)
    print(describe(workload))
    found = findings(workload, config)
    if found:
        print("\nCan never run")
        for each in found:
            print(f"  - {each}")
    return FOUND if found else 0


def _add_cut(verbs: Subcommands) -> None:
    parser = verbs.add_parser(
        "cut",
        help="take a window of time",
        description="Takes the jobs that arrive in a window of time, whose beginning is the new zero.",
    )
    add_input(parser)
    parser.add_argument("--since", metavar="TIME", help="since the workload's zero, such as 2h or 1d12h")
    parser.add_argument("--until", metavar="TIME", help="likewise; what arrives then or later is left out")
    parser.add_argument("--warm-up", metavar="TIME", help="keep so much before, to fill the cluster; measures begin behind it")
    add_output(parser)
    parser.set_defaults(execute=cut_out)


def cut_out(arguments: argparse.Namespace) -> int:
    """The jobs of a window."""
    check_output(arguments)
    return put(cut(read_workload(arguments), arguments.since, arguments.until, arguments.warm_up), arguments)


def _add_scale(verbs: Subcommands) -> None:
    parser = verbs.add_parser(
        "scale",
        help="more or less load, or other times",
        description="Makes the load or the times larger or smaller. A copy of a job arrives up to ten minutes after it.",
    )
    add_input(parser)
    parser.add_argument("--load", type=float, metavar="FACTOR", help="so many times as many jobs")
    parser.add_argument("--time", type=float, metavar="FACTOR", help="all times, durations as well, so many times as long")
    parser.add_argument("--arrivals", type=float, metavar="FACTOR", help="all times but durations so many times as long")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides which jobs (0)")
    add_output(parser)
    parser.set_defaults(execute=scaled)


def scaled(arguments: argparse.Namespace) -> int:
    """The workload with more or less load, or other times."""
    if arguments.load is None and arguments.time is None and arguments.arrivals is None:
        raise CommandError("say what to scale: --load, --time or --arrivals")
    check_output(arguments)
    workload = read_workload(arguments)
    if arguments.time is not None:
        workload = scale_time(workload, arguments.time)
    if arguments.arrivals is not None:
        workload = scale_time(workload, arguments.arrivals, durations=False)
    if arguments.load is not None:
        workload = scale_load(workload, arguments.load, arguments.seed)
    return put(workload, arguments)


def _add_convert(verbs: Subcommands) -> None:
    parser = verbs.add_parser(
        "convert",
        help="write a workload in another format, merged, sampled or without names",
        description="Reads a workload in one format and writes it in another. What the other cannot say is told.",
    )
    add_input(parser)
    _add_nodes(parser)
    parser.add_argument(
        "--merge", type=Path, action="append", default=[], metavar="FILE", help="add the jobs of this one; repeatable"
    )
    parser.add_argument("--sample", type=float, metavar="FRACTION", help="keep only so many of the jobs, such as 0.1")
    parser.add_argument("--anonymise", action="store_true", help="number users, groups, ids and values of tags")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides which jobs, and which numbers (0)")
    add_output(parser)
    parser.set_defaults(execute=convert)


def convert(arguments: argparse.Namespace) -> int:
    """The same workload in another format, after what else is asked for."""
    check_output(arguments)
    workload = read_workload(arguments)
    if arguments.merge:
        workload = merge(workload, *(read_workload(arguments, each) for each in arguments.merge))
    if arguments.sample is not None:
        workload = sample(workload, arguments.sample, arguments.seed)
    workload = _on_nodes(workload, arguments)
    if arguments.anonymise:
        workload = anonymise(workload, arguments.seed)
    return put(workload, arguments)


def _add_nodes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nodes", metavar="TEXT", help='on these nodes: "20 x vcore=8,memory=32Gi", pools with ; between them')


def _on_nodes(workload: Workload, arguments: argparse.Namespace) -> Workload:
    return workload if arguments.nodes is None else with_nodes(workload, arguments.nodes)
