"""Moving texts apart that want to stand at the same height."""

from __future__ import annotations

from collections.abc import Sequence


def spread(wanted: Sequence[float], first: float, last: float, pitch: float, keep: Sequence[bool] = ()) -> list[float | None]:
    """A place for each wanted one, at least `pitch` apart and between `first` and `last`, as near as that allows.

    Equal wishes keep their order. If there is no room for all, as many as fit get a place, those to `keep` first, and the
    others None.

    >>> spread([10, 10, 50], 0, 100, 12), spread([10, 10, 11], 0, 19, 10, [False, False, True])
    ([4.0, 16.0, 50.0], [5.5, None, 15.5])
    """
    room = int((last - first) / pitch + 1e-9) + 1
    order = sorted(range(len(wanted)), key=lambda number: (wanted[number], number))
    if len(order) > room:
        kept = sorted(order, key=lambda number: (not (keep[number] if keep else False), order.index(number)))
        order = [number for number in order if number in set(_evenly(kept, room, keep))]
    # Blocks of texts that touch: [sum of (wish - offset), members]; neighbours that overlap become one block.
    blocks: list[tuple[float, list[int]]] = []
    for number in order:
        total, members = wanted[number], [number]
        while blocks:
            above_total, above = blocks[-1]
            if _start(above_total, above, pitch, first, last) + len(above) * pitch <= _start(total, members, pitch, first, last):
                break
            blocks.pop()
            total = above_total + total - len(above) * len(members) * pitch
            members = above + members
        blocks.append((total, members))
    places: list[float | None] = [None] * len(wanted)
    for total, members in blocks:
        start = _start(total, members, pitch, first, last)
        for at, number in enumerate(members):
            places[number] = start + at * pitch
    return places


def _start(total: float, members: Sequence[int], pitch: float, first: float, last: float) -> float:
    """Where a block starts: `total` is the sum of what its members wish, each less its place in the block."""
    return float(min(max(total / len(members), first), last - (len(members) - 1) * pitch))


def _evenly(kept: Sequence[int], room: int, keep: Sequence[bool]) -> list[int]:
    """So many of the numbers: those to keep, and of the others every so manieth."""
    must = [number for number in kept if keep and keep[number]][:room]
    rest = [number for number in kept if number not in set(must)]
    left = room - len(must)
    return must + [rest[at * len(rest) // left] for at in range(left)] if left > 0 else must
