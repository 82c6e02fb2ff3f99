"""The session that survives a kernel: written after every verb, offered when the notebook is run again, and come back to."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from workbench.bench import session, study
from workbench.bench.controller import call_of
from workbench.bench.desk import Desk
from workbench.bench.session import Keeper, Session, SessionError
from workbench.explain.wording import name
from workbench.simulation.simulation import Simulation
from workbench.values.errors import CommandError

NO_NOTEBOOK = "there is no notebook that the session could be kept beside; give a path"
EARLIER_SESSION = "An earlier session of this notebook is kept: Workbench.recover()."

KEEPERS: dict[Path, Keeper] = {}
"""Session file -> what writes it, for all workbenches of this process."""


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


def earlier(path: str | Path | None = None) -> Earlier:
    """The latest session of an earlier run that can be read, in that file or, without a path, of this notebook.

    Raises:
        SessionError: a file is damaged and there is no earlier one; nothing was deleted.
        CommandError: there is no session to come back to.
    """
    main = Path(path) if path is not None else session.default_path()
    if main is None:
        raise CommandError(NO_NOTEBOOK)
    damaged: list[str] = []
    for candidate in [each for each in session.earlier(main) if not _is_own(each)]:
        try:
            return Earlier(session.read(candidate), main, candidate, tuple(damaged))
        except SessionError as error:
            damaged.append(str(error))
    if damaged:
        raise SessionError(" ".join(damaged))
    raise CommandError(no_session(str(main)))


def recovered(desk: Desk, found: Earlier) -> None:
    """Make a new desk, which already is where the session was, go on with it, and say so."""
    text = _go_on(desk, found, desk.simulation)
    desk.status = replace(desk.status, text=text, is_error=bool(found.damaged))


def resume(desk: Desk) -> None:
    """Continue, on this very screen, where an earlier run of this notebook was: what `recover` does for a new workbench.

    What was done here since is kept as one more earlier session. Raises as `recover` does.
    """
    with desk.verb("wb.resume()", silent=True) as say:
        found = earlier()
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
    desk.offers_resume = False
    if KEEPERS.get(main.resolve()) is not desk.keeper:
        _make_way(main)
    autosave(desk, main, _fresh=earlier.read_from != main)
    return " ".join([came_back(found.name, simulation.position), *earlier.damaged])


def begin(desk: Desk) -> None:
    """Somebody looks at the workbench: its session is kept beside the notebook, and what an earlier run left is offered."""
    if desk.keeper is None and session.default_path() is not None:
        if has_earlier():
            desk.offers_resume = True
            desk.status = replace(desk.status, text=f"{desk.status.text} {EARLIER_SESSION}")
        autosave(desk)


def autosave(desk: Desk, path: str | Path | None = None, *, _fresh: bool = True) -> None:
    """Keep the session in a file from now on; without a path beside the notebook. `recover` comes back to it.

    CommandError if there is no notebook and no path.
    """
    chosen = Path(path) if path is not None else session.default_path()
    if chosen is None:
        raise CommandError(NO_NOTEBOOK)
    while (other := KEEPERS.get(chosen.resolve())) is not None and other is not desk.keeper:
        chosen = _next_name(chosen)
    if desk.keeper is not None:
        KEEPERS.pop(desk.keeper.path.resolve(), None)
    first = desk.keeper is None
    desk.keeper = KEEPERS[chosen.resolve()] = Keeper(chosen, fresh=_fresh)
    if first:
        desk.on_change(partial(_keep_session, desk))
        desk.on_pulse(partial(_keep_midway, desk))


def _keep_session(desk: Desk) -> None:
    with desk.turn:
        _keep_now(desk)


def _keep_now(desk: Desk) -> None:
    if desk.keeper is None or desk.player.busy or desk.status.is_error:
        return
    problem = desk.keeper.problem
    wait = desk.keeper.keep(_session(desk, tuple(desk.calls)))
    if wait:
        _keep_later(desk, wait)
    if desk.keeper.problem and desk.keeper.problem != problem:
        desk.status = replace(desk.status, text=f"{desk.status.text} {desk.keeper.problem}", is_error=True)


def _keep_midway(desk: Desk) -> None:
    """A long verb goes on: what it has come to is kept now and then, so that a kernel killed meanwhile loses little.

    The clock on the wall decides when, never what: between two steps the state is whole.
    """
    if desk.keeper is not None and desk.keeper.is_due_midway():
        position = desk.simulation.position
        here = () if position == desk.keeper.step else (call_of("goto", position),)
        desk.keeper.keep(_session(desk, (*desk.calls, *here)))


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


def _keep_later(desk: Desk, seconds: float) -> None:
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return
    if desk.keeping_later is not None:
        desk.keeping_later.cancel()
    desk.keeping_later = loop.call_later(seconds, partial(_keep_session, desk))


def has_earlier() -> bool:
    """An earlier run of this notebook left a session that `recover` would come back to."""
    path = session.default_path()
    return path is not None and any(not _is_own(each) for each in session.earlier(path))


def _is_own(path: Path) -> bool:
    """Whether a workbench of this process wrote the file, so that there is nothing to come back to in it."""
    keeper = KEEPERS.get(path.resolve())
    return keeper is not None and not keeper.fresh


def _make_way(path: Path) -> None:
    """A workbench that has written nothing leaves the file to the one that goes on with it."""
    keeper = KEEPERS.get(path.resolve())
    if keeper is not None and keeper.fresh:
        del KEEPERS[path.resolve()]
        while keeper.path == path or keeper.path.resolve() in KEEPERS:
            keeper.path = _next_name(keeper.path)
        KEEPERS[keeper.path.resolve()] = keeper


def _next_name(path: Path) -> Path:
    """`.notebook.session.json` -> `.notebook-2.session.json`, and so on: for a further workbench of one notebook."""
    stem, dot, rest = path.name.removeprefix(".").partition(".")
    head, dash, number = stem.rpartition("-")
    further = f"{head}-{int(number) + 1}" if dash and number.isdigit() else f"{stem}-2"
    return path.with_name(("." if path.name.startswith(".") else "") + further + dot + rest)


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_session(path: str) -> str:
    return f"there is no session to come back to; it would be {name(path, 200)}"


def came_back(design: str, step: int) -> str:
    return f"Back in the session of design {name(design)}, at step {step}."
