"""How the time for one allocation grows with nodes, queues, waiting asks and the fullness of the cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.clusters import NODE, WARM_UP, application, asks, config_text, engine, warmed_up
from benchmarks.measure import Figure, Options, Target, Work, compared
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import AddAllocation, Advance, AskSpec
from workbench.values.resources import Resource

SECTION = "growth"
NODES = 500
SECOND_NS = 10**9


def figures(options: Options) -> Iterator[Figure]:
    yield from _nodes(options)
    yield from _queues(options)
    yield from _waiting(options)
    yield from _fullness(options)


# -- nodes and queues -------------------------------------------------------------------------------------------------


def _nodes(options: Options) -> Iterator[Figure]:
    many, few = options.scaled(50_000, 20), options.scaled(NODES, 20)
    total = max(1000, options.allocations + WARM_UP + 5)
    for policy in ("fair", "binpacking"):
        one, other = (partial(shared_out, nodes, 5, total, options.allocations, policy) for nodes in (many, few))
        yield compared(SECTION, f"{many:,} nodes / {few:,}, {policy}", one, other, options, target=Target("<=", 1.5))


def _queues(options: Options) -> Iterator[Figure]:
    many, nodes, count = options.scaled(5000, 10), options.scaled(NODES, 20), options.allocations
    total = max(2 * many, count + many) + WARM_UP + 5
    few = partial(shared_out, nodes, 5, total, count)
    served = partial(shared_out, nodes, many, total, count, warm_up=many + WARM_UP)
    yield compared(SECTION, f"{many:,} queues, all busy, each served before / 5", served, few, options, target=Target("<=", 1.5))
    yield compared(
        SECTION,
        f"{many:,} queues, all busy, each for the first time / 5",
        partial(shared_out, nodes, many, total, count),
        few,
        options,
        target=None,
        note="an application's first turn makes its user, its group and its state known",
    )
    yield compared(
        SECTION,
        f"{many:,} queues, 5 of them busy / 5",
        partial(shared_out, nodes, many, total, count, busy=5),
        few,
        options,
        target=Target("<=", 1.5),
    )


def shared_out(
    nodes: int, queues: int, total: int, count: int, policy: str = "fair", *, busy: int | None = None, warm_up: int = WARM_UP
) -> Work:
    """So many asks in all, shared out over the busy queues, of which `count` are measured."""
    config = config_text(({"name": f"q{number}"} for number in range(queues)), node_policy=policy)
    made, busy = engine(config, nodes=nodes), busy or queues
    for number in range(busy):
        application(made, f"app-{number}", f"root.q{number}")
        asks(made, f"app-{number}", -(-total // busy))
    return warmed_up(made, count, warm_up)


# -- waiting asks -----------------------------------------------------------------------------------------------------

TOO_LARGE = Resource(vcore=NODE["vcore"] + 1)
TWO_CORES = Resource(vcore=2000)
SMALL_QUOTA = {"resources": {"max": {"vcore": "1"}}}
SMALL_LIMIT = {"limits": [{"limit": "small", "users": ["ann"], "maxresources": {"vcore": "1"}}]}


def _waiting(options: Options) -> Iterator[Figure]:
    many = options.scaled(100_000, 100)
    variants: dict[str, tuple[Callable[[Engine, int], None], dict]] = {
        "too large for any node, one application": (_one_application, {}),
        "too large, of 1,000 sizes": (_many_sizes, {}),
        "too large, 10 queues x 10 applications": (_ten_by_ten, {}),
        "too large, past the delay of preemption": (_long_ago, {}),
        "too large, in the application that is served": (_same_application, {}),
        "queue at its quota": (_two_cores_each, SMALL_QUOTA),
        "user at the limit": (_two_cores_each, SMALL_LIMIT),
    }
    for name, (add, settings) in variants.items():
        tried = add is _long_ago
        yield compared(
            SECTION,
            f"{many:,} waiting / none: {name}",
            partial(_with_waiting, options, settings, add, many),
            partial(_with_waiting, options, settings, add, 0),
            options,
            target=None if tried else Target("<=", 2),
            note="100 attempts to preempt in each cycle, as the core makes them (P-23, P-24)" if tried else "",
        )


def _with_waiting(options: Options, settings: dict, add: Callable[[Engine, int], None], count: int) -> Work:
    """Queues whose turn comes first and whose asks cannot be placed, before one whose asks can."""
    first = [{"name": f"first{number}", "properties": {"priority.offset": "100"}, **settings} for number in range(10)]
    made = engine(config_text([*first, {"name": "open"}]), nodes=options.scaled(NODES, 20))
    application(made, "open", "root.open")
    for number in range(100):
        application(made, f"first-{number}", f"root.first{number % 10}", user="ann")
    add(made, count)
    asks(made, "open", options.allocations + WARM_UP)
    return warmed_up(made, options.allocations)


def _one_application(at: Engine, count: int) -> None:
    asks(at, "first-0", count, TOO_LARGE)


def _two_cores_each(at: Engine, count: int) -> None:
    asks(at, "first-0", count, TWO_CORES)


def _same_application(at: Engine, count: int) -> None:
    asks(at, "open", count, TOO_LARGE, prefix="large", priority=10)


def _many_sizes(at: Engine, count: int) -> None:
    for number in range(min(1000, count)):
        asks(at, "first-0", count // 1000 or 1, Resource(vcore=NODE["vcore"] + 1 + number), prefix=f"size{number}")


def _ten_by_ten(at: Engine, count: int) -> None:
    for number in range(100):
        asks(at, f"first-{number}", count // 100, TOO_LARGE)


def _long_ago(at: Engine, count: int) -> None:
    _ten_by_ten(at, count)
    at.apply(Advance(ns=60 * SECOND_NS))


# -- full and empty ---------------------------------------------------------------------------------------------------

LOAD = Resource(vcore=NODE["vcore"] - 500, memory=NODE["memory"] // 2)


def _fullness(options: Options) -> Iterator[Figure]:
    nodes = options.scaled(5000, 50)
    full, empty = (partial(_packed, nodes, options.allocations, full) for full in (True, False))
    yield compared(
        SECTION,
        f"bin packing on {nodes:,} nodes, 99 % of them full / empty",
        full,
        empty,
        options,
        target=Target("<=", 1.2),
        note="1.2 counts as equally fast",
    )


def _packed(nodes: int, count: int, full: bool) -> Work:
    """Full nodes have half a core left: they come first in the order, and nothing fits there."""
    made = engine(config_text([{"name": "q"}], node_policy="binpacking"), nodes=nodes)
    application(made, "app", "root.q")
    room = -(-(count + WARM_UP) // 16)
    for number in range(nodes - max(room, nodes // 100) if full else 0):
        made.apply(AddAllocation(ask=AskSpec(application_id="app", key=f"load-{number}", resource=LOAD), node_id=f"node-{number}"))
    asks(made, "app", count + WARM_UP)
    return warmed_up(made, count)
