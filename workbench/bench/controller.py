"""What every verb of a workbench needs: the status line, the list of calls, listeners, and the frame around a verb."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from threading import RLock

from workbench.bench import texts
from workbench.bench.work import Player, Progress
from workbench.values.errors import CommandError, WorkbenchError

BUSY = "Something is under way. Press Stop first."


@dataclass(frozen=True, slots=True)
class Status:
    """The status line: what happened, the equivalent call, and whether it was refused."""

    text: str
    call: str = ""
    is_error: bool = False


CELL_WIDTH = 112
"""Letters in a line of a notebook's output on a laptop; JupyterLab breaks a longer one in the middle of a word."""


class Text(str):
    """Text that shows itself in a notebook instead of its quoted form."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Sentences(Text):
    """Sentences, one to a line, that show themselves broken between words where they are longer than a cell is wide."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(
            textwrap.fill(line, CELL_WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
            for line in self.splitlines()
        )


class Say:
    """What the body of a verb is given for its sentence; the last one counts."""

    def __init__(self, call: str):
        self.said = Status("", call)

    def __call__(self, text: str, *, call: str | None = None) -> None:
        """Say what was done; `call` where only the end of the body knows the equivalent call."""
        self.said = Status(text, self.said.call if call is None else call)


class Controller:
    """Tells whoever listens what was done. The verbs are in `workbench.bench.verbs`.

    Attributes:
        status: what the last verb did.
        calls: the calls that lead to the present state, as Python text.
        player: carries out long verbs.
        turn: held while a verb or a redraw is at work. JupyterLab may have a kernel answer widgets in another thread than cells.
    """

    def __init__(self, status: Status) -> None:
        self._listeners: list[Callable[[], None]] = []
        self.status = status
        self.calls: list[str] = [status.call]
        self.turn = RLock()
        self._pulses: list[Callable[[], None]] = []
        self._open: Callable[[BaseException], None] | None = None
        """Breaks off the verb that is at work."""
        self.player = Player(self._on_progress, self.turn, self.pulse)

    def on_change(self, listener: Callable[[], None], *, first: bool = False) -> None:
        """Call `listener()` after every verb, refused ones included, and while a long one goes on; `first` before the others."""
        self._listeners.insert(0 if first else len(self._listeners), listener)

    def no_longer_on_change(self, listener: Callable[[], None]) -> None:
        """Do not call that listener any more."""
        self._listeners = [each for each in self._listeners if each != listener]

    def on_pulse(self, listener: Callable[[], None]) -> None:
        """Call `listener()` between two steps of a long verb, where the state is whole; it must be quick."""
        self._pulses.append(listener)

    def pulse(self) -> None:
        """A long verb is between two steps."""
        for listener in self._pulses:
            listener()

    def tell(self) -> None:
        """Let whoever listens look at what is there now."""
        for listener in self._listeners:
            listener()

    def _on_progress(self, progress: Progress | None) -> None:
        if progress is not None:
            self.status = Status(progress.text, self.status.call)
        self.tell()

    def fail(self, error: BaseException, call: str, broken: str = texts.BROKEN) -> str:
        """Put an exception into the status line as a sentence, and return it. `broken` begins what is no fault of the input."""
        text = str(error) if isinstance(error, WorkbenchError) else f"{broken} {type(error).__name__}: {error}".rstrip(": ")
        self.status = Status(text, call, is_error=True)
        return text

    def refuse(self, text: str) -> None:
        """Say why something cannot be done now."""
        self.status = Status(text, is_error=True)
        self.tell()

    @contextmanager
    def verb(
        self, call: str, *, repeats: str = "", silent: bool = False, works: bool = False, stepwise: bool = False
    ) -> Iterator[Say]:
        """Around the body of a verb: keeps the calls, the status and the listeners up to date, failures included.

        The body gets `say(text, call=...)` for its sentence; `call` is given when only the end of the body knows the
        equivalent call. `repeats` is the beginning of calls of which only the last of a row is kept; a `silent` verb is not
        needed to come to the same state again, and is not kept among the calls. A verb that `works` bit by bit is given its
        turns by whoever carries it out; others take theirs here.

        Whatever fails in the body, and however, everything is then as before, the simulation included; only of a `stepwise`
        verb the whole steps that it has come to stay.
        """
        with nullcontext() if works else self.turn:
            yield from self._carried_out(call, repeats, silent, stepwise)

    def _carried_out(self, call: str, repeats: str, silent: bool, stepwise: bool) -> Iterator[Say]:
        say = Say(call)
        if self.player.busy:
            busy = CommandError(BUSY)
            self.fail(busy, call)
            self.tell()
            raise busy
        be_as_before = self.steps_kept() if stepwise else self.kept()

        def break_off(error: BaseException) -> None:
            self._open = None
            be_as_before()
            self.fail(error, call, texts.BROKEN_STEPS if stepwise else texts.BROKEN)
            self.tell()

        self._open = break_off
        try:
            yield say
            calls = self.calls[:-1] if repeats and self.calls[-1].startswith(repeats) else self.calls
            self.calls, self.status, self._open = calls if silent else [*calls, say.said.call], say.said, None
        except (Exception, KeyboardInterrupt) as error:
            break_off(error)
            raise
        # A verb that went on in the background tells when the player has ended it.
        if not self.player.busy:
            self.tell()

    def broken_off(self, error: BaseException) -> None:
        """A verb was left by `error`. Where that struck between the end of its body and the end of the verb, it is told here."""
        if self._open is not None and not self.player.busy:
            self._open(error)

    def steps_kept(self) -> Callable[[], None]:
        """What a verb that keeps its whole steps notes of them when it is broken off."""
        return _nothing

    def kept(self) -> Callable[[], None]:
        """All that a verb can change, as a function that brings it back."""
        calls = self.calls

        def be_as_before() -> None:
            self.calls = calls

        return be_as_before


def _nothing() -> None:
    """What there is to bring back of a verb that keeps what it has come to."""


def quoted(text: str) -> str:
    """A text as a Python literal in double quotes."""
    return json.dumps(text, ensure_ascii=False)


def call_of(verb: str, *args: object, **kwargs: object) -> str:
    """A call of the workbench as Python text; arguments that are None or empty are left out when given by name.

    >>> call_of("add_queue", "root", "a", index=None)
    'bench.add_queue("root", "a")'
    """
    said = [_literal(arg) for arg in args]
    said += [
        f"{name}={_literal(value)}"
        for name, value in kwargs.items()
        if value is not None and value is not False and value not in ("", (), {})
    ]
    return f"bench.{verb}({', '.join(said)})"


def _literal(value: object) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_literal(each) for each in value) + "]"
    return repr(value)
