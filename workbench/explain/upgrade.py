"""Where two releases part, in words: what each does at that moment, and why."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.explain.events import said
from workbench.explain.why import why, why_not
from workbench.explain.wording import counted, name, seconds
from workbench.simulation.upgrade import Side, Upgrade

MOST_SAID = 5


def upgrade(found: Upgrade) -> tuple[str, ...]:
    """The first difference and both reasons, a line each; or that there is none."""
    if found.at_ns is None:
        return (alike(found.now.release, found.then.release, found.now.steps),)
    lines = [part(found.now.release, found.then.release, found.at_ns, found.step)]
    for side, other in ((found.now, found.then), (found.then, found.now)):
        reasons = [f"  {each}" for each in _reasons(side, other, found.at_ns)]
        lines += [does(side.release, [said(event) for event in side.only], explained=bool(reasons)), *reasons]
    return tuple(lines)


def _reasons(side: Side, other: Side, at_ns: int) -> Iterator[str]:
    """Why the release does what it does; where it does nothing, why it does not do what the other one does."""
    preview = side.simulation.preview()
    if preview.changed_something and preview.now_ns == at_ns:
        told = why(preview)
        yield from (told.headline, *told.sentences)
        return
    if side.quota:
        yield from map(said, side.quota)
        return
    wanted = {
        (event.application_id, event.key) for event in other.only if hasattr(event, "key") and hasattr(event, "application_id")
    }
    for item in side.simulation.waiting():
        if (item.application.id, item.ask.key) in wanted:
            yield from why_not(item, preview)
            return


# ---- in words ---------------------------------------------------------------------------------------------------------


def alike(now: str, then: str, steps: int) -> str:
    return f"Release {name(then)} decides as release {name(now)} does, in all of {counted(steps, 'step')}."


def part(now: str, then: str, at_ns: int, step: int) -> str:
    return f"Release {name(then)} first decides otherwise than {name(now)} at {seconds(at_ns)}, in step {step}."


def does(release: str, told: list[str], *, explained: bool) -> str:
    """What a release does at the moment at which another one does something else."""
    if not told:
        return f"Release {name(release)} does nothing of that kind then{':' if explained else '.'}"
    more = f"; and {len(told) - MOST_SAID} more" if len(told) > MOST_SAID else ""
    return f"Release {name(release)}: {'; '.join(told[:MOST_SAID])}{more}"
