"""Every address that can be asked, with who answers it. Chapter 11, section 2."""

from __future__ import annotations

from workbench.rest import (
    applications,
    clusters,
    configuration,
    events,
    health,
    history,
    metrics,
    nodes,
    partitions,
    queues,
    usage,
    utilization,
)
from workbench.rest.routes import Route

PARTITION = "/ws/v1/partition/{partition}"
QUEUE = f"{PARTITION}/queue/{{queue}}"

ROUTES: tuple[Route, ...] = (
    Route("GET", "/ws/v1/clusters", clusters.clusters),
    Route("GET", "/ws/v1/partitions", partitions.partitions),
    Route("GET", f"{PARTITION}/placementrules", partitions.placement_rules),
    Route("GET", f"{PARTITION}/queues", queues.tree),
    Route("GET", QUEUE, queues.queue),
    Route("GET", f"{QUEUE}/applications", applications.of_queue),
    Route("GET", f"{QUEUE}/applications/{{state}}", applications.of_queue_in_state),
    Route("GET", f"{QUEUE}/application/{{application}}", applications.one_in_queue),
    Route("GET", f"{PARTITION}/applications/{{state}}", applications.in_state),
    Route("GET", f"{PARTITION}/application/{{application}}", applications.one),
    Route("GET", f"{PARTITION}/nodes", nodes.nodes),
    Route("GET", f"{PARTITION}/node/{{node}}", nodes.node),
    Route("GET", f"{PARTITION}/usage/users", usage.users),
    Route("GET", f"{PARTITION}/usage/user/{{user}}", usage.user),
    Route("GET", f"{PARTITION}/usage/groups", usage.groups),
    Route("GET", f"{PARTITION}/usage/group/{{group}}", usage.group),
    Route("GET", "/ws/v1/config", configuration.config),
    Route("POST", "/ws/v1/validate-conf", configuration.validate),
    Route("GET", "/ws/v1/history/apps", history.applications),
    Route("GET", "/ws/v1/history/containers", history.containers),
    Route("GET", "/ws/v1/events/batch", events.batch),
    Route("GET", "/ws/v1/events/stream", events.stream),
    Route("GET", "/ws/v1/scheduler/healthcheck", health.last_check),
    Route("GET", "/ws/v1/scheduler/node-utilizations", utilization.all_types),
    Route("GET", "/ws/v1/scheduler/node-utilization", utilization.dominant_type),
    Route("GET", "/ws/v1/metrics", metrics.text, open=False),
    Route("GET", "/ws/v1/stack", clusters.stack, open=False),
    Route("GET", "/ws/v1/fullstatedump", clusters.full_state_dump, open=False),
)
