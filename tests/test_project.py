"""What holds for the files of the project as a whole: commands, links, notebooks, style."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
FOLDERS = ("notebooks", "tutorials", "workbench", "tests")
NOTEBOOKS = sorted(path for folder in FOLDERS for path in (TOP / folder).rglob("*.ipynb")
                   if ".ipynb_checkpoints" not in path.parts)
TEXTS = sorted([TOP / "README.md", *(path for folder in FOLDERS for path in (TOP / folder).rglob("*.md"))])
MOST_BYTES = 300_000


def named(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


def test_ci_runs_the_very_command_that_the_readme_gives():
    script = (TOP / ".ci" / "run").read_text(encoding="utf-8")
    command = script.strip().splitlines()[-1]
    assert command.endswith(".venv/bin/pytest")
    assert f"\n{command}\n" in (TOP / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TEXTS, ids=named)
def test_links_inside_the_project_lead_somewhere(path):
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if "://" not in target and not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_a_notebook_is_small_and_holds_no_widget_state(path):
    # One FigureWidget, executed and saved with its state, is 5 MB.
    assert path.stat().st_size <= MOST_BYTES
    assert "widgets" not in json.loads(path.read_text(encoding="utf-8"))["metadata"]


def test_the_linter_has_nothing_to_say():
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--output-format=concise", "--no-cache", "."],
                          cwd=TOP, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
