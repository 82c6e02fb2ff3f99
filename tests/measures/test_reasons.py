"""M-7: under which reason requests waited."""

from __future__ import annotations

import pytest
from happened import Happened

from workbench.measures.reasons import waited_ns
from workbench.runs.record import Fate, JobState

S = 10**9


def held() -> Happened:
    run = Happened("a: {}\nb: {}", until=100, warm_up=5).job("x", "root.a").job("y", "root.b", at=5).job("early")
    first = run.attempt("x", arrives=10, starts=40)
    second = run.attempt("y", arrives=5)
    early = run.attempt("early", arrives=4, starts=50)
    run.held(first, "queue maximum", 10, 30).held(first, "no node", 30, 40)
    run.held(second, "no node", 5, 60).held(second, "queue maximum", 60, 90).held(early, "queue maximum", 4, 50)
    return run


def test_every_second_of_a_wait_is_under_the_reason_that_held_it():
    table = held().table()
    assert (table["waited.queue maximum"], table["waited.no node"]) == (50, 65)
    assert (table["waited.queue maximum", "root.a"], table["waited.no node", "root.a"], table["waited.unknown", "root.a"]) == (
        20,
        10,
        0,
    )
    assert table["waited.queue_maximum"] == 50
    assert table.measure("waited.queue_maximum").title == "waited: the maximum of its own queue"


def test_reasons_sum_up_to_the_wait_and_what_was_not_kept_is_unknown():
    table = held().table()
    assert table["waited.all"] == 30 + 95
    assert table["waited.unknown", "root.b"] == 10
    for scope in ("cluster", "root.a", "root.b"):
        assert sum(waited_ns(table.reading, table.scope(scope)).values()) == table["waited.all", scope] * S


def test_without_reasons_all_is_unknown():
    run = Happened(until=10).job("x")
    run.attempt("x", arrives=0)
    assert run.table()["waited.unknown"] == run.table()["waited.all"] == 10


def test_a_reason_that_held_nobody_is_zero_and_what_was_refused_does_not_wait():
    run = Happened(until=10).job("x", state=JobState.REJECTED)
    run.attempt("x", arrives=0, ends=5, fate=Fate.REJECTED)
    assert run.table()["waited.constraint"] == run.table()["waited.all"] == 0


@pytest.mark.parametrize("name", ["own_reason", "mine"])
def test_an_own_reason_is_its_own_words(name):
    run = Happened(until=10).job("x")
    run.held(run.attempt("x", arrives=0), name, 0, 10)
    table = run.table()
    assert f"waited.{name}" in table.names()
    assert table.measure(f"waited.{name}").title == f"waited: {name}"
