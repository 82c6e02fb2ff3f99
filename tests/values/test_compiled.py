"""The scheduler may be compiled. What says so tells the truth, and what is to be compiled is there to be."""

import importlib
import importlib.machinery
import importlib.util
import tomllib
from pathlib import Path

import pytest

import workbench as wb
from workbench.values.compiled import compiled_in

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
LISTED = {path for pattern in HOOK["modules"] for path in ROOT.glob(pattern)} - {ROOT / each for each in HOOK["interpreted"]}
EXTENSION = importlib.machinery.EXTENSION_SUFFIXES[0]


@pytest.mark.parametrize("path", sorted(LISTED), ids=lambda path: path.stem)
def test_a_module_is_called_compiled_if_python_runs_its_extension(path):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    origin = importlib.util.find_spec(name).origin
    assert (name in {each.removesuffix(".__init__") for each in wb.compiled}) == (not origin.endswith(".py"))


def test_extensions_for_this_python_count_as_compiled(tmp_path):
    package = tmp_path / "package"
    for name in ("one.py", f"one{EXTENSION}", "two.py", "deep/three.py", f"deep/three{EXTENSION}", "four.cpython-39-other.so.txt"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).touch()
    assert compiled_in(package) == ("package.deep.three", "package.one")


def test_a_package_of_sources_has_nothing_compiled(tmp_path):
    (tmp_path / "module.py").touch()
    assert compiled_in(tmp_path) == ()


def test_a_checkout_holds_no_extensions_that_would_run_instead_of_what_is_edited():
    assert compiled_in(ROOT / "workbench") == ()


def test_every_entry_of_the_list_of_what_is_compiled_finds_modules():
    assert [pattern for pattern in HOOK["modules"] if not list(ROOT.glob(pattern))] == []
    assert [path for path in HOOK["interpreted"] if not (ROOT / path).is_file()] == []


def test_only_what_decides_is_compiled():
    assert {path.relative_to(ROOT / "workbench").parts[0] for path in LISTED} <= {"values", "config", "scheduler"}


@pytest.fixture
def hook():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    class App:
        said = ""

        def display_warning(self, text):
            self.said += text

    app = App()
    return module.Compiled(str(ROOT), HOOK, None, None, "", "wheel", app), app


def test_without_being_asked_for_nothing_is_compiled_and_no_compiler_needed(hook, monkeypatch):
    monkeypatch.delenv("WORKBENCH_COMPILED", raising=False)
    build, given = hook[0], {"pure_python": True, "force_include": {}}
    build.initialize("standard", given)
    assert (build.dependencies(), given) == ([], {"pure_python": True, "force_include": {}})


def test_asked_for_the_compiler_is_fetched_for_the_build_alone(hook, monkeypatch):
    monkeypatch.setenv("WORKBENCH_COMPILED", "1")
    assert [need.split(">")[0] for need in hook[0].dependencies()] == ["mypy[mypyc]", "setuptools"]


def test_an_editable_install_says_that_it_runs_the_sources(hook, monkeypatch):
    monkeypatch.setenv("WORKBENCH_COMPILED", "1")
    given = {"pure_python": True, "force_include": {}}
    hook[0].initialize("editable", given)
    assert "Leave out the -e" in hook[1].said
    assert given == {"pure_python": True, "force_include": {}}
