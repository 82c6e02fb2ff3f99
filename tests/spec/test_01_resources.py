"""Chapter 01 of the specification, rule by rule: vectors, quantity text, arithmetic, fits, shares and text forms.

The recorded facts of `tests/conformance` are replayed elsewhere; here each rule is told with the numbers that matter.
"""

from __future__ import annotations

import copy
import math
import pickle

import pytest

from workbench.config import properties
from workbench.scheduler.policies import fair_maximum, order_queues
from workbench.scheduler.records.state import Queue
from workbench.values.quantities import MAX_INT64, MIN_INT64, QuantityError, format_quantity, parse_quantity
from workbench.values.resources import (
    EMPTY,
    Resource,
    abs_used_capacity,
    add,
    add_only_existing,
    comp_usage_ratio,
    comp_usage_ratio_separately,
    component_wise_max,
    component_wise_min,
    component_wise_min_only_existing,
    deep_equals,
    dominant_resource_type,
    equals,
    equals_or_empty,
    fair_share,
    fairness_ratio,
    fit_in,
    fit_in_actual,
    fit_in_max_undef,
    fit_in_score,
    from_config,
    from_protocol,
    get_shares,
    has_negative_value,
    is_empty,
    is_zero,
    match_any,
    merge_if_not_present,
    multiply,
    multiply_by,
    prune,
    strictly_greater_than,
    strictly_greater_than_only_existing,
    strictly_greater_than_or_equals,
    strictly_greater_than_or_equals_only_existing,
    strictly_greater_than_zero,
    sub,
    sub_eliminate_negative,
    sub_error_negative,
    sub_only_existing,
    to_string,
)


def r(**amounts: int) -> Resource:
    return Resource(amounts)


def refused(text: str, type_name: str = "memory") -> str:
    with pytest.raises(QuantityError) as error:
        parse_quantity(text, type_name)
    return str(error.value)


# --- 1 Model ---


def test_the_order_in_which_types_are_written_plays_no_part():
    assert Resource({"b": 2, "a": 1}) == Resource({"a": 1, "b": 2})
    assert hash(Resource({"b": 2, "a": 1})) == hash(Resource({"a": 1, "b": 2}))
    assert list(Resource({"b": 2, "a": 1})) == ["a", "b"]


def test_any_text_names_a_type_and_amounts_are_signed_64_bit_integers():
    assert Resource({"": MIN_INT64, "nvidia.com/gpu": MAX_INT64})["nvidia.com/gpu"] == MAX_INT64
    with pytest.raises(ValueError, match="'a' does not fit in 64 bits"):
        Resource(a=MAX_INT64 + 1)
    for no_integer in (1.0, True, "1", None):
        with pytest.raises(TypeError, match="must be an integer"):
            Resource({"a": no_integer})
    with pytest.raises(TypeError, match="must be text"):
        Resource({1: 1})


def test_an_absent_type_and_a_zero_are_equal_to_some_operations_and_different_to_others():
    absent, zero = Resource(), r(a=0)
    assert "a" not in absent and "a" in zero
    assert absent.get("a", 0) == zero["a"]
    assert equals(absent, zero) and not deep_equals(absent, zero)
    assert fit_in_max_undef(absent, r(a=1)) and not fit_in_max_undef(zero, r(a=1))
    with pytest.raises(KeyError):
        absent["a"]


def test_no_vector_and_an_empty_vector_are_two_things():
    assert not equals(None, EMPTY) and is_empty(None) and is_empty(EMPTY)
    assert component_wise_min(None, None) is None and component_wise_min(EMPTY, EMPTY) == EMPTY
    assert to_string(None) != to_string(EMPTY)


@pytest.mark.parametrize(("type_name", "amount"), [
    ("vcore", 2000), ("memory", 2), ("VCORE", 2), ("vcores", 2), ("cpu", 2), ("nvidia.com/gpu", 2), ("Vcore", 2),
])  # fmt: skip
def test_only_the_exact_name_vcore_is_counted_in_thousandths(type_name, amount):
    assert parse_quantity("2", type_name) == amount


def test_computed_vectors_may_be_negative_but_configuration_text_never_is():
    assert sub(r(a=1), r(a=3)) == r(a=-2)
    assert refused("-1") == "invalid quantity"
    assert format_quantity(-1500, "vcore") == "-1500m"


def test_an_operation_leaves_its_operands_as_they_were():
    left, right = r(a=1, b=0), r(a=5, c=-2)
    for operation in (add, sub, add_only_existing, sub_only_existing, sub_eliminate_negative, component_wise_min,
                      component_wise_min_only_existing, component_wise_max, merge_if_not_present):  # fmt: skip
        operation(left, right)
    prune(left), multiply(left, 3), multiply_by(left, 0.5)
    assert (left, right) == (r(a=1, b=0), r(a=5, c=-2))


def test_a_vector_cannot_be_changed_and_survives_copying_and_pickling():
    vector = r(a=1)
    with pytest.raises(AttributeError):
        vector.amounts = {}
    with pytest.raises(AttributeError):
        del vector.amounts
    with pytest.raises(TypeError):
        vector["a"] = 2
    assert copy.deepcopy(vector) is copy.copy(vector) is vector
    assert pickle.loads(pickle.dumps(vector)) == vector
    assert Resource(vector) == vector and vector != {"a": 1}


# --- 2 Quantity text ---


@pytest.mark.parametrize("text", ["1G", " 1G", "1G ", "1 G", "1\t\n\f\rG", "\u00a01G\u3000", "001G"])
def test_white_space_around_the_text_and_before_the_suffix_is_allowed(text):
    assert parse_quantity(text, "memory") == 10**9


@pytest.mark.parametrize("text", [
    "", " ", "-1", "+1", "1.5", "1e3", "1,000", "1_000", "1GB", "1g", "G", "1 \u00a0G", "1\u00a0G", "\u0661", "1\x1f",
    "1 000", "0x10", "1Gi i",
])  # fmt: skip
def test_anything_else_than_digits_and_one_suffix_is_an_invalid_quantity(text):
    assert refused(text) == "invalid quantity"


@pytest.mark.parametrize(("text", "type_name", "error"), [
    ("99999999999999999999K", "memory", "invalid quantity: overflow"),
    ("9223372036854775808m", "memory", "invalid quantity: overflow"),
    ("9223372036854775807K", "memory", "invalid suffix"),
    ("9223372036854775807k", "memory", "invalid quantity: overflow"),
    ("99999999999999999999x", "memory", "invalid quantity"),
])  # fmt: skip
def test_checks_run_in_the_order_pattern_digits_suffix_scale(text, type_name, error):
    assert refused(text, type_name) == error


def test_a_megabyte_of_digits_is_an_overflow_and_costs_nothing():
    assert refused("9" * 1_000_000) == "invalid quantity: overflow"
    assert parse_quantity("0" * 1_000_000 + "7", "memory") == 7


@pytest.mark.parametrize(("suffix", "factor"), [
    ("", 1), ("k", 10**3), ("M", 10**6), ("G", 10**9), ("T", 10**12), ("P", 10**15), ("E", 10**18),
    ("Ki", 2**10), ("Mi", 2**20), ("Gi", 2**30), ("Ti", 2**40), ("Pi", 2**50), ("Ei", 2**60),
])  # fmt: skip
def test_every_suffix_has_its_multiplier(suffix, factor):
    assert parse_quantity(f"3{suffix}", "memory") == 3 * factor


@pytest.mark.parametrize("text", ["1K", "1ki", "1mi"])
def test_suffixes_that_only_look_right_are_invalid_suffixes(text):
    assert refused(text) == refused(text, "vcore") == "invalid suffix"


def test_the_milli_suffix_is_for_vcore_only():
    assert parse_quantity("500m", "vcore") == 500
    assert refused("500m", "memory") == refused("500m", "VCORE") == "invalid suffix"


@pytest.mark.parametrize(("text", "millicores"), [
    ("2", 2000), ("500m", 500), ("1k", 1_000_000), ("1Ki", 1_024_000), ("9223372036854775", 9223372036854775000),
    ("9223372036854775807m", MAX_INT64),
])  # fmt: skip
def test_cores_become_thousandths_after_scaling(text, millicores):
    assert parse_quantity(text, "vcore") == millicores


@pytest.mark.parametrize("text", ["9223372036854776", "9223372036854775808m", "1E"])
def test_cores_overflow_a_thousand_times_earlier(text):
    assert refused(text, "vcore") == "invalid quantity: overflow"


@pytest.mark.parametrize(("text", "value"), [("007", 7), ("0", 0), ("000", 0), ("0Ei", 0), ("00G", 0)])
def test_leading_zeros_are_fine_and_zero_is_zero_with_any_suffix(text, value):
    assert parse_quantity(text, "memory") == value


def test_a_configuration_map_fails_with_the_text_of_its_first_wrong_entry_and_without_naming_its_type():
    assert from_config({"vcore": "2", "memory": "8Gi"}) == r(vcore=2000, memory=8 * 2**30)
    with pytest.raises(QuantityError) as error:
        from_config({"vcore": "2", "memory": "8GB", "pods": "1m"})
    assert str(error.value) == "invalid quantity"
    # Our order is the written one; the core leaves it to chance. What it hides can be told beside the text.
    assert (error.value.type_name, error.value.quantity) == ("memory", "8GB")


def test_a_missing_map_becomes_an_empty_vector_not_none():
    assert from_config(None) is not None and from_config(None) == from_config({}) == EMPTY


@pytest.mark.parametrize(("value", "type_name", "text"), [
    (500, "vcore", "500m"), (2000, "vcore", "2"), (1500, "vcore", "1500m"), (0, "vcore", "0"),
    (8 * 2**30, "memory", "8Gi"), (10**7, "memory", "10M"), (1023, "memory", "1023"), (0, "memory", "0"),
    (2**40 + 2**30, "memory", "1025Gi"), (110, "pods", "110"), (MAX_INT64, "memory", str(MAX_INT64)),
])  # fmt: skip
def test_a_value_is_shown_as_the_shortest_text_that_means_exactly_it(value, type_name, text):
    assert format_quantity(value, type_name) == text
    assert parse_quantity(text, type_name) == value


# --- 3 Arithmetic ---


@pytest.mark.parametrize(("left", "right", "total"), [
    (MAX_INT64, 1, MAX_INT64), (MIN_INT64, -1, MIN_INT64), (MAX_INT64, MIN_INT64, -1), (MAX_INT64 - 1, 1, MAX_INT64),
])  # fmt: skip
def test_addition_stops_at_the_bounds_of_64_bits(left, right, total):
    assert add(r(a=left), r(a=right)) == add_only_existing(r(a=left), r(a=right)) == r(a=total)


@pytest.mark.parametrize(("left", "right", "rest"), [
    (-2, MAX_INT64, MIN_INT64), (0, MAX_INT64, -MAX_INT64), (MAX_INT64, -1, MAX_INT64),
    # Quirk: the smallest integer has no opposite, so taking it away adds it.
    (0, MIN_INT64, MIN_INT64), (1, MIN_INT64, MIN_INT64 + 1), (-(2**62) - 10, MIN_INT64, MIN_INT64),
])  # fmt: skip
def test_subtraction_adds_the_opposite_and_stops_at_the_bounds(left, right, rest):
    assert sub(r(a=left), r(a=right)) == sub_only_existing(r(a=left), r(a=right)) == r(a=rest)


def test_integer_products_saturate_by_sign():
    assert multiply(r(a=MAX_INT64), 2) == multiply(r(a=MIN_INT64), -1) == r(a=MAX_INT64)
    assert multiply(r(a=MAX_INT64), -2) == r(a=MIN_INT64)


@pytest.mark.parametrize(("amount", "ratio", "product"), [
    (-5, 0.5, -2), (5, 0.5, 2), (3, -1.5, -4), (0, 7.5, 0), (MAX_INT64, 2.5, MAX_INT64), (MIN_INT64, 2.5, MIN_INT64),
    (1, math.inf, MAX_INT64), (0, math.inf, 0),
])  # fmt: skip
def test_float_products_are_doubles_clamped_and_cut_towards_zero(amount, ratio, product):
    assert multiply_by(r(a=amount), ratio) == r(a=product)


def test_addition_covers_the_types_of_both_sides_and_none_counts_as_empty():
    assert add(r(a=5), r(b=7)) == r(a=5, b=7)
    assert add(None, r(a=5)) == add(r(a=5), None) == r(a=5)
    assert add(None, None) == EMPTY


def test_subtraction_covers_the_types_of_both_sides_and_may_go_negative():
    assert sub(r(a=5), r(a=8, b=7)) == r(a=-3, b=-7)
    assert sub(None, r(a=5)) == r(a=-5) and sub(r(a=5), None) == r(a=5)
    assert sub(None, None) == EMPTY


def test_the_only_existing_variants_keep_to_the_types_of_the_base():
    assert add_only_existing(r(a=5), r(a=1, b=2)) == r(a=6)
    assert sub_only_existing(r(a=5), r(a=9, b=2)) == r(a=-4)
    for operation in (add_only_existing, sub_only_existing):
        assert operation(None, r(a=1)) is None
        assert operation(r(a=1), None) == r(a=1)


def test_eliminating_negatives_makes_zeros_of_them():
    assert sub_eliminate_negative(r(a=5, b=5), r(a=7, b=4)) == r(a=0, b=1)
    assert sub_eliminate_negative(None, r(a=3)) == r(a=0)


def test_a_type_that_was_negative_and_is_not_subtracted_stays_negative():
    assert sub_eliminate_negative(r(a=-5), r(b=1)) == r(a=-5, b=0)


def test_the_checked_subtraction_names_the_types_that_would_be_negative():
    assert sub_error_negative(r(a=5), r(a=5)) == (r(a=0), None)
    assert sub_error_negative(r(a=5), r(a=7)) == (r(a=0), "resource quantity less than zero for: a")
    # Several types come in order of their names; the core leaves it to chance.
    assert sub_error_negative(EMPTY, r(b=1, a=1)) == (r(a=0, b=0), "resource quantity less than zero for: a, b")


def test_what_the_core_does_in_place_is_here_the_new_value_of_a_name():
    base = r(a=1)
    base = add(base, r(b=2))
    assert base == r(a=1, b=2)
    assert add(base, None) is base and sub(base, None) is base


def test_a_ratio_of_zero_gives_an_empty_vector_not_zeros():
    assert multiply(r(a=5), 0) == multiply_by(r(a=5), 0.0) == EMPTY
    assert multiply(r(a=0, b=2), 3) == r(a=0, b=6)
    assert multiply(None, 3) == multiply_by(None, 3.0) == EMPTY


def test_pruning_drops_the_types_whose_amount_is_zero():
    assert prune(r(a=0, b=-1, c=2)) == r(b=-1, c=2)
    assert prune(None) is None


def test_sums_and_differences_keep_their_zeros_until_they_are_pruned():
    rest = sub(r(a=5), r(a=5))
    assert rest == r(a=0) and prune(rest) == EMPTY
    assert add(r(a=0), r(b=0)) == r(a=0, b=0)


# --- 4 Fit ---


@pytest.mark.parametrize(("larger", "smaller", "fits", "fits_undefined", "fits_actual"), [
    pytest.param(r(a=5), r(a=5), True, True, True, id="equal"),
    pytest.param(r(a=5), r(a=6), False, False, False, id="too large"),
    pytest.param(EMPTY, r(a=1), False, True, True, id="type absent in larger"),
    pytest.param(r(a=-2), r(a=0), True, True, False, id="negative larger counts as 0, except as it is"),
    pytest.param(r(a=-2), r(a=-1), True, True, False, id="nothing wanted of a negative"),
    pytest.param(r(a=-2), r(a=-3), True, True, True, id="even more negative"),
    pytest.param(r(a=-2), r(a=1), False, False, False, id="something wanted of a negative"),
    pytest.param(r(a=5, b=-9), r(a=5), True, True, True, id="types only in larger"),
    pytest.param(EMPTY, r(a=-1), True, True, True, id="less than nothing"),
    pytest.param(None, None, True, True, True, id="both none"),
    pytest.param(r(a=-1), None, True, True, True, id="smaller none"),
    pytest.param(None, r(a=0), True, True, True, id="larger none, nothing wanted"),
    pytest.param(None, r(a=1), False, True, True, id="larger none"),
])  # fmt: skip
def test_the_three_fits_differ_in_absent_and_in_negative_types(
    larger, smaller, fits, fits_undefined, fits_actual
):
    assert fit_in(larger, smaller) is fits
    assert fit_in_max_undef(larger, smaller) is fits_undefined
    assert fit_in_actual(larger, smaller) is fits_actual


def test_in_a_maximum_an_absent_type_is_no_limit_and_a_zero_is_none_at_all():
    maximum = r(memory=10, gpu=0)
    assert fit_in_max_undef(maximum, r(memory=10, pods=99))
    assert not fit_in_max_undef(maximum, r(gpu=1))


# --- 5 Comparison ---


@pytest.mark.parametrize(
    ("left", "right", "equal", "deeply", "or_empty"),
    [
        (None, None, True, True, True),
        (None, EMPTY, False, False, True),
        (EMPTY, None, False, False, True),
        (r(a=0), EMPTY, True, False, True),
        (r(a=0), None, False, False, True),
        (r(a=1, b=0), r(a=1), True, False, True),
        (r(a=1), r(a=1), True, True, True),
        (r(a=1), r(a=2), False, False, False),
        (r(a=1), None, False, False, False),
    ],
)
def test_the_three_equalities_differ_in_zeros_and_in_none(left, right, equal, deeply, or_empty):
    assert equals(left, right) is equal
    assert deep_equals(left, right) is deeply
    assert equals_or_empty(left, right) is or_empty


def test_strictly_greater_means_nowhere_below_and_somewhere_different():
    assert strictly_greater_than(r(a=2, b=1), r(a=1, b=1))
    assert strictly_greater_than(r(a=1), None) and strictly_greater_than(EMPTY, r(a=-1))
    assert not strictly_greater_than(r(a=9, b=1), r(a=1, b=2))
    assert not strictly_greater_than(r(a=1), r(a=1)) and not strictly_greater_than(None, r(a=0))


def test_greater_or_equal_needs_no_difference():
    assert strictly_greater_than_or_equals(None, EMPTY)
    assert strictly_greater_than_or_equals(r(a=1), r(a=1))
    assert not strictly_greater_than_or_equals(r(a=1), r(a=1, b=1))


@pytest.mark.parametrize(("larger", "smaller", "greater", "or_equal"), [
    pytest.param(r(a=1, b=2), EMPTY, True, True, id="1: against nothing, all positive"),
    pytest.param(r(a=1, b=0), None, False, False, id="1: against nothing, one zero"),
    pytest.param(r(a=2, b=0), r(a=1, c=9), True, True, id="2: the common type is above"),
    pytest.param(r(a=1, b=9), r(a=1), False, True, id="2: the common type is equal"),
    pytest.param(r(a=0, b=9), r(a=1), False, False, id="2: the common type is below"),
    pytest.param(r(a=-5), r(b=1), True, True, id="3: no common type"),
    pytest.param(EMPTY, EMPTY, False, False, id="3: two empties"),
    pytest.param(None, r(a=1), False, False, id="3: nothing against something"),
])  # fmt: skip
def test_only_existing_types_are_compared_with_special_answers_when_none_is_common(
    larger, smaller, greater, or_equal
):
    assert strictly_greater_than_only_existing(larger, smaller) is greater
    assert strictly_greater_than_or_equals_only_existing(larger, smaller) is or_equal


@pytest.mark.parametrize(
    ("vector", "zero", "empty", "negative", "above_zero"),
    [
        (None, True, True, False, False),
        (EMPTY, True, True, False, False),
        (r(a=0), True, False, False, False),
        (r(a=0, b=1), False, False, False, True),
        (r(a=-1), False, False, True, False),
        (r(a=-1, b=1), False, False, True, False),
    ],
)
def test_zero_empty_negative_and_above_zero_are_four_questions(vector, zero, empty, negative, above_zero):
    assert is_zero(vector) is zero
    assert is_empty(vector) is empty
    assert has_negative_value(vector) is negative
    assert strictly_greater_than_zero(vector) is above_zero


def test_two_vectors_match_when_they_name_a_type_in_common_whatever_the_amounts():
    assert match_any(r(a=1), r(a=0, b=1))
    assert not match_any(r(a=1), r(b=1)) and not match_any(None, r(a=1)) and not match_any(r(a=1), None)


# --- 6 Minimum, maximum, merge ---


def test_in_a_minimum_an_absent_type_is_unlimited():
    assert component_wise_min(r(a=5, b=2), r(a=3, c=1)) == r(a=3, b=2, c=1)
    assert component_wise_min(r(a=5), EMPTY) == r(a=5)
    assert component_wise_min(None, r(a=5)) == component_wise_min(r(a=5), None) == r(a=5)
    assert component_wise_min(None, None) is None


def test_the_minimum_of_existing_types_keeps_to_those_of_the_left():
    assert component_wise_min_only_existing(r(a=5, b=2), r(a=3, c=1)) == r(a=3, b=2)
    assert component_wise_min_only_existing(None, r(a=3)) is None
    assert component_wise_min_only_existing(r(a=5), None) == r(a=5)


def test_in_a_maximum_of_two_an_absent_type_is_zero_and_none_empties_the_result():
    assert component_wise_max(r(a=5, b=-2), r(a=3, c=-1)) == r(a=5, b=0, c=0)
    assert component_wise_max(r(a=-5), r(a=-3)) == r(a=-3)
    assert component_wise_max(None, r(a=5)) == component_wise_max(r(a=5), None) == EMPTY


def test_merging_adds_the_types_that_the_left_lacks():
    assert merge_if_not_present(r(a=5), r(a=3, c=1)) == r(a=5, c=1)
    assert merge_if_not_present(None, r(a=3)) == merge_if_not_present(r(a=3), None) == r(a=3)
    assert merge_if_not_present(None, None) is None


# --- 7 Shares ---


def test_the_fair_share_is_the_largest_share_of_any_type():
    assert fair_share(r(a=5, b=30), r(a=10, b=40), None) == 0.75


@pytest.mark.parametrize(("allocated", "guaranteed", "fair_max", "share"), [
    pytest.param(r(a=-5), r(a=10), None, 0.0, id="negative use is skipped"),
    pytest.param(r(a=5), r(a=10), r(a=100), 0.5, id="the guarantee comes first"),
    pytest.param(r(a=5), r(b=10), r(a=100), 0.05, id="else the fair maximum"),
    pytest.param(r(a=5), r(b=10), r(c=10), 0.0, id="a type with neither is skipped"),
    pytest.param(r(a=1), r(a=0), r(a=100), 1.0, id="a guarantee of 0 hides the fair maximum and is used up"),
    pytest.param(r(a=0), r(a=0), r(a=100), 0.0, id="nothing used of a guarantee of 0"),
    pytest.param(r(a=1), r(a=-4), None, 1.0, id="a negative guarantee is used up"),
])  # fmt: skip
def test_each_type_is_measured_by_its_guarantee_or_else_its_fair_maximum(
    allocated, guaranteed, fair_max, share
):
    assert fair_share(allocated, guaranteed, fair_max) == share


def test_a_fair_share_is_not_capped_and_nothing_allocated_has_none():
    assert fair_share(r(a=20), r(a=10), None) == 2.0
    assert fair_share(None, r(a=10), None) == fair_share(EMPTY, r(a=10), None) == 0.0


def test_two_fair_shares_are_compared_as_plain_doubles_by_the_dominant_type_alone():
    ten = r(a=10, b=10)
    assert comp_usage_ratio_separately(r(a=6), ten, None, r(a=5), ten, None) == 1
    assert comp_usage_ratio_separately(r(a=5), ten, None, r(b=6), ten, None) == -1
    assert comp_usage_ratio_separately(r(a=6, b=5), ten, None, r(a=6, b=1), ten, None) == 0


def test_shares_are_quotients_of_two_doubles_without_tolerance():
    assert fair_share(r(a=1), r(a=3), None) != fair_share(r(a=333), r(a=1000), None)
    # Both integers are rounded to doubles first: dividing the exact integers would give another double.
    used, entitled = MAX_INT64 - 1537, 2**62 + 513
    assert fair_share(r(a=used), r(a=entitled), None) == float(used) / float(entitled) != used / entitled


def queue(name: str, *, parent: Queue | None = None, maximum: Resource | None = None, seq: int = 0, **fields) -> Queue:
    nothing = {"max_applications": 0, "submit_acl": None, "admin_acl": None, "template": None, "guaranteed": None}
    return Queue(
        name=name,
        path=name,
        parent=parent,
        seq=seq,
        is_leaf=True,
        is_managed=True,
        maximum=maximum,
        settings=properties.DEFAULT_SETTINGS,
        properties={},
        own_properties={},
        **{**nothing, **fields},
    )


def test_the_fair_maximum_of_a_queue_is_the_cluster_with_every_type_of_its_own_maximum_laid_over_it():
    root = queue("root", maximum=r(memory=100, pods=10))
    cluster = fair_maximum(None, root)
    assert cluster == r(memory=100, pods=10)
    own = queue("a", parent=root, maximum=r(memory=400, gpu=0))
    assert fair_maximum(cluster, own) == r(memory=400, pods=10, gpu=0), "larger values and zeros win as well"
    assert fair_maximum(cluster, queue("b", parent=root)) == cluster
    for nothing in (None, EMPTY):
        assert fair_maximum(nothing, own) == nothing


def test_siblings_with_different_maxima_are_each_measured_against_their_own():
    # The core compares by position in the list here; every queue keeping its own is what a user expects.
    root = queue("root", maximum=r(memory=100))
    for seq, (name, used, most) in enumerate([("A", 40, 100), ("B", 10, 20), ("C", 15, 50)]):
        root.children[name] = queue(
            name, parent=root, maximum=r(memory=most), seq=seq, allocated=r(memory=used), pending=r(memory=1)
        )
    assert [child.name for _, child in order_queues(root, root.maximum)[1]] == ["C", "A", "B"]


def test_the_share_list_has_one_share_per_type_used_in_ascending_order():
    assert get_shares(r(a=5, b=2), r(a=10, b=10)) == [0.2, 0.5]
    assert get_shares(r(a=-5, b=0), r(a=10, b=0)) == [-0.5, 0.0]
    assert get_shares(r(a=5), None) == get_shares(r(a=5), r(a=0)) == get_shares(r(a=5), r(b=1)) == [5.0]
    assert get_shares(None, r(a=1)) == get_shares(EMPTY, r(a=1)) == []


def test_share_lists_are_compared_from_the_largest_share_down_until_one_differs():
    ten = r(a=10, b=10)
    assert comp_usage_ratio(r(a=6, b=1), r(a=5, b=9), r(a=10, b=100)) == 1
    assert comp_usage_ratio(r(a=6, b=1), r(a=6, b=2), ten) == -1
    assert comp_usage_ratio(r(a=6), r(a=6, b=2), ten) == -1, "the rest of the longer list decides"
    assert comp_usage_ratio(r(a=6, b=-2), r(a=6), ten) == -1, "a negative rest makes its side the smaller"
    assert comp_usage_ratio(r(a=6, b=0), r(a=6), ten) == comp_usage_ratio(None, EMPTY, ten) == 0


def test_names_of_types_play_no_part_in_comparing_share_lists():
    assert comp_usage_ratio(r(a=80), r(b=8), r(a=100, b=10)) == 0


def test_a_type_without_a_total_outweighs_every_real_share():
    assert comp_usage_ratio(r(memory=2), r(vcore=1999), r(vcore=2000)) == 1


def test_the_fairness_ratio_divides_the_two_largest_shares():
    hundred = r(a=100, b=100)
    assert fairness_ratio(r(a=5, b=80), r(a=40), hundred) == 2.0
    assert fairness_ratio(None, EMPTY, hundred) == 1.0
    assert fairness_ratio(r(a=5), None, hundred) == math.inf
    assert fairness_ratio(r(a=-5), None, hundred) == -math.inf


# --- 8 Percentages, dominant type, score ---


@pytest.mark.parametrize(("capacity", "used", "percent"), [
    (10, 5, 50), (10, 15, 150), (100, 29, 28), (200, 115, 57), (10, -5, 0), (0, 5, 100), (-1, 5, 100), (0, 0, 0),
    (1, MAX_INT64, 2**31 - 1),
])  # fmt: skip
def test_percentages_divide_first_then_multiply_then_cut(capacity, used, percent):
    assert abs_used_capacity(r(a=capacity, b=1), r(a=used, c=1)) == r(a=percent)
    assert abs_used_capacity(None, r(a=used)) == abs_used_capacity(r(a=capacity), None) == EMPTY


def test_the_dominant_type_has_the_highest_use_per_capacity():
    assert dominant_resource_type(r(a=1, b=9, z=99), r(a=2, b=10)) == "b"
    assert dominant_resource_type(r(a=1, b=9), r(a=0, b=10)) == "a", "a capacity of 0 is fully used"
    assert dominant_resource_type(r(a=-5), r(a=10)) == dominant_resource_type(None, r(a=1)) == ""
    # The core leaves ties to chance; here the first name wins.
    assert dominant_resource_type(r(b=1, a=1), r(a=2, b=2)) == "a"


def test_the_fit_score_adds_up_what_is_missing_of_each_type():
    assert fit_in_score(r(m=10), r(m=100, c=1)) == 1.9
    assert fit_in_score(r(a=5), r(a=5)) == fit_in_score(r(a=5), None) == 0.0
    assert fit_in_score(r(a=-1), r(a=4)) == 1.0
    assert fit_in_score(None, r(a=1, b=0, c=-1)) == 3.0, "none counts every type"
    assert fit_in_score(EMPTY, r(a=1, b=0, c=-1)) == 1.0, "empty only those of which something is wanted"


# --- 9 Text form ---


def test_error_texts_show_vectors_sorted_by_type_name():
    assert to_string(r(vcore=1000, memory=10**9)) == "map[memory:1000000000 vcore:1000]"
    assert (to_string(EMPTY), to_string(None)) == ("map[]", "nil resource")
    # Byte order, which is not the order of UTF-16 and not that of the insertion.
    assert to_string(Resource({"\U00010000": 1, "\uffff": 2, "B": 3, "a": 4})) == "map[B:3 a:4 \uffff:2 \U00010000:1]"


def test_outside_a_vector_is_a_map_of_type_to_integer():
    assert dict(r(vcore=1000, memory=2)) == {"memory": 2, "vcore": 1000}
    assert dict(EMPTY) == {}


def test_the_text_for_people_shows_the_names_in_order():
    assert repr(r(vcore=2, memory=1)) == "Resource(memory=1, vcore=2)"
    assert repr(Resource({"nvidia.com/gpu": 1, "a": 2})) == "Resource({'a': 2, 'nvidia.com/gpu': 1})"


def test_protocol_json_holds_integers_and_no_units():
    assert from_protocol('{"resources":{"vcore":{"value":2000},"memory":{}}}') == r(vcore=2000, memory=0)
    for unreadable in ("", "[]", "{}", '{"resources":{"vcore":{"value":"2"}}}', '{"resources":[1]}',
                       '{"resources":{"vcore":{"value":1e3}}}', '{"resources":{"vcore":{"value":9223372036854775808}}}',
                       "[" * 100_000):  # fmt: skip
        assert from_protocol(unreadable) is None


# --- 11 Version differences ---


def test_a_minimum_takes_absent_types_as_unlimited_which_older_versions_called_permissive():
    assert component_wise_min(r(a=5), r(b=3)) == r(a=5, b=3)
    assert component_wise_min(None, r(b=3)) == r(b=3)


def test_share_lists_of_older_versions_break_ties_that_todays_fair_share_leaves():
    guaranteed, left, right = r(a=10, b=10), r(a=6, b=5), r(a=6, b=1)
    assert comp_usage_ratio(left, right, guaranteed) == 1
    assert comp_usage_ratio_separately(left, guaranteed, None, right, guaranteed, None) == 0
    # Without a fair maximum a type without guarantee is not measured at all today; then it counted raw.
    assert fair_share(r(c=7), guaranteed, None) == 0.0 and get_shares(r(c=7), guaranteed) == [7.0]


def test_operations_that_older_versions_lacked_can_be_told_by_those_they_had():
    usage, delta = r(a=5, b=0), r(a=7, c=1)
    only_existing = Resource({name: sub(usage, delta)[name] for name in usage})
    assert sub_only_existing(usage, delta) == only_existing
    assert is_empty(prune(r(b=0))) and is_zero(r(b=0))


def test_quantities_mean_today_what_they_mean_since_1_0():
    assert parse_quantity("1", "memory") == 1, "not 10^6 bytes"
    assert parse_quantity("100", "vcore") == 100_000, "not millicores"
