"""M-7: under which reason requests waited.

`waited.all` is the time that requests waited, all of them together: from arrival to placement, withdrawal or the end of the run, of
every request that arrived after the warm-up. Here each request of a gang counts for itself, placeholders included.
`waited.REASON` is the part of it in which that reason held the request back; what was not recorded is `waited.unknown`. In whole
nanoseconds the reasons sum up to it, exactly. A reason may be written with underscores, as in `waited.queue_maximum`; they are
those of `workbench.runs.reasons`.
"""

from __future__ import annotations

from workbench.measures import units
from workbench.measures.measure import Measure
from workbench.measures.reading import Reading
from workbench.measures.registry import register_measure
from workbench.measures.scopes import Scope
from workbench.measures.words import UNKNOWN
from workbench.runs.record import Fate

_REJECTED = int(Fate.REJECTED)


def waited_ns(reading: Reading, scope: Scope) -> dict[str, int]:
    """Reason -> how long it held requests of a scope back, in nanoseconds; every reason of the run, and `unknown`."""
    return reading.once(("waited", scope), lambda: _waited(reading, scope))


def _waited(reading: Reading, scope: Scope) -> dict[str, int]:
    by_job = reading.once("waited by job", lambda: _by_job(reading))
    found = dict.fromkeys(reading.reasons, 0)
    for job in reading.scopes.jobs(scope):
        for reason, lasted in by_job.get(job, {}).items():
            found[reason] += lasted
    return found


def _by_job(reading: Reading) -> dict[int, dict[str, int]]:
    record = reading.record
    found: dict[int, dict[str, int]] = {}
    for attempt in reading.waiting:
        if record.arrived_ns[attempt] >= reading.from_ns:
            mine = found.setdefault(record.job[attempt], {UNKNOWN: 0})
            mine[UNKNOWN] += reading.waited_until[attempt] - record.arrived_ns[attempt]
    reasons = record.reasons
    for attempt, reason, since, until in zip(record.hold_attempt, record.hold_reason, record.hold_since_ns, record.hold_until_ns):
        if record.arrived_ns[attempt] >= reading.from_ns and until > since and record.fate[attempt] != _REJECTED:
            mine = found.setdefault(record.job[attempt], {UNKNOWN: 0})
            name, lasted = reasons[reason], until - since
            mine[name] = mine.get(name, 0) + lasted
            mine[UNKNOWN] -= lasted
    return found


def _total(reading: Reading, scope: Scope) -> float:
    return sum(waited_ns(reading, scope).values()) / units.NS


def _for(reading: Reading, scope: Scope, reason: str) -> float:
    return waited_ns(reading, scope).get(reason, 0) / units.NS


register_measure("waited.all", Measure("time that requests waited, all together", units.SECONDS, "lower", _total))
register_measure("waited", Measure("waited: {of}", units.SECONDS, "lower", _for, each="reason"))
