"""Former names of parameters, verbs and properties, which are understood for one release of the package and say what to use."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

CALLER = 2
"""Frames from `warn` up to the code that used a name, which is what a reader of the warning looks for."""


def warn_renamed(old: str, new: str, *, above: int = 1) -> None:
    """Say that a name is a former one, and which to use.

    Args:
        old: as it was written.
        new: what to write instead.
        above: frames between the function that calls this one and the code that used the name, that code included.
    """
    warnings.warn(
        f"{old} is a former name and goes with the next release; use {new}", DeprecationWarning, stacklevel=CALLER + above
    )


def renamed_keyword(old: str, new: str) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """A decorator: the keyword `old` is taken for `new`, with a DeprecationWarning.

    Raises:
        TypeError: both are given.
    """

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @wraps(function)
        def called(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            given: dict[str, Any] = kwargs
            if old in given:
                if new in given:
                    raise TypeError(f"{old}= is the former name of {new}=; give only {new}=")
                warn_renamed(f"{old}=", f"{new}=")
                given[new] = given.pop(old)
            return function(*args, **kwargs)

        return called

    return decorate
