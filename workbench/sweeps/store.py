"""Where the results of cells are kept, under their digests: in a file of one's own for each study, or in memory. SW-3.

The file is an SQLite database. A result is written as soon as it is there, whole or not at all, so that whatever ends a sweep,
what was finished is there for the next; and several may write to one file, as equal digests have equal results.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from workbench.sweeps.cells import CellResult, Outcome
from workbench.values.errors import WorkbenchError

APPLICATION_ID = 0x77625357
"""Tells a file of ours from other databases."""
FORMAT = 1
WAIT_S = 60
"""How long to wait for another process that writes."""
TABLES = """
CREATE TABLE IF NOT EXISTS workloads (digest TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cells (
    digest TEXT PRIMARY KEY, outcome TEXT NOT NULL, error TEXT NOT NULL, point TEXT NOT NULL, seed INTEGER NOT NULL,
    "values" BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS trials (search TEXT NOT NULL, number INTEGER NOT NULL, point TEXT NOT NULL, PRIMARY KEY (search, number))
    WITHOUT ROWID;
"""
FINISHED = (Outcome.DONE, Outcome.INVALID)
"""What another run would not change."""
UNFINISHED = "outcome NOT IN ('done', 'invalid')"


class StudyError(WorkbenchError):
    """A study that cannot be read or written. What was in its file still is."""

    def __init__(self, path: str, reason: str):
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}")


class Store(Protocol):
    """Keeps results of cells, workloads, and what a search has asked for."""

    @property
    def name(self) -> str:
        """Where that is, for people; empty for memory."""
        ...

    def finished(self, digests: Iterable[str]) -> dict[str, CellResult]:
        """Those of the cells that are finished."""
        ...

    def keep(self, result: CellResult, *, point: str = "", seed: int = 0) -> None:
        """Keep a result; of a finished cell the first counts. `point` and `seed` are for whoever reads the file by other means."""
        ...

    def keep_workload(self, digest: str, content: bytes) -> None:
        """Keep what a workload is made of, once."""
        ...

    def trial(self, search: str, number: int) -> str | None:
        """What a search asked for as its so-manieth combination; None if it did not come to that."""
        ...

    def keep_trial(self, search: str, number: int, point: str) -> str:
        """Keep what a search asks for. What is kept, which is what was there already if somebody was faster."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class Memory:
    """Keeps everything for as long as this object is there."""

    name = ""

    def __init__(self) -> None:
        self._cells: dict[str, CellResult] = {}
        self._trials: dict[tuple[str, int], str] = {}

    def finished(self, digests: Iterable[str]) -> dict[str, CellResult]:
        return {
            digest: self._cells[digest] for digest in digests if digest in self._cells and self._cells[digest].outcome in FINISHED
        }

    def keep(self, result: CellResult, *, point: str = "", seed: int = 0) -> None:
        if result.digest not in self.finished([result.digest]):
            self._cells[result.digest] = result

    def keep_workload(self, digest: str, content: bytes) -> None:
        pass

    def trial(self, search: str, number: int) -> str | None:
        return self._trials.get((search, number))

    def keep_trial(self, search: str, number: int, point: str) -> str:
        return self._trials.setdefault((search, number), point)

    def close(self) -> None:
        pass


class StudyFile:
    """Keeps everything in an SQLite file, made if it is not there.

    Raises:
        StudyError: it cannot be read or written, is no study, or is one of a later version. Whatever is in it stays.
    """

    def __init__(self, path: str | os.PathLike[str]):
        import sqlite3

        self._sqlite = sqlite3
        self.name = os.fspath(path)
        if not Path(self.name).absolute().parent.is_dir():
            raise StudyError(self.name, "there is no such folder")
        with self._told():
            self._connection = sqlite3.connect(self.name, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
        try:
            with self._told():
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if tables and application != APPLICATION_ID:
            raise StudyError(self.name, "it is another program's database and is left as it is; name another file for the study")
        if version > FORMAT:
            raise StudyError(self.name, "a later version of the workbench made this study; it is left as it is")
        # Readers do not wait for writers; where a file system cannot do that, SQLite stays with what it can.
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        with self._at_once():
            for statement in TABLES.split(";\n"):
                if statement.strip():
                    self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._connection.execute(f"PRAGMA user_version = {FORMAT}")

    def finished(self, digests: Iterable[str]) -> dict[str, CellResult]:
        return {result.digest: result for result in self._of(digests) if result.outcome in FINISHED}

    def keep(self, result: CellResult, *, point: str = "", seed: int = 0) -> None:
        content = zlib.compress(json.dumps(result.values).encode())
        with self._told(), self._at_once():
            if result.outcome in FINISHED:
                # What somebody else finished meanwhile is the same.
                self._connection.execute(f"DELETE FROM cells WHERE digest = ? AND {UNFINISHED}", (result.digest,))
            self._connection.execute(
                "INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?, ?, ?)",
                (result.digest, result.outcome.value, result.error, point, seed, content),
            )

    def keep_workload(self, digest: str, content: bytes) -> None:
        with self._told(), self._at_once():
            if self._connection.execute("SELECT 1 FROM workloads WHERE digest = ?", (digest,)).fetchone() is None:
                self._connection.execute("INSERT OR IGNORE INTO workloads VALUES (?, ?)", (digest, zlib.compress(content)))

    def workload(self, digest: str) -> bytes | None:
        """What a workload is made of, as it was kept; None if it is unknown."""
        with self._told():
            row = self._connection.execute("SELECT content FROM workloads WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else zlib.decompress(row[0])

    def trial(self, search: str, number: int) -> str | None:
        with self._told():
            row = self._connection.execute("SELECT point FROM trials WHERE search = ? AND number = ?", (search, number)).fetchone()
        return None if row is None else str(row[0])

    def keep_trial(self, search: str, number: int, point: str) -> str:
        with self._told(), self._at_once():
            self._connection.execute("INSERT OR IGNORE INTO trials VALUES (?, ?, ?)", (search, number, point))
        return self.trial(search, number) or point

    def close(self) -> None:
        with self._told():
            self._connection.close()

    def results(self) -> dict[str, CellResult]:
        """Every result in the file, by digest, those of failed cells included."""
        with self._told():
            rows = self._connection.execute('SELECT digest, outcome, error, "values" FROM cells ORDER BY digest').fetchall()
            return {digest: _result(digest, *rest) for digest, *rest in rows}

    def _of(self, digests: Iterable[str]) -> Iterator[CellResult]:
        for digest in digests:
            with self._told():
                row = self._connection.execute('SELECT outcome, error, "values" FROM cells WHERE digest = ?', (digest,)).fetchone()
            if row is not None:
                with self._told():
                    yield _result(digest, *row)

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """One transaction: all or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite has to say, in a sentence with what to do."""
        try:
            yield
        except (self._sqlite.Error, zlib.error, ValueError) as error:
            raise StudyError(self.name, reason(error)) from None


def reason(error: Exception) -> str:
    """Why a study cannot be read or written, and what to do about it."""
    text = str(error)
    if "full" in text or "disk I/O error" in text:
        return (
            f"{text}, most likely as there is no room left on the disk; every cell that was finished before is kept: make room, "
            "then the same command goes on"
        )
    if "locked" in text or "busy" in text:
        return f"another process has been writing to it for {WAIT_S} seconds; every cell that was finished before is kept"
    if "not a database" in text:
        return "it is no study, and is left as it is; name another file for the study"
    if "malformed" in text or isinstance(error, zlib.error | ValueError):
        return f"it is damaged ({text}); name another file, or mend it with sqlite3's .recover"
    if "unable to open" in text:
        return "it cannot be opened; is it a folder, or somebody else's file?"
    if "readonly" in text:
        return "it is write-protected"
    return text


def _result(digest: str, outcome: str, error: str, content: bytes) -> CellResult:
    values: Mapping[str, Any] = json.loads(zlib.decompress(content))
    return CellResult(digest, values, Outcome(outcome), error)


def opened(file: str | os.PathLike[str] | None) -> Store:
    """The store in a file, or in memory for None. Raises as `StudyFile`."""
    return Memory() if file is None else StudyFile(file)
