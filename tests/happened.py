"""Runs that never ran, for tests: what happened is said in a few lines, in seconds and whole cores.

    run = Happened("a: {}", until=100).node("n1", vcore=4).job("etl", "root.a", vcore=2)
    first = run.attempt("etl", arrives=0, starts=10, ends=40)
    assert run.table()["wait.mean"] == 10

A run has what measures need of one: `record` and `config`. The fate of an attempt follows from its times unless it is given.
"""

from __future__ import annotations

from typing import Any

from scenes import amounts, config_text

from workbench.config import load_config
from workbench.measures import MeasureTable
from workbench.runs.record import NEVER, NOBODY, Fate, JobState, NodeChange, Record
from workbench.workloads.model import Gang, Job, Restarts, Tasks, Workload

S = 10**9


def ns(seconds: float | None) -> int:
    return NEVER if seconds is None else round(seconds * S)


class Happened:
    def __init__(
        self,
        queues: str = "a: {}",
        *,
        until: float,
        warm_up: float = 0,
        restarts: Restarts | None = None,
        start_delay: float = 0,
        **partition: Any,
    ):
        self.config = load_config(config_text(queues, **partition))
        self.until, self.warm_up, self.start_delay = until, warm_up, start_delay
        self.restarts = restarts or Restarts()
        self.jobs: list[Job] = []
        self.facts: list[dict[str, Any]] = []
        self.attempts: list[dict[str, Any]] = []
        self.holds: list[tuple[int, str, float, float]] = []
        self.changes: list[NodeChange] = []
        self.nodes: list[str] = []
        self.made: Record | None = None

    def node(self, name: str, at: float = 0, *, schedulable: bool = True, **capacity: float) -> Happened:
        """A node has this capacity from now on; it is gone if there is none."""
        if name not in self.nodes:
            self.nodes.append(name)
        found = amounts(**capacity) if capacity else None
        self.changes.append(NodeChange(ns(at), self.nodes.index(name), found, schedulable and found is not None))
        return self

    def job(
        self,
        name: str,
        queue: str = "root.a",
        at: float = 0,
        *,
        user: str = "",
        groups: tuple[str, ...] = (),
        kind: str = "",
        count: int = 1,
        lasts: float | None = None,
        gang: bool = False,
        tasks: tuple[Tasks, ...] = (),
        ends: float | None = None,
        state: JobState | None = None,
        **resource: float,
    ) -> Happened:
        """A job of equal tasks, or of `tasks`. It ended with its last attempt unless said otherwise; "" is no queue at all."""
        duration = None if lasts is None else round(lasts * 1000)
        made = tasks or (Tasks(resource=amounts(**(resource or {"vcore": 1})), count=count, duration_ms=duration),)
        self.jobs.append(
            Job(
                id=name,
                submit_ms=round(at * 1000),
                tasks=made,
                user=user,
                groups=groups,
                kind=kind,
                queue=queue,
                gang=Gang() if gang else None,
            )
        )
        self.facts.append({"queue": queue, "at": at, "ends": ends, "state": state})
        return self

    def attempt(
        self,
        job: str,
        arrives: float,
        starts: float | None = None,
        ends: float | None = None,
        *,
        fate: Fate | None = None,
        group: int = 0,
        number: int = 0,
        restart: int = 0,
        placeholder: bool = False,
        node: str = "n1",
        kept: float = 0,
        stopped_for: int | None = None,
    ) -> int:
        """What became of one ask; the number that comes back stands for it in `stopped_for` and `held`."""
        if fate is None:
            if starts is None:
                fate = Fate.WAITS if ends is None else Fate.WITHDRAWN
            else:
                fate = Fate.RUNS if ends is None else Fate.FINISHED
        self.attempts.append(
            {
                "job": [each.id for each in self.jobs].index(job),
                "group": group,
                "number": number,
                "restart": restart,
                "placeholder": placeholder,
                "arrived_ns": ns(arrives),
                "placed_ns": ns(starts),
                "ended_at_ns": ns(ends),
                "fate": fate,
                "node": NOBODY if starts is None or node not in self.nodes else self.nodes.index(node),
                "kept_ns": round(kept * S),
                "stopped_for": stopped_for,
            }
        )
        return len(self.attempts) - 1

    def held(self, attempt: int, reason: str, since: float, until: float) -> Happened:
        self.holds.append((attempt, reason, since, until))
        return self

    @property
    def record(self) -> Record:
        if self.made is None:
            self.made = self._record()
        return self.made

    def table(self) -> MeasureTable:
        return MeasureTable(self)

    def _record(self) -> Record:
        workload = Workload(
            jobs=tuple(self.jobs),
            warm_up_ms=round(self.warm_up * 1000),
            restarts=self.restarts,
            start_delay_ms=round(self.start_delay * 1000),
        )
        record = Record(workload, ended_ns=ns(self.until), nodes=list(self.nodes))
        record.node_changes.extend(sorted(self.changes, key=lambda each: each.at_ns))
        order = sorted(range(len(self.attempts)), key=lambda each: self.attempts[each]["arrived_ns"])
        place = {given: index for index, given in enumerate(order)}
        placed = sorted((each for each in order if self.attempts[each]["placed_ns"] >= 0), key=self._placed_at)
        orders = {given: index for index, given in enumerate(placed)}
        for given in order:
            row = self.attempts[given]
            for column, value in row.items():
                if column == "stopped_for":
                    value = NOBODY if value is None else place[value]
                getattr(record, column).append(value)
            record.order.append(orders.get(given, NEVER))
        for index, facts in enumerate(self.facts):
            self._job(record, index, facts)
        for attempt, reason, since, until in self.holds:
            if reason not in record.reasons:
                record.reasons.append(reason)
            record.hold_attempt.append(place[attempt])
            record.hold_reason.append(record.reasons.index(reason))
            record.hold_since_ns.append(ns(since))
            record.hold_until_ns.append(ns(until))
        return record

    def _placed_at(self, given: int) -> int:
        return self.attempts[given]["placed_ns"]

    def _job(self, record: Record, index: int, facts: dict[str, Any]) -> None:
        if facts["queue"] and facts["queue"] not in record.queues:
            record.queues.append(facts["queue"])
        record.job_queue.append(record.queues.index(facts["queue"]) if facts["queue"] else NOBODY)
        record.job_submitted_ns.append(ns(facts["at"]))
        mine = [row for row in self.attempts if row["job"] == index and not row["placeholder"]]
        finished = [row["ended_at_ns"] for row in mine if row["fate"] == Fate.FINISHED]
        ended = max(finished) if len(finished) == self.jobs[index].size else NEVER
        if facts["ends"] is not None:
            ended = ns(facts["ends"])
        record.job_ended_ns.append(ended)
        state = facts["state"]
        if state is None:
            ran = any(row["placed_ns"] >= 0 for row in mine)
            state = JobState.FINISHED if ended != NEVER else JobState.RUNNING if ran else JobState.WAITING
        record.job_state.append(state)
