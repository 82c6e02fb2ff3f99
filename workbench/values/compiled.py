"""Which modules of the package are compiled: `wb.compiled`."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def compiled_in(package: Path) -> tuple[str, ...]:
    """Full names of the modules below the folder of a package that Python loads as extension modules, not as sources; sorted."""
    found = set()
    for path in package.rglob("*"):
        # The first suffix that fits is the longest: the one that names this very Python.
        suffix = next((each for each in EXTENSION_SUFFIXES if path.name.endswith(each)), None)
        if suffix is not None:
            found.add(".".join([package.name, *path.relative_to(package).parts])[: -len(suffix)])
    return tuple(sorted(found))


compiled = compiled_in(PACKAGE)
"""Names of the compiled modules; empty, which is false, where all run as they are written. Decisions are the same."""
