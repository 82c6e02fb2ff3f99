"""Where the marks of a tree go, and what is folded when they are too many."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.plots.layout import REST, Place, fold, places

TREE = {"r": ("b", "a"), "b": ("b1", "b2"), "a": ("a1", "a2", "a3")}


def children(item: str) -> tuple[str, ...]:
    return TREE.get(item, ())


def test_a_parent_stands_on_the_line_of_its_first_child():
    assert places("r", children) == {
        "r": Place(0, 0),
        "b": Place(1, 0),
        "b1": Place(2, 0),
        "b2": Place(2, 1),
        "a": Place(1, 2),
        "a1": Place(2, 2),
        "a2": Place(2, 3),
        "a3": Place(2, 4),
    }


def test_a_tree_that_fits_is_left_whole():
    folded = fold("r", children, (), 5)
    assert folded.hidden == {} and folded.below("a") == ("a1", "a2", "a3")


def test_what_is_not_on_the_way_is_folded_the_last_first():
    folded = fold("r", children, ("r", "b", "b1"), 4)
    assert folded.hidden == {"a": 3} and folded.below("a") == () and folded.below("b") == ("b1", "b2")


def test_too_many_siblings_end_in_one_that_stands_for_the_rest():
    flat = {"r": tuple(f"q{number}" for number in range(50))}
    folded = fold("r", lambda item: flat.get(item, ()), ("r", "q40"), 10)
    shown = folded.below("r")
    assert "q40" in shown and shown[-1] == "r" + REST and len(shown) <= 10
    assert folded.hidden["r" + REST] == 50 - (len(shown) - 1)


@st.composite
def trees(draw):
    """Item -> children, items numbered in the order of their parents."""
    number = draw(st.integers(1, 60))
    tree: dict[str, tuple[str, ...]] = {}
    for item in range(1, number):
        parent = str(draw(st.integers(0, item - 1)))
        tree[parent] = (*tree.get(parent, ()), str(item))
    keep, at = ["0"], "0"
    while tree.get(at):
        at = draw(st.sampled_from(tree[at]))
        keep.append(at)
    return tree, tuple(keep)


@given(trees(), st.integers(1, 20))
def test_nothing_gets_lost_and_the_way_stays(drawn, most):
    tree, keep = drawn
    folded = fold("0", lambda item: tree.get(item, ()), keep, most)
    shown = set(places("0", folded.below))
    assert set(keep) <= shown
    items = {"0"} | {child for below in tree.values() for child in below}
    assert len(shown & items) + sum(folded.hidden.values()) == len(items)
    lines = sum(1 for item in shown if not folded.below(item))
    ways = sum(2 for item in keep if tree.get(item))
    assert lines <= max(most, ways)


@given(trees())
def test_every_leaf_has_a_line_of_its_own(drawn):
    tree, _ = drawn
    found = places("0", lambda item: tree.get(item, ()))
    lines = [place.line for item, place in found.items() if not tree.get(item)]
    assert sorted(lines) == list(range(len(lines)))
