"""Unwinding restores the very state, and kept sums are those of the general operations, with zeros and below zero as well."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workbench.scheduler.objects import accounting
from workbench.scheduler.records.journal import Journal
from workbench.values.resources import EMPTY, Resource, add, lowered, prune, raised, sub

AMOUNTS = st.sampled_from([0, 0, 1, 1, 2, 5, -1, -2, -5, 2**61, -(2**61)])
"""Two of them stay within 64 bits, as all sums of asks do (R-20)."""
VECTORS = st.dictionaries(st.sampled_from("abc"), AMOUNTS, max_size=3).map(Resource)


@dataclass(slots=True, eq=False)
class Record:
    """Something with a vector, a dict, a list and a parent, as queues and applications have."""

    parent: Record | None
    total: Resource | None = EMPTY
    peak: Resource = EMPTY
    table: dict = field(default_factory=dict)
    order: list = field(default_factory=list)


def told(records: list[Record]) -> list:
    """Everything in them, by value: the types of a vector too, zeros included."""
    return [(each.total, each.peak, dict(each.table), [id(one) for one in each.order]) for each in records]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "raise_sum",
                "lower_sum",
                "raise_path",
                "lower_path",
                "move_path",
                "hold",
                "set",
                "set_all",
                "put",
                "drop",
                "insert",
                "remove",
            ]
        ),
        st.integers(0, 2),
        VECTORS,
    ),
    max_size=30,
)


@given(st.lists(VECTORS, min_size=3, max_size=3), STEPS, st.data())
def test_unwinding_restores_every_state_there_was(start, steps, data):
    journal, records = Journal(watched=True), [Record(None)]
    records += [Record(records[0])]
    records += [Record(records[1])]
    for record, total in zip(records, start):
        record.total = record.peak = total
    past = [(journal.mark, told(records))]
    for kind, number, amount in steps:
        record = records[number]
        if kind in ("raise_sum", "lower_sum", "raise_path", "lower_path"):
            getattr(journal, kind)(record, "total", amount)
        elif kind == "move_path":
            journal.move_path(record, "peak", "total", amount)
        elif kind == "hold":
            accounting.raise_application(journal, record, "total", amount)
        elif kind == "set":
            journal.set(record, "total", amount)
        elif kind == "set_all":
            journal.set_all(record, total=amount, peak=amount)
        elif kind == "put":
            journal.put(record, "table", len(amount), amount)
        elif kind == "drop" and record.table:
            journal.drop(record, "table", min(record.table))
        elif kind == "insert":
            journal.insert(record, "order", len(record.order) // 2, Record(None))
        elif kind == "remove" and record.order:
            journal.remove_at(record, "order", len(record.order) // 2)
        past.append((journal.mark, told(records)))
    while len(past) > 1:
        del past[data.draw(st.integers(1, len(past) - 1)) :]
        before = told(records)
        journal.touched.clear()
        journal.unwind(past[-1][0])
        assert told(records) == past[-1][1]
        changed = [each for each, was, now in zip(records, before, told(records)) if was != now]
        assert set(map(id, changed)) <= set(map(id, journal.touched))


@given(VECTORS | st.none(), VECTORS)
@example(Resource(a=-1), Resource(a=1, b=2))
def test_the_quick_sums_are_the_general_ones_and_each_undoes_the_other(total, amount):
    for quick, change, back in ((raised, add, sub), (lowered, sub, add)):
        found = quick(total, amount)
        if found is not None:
            assert found == prune(change(total, amount))
            assert prune(back(found, amount)) == total


@given(VECTORS, VECTORS)
def test_whoever_asks_for_usual_amounts_gets_the_quick_sum(total, amount):
    usual = all(value > 0 for value in amount.values()) and all(0 != value for value in total.values())
    if usual and all(total.get(name, 0) + value >= 0 for name, value in amount.items()):
        assert raised(total, amount) is not None
    if usual and all(total.get(name, 0) >= value for name, value in amount.items()):
        assert lowered(total, amount) is not None
    if not usual:
        assert raised(total, amount) is None and lowered(total, amount) is None


@pytest.mark.parametrize("history", [True, False])
@given(total=VECTORS, above=VECTORS, amount=VECTORS)
@example(total=Resource(a=-1), above=EMPTY, amount=Resource(a=1, b=2))
def test_sums_are_those_that_the_methods_promise(history, total, above, amount):
    for kind, expected in (
        ("raise_path", add),
        ("lower_path", lambda *both: prune(sub(*both))),
        ("raise_sum", lambda *both: prune(add(*both))),
        ("lower_sum", lambda *both: prune(sub(*both))),
    ):
        journal, parent = Journal(history=history), Record(None, above)
        record = Record(parent, total)
        getattr(journal, kind)(record, "total", amount)
        assert record.total == expected(total, amount)
        assert parent.total == (expected(above, amount) if kind.endswith("path") else above)
