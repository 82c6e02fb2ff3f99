"""What functions that people call may be given, told from how they are declared: a wrong kind of value is refused in a sentence.

Whether a number is too large or a name unknown is for the function to say.
"""

from __future__ import annotations

import inspect
import operator
import os
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from workbench.values.errors import WorkbenchError
from workbench.values.found import found
from workbench.values.quantities import MAX_INT64, MIN_INT64
from workbench.values.text import is_text

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class _WrongKind(ValueError):
    """A value that is none of the declared kind."""


def _text(value: Any) -> str:
    if not is_text(value):
        raise _WrongKind
    return value  # type: ignore[no-any-return]


def _path(value: Any) -> Any:
    return value if isinstance(value, os.PathLike) else _text(value)


def _whole(value: Any) -> int:
    """Also the whole numbers of libraries; True and False are none."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise _WrongKind
    number = operator.index(value)
    if not MIN_INT64 <= number <= MAX_INT64:
        raise _WrongKind
    return number


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _WrongKind
    return value


def _text_map(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(map(is_text, value)):
        raise _WrongKind
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(map(is_text, value)):
        raise _WrongKind
    return tuple(value)


def _text_or_texts(value: Any) -> str | tuple[str, ...]:
    return _text(value) if isinstance(value, str) else _texts(value)


def _called(value: Any) -> Any:
    if not callable(value):
        raise _WrongKind
    return value


KINDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "str": ("a text of whole characters", _text),
    "str | Path": ("a text of whole characters or a path", _path),
    "int": (f"a whole number from {MIN_INT64} to {MAX_INT64}", _whole),
    "bool": ("True or False", _switch),
    "Mapping[str, str | int]": ("a mapping by texts", _text_map),
    "Sequence[str]": ("a list of texts", _texts),
    "str | tuple[str, ...]": ("a text or a list of texts", _text_or_texts),
    "Callable[[Decision], bool]": ("a function of a decision", _called),
}
"""Declared type -> what it allows, and what makes the value of a function of it. Each also with `| None`."""


def guarded(
    function: Callable[Parameters, Result],
    refuse: Callable[[object, str], WorkbenchError],
    left: Callable[[object, BaseException], None] = lambda first, error: None,
) -> Callable[Parameters, Result]:
    """The function, which refuses arguments of another kind than it declares, before it has begun.

    `refuse(first argument, sentence)` makes the error that is raised; the sentence says which argument, what was found and what
    is allowed. `left(first argument, error)` is told of whatever the function is left by.
    """
    signature = inspect.signature(function)
    wanted = {
        name: (str(parameter.annotation).removesuffix(" | None"), str(parameter.annotation).endswith(" | None"))
        for name, parameter in signature.parameters.items()
        if str(parameter.annotation).removesuffix(" | None") in KINDS
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }

    @wraps(function)
    def refusing(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        given = signature.bind(*args, **kwargs)
        for name, value in given.arguments.items():
            kind, or_none = wanted.get(name, ("", True))
            if kind and not (value is None and or_none):
                allowed, made = KINDS[kind]
                try:
                    given.arguments[name] = made(value)
                except (_WrongKind, OverflowError):
                    told = f"{name} must be {allowed}{' or None' if or_none else ''}, found {found(value)}"
                    raise refuse(args[0], f"{function.__name__}: {told}") from None
        try:
            return function(*given.args, **given.kwargs)
        except BaseException as error:
            left(args[0] if args else None, error)
            raise

    return refusing
