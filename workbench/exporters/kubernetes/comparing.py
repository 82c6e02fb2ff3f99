"""What comes out otherwise when exported objects are read again: the notes of an export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from workbench.config import load_config
from workbench.config.write.export import plain_yaml
from workbench.exporters.kubernetes.notes import Different, LeftOut, NoQueues, Note, NotThere, PodsCounted, Reordered
from workbench.exporters.kubernetes.population import Population, population_of
from workbench.importers.kubernetes.gangs import HARD
from workbench.importers.kubernetes.quantities import PODS
from workbench.importers.kubernetes.words import NOBODY
from workbench.scheduler.records.commands import AddNode, ApplicationSpec, AskSpec
from workbench.simulation.scenario import Scenario
from workbench.values.resources import Resource

EXAMPLES = 3
_BY_KUBERNETES = ("created_ns",)
"""Fields that are given anew by whoever reads the objects."""


def notes_of(wanted: Scenario, found: Scenario, counts_pods: bool, pods_of_a_node: int) -> Iterator[Note]:
    """What of `wanted` is otherwise in `found`, which was read from its objects."""
    if plain_yaml(load_config(wanted.text)) != plain_yaml(load_config(found.text)):
        yield NoQueues(1)
    there, here = population_of(wanted), population_of(found)
    if not counts_pods and there.nodes:
        yield PodsCounted(pods_of_a_node)
    for kind, count in sorted(there.left.items()):
        if count:
            yield LeftOut(count, kind=kind)
    for what, one, other in _pairs(there, here):
        yield from _differences(what, one, other, counts_pods)


def _pairs(there: Population, here: Population) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    yield "node", there.nodes, here.nodes
    yield "drained node", there.drained, here.drained
    yield "application", there.applications, here.applications
    yield "foreign load", _by_key(there.foreign), _by_key(here.foreign)
    yield "running request", _placed(there), _placed(here)
    yield "waiting request", _waiting(there), _waiting(here)


def _by_key(given: list[tuple[AskSpec, str]]) -> dict[str, Any]:
    return {ask.key: (ask, node) for ask, node in given}


def _placed(given: Population) -> dict[str, Any]:
    return {f"{id} {ask.key}": (ask, node) for id, each in given.running.items() for ask, node in each}


def _waiting(given: Population) -> dict[str, Any]:
    return {f"{ask.application_id} {ask.key}": ask for ask in given.asked}


def _differences(what: str, one: Mapping[str, Any], other: Mapping[str, Any], counts_pods: bool) -> Iterator[Note]:
    missing = [name for name in one if name not in other]
    added = [name for name in other if name not in one]
    if missing:
        yield NotThere(len(missing), tuple(missing[:EXAMPLES]), what=what)
    if added:
        yield NotThere(len(added), tuple(added[:EXAMPLES]), what=f"added {what}")
    if [name for name in one if name in other] != [name for name in other if name in one]:
        yield Reordered(len(one), what=what)
    differing: dict[str, list[str]] = {}
    for name, value in one.items():
        if name in other:
            for field in _fields(value, other[name], counts_pods):
                differing.setdefault(field, []).append(name)
    for field, names in sorted(differing.items()):
        yield Different(len(names), tuple(names[:EXAMPLES]), what=what, field=field)


def _fields(one: Any, other: Any, counts_pods: bool) -> Iterator[str]:
    """The names of the fields that differ."""
    if isinstance(one, tuple):
        yield from _fields(one[0], other[0], counts_pods)
        if one[1] != other[1]:
            yield "node"
        return
    if not isinstance(one, AddNode | ApplicationSpec | AskSpec):
        return
    for field in fields(one):
        before, after = getattr(one, field.name), getattr(other, field.name)
        if field.name == "schedulable":
            continue  # told of as a drained node
        if field.name in _BY_KUBERNETES:
            same = before is None
        elif field.name == "tags":
            same = all(after.get(key) == value for key, value in before.items())
        elif field.name == "gang_style":
            same = (before == HARD) == (after == HARD)
        elif field.name == "user":
            same = (before or NOBODY) == after
        elif isinstance(before, Resource) or isinstance(after, Resource):
            same = _amounts(before, counts_pods) == _amounts(after, counts_pods)
        else:
            same = before == after
        if not same:
            yield field.name


def _amounts(size: Resource | None, counts_pods: bool) -> dict[str, int]:
    """Without pods where the scenario does not count them, and without what is 0 of nothing."""
    given = {} if size is None else size.amounts
    return {kind: amount for kind, amount in given.items() if counts_pods or kind != PODS}
