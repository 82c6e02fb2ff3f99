"""All checks in one call: what the loader reports, what the text alone shows, what the nodes and applications show."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.advice.added import ADDED_CHECKS
from workbench.advice.check import Check, told
from workbench.advice.lint import SEVERITIES, Finding, Lint
from workbench.advice.lints import loading
from workbench.advice.lints.limits import OneAtATime, OneOfAGroupAtATime
from workbench.advice.lints.looking import users_of
from workbench.advice.lints.property_texts import StateAware
from workbench.advice.lints.quota import DelayOnAParent
from workbench.advice.lints.table import CHECKS, CLUSTER_CHECKS
from workbench.config import edit
from workbench.config.facts import designs
from workbench.config.model import SchedulerConfig
from workbench.config.read.tree_shape import completed
from workbench.scheduler.preemption.quota import IN_CYCLES
from workbench.scheduler.records.state import Cluster, Partition
from workbench.scheduler.releases.profiles import DEFAULT, Profile, profile_of


def checks(config: SchedulerConfig, cluster: Cluster | None = None, *, release: str | None = None) -> tuple[Check, ...]:
    """Everything worth saying about a configuration: errors first, then warnings, then hints, each in the order of the tree.

    With a cluster (`sim.state`), its nodes, applications and running settings are looked at, too; nothing in it changes, and
    its own configuration may be another one. A configuration that the scheduler refuses gives its one error.

    What a release takes otherwise is said as it is there: in that of the cluster, or in `release`. CommandError if there is none.
    """
    config = completed(config)
    profile = profile_of(release) if release is not None else cluster.profile if cluster is not None else DEFAULT
    refusal = loading.refusal(config, profile)
    if refusal is not None:
        return (told(loading.invalid(refusal)),)
    found = _once([*loading.load_errors(config), *_findings(config, cluster, profile)])
    places = _places(config)
    return tuple(
        told(each)
        for each in sorted(
            found,
            key=lambda each: (
                SEVERITIES.index(each.lint.severity),
                places.get((each.partition, each.path), -1),
                each.lint.code,
                each.key,
            ),
        )
    )


def _findings(config: SchedulerConfig, cluster: Cluster | None, profile: Profile) -> Iterator[Finding]:
    for design in designs(config, table=profile.properties, passes_on=profile.reload_passes_on):
        partition = cluster.partitions.get(design.name.lower()) if cluster is not None else None
        for check in CHECKS:
            yield from (
                each
                for each in check(design)
                if not _is_of_another_release(each, profile)
                and (cluster is None or partition is None or not _is_disproved(each, partition, cluster))
            )
        if cluster is not None and partition is not None:
            for look in CLUSTER_CHECKS:
                yield from look(design, partition, cluster)
        for added in ADDED_CHECKS.values():
            yield from added(design, partition, cluster)


def _is_of_another_release(finding: Finding, profile: Profile) -> bool:
    """Whether the surprise is gone: from 1.9 on a parent's run for its quota ends (R-907)."""
    return isinstance(finding.lint, DelayOnAParent) and profile.quota_preemption != IN_CYCLES


def _is_disproved(finding: Finding, partition: Partition, cluster: Cluster) -> bool:
    """Whether the cluster shows that it is otherwise: only one user comes, or stateaware is a policy there."""
    if isinstance(finding.lint, StateAware):
        return "stateaware" in cluster.profile.properties["application.sort.policy"].allowed
    return isinstance(finding.lint, OneAtATime | OneOfAGroupAtATime) and len(users_of(partition, finding.path)) == 1


def _once(found: list[Finding]) -> list[Finding]:
    """Each thing once: what the text shows already is not told again of the cluster."""
    first: dict[tuple[type[Lint], str, str, str, str], Finding] = {}
    for each in found:
        first.setdefault((type(each.lint), each.partition, each.path, each.key, each.lint.about), each)
    return list(first.values())


def _places(config: SchedulerConfig) -> dict[tuple[str, str], int]:
    """(partition, queue path) -> place in the order of the tree; a partition stands before its queues."""
    order = [
        (partition.name, path) for partition in config.partitions for path in ("", *(path for path, _ in edit.walk(partition.root)))
    ]
    return {place: number for number, place in enumerate(order)}
