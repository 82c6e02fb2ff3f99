"""What each queue is guaranteed and may have at most, in amounts: shares of shares of a cluster of one size. Chapter 13."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from workbench.importers.yarn.capacities import MIB, Capacity, Part, parse_capacity
from workbench.importers.yarn.document import Property
from workbench.importers.yarn.tree import Queue

Exact = dict[str, Fraction]

NO_SIZE = (
    "is a share of the cluster, whose size is not known",
    "say how large it is: workbench import yarn FILE --cluster memory=1024Gi,vcores=256 -o queues.yaml, or --nodes with something "
    "that has the nodes",
)


@dataclass(slots=True)
class Share:
    """What a queue has. Amounts are exact; `rounded` makes of them what can be written.

    Attributes:
        guaranteed: by resource; for root the cluster, as far as it is known.
        most: the most that it may have itself or by a queue above it; a resource that is not named has no bound.
        own_most: what is to be written as its maximum: nothing where it may have all that the queue above it may.
    """

    guaranteed: Exact = field(default_factory=dict)
    most: Exact = field(default_factory=dict)
    own_most: Exact = field(default_factory=dict)


def shares(root: Queue, cluster: Mapping[str, int]) -> dict[str, Share]:
    """Path -> what the queue has.

    Args:
        root: with the queues below it.
        cluster: its size in base units; empty if it is not known.

    Raises:
        ConfigError: with the line: a share without a size (Y-1), siblings that cannot be reckoned together, more than there is.
    """
    size = {resource: Fraction(amount) for resource, amount in cluster.items()}
    found = {root.path: Share(dict(size), dict(size))}
    for queue in root.walk():
        given = {each.path: _capacity(each) for each in queue.children}
        _refuse_mixed(queue, given)
        for child in queue.children:
            found[child.path] = _share(child, found[queue.path], given)
        _refuse_too_much(queue, found, is_root=queue is root)
    return found


def rounded(exact: Exact) -> dict[str, int]:
    """Amounts in base units, rounded down, memory to whole MiB: so that no sum of children is above their parent's."""
    return {kind: int(amount // MIB) * MIB if kind == "memory" else int(amount) for kind, amount in exact.items()}


def _capacity(queue: Queue) -> Capacity:
    property = queue.properties.get("capacity")
    return parse_capacity(property) if property is not None else Capacity(None, {})


def _share(queue: Queue, above: Share, siblings: Mapping[str, Capacity]) -> Share:
    share = Share(most=dict(above.most))
    capacity, property = siblings[queue.path], queue.properties.get("capacity")
    if property is not None:
        share.guaranteed = guaranteed_of(property, capacity, above, siblings)
    property = queue.properties.get("maximum-capacity")
    if property is not None and property.value != "-1":
        share.own_most = most_of(property, above)
        for resource, amount in share.own_most.items():
            if amount > share.most.get(resource, amount):
                raise property.fault(
                    f"is more {resource} than {queue.path.rpartition('.')[0]} may have", "YARN refuses it as well; make it smaller"
                )
        share.most |= share.own_most
    for resource, amount in share.guaranteed.items():
        if amount > share.own_most.get(resource, amount):
            assert property is not None
            raise property.fault(f"is less {resource} than the capacity of {queue.path}", "YARN refuses it as well; make it larger")
    return share


def guaranteed_of(property: Property, capacity: Capacity, above: Share, siblings: Mapping[str, Capacity]) -> Exact:
    """What a capacity is among its siblings and below a queue. ConfigError for a share of something without a size."""
    found: Exact = {}
    for resource in _resources(property, capacity, above.guaranteed, (0,)):
        part = capacity.of(resource)
        if part is None:
            continue
        if part.kind == "amount":
            found[resource] = part.number
            continue
        whole = above.guaranteed.get(resource)
        if whole is None:
            continue
        if part.kind == "percent":
            found[resource] = whole * part.number / 100
        else:
            parts = [each.of(resource) for each in siblings.values()]
            total = sum((each.number for each in parts if each is not None), Fraction(0))
            found[resource] = whole * part.number / total if total else Fraction(0)
    return found


def most_of(property: Property, above: Share) -> Exact:
    """What a maximum is below a queue. ConfigError for a share of something without a size."""
    capacity = parse_capacity(property)
    if "weight" in capacity.kinds:
        raise property.fault("a maximum cannot be a weight", "such as 40 or [memory=10240,vcores=12]")
    found: Exact = {}
    for resource in _resources(property, capacity, above.most, (0, 100)):
        part = capacity.of(resource)
        if part is None or part == Part("percent", Fraction(100)):
            continue
        whole = above.most.get(resource)
        if part.kind == "amount":
            found[resource] = part.number
        elif whole is not None:
            found[resource] = whole * part.number / 100
    return found


def _resources(property: Property, capacity: Capacity, above: Exact, sizeless: tuple[int, ...]) -> list[str]:
    """The resources that a capacity is about. ConfigError for a share of something whose size is not known.

    `sizeless` are the percentages that mean the same of any size.
    """
    shared = [part for part in (capacity.everything, *capacity.each.values()) if part is not None and part.kind != "amount"]
    unknown = [part for part in shared if part.number not in sizeless or part.kind == "weight"]
    missing = (capacity.everything is not None and not above) or any(
        part.kind != "amount" and resource not in above for resource, part in capacity.each.items()
    )
    if unknown and missing:
        raise property.fault(*NO_SIZE)
    return sorted({*capacity.each, *(above if capacity.everything is not None else ())})


def _refuse_mixed(queue: Queue, given: Mapping[str, Capacity]) -> None:
    """Shares of two kinds cannot be reckoned together."""
    kinds: dict[str, dict[str, Queue]] = {}
    for child in queue.children:
        capacity = given[child.path]
        for resource in capacity.each or ([""] if capacity.everything else []):
            part = capacity.of(resource)
            if part is not None and part.number:
                kinds.setdefault(resource, {}).setdefault(part.kind, child)
    for resource, found in kinds.items():
        if len(found) > 1:
            last = list(found.values())[-1]
            of = f" of {resource}" if resource else ""
            raise last.properties["capacity"].fault(
                f"the queues below {queue.path} have capacities{of} of several kinds: {' and '.join(found)}",
                "write them all in percent, all as weights, or all as amounts",
            )


def _refuse_too_much(queue: Queue, found: Mapping[str, Share], *, is_root: bool) -> None:
    """The children of a queue are guaranteed no more than itself. Amounts below root may be more than there is now."""
    whole = found[queue.path].guaranteed
    counted = [each for each in queue.children if not is_root or _capacity(each).kinds != {"amount"}]
    for resource in sorted({kind for child in counted for kind in found[child.path].guaranteed}):
        holders = [each for each in counted if found[each.path].guaranteed.get(resource)]
        if sum(found[each.path].guaranteed[resource] for each in holders) > whole.get(resource, float("inf")):
            raise (
                holders[-1]
                .properties["capacity"]
                .fault(
                    f"with it the queues below {queue.path} are guaranteed more {resource} than {queue.path} itself",
                    "YARN refuses it as well; the capacities of siblings come to 100 percent at most",
                )
            )
