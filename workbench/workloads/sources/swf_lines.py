"""A line and a head of the Standard Workload Format, version 2.2 of its definition by the Parallel Workloads Archive.

A job is a line of 18 numbers, -1 for what is not known; times in seconds, which may have a fraction, memory in kilobytes for each
processor. Lines that begin with `;` are comments; those of the form `; Name: value` at the start are the head of the file.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from workbench.values.found import shown
from workbench.workloads.model import LAST_MS

UNKNOWN: Final = -1

FIELDS: Final = (
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "average CPU time used",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
)
"""The fields in their order."""

PARTIAL: Final = (2, 3, 4)
"""Status of a line that tells one of several executions of a job: to be continued, the last and completed, the last and failed."""
STATES: Final = {0: "failed", 1: "completed", 5: "cancelled"}

_USED: Final = (0, 3, 4, 7, 9, 11, 12, 13, 14, 15, 16)
"""Places of fields that are read and have to be -1 or more; others are not looked at. The submit time is looked at apart."""
_TIMES: Final = (1, 2, 3, 5, 8, 17)
"""Places of fields in seconds."""
_AVERAGES: Final = (6, 9)
"""Places of fields in kilobytes for each processor, which some writers divide out."""
_LAST_S: Final = LAST_MS // 1000
_MOST: Final = 10**15
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{0,18})?([eE][+-]?[0-9]{1,2})?")
_HEADER = re.compile(r";+\s*([A-Za-z][A-Za-z _-]*?)\s*:\s*(.*?)\s*")
_LEADING = re.compile(r"([0-9]{1,15})(?![0-9])")
_QUEUE = re.compile(r"([0-9]{1,15})\s+(\S.*)")
_OWN_KEYS: Final = frozenset(
    "version computer installation acknowledge conversion maxjobs maxrecords preemption unixstarttime timezone timezonestring "
    "starttime endtime maxnodes maxprocs maxruntime maxmemory allowoveruse maxqueues queues queue maxpartitions partitions "
    "partition".split()
)


class BrokenLine(ValueError):
    """A line that is no job; its text says why."""


class Line(NamedTuple):
    """The fields that become something, as they stand in the file; times in milliseconds."""

    number: int
    submit_ms: int
    run_ms: int
    """-1 if it is not known."""
    allocated: int
    used_kb: int
    requested: int
    requested_kb: int
    status: int
    user: int
    group: int
    executable: int
    queue: int
    partition: int
    preceding: int
    think_s: float


def parse_line(text: str) -> Line:
    """The job in a line.

    Raises:
        BrokenLine: it has another number of fields, one of them is no number, or has a value that the definition does not allow.
    """
    fields = text.split()
    if len(fields) != len(FIELDS):
        raise BrokenLine(f"a job has {len(FIELDS)} fields, this line {len(fields)}")
    values: list[int] | list[float]
    try:
        if "_" in text:  # which Python allows between digits
            raise ValueError
        values = [int(each) for each in fields]
        submit_ms, run_ms = values[1] * 1000, values[3] * 1000 if values[3] > 0 else values[3]
    except ValueError:
        values = [_number(place, each) for place, each in enumerate(fields)]
        submit_ms, run_ms = round(values[1] * 1000), round(values[3] * 1000) if values[3] > 0 else int(values[3])
    for place in _USED:
        if not UNKNOWN <= values[place] <= _MOST:
            raise BrokenLine(
                f"{_called(place)} is {shown(fields[place])}: it must be from 0 to {_MOST:.0e}, or -1 if it is not known"
            )
    status = int(values[10])
    if values[0] < 0:
        raise BrokenLine(f"{_called(0)} is {shown(fields[0])}: every job needs a number from 1 up")
    if not 0 <= values[1] <= _LAST_S and not (status in PARTIAL and values[1] == UNKNOWN):
        raise BrokenLine(f"{_called(1)} is {shown(fields[1])}: it must be from 0 to {_LAST_S} seconds")
    if values[3] > _LAST_S:
        raise BrokenLine(f"{_called(3)} is {shown(fields[3])}: it must be at most {_LAST_S} seconds")
    return Line(
        int(values[0]),
        submit_ms,
        run_ms,
        int(values[4]),
        int(values[6]),
        int(values[7]),
        int(values[9]),
        status,
        int(values[11]),
        int(values[12]),
        int(values[13]),
        int(values[14]),
        int(values[15]),
        int(values[16]),
        values[17],
    )


def _number(place: int, text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise BrokenLine(f"{_called(place)} is {shown(text)}: it must be a number")
    value = float(text)
    if place in _AVERAGES and value >= 0:
        return float(-(-value // 1))
    if place not in _TIMES and value != int(value):
        raise BrokenLine(f"{_called(place)} is {shown(text)}: it must be a whole number")
    return value if place in _TIMES else int(value)


def _called(place: int) -> str:
    return f"field {place + 1} ({FIELDS[place]})"


class Header:
    """What the comments at the start of a file say, by name in small letters; the first of a name counts.

    Attributes:
        queues: the names of queues by number.
    """

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self.queues: dict[int, str] = {}

    def add(self, comment: str) -> None:
        """Take in a line that begins with `;`."""
        found = _HEADER.fullmatch(comment.strip())
        if found is None:
            return
        key, value = found[1].lower(), found[2]
        if key == "queue" and (queue := _QUEUE.fullmatch(value)):
            self.queues.setdefault(int(queue[1]), queue[2])
        else:
            self._values.setdefault(key, value)

    def text(self, key: str) -> str:
        """What is said under that name; empty if nothing is."""
        return self._values.get(key.lower(), "")

    def number(self, key: str) -> int | None:
        """The number at the start of what is said under that name, from 1 up; None if there is none."""
        found = _LEADING.match(self.text(key))
        return int(found[1]) or None if found else None


def looks_like_swf(head: str, *, whole: bool) -> bool:
    """Whether a text is the start of such a file: its first line that is no comment has 18 numbers, or comments name what only such
    files name. `whole` says that its last line is not cut off.
    """
    lines = head.splitlines()
    named = False
    for line in lines if whole else lines[:-1]:
        line = line.strip()
        if line.startswith(";"):
            found = _HEADER.fullmatch(line)
            named = named or (found is not None and found[1].lower() in _OWN_KEYS)
        elif line:
            fields = line.split()
            numbers = all(_NUMBER.fullmatch(each) for each in fields)
            return len(fields) == len(FIELDS) and numbers or named and bool(_NUMBER.fullmatch(fields[0]))
    return named
