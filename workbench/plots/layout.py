"""Where the marks of a tree go: a tidy layout with the siblings in a given order, and folding for what does not fit.

The root is on the left; every leaf has a line of its own, and a parent stands on the line of its first child. With the
siblings in scheduling order the way of the next choice is then the straight line along the top. Pure and deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Children = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item stands: steps from the root, and line from the top."""

    depth: int
    line: int


def places(root: str, children: Children) -> dict[str, Place]:
    """The place of every item below and including `root`, in drawing order from top to bottom."""
    found: dict[str, Place] = {}
    _place(root, children, 0, 0, found)
    return found


def _place(item: str, children: Children, depth: int, line: int, found: dict[str, Place]) -> int:
    """Place `item` and what is below it from `line` on; returns the first line left."""
    found[item] = Place(depth, line)
    below = children(item)
    for child in below:
        line = _place(child, children, depth + 1, line, found)
    return line if below else line + 1


REST = ".…"
"""Ending of the item that stands for the children left out of the item before it."""


@dataclass(frozen=True, slots=True)
class Folded:
    """What is left to draw of a tree.

    Attributes:
        children: item -> the children to draw, in order; an item ending in `REST` stands for those left out.
        hidden: item -> number of items that it stands for and that are not drawn.
    """

    children: Mapping[str, tuple[str, ...]]
    hidden: Mapping[str, int]

    def below(self, item: str) -> tuple[str, ...]:
        return self.children.get(item, ())


def fold(root: str, children: Children, keep: Sequence[str], most: int) -> Folded:
    """The tree on at most about `most` lines. A tree that fits is left whole, and items of `keep` are always drawn.

    What is not on the way of `keep` is folded, the deepest and last first. If the ways left are still too many, every item
    draws its first few children only.
    """
    everything = {item: tuple(children(item)) for item in places(root, children)}
    drawn, hidden = dict(everything), {}
    kept = {root, *keep}
    excess = _lines(root, drawn) - most
    inner = [
        (place.depth, place.line, item) for item, place in places(root, children).items() if everything[item] and item not in kept
    ]
    for _, _, item in sorted(inner, reverse=True):
        if excess <= 0:
            break
        excess -= len(drawn[item]) - 1
        hidden[item], drawn[item] = _below(item, everything), ()
    if excess > 0:
        widest = max(map(len, drawn.values()))
        for most_children in range(widest - 1, 0, -1):
            shown = {item: _first(item, below, kept, most_children) for item, below in drawn.items()}
            if _lines(root, shown) <= most:
                break
        for item, below in drawn.items():
            left_out = set(below) - set(shown[item])
            if left_out:
                hidden[item + REST] = sum(1 + _below(child, everything) for child in left_out)
        drawn = shown
    visible = places(root, lambda item: drawn.get(item, ()))
    return Folded(
        {item: drawn[item] for item in visible if item in drawn},
        {item: number for item, number in hidden.items() if item in visible},
    )


def _first(item: str, below: tuple[str, ...], kept: set[str], most: int) -> tuple[str, ...]:
    """At most `most` children, those to be kept among them, then one item for the rest, if it would stand for more than one."""
    others = [child for child in below if child not in kept]
    left_out = set(others[max(0, most - (len(below) - len(others))) :])
    return (*(child for child in below if child not in left_out), item + REST) if len(left_out) > 1 else below


def _lines(root: str, children: Mapping[str, tuple[str, ...]]) -> int:
    below = children.get(root, ())
    return sum(_lines(child, children) for child in below) or 1


def _below(item: str, children: Mapping[str, tuple[str, ...]]) -> int:
    """Number of items below `item`."""
    return sum(1 + _below(child, children) for child in children[item])
