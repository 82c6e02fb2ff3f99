"""A search tries what promises most, the same for a seed, and goes on where it was. SW-5."""

from __future__ import annotations

import pytest
from sweep_cells import Script
from sweep_plans import DESIGN

from workbench.config import edit, load_config
from workbench.sweeps import Between, Goal, search
from workbench.sweeps.cells import CellResult, CellSpec, Outcome
from workbench.sweeps.driving import Stand
from workbench.values.errors import CommandError, ConfigError

OFFSET, DELAY = "root.prod:priority.offset", "root.prod:preemption.policy"
SPACE = {OFFSET: Between(0, 100), DELAY: ["default", "fence"]}
WAIT, LOST = Goal("wait.p95", of="root.prod", at_most=30), Goal("preempted")
GOALS = (WAIT, LOST)


def valley(spec: CellSpec) -> CellResult:
    """The wait falls with the offset, what is preempted grows with it, and a fence costs something."""
    queue = edit.queue_at(load_config(spec.design), "root.prod")
    offset, fenced = int(queue.properties["priority.offset"]), queue.properties["preemption.policy"] == "fence"
    if offset == 13:
        return CellResult(spec.digest, {}, Outcome.INVALID, "nobody wants 13")
    cost = {"cluster": float(offset + 50 * fenced)}
    return CellResult(spec.digest, {"wait.p95": {"root.prod": 100.0 - offset}, "preempted": cost})


def searched(**more):
    given = {"goals": GOALS, "trials": 24, "executor": "serial", "run": valley} | more
    return search(DESIGN, SPACE, Script(), **given)


def tried(sweep):
    return [tuple(each.point.values()) for each in sweep]


def test_it_finds_what_keeps_the_bound_at_little_cost():
    best = searched(trials=40).best().point
    assert 70 <= best[OFFSET] <= 80 and best[DELAY] == "default"


def test_a_seed_tries_the_same_whatever_computes_it():
    assert tried(searched()) == tried(searched())
    assert tried(searched(search_seed=1)) != tried(searched())


def test_it_goes_on_where_it_was(tmp_path):
    whole = tried(searched(trials=20))
    stands: list[Stand] = []
    first = searched(trials=20, file=tmp_path / "s.db", progress=stands.append, stop=lambda: len(stands) > 14)
    assert 0 < sum(each.done for each in first) < 20
    assert tried(searched(trials=20, file=tmp_path / "s.db")) == whole
    assert tried(searched(trials=24, file=tmp_path / "s.db"))[: len(whole)] == whole


def test_no_combination_is_computed_twice(tmp_path):
    seen: list[str] = []

    def counted(spec):
        seen.append(spec.digest)
        return valley(spec)

    for _ in range(2):
        searched(file=tmp_path / "s.db", run=counted)
    assert len(seen) == len(set(seen))


def test_what_was_asked_for_is_not_asked_again(tmp_path, monkeypatch):
    """Even if another version of optuna would say something else."""
    import optuna

    before = tried(searched(file=tmp_path / "s.db"))
    monkeypatch.setattr(optuna.samplers.TPESampler, "sample_independent", lambda *_: 1 / 0)
    monkeypatch.setattr(optuna.samplers.TPESampler, "sample_relative", lambda *_: 1 / 0)
    assert tried(searched(file=tmp_path / "s.db")) == before


def test_a_combination_without_numbers_stops_nothing():
    sweep = searched(trials=12, run=lambda spec: CellResult(spec.digest, {}, Outcome.INVALID, "never"))
    assert sweep.is_complete and len(sweep.errors) == len(sweep)


def test_bounds_alone_are_sought_too():
    best = searched(goals=[WAIT], trials=20).best()
    assert best.number_of("wait.p95", "root.prod") <= 30


def test_two_goals_make_a_front():
    front = searched(goals=[Goal("wait.p95", of="root.prod"), LOST], trials=24).front()
    assert len(front) > 3


def test_progress_counts_all_trials():
    stands: list[Stand] = []
    searched(trials=10, progress=stands.append)
    assert {stand.total for stand in stands} == {10}
    assert stands[-1].done == 10
    assert [stand.done for stand in stands] == sorted(stand.done for stand in stands)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"goals": ()}, "a search needs goals"),
        ({"trials": 0}, "trials: a whole number from 1 to 100,000, found 0"),
        (
            {"goals": [Goal(name) for name in ("preempted", "wait.mean", "wait.p50", "wait.p90")]},
            "at most 3 goals without bounds, found 4",
        ),
    ],
)
def test_what_makes_no_search_is_told(given, says):
    with pytest.raises(CommandError) as told:
        searched(**given)
    assert says in str(told.value)


def test_settings_are_looked_at_before_anything_runs():
    with pytest.raises(ConfigError, match="nearest known"):
        search(DESIGN, {"root.prd:priority.offset": Between(0, 1)}, Script(), goals=GOALS, run=valley)
    with pytest.raises(CommandError, match="give a list of values or Between"):
        search(DESIGN, {OFFSET: 5}, Script(), goals=GOALS, run=valley)


def test_without_optuna_it_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(CommandError, match=r"policy-workbench\[search\]"):
        searched()
