"""What holds for the files of the project as a whole: commands, links, style."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
FOLDERS = ("notebooks", "tutorials", "workbench", "tests")
TEXTS = sorted(
    [TOP / "README.md", *(path for folder in FOLDERS for path in (TOP / folder).rglob("*.md") if "node_modules" not in path.parts)]
)


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


def test_what_is_strictly_typed_stays_so():
    done = subprocess.run([sys.executable, "-m", "mypy", "--no-incremental"], cwd=TOP, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_told_to_whoever_imports_the_package():  # PEP 561
    assert (TOP / "workbench" / "py.typed").is_file()


def test_the_linter_has_nothing_to_say():
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--output-format=concise", "--no-cache", "."],
        cwd=TOP,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
