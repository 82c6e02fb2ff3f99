"""Whether a file can be written, asked before the long work."""

from __future__ import annotations

from pathlib import Path

from workbench.explain.wording import name
from workbench.values.errors import CommandError


def check_writable(path: Path) -> None:
    """Nothing, if there is a folder for the file and no folder in its place: a slip in a name shows before the long work.

    Raises:
        CommandError: it cannot be written there.
    """
    try:
        path.stat()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise CommandError(f"cannot write {name(str(path), 120)}: {error.strerror}") from error
    if path.is_dir() or not path.parent.is_dir():
        raise CommandError(f"cannot write {name(str(path), 120)}: there is no such folder, or it is one")
