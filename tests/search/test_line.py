"""`Line` and `Alarm` against what they stand for: a sorted list, and those of it whose time has come."""

from __future__ import annotations

from bisect import bisect_right

from hypothesis import given
from hypothesis import strategies as st

from workbench.scheduler.search.line import SLACK, Alarm, Line

ENTRIES = st.tuples(st.integers(-3, 3), st.integers(0, 30))
STEPS = st.lists(st.tuples(st.sampled_from(["add", "add", "remove", "take", "back"]), ENTRIES), max_size=80)


@given(STEPS)
def test_a_line_is_a_sorted_list(steps):
    line, model, taken = Line(), [], []
    for kind, entry in steps:
        if kind == "add" and entry not in model:
            line.add(entry)
            model.append(entry)
        elif kind == "remove":
            assert line.remove(entry) is (entry in model)
            model = [each for each in model if each != entry]
        elif kind == "take" and model:
            assert line.remove(line.first())
            taken.append(model.pop(0))
        elif kind == "back" and taken and taken[-1] not in model:
            line.add(taken[-1])
            model.append(taken.pop())
        model.sort()
        assert (list(line), len(line)) == (model, len(model))
        assert line.first() == (model[0] if model else None)
        behind = bisect_right(model, entry)
        assert line.first(entry) == (model[behind] if behind < len(model) else None)


def test_a_line_closes_the_gap_that_taking_the_first_leaves():
    line = Line()
    for number in range(10 * SLACK):
        line.add((number,))
    for number in range(9 * SLACK):
        assert line.remove((number,))
    assert list(line) == [(number,) for number in range(9 * SLACK, 10 * SLACK)]
    assert len(line._entries) < 3 * SLACK


ALARMS = st.lists(
    st.tuples(st.sampled_from(["add", "add", "remove", "move", "wait", "wait", "back"]), ENTRIES, st.none() | st.integers(0, 20)),
    max_size=80,
)


@given(ALARMS)
def test_an_alarm_names_those_whose_time_has_come(steps):
    # Nobody is called too late; too early only who was due already when time went back.
    line, times, now, latest = Line(), {}, 0, 0
    alarm = Alarm(line, times.get)
    for kind, entry, number in steps:
        if kind == "add" and entry not in times:
            times[entry] = number
            line.add(entry)
            alarm.add(entry)
        elif kind in ("remove", "move") and entry in times:
            alarm.remove(entry)
            times[entry] = number
            if kind == "remove":
                del times[entry]
                line.remove(entry)
            else:
                alarm.add(entry)
        elif kind == "wait":
            now += number or 0
        elif kind == "back":
            now = max(0, now - (number or 0))
        latest = max(latest, now)
        called = list(alarm.due(now, lambda each: each in times))
        assert called == sorted(called)
        assert set(called) >= {each for each, instant in times.items() if instant is not None and instant <= now}
        assert set(called) <= {each for each, instant in times.items() if instant is not None and instant <= latest}
        sleeping = [instant for each, instant in times.items() if instant is not None and each not in called]
        assert not sleeping or alarm.next_ns() <= min(sleeping)


def test_an_alarm_never_compares_what_stands_in_its_entries():
    # After an undo, another ask can come to the very place of one that is gone.
    gone, here = (0, object()), (0, object())
    line, standing = Line(), {gone}
    alarm = Alarm(line, lambda entry: 5)
    line.add(gone)
    alarm.add(gone)
    line.remove(gone)
    alarm.remove(gone)
    standing = {here}
    line.add(here)
    alarm.add(here)
    assert list(alarm.due(5, standing.__contains__)) == [here]
