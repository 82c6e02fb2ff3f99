"""A plugin of pytest: files of expectations run beside other tests, each expectation as a test of its name. EX-2

It is found by itself where the workbench is installed (entry point `pytest11`), and can be left out with `-p no:workbench`. Whoever
has no `*.expect.yaml` notices nothing of it: what it needs is imported when the first such file is collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from workbench.expectations import ENDINGS

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr

    from workbench.expectations.judging import Judge
    from workbench.expectations.suite import Expectation


class Broken(Exception):
    """An expectation does not hold, or could not be judged; the text says why."""


class ExpectFile(pytest.File):
    """A file of expectations."""

    def collect(self) -> Iterator[ExpectItem]:
        """A test for each expectation. CollectError with the line if the file cannot be read."""
        from workbench.expectations.judging import Judge
        from workbench.expectations.suite import load_suite
        from workbench.values.errors import WorkbenchError

        try:
            suite = load_suite(self.path)
        except WorkbenchError as error:
            raise self.CollectError(str(error)) from None
        judge = Judge(suite)
        for expectation in suite.expectations:
            yield ExpectItem.from_parent(self, name=expectation.name, judge=judge, expectation=expectation)


class ExpectItem(pytest.Item):
    """One expectation."""

    def __init__(self, *, judge: Judge, expectation: Expectation, **given: Any):
        super().__init__(**given)
        self._judge, self._expectation = judge, expectation

    def runtest(self) -> None:
        """Judge it; runs are shared by the expectations of a file."""
        result = self._judge.judge(self._expectation)
        if not result.passed:
            raise Broken("\n".join((f"{result.outcome.value}: {result.sentence}", *result.details)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """The sentences, and no traceback."""
        if isinstance(excinfo.value, Broken):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands, counted from 0."""
        line = self._expectation.line
        return self.path, None if line is None else line - 1, self.name


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ExpectFile | None:
    """Files of expectations."""
    return ExpectFile.from_parent(parent, path=file_path) if file_path.name.endswith(ENDINGS) else None
