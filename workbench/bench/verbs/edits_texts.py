"""What a reload and taking an edit back did, for the status line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.config.diff import Difference
from workbench.explain import words
from workbench.explain.wording import listing, name, priority


def reloaded(position: int, old_next: Any, new_next: Any) -> str:
    """What a reload at the present step changed. Two decisions."""
    at = f"Reloaded at step {position}."
    if not new_next.changed_something:
        return f"{at} {words.NOTHING_NEXT}"
    who = words.about(new_next)
    same = (old_next.application_id, old_next.key) == (new_next.application_id, new_next.key)
    return f"{at} Next is {'still ' if same else ''}{who}."


def stale(queues: Sequence[tuple[str, int, int]]) -> str:
    """Queues that do not show yet what their children make them, each with what it shows and what it should. R-644"""
    if not queues:
        return ""
    told = listing([f"{name(path, 120)} shows {priority(shown)}, not {priority(present)}" for path, shown, present in queues])
    return f"{told}, until something is asked for or placed below: a known surprise of the real scheduler (R-644)."


MOST_RESTORED = 2


def in_force_again(differences: Sequence[Difference]) -> str:
    """What holds again after an edit of the design was taken back, as part of a sentence; "" where the design is the same."""
    whole = {each.path for each in differences if not each.key and None in (each.old, each.new)}
    told = [_again(each) for each in differences if each.path not in whole or not each.key]
    return listing(told, most=MOST_RESTORED)


def _again(each: Difference) -> str:
    place = name(each.path, 120) if each.path else f"partition {name(each.partition)}"
    key = each.key.removeprefix("properties.")
    if not key:
        return f"{place} is {'there again' if each.old is None else 'gone again' if each.new is None else f'a {each.new} again'}"
    if key == "queues":
        return f"the queues below {place} are in their former order"
    if each.new is None:
        return f"{name(key)} of {place} is not set, as before"
    return f"{name(key)} of {place} is {name(each.new)} again"


def release_is(version: str) -> str:
    return f"The rules of release {name(version)} are followed."
