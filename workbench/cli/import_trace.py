"""`workbench import`: a public trace as a scenario file."""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Callable
from pathlib import Path

from workbench.cli.subcommands import Subcommands
from workbench.config import load_path
from workbench.files.writing import write_file
from workbench.importers.alibaba import CONFIG, load_alibaba
from workbench.simulation.scenario import Scenario, scenario_to_json, scenario_to_yaml
from workbench.values.errors import CommandError

WRITERS = {".json": scenario_to_json, ".yaml": scenario_to_yaml, ".yml": scenario_to_yaml}


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line, one subcommand for each kind of trace."""
    kinds = subcommands.add_parser(
        "import",
        help="make a scenario from a public trace",
        description="Makes a scenario file from a public trace.",
    ).add_subparsers(title="traces", metavar="TRACE", required=True)
    alibaba = kinds.add_parser(
        "alibaba",
        help="Alibaba's GPU cluster, cluster-trace-gpu-v2023",
        description="Reads the tables of nodes and tasks of Alibaba's cluster-trace-gpu-v2023. Every task becomes an "
        "application with one ask, in a leaf queue for its class of service.",
    )
    alibaba.add_argument("nodes", type=Path, metavar="NODES.csv", help="the table of nodes")
    alibaba.add_argument("tasks", type=Path, metavar="TASKS.csv", help="the table of tasks")
    alibaba.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FILE",
        help="scenario to write: .json or .yaml, each also with .gz behind it",
    )
    alibaba.add_argument("--first-nodes", type=_count, metavar="N", help="only the first N nodes")
    alibaba.add_argument("--first-tasks", type=_count, metavar="N", help="only the first N tasks")
    alibaba.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="a queues.yaml with the leaves root.guaranteed, root.ls, root.burstable and root.be",
    )
    alibaba.set_defaults(execute=import_alibaba)


def import_alibaba(arguments: argparse.Namespace) -> int:
    """Read the tables, write the scenario, say what it holds. WorkbenchError if either cannot be done."""
    # Before the long work: a slip in the name of the output shows at once.
    writer(arguments.output)
    config = load_path(arguments.config).text if arguments.config else CONFIG
    scenario = load_alibaba(
        arguments.nodes, arguments.tasks, nodes=arguments.first_nodes, tasks=arguments.first_tasks, config=config
    )
    write(scenario, arguments.output)
    print(f"{arguments.output}: {scenario.description}")
    return 0


def writer(path: Path) -> Callable[[Scenario], str]:
    """The function that turns a scenario into the text of a file of that name. CommandError for an unknown ending."""
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    if suffix not in WRITERS:
        raise CommandError(
            f"cannot tell the format of {path} from its name; it must end in .json, .yaml or .yml, or in one of them and .gz"
        )
    return WRITERS[suffix]


def write(scenario: Scenario, path: Path) -> None:
    """Write the scenario in the format that the name says. The same scenario gives the same bytes. FileError if it cannot be."""
    data = writer(path)(scenario).encode("utf-8")
    write_file(path, gzip.compress(data, mtime=0) if path.name.endswith(".gz") else data)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)
