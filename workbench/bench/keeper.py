"""What keeps a session: writes it to its file after every verb, and never over somebody else's work.

A file is never half written, a file that reads otherwise than it should never replaces a good one, and what could not be written
is tried again until it can be, at the end of the process at the latest.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import time
from itertools import count
from pathlib import Path

from workbench.bench import session_files
from workbench.bench.session import Packer, Session, Written, moved
from workbench.explain.wording import name
from workbench.files.claim import Claim
from workbench.files.parts import sweep
from workbench.files.reading import refuse_large
from workbench.files.writing import Mark, append, mark_of, write_file
from workbench.values.errors import FileError

MOST_MOVES = 500
"""So many moves are added to a file before it is written anew."""
MIDWAY_SECONDS = 1.0
"""In the midst of a run the session is saved so often; less often where saving takes long."""
SLOW_SECONDS = 0.05
PAUSE_FACTOR = 20
"""After a save that took longer than that, so many times as long passes before the next one in the midst of a run."""

KEEPERS: dict[Path, Keeper] = {}
"""Session file -> what writes it, for all workbenches of this process."""


class Keeper:
    """Writes one workbench's sessions to one file: the first of its notebook's that nobody else writes.

    Attributes:
        main: the first session file of the notebook.
        path: where to.
        problem: why the last attempt failed, "" when it did not.
        pending: the session that is not on the disk yet, None when all is.
        fresh: nothing was written yet; a file that is there is of an earlier run.
        begun: which cell made the workbench, and how; see `verbs.sessions`.
        elsewhere: another process keeps its session in a file that would have been ours.
    """

    def __init__(self, main: Path):
        self.main = self.path = main
        self.problem = ""
        self.pending: Session | None = None
        self.fresh, self.elsewhere = True, False
        self.begun = "", ""
        self._packer = Packer()
        self._written: Written | None = None
        self._mark: Mark | None = None
        """The state of the file after the last save."""
        self._is_whole = False
        """That save came to its end, and no other has begun since."""
        self._moves = 0
        self._ours: list[tuple[int, str]] = []
        """Length and check sum of what the file may hold that is from here: the last save, and attempts since that failed."""
        self._claim: Claim | None = None
        self._process = os.getpid()
        self._not_before = 0.0
        self._midway_since: float | None = None

    # -- where to -----------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Choose the file: the first of the notebook's that no other workbench, here or in another process, writes to."""
        self.leave()
        for number in count(1):
            path = session_files.numbered(self.main, number)
            if KEEPERS.get(_key(path)) is not None:
                continue
            claim = Claim(_key(path))
            if not _taken(claim):
                self.elsewhere = True
                continue
            self.path, self._claim, self._process = path, claim, os.getpid()
            KEEPERS[_key(path)] = self
            if claim.taken:
                sweep(_key(path), alone=True)
            return

    def leave(self) -> None:
        """Let another workbench have the file."""
        if KEEPERS.get(_key(self.path)) is self:
            del KEEPERS[_key(self.path)]
        if self._claim is not None:
            self._claim.give_up()
            self._claim = None

    def _hold(self) -> None:
        """Make the claim that could not be made before; another file if somebody else has made it meanwhile."""
        if self._claim is None or not self._claim.taken and not _taken(self._claim):
            self.elsewhere = self._claim is not None
            self.fresh, self._written, self._mark, self._ours = True, None, None, []
            self.settle()

    # -- keeping ------------------------------------------------------------------------------------------------------

    @property
    def step(self) -> int | None:
        """The step of the session that was written last; None before the first."""
        return None if self._written is None else self._written.session.present.step

    @property
    def has_work(self) -> bool:
        """Something was done that would be lost: a step, an edit, an input, or any other call."""
        session = None if self._written is None or self.fresh else self._written.session
        return session is not None and bool(session.present.step or session.past or len(session.calls) > 1)

    def is_due_midway(self) -> bool:
        """Whether a run goes on so long since the last save, or since its first step, that it should be saved. Asked often."""
        now = time.monotonic()
        if self._midway_since is None:
            self._midway_since = now
        if now < max(self._midway_since + MIDWAY_SECONDS, self._not_before):
            return False
        self._midway_since = now
        return True

    def keep(self, session: Session) -> None:
        """Write the session if it differs from the one before. A file of an earlier run is set aside first.

        A disk that is full or gone is no reason to stop anybody's work: it is told in `problem` until a save works.
        """
        if self._process != os.getpid():  # split off from the one that keeps it
            return
        self._midway_since = None
        if self.pending is None and self._written is not None and session == self._written.session:
            return
        self.pending = session
        started = time.monotonic()
        # Whatever comes in between, an interrupt too, the next save is one of the whole session.
        was_whole, self._is_whole = self._is_whole, False
        try:
            self._hold()
            if not (was_whole and self._added(session)):
                self._rewrite(session)
            self._is_whole = True
        except Exception as error:
            why = error.reason if isinstance(error, FileError) else str(error) or type(error).__name__
            self.problem = session_not_kept(self.path.name, why)
        else:
            self.pending, self.problem = None, ""
        took = time.monotonic() - started
        self._not_before = time.monotonic() + took * PAUSE_FACTOR if took > SLOW_SECONDS else 0.0

    def finish(self) -> None:
        """The process ends: what is not on the disk is tried once more, and others may have the file."""
        if self._process == os.getpid():
            if self.pending is not None:
                self.keep(self.pending)
            self.leave()

    def _added(self, session: Session) -> bool:
        """Add a line if that says it all, and the file is as it was left."""
        if self._written is None or self._mark is None or self.fresh or self._moves >= MOST_MOVES:
            return False
        added = moved(self._written, session)
        if added is None:
            return False
        after = append(self.path, added.text, after=self._mark)
        if after is None:
            return False
        self._written, self._mark, self._moves = added, after, self._moves + 1
        return True

    def _rewrite(self, session: Session) -> None:
        written = self._packer.whole(session, self.main.name)
        data = written.text.encode("utf-8")
        refuse_large(data, source=self.path)
        if self.fresh or not self._is_ours():
            session_files.set_aside(self.path)
            self.fresh = False
        known = (len(data), hashlib.sha256(data).hexdigest())
        self._ours.append(known)

        def check(read: bytes) -> None:
            if read != data:
                raise FileError(str(self.path), "the disk gives back something else than was written")

        write_file(self.path, data, check=check)
        self._ours = [known]
        self._written, self._mark, self._moves = written, mark_of(self.path), 0

    def _is_ours(self) -> bool:
        """Whether the file is what was written here, be it with moves behind it, and not from somebody who knows no claims."""
        if not self._ours or self._mark is not None and mark_of(self.path) == self._mark:
            return True
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return True
        return any(hashlib.sha256(data[:length]).hexdigest() == digest for length, digest in self._ours)


def owner(path: Path) -> Keeper | None:
    """What writes to that file in this process."""
    return KEEPERS.get(_key(path))


def _taken(claim: Claim) -> bool:
    """Whether nobody else has the file; where nothing can be claimed, that shows when it is written, and is told then."""
    try:
        return claim.take()
    except OSError:
        return True


def _key(path: Path) -> Path:
    return Path(os.path.realpath(path))


@atexit.register
def finish_all() -> None:
    """The process ends."""
    for keeper in list(KEEPERS.values()):
        keeper.finish()


# ---- in words ---------------------------------------------------------------------------------------------------------


def session_not_kept(path: str, why: str) -> str:
    return (
        f"The session is not saved: {name(path, 120)} could not be written ({name(why, 200)}). "
        "It is tried again; bench.autosave(path) keeps it elsewhere."
    )
