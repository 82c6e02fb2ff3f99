"""The scenarios that come with the package, each named for what it shows.

Those of the documentation and of the lessons are in folders of their own: `example("documented/preemption-fence")`.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import resources
from importlib.resources.abc import Traversable

from workbench.simulation.scenario.model import Scenario
from workbench.simulation.scenario.reading import parse_scenario
from workbench.values.errors import ScenarioError

FOLDERS = ("documented", "lessons")
"""Folders of examples that belong to a text: the documented ones, and those of the tutorials."""
SUFFIX = ".yaml"


def example_names(folder: str = "") -> tuple[str, ...]:
    """Names of the packaged scenarios, sorted: those that stand alone, or those of a folder (see `FOLDERS`)."""
    prefix = f"{folder}/" if folder else ""
    return tuple(
        sorted(prefix + file.name.removesuffix(SUFFIX) for file in _folder(folder).iterdir() if file.name.endswith(SUFFIX))
    )


def all_example_names() -> tuple[str, ...]:
    """Names of all packaged scenarios: those that stand alone, then folder by folder."""
    return tuple(name for folder in ("", *FOLDERS) if _folder(folder).is_dir() for name in example_names(folder))


def example(name: str) -> Scenario:
    """The packaged scenario of that name. ScenarioError if there is none."""
    if name not in all_example_names():
        near = get_close_matches(name, all_example_names(), n=4, cutoff=0.5)
        meant = f"did you mean {' or '.join(near)}?" if near else f"the examples are {', '.join(example_names())}"
        raise ScenarioError(f"there is no example {name!r}", hint=meant)
    folder, _, short = name.rpartition("/")
    file = f"{short}{SUFFIX}"
    return parse_scenario(_folder(folder).joinpath(file).read_text(encoding="utf-8"), source=f"{name}{SUFFIX}", name=short)


def _folder(name: str) -> Traversable:
    scenarios = resources.files("workbench").joinpath("scenarios")
    return scenarios.joinpath(name) if name else scenarios
