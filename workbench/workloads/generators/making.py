"""A made-up workload from a file's keys or from arguments: `read` and `synthetic`."""

from __future__ import annotations

from workbench.simulation.scenario.document import Cursor
from workbench.workloads.generators.presets import Preset, read_preset
from workbench.workloads.generators.reading import read_spec
from workbench.workloads.generators.spec import Synthetic


def read(cursor: Cursor) -> Synthetic | Preset:
    """What the cursor stands on: a mapping with the key `preset` or `synthetic`, or the description itself.

    Raises:
        ScenarioError: with the line, what was found and what is allowed.
    """
    given = cursor.mapping()
    if "preset" in given:
        return read_preset(cursor)
    if "synthetic" in given:
        cursor.fields("synthetic")
        cursor = given["synthetic"]
    return read_spec(cursor)


def synthetic(description: object = None, /, **keys: object) -> Synthetic:
    """A made-up workload from plain values, as they stand under `synthetic:` in a file; keyword arguments go before a mapping.

    Raises:
        ScenarioError: an unknown key, a value that makes no sense; it says which and what is allowed.

    >>> made = synthetic(
    ...     pools="4 x vcore=8,memory=32Gi", load=0.5, length="1d",
    ...     classes=[{"name": "etl", "arrivals": "poisson(every=10m)", "duration": "exponential(5m)", "size": {"vcore": "1"}}],
    ... )
    >>> len(made.workload(seed=1).jobs) > 0
    True
    """
    given = {**description, **keys} if isinstance(description, dict) else description if description is not None else keys
    return read_spec(Cursor(given))
