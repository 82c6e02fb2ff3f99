"""The history read again: every write with the values of its time, in order, and nothing that was unwound."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.reading import Reader
from workbench.scheduler.records.state import Node, Tracker
from workbench.values.resources import EMPTY, Resource

STEPS = st.lists(
    st.tuples(st.sampled_from(["set", "put", "dropped"]), st.sampled_from("ab"), st.integers(0, 3)), min_size=1, max_size=20
)


def written(journal: Journal, record: Tracker, steps: list[tuple[str, str, int]]) -> list[tuple[str, object, object, object]]:
    """Do it, and say (kind, key, before, after) of each."""
    done: list[tuple[str, object, object, object]] = []
    for kind, key, value in steps:
        if kind == "set":
            done.append(("set", None, record.name, str(value)))
            journal.set(record, "name", str(value))
        elif kind == "put":
            done.append(("put", key, record.levels.get(key), value))
            journal.put(record, "levels", key, value)
        elif key in record.levels:
            done.append(("dropped", key, record.levels[key], None))
            journal.drop(record, "levels", key)
    return done


@examples(60)
@given(steps=STEPS, more=STEPS, keep=st.integers(0, 20))
def test_what_was_written_is_read_with_the_values_of_its_time(steps, more, keep):
    journal, record, reader = Journal(), Tracker("x"), Reader()
    journal.readers.add(reader)
    done = written(journal, record, steps)
    read = journal.writes(0, {"name", "levels"})
    assert [(each.kind, each.key, each.before, each.after) for each in read] == done
    reader.position = journal.mark
    mark = read[keep].mark if keep < len(read) else journal.mark
    journal.unwind(mark)
    assert reader.lost is (keep < len(read) - 1) and reader.position == mark
    again = written(journal, record, more)
    read = journal.writes(reader.position, {"name", "levels"})
    assert [(each.kind, each.key, each.before, each.after) for each in read] == again


def test_what_a_sum_was_is_read_with_what_went_in():
    journal, node = Journal(), Node("n", 1, {}, EMPTY, EMPTY)
    journal.raise_sum(node, "allocated", Resource(vcore=3))
    journal.set(node, "allocated", Resource(vcore=2))
    journal.lower_sum(node, "allocated", Resource(vcore=2))
    journal.raise_sum(node, "allocated", Resource(vcore=7))
    read = journal.writes(0, {"allocated"})
    assert [(each.kind, each.after.get("vcore", 0)) for each in read] == [("raised", 3), ("set", 2), ("lowered", 0), ("raised", 7)]
    assert [each.key for each in read if each.kind != "set"] == [Resource(vcore=3), Resource(vcore=2), Resource(vcore=7)]


def test_fields_that_nobody_asks_for_are_left_out():
    journal, record = Journal(), Tracker("x")
    written(journal, record, [("set", "", 1), ("put", "a", 2)])
    assert [each.field for each in journal.writes(0, {"levels"})] == ["levels"]


def test_a_dict_that_was_replaced_is_read_as_it_was():
    journal, record = Journal(), Tracker("x")
    journal.put(record, "levels", "a", 1)
    journal.set(record, "levels", {})
    journal.put(record, "levels", "a", 2)
    assert [(each.before, each.after) for each in journal.writes(0, {"levels"})] == [(None, 1), ({"a": 1}, {"a": 2}), (None, 2)]
