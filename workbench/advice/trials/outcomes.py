"""What was measured when a check was tried out, and the sentence: whether it happens, at a queue in words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from workbench.explain.wording import counted, listing, name, seconds
from workbench.values.quantities import format_quantity


@dataclass(frozen=True, slots=True)
class Outcome(ABC):
    """Whether what the check says does happen."""

    happens: bool

    @abstractmethod
    def sentence(self, where: str) -> str:
        """What was seen at the queue."""


@dataclass(frozen=True, slots=True)
class Held(Outcome):
    """What a queue came to of what it is promised of a type."""

    type: str
    held: int
    promised: int

    def sentence(self, where: str) -> str:
        held, promised = (format_quantity(amount, self.type) for amount in (self.held, self.promised))
        return f"{where} came to {name(self.type)} {held} of the {promised} it is guaranteed, while others held the rest."


@dataclass(frozen=True, slots=True)
class Unplaced(Outcome):
    """Whether an application got nothing."""

    def sentence(self, where: str) -> str:
        return f"an application that was sent to {where} got {'nothing' if self.happens else 'its place'} there."


@dataclass(frozen=True, slots=True)
class GangRejected(Outcome):
    """Whether a gang application was rejected."""

    def sentence(self, where: str) -> str:
        return f"a gang application sent to {where} was {'rejected' if self.happens else 'accepted'}."


@dataclass(frozen=True, slots=True)
class OneWaits(Outcome):
    """Whether one of two users had to wait for the other."""

    def sentence(self, where: str) -> str:
        told = "one had to wait." if self.happens else "both could start."
        return f"of two users with an application each in {where}, {told}"


@dataclass(frozen=True, slots=True)
class NotLookedAtAgain(Outcome):
    """Whether a request was `looked` at at all, and how long ago that was."""

    since_ns: int
    looked: bool

    def sentence(self, where: str) -> str:
        if self.happens:
            return f"{seconds(self.since_ns)} after its first attempt a request had not been looked at again."
        return "a request was looked at again." if self.looked else "the request never came to an attempt."


@dataclass(frozen=True, slots=True)
class NothingStopped(Outcome):
    """Whether room came back before anything was stopped."""

    def sentence(self, where: str) -> str:
        if self.happens:
            return f"after the usual time nothing had been stopped for {where}."
        return f"something was stopped for {where} before."


@dataclass(frozen=True, slots=True)
class SparedStopped(Outcome):
    """How many pods that asked to be spared were stopped."""

    stopped: int

    def sentence(self, where: str) -> str:
        if self.happens:
            return f"{counted(self.stopped, 'pod')} of {where} that asked not to be preempted were stopped."
        return f"nothing in {where} was stopped."


@dataclass(frozen=True, slots=True)
class StoppedOutside(Outcome):
    """How many pods outside a queue were stopped for a request that it has no room for."""

    stopped: int

    def sentence(self, where: str) -> str:
        if self.happens:
            return f"outside {where} {counted(self.stopped, 'pod')} were stopped for a request that {where} has no room for."
        return f"nothing outside {where} was stopped."


@dataclass(frozen=True, slots=True)
class OthersGotTheRest(Outcome):
    """How many of the wanted pods were placed, while others asked, too."""

    placed: int
    wanted: int
    others: tuple[str, ...]

    def sentence(self, where: str) -> str:
        said = f"{where} got {self.placed} of {counted(self.wanted, 'pod')}"
        if not self.happens:
            return f"{said}."
        return f"{said}, and {listing([name(each) for each in self.others], most=3)} got all the rest."


@dataclass(frozen=True, slots=True)
class Robbed(Outcome):
    """How many pods of a queue were stopped for another one, and how many of that `back` for the queue."""

    other: str
    stopped: int
    back: int

    def sentence(self, where: str) -> str:
        if not self.happens:
            return f"{where} and {name(self.other)} did not stop each other's pods."
        return (
            f"{counted(self.stopped, 'pod')} of {where} were stopped for {name(self.other)}, then "
            f"{self.back} there for {where}, while both were below their guarantees."
        )
