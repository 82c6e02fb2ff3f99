"""What came of judging one expectation in one run: passed, failed or an error, with the number, the worst offender and its Why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from workbench.explain.wording import name
from workbench.values.errors import CommandError

if TYPE_CHECKING:
    from workbench.expectations.moments import Moment
    from workbench.runs import Run


class Outcome(Enum):
    """What became of an expectation."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    NOT_JUDGED = "not judged"
    """Somebody ended it before its turn came."""


class CannotFail(CommandError):
    """In this run nothing could break the expectation, so that it says nothing. EX-4

    With another workload or seed it may; if there is none in which it could, that is an error.
    """


@dataclass(frozen=True)
class Offender:
    """Whoever broke an expectation most.

    Attributes:
        what: the job, task or queue.
        sentence: what became of it, with its reason in the words of the run.
        moment: the step at which the expectation failed; None if no single one did it.
    """

    what: str
    sentence: str
    moment: Moment | None = None

    @property
    def why(self) -> tuple[str, ...]:
        """What became of it and, where the moment can be looked at, why: a few sentences."""
        return (self.sentence, *(self.moment.why() if self.moment is not None else ()))


@dataclass(frozen=True)
class Verdict:
    """What one run says of an expectation.

    Attributes:
        outcome: of it.
        sentence: the number and the bound, in words; of an error, what is wrong.
        value: the number; None if there is none.
        margin: how much room is left to the bound, in its unit; below 0 if it is broken.
        offender: whoever broke it most.
        idle: nothing in this run could have broken it.
    """

    outcome: Outcome
    sentence: str
    value: float | None = None
    margin: float = 0.0
    offender: Offender | None = None
    idle: bool = False


@dataclass(frozen=True)
class Judgement:
    """A verdict, and what it is about.

    Attributes:
        verdict: what was found.
        workload: name of the workload or scenario; empty where only the design was looked at.
        seed: of the run; None where chance plays no part.
        run: that was judged; None if there is none.
    """

    verdict: Verdict
    workload: str = ""
    seed: int | None = None
    run: Run | None = None

    @property
    def where(self) -> str:
        """The run in words: `burst, seed 3`."""
        seed = "" if self.seed is None else f"seed {self.seed}"
        return ", ".join(each for each in (name(self.workload) if self.workload else "", seed) if each)
