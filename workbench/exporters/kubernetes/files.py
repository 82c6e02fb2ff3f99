"""Exported objects as files: one for all, or a folder with one for each kind."""

from __future__ import annotations

from pathlib import Path

from workbench.exporters.kubernetes.exporting import Export
from workbench.files.writing import make_folder, write_file

ENDINGS = (".yaml", ".yml")


def is_one_file(path: Path) -> bool:
    """Whether all goes into one file: that is what a name with the ending of YAML says."""
    return path.suffix.lower() in ENDINGS


def write_export(export: Export, path: Path) -> list[Path]:
    """Write the objects into a file, or into a folder, which is made. Gives the files. FileError if it cannot be done."""
    if is_one_file(path):
        write_file(path, export.text)
        return [path]
    make_folder(path)
    for name, text in export.files.items():
        write_file(path / name, text)
    return [path / name for name in export.files]
