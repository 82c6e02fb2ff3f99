"""The errors people meet. Each says where, what was found, what is allowed and what to do.

`text` is the core's own wording where the specification fixes one; `str(error)` adds the place.
"""

from __future__ import annotations


def _printable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


class WorkbenchError(Exception):
    """Wrong input, told to a person. Never raised for a bug of the workbench itself.

    Its text can always be printed: what no encoding holds, such as half a character of somebody's name, is escaped.
    """

    def __str__(self) -> str:
        return _printable(super().__str__())


class PlacedError(WorkbenchError):
    """Wrong input that has a place in a text.

    Attributes:
        text: what is wrong, in the core's words where it has some.
        line: line in the text, counted from 1; None when the fault has no single place.
        source: name of the file or text, for the message.
        hint: what is allowed, or what to do; empty when `text` says it all.
    """

    def __init__(self, text: str, *, line: int | None = None, source: str | None = None, hint: str = ""):
        self.text, self.line, self.source, self.hint = text, line, source, hint
        super().__init__(text)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line and f"line {self.line}") if part)
        hint = f" ({self.hint})" if self.hint else ""
        return _printable(f"{place}: {self.text}{hint}" if place else f"{self.text}{hint}")


class ConfigError(PlacedError):
    """A queue configuration that the scheduler refuses, or that is no YAML."""


class ScenarioError(PlacedError):
    """A scenario file that cannot be read: unknown key, wrong type, missing field."""


class WorkloadError(PlacedError):
    """A workload that cannot be: a file that cannot be read, or jobs and nodes that make no sense."""


class ScoreError(PlacedError):
    """A file that should hold scores of a lesson, and does not."""


class CommandError(WorkbenchError):
    """A call that makes no sense now, such as going to a step that does not exist."""


class FileError(WorkbenchError):
    """A file that cannot be written. What was in it before still is.

    Attributes:
        path: of the file.
        reason: why.
    """

    def __init__(self, path: str, reason: str):
        self.path, self.reason = path, reason
        super().__init__(f"cannot write {path}: {reason}")
