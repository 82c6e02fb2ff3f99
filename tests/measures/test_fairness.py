"""M-5: how far the division of what ran was from the ideal one."""

from __future__ import annotations

import pytest
from happened import Happened

from workbench.measures import fairness


def shares(queues: str, used: dict[str, int], waiting: dict[str, int], until: float = 100) -> Happened:
    """So much runs and waits throughout, in tasks of one core."""
    run = Happened(queues, until=until).node("n1", vcore=100)
    for path in {**used, **waiting}:
        run.job(path, path, vcore=1, count=used.get(path, 0) + waiting.get(path, 0))
        for number in range(used.get(path, 0)):
            run.attempt(path, arrives=0, starts=0, number=number)
        for number in range(waiting.get(path, 0)):
            run.attempt(path, arrives=0, number=used.get(path, 0) + number)
    return run


@pytest.mark.parametrize(
    ("queues", "used", "waiting", "distance", "jain"),
    [
        ("a: {}\nb: {}", {"root.a": 4, "root.b": 4}, {"root.a": 9, "root.b": 9}, 0, 1),
        ("a: {}\nb: {}", {"root.a": 8}, {"root.b": 9}, 0.5, 0.5),
        ("a: {}\nb: {}", {"root.a": 6, "root.b": 2}, {}, 0, 1),
        ("a: {}\nb: {}", {"root.a": 6, "root.b": 2}, {"root.b": 1}, 1 / 8, (6 / 5 + 2 / 3) ** 2 / (2 * (1.44 + 4 / 9))),
        ("a: {guaranteed: {vcore: 6}}\nb: {}", {"root.a": 6, "root.b": 2}, {"root.a": 9, "root.b": 9}, 0, 1),
        ("a: {guaranteed: {vcore: 6}}\nb: {}", {"root.a": 4, "root.b": 4}, {"root.a": 9, "root.b": 9}, 1 / 4, None),
        ("a: {max: {vcore: 2}}\nb: {}", {"root.a": 2, "root.b": 6}, {"root.a": 9, "root.b": 9}, 0, 1),
        ("a: {b: {guaranteed: {vcore: 6}}}\nc: {}", {"root.a.b": 6, "root.c": 2}, {"root.a.b": 1, "root.c": 9}, 0, 1),
    ],
    ids=["equal", "one has all", "nobody waits", "small demand", "guarantee", "below guarantee", "maximum", "guarantee of a child"],
)
def test_the_distance_is_the_share_of_what_ran_that_others_should_have_had(queues, used, waiting, distance, jain):
    table = shares(queues, used, waiting).table()
    assert table["fairness.distance"] == pytest.approx(distance)
    if jain is not None:
        assert table["fairness.jain"] == pytest.approx(jain)


def test_a_queue_is_judged_by_what_runs_below_it_alone():
    run = shares("t: {a: {}, b: {}}\nc: {}", {"root.t.a": 4}, {"root.t.b": 4, "root.c": 4})
    table = run.table()
    assert table["fairness.distance", "root.t"] == pytest.approx(1 / 2)
    assert table["fairness.distance", "cluster"] == pytest.approx(3 / 4), "c should have 2, a and b 1 each"
    assert table["fairness.distance", "root.c"] is None


def test_distance_is_weighted_with_time():
    run = Happened("a: {}\nb: {}", until=100, warm_up=20).node("n1", vcore=2)
    run.job("x", "root.a", vcore=2).job("y", "root.b", vcore=2)
    run.attempt("x", arrives=0, starts=0, ends=60)
    run.attempt("y", arrives=40, starts=60)
    table = run.table()
    assert table["fairness.distance"] == pytest.approx(0.5 * 20 / 80)
    assert table["fairness.jain"] == pytest.approx((40 / 30 + 40 / 50) ** 2 / (2 * ((40 / 30) ** 2 + (40 / 50) ** 2)))


def test_nothing_that_ran_is_nothing_to_divide():
    run = Happened("a: {}\nb: {}", until=100).job("x", "root.a")
    run.attempt("x", arrives=0)
    assert run.table().show("fairness.distance") == "nothing to divide"


def taking_turns() -> Happened:
    """a has everything, then b; both want it all the time."""
    run = Happened("a: {}\nb: {}", until=100).node("n1", vcore=2)
    run.job("x", "root.a", vcore=2, count=2).job("y", "root.b", vcore=2)
    run.attempt("x", arrives=0, starts=0, ends=50)
    run.attempt("x", arrives=50, number=1)
    run.attempt("y", arrives=0, starts=50)
    return run


def test_a_run_with_many_changes_is_looked_at_in_slices_by_their_averages(monkeypatch):
    assert taking_turns().table()["fairness.distance"] == pytest.approx(0.5)
    monkeypatch.setattr(fairness, "STEPS", 1)
    assert taking_turns().table()["fairness.distance"] == 0, "over the whole time both had the same"
    assert taking_turns().table()["fairness.jain"] == 1
    monkeypatch.setattr(fairness, "STEPS", 2)
    assert taking_turns().table()["fairness.distance"] == pytest.approx(0.5)
