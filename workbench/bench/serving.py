"""What serves a workbench over HTTP. It registers itself here from above, as what shows it does (see `view`).

The package says in `workbench.SERVER` which module does so, and that one is imported when a workbench is first served.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

import workbench


class Server(Protocol):
    """A server of one workbench.

    Attributes:
        url: where it is, with the token, to be opened in a browser.
        address: the same without the token.
        token: what everybody must bring.
        port: where it listens.
    """

    url: str
    address: str
    token: str
    port: int

    @property
    def running(self) -> bool:
        """It was not stopped yet, and can still answer."""

    def stop(self) -> None:
        """Listen no more."""


Maker = Callable[..., Server]
"""Makes the server of a workbench: `maker(workbench, port=0, ...)`."""

_makers: list[Maker] = []


def register(maker: Maker) -> None:
    """From now on workbenches are served by what `maker(workbench, **options)` makes."""
    _makers.append(maker)


def server_of(bench: object, **options: Any) -> Server:
    """A server of the workbench. ImportError where the libraries that it needs are not installed."""
    if not _makers:
        import_module(workbench.SERVER)
    return _makers[-1](bench, **options)
