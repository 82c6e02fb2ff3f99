"""`workbench record`: a scheduler that runs is followed, and what happens in it is kept as a workload. WL-12."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from workbench.cli.output import one_line
from workbench.cli.progress import Progress
from workbench.cli.stopping import asked_to_stop
from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import tell_notes
from workbench.cli.writable import check_writable
from workbench.values.errors import CommandError, FileError
from workbench.workloads import write
from workbench.workloads.recording.follow import Following
from workbench.workloads.recording.made import workload_of
from workbench.workloads.recording.record import Record
from workbench.workloads.sources.registry import written_as
from workbench.workloads.spans import FORM, parse_span

SAVED_EVERY_S = 30.0
SHARE_OF_TIME = 20
"""Writing takes a twentieth of the time at most: a long recording is written less often."""
SLICE_S = 0.2
"""So soon a request to end is seen."""


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "record",
        help="follow a scheduler that runs, and keep what happens as a workload",
        description="Follows a scheduler that runs by its events, and writes what arrives, from whom, in which queue, how large "
        "and how long it runs, as a workload file that 'workbench simulate' plays. The scheduler is only asked, never told "
        "anything. Goes on when it cannot be reached or starts anew, and says what was missed. The file is whole at any time; "
        "Ctrl-C ends it.",
    )
    command.add_argument("url", metavar="URL", help="the address of the scheduler, such as http://localhost:9080")
    command.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="workload to write, such as monday.yaml")
    until = command.add_mutually_exclusive_group()
    until.add_argument("--for", dest="span", metavar="TIME", help="end after that time, such as 8h")
    until.add_argument("--until-stopped", action="store_true", help="go on until Ctrl-C, which is what it does without --for")
    command.add_argument("--past", action="store_true", help="begin with the events that the scheduler still has")
    command.add_argument("--every", default="10s", metavar="TIME", help="between two questions; 10s if not given")
    command.add_argument("--token-file", type=Path, metavar="FILE", help="a file with the token of a service that wants one")
    command.add_argument("--header", metavar="'NAME: VALUE'", help="a header to send, such as 'X-Team: research'")
    command.add_argument("--timeout", default="30s", metavar="TIME", help="that an answer may take; 30s if not given")
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Record, write, say what it is. 0, or what a shell reports of a process that was stopped before its time."""
    from workbench.importers.rest_client import client, credentials

    written_as(arguments.output)
    check_writable(arguments.output)
    if arguments.output.exists():
        raise CommandError(f"{arguments.output} is there already; a recording takes the place of nothing, give another name")
    span, every, timeout = (_seconds(arguments, name) for name in ("span", "every", "timeout"))
    assert every is not None and timeout is not None
    asking = client(arguments.url, **credentials(arguments.token_file, arguments.header), seconds=timeout)
    with asked_to_stop() as asked, Progress(sys.stderr, shown=sys.stderr.isatty()) as progress:
        keeping = Keeping(arguments.output, progress.show, span)

        def ended() -> bool:
            return asked() or keeping.time_is_over()

        following = Following(
            asking, wait=lambda seconds: wait(seconds, ended), ended=ended, every_s=every, past=arguments.past, kept=keeping.kept
        )
        try:
            following.run()
            following.finish()
        finally:
            if following.began:
                keeping.save(following.record)
    workload = workload_of(following.record)
    tell_notes(workload.notes)
    print(one_line(f"{arguments.output}: {len(workload.jobs):,} jobs of {following.record.events:,} events"))
    return asked.exit_code if span is not None else 0


class Keeping:
    """Writes the file now and then, and tells how far it is."""

    def __init__(
        self,
        path: Path,
        tell: Callable[[float, str], None],
        span_s: float | None,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.path, self.tell, self.span_s, self.clock = path, tell, span_s, clock
        self.began = clock()
        self.next_save = self.began + SAVED_EVERY_S

    def time_is_over(self) -> bool:
        return self.span_s is not None and self.clock() - self.began >= self.span_s

    def kept(self, record: Record) -> None:
        """After each batch. A file that cannot be written just now is tried again, and in earnest at the end."""
        now = self.clock()
        share = (now - self.began) / self.span_s if self.span_s else 0.0
        self.tell(share, f"{record.events:,} events, {len(record.applications):,} applications")
        if now < self.next_save:
            return
        try:
            self.save(record)
        except FileError as error:
            self.tell(share, str(error))
        after = self.clock()
        self.next_save = after + max(SAVED_EVERY_S, SHARE_OF_TIME * (after - now))

    def save(self, record: Record) -> None:
        """All that was recorded, whole. FileError if it cannot be written; what was in the file still is."""
        write(workload_of(record, name=self.path.name.partition(".")[0]), self.path)


def wait(seconds: float, ended: Callable[[], bool], sleep: Callable[[float], None] = time.sleep) -> None:
    """Wait, but no longer than somebody wants to."""
    slices = max(1, round(seconds / SLICE_S))
    for _ in range(slices):
        if ended():
            return
        sleep(seconds / slices)


def _seconds(arguments: argparse.Namespace, name: str) -> float | None:
    text = getattr(arguments, name)
    if text is None:
        return None
    try:
        found = parse_span(text) / 1000
    except ValueError as error:
        raise CommandError(f"--{'for' if name == 'span' else name}: {error}; {FORM}") from None
    if not found:
        raise CommandError(f"--{'for' if name == 'span' else name}: no time at all; {FORM}")
    return found
