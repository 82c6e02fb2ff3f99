"""The browser parts on their own: what their linter, their types and their tests say. Run by node, from package.json."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
pytestmark = pytest.mark.js


@pytest.fixture(scope="session")
def npm() -> str:
    """npm with what the package.json asks for, installed on first use. Without it: skip, or fail in CI."""
    found = shutil.which("npm")
    tell = pytest.fail if os.environ.get("CI") else pytest.skip
    if found is None:
        tell("the checks of the browser parts need node and npm")
        raise AssertionError
    if not (HERE / "node_modules").is_dir():
        done = subprocess.run([found, "install", "--silent"], cwd=HERE, capture_output=True, text=True, timeout=300)
        if done.returncode:
            shutil.rmtree(HERE / "node_modules", ignore_errors=True)
            tell(f"npm could not install what the checks need: {done.stderr[-500:]}")
    return found


@pytest.mark.parametrize("check", ["lint", "types", "test"])
def test_the_browser_parts_pass(npm: str, check: str) -> None:
    done = subprocess.run([npm, "run", "--silent", check], cwd=HERE, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
