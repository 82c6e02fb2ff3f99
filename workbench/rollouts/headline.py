"""What a rollout comes to, in a sentence; and what stands against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from workbench.explain.wording import counted, listing, name
from workbench.rollouts import words
from workbench.rollouts.course import Stopped
from workbench.rollouts.effects import MINUTE_NS

if TYPE_CHECKING:
    from workbench.rollouts.rollout import Rollout

FINE = "Nothing stands against it"


def against(found: Rollout) -> tuple[str, ...]:
    """What would be refused or stopped, a phrase each; empty for nothing."""
    return tuple(_against(found))


def _against(found: Rollout) -> Iterator[str]:
    accepted = found.acceptance
    if accepted.at_start or accepted.as_reload:
        how = "" if accepted.at_start and accepted.as_reload else " when it starts" if accepted.at_start else " as a reload"
        place = f"line {accepted.line}: " if accepted.line else ""
        yield f"the scheduler would refuse it{how}: {place}{name(accepted.at_start or accepted.as_reload, 300)}"
        return
    if accepted.hangs:
        gone = listing([name(each) for each in accepted.hangs])
        yield f"it takes partition {gone} away, and a scheduler that runs never comes back from that reload"
        return
    effects = found.effects
    if effects is None:
        return
    stopped = effects.stopped
    if stopped:
        yield f"{counted(len(stopped), 'pod')} would be stopped: {_who(stopped)}"
    later = [each for each in effects.over if each.starts_ns is not None and each.starts_ns > effects.new.minutes * MINUTE_NS]
    if later:
        queues, first = [name(each.queue) for each in later], min(each.starts_ns or 0 for each in later)
        what = f"quota preemption may stop what is too much in {listing(queues)} {words.after(first)}"
        yield f"{what}, which is later than was looked at"
    refused = [id for each in effects.refused for id in each.applications]
    if refused:
        queues = list(dict.fromkeys(name(each.queue) for each in effects.refused))
        them = "applications like" if len(refused) > 1 else "an application like"
        yield f"{them} {listing([name(id) for id in refused])} in {listing(queues)} would be refused from now on"
    planned = {(each.application, each.key) for each in effects.new.refused}
    planned -= {(each.application, each.key) for each in effects.today.refused}
    if planned:
        who = listing(sorted(name(key or id) for id, key in planned))
        yield f"{counted(len(planned), 'planned input')} would be refused: {who}"


def _who(stopped: Sequence[Stopped]) -> str:
    """Each by name where they are few, else how many of each queue."""
    queues = words.by_queue(stopped)
    if len(stopped) <= words.MOST_NAMED:
        return f"{words.pods(each.who for each in stopped)} in {listing([name(queue, None) for queue in queues])}"
    most = sorted(queues.items(), key=lambda item: -len(item[1]))
    return listing([f"{len(some)} in {name(queue, None)}" for queue, some in most], most=4)


def sentence(found: Rollout) -> str:
    """The headline."""
    told = against(found)
    if told:
        return f"{told[0][0].upper()}{told[0][1:]}{''.join(f'; {each}' for each in told[1:])}."
    if found.nothing_changes:
        why = "it is the file that is in force" if found.acceptance.unchanged else "it means what is in force"
        return f"{FINE}: nothing changes, {why}."
    effects = found.effects
    assert effects is not None
    changes, length = counted(len(found.edits), "change"), words.in_minutes(effects.new.minutes)
    return f"{FINE}: {changes}, and nobody is stopped or refused within {length}.{_but(found)}"


def _but(found: Rollout) -> str:
    """What is worth knowing all the same."""
    effects, back = found.effects, found.back
    told = []
    if effects is not None and effects.over:
        told.append(f"{listing([name(each.queue) for each in effects.over])} "
                    f"{'holds' if len(effects.over) == 1 else 'hold'} more than the new maximum")  # fmt: skip
    if effects is not None and effects.never:
        many = len(effects.never)
        told.append(
            f"{counted(many, 'waiting pod')} that would start {'does' if many == 1 else 'do'} not within "
            f"{words.in_minutes(effects.new.minutes)}"
        )
    if back is not None and back.stopped:
        told.append(f"going back after {words.in_minutes(back.after)} would stop {counted(len(back.stopped), 'pod')}")
    return f" But {listing(told)}." if told else ""
