"""Expectations: tests of a design, kept in a file beside it and judged with the decisions of the real scheduler. EX-1 to EX-4.

    found = wb.expect("queues.expect.yaml")
    print(found)
    found.open("production starts quickly")     # the simulation at the step at which it failed

Names load on first use: pytest imports this package to find out which files it collects, in whatever repository it runs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.expectations.judging import Judge, expect
    from workbench.expectations.kinds.registry import KINDS, Case, Check, Kind, register_kind
    from workbench.expectations.result import Expectations, Result
    from workbench.expectations.suite import Suite, load_suite
    from workbench.expectations.verdicts import CannotFail, Outcome, Verdict

ENDINGS = (".expect.yaml", ".expect.yml")
"""How files of expectations are called, so that pytest and `workbench test FOLDER` find them."""

_PLACES = {
    "CannotFail": "verdicts",
    "Case": "kinds.registry",
    "Check": "kinds.registry",
    "Expectations": "result",
    "Judge": "judging",
    "KINDS": "kinds.registry",
    "Kind": "kinds.registry",
    "Outcome": "verdicts",
    "Result": "result",
    "Suite": "suite",
    "Verdict": "verdicts",
    "expect": "judging",
    "load_suite": "suite",
    "register_kind": "kinds.registry",
}
"""Public name -> the module of this package that it comes from."""

__all__ = [
    "ENDINGS",
    "KINDS",
    "CannotFail",
    "Case",
    "Check",
    "Expectations",
    "Judge",
    "Kind",
    "Outcome",
    "Result",
    "Suite",
    "Verdict",
    "expect",
    "load_suite",
    "register_kind",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value
