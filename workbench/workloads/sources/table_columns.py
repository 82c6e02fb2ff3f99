"""Which column of a table means what, and in what unit: by its name, or by a mapping: `submit=start_time,memory=mem_gb:GiB`."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from workbench.values.errors import WorkloadError
from workbench.values.found import shown
from workbench.values.quantities import MULTIPLIERS, VCORE

MEANINGS = (
    "id",
    "submit",
    "duration",
    "user",
    "groups",
    "queue",
    "class",
    "priority",
    "count",
    "resources",
    "gang",
    "tags",
    "after",
)
"""What a column can mean, besides the amount of a resource that it is named for."""
TIMES = ("submit", "duration")
TIME_UNITS = {
    "ns": Decimal("0.000001"),
    "us": Decimal("0.001"),
    "ms": Decimal(1),
    "s": Decimal(1000),
    "sec": Decimal(1000),
    "min": Decimal(60_000),
    "h": Decimal(3_600_000),
    "d": Decimal(86_400_000),
}
"""Unit of a time -> its milliseconds."""
AMOUNT_UNITS = {
    "m": Decimal(1),
    "cores": Decimal(1000),
    "B": Decimal(1),
    **{f"{prefix}B": Decimal(size) for prefix, size in MULTIPLIERS.items() if prefix and prefix != "k"},
    "kB": Decimal(1000),
    "KB": Decimal(1000),
}
"""Unit of an amount -> base units: thousandths of a core for `m` and `cores`, bytes for the others."""
CORE_UNITS = ("m", "cores")

Mapped: TypeAlias = "str | Mapping[str, str | tuple[str, str]]"
"""`"submit=start_time,duration=run_min:min"`, or `{"submit": "start_time", "duration": ("run_min", "min")}`."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is read.

    Attributes:
        name: in the table.
        place: of it, from 0.
        meaning: one of MEANINGS, or the resource type whose amount it holds.
        factor: what a number in it is multiplied with to be milliseconds or base units; None where values say their unit.
    """

    name: str
    place: int
    meaning: str
    factor: Decimal | None = None

    @property
    def is_amount(self) -> bool:
        """Whether it holds the amount of a resource."""
        return self.meaning not in MEANINGS


def parse_map(given: Mapped | None) -> dict[str, tuple[str, str]]:
    """What is to be read from which column and in which unit, "" for none.

    Raises:
        WorkloadError: it is no mapping, with what is wrong and what is allowed.

    >>> parse_map("submit=start_time, memory=mem_gb:GiB")
    {'submit': ('start_time', ''), 'memory': ('mem_gb', 'GiB')}
    """
    if given is None:
        return {}
    if not isinstance(given, str):
        named = {meaning: (column, "") if isinstance(column, str) else column for meaning, column in given.items()}
        for meaning, (_, unit) in named.items():
            _known_unit(meaning, unit)
        return named
    found: dict[str, tuple[str, str]] = {}
    for part in given.split(","):
        meaning, sign, rest = (each.strip() for each in part.partition("="))
        if not sign or not meaning or not rest:
            raise WorkloadError(f"{shown(part.strip())} maps nothing", hint="write submit=COLUMN,memory=COLUMN:GiB")
        if meaning in found:
            raise WorkloadError(f"{shown(meaning)} is mapped twice", hint="keep one of them")
        column, colon, unit = rest.rpartition(":")
        if not colon:
            column, unit = rest, ""
        _known_unit(meaning, unit)
        found[meaning] = column, unit
    return found


def columns_of(
    header: Sequence[str], mapped: Mapping[str, tuple[str, str]], *, source: str | None
) -> tuple[list[Column], list[str]]:
    """The columns that are read, and the names of the others.

    Raises:
        WorkloadError: a column is missing or there twice, with those that there are.
    """
    names = [name.strip() for name in header]
    found: list[Column] = []
    for meaning, (name, unit) in mapped.items():
        found.append(Column(name, _place(name, names, source), meaning, _known_unit(meaning, unit)))
    taken = {column.place for column in found}
    told = set(mapped)
    for place, name in enumerate(names):
        meaning = name.lower() if name.lower() in MEANINGS else name
        if place in taken or meaning in told or not (meaning in MEANINGS or _is_resource(name)):
            continue
        if names.count(name) > 1:
            raise WorkloadError(f"two columns are called {shown(name)}", line=1, source=source)
        found.append(Column(name, place, meaning))
        told.add(meaning)
        taken.add(place)
    listed = ", ".join(names[:30])
    if "submit" not in told:
        hint = f'name yours with a mapping such as "submit={names[0] or "COLUMN"}"; the columns are {listed}'
        raise WorkloadError("there is no column submit, when each job arrives", line=1, source=source, hint=hint)
    if "resources" not in told and not any(column.is_amount for column in found):
        hint = f'name yours with a mapping such as "vcore=cpus,memory=mem_gb:GiB"; the columns are {listed}'
        raise WorkloadError("no column says what tasks ask for", line=1, source=source, hint=hint)
    return found, [name for place, name in enumerate(names) if place not in taken]


def _place(name: str, names: list[str], source: str | None) -> int:
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"{f'did you mean {near[0]}? ' if near else ''}the columns are {', '.join(names[:30])}"
        raise WorkloadError(f"there is no column {shown(name)}", line=1, source=source, hint=hint)
    if names.count(name) > 1:
        raise WorkloadError(f"two columns are called {shown(name)}", line=1, source=source)
    return names.index(name)


def _is_resource(name: str) -> bool:
    """Whether a column that nobody mapped is taken for an amount: the usual types, and those with a domain (nvidia.com/gpu)."""
    return name in (VCORE, "memory", "ephemeral-storage", "pods") or "/" in name and "." in name.partition("/")[0]


def _known_unit(meaning: str, unit: str) -> Decimal | None:
    """The factor of the unit; None for no unit. WorkloadError for one that does not belong to it."""
    if not unit:
        return None
    if meaning in TIMES:
        units = TIME_UNITS
    elif meaning in MEANINGS:
        raise WorkloadError(f"{meaning} has no unit, found {shown(unit)}", hint="units are for submit, duration and amounts")
    else:
        units = {each: AMOUNT_UNITS[each] for each in AMOUNT_UNITS if (each in CORE_UNITS) is (meaning == VCORE)}
    if unit not in units:
        raise WorkloadError(f"there is no unit {shown(unit)} for {meaning}", hint=f"there are {', '.join(units)}")
    return units[unit]
