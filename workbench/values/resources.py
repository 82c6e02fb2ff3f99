"""Resource vectors: sparse maps from a type name to a 64-bit integer, and everything the scheduler asks of them.

A vector is immutable. A type may be absent, present with 0 or present with a value, and a whole vector may be `None`
("not configured") or empty; each function says which of these differ for it (R-2, R-3). Every operation takes
`Resource | None`, returns a new vector or one of its operands, and never changes one (R-6). Arithmetic saturates at
the 64-bit bounds without an error. Functions carry the operation names of the specification, chapter 01.

The scheduler calls `add`, `sub` and the `fit_in` family millions of times: they work on the plain dict in `amounts`
and hand an operand back instead of a copy whenever the result equals it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from operator import index
from typing import Any, TypeVar, overload

from workbench.values.quantities import MAX_INT64, MIN_INT64, parse_quantity

Default = TypeVar("Default")

COMPILED = False
"""The compiler takes this for True (`hatch_build.py`): the quickest way to make a vector is another one there."""


class Resource:
    """An immutable sparse vector of resource types. `==` is exact: `{a: 0}` differs from `{}` (R-51).

    Iteration, and everything printed, is in order of the type names. `amounts` is the dict inside, in no particular
    order, for code that must be fast; nobody changes it.

    Raises:
        TypeError: a value that is no integer, or a name that is no text.
        ValueError: a value beyond 64 bits.

    >>> Resource(vcore=1000, memory=2) == Resource({"memory": 2, "vcore": 1000})
    True
    >>> Resource({"nvidia.com/gpu": 1})
    Resource({'nvidia.com/gpu': 1})
    """

    __slots__ = ("amounts",)

    amounts: dict[str, int]

    def __init__(self, amounts: Mapping[str, int] | Resource | None = None, _checked: bool = False, /, **more: int):
        if _checked:  # by this module only: a fresh dict, now the vector's own
            object.__setattr__(self, "amounts", amounts)
            return
        if isinstance(amounts, Resource) and not more:
            object.__setattr__(self, "amounts", amounts.amounts)
            return
        checked: dict[str, int] = {}
        given: tuple[tuple[Any, Any], ...] = (*(amounts or {}).items(), *more.items())
        for name, amount in given:
            if not isinstance(name, str):
                raise TypeError(f"the name of a resource type must be text, not {name!r}")
            if isinstance(amount, bool) or not hasattr(amount, "__index__"):
                raise TypeError(f"the amount of {name!r} must be an integer, not {amount!r}")
            amount = index(amount)
            if not MIN_INT64 <= amount <= MAX_INT64:
                raise ValueError(f"the amount of {name!r} does not fit in 64 bits: {amount}")
            checked[name] = amount
        object.__setattr__(self, "amounts", checked)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a resource vector is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a resource vector is immutable")

    def __getitem__(self, name: str) -> int:
        return self.amounts[name]

    @overload
    def get(self, name: str, /) -> int | None: ...
    @overload
    def get(self, name: str, /, default: int) -> int: ...
    @overload
    def get(self, name: str, /, default: Default) -> int | Default: ...
    def get(self, name: str, /, default: object = None) -> object:
        """The amount of a type, `default` if the type is absent."""
        return self.amounts.get(name, default)

    def keys(self) -> KeysView[str]:
        return KeysView(self)

    def items(self) -> ItemsView[str, int]:
        return ItemsView(self)

    def values(self) -> ValuesView[int]:
        return ValuesView(self)

    def __contains__(self, name: object) -> bool:
        return name in self.amounts

    def __bool__(self) -> bool:
        # Also where the length would say it: for the compiler every object without this is true.
        return bool(self.amounts)

    def __len__(self) -> int:
        return len(self.amounts)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.amounts))

    def __eq__(self, other: object) -> bool:
        return self.amounts == other.amounts if isinstance(other, Resource) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self.amounts.items()))

    def __repr__(self) -> str:
        if all(name.isidentifier() for name in self.amounts):
            return f"Resource({', '.join(f'{name}={amount}' for name, amount in self.items())})"
        return f"Resource({dict(self.items())})"

    def __copy__(self) -> Resource:
        return self

    def __deepcopy__(self, memo: object) -> Resource:
        return self

    def __reduce__(self) -> tuple[type[Resource], tuple[dict[str, int]]]:
        return Resource, (self.amounts,)


# Not by inheritance, which a compiled class could not have.
Mapping.register(Resource)
# The slot's own setter: the way past __setattr__ that costs least, but for the compiler.
_set_amounts: Callable[[Resource, dict[str, int]], None] = vars(Resource)["amounts"].__set__
_new = Resource.__new__


def _vector(amounts: dict[str, int]) -> Resource:
    """A vector around a fresh dict of checked amounts, which it now owns."""
    if COMPILED:
        return Resource(amounts, True)
    vector = _new(Resource)
    _set_amounts(vector, amounts)
    return vector


EMPTY = Resource()


# --- Arithmetic (R-20 to R-33) ---


def add(left: Resource | None, right: Resource | None) -> Resource:
    """left + right over all types of both; None counts as empty. R-20, R-23."""
    if right is None or not right.amounts:
        return EMPTY if left is None else left
    if left is None or not left.amounts:
        return right
    total = left.amounts.copy()
    for name, amount in right.amounts.items():
        amount += total.get(name, 0)
        total[name] = amount if MIN_INT64 <= amount <= MAX_INT64 else _clamp(amount)
    return _vector(total)


def sub(left: Resource | None, right: Resource | None) -> Resource:
    """left - right over all types of both, possibly negative; None counts as empty. R-21, R-24."""
    if right is None or not right.amounts:
        return EMPTY if left is None else left
    rest = {} if left is None else left.amounts.copy()
    for name, amount in right.amounts.items():
        held = rest.get(name, 0)
        difference = held - amount
        # The usual case in line: a call of _minus for every type would cost as much as the rest of this function.
        usual = MIN_INT64 <= difference <= MAX_INT64 and amount != MIN_INT64
        rest[name] = difference if usual else _minus(held, amount)
    return _vector(rest)


def raised(total: Resource | None, amount: Resource) -> Resource | None:
    """`prune(add(total, amount))`, if `lowered` by the same amount gives back the very same total; else None.

    It does wherever every quantity of the amount is above 0, none of the total is 0 and none of the sum below it. For sums of
    asks, which this computes faster than the general operations do, and which never come near the bounds (R-20).
    """
    if total is None or 0 in total.amounts.values():
        return None
    sums = total.amounts.copy()
    for name, more in amount.amounts.items():
        summed = sums.get(name, 0) + more
        if summed > 0 and more > 0:
            sums[name] = summed
        elif not summed and more > 0:
            del sums[name]
        else:
            return None
    if COMPILED:
        return _vector(sums)
    vector = _new(Resource)
    _set_amounts(vector, sums)
    return vector


def lowered(total: Resource | None, amount: Resource) -> Resource | None:
    """`prune(sub(total, amount))`, if `raised` by the same amount gives back the very same total; else None."""
    if total is None or 0 in total.amounts.values():
        return None
    rests = total.amounts.copy()
    for name, less in amount.amounts.items():
        rest = rests.get(name, 0) - less
        if rest > 0 and less > 0:
            rests[name] = rest
        elif less > 0 and not rest:
            del rests[name]
        else:
            return None
    if COMPILED:
        return _vector(rests)
    vector = _new(Resource)
    _set_amounts(vector, rests)
    return vector


@overload
def add_only_existing(base: Resource, delta: Resource | None) -> Resource: ...
@overload
def add_only_existing(base: Resource | None, delta: Resource | None) -> Resource | None: ...
def add_only_existing(base: Resource | None, delta: Resource | None) -> Resource | None:
    """base + delta for the types of base only; None base gives None. R-25."""
    if base is None or delta is None or not delta.amounts:
        return base
    total = base.amounts.copy()
    for name, amount in delta.amounts.items():
        if name in total:
            total[name] = _clamp(total[name] + amount)
    return _vector(total)


@overload
def sub_only_existing(base: Resource, delta: Resource | None) -> Resource: ...
@overload
def sub_only_existing(base: Resource | None, delta: Resource | None) -> Resource | None: ...
def sub_only_existing(base: Resource | None, delta: Resource | None) -> Resource | None:
    """base - delta for the types of base only, possibly negative; None base gives None. R-25."""
    if base is None or delta is None or not delta.amounts:
        return base
    rest = base.amounts.copy()
    for name, amount in delta.amounts.items():
        if name in rest:
            difference = rest[name] - amount
            usual = MIN_INT64 <= difference <= MAX_INT64 and amount != MIN_INT64
            rest[name] = difference if usual else _minus(rest[name], amount)
    return _vector(rest)


def sub_eliminate_negative(left: Resource | None, right: Resource | None) -> Resource:
    """left - right, where negative results of the types of right become 0. R-26.

    A type of left that was negative before and that right does not name stays negative (R-31).
    """
    return sub_error_negative(left, right)[0]


def sub_error_negative(left: Resource | None, right: Resource | None) -> tuple[Resource, str | None]:
    """`sub_eliminate_negative` and the text that names the types which would be negative, None if none. R-27, R-32."""
    rest = sub(left, right)
    below = sorted(name for name in (right or EMPTY).amounts if rest.amounts[name] < 0)
    if not below:
        return rest, None
    return (
        _vector({**rest.amounts, **dict.fromkeys(below, 0)}),
        f"resource quantity less than zero for: {', '.join(below)}",
    )


def multiply(vector: Resource | None, ratio: int) -> Resource:
    """Every amount times an integer; ratio 0 gives the empty vector. R-22, R-29."""
    if vector is None or ratio == 0:
        return EMPTY
    return _vector({name: _clamp(amount * ratio) for name, amount in vector.amounts.items()})


def multiply_by(vector: Resource | None, ratio: float) -> Resource:
    """Every amount times a float, as doubles, truncated towards zero; ratio 0 gives the empty vector. R-22, R-29."""
    if vector is None or ratio == 0:
        return EMPTY
    # Clamped as a double first: int() of an infinite product would fail.
    bounds = float(MIN_INT64), float(MAX_INT64)
    products = {name: float(amount) * ratio if amount else 0.0 for name, amount in vector.amounts.items()}
    return _vector({name: _clamp(int(max(bounds[0], min(bounds[1], value)))) for name, value in products.items()})


@overload
def prune(vector: Resource) -> Resource: ...
@overload
def prune(vector: Resource | None) -> Resource | None: ...
def prune(vector: Resource | None) -> Resource | None:
    """The vector without the types whose amount is 0; None stays None. R-30."""
    if vector is None or 0 not in vector.amounts.values():
        return vector
    return _vector({name: amount for name, amount in vector.amounts.items() if amount})


def _clamp(amount: int) -> int:
    """The nearest 64-bit integer. R-20."""
    if amount > MAX_INT64:
        return MAX_INT64
    return amount if amount >= MIN_INT64 else MIN_INT64


def _minus(amount: int, less: int) -> int:
    """amount - less, saturating. Quirk: the smallest integer negates to itself, so subtracting it adds it. R-21."""
    if less == MIN_INT64:
        return _clamp(amount + MIN_INT64)
    return _clamp(amount - less)


# --- Fit (R-40 to R-45) ---


def fit_in(larger: Resource | None, smaller: Resource | None) -> bool:
    """Whether smaller fits in larger; what larger lacks, or has below 0, counts as 0 there. R-40."""
    if smaller is None:
        return True
    room = EMPTY.amounts if larger is None else larger.amounts
    for name, need in smaller.amounts.items():
        if need > 0 and need > room.get(name, 0):
            return False
    return True


def fit_in_max_undef(larger: Resource | None, smaller: Resource | None) -> bool:
    """Whether smaller fits in larger; what larger lacks is unlimited, what it has below 0 counts as 0. R-41."""
    if smaller is None or larger is None:
        return True
    room = larger.amounts
    for name, need in smaller.amounts.items():
        if need > 0 and need > room.get(name, need):
            return False
    return True


def fit_in_actual(larger: Resource | None, smaller: Resource | None) -> bool:
    """Whether smaller fits in larger; what larger lacks is unlimited, negative amounts count as they are. R-42."""
    if smaller is None or larger is None:
        return True
    room = larger.amounts
    for name, need in smaller.amounts.items():
        if need > room.get(name, need):
            return False
    return True


def fit_in_score(vector: Resource | None, fit: Resource | None) -> float:
    """How much of `fit` the vector lacks: 0.0 is a perfect fit, the number of types of `fit` is none at all. R-92.

    Quirk: None scores every type of `fit`, an empty vector only those that `fit` wants more than 0 of.
    """
    if fit is None:
        return 0.0
    if vector is None:
        return float(len(fit.amounts))
    score = 0.0
    for name, want in fit.items():
        have = vector.amounts.get(name, 0)
        if want > 0 and have < want:
            score += 1.0 if have <= 0 else float(want - have) / float(want)
    return score


# --- Comparison (R-50 to R-59) ---


def equals(left: Resource | None, right: Resource | None) -> bool:
    """Same amounts, absent types counting as 0; None equals only None. R-50."""
    if left is None or right is None:
        return left is right
    return left.amounts == right.amounts or _without_zeros(left) == _without_zeros(right)


def deep_equals(left: Resource | None, right: Resource | None) -> bool:
    """Same types and same amounts; None equals only None. R-51."""
    return left == right


def equals_or_empty(left: Resource | None, right: Resource | None) -> bool:
    """`equals`, where None, empty and all zero are the same. R-52."""
    return (is_zero(left) and is_zero(right)) or equals(left, right)


def strictly_greater_than(larger: Resource | None, smaller: Resource | None) -> bool:
    """No type of larger is below smaller and at least one differs; absent types and None count as 0. R-53."""
    differences = _differences(larger, smaller)
    return all(difference >= 0 for difference in differences) and any(differences)


def strictly_greater_than_or_equals(larger: Resource | None, smaller: Resource | None) -> bool:
    """No type of larger is below smaller; absent types and None count as 0. R-54."""
    return all(difference >= 0 for difference in _differences(larger, smaller))


def strictly_greater_than_only_existing(larger: Resource | None, smaller: Resource | None) -> bool:
    """`strictly_greater_than` over the types that both have, with special answers when there are none. R-55."""
    return _greater_only_existing(larger, smaller, or_equal=False)


def strictly_greater_than_or_equals_only_existing(larger: Resource | None, smaller: Resource | None) -> bool:
    """`strictly_greater_than_or_equals` over the types that both have. R-56.

    Quirks: two empty vectors give False, and vectors without a common type give True whatever their amounts.
    """
    return _greater_only_existing(larger, smaller, or_equal=True)


def strictly_greater_than_zero(vector: Resource | None) -> bool:
    """No amount below 0 and at least one above; not the opposite of `is_zero`. R-58."""
    if vector is None or not vector.amounts:
        return False
    lowest = min(vector.amounts.values())
    return lowest > 0 or (lowest == 0 and any(vector.amounts.values()))


def is_zero(vector: Resource | None) -> bool:
    """None, empty, or nothing but zeros. R-57."""
    return vector is None or not any(vector.amounts.values())


def is_empty(vector: Resource | None) -> bool:
    """None, or no types. R-57."""
    return vector is None or not vector.amounts


def has_negative_value(vector: Resource | None) -> bool:
    """Some amount is below 0; None has none. R-57."""
    return vector is not None and any(amount < 0 for amount in vector.amounts.values())


def match_any(left: Resource | None, right: Resource | None) -> bool:
    """Both name some type in common, whatever the amounts. R-59."""
    return left is not None and right is not None and not left.amounts.keys().isdisjoint(right.amounts)


def _without_zeros(vector: Resource) -> dict[str, int]:
    return {name: amount for name, amount in vector.amounts.items() if amount}


def _differences(larger: Resource | None, smaller: Resource | None) -> list[int]:
    """larger - smaller for every type of either, in exact integers."""
    mine, theirs = (larger or EMPTY).amounts, (smaller or EMPTY).amounts
    return [mine.get(name, 0) - theirs.get(name, 0) for name in mine.keys() | theirs.keys()]


def _greater_only_existing(larger: Resource | None, smaller: Resource | None, *, or_equal: bool) -> bool:
    mine, theirs = (larger or EMPTY).amounts, (smaller or EMPTY).amounts
    if mine and not theirs:
        return all(amount > 0 for amount in mine.values())
    differences = [mine[name] - theirs[name] for name in mine.keys() & theirs.keys()]
    if not differences:
        return bool(mine) and bool(theirs)
    return all(difference >= 0 for difference in differences) and (or_equal or any(differences))


# --- Minimum, maximum, merge (R-60 to R-63) ---


@overload
def component_wise_min(left: Resource, right: Resource | None) -> Resource: ...
@overload
def component_wise_min(left: Resource | None, right: Resource) -> Resource: ...
@overload
def component_wise_min(left: None, right: None) -> None: ...
@overload
def component_wise_min(left: Resource | None, right: Resource | None) -> Resource | None: ...
def component_wise_min(left: Resource | None, right: Resource | None) -> Resource | None:
    """The smaller amount of each type; a type or vector that is absent is unlimited. R-60."""
    if left is None:
        return right
    if right is None:
        return left
    smallest = left.amounts.copy()
    for name, amount in right.amounts.items():
        if amount <= smallest.get(name, amount):
            smallest[name] = amount
    return _vector(smallest)


@overload
def component_wise_min_only_existing(left: Resource, right: Resource | None) -> Resource: ...
@overload
def component_wise_min_only_existing(left: Resource | None, right: Resource | None) -> Resource | None: ...
def component_wise_min_only_existing(left: Resource | None, right: Resource | None) -> Resource | None:
    """`component_wise_min` for the types of left only; None left gives None. R-61."""
    if left is None or right is None:
        return left
    limits = right.amounts
    return _vector({name: min(amount, limits.get(name, amount)) for name, amount in left.amounts.items()})


def component_wise_max(left: Resource | None, right: Resource | None) -> Resource:
    """The larger amount of each type, absent types counting as 0. Quirk: empty when either side is None. R-62."""
    if left is None or right is None:
        return EMPTY
    mine, theirs = left.amounts, right.amounts
    largest = {name: amount if amount > 0 else 0 for name, amount in theirs.items()}
    for name, amount in mine.items():
        # 0 stands for the absent amount only: two negative amounts have a negative maximum.
        other = theirs.get(name, 0)
        largest[name] = amount if amount > other else other
    return _vector(largest)


@overload
def merge_if_not_present(left: Resource, right: Resource | None) -> Resource: ...
@overload
def merge_if_not_present(left: Resource | None, right: Resource) -> Resource: ...
@overload
def merge_if_not_present(left: Resource | None, right: Resource | None) -> Resource | None: ...
def merge_if_not_present(left: Resource | None, right: Resource | None) -> Resource | None:
    """All of left, and those types of right that left lacks. R-63."""
    if left is None or right is None:
        return right if left is None else left
    return _vector({**right.amounts, **left.amounts})


# --- Shares and ratios (R-70 to R-84) ---


def fair_share(allocated: Resource | None, guaranteed: Resource | None, fair_max: Resource | None) -> float:
    """Largest ratio of allocated to entitlement over the types allocated; 0.0 when nothing is. R-70 to R-74.

    The entitlement of a type is its guarantee if there is one, else its fair maximum. One of 0 or less counts as fully
    used (1.0) as soon as anything is allocated; a type with neither is ignored. Not capped: 2.0 is twice the
    entitlement. Both integers become doubles before the division, which matters above 2^53.

    >>> fair_share(Resource(vcore=3), Resource(vcore=4), Resource(vcore=100))
    0.75
    """
    largest = 0.0
    if allocated is None:
        return largest
    guarantees = EMPTY.amounts if guaranteed is None else guaranteed.amounts
    maxima = EMPTY.amounts if fair_max is None else fair_max.amounts
    for name, used in allocated.amounts.items():
        if used <= 0:
            continue
        entitled = guarantees.get(name)
        if entitled is None:
            entitled = maxima.get(name)
            if entitled is None:
                continue
        share = float(used) / float(entitled) if entitled > 0 else 1.0
        if share > largest:
            largest = share
    return largest


def comp_usage_ratio_separately(
    left_allocated: Resource | None, left_guaranteed: Resource | None, left_fair_max: Resource | None,
    right_allocated: Resource | None, right_guaranteed: Resource | None, right_fair_max: Resource | None,
) -> int:  # fmt: skip
    """1, -1 or 0 as the fair share of the left is above, below or equal to that of the right. R-73."""
    left = fair_share(left_allocated, left_guaranteed, left_fair_max)
    right = fair_share(right_allocated, right_guaranteed, right_fair_max)
    return (left > right) - (left < right)


def get_shares(usage: Resource | None, total: Resource | None) -> list[float]:
    """One share per type of usage, ascending. R-80.

    Quirk: a type without a total, or with a total of 0, has its raw usage as its share (R-83).
    """
    if usage is None:
        return []
    totals = EMPTY.amounts if total is None else total.amounts
    shares = []
    for name, used in usage.amounts.items():
        whole = totals.get(name, 0)
        shares.append(0.0 if not used else float(used) / float(whole) if whole else float(used))
    return sorted(shares)


def comp_usage_ratio(left: Resource | None, right: Resource | None, total: Resource | None) -> int:
    """1, -1 or 0 by the first difference of the share lists, largest share first, the shorter padded with 0. R-81.

    Names of types play no part (R-82).
    """
    mine, theirs = get_shares(left, total)[::-1], get_shares(right, total)[::-1]
    longest = max(len(mine), len(theirs))
    mine += [0.0] * (longest - len(mine))
    theirs += [0.0] * (longest - len(theirs))
    return (mine > theirs) - (mine < theirs)


def fairness_ratio(left: Resource | None, right: Resource | None, total: Resource | None) -> float:
    """Largest share of left divided by that of right. 0/0 is 1.0; Quirk: x/0 is infinite. R-84. Decides nothing."""
    mine = max(get_shares(left, total), default=0.0)
    theirs = max(get_shares(right, total), default=0.0)
    if theirs == 0.0:
        return 1.0 if mine == 0.0 else math.copysign(math.inf, mine)
    return mine / theirs


# --- For display (R-90 to R-97) ---

MOST_PERCENT = 2**31 - 1


def abs_used_capacity(capacity: Resource | None, used: Resource | None) -> Resource:
    """Whole percent used of each type that both have; may exceed 100. R-90.

    As doubles, divided before multiplied and then truncated, so 29 of 100 yields 28.
    """
    if capacity is None or used is None:
        return EMPTY
    percent = {}
    for name, whole in capacity.amounts.items():
        if name in used.amounts:
            part = used.amounts[name]
            ratio = 0.0 if part <= 0 else float(part) / float(whole) * 100 if whole > 0 else 100.0
            percent[name] = min(int(ratio), MOST_PERCENT)
    return _vector(percent)


def dominant_resource_type(used: Resource | None, capacity: Resource | None) -> str:
    """The type of highest use per capacity, "" if there is none; of several the first by name. R-91.

    The core leaves the choice between equals to chance. Types of negative use never win.
    """
    if used is None or capacity is None:
        return ""
    ratios = {}
    for name, part in used.items():
        if name in capacity.amounts:
            whole = capacity.amounts[name]
            ratios[name] = float(part) / float(whole) if whole else float(part != 0)
    candidates = [name for name in ratios if ratios[name] >= 0]
    return max(candidates, key=ratios.__getitem__, default="")


def to_string(vector: Resource | None) -> str:
    """The form used inside the core's error texts, `map[memory:1 vcore:1000]`. R-95."""
    if vector is None:
        return "nil resource"
    # Names in byte order, which differs from that of str beyond the basic plane only.
    names = sorted(vector.amounts, key=lambda name: name.encode("utf-8", "surrogatepass"))
    return f"map[{' '.join(f'{name}:{vector.amounts[name]}' for name in names)}]"


# --- From text ---


def from_config(mapping: Mapping[str, str] | None) -> Resource:
    """The vector that a map of quantity texts stands for; None and {} give the empty vector. R-17, R-18.

    Raises:
        QuantityError: for the first wrong entry in written order; its text is the core's.
    """
    return _vector({name: parse_quantity(text, name) for name, text in (mapping or {}).items()})


def from_protocol(text: str) -> Resource | None:
    """The vector in the JSON of a protocol message; None if it is none. R-97.

    >>> from_protocol('{"resources":{"vcore":{"value":2000}}}')
    Resource(vcore=2000)
    """
    try:
        resources = json.loads(text)["resources"] or {}
        return Resource({name: (quantity or {}).get("value", 0) for name, quantity in resources.items()})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
