"""What the people of each queue should be told: one sentence on its rules, one on what that means for what they have there now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from workbench.config.diff import Difference, diff
from workbench.config.model import SchedulerConfig
from workbench.explain.wording import amounts, counted, listing, name
from workbench.rollouts import words
from workbench.rollouts.effects import Drained, Effects

MOST_RULES = 3
NOTHING = "nothing"
_AMOUNTS = {
    "resources.max": ("may hold at most", "any amount"),
    "resources.guaranteed": ("is guaranteed", NOTHING),
}
_RULES = {
    "maxapplications": "may run {new} applications at a time instead of {old}",
    "properties.priority.offset": "counts with a priority offset of {new} instead of {old}",
}
_UNSET = {"maxapplications": "any number of", "properties.priority.offset": "0"}


@dataclass(frozen=True, slots=True)
class Tiding:
    """What to tell the people of a queue."""

    queue: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


def tidings(old: SchedulerConfig, new: SchedulerConfig, effects: Effects) -> tuple[Tiding, ...]:
    """For each queue for which something changes, by path."""
    differences: dict[str, list[Difference]] = {}
    for each in diff(old, new):
        if each.path:
            differences.setdefault(each.path, []).append(each)
    drained = {each.queue: each for each in effects.drained}
    now = _now(effects)
    paths = dict.fromkeys((*effects.today.uses[0], *effects.new.uses[0], *differences, *now))
    found = (Tiding(path, tuple(_sentences(path, differences.get(path, ()), drained, now.get(path, ())))) for path in paths)
    return tuple(each for each in sorted(found, key=lambda each: each.queue.split(".")) if each.sentences)


def _sentences(
    path: str, differences: Sequence[Difference], drained: Mapping[str, Drained], phrases: Sequence[str]
) -> Iterator[str]:
    """The rules, then what they mean; whichever comes first names the queue."""
    rules = tuple(_rules(path, differences, drained))
    yield from rules
    if phrases:
        said = "; ".join(phrases)
        yield f"{said[0].upper()}{said[1:]}." if rules else f"{name(path, None)}: {said}."


# ---- the rules ---------------------------------------------------------------------------------------------------------


def _rules(path: str, differences: Sequence[Difference], drained: Mapping[str, Drained]) -> Iterator[str]:
    gone = drained.get(path)
    whole = next((each for each in differences if not each.key and (each.old is None or each.new is None)), None)
    if gone is not None:
        yield _drains(gone)
    elif whole is not None:
        # What is below a queue that drains, is told with it.
        above = any(path.startswith(f"{each}.") for each in drained)
        if not above:
            yield f"{name(path, None)} is {'new' if whole.old is None else 'gone; it is empty'}."
    elif told := list(_phrases(differences)):
        more = [counted(len(told) - MOST_RULES, "further setting") + " changed"] if len(told) > MOST_RULES else []
        yield f"{name(path, None)} {listing([*told[:MOST_RULES], *more], most=MOST_RULES + 1)}."


def _drains(gone: Drained) -> str:
    path = name(gone.queue, None)
    if not gone.applications:
        return f"{path} goes away; nobody is in it."
    there = (
        "the application that is there goes on"
        if gone.applications == 1
        else f"the {gone.applications} applications that are there go on"
    )
    size = f"{counted(gone.running, 'pod')} running, {gone.waiting} waiting"
    return f"{path} goes away: it takes no new applications, and {there} to the end ({size})."


def _phrases(differences: Sequence[Difference]) -> Iterator[str]:
    """What changes for those in the queue, a phrase each."""
    left = list(differences)
    for prefix, (verb, nothing) in _AMOUNTS.items():
        mine = [each for each in left if each.key == prefix or each.key.startswith(f"{prefix}.")]
        left = [each for each in left if each not in mine]
        types = [each for each in mine if each.key != prefix]
        if types:
            one, other = (
                ", ".join(f"{name(each.key.removeprefix(prefix + '.'))} {name(text)}" for each, text in pairs if text is not None)
                for pairs in ([(each, each.new) for each in types], [(each, each.old) for each in types])
            )
            yield f"{verb} {one or nothing} instead of {other or nothing}"
    for each in left:
        if each.key in _RULES:
            unset = _UNSET[each.key]
            yield _RULES[each.key].format(new=_text(each.new, unset), old=_text(each.old, unset))
        elif not each.key:
            yield f"becomes a {each.new}"
        elif each.key == "queues":
            yield f"has its queues in another order: {name(each.new or '')}"
        else:
            key = name(each.key.removeprefix("properties."))
            yield f"has {key} {_text(each.new, 'not set')} instead of {_text(each.old, 'not set')}"


def _text(text: str | None, unset: str) -> str:
    return unset if text is None else name(text)


# ---- what they mean now ------------------------------------------------------------------------------------------------


def _now(effects: Effects) -> dict[str, list[str]]:
    """Queue -> what becomes of those in it, a phrase each."""
    found: dict[str, list[str]] = {}

    def tell(queue: str, phrase: str) -> None:
        found.setdefault(queue, []).append(phrase)

    stopped = words.by_queue(effects.stopped)
    for queue, some in stopped.items():
        first = words.after(some[0].at_ns)
        tell(queue, f"{_of_pods(len(some), 'is', 'are')} stopped {first} ({words.pods(each.who for each in some)})")
    for queue, some in words.by_queue(effects.spared).items():
        tell(queue, f"{_of_pods(len(some), 'is', 'are')} no longer stopped ({words.pods(each.who for each in some)})")
    for over in effects.over:
        if not any(queue == over.queue or queue.startswith(f"{over.queue}.") for queue in stopped):
            tell(over.queue, f"it holds {amounts(over.use)} now, and nothing more starts before that is within the maximum")
    for each in effects.admissions:
        ids = listing([name(id) for id in each.applications])
        if not each.new_queue:
            tell(each.queue, f"applications like {ids} are refused from now on")
        elif each.queue:
            tell(each.queue, f"applications like {ids} go to {name(each.new_queue, None)} from now on")
        else:
            tell(each.new_queue, f"applications like {ids} are taken from now on")
    _tell_waits(effects, tell)
    return found


def _tell_waits(effects: Effects, tell: Callable[[str, str], None]) -> None:
    end = words.in_minutes(effects.new.minutes)
    kinds: dict[str, dict[str, int]] = {}
    for each in effects.waits:
        if each.new_ns is None:
            kind = f"{{}} no more within {end}"
        elif each.today_ns is None:
            kind = f"{{}} within {end}, which would wait longer today"
        elif abs(each.new_ns - each.today_ns) < 10**9:
            continue  # others go first within one moment
        else:
            kind = "{} later than today" if each.new_ns > each.today_ns else "{} sooner than today"
        of = kinds.setdefault(each.queue, {})
        of[kind] = of.get(kind, 0) + 1
    for queue, of in kinds.items():
        for kind, count in of.items():
            starts = "starts" if count == 1 else "start"
            tell(queue, f"{counted(count, 'waiting pod')} {kind.format(starts)}")


def _of_pods(count: int, one: str, several: str) -> str:
    return f"{count:,} of its pods {one if count == 1 else several}"
