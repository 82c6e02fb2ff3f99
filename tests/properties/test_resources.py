"""Laws of resource vectors and quantities, over vectors that mix absent, zero, negative and extreme amounts."""

from __future__ import annotations

import math

from hypothesis import example, given
from hypothesis import strategies as st

from workbench.values.durations import LONGEST, format_duration, parse_duration
from workbench.values.quantities import MAX_INT64, MIN_INT64, QuantityError, format_quantity, parse_quantity
from workbench.values.resources import (
    EMPTY,
    Resource,
    add,
    add_only_existing,
    comp_usage_ratio,
    comp_usage_ratio_separately,
    component_wise_max,
    component_wise_min,
    component_wise_min_only_existing,
    deep_equals,
    equals,
    equals_or_empty,
    fair_share,
    fit_in,
    fit_in_actual,
    fit_in_max_undef,
    fit_in_score,
    from_protocol,
    get_shares,
    has_negative_value,
    is_zero,
    merge_if_not_present,
    multiply,
    prune,
    strictly_greater_than,
    strictly_greater_than_or_equals,
    strictly_greater_than_or_equals_only_existing,
    strictly_greater_than_zero,
    sub,
    sub_eliminate_negative,
    sub_only_existing,
    to_string,
)

amounts = st.one_of(
    st.integers(-3, 3),
    st.integers(MIN_INT64, MAX_INT64),
    st.sampled_from([MIN_INT64, MIN_INT64 + 1, MAX_INT64 - 1, MAX_INT64, 0, 2**53 + 1]),
)
vectors = st.dictionaries(st.sampled_from("abcd"), amounts, max_size=4).map(Resource)
maybe = st.none() | vectors
small = st.dictionaries(st.sampled_from("abc"), st.integers(0, 2**40), max_size=3).map(Resource)
type_names = st.sampled_from(["vcore", "memory", "pods"])


def clamped(amount: int) -> int:
    return max(MIN_INT64, min(MAX_INT64, amount))


def at(vector: Resource | None, name: str) -> int:
    return 0 if vector is None else vector.get(name, 0)


def types(*vectors: Resource | None) -> set[str]:
    return {name for vector in vectors if vector is not None for name in vector}


# --- Arithmetic ---


@given(maybe, maybe)
def test_sums_are_exact_sums_stopped_at_the_bounds(left, right):
    total = {name: clamped(at(left, name) + at(right, name)) for name in types(left, right)}
    assert add(left, right) == Resource(total)
    assert add(left, right) == add(right, left)


@given(maybe, maybe)
@example(Resource(a=-(2**62) - 10), Resource(a=MIN_INT64))
def test_differences_are_sums_with_the_opposite_where_the_smallest_is_its_own(left, right):
    opposite = {name: at(right, name) if at(right, name) == MIN_INT64 else -at(right, name) for name in types(right)}
    assert sub(left, right) == add(left, Resource(opposite))


@given(maybe, maybe)
def test_only_existing_variants_are_the_full_ones_cut_to_the_types_of_the_base(base, delta):
    for partial, full in ((add_only_existing, add), (sub_only_existing, sub)):
        if base is None:
            assert partial(base, delta) is None
        else:
            assert partial(base, delta) == Resource({name: full(base, delta)[name] for name in base})


@given(small, small)
def test_taking_away_what_was_added_gives_back_the_amounts(left, right):
    assert equals(sub(add(left, right), right), left)


@given(maybe, maybe)
def test_eliminating_negatives_leaves_none_among_the_types_subtracted(left, right):
    rest, plain = sub_eliminate_negative(left, right), sub(left, right)
    assert all(rest[name] == (max(0, plain[name]) if name in types(right) else plain[name]) for name in plain)
    assert rest.keys() == plain.keys()


@given(vectors, st.integers(-5, 5))
def test_a_product_is_repeated_addition(vector, times):
    total = Resource({name: clamped(amount * times) for name, amount in vector.items()}) if times else EMPTY
    assert multiply(vector, times) == total


@given(maybe)
def test_pruning_changes_no_amount_and_happens_once(vector):
    pruned = prune(vector)
    assert equals(pruned, vector)
    assert prune(pruned) is pruned
    assert pruned is None or 0 not in pruned.values()


# --- Fit ---


@given(maybe)
def test_everything_fits_in_itself(vector):
    assert fit_in(vector, vector) and fit_in_max_undef(vector, vector) and fit_in_actual(vector, vector)


@given(maybe, maybe, maybe)
def test_what_fits_in_something_that_fits_fits(large, middle, tiny):
    if fit_in(large, middle) and fit_in(middle, tiny):
        assert fit_in(large, tiny)


@given(maybe, maybe)
def test_the_stricter_fits_imply_the_laxer(larger, smaller):
    assert fit_in_max_undef(larger, smaller) or not fit_in(larger, smaller)
    assert fit_in_max_undef(larger, smaller) or not fit_in_actual(larger, smaller)
    if larger is not None and smaller is not None and types(smaller) <= types(larger):
        assert fit_in(larger, smaller) == fit_in_max_undef(larger, smaller)


@given(maybe, maybe, maybe)
def test_fitting_in_two_limits_is_fitting_in_their_minimum(one, other, ask):
    both = fit_in_max_undef(one, ask) and fit_in_max_undef(other, ask)
    assert fit_in_max_undef(component_wise_min(one, other), ask) == both


@given(maybe, maybe)
def test_a_perfect_score_is_a_fit_and_no_score_exceeds_the_number_of_types(vector, fit):
    score = fit_in_score(vector, fit)
    assert 0 <= score <= len(fit or ())
    if vector is not None:
        assert (score == 0) == fit_in(vector, fit)


# --- Comparison ---


@given(maybe, maybe)
def test_equalities_are_symmetric_and_ordered_by_strictness(left, right):
    for equality in (equals, deep_equals, equals_or_empty):
        assert equality(left, right) == equality(right, left)
    assert equals(left, right) or not deep_equals(left, right)
    assert equals_or_empty(left, right) or not equals(left, right)
    if left == right and left is not None:
        assert hash(left) == hash(right) and str(left) == str(right) and to_string(left) == to_string(right)


@given(maybe, maybe)
def test_greater_and_greater_or_equal_make_a_partial_order(left, right):
    greater, at_least = strictly_greater_than(left, right), strictly_greater_than_or_equals(left, right)
    assert greater == (at_least and not strictly_greater_than_or_equals(right, left))
    assert not (greater and strictly_greater_than(right, left))
    both = at_least and strictly_greater_than_or_equals(right, left)
    assert both == equals(EMPTY if left is None else left, EMPTY if right is None else right)


@given(maybe, maybe)
def test_only_existing_comparison_looks_at_common_types_when_there_are_some(left, right):
    common = types(left) & types(right)
    if common:
        expected = all(at(left, name) >= at(right, name) for name in common)
        assert strictly_greater_than_or_equals_only_existing(left, right) == expected


@given(maybe)
def test_above_zero_is_greater_than_nothing(vector):
    assert strictly_greater_than_zero(vector) == strictly_greater_than(vector, None)
    assert strictly_greater_than_zero(vector) == (not is_zero(vector) and not has_negative_value(vector))


# --- Minimum, maximum, merge ---


@given(maybe, maybe, maybe)
def test_the_minimum_is_commutative_associative_and_idempotent(a, b, c):
    assert component_wise_min(a, b) == component_wise_min(b, a)
    assert component_wise_min(a, component_wise_min(b, c)) == component_wise_min(component_wise_min(a, b), c)
    assert component_wise_min(a, a) == a


@given(vectors, vectors)
def test_minimum_and_maximum_bound_both_sides(a, b):
    low, high = component_wise_min(a, b), component_wise_max(a, b)
    assert component_wise_max(b, a) == high and high.keys() == low.keys() == types(a, b)
    for name in types(a, b):
        assert high[name] == max(at(a, name), at(b, name))
        assert all(low[name] <= vector[name] for vector in (a, b) if name in vector)
        assert low[name] in (a.get(name), b.get(name))


@given(maybe, maybe)
def test_the_minimum_of_existing_types_is_the_minimum_cut_to_the_left(left, right):
    if left is None:
        assert component_wise_min_only_existing(left, right) is None
    else:
        both = component_wise_min(left, right)
        assert component_wise_min_only_existing(left, right) == Resource({name: both[name] for name in left})


@given(vectors, maybe)
def test_merging_keeps_the_left_and_adds_only_what_it_lacks(left, right):
    merged = merge_if_not_present(left, right)
    assert all(merged[name] == (left[name] if name in left else right[name]) for name in types(left, right))


# --- Shares ---


@given(maybe, maybe, maybe)
def test_a_fair_share_is_finite_and_grows_with_use(allocated, guaranteed, fair_max):
    share = fair_share(allocated, guaranteed, fair_max)
    assert 0.0 <= share < math.inf
    assert fair_share(add(allocated, Resource(a=1)), guaranteed, fair_max) >= fair_share(
        sub(allocated, Resource(a=0)), guaranteed, fair_max
    )


@given(maybe, maybe, maybe, maybe)
def test_share_comparisons_are_antisymmetric(left, right, guaranteed, total):
    assert comp_usage_ratio(left, right, total) == -comp_usage_ratio(right, left, total)
    assert comp_usage_ratio_separately(left, guaranteed, total, right, guaranteed, total) == (
        -comp_usage_ratio_separately(right, guaranteed, total, left, guaranteed, total)
    )


@given(maybe, maybe, maybe, maybe)
def test_share_comparisons_are_transitive(a, b, c, total):
    if comp_usage_ratio(a, b, total) >= 0 and comp_usage_ratio(b, c, total) >= 0:
        assert comp_usage_ratio(a, c, total) >= 0


@given(maybe, maybe)
def test_share_lists_are_sorted_with_one_share_per_type(usage, total):
    shares = get_shares(usage, total)
    assert shares == sorted(shares) and len(shares) == len(usage or ())


@given(st.permutations("abcd"), vectors, vectors, vectors)
def test_renaming_types_changes_no_comparison(names, left, right, total):
    renamed = dict(zip("abcd", names))
    one, two, whole = (Resource({renamed[name]: each[name] for name in each}) for each in (left, right, total))
    assert comp_usage_ratio(one, two, whole) == comp_usage_ratio(left, right, total)
    assert fair_share(one, whole, None) == fair_share(left, total, None)


# --- Operands and results ---


BINARY = [
    add,
    sub,
    add_only_existing,
    sub_only_existing,
    sub_eliminate_negative,
    component_wise_min,
    component_wise_min_only_existing,
    component_wise_max,
    merge_if_not_present,
]


@given(st.sampled_from(BINARY), maybe, maybe)
def test_operations_leave_operands_alone_and_stay_within_64_bits(operation, left, right):
    before = repr((left, right))
    result = operation(left, right)
    assert repr((left, right)) == before
    assert result is None or all(MIN_INT64 <= amount <= MAX_INT64 for amount in result.values())


# --- Text ---


@given(
    st.integers(0, MAX_INT64) | st.integers(0, 2**20).map(lambda n: n * 1000) | st.integers(0, 2**30).map(lambda n: n * 2**20),
    type_names,
)
def test_a_formatted_quantity_parses_back_to_the_same_value(value, type_name):
    assert parse_quantity(format_quantity(value, type_name), type_name) == value
    assert format_quantity(-value, type_name) == ("-" if value else "") + format_quantity(value, type_name)


@given(st.text() | st.from_regex(r"\s?[0-9]{1,20}\s?[mkKMGTPE]?i?", fullmatch=True), type_names)
def test_any_text_is_a_quantity_within_64_bits_or_refused_in_the_cores_words(text, type_name):
    try:
        value = parse_quantity(text, type_name)
    except QuantityError as error:
        assert str(error) in {"invalid quantity", "invalid suffix", "invalid quantity: overflow"}
    else:
        assert 0 <= value <= MAX_INT64
        assert len(format_quantity(value, type_name)) <= max(len(text.strip()), 1)


@given(st.integers(-LONGEST, LONGEST) | st.integers(-100, 100).map(lambda n: n * 15 * 10**8))
def test_a_formatted_duration_parses_back_to_the_same_value(ns):  # C-132
    assert parse_duration(format_duration(ns)) == ns


@given(st.text() | st.from_regex(r"[+-]?([0-9]{0,4}\.?[0-9]{0,4}(ns|us|ms|s|m|h)){1,3}", fullmatch=True))
def test_any_text_is_a_duration_within_64_bits_or_refused(text):  # C-132
    try:
        assert -LONGEST <= parse_duration(text) <= LONGEST
    except ValueError as error:
        assert "duration" in str(error)


@given(st.text())
def test_any_text_is_a_protocol_vector_or_none(text):
    assert from_protocol(text) is None or isinstance(from_protocol(text), Resource)
