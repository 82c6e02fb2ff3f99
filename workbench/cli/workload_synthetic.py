"""The verbs of `workbench workload` about made-up workloads: draw one from a description, describe a measured one."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from workbench.cli.output import one_line
from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import add_input, add_output, check_output, put, read_workload
from workbench.files.reading import is_folder
from workbench.files.writing import write_file
from workbench.values.errors import CommandError, WorkloadError
from workbench.workloads import PRESETS, Preset, Synthetic, fit, preset, read
from workbench.workloads.generators.writing import to_yaml
from workbench.workloads.spans import parse_span


def add(verbs: Subcommands) -> None:
    """Describe the verbs on the command line."""
    _add_synthetic(verbs)
    _add_fit(verbs)


# -- synthetic ----------------------------------------------------------------------------------------------------------


def _add_synthetic(verbs: Subcommands) -> None:
    presets = "; ".join(f"{name}: {recipe.title}" for name, recipe in PRESETS.items())
    parser = verbs.add_parser(
        "synthetic",
        help="make up a workload",
        description="Draws a workload from a description in a file, or from a preset. The same seed draws the same one everywhere.",
        epilog=f"Presets: {presets}.",
    )
    parser.add_argument("file", type=Path, nargs="?", metavar="SPEC", help="a file of a workload with the key synthetic or preset")
    parser.add_argument("--preset", choices=list(PRESETS), metavar="NAME", help=f"instead of a file: {', '.join(PRESETS)}")
    parser.add_argument("--nodes", type=int, metavar="N", help="how many nodes a preset has")
    parser.add_argument("--load", type=float, metavar="SHARE", help="what is asked for, as a share of the cluster, such as 0.9")
    parser.add_argument("--length", metavar="TIME", help="until when jobs arrive, such as 7d")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another number draws another workload (0)")
    parser.add_argument("--describe", action="store_true", help="print what it would be instead of drawing it")
    parser.add_argument("--design", type=Path, metavar="FILE", help="write the queue tree of a preset there, too")
    add_output(parser)
    parser.set_defaults(execute=synthetic)


def synthetic(arguments: argparse.Namespace) -> int:
    """Draw a workload and write it, or say what it would be."""
    made = _described(arguments)
    check_output(arguments)
    if arguments.design is not None:
        if not isinstance(made, Preset):
            raise CommandError("only a preset has a queue tree: --design goes with --preset")
        write_file(arguments.design, made.design())
        print(one_line(f"{arguments.design}: the queue tree of {made.name}"), file=sys.stderr)
    if arguments.describe:
        print(made)
        return 0
    return put(made.workload(arguments.seed), arguments)


def _described(arguments: argparse.Namespace) -> Synthetic | Preset:
    """The preset or the description in the file, with what else was asked for."""
    if (arguments.file is None) == (arguments.preset is None):
        raise CommandError("give a file with a description, or --preset with one of " + ", ".join(PRESETS))
    made: object
    if arguments.preset is not None:
        made = preset(arguments.preset, nodes=arguments.nodes)
    else:
        made = read(arguments.file)
        if arguments.nodes is not None and not isinstance(made, Preset):
            raise CommandError("--nodes goes with a preset; a description in a file names its pools")
    if not isinstance(made, Synthetic | Preset):
        raise CommandError(f"{arguments.file} holds jobs, not a description of how to make them: the key synthetic is missing")
    if arguments.load is not None and not 0 < arguments.load <= 100:
        raise CommandError(f"the load must be above 0 and at most 100 times the cluster, found {arguments.load:g}")
    try:
        if isinstance(made, Preset) and arguments.nodes is not None:
            made = preset(made.name, nodes=arguments.nodes, load=made.load, length=made.length_ms / 1000, seed=made.seed)
        if arguments.load is not None:
            made = replace(made, load=arguments.load)
        if arguments.length is not None:
            length_ms = parse_span(arguments.length)
            if not length_ms:
                raise ValueError("the length must be above 0")
            made = replace(made, length_ms=length_ms)
    except ValueError as error:
        raise CommandError(str(error)) from None
    return made


# -- fit ----------------------------------------------------------------------------------------------------------------


def _add_fit(verbs: Subcommands) -> None:
    parser = verbs.add_parser(
        "fit",
        help="describe a workload as a made-up one",
        description="Describes a measured workload by arrivals, durations, sizes and users of its classes, so that it can be drawn "
        "again, scaled, and shared without names: users are numbered, queues and classes keep theirs. How well it fits and what is "
        "lost is told on standard error.",
    )
    add_input(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the description there; without it, it is printed")
    parser.set_defaults(execute=fitted)


def fitted(arguments: argparse.Namespace) -> int:
    """Describe a workload."""
    if arguments.output is not None and is_folder(arguments.output, error=WorkloadError):
        raise CommandError(f"{arguments.output} is a folder")
    found = fit(read_workload(arguments))
    text = to_yaml({"workload": {"synthetic": found.written()}})
    print(found.report, file=sys.stderr)
    if arguments.output is None:
        print(text, end="")
        return 0
    write_file(arguments.output, text)
    print(one_line(f"{arguments.output}: {found.sentence()}"))
    return 0
