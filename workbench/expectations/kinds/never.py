"""What must never be: `never: {placed: root.tenants, while_waiting: root.system}`.

One thing that happens or is so (`terms`), and perhaps one state meanwhile (`while_...`). Of states, `for: 30s` says how long it may
be so all the same. Who waits for a reason of their own, such as their queue's maximum, can be left out:
`unless_held_by: [queue maximum, user limit]`, in the words of `workbench.runs.reasons`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.expectations.kinds.registry import Case, Kind, Place, register_kind
from workbench.expectations.moments import Moment, What
from workbench.expectations.story import FIRST, Fact, Point, Request, Story
from workbench.expectations.terms import TERMS, Span, Term, meet, merged
from workbench.expectations.verdicts import CannotFail, Offender, Outcome, Verdict
from workbench.explain.wording import counted, name
from workbench.measures import Scope, scope_of, units
from workbench.runs.reasons import TITLES
from workbench.simulation.scenario.document import Cursor
from workbench.values.errors import CommandError
from workbench.workloads.spans import FORM, parse_span

WHILE = "while_"
MS_NS = 1_000_000


@dataclass(frozen=True, slots=True)
class Breach:
    """It was so: from when, what, and meanwhile what."""

    at: Point
    what: Span
    meanwhile: Span | None = None


@dataclass(frozen=True)
class Never:
    """A never-rule.

    Attributes:
        term, of: what must not be, of which scope.
        state, state_of: while which state of which scope; empty for at all.
        for_ns: how long it may last all the same.
        except_for: reasons; a request that waits for one of these does not count as waiting.
    """

    term: str
    of: Scope
    state: str = ""
    state_of: Scope | None = None
    for_ns: int = 0
    except_for: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = f"never: {TERMS[self.term].words.format(name(str(self.of)))}"
        if self.state:
            said += f" while {TERMS[self.state].words.format(name(str(self.state_of)))}"
        if self.for_ns:
            said += f", for more than {units.shown(self.for_ns / units.NS, units.SECONDS)}"
        return said

    def judge(self, case: Case) -> Verdict:
        story = case.story
        term, of = TERMS[self.term], story.scope(self.of)
        could = self._spans(story, term, of, self.term, could=True)
        if not could:
            raise CannotFail(f"{term.none.format(name(str(of)))}, so this could not fail")
        if self.state and self.state_of is not None:
            state, state_of = TERMS[self.state], story.scope(self.state_of)
            beside = self._spans(story, state, state_of, self.state, could=True)
            if not beside:
                raise CannotFail(f"{state.none.format(name(str(state_of)))}, so this could not fail")
            if not meet(could, beside):
                raise CannotFail(
                    f"there is no moment at which {term.words.format(name(str(of)))} could have met that "
                    f"{state.words.format(name(str(state_of)))}, so this could not fail; let them compete"
                )
        breaches = list(self._breaches(story, of))
        if not breaches:
            return Verdict(Outcome.PASSED, f"{self}: it never was", 0.0)
        first = breaches[0]
        sentence = f"{self}: it was so {counted(len(breaches), 'time')}, first {_when(first.at.ns)}"
        return Verdict(Outcome.FAILED, sentence, float(len(breaches)), -float(len(breaches)), self._offender(story, first))

    def _breaches(self, story: Story, of: Scope) -> Iterator[Breach]:
        term = TERMS[self.term]
        was = sorted(self._spans(story, term, of, self.term), key=lambda span: span.since)
        meanwhile = None
        if self.state and self.state_of is not None:
            meanwhile = self._spans(story, TERMS[self.state], story.scope(self.state_of), self.state)
        if not term.lasts:
            yield from (Breach(span.since, span) for span in was) if meanwhile is None else _at_points(was, meanwhile)
            return
        beside = None if meanwhile is None else merged(meanwhile)
        for span in was:
            for since, until, other in _common(span, beside):
                if until.ns - since.ns > self.for_ns:
                    yield Breach(Point(since.ns + self.for_ns, since.turn), span, other)

    def _spans(self, story: Story, term: Term, of: Scope, key: str, *, could: bool = False) -> list[Span]:
        found = list((term.could if could else term.was)(story, of))
        return list(_not_held(story, found, self.except_for)) if self.except_for and key == "waiting" else found

    def _offender(self, story: Story, breach: Breach) -> Offender:
        who, other = breach.what.who, breach.meanwhile.who if breach.meanwhile is not None else None
        what = _what(who) or name(str(self.of))
        said = f"{_when(breach.at.ns, capital=True)} {_became(self.term, who, self.of)}"
        if self.state:
            said += f" while {_stood(self.state, other, self.state_of)}"
        return Offender(what, f"{said}.", self._moment(story, breach, who, other, said))

    def _moment(self, story: Story, breach: Breach, who: object, other: object, said: str) -> Moment:
        term = TERMS[self.term]
        what: What = "placed" if term.moment == "placed" else "stopped" if term.moment == "stopped" else ""
        task = who.task if what and isinstance(who, Request) else None
        waits = None
        if self.state == "waiting" and isinstance(other, Request):
            waits = other.task
        elif self.term == "waiting" and isinstance(who, Request):
            waits = who.task
        elif self.term == "preempts" and isinstance(who, Request):
            waits = who.stopped_for
        queue = who.queue if isinstance(who, Request | Fact) else self.of.name if self.of.kind == "queue" else ""
        return story.moment(breach.at.ns, what, task, waits, queue, said)


def _at_points(points: list[Span], spans: list[Span]) -> Iterator[Breach]:
    """The points within spans, each with the span that began first."""
    waiting = sorted(spans, key=lambda span: span.since)
    begun: list[tuple[Point, int, Span]] = []
    at = 0
    for point in points:
        while at < len(waiting) and waiting[at].since <= point.since:
            heapq.heappush(begun, (waiting[at].since, at, waiting[at]))
            at += 1
        while begun and begun[0][2].until <= point.since:
            heapq.heappop(begun)
        if begun:
            yield Breach(point.since, point, begun[0][2])


def _common(span: Span, others: list[Span] | None) -> Iterator[tuple[Point, Point, Span | None]]:
    """What a span has in common with spans that do not overlap; itself, if there are none to hold it against."""
    if others is None:
        yield span.since, span.until, None
        return
    for other in others:
        since, until = max(span.since, other.since), min(span.until, other.until)
        if since < until:
            yield since, until, other


def _not_held(story: Story, spans: list[Span], reasons: tuple[str, ...]) -> Iterator[Span]:
    """Waits without the times in which one of these reasons held them."""
    reading = story.reading
    if reading is None:
        raise CommandError("what held requests back is known of a workload, not of a scenario; leave out unless_held_by")
    held: dict[int, list[tuple[int, int]]] = reading.once(("held", reasons), lambda: _held(reading.record, reasons))
    for span in spans:
        since = span.since
        attempt = span.who.attempt if isinstance(span.who, Request) else -1
        for begins, ends in held.get(attempt, ()):
            if since < Point(begins, FIRST):
                yield Span(since, Point(begins, FIRST), span.who)
            since = max(since, Point(ends, FIRST))
        if since < span.until:
            yield Span(since, span.until, span.who)


def _held(record: Any, reasons: tuple[str, ...]) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for hold in record.holds():
        if record.reasons[hold.reason] in reasons:
            found.setdefault(hold.attempt, []).append((hold.since_ns, hold.until_ns))
    return found


# ---- in words ---------------------------------------------------------------------------------------------------------


def _when(at_ns: int, *, capital: bool = False) -> str:
    return f"{'At' if capital else 'at'} {units.short(at_ns / units.NS, units.SECONDS)}"


def _what(who: object) -> str:
    return name(who.job) if isinstance(who, Request | Fact) else ""


_DONE = {
    "placed": "{who} of {queue} was placed",
    "preempted": "{who} of {queue} was stopped{more}",
    "preempts": "{who} of {queue} was stopped{more}",
    "waiting": "{who} of {queue} had waited since {since}",
    "running": "{who} of {queue} ran",
    "rejected": "{who} was turned away{more}",
    "failed": "{who} of {queue} failed{more}",
}
_STOOD = {"waiting": "{who} of {queue} had waited since {since}", "running": "{who} of {queue} ran"}


def _became(term: str, who: object, of: Scope) -> str:
    return _told(_DONE, term, who, of)


def _stood(state: str, who: object, of: Scope | None) -> str:
    return _told(_STOOD, state, who, of)


def _told(texts: Mapping[str, str], term: str, who: object, of: Scope | None) -> str:
    if term not in texts or not isinstance(who, Request | Fact):
        return TERMS[term].words.format(name(str(of)))
    more = ""
    if isinstance(who, Request) and who.end == "stopped":
        more = f" for {name(who.stopped_for[0])}" if who.stopped_for is not None else " because its queue was over its maximum"
    elif isinstance(who, Fact) and who.reason:
        more = f": {name(who.reason, 300)}"
    since = units.short(who.arrived.ns / units.NS, units.SECONDS)
    return texts[term].format(who=name(who.job), queue=name(who.queue) if who.queue else "no queue", since=since, more=more)


# ---- read -------------------------------------------------------------------------------------------------------------


def read(at: Cursor, given: Mapping[str, Cursor], place: Place) -> Never:
    """The rule of a file."""
    states = [key for key, term in TERMS.items() if term.lasts]
    parts = at.fields(*TERMS, *(WHILE + key for key in states), "for", "unless_held_by")
    terms = [key for key in parts if key in TERMS]
    if len(terms) != 1:
        raise at.fault(
            "says of two things that they must not be" if terms else "does not say what must not be",
            f"say one of {', '.join(TERMS)}",
        )
    conditions = [key for key in parts if key.startswith(WHILE)]
    if len(conditions) > 1:
        raise parts[conditions[1]].fault("there is another condition beside it", "make two expectations of it")
    term, state = terms[0], conditions[0].removeprefix(WHILE) if conditions else ""
    for_ns = 0
    if "for" in parts:
        if not TERMS[term].lasts:
            raise parts["for"].fault(f"'{term}' happens at a moment", f"for says how long a state may last: {', '.join(states)}")
        try:
            for_ns = parse_span(parts["for"].value) * MS_NS
        except ValueError as error:
            raise parts["for"].fault(str(error), FORM) from None
    reasons = tuple(_reason(each) for each in parts["unless_held_by"].items()) if "unless_held_by" in parts else ()
    if reasons and "waiting" not in (term, state):
        raise parts["unless_held_by"].fault("nobody waits in this rule", f"it goes with waiting or {WHILE}waiting")
    of, state_of = _scope(parts[term]), _scope(parts[WHILE + state]) if state else None
    if state == term and of == state_of:
        raise parts[WHILE + state].fault("is the same as what must not be", "leave it out")
    return Never(term, of, state, state_of, for_ns, reasons)


def _scope(at: Cursor) -> Scope:
    try:
        return scope_of(at.name())
    except CommandError as error:
        raise at.fault(str(error)) from None


def _reason(at: Cursor) -> str:
    reason = at.name().replace("_", " ")
    if reason not in TITLES:
        raise at.fault(f"there is no reason {name(reason)}", f"there are {', '.join(TITLES)}")
    return reason


register_kind("never", Kind("what must never be", read, by="workload or scenario"))
