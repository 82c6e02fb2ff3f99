"""`metrics`: counters and gauges in the text form of Prometheus, without the figures of a process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.rest.answer import Answer, of_text
from workbench.rest.past.counters import Counters
from workbench.rest.past.node_use import NodeUse
from workbench.rest.releases import manners_of
from workbench.rest.routes import Request
from workbench.rest.source import Source
from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Queue
from workbench.values.resources import EMPTY

if TYPE_CHECKING:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
    from prometheus_client.registry import Collector

QUEUE_APPLICATIONS = (
    "Queue application metrics. State of the application includes `new`, `accepted`, `rejected`, `running`, `failing`, `failed`, "
    "`resuming`, `completing`, `completed`."
)
QUEUE_RESOURCES = (
    "Queue resource metrics. State of the resource includes `guaranteed`, `max`, `allocated`, `pending`, `preempting`, "
    "`maxRunningApps`."
)
SUBMISSIONS = "Total number of application submissions. State of the attempt includes `new`, `accepted` and `rejected`."
APPLICATIONS = (
    "Total number of applications. State of the application includes `running`, `resuming`, `failing`, `completing`, `completed` "
    "and `failed`."
)
CONTAINERS = (
    "Total number of attempts to allocate containers. State of the attempt includes `allocated`, `rejected`, `error`, `released`"
)
NODES = "Total number of nodes. State of the node includes `active` and `failed`."
NODE_USAGE = "Total resource usage of node, by resource name."
RANGES = ("[0,10%]", *(f"({10 * k}%,{10 * k + 10}%]" for k in range(1, 10)))


def text(source: Source, request: Request) -> Answer:
    """The figures as they are now."""
    from prometheus_client import CollectorRegistry, generate_latest

    registry = CollectorRegistry()
    registry.register(_collector(source))
    # The core writes whole numbers without a point.
    written = "".join(f"{line.removesuffix('.0')}\n" for line in generate_latest(registry).decode().splitlines())
    return of_text(written, manners_of(source.state.profile.version).metrics_type)


def _collector(source: Source) -> Collector:
    from prometheus_client.registry import Collector

    class State(Collector):
        def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
            return figures(source)

    return State()


def figures(source: Source) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
    """Every figure of the scheduler and its queues. A name appears when it first has something to count, as in the core."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

    counters = source.past.up_to_date().counters
    queue_applications = GaugeMetricFamily("yunikorn_queue_app", QUEUE_APPLICATIONS, labels=("queue", "state"))
    for (path, state), count in sorted(counters.queue_applications.items()):
        queue_applications.add_metric((path, state), count)
    queue_resources = GaugeMetricFamily("yunikorn_queue_resource", QUEUE_RESOURCES, labels=("queue", "resource", "state"))
    for partition in source.state.partitions.values():
        for queue in tree.walk(partition.root):
            for name, state, amount in sorted(_of_queue(queue, counters)):
                queue_resources.add_metric((queue.path, name, state), amount)
    yield queue_applications
    yield queue_resources
    submissions = CounterMetricFamily("yunikorn_scheduler_application_submission_total", SUBMISSIONS, labels=("result",))
    for result, count in sorted(counters.submissions.items()):
        submissions.add_metric((result,), count)
    yield submissions
    # Whoever writes down every minute what there is has the figures made that he reads.
    was_read = bool(source.past.minutes())
    applications = GaugeMetricFamily("yunikorn_scheduler_application_total", APPLICATIONS, labels=("state",))
    found = {**({"running": 0} if was_read else {}), **counters.applications}
    for state, count in sorted(found.items()):
        applications.add_metric((state,), count)
    if found:
        yield applications
    containers = CounterMetricFamily("yunikorn_scheduler_container_allocation_attempt_total", CONTAINERS, labels=("state",))
    for state, count in (("allocated", counters.allocated), ("released", counters.released)):
        if count or was_read:
            containers.add_metric((state,), count)
    # Quirk: what is refused counts as an error as well.
    containers.add_metric(("error",), counters.refused)
    if counters.refused:
        containers.add_metric(("rejected",), counters.refused)
    yield containers
    nodes = GaugeMetricFamily("yunikorn_scheduler_node", NODES, labels=("state",))
    nodes.add_metric(("active",), sum(len(partition.nodes) for partition in source.state.partitions.values()))
    nodes.add_metric(("failed",), 0)
    for state, count in sorted(counters.nodes.items()):
        nodes.add_metric((state,), count)
    yield nodes
    yield from _node_use(source.past.up_to_date().node_use)


def _of_queue(queue: Queue, counters: Counters) -> Iterator[tuple[str, str, float]]:
    if queue.is_managed or queue.max_applications:
        yield "apps", "maxRunningApps", queue.max_applications
    limits = {
        field: {*(getattr(queue, field) or ()), *counters.touched.get((queue.path, field), ())}
        for field in ("maximum", "guaranteed")
    }
    # Quirk: what was set before, be it the other limit, shows as nothing where it is not set. The maximum is set first.
    both = limits["maximum"] | limits["guaranteed"]
    if queue.maximum is not None and counters.was_reloaded(queue):
        limits["maximum"] = both
    if queue.guaranteed is not None:
        limits["guaranteed"] = both
    for field, state in (("maximum", "max"), ("guaranteed", "guaranteed")):
        for name in sorted(limits[field]):
            yield name, state, (getattr(queue, field) or EMPTY).get(name, 0)
    for state in ("allocated", "pending", "preempting"):
        held = getattr(queue, state)
        for name in counters.touched.get((queue.path, state), ()):
            yield name, state, held.get(name, 0)


def _node_use(found: NodeUse) -> Iterator[GaugeMetricFamily]:
    """Nodes by their use of each resource when something was last placed."""
    from prometheus_client.core import GaugeMetricFamily

    for name in sorted({name for buckets in found.buckets.values() for name in buckets}):
        held = Counter(buckets[name] for buckets in found.buckets.values() if name in buckets)
        family = GaugeMetricFamily(f"yunikorn_scheduler_{name}_node_usage_total", NODE_USAGE, labels=("range",))
        for number, label in enumerate(RANGES):
            family.add_metric((label,), held[number])
        yield family
