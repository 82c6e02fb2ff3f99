"""A long verb, which is work in small pieces, as a method that does all of it at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, ParamSpec, TypeVar

from workbench.bench.desk import Desk
from workbench.bench.work import Work, finish

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def long(work: Callable[Concatenate[Desk, Arguments], Work[Result]]) -> Callable[Concatenate[Desk, Arguments], Result]:
    """A method of a verb that is work. Called, it is finished at once; its `work` is for a `Player`."""

    def verb(desk: Desk, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with desk.turn:
            return finish(work(desk, *args, **kwargs), desk.pulse)

    update_wrapper(verb, work)
    verb.work = work  # type: ignore[attr-defined]
    return verb
