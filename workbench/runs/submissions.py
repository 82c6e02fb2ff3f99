"""The messages by which a job and its tasks reach the scheduler. WL-1, WL-2, chapter 07."""

from __future__ import annotations

from workbench.runs.keys import ask_key
from workbench.scheduler.records.commands import AddApplication, AddAsk, ApplicationSpec, AskSpec
from workbench.values.resources import Resource, add, multiply
from workbench.workloads.model import Job, Tasks

MS_NS = 1_000_000
NOBODY = "nobody"
"""Who submits jobs of which no user is known, as on Kubernetes."""


def application_of(job: Job, partition: str) -> AddApplication:
    """The application that a job is."""
    gang = job.gang
    return AddApplication(
        application=ApplicationSpec(
            id=job.id,
            queue=job.queue,
            user=job.user or NOBODY,
            groups=job.groups,
            tags=job.tags,
            placeholder_ask=_whole_gang(job) if gang is not None else None,
            gang_style=gang.style if gang is not None else "",
            execution_timeout_ns=gang.timeout_ms * MS_NS if gang is not None else 0,
        ),
        partition=partition,
    )


def ask_of(job: Job, tasks: Tasks, number: int, partition: str, *, restart: int = 0, placeholder: bool = False) -> AddAsk:
    """The request of one task; `number` counts all tasks of the job."""
    return AddAsk(
        ask=AskSpec(
            application_id=job.id,
            key=ask_key(job.id, number, restart=restart, placeholder=placeholder),
            resource=tasks.resource,
            priority=job.priority if tasks.priority is None else tasks.priority,
            task_group=tasks.name if job.gang is not None else "",
            placeholder=placeholder,
            allow_preempt_self=tasks.preemptible,
            allow_preempt_other=tasks.may_preempt,
            required_node=tasks.required_node,
            allowed_nodes=tasks.allowed_nodes,
            node_selector=tasks.node_selector,
            tolerations=tasks.tolerations,
            tags=tasks.tags,
        ),
        partition=partition,
    )


def _whole_gang(job: Job) -> Resource:
    total = Resource()
    for tasks in job.tasks:
        total = add(total, multiply(tasks.resource, tasks.count))
    return total
