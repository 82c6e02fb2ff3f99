"""Part files: what is being written and has not come to its place. Whoever is killed leaves one; the next writer sweeps it."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

ENDING = ".part"
LONGEST = 200
"""Bytes of a target's name that fit into the name of its part file; no file system takes much more than 255."""
STALE_SECONDS = 3600.0
"""A part file that nobody has written to for so long is left over; no file takes an hour to write."""


def new_part(target: Path) -> Path:
    """The place of a part file that nobody else has."""
    return target.with_name(f"{_head(target)}{os.urandom(6).hex()}{ENDING}")


def sweep(target: Path, *, alone: bool = False) -> None:
    """Remove part files of `target` that were left over; all of them where nobody else writes it (`alone`).

    One that cannot be removed stays: it harms nobody.
    """
    head = _head(target)
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if entry.name.startswith(head) and entry.name.endswith(ENDING):
                with suppress(OSError):
                    if alone or time.time() - entry.stat(follow_symlinks=False).st_mtime > STALE_SECONDS:
                        os.unlink(entry.path)


def _head(target: Path) -> str:
    name = target.name
    if len(os.fsencode(name)) > LONGEST:
        name = hashlib.sha256(os.fsencode(name)).hexdigest()
    return f".{name}."
