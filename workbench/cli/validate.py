"""`workbench validate`: whether the scheduler would accept a configuration, and what in it does not do what it seems to."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.advice import Check, check_texts, checks
from workbench.advice.lint import SEVERITIES
from workbench.cli.output import one_line
from workbench.cli.subcommands import Subcommands
from workbench.config import load_config
from workbench.config.model import QueueConfig, SchedulerConfig
from workbench.config.service import Problem, load_service
from workbench.config.write.export import from_configmap, is_configmap
from workbench.files.reading import decoded, read_bytes
from workbench.scheduler.releases.profiles import DEFAULT, PROFILES, profile_of, release_names
from workbench.values.errors import ConfigError


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "validate",
        help="check a queue configuration as the scheduler would",
        description="Reads a queues.yaml as the scheduler does and prints its error, with the line, if it would be refused. "
        "Like the scheduler it stops at the first error. After a valid file come, with their lines, errors that "
        "only loading shows, warnings about what has no effect or cannot hold, and hints. Exit code 0 only when "
        "every file is valid, 2 when one cannot be read.",
    )
    command.add_argument("files", nargs="+", metavar="FILE", type=Path, help="a queues.yaml, or the ConfigMap that carries it")
    command.add_argument(
        "--release",
        metavar="VERSION",
        choices=PROFILES,
        default=DEFAULT.version,
        help=f"what this release of the core would say: {release_names('or')}; {DEFAULT.version} if not given",
    )
    command.add_argument("--strict", action="store_true", help="exit code 0 only without errors of loading and without warnings")
    command.add_argument("--quiet", action="store_true", help="no warnings and hints, only whether each file is valid")
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Print a line for each file and for each thing to say of it; 0 if all are well, 2 if one cannot be read, else 1."""
    # Validation answers as the real service does, which says yes to what may not load (C-172).
    counting = ("error", "warning") if arguments.strict else ()
    refused = unreadable = 0
    for path in arguments.files:
        try:
            data = read_bytes(path)
        except ConfigError as error:
            print(one_line(str(error)))
            unreadable += 1
            continue
        try:
            text = decoded(data, source=str(path))
            config, problems = read(text, str(path), limits_by_path=profile_of(arguments.release).limits_by_path)
        except ConfigError as error:
            error.source = error.source or str(path)
            print(one_line(str(error)))
            refused += 1
            continue
        told = checks(config, release=arguments.release)
        print(one_line(f"{path}: valid: {summary(config)}{_tally(told)}"))
        for problem in () if arguments.quiet else problems:
            print(one_line(f"{path}:{problem}"))
        refused += len(problems) if "warning" in counting else 0
        for check in told:
            refused += check.severity in counting
            if check.severity == "error" or not arguments.quiet:
                print(one_line(f"{path}:{check}" if check.line else f"{path}: {check}"))
                for remedy in check.remedies:
                    print(one_line(f"    {check_texts.REMEDY}: {remedy.description}"))
    return 2 if unreadable else 1 if refused else 0


def read(text: str, source: str, *, limits_by_path: bool = True) -> tuple[SchedulerConfig, list[Problem]]:
    """The queue configuration in a text or in a ConfigMap, and what is wrong with the service configuration beside it.

    ConfigError if the scheduler would refuse it.
    """
    if not is_configmap(text):
        return load_config(text, source=source, limits_by_path=limits_by_path), []
    inside = f"{source}, queue configuration"
    config = load_config(from_configmap(text), source=inside, limits_by_path=limits_by_path)
    return config, load_service(text, source=source).problems()


def _tally(told: tuple[Check, ...]) -> str:
    """How many there are of each severity, such as "; 2 warnings, 1 hint"; "" for none."""
    counts = [(severity, sum(check.severity == severity for check in told)) for severity in SEVERITIES]
    found = [_counted(number, severity) for severity, number in counts if number]
    return f"; {', '.join(found)}" if found else ""


def summary(config: SchedulerConfig) -> str:
    """How much there is, such as "1 partition, 12 queues"."""
    queues = sum(count(partition.root) for partition in config.partitions)
    return f"{_counted(len(config.partitions), 'partition')}, {_counted(queues, 'queue')}"


def count(queue: QueueConfig) -> int:
    """The queue and all below it."""
    return 1 + sum(count(child) for child in queue.queues)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
