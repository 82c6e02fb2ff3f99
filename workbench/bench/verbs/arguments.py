"""Every verb of a workbench refuses arguments of another kind than it declares; what it does with the others is its own matter.

And each takes its turn: to look at what comes next, a verb lets it happen and takes it back, and nobody is to see that from another
thread, be it one that answers widgets or one that serves the workbench.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from workbench.bench.desk import Desk
from workbench.values.arguments import guarded
from workbench.values.errors import CommandError

WITHOUT_A_TURN = ("stop",)
"""Verbs that end the turn of another."""


def guard(table: type[Desk], *makers: str) -> None:
    """Guard every public verb of a workbench, and those class methods that make one."""
    for name, verb in list(vars(table).items()):
        if inspect.isfunction(verb) and not name.startswith("_"):
            setattr(table, name, guarded(verb if name in WITHOUT_A_TURN else _in_turn(verb), _refusal, _left))
        elif isinstance(verb, classmethod) and name in makers:
            maker: Callable[..., Any] = verb.__func__
            setattr(table, name, classmethod(guarded(maker, _refusal)))


def _in_turn(verb: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(verb)
    def in_turn(desk: Desk, /, *args: Any, **kwargs: Any) -> Any:
        with desk.turn:
            return verb(desk, *args, **kwargs)

    return in_turn


def _left(desk: object, error: BaseException) -> None:
    """An interrupt can strike between the last line of a verb and its end, where nobody else hears of it."""
    if isinstance(desk, Desk):
        desk.broken_off(error)


def _refusal(desk: object, text: str) -> CommandError:
    """The error, said by the status of the workbench, too."""
    error = CommandError(text)
    if isinstance(desk, Desk):
        try:
            with desk.verb(f"bench.{text.partition(':')[0]}(...)", silent=True):
                raise error
        except CommandError as said:  # another one if the workbench is busy
            return said
    return error
