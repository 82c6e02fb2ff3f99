"""The title sentences and hover lines of the picture of preemption."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.explain import refusals
from workbench.explain.wording import counted, listing, name
from workbench.scheduler.records.refusals.base import Refusal


def stops_for(who: str, leaf: str, victims: int, queues: Sequence[str]) -> str:
    whose = listing([name(queue) for queue in queues], most=2)
    return f"For {who} in {leaf}, {counted(victims, 'allocation')} of {whose} {'is' if victims == 1 else 'are'} stopped"


def could_be_stopped_for(who: str, leaf: str, candidates: int, held: int) -> str:
    return f"For {who} in {leaf}, {candidates:,} of {counted(held, 'allocation')} could be stopped"


def could_be_stopped(candidates: int, held: int) -> str:
    return f"{candidates} of {held} could go"


def then_lacks_room(who: str, node: str) -> str:
    return f"Even when the victims have ended, {node} has too little room for {who}; the scheduler does not look ({name('P-103')})"


def then_runs(who: str, leaf: str, kind: str, used: str, guaranteed: str) -> str:
    of = f", of {guaranteed} guaranteed" if guaranteed else ""
    return f"When the victims have ended, {who} can run: {leaf} then uses {name(kind)} {used}{of}"


def stops_nothing_for(who: str, leaf: str, why: str) -> str:
    return f"Nothing is stopped for {who} in {leaf}. {why}".removesuffix(".")


def nothing_guaranteed(kind: str) -> str:
    return f"No queue has a guarantee of {name(kind)}, so none may ask for preemption"


def nobody_preempts(below: str, above: str) -> str:
    who = [text for text in (below, above) if text]
    return "No request preempts in this step" + (f"; {' and '.join(who)}" if who else ": no queue waits below its guarantee")


def stopped_before(victims: int, queues: Sequence[str], of_quota: bool) -> str:
    """Allocations that are on their way out, though no attempt of this step stopped them."""
    whose = listing([name(queue) for queue in queues], most=2)
    why = " to keep to a lowered maximum; why these ones is not recorded" if of_quota else ""
    return f"{counted(victims, 'allocation')} of {whose} {'is' if victims == 1 else 'are'} being stopped already{why}"


def is_below(queue: str, kind: str, amount: str) -> str:
    return f"{name(queue)} waits with {name(kind)} {amount} below its guarantee"


def is_above(queue: str, kind: str, amount: str) -> str:
    return f"{name(queue)} uses {name(kind)} {amount} above its own"


def stopped_for_quota(queue: str, victims: int) -> str:
    are = "is" if victims == 1 else "are"
    return f"{queue} is over its maximum: {counted(victims, 'allocation')} {are} stopped; priorities and fences do not count"


def others_stopped(victims: int, node: str, who: str) -> str:
    are = "is" if victims == 1 else "are"
    return (
        f"For {who}, which must run on {node}, {counted(victims, 'allocation')} there {are} stopped; guarantees and fences do "
        "not count"
    )


def stopped_of(stopped: int, all_of: int) -> str:
    return f"{stopped} of {all_of} stopped"


def merged(number: int) -> str:
    return counted(number, "further allocation")


def letter_means(letter: str, kind: type[Refusal]) -> str:
    return f"{letter} = {refusals.short_name(kind)}"
