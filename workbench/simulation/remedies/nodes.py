"""A node that takes the ask."""

from __future__ import annotations

from workbench.scheduler.objects import reservations
from workbench.scheduler.records.commands import (
    Advance,
    UndrainNode,
    UpdateNode,
)
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.nodes import (
    AllReserved,
    Constraints,
    FitsNowhereNow,
    HoldsReservation,
    NeverFits,
    RequiredNodeFull,
    UnknownNode,
    Unschedulable,
    WaitsForVictims,
)
from workbench.scheduler.records.refusals.taking_part import NotScheduled
from workbench.simulation.remedies import edits
from workbench.simulation.remedies.case import Case, Trials, proposes
from workbench.simulation.remedies.remedy import Remedy
from workbench.values.resources import Resource, add, fit_in


@proposes(AllReserved, FitsNowhereNow, Constraints, Unschedulable, HoldsReservation, WaitsForVictims)
def _find_a_node(case: Case, refusal: Refusal) -> Trials:
    """W-15 to W-20: wait until the ask may reserve, open a drained node with room, add a node."""
    left = case.ask.created_ns + reservations.DELAY_NS + 1 - case.now_ns
    if isinstance(refusal, FitsNowhereNow | Constraints) and left > 0:
        yield case.trial(Remedy("wait", case.ask.key, after=left), Advance(ns=left))
    drained = sorted(
        (node for node in case.partition.nodes.values() if not node.schedulable and fit_in(node.available, case.ask.resource)),
        key=lambda node: node.id,
    )
    for node in drained[:1]:
        yield case.trial(
            Remedy("undrain", node.id, before="draining", after="schedulable"),
            UndrainNode(node_id=node.id, partition=case.partition.name),
        )
    yield from edits.further_node(case)


@proposes(NeverFits, UnknownNode)
def _further_node(case: Case, refusal: Refusal) -> Trials:
    """W-12, W-16."""
    yield from edits.further_node(case)


@proposes(NotScheduled)
def _first_node(case: Case, refusal: NotScheduled) -> Trials:
    """W-01 while no node is registered."""
    if case.partition.root.maximum is None:
        yield from edits.further_node(case)


@proposes(RequiredNodeFull)
def _larger_node(case: Case, refusal: RequiredNodeFull) -> Trials:
    """W-13: the node that the ask must run on, larger by what is missing there."""
    node = case.partition.nodes.get(refusal.node)
    if node is None:
        return
    short = {
        name: need - node.available.get(name, 0) for name, need in case.ask.resource.items() if need > node.available.get(name, 0)
    }
    if short:
        capacity = add(node.capacity, Resource(short))
        yield case.trial(
            Remedy("resize", node.id, before=node.capacity, after=capacity),
            UpdateNode(node_id=node.id, capacity=capacity, partition=case.partition.name),
        )
