"""Files that lessons begin with, such as a ConfigMap of a cluster; they lie beside this module."""

from __future__ import annotations

from pathlib import Path

from workbench.values.errors import CommandError

FOLDER = Path(__file__).parent


def material(name: str) -> str:
    """The text of a file of the lessons. CommandError if there is none of that name."""
    known = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".yaml", ".csv"))
    if name not in known:
        raise CommandError(f"there is no material {name!r}; there are {', '.join(known)}")
    return (FOLDER / name).read_text(encoding="utf-8")
