"""Nodes in a line of text, as on the command line: `gpu: 4 x vcore=64,nvidia.com/gpu=8; 20 x vcore=8,memory=32Gi`. WL-4."""

from __future__ import annotations

import re

from workbench.values.errors import WorkloadError
from workbench.values.found import shown
from workbench.values.quantities import QuantityError, format_quantity, parse_quantity
from workbench.values.resources import Resource
from workbench.values.text import is_text
from workbench.workloads.checks import MOST_NODES
from workbench.workloads.model import Pool

FORM = "write nodes as '20 x vcore=8,memory=32Gi', with ';' between pools, and a name and ':' before one that should have a name"

_COUNTED = re.compile(r"\s*([0-9]+)\s*[x×*]\s*(.*)", re.DOTALL)
_NAMED = re.compile(r"\s*([^=;,:]+?)\s*:\s*(.*)", re.DOTALL)


def parse_nodes(text: str) -> tuple[Pool, ...]:
    """The pools that a text names. Pools without a name are `node`, or `node-1`, `node-2` ... where there are several.

    Amounts are quantities as in a configuration: `vcore=8` is eight cores, `memory=32Gi`.

    Raises:
        WorkloadError: with the part that is wrong, and what is allowed.

    >>> for pool in parse_nodes("gpu: 4 x vcore=64,nvidia.com/gpu=8; 20 x vcore=8,memory=32Gi"):
    ...     print(pool.count, pool.node_id(0), pool.capacity)
    4 gpu-000 Resource({'nvidia.com/gpu': 8, 'vcore': 64000})
    20 node-000 Resource(memory=34359738368, vcore=8000)
    """
    if not is_text(text):
        raise WorkloadError("nodes must be a text of whole characters", hint=FORM)
    parts = [each.strip() for each in re.split("[;\n]", text) if each.strip()]
    if not parts:
        raise WorkloadError("no nodes are named", hint=FORM)
    named = [_named(each) for each in parts]
    nameless = sum(not name for name, _ in named)
    pools: list[Pool] = []
    number = 0
    for name, rest in named:
        if not name:
            number += 1
            name = "node" if nameless == 1 else f"node-{number}"
        pools.append(_pool(name, rest))
        if any(each.name == name for each in pools[:-1]):
            raise WorkloadError(f"two pools are called {shown(name)}", hint="give each its own name")
    return tuple(pools)


def parse_amounts(text: str) -> Resource:
    """The resources in a text such as `vcore=8,memory=32Gi`; blanks around the signs do not count.

    Raises:
        WorkloadError: with the amount that is wrong, and what is allowed.

    >>> parse_amounts("vcore=500m, memory=2Gi")
    Resource(memory=2147483648, vcore=500)
    """
    amounts: dict[str, int] = {}
    for part in text.split(","):
        name, sign, amount = (each.strip() for each in part.partition("="))
        if not sign or not name or not amount:
            raise WorkloadError(f"{shown(part.strip())} is no amount of a resource", hint="write vcore=8,memory=32Gi")
        if name in amounts:
            raise WorkloadError(f"{shown(name)} occurs twice in {shown(text.strip())}", hint="keep one of them")
        try:
            amounts[name] = parse_quantity(amount, name)
        except QuantityError as error:
            raise WorkloadError(
                f"{error}: {shown(amount)} of {shown(name)}", hint="allowed are amounts such as 2, 500m for vcore, 8Gi"
            ) from None
    return Resource(amounts)


def amounts_text(resource: Resource) -> str:
    """The text that `parse_amounts` reads as this resource."""
    return ",".join(f"{name}={format_quantity(amount, name)}" for name, amount in resource.items())


def _named(part: str) -> tuple[str, str]:
    found = _NAMED.fullmatch(part)
    return (found[1], found[2]) if found else ("", part)


def _pool(name: str, text: str) -> Pool:
    counted = _COUNTED.fullmatch(text)
    count, amounts = (counted[1].lstrip("0") or "0", counted[2]) if counted else ("1", text)
    if len(count) > 9 or not 1 <= int(count) <= MOST_NODES:
        raise WorkloadError(f"{shown(count)} nodes in {shown(text)}", hint=f"a pool has 1 to {MOST_NODES} nodes")
    try:
        capacity = parse_amounts(amounts)
    except WorkloadError as error:
        error.hint = error.hint if counted or "=" in text else FORM
        raise
    return Pool(name=name, capacity=capacity, count=int(count))
