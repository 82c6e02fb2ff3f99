"""Measures of somebody's own where a run is measured elsewhere: which are needed, what tells them apart, how they get there. M-8"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from workbench.measures.measure import Measure
from workbench.measures.registry import MEASURES
from workbench.values.errors import CommandError

PACKAGE = __name__.partition(".")[0]


def own_measures(names: Iterable[str]) -> tuple[Measure, ...]:
    """The measures from outside this package that such names ask for, sorted by name; the empty name asks for all headlines."""
    asked = tuple(names)
    own = (each for each in MEASURES.values() if getattr(each.of, "__module__", "").partition(".")[0] != PACKAGE)
    return tuple(
        sorted(
            (each for each in own if any(_asks_for(name, each) for name in asked)),
            key=lambda each: each.name,
        )
    )


def code_of(measure: Measure) -> str:
    """What tells a measure from one of its name that computes something else: a digest of its function and of its words.

    Functions that the function calls are not looked into.
    """
    function = getattr(measure.of, "__func__", measure.of)
    code = getattr(function, "__code__", None)
    body = _code(code) if code is not None else f"{type(function).__module__}.{type(function).__qualname__}"
    said = (measure.name, measure.title, measure.unit, measure.direction, sorted(measure.scopes), measure.each, measure.empty)
    return hashlib.sha256(repr((said, body)).encode()).hexdigest()


def make_known(measures: Iterable[Measure]) -> None:
    """Have these measures in the registry of this process, in place of what had their names."""
    for measure in measures:
        MEASURES[measure.name] = measure


def check_sendable(measures: Iterable[Measure]) -> None:
    """Nothing, if another process of this machine finds the functions of these measures.

    Raises:
        CommandError: one was defined where only this process can find it: in a notebook, in a function, as a lambda.
    """
    main = sys.modules.get("__main__")
    for measure in measures:
        function: Callable[..., Any] = measure.of
        try:
            pickle.dumps(function)
            found = function.__module__ != "__main__" or hasattr(main, "__file__")
        except (AttributeError, TypeError, pickle.PicklingError):
            found = False
        if not found:
            raise CommandError(
                f"other processes cannot find the function of the measure {measure.name!r}: define it by name in a module "
                "(a file.py beside the notebook, imported), or run the sweep with executor='serial'"
            )


def _asks_for(name: str, measure: Measure) -> bool:
    return measure.headline if not name else name == measure.name or bool(measure.each) and name.startswith(f"{measure.name}.")


def _code(code: CodeType) -> tuple[object, ...]:
    return code.co_code.hex(), tuple(map(_constant, code.co_consts)), code.co_names, code.co_varnames


def _constant(value: object) -> object:
    if isinstance(value, CodeType):
        return _code(value)
    # The order of a set is another one in every process.
    return sorted(map(repr, value)) if isinstance(value, frozenset) else repr(value)
