"""Writes down what happens in a run: which attempt stands where, and what has become of every job."""

from __future__ import annotations

from workbench.runs.reasons import Reasons
from workbench.runs.record import NEVER, NOBODY, Fate, JobState, NodeChange, Record
from workbench.values.resources import Resource
from workbench.workloads.model import Workload


class Ledger:
    """The writer of one `Record`; `now_ns`, the instant that it is, is set by the player."""

    def __init__(self, workload: Workload):
        self.record = record = Record(workload)
        self.now_ns = 0
        self.waits: dict[int, tuple[str, str]] = {}
        """Attempt -> (application, key), of all that wait."""
        self.reasons: Reasons | None = None
        self.running = 0
        """How many attempts run, placeholders included."""
        self.changed_ns = 0
        """When anything was last written down."""
        self._placed = 0
        self._nodes: dict[str, int] = {}
        self._queues: dict[str, int] = {}
        count = len(workload.jobs)
        record.job_submitted_ns.extend([NEVER] * count)
        record.job_ended_ns.extend([NEVER] * count)
        record.job_state.extend([JobState.NOT_SUBMITTED] * count)
        record.job_queue.extend([NOBODY] * count)

    # ---- nodes -----------------------------------------------------------------------------------------------

    def node(self, node_id: str) -> int:
        """The index of a node, a new one if it was never heard of."""
        index = self._nodes.get(node_id)
        if index is None:
            index = self._nodes[node_id] = len(self.record.nodes)
            self.record.nodes.append(node_id)
        return index

    def node_changed(self, node_id: str, capacity: Resource | None, schedulable: bool = True) -> None:
        """A node has this capacity from now on; None: it is gone."""
        self.changed_ns = self.now_ns
        self.record.node_changes.append(NodeChange(self.now_ns, self.node(node_id), capacity, schedulable))

    # ---- jobs ------------------------------------------------------------------------------------------------

    def submitted(self, job: int) -> None:
        self.changed_ns = self.now_ns
        self.record.job_submitted_ns[job] = self.now_ns
        self.record.job_state[job] = JobState.WAITING

    def accepted(self, job: int, queue: str) -> None:
        index = self._queues.get(queue)
        if index is None:
            index = self._queues[queue] = len(self.record.queues)
            self.record.queues.append(queue)
        self.record.job_queue[job] = index

    def job_over(self, job: int, state: JobState, reason: str = "") -> None:
        """A job has come to its end."""
        self.changed_ns = self.now_ns
        self.record.job_state[job] = state
        self.record.job_ended_ns[job] = self.now_ns
        if reason:
            self.record.job_reason.setdefault(job, reason)

    # ---- attempts --------------------------------------------------------------------------------------------

    def asked(
        self, job: int, group: int, number: int, key: str, *, restart: int = 0, placeholder: bool = False, kept_ns: int = 0
    ) -> int:
        """A new attempt, under this key; its index."""
        record = self.record
        record.job.append(job)
        record.group.append(group)
        record.number.append(number)
        record.restart.append(restart)
        record.placeholder.append(placeholder)
        record.arrived_ns.append(self.now_ns)
        record.placed_ns.append(NEVER)
        record.ended_at_ns.append(NEVER)
        record.fate.append(Fate.WAITS)
        record.node.append(NOBODY)
        record.order.append(NEVER)
        record.kept_ns.append(kept_ns)
        record.stopped_for.append(NOBODY)
        attempt = len(record) - 1
        self.waits[attempt] = (record.workload.jobs[job].id, key)
        return attempt

    def placed(self, attempt: int, node_id: str) -> None:
        record = self.record
        record.placed_ns[attempt] = self.changed_ns = self.now_ns
        record.node[attempt] = self.node(node_id)
        record.order[attempt] = self._placed
        record.fate[attempt] = Fate.RUNS
        self._placed += 1
        self._left(attempt)
        self.running += 1
        if not record.placeholder[attempt] and record.job_state[record.job[attempt]] == JobState.WAITING:
            record.job_state[record.job[attempt]] = JobState.RUNNING

    def over(self, attempt: int, fate: Fate, *, stopped_for: int = NOBODY) -> None:
        """An attempt has come to its end."""
        record = self.record
        if record.fate[attempt] == Fate.RUNS:
            self.running -= 1
        else:
            self._left(attempt)
        record.fate[attempt] = fate
        record.ended_at_ns[attempt] = self.changed_ns = self.now_ns
        if stopped_for >= 0:
            record.stopped_for[attempt] = stopped_for

    @property
    def waiting(self) -> int:
        """How many attempts wait, placeholders included."""
        return len(self.waits)

    def _left(self, attempt: int) -> None:
        del self.waits[attempt]
        if self.reasons is not None:
            self.reasons.left(self.record, attempt, self.now_ns)

    def close(self, ended_ns: int) -> Record:
        """The run is over at this instant."""
        self.record.ended_ns = ended_ns
        return self.record
