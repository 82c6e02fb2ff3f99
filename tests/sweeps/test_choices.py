"""Which combinations there are: every one, those listed, a sample. SW-1."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.sweeps.choices import Between, Grid, Listed, Sample, choices_of, key_of
from workbench.values.errors import CommandError

values = st.lists(st.one_of(st.integers(-3, 3), st.text("ab", max_size=2), st.none(), st.booleans()), min_size=1, max_size=4)
grids = st.dictionaries(st.sampled_from(["a:x", "b:y", "load"]), values, min_size=1, max_size=3)


@given(grids)
def test_a_grid_has_every_combination_once(settings):
    points = [key_of(point) for point in Grid(settings)]
    distinct = [list({key_of({"v": value}): value for value in each}.values()) for each in settings.values()]
    assert points == [key_of(dict(zip(settings, each))) for each in itertools.product(*distinct)]
    assert len(points) == len(set(points)) == len(Grid(settings))


@given(grids, st.integers(1, 70), st.integers(0, 5))
def test_a_sample_has_so_many_different_combinations_of_the_grid_or_all_that_there_are(settings, count, seed):
    everything = {key_of(point) for point in Grid(settings)}
    drawn = [key_of(point) for point in Sample(settings, count, seed=seed)]
    assert len(drawn) == len(set(drawn)) == min(count, len(everything))
    assert set(drawn) <= everything


@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 9))
def test_a_larger_sample_of_the_same_seed_only_adds_to_a_smaller_one(few, more, seed):
    settings = {"load": Between(0.5, 2, step=0), "root.a:priority.offset": Between(-100, 100)}
    small, large = sorted((few, more))
    assert [*Sample(settings, large, seed=seed)][:small] == [*Sample(settings, small, seed=seed)]


def test_another_seed_draws_others():
    settings = {"load": Between(0.5, 2, step=0)}
    assert [*Sample(settings, 3, seed=1)] != [*Sample(settings, 3, seed=2)]


@given(st.integers(-50, 50), st.integers(0, 50), st.integers(1, 7), st.randoms(use_true_random=False))
def test_a_number_drawn_from_a_range_is_one_of_its_steps(low, width, step, chance):
    found = Between(low, low + width, step).drawn(chance)
    assert isinstance(found, int)
    assert low <= found <= low + width and (found - low) % step == 0


def test_a_logarithmic_range_has_as_many_small_as_large_numbers():
    drawn = [point["n"] for point in Sample({"n": Between(1, 10_000, step=0, log=True)}, 200, seed=1)]
    assert all(1 <= each <= 10_000 for each in drawn)
    assert 80 < sum(each < 100 for each in drawn) < 120


def test_listed_combinations_come_as_given_and_once():
    points = [{"load": 1}, {"nodes": 3}, {"load": 1}]
    assert [*Listed(points)] == [{"load": 1}, {"nodes": 3}]


def test_true_is_no_one():
    assert len(Grid({"a:parent": [True, 1, "1"]})) == 3


def test_a_mapping_is_a_grid_and_a_list_is_a_list():
    assert isinstance(choices_of({"load": [1]}), Grid)
    assert isinstance(choices_of([{"load": 1}]), Listed)
    assert choices_of(sample := Sample({"load": [1]}, 1)) is sample


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Grid({"load": []}), "'load' has no values"),
        (lambda: Grid({"load": "12"}), "load: give a list of values, found the text '12'"),
        (lambda: Grid({"load": Between(1, 2)}), "list the values, or take a Sample"),
        (lambda: Grid({"load": [object()]}), "values of settings are texts, numbers"),
        (lambda: Grid({name: range(11) for name in "abcdef"}), "these are 1,771,561 combinations"),
        (lambda: Grid([1]), "settings are a mapping from an address to values, found a list"),
        (lambda: Listed([5]), "settings are a mapping from an address to values, found 5"),
        (lambda: Listed("ab"), "combinations are a list of mappings"),
        (lambda: Sample({"load": [1]}, 0), "a sample has 1 to 1,000,000 combinations, found 0"),
        (lambda: Between(2, 1), "from the lower to the higher"),
        (lambda: Between(0, 1, log=True), "lies above 0"),
        (lambda: Between("1", 2), "made of numbers, found the text '1'"),
    ],
)
def test_what_makes_no_combinations_is_told(make, says):
    with pytest.raises(CommandError) as told:
        make()
    assert says in str(told.value)
