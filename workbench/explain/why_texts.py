"""The sentences of `why` and `why_not`."""

from __future__ import annotations

from workbench.explain.wording import amounts, name
from workbench.values.resources import Resource


def too_much(queue: str, amount: Resource, victims: str) -> str:
    return f"{name(queue)} uses {amounts(amount, 'nothing')} more than its maximum; stopped: {victims or 'nothing'}."


def in_the_same_step(sentence: str) -> str:
    return f"In the same step, {sentence}"


def makes_room_for(who: str, node: str, victims: str) -> str:
    return f"{name(node)} makes room for {who}; stopped: {victims}."


def must_run_there(node: str, spared: str) -> str:
    others = f" Spared: {spared}." if spared else ""
    return f"It must run on {name(node)}, where guarantees, fences and offsets protect nobody; priorities do.{others}"


def no_room_there(node: str, spared: str) -> str:
    others = f": {spared}" if spared else ""
    return f"It must run on {name(node)}, and nothing there is stopped for it{others}."


def takes_the_place_of(placeholder: str) -> str:
    return f"It takes the place of {name(placeholder)}, and replacements are tried before the normal order."


def comparison(where: str, winner: str, losers: str) -> str:
    return f"{where}: {winner} before {losers}."


def tie(where: str, winner: str, loser: str, equal: str, tie_break: str) -> str:
    return f"{where}: {winner} before {loser}, a tie in {equal}: {tie_break}."


def equal_before(where: str, winner: str, losers: str, equal: str) -> str:
    return f"{where}: {winner} before {losers}, equal in {equal}."


def passed_over(where: str, who: str, why: str) -> str:
    return f"{where}: {who} came first but placed nothing: {why}"


def passed_over_node(where: str, who: str, why: str) -> str:
    return f"{where}: {who} came first but was passed over: {why}"


def is_next(who: str) -> str:
    return f"{who} is next."


def not_yet(who: str, queue: str) -> str:
    return f"Not yet: {who} in {name(queue)}."


def behind(where: str, loser: str, winner: str) -> str:
    return f"{where}: {loser} comes after {winner}."


def behind_tie(where: str, loser: str, winner: str, equal: str, tie_break: str) -> str:
    return f"{where}: {loser} comes after {winner}, a tie in {equal}: {tie_break}."


def fence_makes(queue: str, own: str, value: str) -> str:
    return f"The fence at {name(queue)} makes its priority {own} count as {value} there."


def counts_for_another(queue: str, value: str) -> str:
    return f"{name(queue)} counts as much because of another request; for this one alone it would count as {value}."


def behind_phase(winner: str, phase: str) -> str:
    why = {"reserved": "holds a reservation", "placeholder": "replaces a placeholder"}.get(phase, phase)
    return f"{winner} {why}, and such requests are tried before the normal order."


def offsets_make(own: str, value: str) -> str:
    return f"With the offsets on its way its priority {own} counts as {value} there."


def not_in_order(where: str, loser: str, why: str) -> str:
    return f"{where}: {loser} takes no part. {why}"


def goes_first_alone(who: str) -> str:
    return f"{who} goes first: nothing competes with it"


def goes_first_by_reservation(who: str) -> str:
    return f"{who} goes first: it holds a reservation"


def goes_first_by_placeholder(who: str) -> str:
    return f"{who} goes first: it replaces a placeholder"


def nor_then(why: str) -> str:
    """Why it does not preempt when it may; the reason is a sentence of its own."""
    return f"Then, as things stand, {why[:1].lower()}{why[1:]}"
