"""The session that survives a kernel: written after every verb, offered when the notebook is run again, and come back to."""

from __future__ import annotations

import asyncio
import time
import warnings
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from workbench.bench import keeper, session_files, study
from workbench.bench.cell import cell_id
from workbench.bench.controller import call_of
from workbench.bench.desk import Desk
from workbench.bench.keeper import Keeper
from workbench.bench.session import Session, SessionError
from workbench.explain.wording import counted, name
from workbench.files.claim import is_claimed
from workbench.simulation.simulation import Simulation
from workbench.values.errors import CommandError

NO_NOTEBOOK = "there is no notebook that the session could be kept beside; give a path"
EARLIER_SESSION = "An earlier session of this notebook is kept: Workbench.recover()."
SAME_CELL = "Earlier work of this cell is kept: bench.resume()."
RETRY_SECONDS = 5.0
"""After so long a save that failed is tried again, where an event loop comes back to it; without one the next verb does."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A session of an earlier run.

    Attributes:
        session: what was kept.
        main: the session file that was asked for.
        read_from: the file that it was in, which is a numbered one where the latest could not be read.
        damaged: what is said about those that could not.
    """

    session: Session
    main: Path
    read_from: Path
    damaged: tuple[str, ...]


def earlier(path: str | Path | None = None, *, desk: Desk | None = None) -> Earlier:
    """The latest session of an earlier run that can be read, in that file or, without a path, of this notebook.

    For the `desk` of a cell that is run again that may be one of this process: what the same cell made before.

    Raises:
        SessionError: a file is damaged and there is no earlier one; nothing was deleted.
        CommandError: there is no session to come back to.
    """
    main = Path(path) if path is not None else session_files.default_path()
    if main is None:
        raise CommandError(NO_NOTEBOOK)
    candidates = session_files.of_notebook(main) if path is None else session_files.of_file(main)
    alive: list[Path] = []
    damaged: list[str] = []
    for candidate in candidates:
        if _is_own(candidate) and not (desk is not None and _is_of_the_same_cell(desk, candidate)):
            continue
        if path is None and _is_alive(candidate):
            alive.append(candidate)
            continue
        try:
            return Earlier(session_files.read(candidate), main, candidate, tuple(damaged))
        except FileNotFoundError:
            continue
        except SessionError as error:
            damaged.append(str(error))
    if damaged:
        raise SessionError(" ".join(damaged))
    raise CommandError(session_in_use(str(alive[0])) if alive else no_session(str(main)))


def recovered(desk: Desk, found: Earlier) -> None:
    """Make a new desk, which already is where the session was, go on with it, and say so."""
    text = _go_on(desk, found, desk.simulation)
    desk.status = replace(desk.status, text=text, is_error=bool(found.damaged))


def resume(desk: Desk) -> None:
    """Continue, on this very screen, where an earlier run of this notebook was: what `recover` does for a new workbench.

    What was done here since is kept as one more earlier session. Raises as `recover` does.
    """
    with desk.verb("bench.resume()", silent=True) as say:
        found = earlier(desk=desk)
        say(_go_on(desk, found, study.at_once(found.session.present)))


def _go_on(desk: Desk, earlier: Earlier, simulation: Simulation) -> str:
    """Be where the session was, and keep it from now on. What to say about it."""
    found, main = earlier.session, earlier.main
    desk.simulation, desk.name, desk.view = simulation, found.name, found.view
    desk.forget_edits()
    desk.forget_predictions()
    desk.forget_turns()
    desk.helped = None
    desk.edits = found.edits
    desk.past, desk.future = list(found.past), list(found.future)
    desk.selected, desk.selected_request = found.selected, None
    desk.pictures = {name: dict(chosen) for name, chosen in found.pictures.items()}
    desk.calls = list(found.calls) or desk.calls
    desk.configmap = found.configmap
    desk.drop_lost_selection()
    desk.offers_resume, desk.draft = False, None
    # A workbench that has written nothing leaves the file to the one that goes on with it.
    there = keeper.owner(main)
    gives_way = there is not None and there is not desk.keeper and there.fresh
    if there is not None and gives_way:
        there.leave()
    elsewhere = _keep_in(desk, main, read_from=earlier.read_from)
    if there is not None and gives_way:
        there.settle()
    return " ".join([came_back(found.name, simulation.position), *earlier.damaged, *elsewhere])


def begin(desk: Desk) -> None:
    """Somebody looks at the workbench: its session is kept beside the notebook, and what an earlier run left is offered."""
    if desk.keeper is None and session_files.default_path() is not None:
        autosave(desk)
        found = _offered(desk)
        if found is not None:
            desk.offers_resume = True
            desk.resume_offer = _glimpsed(found)
            told = SAME_CELL if _is_own(found) else EARLIER_SESSION
            desk.status = replace(desk.status, text=f"{desk.status.text} {told}")


def autosave(desk: Desk, path: str | Path | None = None) -> None:
    """Keep the session in a file from now on; without a path beside the notebook. `recover` comes back to it.

    Where another workbench, here or in another process, keeps its session in that file, a numbered one is taken. CommandError if
    there is no notebook and no path.
    """
    main = Path(path) if path is not None else session_files.default_path()
    if main is None:
        raise CommandError(NO_NOTEBOOK)
    for said in _keep_in(desk, main):
        desk.status = replace(desk.status, text=f"{desk.status.text} {said}")


def _keep_in(desk: Desk, main: Path, *, read_from: Path | None = None) -> list[str]:
    """Keep the session in that file, or in a numbered one beside it; what is to be said about that.

    A file is not set aside before it is written to if the session was `read_from` it.
    """
    first = desk.keeper is None
    pending = None
    if desk.keeper is not None:
        desk.keeper.finish()
        pending = desk.keeper.pending
    desk.keeper = Keeper(main)
    desk.keeper.begun = _begun(desk)
    desk.keeper.settle()
    desk.keeper.fresh = desk.keeper.path != read_from
    if pending is not None and read_from is None:
        # What could not be written where it was is not left waiting for the next verb.
        desk.keeper.keep(pending)
    if first:
        # Before the screen, which shows what came of it.
        desk.on_change(partial(_keep_session, desk), first=True)
        desk.on_pulse(partial(_keep_midway, desk))
    return [session_elsewhere(desk.keeper.path.name)] if desk.keeper.elsewhere else []


def _keep_session(desk: Desk) -> None:
    with desk.turn:
        _keep_now(desk)


def _keep_now(desk: Desk) -> None:
    if desk.keeper is None or desk.player.busy or desk.status.is_error:
        return
    before = desk.keeper.problem
    desk.keeper.keep(_session(desk, tuple(desk.calls)))
    _tell_of_problem(desk, before)


def _keep_again(desk: Desk) -> None:
    """Try once more what could not be written, and show that the warning has gone, or another has come."""
    with desk.turn:
        desk.keeping_later = None
        if desk.keeper is None or desk.keeper.pending is None:
            return
        before = desk.keeper.problem
        desk.keeper.keep(desk.keeper.pending)
        _tell_of_problem(desk, before)
        if desk.keeper.problem != before:
            desk.tell()


def _tell_of_problem(desk: Desk, before: str) -> None:
    """Have a save that failed tried again; where no screen can show that it did, as in a terminal, it is a warning of Python."""
    if desk.keeper is None or not desk.keeper.problem:
        return
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        if desk.keeper.problem != before:
            warnings.warn(desk.keeper.problem, stacklevel=2)
        return
    if desk.keeping_later is not None:
        desk.keeping_later.cancel()
    desk.keeping_later = loop.call_later(RETRY_SECONDS, partial(_keep_again, desk))


def _keep_midway(desk: Desk) -> None:
    """A long verb goes on: what it has come to is kept now and then, so that a kernel killed meanwhile loses little.

    The clock on the wall decides when, never what: between two steps the state is whole.
    """
    if desk.keeper is not None and desk.keeper.is_due_midway():
        position = desk.simulation.position
        here = () if position == desk.keeper.step else (call_of("goto", position),)
        before = desk.keeper.problem
        desk.keeper.keep(_session(desk, (*desk.calls, *here)))
        _tell_of_problem(desk, before)


def _session(desk: Desk, calls: tuple[str, ...]) -> Session:
    return Session(
        desk.name,
        desk.study(),
        tuple(desk.past),
        tuple(desk.future),
        desk.edits,
        desk.selected,
        desk.view,
        calls,
        desk.pictures,
        desk.configmap,
    )


def has_earlier() -> bool:
    """An earlier run of this notebook left a session that `recover` would come back to."""
    return _offered() is not None


def _offered(desk: Desk | None = None) -> Path | None:
    """The file of the session that `resume` would come back to on that desk, or `recover` without one; None if there is none."""
    main = session_files.default_path()
    if main is None:
        return None
    for each in session_files.of_notebook(main):
        if _is_own(each) and desk is not None and _is_of_the_same_cell(desk, each) or not _is_own(each) and not _is_alive(each):
            return each
    return None


def _begun(desk: Desk) -> tuple[str, str]:
    """What tells that a cell is run again: which it is, as far as the front end says so, and how it makes its workbench."""
    return cell_id(), desk.calls[0]


def _is_of_the_same_cell(desk: Desk, path: Path) -> bool:
    """Whether the same cell made the workbench that writes there, and something was done with it."""
    writer = keeper.owner(path)
    return writer is not None and writer is not desk.keeper and writer.has_work and writer.begun == _begun(desk)


def _glimpsed(path: Path) -> str:
    """Of which design a session is, how far it came and how old it is, in a few words; "" where that cannot be read.

    The clock on the wall is only shown.
    """
    found = session_files.glimpse(path)
    if found is None:
        return ""
    return what_is_kept(found.name, found.step, time.time() - found.written)


def _is_own(path: Path) -> bool:
    """Whether a workbench of this process wrote the file, so that there is nothing to come back to in it."""
    writer = keeper.owner(path)
    return writer is not None and not writer.fresh


def _is_alive(path: Path) -> bool:
    """Whether another process, which still runs, writes its session there."""
    return keeper.owner(path) is None and is_claimed(path)


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_session(path: str) -> str:
    return f"there is no session to come back to; it would be {name(path, 200)}"


def session_in_use(path: str) -> str:
    return (
        f"the only session to come back to is {name(path, 200)}, which another kernel that still runs writes; "
        "Workbench.recover(path) takes a copy of it"
    )


def session_elsewhere(path: str) -> str:
    return f"Another kernel keeps its session of this notebook; this one is kept in {name(path, 120)}."


def what_is_kept(design: str, step: int, seconds_ago: float) -> str:
    return f"{name(design, 32)}, step {step}, {ago(seconds_ago)}"


def ago(seconds: float) -> str:
    """How long ago, in the largest unit of which there is at least one.

    >>> ago(5), ago(90), ago(7200), ago(200_000)
    ('just now', '1 minute ago', '2 hours ago', '2 days ago')
    """
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return f"{counted(int(seconds // length), unit)} ago"
    return "just now"


def came_back(design: str, step: int) -> str:
    return f"Back in the session of design {name(design)}, at step {step}."
