"""EX-2: pytest collects `*.expect.yaml`, beside other tests; where there are none, nothing of the workbench is even imported."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from expected import UNFENCED, put

ROOT = Path(__file__).resolve().parents[2]
FILE = """\
design: queues.yaml
workload: monday.yaml
expect:
  - {name: production starts quickly, measure: wait.p95, of: root.system, at_most: 40s}
  - {name: the fence holds, never: {placed: root.tenants.b, while_waiting: root.system}}
"""


def pytest_in(folder: Path, *arguments: str, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin in a folder of somebody's own."""
    return subprocess.run(
        [python, "-m", "pytest", "-p", "workbench.expectations.plugin", "-p", "no:cacheprovider", "-p", "no:nbval", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_expectations_run_beside_other_tests_under_their_names(tmp_path):
    put(tmp_path, FILE)
    (tmp_path / "test_other.py").write_text("def test_one(): pass\n")
    done = pytest_in(tmp_path, "-v")
    assert done.returncode == 0, done.stdout
    assert "queues.expect.yaml::production starts quickly PASSED" in done.stdout
    assert "queues.expect.yaml::the fence holds PASSED" in done.stdout
    assert "3 passed" in done.stdout


def test_what_fails_is_told_in_sentences_without_a_traceback(tmp_path):
    put(tmp_path, FILE, **{"queues.yaml": UNFENCED})
    done = pytest_in(tmp_path)
    assert done.returncode == 1
    assert "failed: wait that 95 of 100 do not exceed, root.system: 1 minute 34 seconds, expected at most 40 seconds" in done.stdout
    assert "backup in root.system waited 1 min 34 s from 6 s on: no node with room (1 min 34 s)." in done.stdout
    assert "Traceback" not in done.stdout and "plugin.py" not in done.stdout
    assert "2 failed" in done.stdout


def test_one_can_be_chosen(tmp_path):
    put(tmp_path, FILE)
    assert "1 passed, 1 deselected" in pytest_in(tmp_path, "-k", "fence").stdout


def test_a_file_that_cannot_be_read_is_an_error_with_its_line(tmp_path):
    put(tmp_path, FILE.replace("at_most", "at_mots"))
    done = pytest_in(tmp_path)
    assert done.returncode == 2
    assert "queues.expect.yaml:line 4: expect[0]: unknown key 'at_mots' (did you mean at_most?" in done.stdout
    assert "Traceback" not in done.stdout


def test_an_expectation_that_cannot_fail_is_no_pass(tmp_path):
    put(tmp_path, FILE.replace("of: root.system", "of: root.tenants.c"))
    done = pytest_in(tmp_path, "-k", "quickly")
    assert done.returncode == 1
    assert "error: there is no queue 'root.tenants.c' in this run" in done.stdout


def test_whoever_has_no_expectations_notices_nothing(tmp_path):
    (tmp_path / "test_other.py").write_text(
        "import sys\n"
        "def test_one():\n"
        "    assert sorted(name for name in sys.modules if name.startswith('workbench')) == [\n"
        "        'workbench', 'workbench.expectations', 'workbench.expectations.plugin']\n"
    )
    done = pytest_in(tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> str:
    """The Python of a fresh environment, into which the package is installed as an installer would: by its metadata."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wheel = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert wheel.returncode == 0, wheel.stderr
    purelib = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True, check=True
    ).stdout.strip()
    import zipfile

    with zipfile.ZipFile(next((folder / "dist").glob("*.whl"))) as packed:
        packed.extractall(purelib)
    # What it depends on is taken from here, behind what is installed there.
    here = [each for each in sys.path if each.endswith("site-packages")]
    (Path(purelib) / "here.pth").write_text("\n".join(here))
    return str(python)


def test_installed_it_is_found_by_itself(tmp_path, environment):
    put(tmp_path, FILE)
    done = subprocess.run(
        [environment, "-m", "pytest", "-v", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST"))},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "queues.expect.yaml::the fence holds PASSED" in done.stdout
