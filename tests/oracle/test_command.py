"""The command: what it says, what it keeps, how it ends; with the engine itself in place of the core."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from benchmarks.replay import recording

from oracle import command, program
from oracle.findings import Finding, examine
from oracle.program import PlayFailed
from oracle.scenarios import SMALL, scenario
from workbench.conformance.replay import replay
from workbench.simulation.scenario import load_scenario

GIVEN = ["--size", "small", "--seeds", "3", "--families", "crowded", "--core", "1.8.0"]


def as_ours(_program, each, **_more):
    return recording(each)


def elsewhere(_program, each, **_more):
    found = copy.deepcopy(recording(each))
    for item in found["trace"]:
        for outcome in item["outcomes"]:
            if "allocated" in outcome:
                outcome["node"] = "elsewhere"
    return found


@pytest.fixture
def built(monkeypatch):
    monkeypatch.setattr(command, "cached", lambda **_: Path("program"))

    def plays(how):
        monkeypatch.setattr(command, "play", how)

    return plays


def run(*more: str) -> int:
    return command.main([*GIVEN, *more])


def test_a_core_that_decides_as_we_do(built, capsys):
    built(as_ours)
    assert run() == 0
    assert capsys.readouterr().out == "core 1.8.0: 3 of 3 scenarios asked: 3 alike\n"


def test_a_real_difference_is_told_kept_and_ends_it_with_1(built, capsys, tmp_path):
    built(elsewhere)
    assert run("--keep", str(tmp_path), "--seeds", "1", "--further", "3", "--tries", "60") == 1
    said = capsys.readouterr().out
    assert said.startswith("crowded-0: real difference\n") and "elsewhere" in said and f"kept in {tmp_path}" in said
    kept = {path.name: path for path in (tmp_path / "1.8.0").iterdir()}
    assert sorted(kept) == ["crowded-0-1.8-least.json.gz", "crowded-0-1.8.json.gz", "crowded-0-1.8.txt"]
    assert (
        load_scenario(kept["crowded-0-1.8.json.gz"]).events == scenario(0, release="1.8", size=SMALL, families=("crowded",)).events
    )
    assert not replay(load_scenario(kept["crowded-0-1.8-least.json.gz"])).agrees


def test_without_go_it_ends_with_2_or_where_that_is_allowed_says_that_the_core_was_not_asked(monkeypatch, capsys):
    def none(**_):
        raise PlayFailed("Go 1.25 or newer is needed")

    monkeypatch.setattr(command, "cached", none)
    assert run() == 2
    assert "Go 1.25 or newer is needed" in capsys.readouterr().err
    assert run("--if-possible") == 0
    assert "core 1.8.0: NOT ASKED" in capsys.readouterr().out


def test_when_the_time_is_over_it_says_how_many_were_not_asked(built, capsys):
    built(as_ours)
    assert run("--within", "0") == 0
    assert "core 1.8.0: the other 3 were not asked: the 0 s were over" in capsys.readouterr().out


def test_a_core_that_fails_is_no_difference_but_told(built, capsys, tmp_path):
    def fails(*_args, **_more):
        raise PlayFailed("panic: of its own")

    built(fails)
    assert run("--keep", str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert said.count("panic: of its own") == 3 and said.endswith("3 core failed\n")


def test_undefined_order_is_shown_by_further_runs():
    """One play is ours, the others are not: the core has several ways."""
    each = scenario(0, release="1.8", size=SMALL)
    plays = iter([elsewhere(None, each), elsewhere(None, each), recording(each)])
    found: Finding = examine(each, lambda _: next(plays))
    assert found.kind == "undefined order"
    assert "the core has 2 ways in 3 runs, 1 of them ours" in str(found)


def test_where_the_core_parts_from_itself_at_the_item_where_we_leave_it_the_order_is_undefined():
    each = scenario(0, release="1.8", size=SMALL)

    def there(node: str):
        found = elsewhere(None, each)
        for item in found["trace"]:
            for outcome in item["outcomes"]:
                if outcome.get("node") == "elsewhere":
                    outcome["node"] = node
        return found

    plays = iter([there("one"), there("other"), there("one")])
    assert examine(each, lambda _: next(plays), further=2).kind == "undefined order"


def test_a_program_is_built_once_for_the_sources_that_are_there(monkeypatch, tmp_path):
    made: list[Path] = []

    def build(path: Path, **_more) -> Path:
        made.append(path)
        path.write_text("program")
        return path

    monkeypatch.setattr(program, "build", build)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sources = tmp_path / "core"
    sources.mkdir()
    (sources / "play.go").write_text("package oracle")
    monkeypatch.setattr(program, "CORE", sources)
    first = program.cached(release="1.8")
    assert program.cached(release="1.8") == first and len(made) == 1 and first.is_relative_to(tmp_path / "cache")
    assert program.cached(release="1.9") != first and len(made) == 2
    (sources / "play.go").write_text("package other")
    assert program.cached(release="1.8") != first and len(made) == 3


def test_a_build_that_fails_leaves_nothing_behind(monkeypatch, tmp_path):
    def build(path: Path, **_more) -> Path:
        path.write_text("half")
        raise PlayFailed("no modules")

    monkeypatch.setattr(program, "build", build)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(PlayFailed):
        program.cached(release="1.8")
    assert list(program.cache_folder().iterdir()) == []


def test_of_a_panic_what_it_was_and_where_is_told():
    stack = "github.com/apache/core.f(0x0)\n\t/folder/f.go:1\ngithub.com/apache/core.g(0x1)\n"
    said = "INFO something\npanic: nil\n\ngoroutine 1:\n" + stack
    assert program._complaint(said) == "panic: nil\n  in github.com/apache/core.f\n  in github.com/apache/core.g"
    assert program._complaint("no configuration") == "no configuration"
