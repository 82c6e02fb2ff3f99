"""`import workbench` stays light: nothing heavy comes with it, and what is optional may be missing.

Each check runs in an interpreter of its own, since this one has long imported everything.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "anywidget",
    "ipykernel",
    "IPython",
    "ipywidgets",
    "jupyter_server",
    "jupyterlab",
    "networkx",
    "numpy",
    "plotly",
    "tornado",
    "traitlets",
)

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ImportError(f"{{name}} is blocked in this test")

sys.meta_path.insert(0, Missing())
"""

CONFIG = """
import workbench
simulation = workbench.Simulation('''
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: batch}]
''')
simulation.add_nodes(2, vcore="4", memory="8Gi")
simulation.apply(workbench.commands.AddApplication(
    application=workbench.commands.ApplicationSpec(id="etl", queue="root.batch", user="sue")))
simulation.apply(workbench.commands.AddAsk(
    ask=workbench.commands.AskSpec(application_id="etl", key="one", resource=workbench.Resource(vcore=1000))))
print(simulation.step().outcome)
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_package_brings_nothing_heavy_along():
    loaded = run("import sys, workbench; print(*sorted({name.partition('.')[0] for name in sys.modules}))")
    assert set(loaded.split()) & set(HEAVY) == set()


def test_printing_the_help_of_the_command_brings_nothing_heavy_along():
    loaded = run(
        "import sys, contextlib, io\nimport workbench.cli\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    workbench.cli.main(['--help'])\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    assert set(loaded.split()) & set(HEAVY) == set()


@pytest.mark.parametrize("blocked", [("numpy",), HEAVY], ids=["numpy", "everything heavy"])
def test_the_engine_allocates_without(blocked):
    assert run(WITHOUT.format(blocked=blocked) + CONFIG) == "allocated"


def test_the_engine_allocates_without_threads_and_processes():
    # As in the in-browser interpreter, where both modules can be imported but cannot start anything.
    cannot = (
        "import subprocess, threading\n"
        "def refuse(*_, **__): raise OSError('cannot start')\n"
        "subprocess.Popen.__init__ = refuse\nthreading.Thread.start = refuse\n"
    )
    assert run(cannot + CONFIG) == "allocated"
