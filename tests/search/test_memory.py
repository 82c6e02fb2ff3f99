"""What the search keeps is bounded by what is there: whoever is gone is forgotten, also without a history."""

from __future__ import annotations

import gc

from scenes import config_text

from workbench.config import load_config
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    Cycle,
    Release,
    RemoveApplication,
)
from workbench.scheduler.records.state import Allocation, Application, Queue, Tracker, UsageLevel
from workbench.scheduler.search import fit_table
from workbench.values.resources import Resource

SECOND_NS = 10**9
KEPT = (Allocation, Application, Queue, Tracker, UsageLevel)


def alive(kinds=KEPT) -> dict[str, int]:
    """How many records of each kind there are in this process."""
    gc.collect()
    counts = dict.fromkeys((kind.__name__ for kind in kinds), 0)
    for each in gc.get_objects():
        if type(each) in kinds:
            counts[type(each).__name__] += 1
    return counts


def generation(engine: Engine, number: int, *, backoff: bool) -> None:
    """A user comes with a queue of his own; one ask is placed, one fits nowhere; then everything goes."""
    leaf, user = f"root.{'slow' if backoff else 'users'}.q{number}", f"u{number}"
    sizes = (Resource(vcore=1000 + number), Resource(vcore=9000, gpu=1))
    commands = [AddApplication(application=ApplicationSpec(id=user, queue=leaf, user=user))]
    commands += [AddAsk(ask=AskSpec(application_id=user, key=f"{user}-{index}", resource=size)) for index, size in enumerate(sizes)]
    commands += [Cycle(), Cycle(), Advance(ns=3 * SECOND_NS), Cycle(), Cycle()]
    # The ask first: what ends while something waits goes on counting for its user (PL-127).
    commands += [Release(application_id=user, key=f"{user}-{index}") for index in (1, 0)]
    commands += [RemoveApplication(application_id=user)]
    commands += [Advance(ns=20 * SECOND_NS), Cycle(), Advance(ns=96 * 3600 * SECOND_NS), Cycle()]
    for command in commands:
        engine.apply(command)


def test_generations_of_users_queues_and_applications_leave_nothing(monkeypatch):
    monkeypatch.setattr(fit_table, "MOST_ROWS", 4)
    text = config_text(
        """
        users: {parent: true}
        slow: {parent: true, template: {properties: {application.unschedasks.backoff: '1'}}}
    """,
        placementrules=[{"name": "provided", "create": True}],
    )
    engine = Engine(load_config(text), history=False)
    engine.apply(AddNode(node_id="n1", capacity=Resource(vcore=8000)))
    engine.apply(AddNode(node_id="n2", capacity=Resource(vcore=8000, gpu=1)))
    for number in range(10):
        generation(engine, number, backoff=number % 2 == 0)
    before = alive()
    for number in range(10, 40):
        generation(engine, number, backoff=number % 2 == 0)
    assert alive() == before


def test_what_was_touched_does_not_pile_up_where_nothing_is_searched():
    # Nobody ever waits: everything is placed from outside.
    engine = Engine(load_config(config_text()), history=False)
    engine.apply(AddNode(node_id="n1", capacity=Resource(vcore=8000)))
    engine.apply(AddApplication(application=ApplicationSpec(id="x", queue="root.a", user="u")))
    counts = []
    for number in range(20):
        ask = AskSpec(application_id="x", key=f"k{number}", resource=Resource(vcore=1000))
        engine.apply(AddAllocation(ask=ask, node_id="n1"))
        engine.apply(Release(application_id="x", key=f"k{number}"))
        engine.apply(Cycle())
        counts.append(alive()["Allocation"])
    assert counts[-1] == counts[0]
