"""The verbs of `workbench workload` that read one workload and print or write one."""

from __future__ import annotations

import argparse

from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import add_input, add_output, check_output, put, read_workload


def add(verbs: Subcommands) -> None:
    """Describe the verbs on the command line."""
    _add_convert(verbs)


def _add_convert(verbs: Subcommands) -> None:
    parser = verbs.add_parser(
        "convert",
        help="write a workload in another format",
        description="Reads a workload in one format and writes it in another. What the other cannot say is told.",
    )
    add_input(parser)
    add_output(parser)
    parser.set_defaults(execute=convert)


def convert(arguments: argparse.Namespace) -> int:
    """The same workload in another format."""
    check_output(arguments)
    return put(read_workload(arguments), arguments)
