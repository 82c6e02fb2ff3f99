"""What stands in the columns of Slurm's accounting: ids, instants, spans of time, amounts."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final, NamedTuple

from workbench.values.found import shown

NOT_KNOWN: Final = frozenset(("", "unknown", "none", "n/a", "invalid", "(null)"))
NO_LIMIT: Final = frozenset(("unlimited", "partition_limit", "infinite", *NOT_KNOWN))
MOST_OF_ARRAY: Final = 100_000
"""Tasks of an array that has not started."""

_ID = re.compile(r"([0-9]{1,15})(?:_([0-9]{1,9})|_\[([^\]]*)\]?)?(?:\+([0-9]{1,6}))?")
_STEP = re.compile(r"[0-9_+\[\],:%-]+\.[A-Za-z0-9_+.-]+")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})(?::([1-9][0-9]{0,8}))?)?")
_SPAN = re.compile(r"(?:([0-9]{1,6})-)?(?:([0-9]{1,6}):)?([0-9]{1,4}):([0-9]{1,2})(?:\.[0-9]*)?")
_AMOUNT = re.compile(r"([0-9]{1,15}(?:\.[0-9]{0,9})?)([KMGTPE]?)[bB]?([cn]?)", re.IGNORECASE)
_UNITS: Final = {"": 2**20, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50, "E": 2**60}
_COUNT = re.compile(r"([0-9]{1,15})([KMG]?)")
_EPOCH = datetime(1970, 1, 1)
_GPU: Final = "gres/gpu"
_IGNORED: Final = frozenset(("billing", "energy", "fs/disk", "vmem", "pages"))


class JobId(NamedTuple):
    """The id of a row.

    Attributes:
        ids: of the job, or of all tasks of an array that had not started: `123`, `123_4`.
        component: of a heterogeneous job, `+0`; empty for others.
    """

    ids: tuple[str, ...]
    component: str = ""


def is_step(text: str) -> bool:
    """Whether an id is that of a step, such as `123.batch`, which is part of a job that has a row of its own."""
    return _STEP.fullmatch(text) is not None


def parse_id(text: str) -> JobId:
    """The id of a job; an array that has not started stands for all its tasks.

    Raises:
        ValueError: it is no such id.

    >>> parse_id("123_4"), parse_id("123+1"), parse_id("7_[1,3-5%2]").ids
    (JobId(ids=('123_4',), component=''), JobId(ids=('123',), component='+1'), ('7_1', '7_3', '7_4', '7_5'))
    """
    found = _ID.fullmatch(text)
    if found is None:
        raise ValueError(f"{shown(text)} is no id such as 123, 123_4, 123_[5-9] or 123+0")
    job, task, tasks, component = found.groups()
    if tasks is not None:
        return JobId(tuple(f"{job}_{each}" for each in _array(text, tasks)))
    return JobId((f"{job}_{task}" if task is not None else job,), f"+{component}" if component is not None else "")


def _array(whole: str, text: str) -> list[int]:
    found: list[int] = []
    for part in text.partition("%")[0].split(","):
        numbers = _RANGE.fullmatch(part.strip())
        if numbers is None:
            raise ValueError(
                f"{shown(whole)}: {shown(part)} is no part of an array such as 5, 5-9 or 0-10:2 (is the list cut off?)"
            )
        low = int(numbers[1])
        each = range(low, int(numbers[2] or low) + 1, int(numbers[3] or 1))
        if len(found) + len(each) > MOST_OF_ARRAY or not each:
            raise ValueError(f"{shown(whole)}: an array has 1 to {MOST_OF_ARRAY} tasks")
        found += each
    return found


def parse_instant(text: str) -> float | None:
    """Seconds since 1970 of an instant, whose time zone counts only if it is written; None if it is not known.

    Raises:
        ValueError: it is none.

    >>> parse_instant("1970-01-02T00:00:00"), parse_instant("Unknown"), parse_instant("86400")
    (86400.0, None, 86400.0)
    """
    if text.lower() in NOT_KNOWN:
        return None
    if text.isascii() and text.isdigit() and len(text) <= 12:
        return float(text) or None
    try:
        instant = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise ValueError(f"{shown(text)} is no time such as 2026-01-05T08:00:00, Unknown or None") from None
    if instant.tzinfo is not None:
        instant = instant.astimezone(UTC).replace(tzinfo=None)
    return (instant - _EPOCH).total_seconds()


def parse_span(text: str) -> int | None:
    """Seconds of `[days-][hours:]minutes:seconds`; None if it is not known.

    Raises:
        ValueError: it is none.

    >>> parse_span("1-02:00:00"), parse_span("00:01:30"), parse_span("01:30"), parse_span("")
    (93600, 90, 90, None)
    """
    if text.lower() in NOT_KNOWN:
        return None
    found = _SPAN.fullmatch(text)
    if found is None:
        raise ValueError(f"{shown(text)} is no span of time such as 1-02:03:04 or 02:03:04")
    days, hours, minutes, seconds = (int(each or 0) for each in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def parse_limit(text: str) -> int | None:
    """Seconds of a time limit; None where there is none, or it is that of the partition. ValueError as `parse_span`."""
    return None if text.lower() in NO_LIMIT else parse_span(text)


class Amounts(NamedTuple):
    """Trackable resources of a job, all nodes together; None for what is not told.

    Attributes:
        memory: bytes.
        gpus: graphics cards of all kinds.
        gpu_type: the one kind of which they all are; empty if not told.
        others: names of what has no counterpart here, such as licenses.
    """

    cpus: int | None = None
    memory: int | None = None
    nodes: int | None = None
    gpus: int = 0
    gpu_type: str = ""
    others: tuple[str, ...] = ()


def parse_tres(text: str) -> Amounts:
    """A list of trackable resources. Cards of a kind (`gres/gpu:a100=2`) tell the kind of those that `gres/gpu=2` counts.

    Raises:
        ValueError: an entry is no `name=amount`.

    >>> parse_tres("billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=16G,node=2")
    Amounts(cpus=8, memory=17179869184, nodes=2, gpus=2, gpu_type='a100', others=())
    """
    if text.lower() in NOT_KNOWN:
        return Amounts()
    known: dict[str, int] = {}
    kinds: dict[str, int] = {}
    others = []
    for entry in text.split(","):
        name, sign, amount = entry.strip().partition("=")
        if not sign or not name:
            raise ValueError(f"{shown(entry)} is no entry such as cpu=4")
        if name in ("cpu", "node", _GPU):
            known[name] = _count(entry, amount)
        elif name == "mem":
            known[name] = parse_memory(amount)[0]
        elif name.startswith(f"{_GPU}:"):
            kinds[name.removeprefix(f"{_GPU}:")] = _count(entry, amount)
        elif name not in _IGNORED and amount not in ("", "0"):
            others.append(name)
    kinds = {kind: count for kind, count in kinds.items() if count}
    gpus = known.get(_GPU, sum(kinds.values()))
    return Amounts(
        known.get("cpu"),
        known.get("mem"),
        known.get("node"),
        gpus,
        next(iter(kinds)) if len(kinds) == 1 and gpus else "",
        tuple(others),
    )


def parse_memory(text: str) -> tuple[int, str]:
    """Bytes, and `c` or `n` if they are for each processor or node. Without a unit it is mebibytes.

    Raises:
        ValueError: it is no amount.

    >>> parse_memory("4Gc"), parse_memory("500"), parse_memory("1.5Gn")
    ((4294967296, 'c'), (524288000, ''), (1610612736, 'n'))
    """
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise ValueError(f"{shown(text)} is no memory such as 4000M, 16G, 4Gc (for each processor) or 16Gn (for each node)")
    whole, _, part = found[1].partition(".")
    unit = _UNITS[found[2].upper()]
    return int(whole) * unit + (int(part) * unit // 10 ** len(part) if part else 0), found[3].lower()


def parse_count(text: str) -> int | None:
    """A whole number, which may be written with K, M or G for thousands; None if it is not known. ValueError if it is none."""
    return None if text.lower() in NOT_KNOWN else _count(text, text)


def _count(entry: str, amount: str) -> int:
    found = _COUNT.fullmatch(amount)
    if found is None:
        raise ValueError(f"{shown(entry)}: {shown(amount)} is no whole number")
    return int(found[1]) * {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}[found[2]]
