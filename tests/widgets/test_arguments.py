"""A verb that is given a value of a wrong kind says which argument, what was found and what is allowed, and has not begun."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.bench.workbench import Workbench
from workbench.config import edit
from workbench.values.errors import CommandError, ConfigError


class Index:
    """A whole number of a library."""

    def __index__(self) -> int:
        return 2


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


@pytest.mark.parametrize(
    ("verb", "args", "said"),
    [
        ("add_request", (["app"], "k", "vcore: 1"), "add_request: app must be a text of whole characters, found a list"),
        ("add_app", ("x", "root\ud800"), r"add_app: queue must be a text of whole characters, found the text 'root\ud800'"),
        ("add_gang", ("x", "root.a", "3", "vcore: 1"), "add_gang: members must be a whole number from .*, found the text '3'"),
        ("goto", (2.5,), "goto: n must be a whole number from .*, found 2.5"),
        ("back", (True,), "back: n must be a whole number from .*, found true"),
        ("goto", (2**63,), "goto: n must be a whole number from .*, found 9223372036854775808"),
        ("run", (None, 5), "run: until must be a function of a decision or None, found 5"),
        ("load", (7,), "load: design must be a text of whole characters or a path, found 7"),
        ("select", (b"root",), "select: path must be a text of whole characters, found a value of type bytes"),
    ],
)  # fmt: skip
def test_it_is_refused_and_the_status_says_so(bench: Workbench, verb: str, args: tuple[Any, ...], said: str):
    before, calls = bench.simulation.digest(), list(bench.calls)
    with pytest.raises(CommandError, match=said.replace("\\", r"\\")):
        getattr(bench, verb)(*args)
    assert bench.status.is_error and bench.status.text.startswith(verb)
    assert (bench.simulation.digest(), bench.calls) == (before, calls)


def test_whole_numbers_of_libraries_and_lists_of_texts_are_taken(bench: Workbench):
    bench.goto(Index())  # type: ignore[arg-type]
    assert bench.simulation.position == 2
    bench.add_app("x", "root.system.low", groups=["dev", "ops"])  # type: ignore[arg-type]
    specs = [getattr(event.command, "application", None) for event in bench.simulation.inputs]
    assert [spec.groups for spec in specs if spec is not None and spec.id == "x"] == [("dev", "ops")]


@pytest.mark.parametrize("amounts", [5, None, {1: "2"}, {"vcore": None}, {"vcore": 1.5}, {"\ud800": "1"}, ["vcore"]])
def test_amounts_that_are_none_are_refused(bench: Workbench, amounts: Any):
    with pytest.raises(Exception, match="write amounts like vcore: 2, memory: 4Gi"):
        bench.add_node("n", amounts)


@pytest.mark.parametrize(
    ("change", "args", "said"),
    [
        (edit.with_property, (5, "a", "b"), "with_property: path must be a text"),
        (edit.with_max, ("root", 5), "with_max: .* must be a mapping by texts or None, found 5"),
        (edit.with_queue_added, ("root", "a"), "with_queue_added: queue must be a QueueConfig, found the text 'a'"),
        (edit.without_queue, (None,), "without_queue: path must be a text of whole characters, found nothing"),
    ],
)
def test_edits_in_code_are_refused_as_configurations_are(bench: Workbench, change: Any, args: tuple[Any, ...], said: str):
    with pytest.raises(ConfigError, match=said):
        change(bench.config, *args)
