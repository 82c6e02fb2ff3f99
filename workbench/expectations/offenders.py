"""Who is most to blame for a number: the request that waited longest, the task whose stop was one too many, the queue at its worst.

How the worst is found depends on the family of a measure, the part of its name before the first dot; a finder for one of one's own
is added with `register_finder`. Where there is none, the worst job by the measure itself is found, or who waited longest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workbench.expectations.bounds import Bound
from workbench.expectations.story import Request, RunStory
from workbench.expectations.verdicts import Offender
from workbench.explain.wording import listing, name
from workbench.measures import Measure, Scope, units
from workbench.measures.debt import debts_of
from workbench.measures.preemption import stopped
from workbench.measures.slowdown import arrived_jobs
from workbench.measures.tree import tree_of
from workbench.runs.record import NEVER, NOBODY, Fate
from workbench.runs.rows import STATES
from workbench.values.registry import Registry

MOST_JOBS = 2000
"""Jobs that are measured one by one; with more, who waited longest stands for them."""
NOBODY_WAITED = "nobody in {} waited, so there was no more to run"


@dataclass(frozen=True)
class Blame:
    """A number that breaks a bound.

    Attributes:
        story: of the run.
        measure, scope: what was measured.
        bound: that is broken; None where what is compared has no bound of its own unit.
        too_low: the number is below its bound.
    """

    story: RunStory
    measure: Measure
    scope: Scope
    bound: Bound | None
    too_low: bool


Finder = Callable[[Blame], "Offender | None"]
FINDERS: Registry[Finder] = Registry("finder of offenders")


def register_finder(family: str, find: Finder) -> Finder:
    """Add a finder for the measures of a family. CommandError if there is one."""
    return FINDERS.register(family, find)


def offender(blame: Blame) -> Offender | None:
    """The worst offender; None if nobody is."""
    return FINDERS.get(blame.measure.name.partition(".")[0], _by_job)(blame)


def idle_because(story: RunStory, measure: Measure, scope: Scope) -> str:
    """Why a number could not be another one, whatever the design does; empty if it could."""
    reading = story.reading
    if not any(True for _ in arrived_jobs(reading, scope)):
        told = f"no job of {name(str(scope))} ever arrived" if scope.kind != "cluster" else "no job ever arrived"
        return f"{told}, so this could not fail"
    stops = measure.name.partition(".")[0] in ("preempted", "lost", "storm", "preempted_in_vain") and measure.name != "preempted.by"
    if stops and all(reading.record.placed_ns[each] == NEVER for each in reading.attempts(scope)):
        return f"nothing of {name(str(scope))} ever ran, so that nothing could be stopped and this could not fail"
    return ""


# ---- waiting ----------------------------------------------------------------------------------------------------------


def _longest_wait(blame: Blame) -> Offender | None:
    """The request that waited longest; its moment is when its wait broke the bound."""
    attempt = _waited_longest(blame, never=blame.measure.name == "wait.never")
    return None if attempt is None else waiting(blame.story, attempt, _limit_ns(blame), blame.scope)


def _waited_longest(blame: Blame, *, never: bool = False) -> int | None:
    reading, record = blame.story.reading, blame.story.reading.record
    until = reading.waited_until
    counted = (
        each
        for each in reading.waiting_of(blame.scope)
        if record.arrived_ns[each] >= reading.from_ns and (not never or record.placed_ns[each] == NEVER)
    )
    return max(counted, key=lambda each: (until[each] - record.arrived_ns[each], -each), default=None)


def _limit_ns(blame: Blame) -> int | None:
    bound = blame.bound
    is_time = bound is not None and not bound.relative and blame.measure.unit == units.SECONDS
    return round(bound.limit * units.NS) if bound is not None and is_time and not blame.too_low else None


def waiting(story: RunStory, attempt: int, limit_ns: int | None = None, scope: Scope | None = None) -> Offender:
    """A request that waited, with what held it back; the moment is when it had waited for the limit, or when it arrived."""
    reading, record = story.reading, story.reading.record
    request = story.request(attempt)
    arrived, until = record.arrived_ns[attempt], reading.waited_until[attempt]
    never = "" if request.placed is not None else "; it never ran"
    said = f"{_task(story, request)} waited {_time(until - arrived)} from {_time(arrived)} on{_held_by(story, attempt)}{never}"
    at = arrived + limit_ns if limit_ns is not None and arrived + limit_ns < until else arrived
    return Offender(name(request.job), f"{said}.", story.moment(at, waits=request.task, queue=request.queue, about=f"{said}."))


def _held_by(story: RunStory, attempt: int) -> str:
    """What held it back, the longest reason first, in the words of the run."""
    record = story.reading.record
    held: dict[int, int] = {}
    for place, other in enumerate(record.hold_attempt):
        if other == attempt:
            reason = record.hold_reason[place]
            held[reason] = held.get(reason, 0) + record.hold_until_ns[place] - record.hold_since_ns[place]
    ordered = sorted(held.items(), key=lambda each: (-each[1], each[0]))
    if not ordered:
        return ""
    from workbench.measures.words import reason_words

    return ": " + listing([f"{reason_words(record.reasons[reason])} ({_time(lasted)})" for reason, lasted in ordered])


def _task(story: RunStory, request: Request) -> str:
    """The request in words: its job, which of its tasks, its queue."""
    record, attempt = story.reading.record, request.attempt
    job = record.job_of(attempt)
    said = name(job.id)
    if job.size > 1:
        number = sum(each.count for each in job.tasks[: record.group[attempt]]) + record.number[attempt] + 1
        said = f"{'the place for ' if record.placeholder[attempt] else ''}task {number} of {job.size} of {said}"
    return f"{said} in {name(request.queue)}" if request.queue else said


def _time(ns: int) -> str:
    return units.short(ns / units.NS, units.SECONDS)


# ---- stops ------------------------------------------------------------------------------------------------------------


def _stop(blame: Blame) -> Offender | None:
    """The stop that was one too many, or the first."""
    found = sorted(_stops(blame), key=lambda each: (blame.story.reading.record.ended_at_ns[each], each))
    if not found:
        return _longest_wait(blame)
    counts = blame.measure.unit == "tasks" and blame.bound is not None and not blame.bound.relative
    allowed = int(blame.bound.limit) if counts and blame.bound is not None and blame.bound.key != "below" else 0
    return _stopped(blame.story, found[min(max(allowed, 0), len(found) - 1)])


def _stops(blame: Blame) -> Iterator[int]:
    reading, record = blame.story.reading, blame.story.reading.record
    if blame.measure.name == "preempted.by":
        mine = set(reading.attempts(blame.scope))
        return (each for each in stopped(reading, Scope("cluster"), Fate.PREEMPTED) if record.stopped_for[each] in mine)
    stops = stopped(reading, blame.scope, Fate.PREEMPTED)
    if blame.measure.name == "preempted.for_quota":
        return (each for each in stops if record.stopped_for[each] == NOBODY)
    if blame.measure.name == "preempted.for_others":
        return (each for each in stops if record.stopped_for[each] != NOBODY)
    return stops


def _stopped(story: RunStory, attempt: int) -> Offender:
    record, request = story.reading.record, story.request(attempt)
    at, ran = record.ended_at_ns[attempt], record.ended_at_ns[attempt] - record.placed_ns[attempt]
    for_whom = "because its queue was over its maximum"
    if request.stopped_for is not None:
        for_whom = f"for {_task(story, story.request(record.stopped_for[attempt]))}"
    said = f"{_task(story, request)} was stopped at {_time(at)} {for_whom}, after it had run {_time(ran)}"
    moment = story.moment(at, "stopped", request.task, queue=request.queue, about=f"{said}.")
    return Offender(name(request.job), f"{said}.", moment)


# ---- guarantees -------------------------------------------------------------------------------------------------------


def _short(blame: Blame) -> Offender | None:
    """The queue that was short of its guarantee for longest, and the request that waited longest in it then."""
    reading = blame.story.reading
    tree, debts = tree_of(reading), debts_of(reading)
    top = 0 if blame.scope.kind == "cluster" else tree.paths.get(blame.scope.name)
    if top is None:
        return _longest_wait(blame)
    stretches = [(each, number) for number in tree.down(top) for each in debts.own_stretches[number]]
    if not stretches:
        return None
    stretch, number = max(stretches, key=lambda each: (each[0].until_ns - each[0].since_ns, -each[0].since_ns))
    queue, limit = tree.queues[number], _limit_ns(blame)
    lasted = stretch.until_ns - stretch.since_ns
    at = stretch.since_ns + limit if limit is not None and limit < lasted else stretch.since_ns
    said = f"{name(queue.path)} was short of its guarantee for {_time(lasted)} from {_time(stretch.since_ns)} on"
    waits = [each for each in blame.story.requests(Scope("queue", queue.path)) if each.arrived.ns <= at < each.waited_until.ns]
    if not waits:
        return Offender(name(queue.path), f"{said}.", blame.story.moment(at, queue=queue.path, about=f"{said}."))
    first = waits[0]
    said += f"; {_task(blame.story, first)} waited{_held_by(blame.story, first.attempt)}"
    moment = blame.story.moment(at, waits=first.task, queue=first.queue, about=f"{said}.")
    return Offender(name(queue.path), f"{said}.", moment)


# ---- jobs -------------------------------------------------------------------------------------------------------------


def _job_that_did_not(blame: Blame) -> Offender | None:
    """The first job that did not finish."""
    record = blame.story.reading.record
    for index in arrived_jobs(blame.story.reading, blame.scope):
        state = STATES[record.job_state[index]]  # type: ignore[index]  # an integer that equals the state
        if state != "finished":
            job = record.workload.jobs[index]
            reason = record.job_reason.get(index, "")
            said = f"{name(job.id)} is {state}" + (f": {name(reason, 300)}" if reason else "")
            waited = list(blame.story.reading.waiting_of(Scope("job", job.id)))
            if waited and not reason:
                return waiting(blame.story, waited[-1])
            return Offender(name(job.id), f"{said}.", blame.story.moment(record.job_submitted_ns[index], about=f"{said}."))
    return _longest_wait(blame)


def _by_job(blame: Blame) -> Offender | None:
    """The worst job by the measure itself, where it is one for jobs; else who waited longest."""
    reading, measure = blame.story.reading, blame.measure
    jobs = list(arrived_jobs(reading, blame.scope)) if "job" in measure.scopes else []
    if not jobs or len(jobs) > MOST_JOBS or measure.unit in (units.SHARE, units.INDEX) or measure.name.startswith(("used", "idle")):
        return _longest_wait(blame) or _nobody(blame)
    table = blame.story.table
    values = {job: table[measure.name, Scope("job", reading.record.workload.jobs[job].id)] for job in jobs}
    known = {job: value for job, value in values.items() if value is not None}
    if not known:
        return _longest_wait(blame)
    worst = (min if blame.too_low else max)(known, key=lambda job: (known[job], job))
    job = reading.record.workload.jobs[worst]
    waited = max(reading.waiting_of(Scope("job", job.id)), key=lambda each: reading.waited_until[each], default=None)
    said = f"{name(job.id)} has {measure.show(known[worst])} ({measure.title})"
    if waited is None:
        return Offender(name(job.id), f"{said}.", blame.story.moment(reading.record.job_submitted_ns[worst], about=f"{said}."))
    found = waiting(blame.story, waited)
    return Offender(name(job.id), f"{said}. {found.sentence}", found.moment)


def _nobody(blame: Blame) -> Offender | None:
    said = NOBODY_WAITED.format(name(str(blame.scope)))
    return Offender(name(str(blame.scope)), f"{said[0].upper()}{said[1:]}.") if blame.too_low else None


for _family in ("wait", "requests", "waited", "idle_while_waiting", "stranded"):
    register_finder(_family, _longest_wait)
for _family in ("preempted", "lost", "storm", "preempted_in_vain"):
    register_finder(_family, _stop)
for _family in ("debt", "time_to_guarantee"):
    register_finder(_family, _short)
register_finder("jobs", _job_that_did_not)
