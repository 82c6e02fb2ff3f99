"""The queues.yaml that a served design came from, and that a new one is written back to."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.files.reading import decoded, read_bytes
from workbench.values.errors import CommandError, ConfigError


class DesignFile:
    """A file with the design in force, and what was in it when it was last read or written here."""

    def __init__(self, path: Path):
        self.path = path
        self._known = read_bytes(path)

    @classmethod
    def of(cls, design: str) -> DesignFile | None:
        """That of a design given on the command line; None for an example, a scenario or a folder of answers."""
        path = Path(design)
        if not path.is_file() or path.suffix.lower() == ".gz":
            return None
        found = cls(path)
        is_config = re.search(r"^partitions\s*:", decoded(found._known, source=path.name), re.MULTILINE)
        return found if is_config else None

    def check(self) -> None:
        """CommandError if somebody else changed the file meanwhile: what they wrote is not to be lost."""
        try:
            same = read_bytes(self.path) == self._known
        except ConfigError:  # it is gone, or cannot be read: nothing that could be lost is known
            same = not self.path.exists()
        if not same:
            raise CommandError(changed_meanwhile(self.path.name))

    def written(self, content: bytes) -> None:
        """That is what is in it now."""
        self._known = content


# ---- in words ---------------------------------------------------------------------------------------------------------


def changed_meanwhile(name: str) -> str:
    return (
        f"{name} was changed by somebody else since it was read, so nothing is written and nothing changed; "
        "start the server again to read it"
    )
