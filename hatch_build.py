"""Compiles the scheduler into the wheel, where that is asked for: `WORKBENCH_COMPILED=1 pip install .`

mypyc makes C of the modules that `pyproject.toml` lists (`tool.hatch.build.targets.wheel.hooks.custom`), and the compiler of
this machine makes extension modules of that, which lie in the wheel beside their sources. Python prefers them. Without the
variable, and without a compiler, the wheel has the sources only and runs the same. It happens in a copy, so that a checkout
never holds extension modules, which would run instead of what is edited there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "WORKBENCH_COMPILED"
NEEDS = ["mypy[mypyc]>=2.0", "setuptools>=65"]
SETUP = """\
import sys
from mypyc.build import mypycify
from setuptools import setup

options = ["--always-true=COMPILED", "--ignore-missing-imports", "--follow-imports=silent", "--config-file="]
extensions = mypycify([*options, *sys.argv[2:]], opt_level=sys.argv[1], debug_level="0", multi_file=True)
setup(name="compiled", ext_modules=extensions, packages=[], py_modules=[], script_args=["build_ext", "--inplace"])
"""


class Compiled(BuildHookInterface[Any]):
    """Adds the extension modules to the files of the wheel."""

    PLUGIN_NAME = "custom"
    _home: Path | None = None

    def dependencies(self) -> list[str]:
        return NEEDS if _asked_for() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not _asked_for() or self.target_name != "wheel":
            return
        if version == "editable":
            self.app.display_warning(f"{SWITCH} is of no use with -e: an editable install runs the sources. Leave out the -e.")
            return
        try:
            found = self._compiled()
        except BaseException:
            self._remove()
            raise
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update(found)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self._remove()

    def _compiled(self) -> dict[str, str]:
        """The extension modules that were made: where each is -> where it goes."""
        root, home = Path(self.root), Path(mkdtemp(prefix="workbench-compiled-"))
        self._home = home
        shutil.copytree(root / "workbench", home / "workbench", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
        listed = {path.relative_to(root).as_posix() for pattern in self.config["modules"] for path in root.glob(pattern)}
        modules = sorted(listed - set(self.config["interpreted"]))
        done = subprocess.run(
            [sys.executable, "-c", SETUP, os.environ.get("MYPYC_OPT_LEVEL", "2"), *modules],
            cwd=home,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        made = [path.relative_to(home) for suffix in ("*.so", "*.pyd") for path in sorted(home.rglob(suffix))]
        found = {str(home / path): path.as_posix() for path in made if path.parts[0] != "build"}
        if done.returncode or not found:
            raise RuntimeError(f"The scheduler could not be compiled; without {SWITCH} it installs as it is.\n{done.stdout}")
        return found

    def _remove(self) -> None:
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)


def _asked_for() -> bool:
    return os.environ.get(SWITCH, "") not in ("", "0")
