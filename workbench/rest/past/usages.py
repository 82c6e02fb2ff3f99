"""The usage of every application, kept while the history is read."""

from __future__ import annotations

from workbench.rest.past.usage import Usage
from workbench.scheduler.records.state import Application

NOTHING = Usage()


class Usages:
    """By application."""

    def __init__(self) -> None:
        self._by_application: dict[Application, Usage] = {}

    def of(self, application: Application) -> Usage:
        return self._by_application.get(application, NOTHING)
