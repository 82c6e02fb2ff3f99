"""Two engines of one design, one that searches incrementally and one that searches plainly, asked the same things.

    twins = Twins(load_config(text))
    twins.apply(Cycle())              # AssertionError, with both answers, if they differ
    twins.retrace(5)                  # undo the last five commands and give them again: nothing may come out otherwise
    twins.agree_in_state()

`Twins` stands in for an engine wherever one is only asked to apply commands, as the driver of a simulation does. Everything
must be the same but the core's texts on a waiting ask, which count how often a search looked at it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.scheduler import invariants
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import Command, Cycle
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import Event
from workbench.scheduler.records.state import Cluster
from workbench.scheduler.releases.profiles import DEFAULT
from workbench.simulation.digest import lines

INCREMENTAL, PLAIN = "incremental", "plain"
FROM_A_TRACE = {"levels", "changes", "preemptions", "surprises"}
"""Fields of a decision that tell how it was come to; all others tell what it is."""
OUTCOME = [name for name in Decision.__annotations__ if name not in FROM_A_TRACE]
MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Answer:
    """What one engine made of one command. No decisions unless it was a cycle."""

    events: tuple[Event, ...]
    decisions: tuple[Decision, ...]


class Twins:
    """Both engines, and everything they were asked."""

    def __init__(self, config: SchedulerConfig, *, release: str = DEFAULT.version):
        self.engines = {search: Engine(config, release=release, search=search) for search in (INCREMENTAL, PLAIN)}
        self._asked: list[tuple[int, Command, Answer]] = []
        """(mark before the command, command, answer)."""

    def __len__(self) -> int:
        """How many commands were given, those of detours not counted."""
        return len(self._asked)

    @property
    def state(self) -> Cluster:
        return self.engines[INCREMENTAL].state

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.engines[INCREMENTAL].decisions

    @property
    def mark(self) -> int:
        """The present place in the history: equally many commands lead there in both engines."""
        return self.engines[INCREMENTAL].mark

    def apply(self, command: Command, *, traced: bool = False) -> tuple[Event, ...]:
        """Give both engines a command. What it caused, which must be the same."""
        mark = self.mark
        answer = self._answer(command, traced, f"command {len(self)}")
        self._asked.append((mark, command, answer))
        return answer.events

    def retrace(self, count: int, detour: Iterable[Command] = ()) -> None:
        """Undo the last commands and give them again; in between, give others and undo these too.

        Whether the state comes back is asked of the incremental engine, which has more to bring back.
        """
        again = self._asked[max(0, len(self) - count) :]
        if not again:
            return
        first, here = len(self) - len(again), self._state(INCREMENTAL)
        self._unwind(again[0][0])
        for command in detour:
            self._answer(command, True, f"on a detour before command {first}")
        self._unwind(again[0][0])
        for number, (_, command, given) in enumerate(again, first):
            answer = self._answer(command, False, f"command {number} the second time")
            _same_answer(f"{command}, command {number}, the second time", ("first", given), ("then", answer))
        _same(
            f"the state after command {len(self) - 1}",
            ("first", _without_logs(here)),
            ("then", _without_logs(self._state(INCREMENTAL))),
        )

    def agree_in_state(self) -> None:
        """Demand that both are in the same state, and that neither breaks an invariant that the other keeps."""
        states = {search: _without_logs(self._state(search)) for search in self.engines}
        _same(f"the state after {len(self)} commands", *states.items())
        broken = {search: invariants.check(engine.state) for search, engine in self.engines.items()}
        _same(f"what is broken after {len(self)} commands", *broken.items())

    def _answer(self, command: Command, traced: bool, place: str) -> Answer:
        answers = {}
        for search, engine in self.engines.items():
            events = engine.apply(command, traced=traced)
            answers[search] = Answer(events, engine.decisions if isinstance(command, Cycle) else ())
        _same_answer(f"{command}, {place}", *answers.items())
        return answers[INCREMENTAL]

    def _unwind(self, mark: int) -> None:
        for engine in self.engines.values():
            engine.unwind(mark)

    def _state(self, search: str) -> list[str]:
        return list(lines(self.engines[search].state))


def _same_answer(place: str, one: tuple[str, Answer], other: tuple[str, Answer]) -> None:
    # Mostly they are equal in everything; putting them into words takes ten times as long.
    if one[1] != other[1]:
        _same(f"the answer to {place}", *((name, _told(answer)) for name, answer in (one, other)))


def _told(answer: Answer) -> list[str]:
    """An answer as lines: the fields of each decision that say what it is, then the events in order."""
    return [f"{name} = {getattr(decision, name)!r}" for decision in answer.decisions for name in OUTCOME] + [
        repr(event) for event in answer.events
    ]


def _without_logs(state: Iterable[str]) -> list[str]:
    """The lines of a digest, those left out that tell the log of an ask."""
    return [line for line in state if not line.partition(" = ")[0].endswith(" log")]


def _same(what: str, one: tuple[str, Sequence[Any]], other: tuple[str, Sequence[Any]]) -> None:
    """Fail with the first lines in which two named lists differ."""
    (one_name, ones), (other_name, others) = one, other
    if ones == others:
        return
    shown = []
    for number in range(max(len(ones), len(others))):
        pair = [texts[number] if number < len(texts) else "(nothing)" for texts in (ones, others)]
        if pair[0] != pair[1]:
            shown += [f"{one_name:>12}: {pair[0]}", f"{other_name:>12}: {pair[1]}", ""]
    cut = "\n..." if len(shown) > 3 * MOST_SHOWN else ""
    raise AssertionError(f"{what}: {one_name} and {other_name} differ\n" + "\n".join(shown[: 3 * MOST_SHOWN]) + cut)
