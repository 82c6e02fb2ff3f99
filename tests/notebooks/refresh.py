"""Run notebooks and store what they print, as they are committed: no widget state, no traces of who ran them or when.

    cd tests && python -m notebooks.refresh [--check] FILE...      # without files: all notebooks

Only text and the data of pictures are stored. A text output is what nbval compares; read the difference before committing it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("notebooks", "tutorials")
TEXT, PICTURE = "text/plain", "application/vnd.plotly.v1+json"
STORED = {TEXT, PICTURE}
NOT_COMPARED = "nbval-ignore-output"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}


def notebooks() -> list[Path]:
    """Every notebook of the project, sorted."""
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)


def refreshed(path: Path) -> nbformat.NotebookNode:
    """The notebook with fresh outputs. CellExecutionError if a cell fails that is not tagged raises-exception."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata = nbformat.from_dict(METADATA)
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False,
        record_timing=False,
    ).execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02}"
        tags = {tag for tag in cell.metadata.get("tags", ()) if tag != NOT_COMPARED}
        for output in cell.get("outputs", ()):
            if "data" in output:
                output.data = {mime: data for mime, data in output.data.items() if mime in STORED}
                output.metadata = {}
                if PICTURE in output.data:
                    # Data of a picture are compared by the tests of the pictures; here they would only differ in the last digit.
                    tags.add(NOT_COMPARED)
        cell.metadata = nbformat.from_dict({"tags": sorted(tags)} if tags else {})
    return notebook


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something would change")
    options = parser.parse_args()
    changed = 0
    for path in options.files or notebooks():
        text = nbformat.writes(refreshed(path)).rstrip() + "\n"
        if text != path.read_text(encoding="utf-8"):
            changed += 1
            print(f"{'differs' if options.check else 'written'}  {path}")
            if not options.check:
                path.write_text(text, encoding="utf-8")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
