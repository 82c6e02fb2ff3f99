"""Property tests are the same in every run, unless a long search is asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from laws import TIMES, examples

HERE = Path(__file__).parent
TESTS = sorted(HERE.rglob("*.py"))
ALLOWED = {"laws.py", "test_laws.py", "conftest.py"}


@pytest.fixture
def searching():
    usual = settings.default
    settings.load_profile("search")
    yield settings.default
    settings.register_profile("as it was", usual)
    settings.load_profile("as it was")


def test_the_usual_examples_follow_from_the_test_alone():
    usual = settings.get_profile("laws")
    assert (usual.derandomize, usual.database, usual.deadline) == (True, None, None)


def test_a_long_search_tries_others_in_every_run_and_fifty_times_as_many():
    usual, long = settings.get_profile("laws"), settings.get_profile("search")
    assert (long.derandomize, long.database, long.deadline) == (False, None, None)
    assert long.max_examples == TIMES * usual.max_examples >= 50 * usual.max_examples


def test_the_number_that_a_test_asks_for_grows_with_the_profile(searching):
    assert examples(40).max_examples == 40 * TIMES
    assert not examples(40).derandomize


@pytest.mark.parametrize(("options", "profile"), [((), "laws"), (("--hypothesis-profile=search",), "search")])
def test_the_command_line_chooses_the_profile(options, profile):
    quick = ["-o", "addopts=", "--import-mode=importlib", "-p", "no:nbval", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *quick, "-v", "--collect-only", "tests/search/test_line.py", *options]
    told = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, timeout=120).stdout
    assert f"hypothesis profile '{profile}'" in told


@pytest.mark.parametrize("path", [path for path in TESTS if path.name not in ALLOWED], ids=lambda path: path.name)
def test_every_property_test_takes_its_settings_from_the_profile(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    own = {"max_examples", "derandomize", "deadline", "database"}
    set_here = [f"line {call.lineno}: {word.arg}; say @examples(n)" for call in calls for word in call.keywords if word.arg in own]
    set_here += [f"line {call.lineno}: a profile" for call in calls if "_profile" in ast.unparse(call.func)[-17:]]
    assert set_here == []
    machines = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and "run_state_machine_as_test" in ast.unparse(node)
    ]
    unmarked = [each.name for each in machines if "pytest.mark.hypothesis" not in map(ast.unparse, each.decorator_list)]
    assert unmarked == [], "a long search finds tests by their mark"
    inner = [node.lineno for node in ast.walk(tree) if is_property(node) and node not in tree.body]
    assert inner == [], "a long search finds tests by their mark, which one inside another does not get"


def is_property(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and any(ast.unparse(each).startswith("given(") for each in node.decorator_list)
