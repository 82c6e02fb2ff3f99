"""The scenarios that come with the package, each named for what it shows."""

from __future__ import annotations

from importlib import resources

from workbench.errors import ScenarioError
from workbench.simulation.scenario.model import Scenario
from workbench.simulation.scenario.reading import parse_scenario


def example_names() -> tuple[str, ...]:
    """Names of the packaged scenarios, sorted."""
    return tuple(sorted(file.name.removesuffix(".yaml") for file in _folder().iterdir() if file.name.endswith(".yaml")))


def example(name: str) -> Scenario:
    """The packaged scenario of that name. ScenarioError if there is none."""
    names = example_names()
    if name not in names:
        raise ScenarioError(f"there is no example {name!r}", hint=f"the examples are {', '.join(names)}")
    file = f"{name}.yaml"
    return parse_scenario(_folder().joinpath(file).read_text(encoding="utf-8"), source=file, name=name)


def _folder():
    return resources.files("workbench").joinpath("scenarios")
