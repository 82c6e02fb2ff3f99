"""Guaranteed and maximum of the queues against each other, down the tree and up again (C-40 to C-44, C-70 to C-74)."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.config.model import QueueConfig
from workbench.values.errors import ConfigError
from workbench.values.quantities import QuantityError
from workbench.values.resources import EMPTY, Resource, add, component_wise_min, fit_in_max_undef, from_config, is_zero, to_string


def check_resources_down_the_tree(root: QueueConfig) -> None:
    """Guaranteed fits in maximum, maximum in the ancestors' maxima, the children's guarantees in the parent."""
    _guarantee(root, None, root.name)


def quantities(texts: Mapping[str, str] | None, *, line: int | None, place: str) -> Resource:
    """The vector of a map of quantity texts; ConfigError with the core's text and the entry at fault as hint (C-40)."""
    try:
        return from_config(texts)
    except QuantityError as error:
        raise ConfigError(str(error), line=line, hint=f"{place}: {error.type_name}: {_advice(error)}") from None


def _advice(error: QuantityError) -> str:
    found = repr(error.quantity if len(error.quantity) <= 40 else error.quantity[:37] + "...")
    if error.quantity.strip().endswith("m"):
        return f"{found}; only vcore takes the suffix m"
    return f"{found}; write a whole number and one of k M G T P E Ki Mi Gi Ti Pi Ei, or m for vcore"


def _guarantee(queue: QueueConfig, parent_maximum: Resource | None, path: str) -> Resource:
    """What `queue` guarantees towards its parent: its own guaranteed if it has any, else the sum below it (C-73)."""
    settings = queue.resources
    line = settings.line or queue.line
    guaranteed = quantities(settings.guaranteed, line=line, place=f"guaranteed of {path}")
    maximum = quantities(settings.max, line=line, place=f"max of {path}")
    if not fit_in_max_undef(maximum, guaranteed):  # C-41, C-70
        raise ConfigError(
            f"guaranteed resource {to_string(guaranteed)} is larger than maximum resource {to_string(maximum)} "
            f"for queue {queue.name}",
            line=line,
            hint=f"{path}: raise max or lower guaranteed",
        )
    if not fit_in_max_undef(parent_maximum, maximum):  # C-42, C-71
        raise ConfigError(
            f"max resource of parent {to_string(parent_maximum)} is smaller than maximum resource {to_string(maximum)} "
            f"for queue {queue.name}",
            line=line,
            hint=f"{path}: lower its max, or raise that of the queues above it",
        )
    # The maximum of an ancestor holds through levels that do not mention the type (C-71).
    effective_maximum = component_wise_min(maximum, parent_maximum)
    total = EMPTY
    for child in queue.queues:
        total = add(total, _guarantee(child, effective_maximum, f"{path}.{child.name}"))
    if not fit_in_max_undef(guaranteed, total):  # C-43, C-72
        raise ConfigError(
            f"guaranteed resource of parent {to_string(guaranteed)} is smaller than sum of guaranteed resources "
            f"{to_string(total)} of the children for queue {queue.name}",
            line=line,
            hint=f"{path}: raise its guaranteed or lower those below it",
        )
    if not fit_in_max_undef(effective_maximum, total):  # C-44, C-72
        raise ConfigError(
            f"max resource {to_string(effective_maximum)} is smaller than sum of guaranteed resources "
            f"{to_string(total)} of the children for queue {queue.name}",
            line=line,
            hint=f"{path}: raise its max, and those above it, or lower the guarantees below it",
        )
    return total if is_zero(guaranteed) else guaranteed
