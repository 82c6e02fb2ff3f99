"""How to go back, and what that would do: the old file as one more reload, after the new one has been in force for a while."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.rollouts.course import Stopped
from workbench.rollouts.effects import Drained
from workbench.rollouts.lasting import Stays


@dataclass(frozen=True, slots=True)
class Back:
    """Attributes:
    text: the old file.
    after: minutes for which the new one has been in force.
    refused: why the scheduler would not take the old one; empty if it would.
    stopped: who is stopped because of it: not if the new one stayed.
    drained: queues that only the new file has, with what is in them then.
    stays: what of the new file stays in force until a restart.
    """

    text: str
    after: int
    refused: str = ""
    stopped: tuple[Stopped, ...] = ()
    drained: tuple[Drained, ...] = ()
    stays: tuple[Stays, ...] = ()
