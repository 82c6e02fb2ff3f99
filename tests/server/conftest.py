"""A workbench that is served, and a plain client that asks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from server.asking import Client

from workbench import Workbench
from workbench.server.server import Options, Server

Serving = Callable[..., Client]


@pytest.fixture
def serving() -> Iterator[Serving]:
    """Serves a workbench, or a new one with the example of tenants, with options; ended with the test."""
    running: list[Server] = []

    def serve(bench: Workbench | None = None, **options: Any) -> Client:
        answering = {"answering": options.pop("answering")} if "answering" in options else {}
        running.append(Server(bench or Workbench.example("multitenancy"), Options(**options), **answering))
        return Client(running[-1])

    yield serve
    for server in running:
        server.stop()


@pytest.fixture
def client(serving: Serving) -> Client:
    return serving()


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    """One server for many examples."""
    server = Server(Workbench.example("multitenancy"))
    yield Client(server)
    server.stop()
