"""`workbench export`: what the workbench has, as what another system takes."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from workbench.bench.designs import read_design
from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import tell_notes
from workbench.cli.writable import check_writable
from workbench.explain.wording import counted, name
from workbench.exporters.kubernetes.exporting import export_kubernetes
from workbench.exporters.kubernetes.files import is_one_file, write_export
from workbench.exporters.kubernetes.notes_texts import sentence
from workbench.values.errors import CommandError


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line, one subcommand for each system."""
    kinds = subcommands.add_parser(
        "export",
        help="make objects of Kubernetes of a scenario or a design",
        description="Writes what another system takes of a scenario or a design. What that has no place for is told.",
    ).add_subparsers(title="kinds", metavar="KIND", required=True)
    parser = kinds.add_parser(
        "kubernetes",
        help="namespaces, priority classes, the ConfigMap of the queues, nodes and pods",
        description="Writes a scenario or a design as objects that 'kubectl apply -f' takes: namespaces, priority classes, the "
        "ConfigMap with the queues, nodes, and a pod for each request, with the labels and annotations by which the scheduler "
        "knows application, queue, user and gang. The pods do nothing until somebody ends them. 'workbench import kubernetes' "
        "reads the objects again.",
    )
    parser.add_argument(
        "design", metavar="DESIGN", help="an example by name, a scenario, a queues.yaml, or anything that an importer recognises"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FILE|DIR",
        help="one file with all objects (.yaml), or a folder with a file for each kind, which is made",
    )
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Read it, write the objects, say what they are and what is not in them. WorkbenchError if either cannot be done."""
    output: Path = arguments.output
    if is_one_file(output):
        check_writable(output)
    elif os.path.exists(output) and not output.is_dir():
        raise CommandError(f"cannot write {name(str(output), 120)}: a folder is needed, or a name that ends in .yaml")
    design = read_design(arguments.design)
    export = export_kubernetes(design.simulation.scenario, configmap=design.configmap)
    paths = write_export(export, output)
    tell_notes((*design.notes, *map(sentence, export.notes)))
    print(f"{output}: {counted(export.pods, 'pod')} and {counted(export.nodes, 'node')} in {counted(len(paths), 'file')}")
    return 0
