"""What a check found: the lint, a typed value with its sentence, and where: the queue, the key and the line of the YAML text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from workbench.advice.edits import Repair
from workbench.config.facts import Design, QueueFacts
from workbench.explain.wording import amounts, listing, name
from workbench.values.resources import Resource

Severity = Literal["error", "warning", "hint"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "hint")
"""Most urgent first. An error is what the real loader reports; a warning what is ignored or cannot work as it is written."""
MOST_NAMED = 4
"""Queues that a sentence of a check names at most."""


@dataclass(frozen=True, slots=True)
class Lint(ABC):
    """One thing that can be said of a design: what was compared as fields, and the sentence. Several may share a code.

    Attributes:
        code: such as "L-13", of chapter 09, section 6; of the rule, or a short name, for what has no number there.
        rules: the rules that say so, the most telling first. "E-40" among them: another workload may make it untrue.
        assumption: what is then taken for granted about the workload, in a sentence.
    """

    code: ClassVar[str]
    severity: ClassVar[Severity] = "warning"
    rules: ClassVar[tuple[str, ...]] = ()
    assumption: ClassVar[str] = ""

    @abstractmethod
    def sentence(self, where: str) -> str:
        """What was found, what the scheduler does with it, and what to do; `where` is the queue or the partition in words."""

    @property
    def about(self) -> str:
        """What tells two of a kind apart that are found at one key."""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a check found.

    Attributes:
        path: lower-case path of the queue; "" for a setting of the partition.
        key: place below the queue or partition, such as "properties.priority.offset"; "" for the whole.
        line: of that key in the YAML text; None when the configuration has no text any more.
        repairs: what would mend it, best first.
    """

    lint: Lint
    partition: str = "default"
    path: str = ""
    key: str = ""
    line: int | None = None
    repairs: tuple[Repair, ...] = ()


def finding(design: Design, queue: QueueFacts | None, key: str, lint: Lint, *repairs: Repair | None) -> Finding:
    """A finding at a queue, or at the partition for None, with the line of its key, or else of the queue."""
    return Finding(
        lint=lint,
        partition=design.name,
        path=queue.path if queue is not None else "",
        key=key,
        line=design.line_of(queue, key),
        repairs=tuple(repair for repair in repairs if repair is not None),
    )


# ---- for sentences ----------------------------------------------------------------------------------------------------


def named(paths: Sequence[str]) -> str:
    """Some queues, or other names, in a sentence."""
    return listing([name(path) for path in paths], most=MOST_NAMED)


def kinds(resource: Mapping[str, int] | Resource) -> str:
    """Amounts of each type in a sentence."""
    return amounts(Resource(resource), "nothing")
