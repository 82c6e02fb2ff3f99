"""`workbench validate`: whether the scheduler would accept a configuration, and if not, what and in which line."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.config import load_path
from workbench.config.model import QueueConfig, SchedulerConfig
from workbench.errors import ConfigError


def add(subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "validate", help="check a queue configuration as the scheduler would",
        description="Reads a queues.yaml as the scheduler does and prints its error, with the line, if it would be refused. "
                    "Like the scheduler it stops at the first error. Exit code 0 only when every file is valid.")
    command.add_argument("files", nargs="+", metavar="FILE", type=Path, help="a queues.yaml")
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Print a line for each file; 0 if all are valid, else 1."""
    refused = 0
    for path in arguments.files:
        try:
            print(f"{path}: valid: {summary(load_path(path))}")
        except ConfigError as error:
            print(error)
            refused += 1
    return 1 if refused else 0


def summary(config: SchedulerConfig) -> str:
    """How much there is, such as "1 partition, 12 queues"."""
    queues = sum(count(partition.root) for partition in config.partitions)
    return f"{_counted(len(config.partitions), 'partition')}, {_counted(queues, 'queue')}"


def count(queue: QueueConfig) -> int:
    """The queue and all below it."""
    return 1 + sum(count(child) for child in queue.queues)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
