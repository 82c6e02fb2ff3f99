"""What stands under `synthetic:` in a file, as a `Synthetic`; every fault is told with its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from workbench.simulation.scenario.document import Cursor
from workbench.values.found import found, shown
from workbench.values.quantities import MAX_INT64
from workbench.workloads.generators.arrivals import parse_arrivals
from workbench.workloads.generators.distributions import Constant, Distribution, parse_distribution
from workbench.workloads.generators.notation import NUMBER, SPAN, Unit, amount_of
from workbench.workloads.generators.sizes import Size
from workbench.workloads.generators.spec import SINGLE, WEEK_MS, JobClass, Synthetic
from workbench.workloads.generators.users import MOST_USERS, Users
from workbench.workloads.model import LAST_MS, NOTHING, Gang, Restarts
from workbench.workloads.reading import read_pools, read_restarts

KEYS = (
    ("name", "length", "load", "seed", "pools", "users", "warm_up", "start_delay", "restarts", "classes")
)  # fmt: skip
CLASS_KEYS = (
    ("name", "arrivals", "share", "duration", "same_duration", "size", "sizes", "tasks", "gang", "queue", "priority")
    + ("preemptible", "may_preempt", "node_selector", "tolerations", "tags", "users")
)  # fmt: skip
INT32 = 2**31

T = TypeVar("T")


def read_spec(top: Cursor) -> Synthetic:
    """The description on which the cursor stands.

    Raises:
        ScenarioError: with the line, what was found and what is allowed.
    """
    given = top.fields(*KEYS)
    if "classes" not in given:
        raise top.fault("classes are missing", "give a list of them, each with name, arrivals, duration and size")
    return judged(
        top,
        lambda: Synthetic(
            classes=tuple(_class(item) for item in given["classes"].items()),
            length_ms=span_ms(given["length"], least=1) if "length" in given else WEEK_MS,
            pools=read_pools(given["pools"]) if "pools" in given else (),
            load=_number(given["load"]) if "load" in given else None,
            users=_users(given["users"]) if "users" in given else Users(),
            seed=given["seed"].integer(-MAX_INT64, MAX_INT64) if "seed" in given else 0,
            warm_up_ms=span_ms(given["warm_up"]) if "warm_up" in given else 0,
            start_delay_ms=span_ms(given["start_delay"]) if "start_delay" in given else 0,
            restarts=read_restarts(given["restarts"]) if "restarts" in given else Restarts(),
            name=given["name"].text() if "name" in given else "",
        ),
    )


def judged(cursor: Cursor, make: Callable[[], T]) -> T:
    """What `make` makes; a ValueError of it becomes a fault of the value on which the cursor stands."""
    try:
        return make()
    except ValueError as error:
        raise cursor.fault(str(error)) from None


def span_ms(cursor: Cursor, least: int = 0) -> int:
    """A span of time in whole milliseconds, such as 7d."""
    value = round(judged(cursor, lambda: SPAN.read(cursor.value)))
    if not least <= value <= LAST_MS:
        raise cursor.fault(f"{shown(str(cursor.value))} is out of range", f"allowed are {'1ms' if least else '0s'} to 100 years")
    return value


def _class(cursor: Cursor) -> JobClass:
    given = cursor.fields(*CLASS_KEYS)
    for key in ("name", "arrivals", "duration"):
        if key not in given:
            raise cursor.fault(f"{key} is missing", "a class needs name, arrivals, duration and size")
    if ("size" in given) == ("sizes" in given):
        raise cursor.fault("size is missing" if "size" not in given else "has size and sizes", "give size, or sizes as a list")
    sizes = tuple(_size(item) for item in given["sizes"].items()) if "sizes" in given else (_size(given["size"]),)
    gang, gang_share = _gang(given["gang"]) if "gang" in given else (None, 1.0)
    return judged(
        cursor,
        lambda: JobClass(
            name=given["name"].name(),
            arrivals=judged(given["arrivals"], lambda: parse_arrivals(given["arrivals"].plain())),
            duration=_distribution(given["duration"], SPAN, positive=True),
            sizes=sizes,
            tasks=_distribution(given["tasks"], NUMBER, positive=True) if "tasks" in given else SINGLE,
            same_duration=given["same_duration"].switch() if "same_duration" in given else False,
            gang=gang,
            gang_share=gang_share,
            queue=given["queue"].text() if "queue" in given else "",
            priority=given["priority"].integer(-INT32, INT32 - 1) if "priority" in given else 0,
            preemptible=given["preemptible"].switch() if "preemptible" in given else True,
            may_preempt=given["may_preempt"].switch() if "may_preempt" in given else True,
            node_selector=given["node_selector"].text_map() if "node_selector" in given else NOTHING,
            tolerations=given["tolerations"].texts() if "tolerations" in given else (),
            tags=given["tags"].text_map() if "tags" in given else NOTHING,
            users=_users(given["users"]) if "users" in given else None,
            share=_number(given["share"]) if "share" in given else None,
        ),
    )


def _distribution(cursor: Cursor, unit: Unit, *, positive: bool = False) -> Distribution:
    made = judged(cursor, lambda: parse_distribution(cursor.plain(), unit))
    if positive and made == Constant(0.0):
        raise cursor.fault(f"a {unit.name} of 0 is none", "give one above 0")
    return made


def _number(cursor: Cursor) -> float:
    return judged(cursor, lambda: NUMBER.read(cursor.value))


def _size(cursor: Cursor) -> Size:
    amounts = cursor.mapping()
    weight = _number(amounts.pop("weight")) if "weight" in amounts else 1.0
    if "" in amounts:
        raise cursor.fault("has a resource type without a name")
    return judged(cursor, lambda: Size({name: _distribution(value, amount_of(name)) for name, value in amounts.items()}, weight))


def _gang(cursor: Cursor) -> tuple[Gang | None, float]:
    if isinstance(cursor.value, bool):
        return (Gang() if cursor.value else None), 1.0
    given = cursor.fields("style", "timeout", "share")
    style = given["style"].text() if "style" in given else "Soft"
    if style not in ("Soft", "Hard"):
        raise given["style"].fault(f"there is no style {shown(style)}", "allowed are Soft and Hard")
    timeout_ms = span_ms(given["timeout"]) if "timeout" in given else 0
    share = _number(given["share"]) if "share" in given else 1.0
    return Gang(style="Hard" if style == "Hard" else "Soft", timeout_ms=timeout_ms), share


def _users(cursor: Cursor) -> Users:
    if isinstance(cursor.value, list):
        return judged(cursor, lambda: Users(names=cursor.texts()))
    if isinstance(cursor.value, int) and not isinstance(cursor.value, bool):
        return Users(count=cursor.integer(1, MOST_USERS))
    if not isinstance(cursor.value, dict):
        raise cursor.fault(f"users are a number, a list of names or a mapping, found {found(cursor.value)}", "such as users: 20")
    given = cursor.fields("count", "zipf", "prefix", "names", "groups")
    return judged(
        cursor,
        lambda: Users(
            count=given["count"].integer(1, MOST_USERS) if "count" in given else 1,
            zipf=_number(given["zipf"]) if "zipf" in given else 1.0,
            prefix=given["prefix"].text() if "prefix" in given else "user-",
            names=given["names"].texts() if "names" in given else (),
            groups=given["groups"].texts() if "groups" in given else (),
        ),
    )
