"""A comparison needs neither a plotting library nor numpy until a picture is wanted, so that it runs in a browser's Python."""

from __future__ import annotations

import subprocess
import sys

TEXT = """
import sys
from comparisons import production_first
found = production_first()
print(found, found.partings, found.attribution, found.moved)
print(sorted({"plotly", "numpy", "pandas", "ipywidgets"} & set(sys.modules)))
"""


def test_without_pictures_nothing_heavy_is_imported():
    path = next(each for each in sys.path if each.endswith("tests"))
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r})\n{TEXT}"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().splitlines()[-1] == "[]"
