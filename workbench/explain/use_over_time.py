"""What queues used at every step of a simulation, and when its configuration changed or something was preempted. G-8.

A `Series` is made of samples of the state, one per recorded step, and one more wherever an input, a release or a reload between
two steps changed something. Whoever follows a simulation step by step can take each `sample` as it goes and put them together with
`series_of`; `series` visits everything that was recorded and returns to where it was. What ends while time passes shows at the
end of that time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.config.model import SchedulerConfig
from workbench.explain import words
from workbench.explain.tables import Table
from workbench.explain.wording import clock, in_order, name
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.events import Released
from workbench.scheduler.records.state import Cluster
from workbench.simulation import Simulation, Step
from workbench.values.quantities import format_quantity
from workbench.values.resources import EMPTY, Resource

TIME_COLUMNS = ("step", "time", "used")
NOTHING_SET = "none"

PREEMPTED = "PREEMPTED_BY_SCHEDULER"


@dataclass(frozen=True, slots=True)
class Amounts:
    """One queue: what it used, and its own settings."""

    used: Resource
    guaranteed: Resource | None
    maximum: Resource | None


@dataclass(frozen=True, slots=True)
class Sample:
    """The queues after a step: path -> amounts, from `start_ns`, when it was decided, to `end_ns`, when it was looked at.

    Step 0 is the start. Further samples of the same step are of what changed after it.
    """

    step: int
    start_ns: int
    end_ns: int
    queues: Mapping[str, Amounts]
    config: SchedulerConfig


@dataclass(frozen=True, slots=True)
class Stopped:
    """An allocation that was stopped to make room."""

    when_ns: int
    key: str
    application_id: str


@dataclass(frozen=True, slots=True)
class Series:
    """Samples in order of time, the instants at which the configuration changed, and what was stopped when."""

    samples: tuple[Sample, ...]
    changed_ns: tuple[int, ...]
    stopped: tuple[Stopped, ...]

    @property
    def paths(self) -> list[str]:
        """Every queue that there ever was, in tree order."""
        return sorted({path for sample in self.samples for path in sample.queues}, key=lambda path: path.split("."))


def sample(state: Cluster, step: Step | None = None, partition: str = "default") -> Sample:
    """The queues as they are now; `step` is the last one taken. KeyError if there is no such partition."""
    root = state.partitions[partition.lower()].root
    queues = {queue.path: Amounts(queue.allocated, queue.guaranteed, queue.maximum) for queue in walk(root)}
    start_ns = state.now_ns if step is None else step.decision.now_ns
    return Sample(step.number if step is not None else 0, start_ns, state.now_ns, queues, state.config)


def series_of(samples: Iterable[Sample], steps: Sequence[Step]) -> Series:
    """A series of samples, and of the events of the same steps."""
    ordered = sorted(samples, key=lambda each: (each.step, each.end_ns))
    # Between two steps it is known when the configuration changed, across a step only that it had when that was looked at.
    changed = [
        after.start_ns if after.step == before.step else after.end_ns
        for before, after in zip(ordered, ordered[1:])
        if before.config != after.config
    ]
    last = ordered[-1].step if ordered else 0
    stopped = [
        Stopped(step.decision.now_ns, event.key, event.application_id)
        for step in steps
        if step.number <= last
        for event in step.events
        if isinstance(event, Released) and event.type == PREEMPTED
    ]
    return Series(tuple(ordered), tuple(changed), tuple(stopped))


def series(sim: Simulation, partition: str = "default") -> Series:
    """The series of the steps taken so far, and of what changed between them. The simulation is then where it was.

    Raises:
        CommandError: the simulation keeps no history.
    """
    samples: list[Sample] = []
    for step, since_ns in sim.passing():
        here = sample(sim.state, step, partition)
        if samples and samples[-1].step == here.step:
            last = samples[-1]
            if last.queues == here.queues and last.config == here.config:
                samples[-1] = replace(last, end_ns=here.end_ns)
                continue
            here = replace(here, start_ns=since_ns)
        samples.append(here)
    return series_of(samples, sim.steps[: sim.position])


def use_change_rows(sim: Simulation, before: int, after: int, resource: str | None = None, partition: str = "default") -> Table:
    """Every queue with what it used of one type after each of two steps. The simulation is then where it was.

    A guarantee or maximum that is not the same after both is shown as "10 → 6".

    Raises:
        CommandError: one of the steps does not exist, or the simulation keeps no history.
    """
    samples = []
    for number in (before, after):
        with sim.visiting(number):
            samples.append(sample(sim.state, partition=partition))
    both = Series(tuple(samples), (), ())
    kind = resource or next(iter(types_of(both, both.paths[0])), "vcore")
    columns = use_change_columns(before, after)
    return Table(
        use_change_caption(kind, before, after),
        columns,
        tuple(_change_row(samples[0], samples[1], path, kind) for path in both.paths),
        frozenset(columns[1:]),
        tuple(both.paths),
    )


def _change_row(before: Sample, after: Sample, path: str, kind: str) -> tuple[str, ...]:
    limits = []
    for what in ("guaranteed", "maximum"):
        amounts = (limit(before, path, kind, what), limit(after, path, kind, what))
        texts = ["" if amount is None else format_quantity(amount, kind) for amount in amounts]
        limits.append(texts[1] if texts[0] == texts[1] else became(*texts))
    first, second = used(before, path, kind), used(after, path, kind)
    sign = "+" if second > first else ""
    change = f"{sign}{format_quantity(second - first, kind)}" if second != first else ""
    return (name(path), *limits, format_quantity(first, kind), format_quantity(second, kind), change)


def children_of(found: Series, path: str) -> list[str]:
    """The queues directly below `path`, in tree order; a leaf itself."""
    depth = path.count(".") + 1
    return [each for each in found.paths if each.startswith(f"{path}.") and each.count(".") == depth] or [path]


def types_of(found: Series, path: str) -> list[str]:
    """The types that the queue ever used or is limited or guaranteed in, vcore and memory first."""
    resources = [
        each
        for sample in found.samples
        if path in sample.queues
        for each in (sample.queues[path].used, sample.queues[path].guaranteed, sample.queues[path].maximum)
        if each
    ]
    return in_order({kind for resource in resources for kind in resource})


def used(at: Sample, path: str, kind: str) -> int:
    """What a queue used of a type; 0 while it was not there."""
    return at.queues[path].used.get(kind, 0) if path in at.queues else 0


def limit(at: Sample, path: str, kind: str, what: str) -> int | None:
    """The queue's own guarantee or maximum of a type, `what` being the field; None if it had none."""
    amounts = at.queues.get(path)
    resource = getattr(amounts, what) if amounts is not None else None
    return (resource or EMPTY).get(kind)


def time_rows(found: Series, path: str = "root", resource: str | None = None) -> Table:
    """A row per step, and per change between steps, with what the queue and those below it used of one type. Text twin of G-8."""
    kind = resource or next(iter(types_of(found, path)), "vcore")
    below = [child for child in children_of(found, path) if child != path]
    rows = tuple(
        (str(each.step), clock(each.start_ns), *(format_quantity(used(each, queue, kind), kind) for queue in (path, *below)))
        for each in found.samples
    )
    columns = (*TIME_COLUMNS, *(name(queue.rpartition(".")[2]) for queue in below))
    return Table(
        time_caption(kind, path),
        columns,
        rows,
        frozenset(columns),
        tuple(each.step for each in found.samples),
        words.NOTHING_HAPPENED,
    )


# ---- in words ---------------------------------------------------------------------------------------------------------


def time_caption(kind: str, path: str) -> str:
    return f"Use of {name(kind)} in {name(path)} over simulated time"


def use_change_caption(kind: str, before: int, after: int) -> str:
    return f"Use of {name(kind)} after step {before} and after step {after}"


def use_change_columns(before: int, after: int) -> tuple[str, ...]:
    return ("queue", "guaranteed", "max", f"step {before}", f"step {after}", "change")


def became(before: str, after: str) -> str:
    return f"{before or NOTHING_SET} → {after or NOTHING_SET}"
