"""What is no design, and what a file is that holds none."""

from __future__ import annotations


def no_design(found: str) -> str:
    """Something else than a simulation or a scenario was given."""
    return (
        f"a Workbench is made of a Simulation or a Scenario, found {found}; "
        "Workbench.open takes names and paths, Workbench.from_yaml the text of a queues.yaml"
    )


def is_workload(format: str) -> str:
    """A path holds jobs, and no queues."""
    return f"this is a workload (format {format}), not a design"


def how_to_play(path: str) -> str:
    """What to do with a workload."""
    return f"play it under a design: workbench simulate DESIGN --workload {path}"


def opened_to_mend(name: str, why: str) -> str:
    """A file that the scheduler refuses was opened all the same."""
    return (
        f"{name} is not in force: {why}. Its text is in the YAML tab; mend it there and press Apply. "
        "Until then the design is empty."
    )
