"""`workbench workload`: what can be done to a workload, one verb each."""

from __future__ import annotations

from workbench.cli import workload_synthetic, workload_verbs
from workbench.cli.subcommands import Subcommands

VERBS = (workload_verbs, workload_synthetic)
"""Modules with `add(verbs)`, which describes their verbs and sets the default `execute`, in the order of the help."""


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line, one subcommand for each verb."""
    verbs = subcommands.add_parser(
        "workload",
        help="describe, cut, scale, convert and make up what arrives at a cluster",
        description="Reads what arrives at a cluster and when, from any format that is known here, and describes or changes it; or "
        "makes it up.",
    ).add_subparsers(title="verbs", metavar="VERB", required=True)
    for module in VERBS:
        module.add(verbs)
