"""What each of the seven parts comes to, in a few words: for whoever reads only the beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.explain.wording import counted
from workbench.rollouts import words

if TYPE_CHECKING:
    from workbench.rollouts.rollout import Rollout

NOT_IN_FORCE = "it does not come into force"
NOTHING = "nothing"


def acceptance(found: Rollout) -> str:
    accepted = found.acceptance
    if accepted.hangs:
        return "no, the scheduler would hang"
    if accepted.at_start and accepted.as_reload:
        return "no"
    if accepted.at_start or accepted.as_reload:
        return f"only {'as a reload' if accepted.at_start else 'when it starts'}"
    return "yes, and it is what is in force" if accepted.unchanged else "yes"


def changes(found: Rollout) -> str:
    if found.edits:
        return counted(len(found.edits), "change")
    return "cannot be told" if found.acceptance.at_start else NOTHING


def effects(found: Rollout) -> str:
    effects = found.effects
    if effects is None:
        return NOT_IN_FORCE
    refused = sum(len(each.applications) for each in effects.refused)
    later = sum(each.new_ns is None or each.today_ns is not None and each.new_ns > each.today_ns + 10**9 for each in effects.waits)
    told = [
        f"{len(effects.stopped)} stopped" if effects.stopped else "",
        f"{refused} refused" if refused else "",
        f"{counted(len(effects.drained), 'queue')} drained" if effects.drained else "",
        f"{later} later" if later else "",
        f"{counted(len(effects.stays), 'setting')} only after a restart" if effects.stays else "",
    ]
    said = ", ".join(filter(None, told))
    return said or (NOTHING if effects.nothing else "nobody is stopped or waits longer")


def advice(found: Rollout) -> str:
    if found.effects is None and not found.advice.new:
        return "none can be given" if found.acceptance.at_start else "none"
    errors = [each for each in found.advice.new if each.severity != "hint"]
    hints = len(found.advice.new) - len(errors)
    told = [counted(len(errors), "warning") if errors else "", counted(hints, "hint") if hints else ""]
    return ", ".join(filter(None, told)) or "none"


def comparison(found: Rollout) -> str:
    return "not asked" if found.comparison is None else "compared"


def people(found: Rollout) -> str:
    return counted(len(found.tidings), "queue") if found.tidings else NOTHING


def back(found: Rollout) -> str:
    back = found.back
    if back is None:
        return NOT_IN_FORCE
    if found.nothing_changes:
        return "nothing to go back from"
    if back.refused:
        return "only with a restart"
    stays = f", {counted(len(back.stays), 'setting')} only after a restart" if back.stays else ""
    stopped = f"{len(back.stopped)} stopped" if back.stopped else "stops nobody"
    return f"{stopped} after {words.in_minutes(back.after)}{stays}"
