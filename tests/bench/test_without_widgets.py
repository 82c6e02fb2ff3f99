"""The workbench, the lessons and the command line in a terminal: nothing of the screen is needed, nor missed.

Each check runs in an interpreter of its own, in which the libraries of the screen cannot be imported.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import workbench

PACKAGE = Path(workbench.__file__).parent
SCREEN = ("anywidget", "ipywidgets", "traitlets", "IPython", "plotly")
DRAWING = {"workbench.bench.pictures", "workbench.bench.report", "workbench.cli.page"}
"""Modules whose matter are pictures; they are imported when somebody asks for one."""

BLOCKED = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {SCREEN!r}:
            raise ImportError(f"{{name}} is blocked in this test")

sys.meta_path.insert(0, Missing())
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", BLOCKED + code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def modules_of(*parts: str) -> list[str]:
    found = (path.relative_to(PACKAGE.parent).with_suffix("") for part in parts for path in (PACKAGE / part).rglob("*.py"))
    return sorted({".".join(path.parts).removesuffix(".__init__") for path in found} - DRAWING)


def test_every_module_of_the_bench_the_lessons_and_the_command_line_is_imported():
    names = modules_of("bench", "lessons", "cli")
    assert len(names) > 60
    assert run(f"import importlib\nfor name in {names}: importlib.import_module(name)\nprint('all')") == "all"


def test_a_workbench_opens_steps_explains_and_is_text():
    said = run(
        "import workbench as wb\n"
        "bench = wb.Workbench.example('multitenancy')\n"
        "print(bench.step().key, bench.run(), bench.back(2))\n"
        "print(bench.add_queue('root.tenants', 'tenant-c'))\n"
        "print(bench.undo())\n"
        "print(bench.why())\n"
        "print(bench.table('pending'))\n"
        "print(bench._repr_mimebundle_())\n"
    )
    assert said.startswith("P1 ")
    assert "root.tenants.tenant-c is added." in said
    assert "Step " in said.splitlines()[-1]


EVERY_VERB = """
import workbench as wb
from workbench.bench.named_tables import TABLES
bench = wb.Workbench.example("multitenancy")
bench.step(); bench.step(); bench.back(); bench.goto(1); bench.reset(); bench.skip()
bench.run(2); bench.cycle(); bench.advance(1.0)
bench.run_until("steps", 1); bench.play(5); bench.stop()
bench.edit_mode("rerun"); bench.release("1.4"); bench.undo(); bench.redo()
bench.add_queue("root.tenants", "tenant-c"); bench.rename_queue("root.tenants.tenant-c", "tenant-d")
bench.duplicate_queue("root.tenants.tenant-d"); bench.move_queue("root.tenants.tenant-d-copy", "root")
bench.would_refuse("delete_queue", "root.system"); bench.delete_queue("root.tenant-d-copy")
bench.set("root.tenants.tenant-d", "priority.offset", 5)
bench.edit_yaml(str(bench.to_yaml())); bench.apply()
bench.add_app("mine", "root.tenants.tenant-d"); bench.add_request("mine", "one", {"vcore": "1"})
bench.add_gang("gang", "root.tenants.tenant-d", 2, "vcore: 1"); bench.add_node("extra", "vcore: 1, memory: 1Gi")
bench.drain_node("extra"); bench.undrain_node("extra"); bench.remove_node("extra"); bench.finish("mine"); bench.remove_app("gang")
bench.load_inputs("app,key,vcore,queue\\nother,two,1,root.tenants.tenant-d\\n")
bench.add_node("late", "vcore: 1", at=9999.0); bench.remove_input(len(bench.simulation.inputs) + 1)
bench.select("root.tenants"); bench.select(); bench.why(); bench.what_changed(); bench.use_since(0)
waiting = bench.simulation.waiting()[0]
bench.why_not_sentences(waiting); bench.remedies_of(waiting)
bench.why_not(waiting.ask.key); bench.why_placed("other"); bench.rules_asked("other")
[bench.table(name) for name in TABLES]
bench.check(); bench.checked(); bench.last_checked; bench.checks_are_due
bench.predict(); bench.reveal(); bench.uncover()
bench.predict("nothing") if not bench.simulation.preview().changed_something else bench.step()
bench.save("saved.yaml"); bench.load("saved.yaml"); bench.save_config("queues.yaml"); bench.to_configmap(); bench.to_python()
bench.save_kubernetes("objects")
bench.reload(str(bench.to_yaml())); bench.serve().stop()
bench.autosave("session.json"); bench.show_as("teach"); bench.refresh(); bench.tree_text()
print("all")
"""


@pytest.fixture
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE.parent))
    monkeypatch.chdir(tmp_path)


DRAWN = {"figure", "picture", "report"}
NOT_TRIED = {"apply_remedy", "mend", "try_out", "trial_of", "resume"}
"""Verbs for which the example gives no occasion; tests of their own have one."""


def verbs() -> set[str]:
    """Names of the verbs, from the table of them in the class."""
    tree = ast.parse((PACKAGE / "bench" / "workbench.py").read_text("utf-8"))
    found = next(each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "Workbench")
    return {each.targets[0].id for each in found.body if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)}


def test_every_verb_but_those_that_draw_works(in_a_folder):
    untried = {name for name in verbs() if f"bench.{name}(" not in EVERY_VERB}
    assert untried == DRAWN | NOT_TRIED
    assert run(EVERY_VERB) == "all"


def test_an_exercise_is_started_and_checked():
    said = run(
        "import workbench as wb\n"
        "exercise = wb.lessons.exercise('offsets')\n"
        "bench = exercise.start()\n"
        "print(exercise.check(bench))\n"
        "print(wb.lessons.watch(bench))\n"
    )
    assert said


def test_the_command_line_steps_through_a_scenario_and_validates_a_design(in_a_folder):
    said = run("from workbench.cli import main\nprint(main(['run', 'two-tenants', '--steps', '2']))")
    assert said.endswith("0")
