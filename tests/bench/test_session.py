"""The session: saved after every verb, come back to with one call, and never lost to a damaged file."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels import TENANTS, another, files, killed, worked
from laws import examples

from workbench import CommandError, ConfigError, ScenarioError, Simulation, Workbench
from workbench.bench import keeper, session, session_files
from workbench.bench.session import Packer, Session, SessionError, moved
from workbench.bench.verbs import sessions
from workbench.files import claim, reading
from workbench.simulation.scenario import scenario_to_dict
from workbench.values.errors import WorkbenchError


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch) -> Path:
    """The session file of a notebook, as Jupyter names the notebook to a kernel."""
    monkeypatch.setenv(session_files.NOTEBOOK_VARIABLE, str(tmp_path / "study.ipynb"))
    killed(monkeypatch)
    return tmp_path / ".study.session.json"


def test_a_killed_kernel_comes_back_to_design_inputs_and_step(notebook, monkeypatch):
    bench = worked()
    killed(monkeypatch)
    again = Workbench.recover()
    assert again.simulation.digest() == bench.simulation.digest()
    assert again.config == bench.config
    assert (again.simulation.position, again.selected, again.edits, again.name) == (4, TENANTS, "reload", "multitenancy")
    assert again.calls == bench.calls
    assert "at step 4" in again.status.text


def test_undo_goes_on_where_it_was(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    again = Workbench.recover()
    for _ in range(3):
        again.undo()
    assert not again.can_undo
    assert again.config == Workbench.example("multitenancy").config
    again.redo()
    assert again.partition.root.children["tenants"].settings.priority_offset == 5


def test_the_session_goes_on_in_the_same_file(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    again = Workbench.recover()
    again.step()
    killed(monkeypatch)
    assert Workbench.recover().simulation.position == 5


def test_a_notebook_run_again_does_not_overwrite_the_session_before(notebook, monkeypatch):
    bench = worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    fresh.autosave()
    fresh.step()
    again = Workbench.recover()
    assert again.simulation.digest() == bench.simulation.digest()


def test_a_notebook_run_again_comes_back_before_its_first_verb(notebook, monkeypatch):
    bench = worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    fresh.autosave()
    again = Workbench.recover()
    assert again.simulation.digest() == bench.simulation.digest()
    fresh.step()
    again.step()
    killed(monkeypatch)
    assert Workbench.recover().simulation.position == 5


def test_two_workbenches_of_a_notebook_have_two_files(notebook, monkeypatch):
    one, two = Workbench.example("multitenancy"), Workbench.example("two-tenants")
    one.autosave()
    two.autosave()
    one.step()
    two.step()
    assert files(notebook.parent) == [".study-2.session.json", ".study.session.json"]


@pytest.mark.parametrize("damage", [
    lambda data: data[:900], lambda data: b"", lambda data: b"\xff\xfe not text",
    lambda data: data.replace(b'"step": ', b'"step": 9', 1),
    lambda data: b"{}\n{}\n", lambda data: b'[1]\n', lambda data: b"null\n",
], ids=["cut", "empty", "no text", "changed", "another form", "a list", "nothing"])  # fmt: skip
def test_a_damaged_file_is_reported_and_kept(notebook, monkeypatch, damage):
    worked()
    killed(monkeypatch)
    broken = damage(notebook.read_bytes())
    notebook.write_bytes(broken)
    with pytest.raises(SessionError, match="kept as"):
        Workbench.recover()
    assert notebook.with_name(f"{notebook.name}.damaged-1").read_bytes() == broken


def test_a_damaged_file_gives_way_to_the_session_before_it(notebook, monkeypatch):
    bench = worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    fresh.autosave()
    fresh.step()
    killed(monkeypatch)
    notebook.write_bytes(notebook.read_bytes()[:-9])
    again = Workbench.recover()
    assert again.simulation.digest() == bench.simulation.digest()
    assert "damaged" in again.status.text and again.status.is_error


def test_no_session_is_told(notebook):
    with pytest.raises(CommandError, match="no session"):
        Workbench.recover()


def test_equal_scenarios_are_written_once(notebook):
    bench = worked()
    for _ in range(5):
        bench.undo() if bench.can_undo else bench.redo()
    body = json.loads(notebook.read_text().splitlines()[1])
    assert len(body["scenarios"]) <= 1 + len(body["past"]) + len(body["future"])


COMMENTED = """\
partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: first  # a comment of the user
    - {name: second, resources: {guaranteed: {vcore: 2}}}
"""


def edited(mode: str) -> Workbench:
    """Edits of a text with comments, applied in one way or the other, some of them taken back."""
    bench = Workbench(Simulation(COMMENTED))
    bench.add_node("n", {"vcore": "4"})
    bench.add_request("app", "a", {"vcore": "1"}, queue="root.first", repeat=2)
    bench.step()
    bench.edit_mode(mode)
    bench.set("root.first", "priority.offset", 5)
    bench.add_queue("root", "third")
    bench.set("root.second", "resources.max", {"vcore": 3})
    bench.undo()
    return bench


@pytest.mark.parametrize("mode", ["rerun", "reload"])
def test_edits_are_kept_as_what_they_changed_and_lead_back_to_the_same_text(notebook, monkeypatch, mode):
    bench = edited(mode)
    bench.autosave()
    bench.step()
    body = json.loads(notebook.read_text().splitlines()[1])
    assert [each for each in body["designs"].values() if isinstance(each, str)] == [COMMENTED], "the only text"
    assert not any("first" in str(each) for each in body["scenarios"] if "queue" not in str(each))
    killed(monkeypatch)
    again = Workbench.recover()
    assert again.simulation.digest() == bench.simulation.digest()
    assert again.to_yaml() == bench.to_yaml() and "# a comment of the user" in again.to_yaml()
    again.redo()
    bench.redo()
    assert again.to_yaml() == bench.to_yaml() and again.simulation.digest() == bench.simulation.digest()
    again.set("root.third", "priority.offset", 1)
    bench.set("root.third", "priority.offset", 1)
    assert again.to_yaml() == bench.to_yaml() and again.simulation.digest() == bench.simulation.digest()


def test_a_design_that_was_replaced_as_a_whole_is_kept_as_its_text(notebook, monkeypatch):
    bench = edited("rerun")
    bench.autosave()
    other = COMMENTED.replace("second", "other")
    bench.edit_yaml(other)
    bench.set("root.other", "priority.offset", 1)
    killed(monkeypatch)
    again = Workbench.recover()
    assert again.to_yaml() == bench.to_yaml()
    again.undo()
    assert again.to_yaml() == other
    again.undo()
    assert again.config == edited("rerun").config


def test_a_file_of_the_format_before_has_its_designs_in_its_scenarios(notebook, monkeypatch):
    bench = edited("reload")
    studies = (bench.study(), *bench.past, *bench.future)
    packed = [session._packed(each, number, "") for number, each in enumerate(studies)]
    for each in packed:
        del each["design"]
    found = sessions._session(bench, tuple(bench.calls))
    body = json.dumps(
        session._chosen(found)
        | {
            "calls": list(found.calls),
            "present": packed[0],
            "past": packed[1 : 1 + len(bench.past)],
            "future": packed[1 + len(bench.past) :],
            "scenarios": [scenario_to_dict(each.scenario) for each in studies],
        }
    )
    head = json.dumps({"workbench-session": 2, "sha256": hashlib.sha256(body.encode()).hexdigest(), "of": notebook.name})
    notebook.write_text(f"{head}\n{body}\n")
    again = Workbench.recover()
    assert again.simulation.digest() == bench.simulation.digest()
    again.undo()
    bench.undo()
    assert again.to_yaml() == bench.to_yaml() and again.simulation.digest() == bench.simulation.digest()


def test_a_kept_design_that_this_version_refuses_is_told_when_somebody_goes_back_to_it(notebook, monkeypatch):
    bench = edited("rerun")
    bench.autosave()
    bench.select("root.first")
    killed(monkeypatch)
    head, body = notebook.read_text().splitlines()
    spoilt = body.replace(
        '"priority.offset": "5"}}, "second"]', '"priority.offset": "5"}, "resources": {"max": {"vcore": "none"}}}, "second"]'
    )
    assert spoilt != body
    head = json.dumps(json.loads(head) | {"sha256": hashlib.sha256(spoilt.encode()).hexdigest()})
    notebook.write_text(f"{head}\n{spoilt}\n")
    again = Workbench.recover()
    assert again.simulation.digest() == bench.simulation.digest()
    with pytest.raises(ConfigError, match="none"):
        again.undo()
    assert again.to_yaml() == bench.to_yaml()


def test_a_step_is_added_to_the_file_and_an_input_writes_it_anew(notebook, monkeypatch):
    written = []
    write_file = keeper.write_file
    monkeypatch.setattr(keeper, "write_file", lambda *args, **kwargs: (written.append(1), write_file(*args, **kwargs)))
    bench = Workbench.example("multitenancy")
    bench.autosave()
    bench.step()
    assert len(written) == 1
    for _ in range(4):
        bench.step()
        assert session_files.read(notebook) == keeper_of(bench)._written.session
        assert session_files.read(notebook).present.step == bench.simulation.position
    bench.goto(2)
    bench.select(TENANTS)
    bench.picture("usage", resource="memory")
    assert len(written) == 1 and len(notebook.read_text().splitlines()) == 2 + 7
    bench.add_node("more", {"vcore": "1"})
    assert len(written) == 2 and len(notebook.read_text().splitlines()) == 2
    killed(monkeypatch)
    again = Workbench.recover()
    assert (again.simulation.digest(), again.calls) == (bench.simulation.digest(), bench.calls)


def test_after_many_lines_the_file_is_written_anew(notebook, monkeypatch):
    monkeypatch.setattr(keeper, "MOST_MOVES", 3)
    bench = Workbench.example("multitenancy")
    bench.autosave()
    lengths = []
    for _ in range(6):
        bench.step()
        lengths.append(len(notebook.read_text().splitlines()))
    assert lengths == [2, 3, 4, 5, 2, 3]


VERBS = {
    "step": lambda bench: bench.step(),
    "cycle": lambda bench: bench.cycle(),
    "advance": lambda bench: bench.advance(seconds=1),
    "back": lambda bench: bench.back(),
    "reset": lambda bench: bench.reset(),
    "run": lambda bench: bench.run(max_steps=2),
    "input": lambda bench: bench.add_node(f"n{len(bench.calls)}", {"vcore": "1"}),
    "planned": lambda bench: bench.add_node(f"n{len(bench.calls)}", {"vcore": "1"}, at=1),
    "edit": lambda bench: bench.set(TENANTS, "priority.offset", len(bench.calls)),
    "undo": lambda bench: bench.undo(),
    "redo": lambda bench: bench.redo(),
    "select": lambda bench: bench.select("" if bench.selected else TENANTS),
    "choose": lambda bench: bench.picture("usage", resource="memory"),
}


@given(st.lists(st.sampled_from(sorted(VERBS)), min_size=1, max_size=12))
@examples(7)
def test_after_every_verb_the_file_holds_where_somebody_is(tmp_path_factory, verbs):
    path = tmp_path_factory.mktemp("s") / "s.json"
    bench = Workbench.example("two-tenants")
    bench.autosave(path)
    for verb in verbs:
        try:
            VERBS[verb](bench)
        except WorkbenchError:  # such as nothing to undo: the file holds what it held
            pass
        if not path.exists():
            continue
        read = session_files.read(path)
        # What is not in a file, such as the text of a number, is not compared.
        there = Packer().whole(read, "").text
        assert there == Packer().whole(sessions._session(bench, tuple(bench.calls)), "").text
    keeper_of(bench).leave()


def keeper_of(bench: Workbench) -> keeper.Keeper:
    assert bench.keeper is not None
    return bench.keeper


# ---- in the midst of a run ----------------------------------------------------------------------------------------------


def test_a_run_is_saved_while_it_goes_on(notebook, monkeypatch):
    monkeypatch.setattr(keeper, "MIDWAY_SECONDS", 0.0)
    bench = Workbench.example("multitenancy")
    bench.autosave()
    seen = []

    def look(decision):
        if notebook.exists():
            seen.append((session_files.read(notebook).present.step, session_files.read(notebook).calls[-1]))
        return False

    bench.run(until=look)
    assert seen[-1] == (10, "bench.goto(10)")
    assert (
        session_files.read(notebook).present.step == 11 and session_files.read(notebook).calls[-1] == "bench.run(until=condition)"
    )
    assert bench.simulation.digest() == _ran().simulation.digest()


def test_what_was_saved_in_mid_run_is_come_back_to(notebook, monkeypatch):
    monkeypatch.setattr(keeper, "MIDWAY_SECONDS", 0.0)
    bench = Workbench.example("multitenancy")
    bench.autosave()

    def die(decision):
        if bench.simulation.position == 7:
            raise SystemExit
        return False

    with pytest.raises(SystemExit):
        bench.run(until=die)
    killed(monkeypatch)
    again = Workbench.recover()
    assert again.simulation.position == 6 and again.calls[-1] == "bench.goto(6)"
    again.run()
    assert again.simulation.digest() == _ran().simulation.digest()


def _ran() -> Workbench:
    bench = Workbench.example("multitenancy")
    bench.run()
    return bench


def test_a_run_is_saved_at_most_every_second_and_less_often_where_saving_is_slow(tmp_path, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(keeper.time, "monotonic", lambda: clock[0])
    kept = keeper.Keeper(tmp_path / "s.json")
    due = []
    for _ in range(100):
        due.append(kept.is_due_midway())
        clock[0] += 0.1
    assert 8 <= sum(due) <= 10
    kept._not_before = clock[0] + 50
    assert not any(kept.is_due_midway() or clock.__setitem__(0, clock[0] + 1) for _ in range(49))


def test_a_short_run_is_saved_once(notebook, monkeypatch):
    kept = []
    monkeypatch.setattr(keeper.Keeper, "keep", lambda _self, session: kept.append(session.present.step))
    bench = Workbench.example("multitenancy")
    bench.autosave()
    bench.run()
    assert kept == [11]


# ---- the newest of them ---------------------------------------------------------------------------------------------------


def test_a_cell_run_twice_has_its_second_session_offered(notebook, monkeypatch):
    one = Workbench.example("multitenancy")
    one.autosave()
    one.step()
    written(notebook, 100)
    two = Workbench.example("two-tenants")
    two.autosave()
    two.step()
    two.step()
    written(notebook.with_name(".study-2.session.json"), 200)
    killed(monkeypatch)
    again = Workbench.recover()
    assert (again.name, again.simulation.position) == ("two-tenants", 2)


@pytest.mark.parametrize("newest", [".study.session.json", ".study-2.session.json", ".study-3.session.json.2"])
def test_the_session_that_was_written_last_is_offered_whatever_its_number(notebook, newest):
    for name in (".study.session.json", ".study-2.session.json", ".study-3.session.json.2", ".study.session.json.1"):
        place = notebook.with_name(name)
        place.write_text(Packer().whole(Session(name, Workbench.example("multitenancy").study()), notebook.name).text)
        written(place, 200 if name == newest else 100)
    assert Workbench.recover().name == newest
    assert session_files.of_notebook(notebook)[0].name == newest


def test_a_notebook_named_like_the_second_workbench_of_another_keeps_its_own(notebook, monkeypatch):
    other = notebook.with_name(".study-2.session.json")
    for place, of in ((notebook, notebook), (other, other), (notebook.with_name(".study-3.session.json"), notebook)):
        place.write_text(Packer().whole(Session(place.name, Workbench.example("multitenancy").study()), of.name).text)
    found = {path.name for path in session_files.of_notebook(notebook)}
    assert found == {".study.session.json", ".study-3.session.json"}
    assert session_files.of_notebook(other) == [other]


def test_old_files_that_do_not_say_their_notebook_belong_to_the_notebook_of_their_name(notebook):
    for name in (".study.session.json", ".study-2.session.json", ".study-3.session.json", ".study.session.json.damaged-1"):
        notebook.with_name(name).write_text('{"workbench-session": 1}\n')
    notebook.with_name("study-3.ipynb").write_text("{}")
    found = {path.name for path in session_files.of_notebook(notebook)}
    assert found == {".study.session.json", ".study-2.session.json"}


def written(path: Path, seconds: float) -> None:
    """Set when a file was changed last."""
    os.utime(path, (seconds, seconds))


# ---- a further kernel -----------------------------------------------------------------------------------------------------


def test_two_kernels_on_one_notebook_keep_both_sessions_and_the_second_says_so(notebook, monkeypatch):
    one = Workbench.example("multitenancy")
    one.autosave()
    one.step()
    another(monkeypatch)
    two = Workbench.example("two-tenants")
    two.autosave()
    assert two.status.text.endswith("Another kernel keeps its session of this notebook; this one is kept in .study-2.session.json.")
    for _ in range(2):
        two.step()
        one.step()
    assert session_files.read(notebook).name == "multitenancy" and session_files.read(notebook).present.step == 3
    second = session_files.read(notebook.with_name(".study-2.session.json"))
    assert (second.name, second.present.step) == ("two-tenants", 2)
    assert files(notebook.parent) == [".study-2.session.json", ".study.session.json"]


def test_a_file_that_could_not_be_claimed_is_claimed_before_it_is_written(notebook, monkeypatch):
    with monkeypatch.context() as nothing:
        nothing.setattr(claim.Claim, "take", refused)
        two = Workbench.example("two-tenants")
        two.autosave()
    mine, registry = keeper.KEEPERS, {}
    monkeypatch.setattr(keeper, "KEEPERS", registry)
    one = Workbench.example("multitenancy")
    one.autosave()
    one.step()
    monkeypatch.setattr(keeper, "KEEPERS", mine)
    two.step()
    assert session_files.read(notebook).name == "multitenancy"
    assert session_files.read(notebook.with_name(".study-2.session.json")).name == "two-tenants"


def refused(_self) -> bool:
    raise OSError(28, "No space left on device")


def test_where_nothing_can_be_claimed_a_file_of_somebody_else_is_set_aside(notebook, monkeypatch):
    monkeypatch.setattr(claim.Claim, "take", refused)
    one = Workbench.example("multitenancy")
    one.autosave()
    one.step()
    another(monkeypatch)
    two = Workbench.example("two-tenants")
    two.autosave()
    two.step()
    one.step()
    names = sorted(session_files.read(path).name for path in session_files.of_notebook(notebook))
    assert names == ["multitenancy", "multitenancy", "two-tenants"]
    assert session_files.read(notebook).present.step == 2


def test_a_process_that_was_split_off_writes_nothing(notebook, monkeypatch):
    bench = worked()
    before = notebook.read_bytes()
    monkeypatch.setattr(keeper.os, "getpid", lambda: -1)
    bench.step()
    bench.keeper.finish()
    assert notebook.read_bytes() == before and files(notebook.parent) == [notebook.name]


def test_part_files_of_a_killed_kernel_are_swept(notebook):
    left = notebook.with_name(f".{notebook.name}.0123456789ab.part")
    left.write_text("half")
    Workbench.example("multitenancy").autosave()
    assert not left.exists()


def no_space(*_args) -> None:
    raise OSError(28, "No space left on device")


def test_what_a_disk_does_not_take_can_be_kept_elsewhere_at_once(notebook, tmp_path, monkeypatch):
    bench = Workbench.example("multitenancy")
    bench.autosave(tmp_path / "missing" / "s.json")
    with pytest.warns(UserWarning, match=r"s\.json could not be written \(No such file or directory\).* bench\.autosave\(path\)"):
        bench.step()
    bench.autosave(tmp_path / "s.json")
    assert bench.warning == "" and session_files.read(tmp_path / "s.json").present.step == 1


def test_what_is_not_on_the_disk_when_the_process_ends_is_tried_once_more(notebook, monkeypatch):
    bench = Workbench.example("multitenancy")
    bench.autosave()
    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", no_space)
        with pytest.warns(UserWarning, match="not saved"):
            bench.step()
    assert not notebook.exists()
    keeper.finish_all()
    assert session_files.read(notebook).present.step == 1
    assert keeper.KEEPERS == {} and not claim.is_claimed(notebook)


def test_a_session_that_would_read_otherwise_never_replaces_a_good_one(notebook, monkeypatch):
    bench = worked()
    before = notebook.read_bytes()
    with monkeypatch.context() as broken:
        broken.setattr(
            session, "scenario_to_dict", lambda scenario: {"config": scenario.config, "events": [], "name": len(scenario.name)}
        )
        with pytest.warns(UserWarning, match="not saved"):
            bench.add_node("more", {"vcore": "1"})
    assert notebook.read_bytes() == before and "not saved" in bench.warning
    bench.add_node("still more", {"vcore": "1"})
    assert bench.warning == "" and notebook.read_bytes() != before


def test_a_disk_that_gives_back_something_else_never_replaces_a_good_file(notebook, monkeypatch):
    bench = worked()
    before = notebook.read_bytes()
    with monkeypatch.context() as disk:
        disk.setattr(Path, "read_bytes", lambda _path: b"else")
        with pytest.warns(UserWarning, match="gives back something else"):
            bench.add_node("more", {"vcore": "1"})
    assert notebook.read_bytes() == before


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", '"x"', "null", "[]"])
def test_a_session_file_with_a_check_sum_that_fits_and_numbers_that_do_not_is_damaged(notebook, monkeypatch, number):
    worked()
    killed(monkeypatch)
    body = notebook.read_text().split("\n")[1].replace('"played": ', f'"played": {number}, "was": ', 1)
    head = json.dumps({"workbench-session": 2, "sha256": hashlib.sha256(body.encode()).hexdigest(), "of": notebook.name})
    notebook.write_text(f"{head}\n{body}\n")
    with pytest.raises(SessionError, match="is damaged and kept as"):
        Workbench.recover()


def test_a_session_file_larger_than_anything_that_is_read_is_set_aside_unread(notebook, monkeypatch):
    bench = worked()
    killed(monkeypatch)
    monkeypatch.setattr(reading, "MOST_BYTES", notebook.stat().st_size - 1)
    with pytest.raises(SessionError, match="is damaged and kept as .*larger than"):
        Workbench.recover()
    assert bench.calls and notebook.with_name(f"{notebook.name}.damaged-1").exists()


def test_a_session_that_would_be_too_large_to_be_read_back_never_replaces_a_good_one(notebook, monkeypatch):
    bench = worked()
    before = notebook.read_bytes()
    with monkeypatch.context() as small:
        small.setattr(reading, "MOST_BYTES", len(before))
        with pytest.warns(UserWarning, match=f"larger than the {len(before)} bytes that are read back"):
            bench.add_node("more", {"vcore": "1"})
    assert notebook.read_bytes() == before


def test_a_session_file_that_was_deleted_comes_back_with_the_next_verb(notebook):
    bench = worked()
    notebook.unlink()
    bench.step()
    assert session_files.read(notebook).present.step == 5
    assert files(notebook.parent) == [notebook.name]


@given(data=st.data())
@examples(60)
def test_wherever_a_session_file_is_cut_or_spoilt_a_session_that_was_kept_comes_back_or_it_is_told(data):
    kept, text = many_moves()
    at = data.draw(st.integers(0, len(text)))
    spoilt = data.draw(st.sampled_from([text[:at], text[:at] + b"\0" * 9, text[:at] + b"\xff\n" + text[at:]]))
    body = text.index(b"\n", text.index(b"\n") + 1)
    try:
        found = session_files.unpacked(spoilt)
    except (ValueError, LookupError, TypeError, AttributeError, ScenarioError):
        assert at <= body
    else:
        assert found in kept and at >= body


@cache
def many_moves() -> tuple[list[Session], bytes]:
    """Sessions one after another, and the file that holds them as moves."""
    bench = Workbench.example("multitenancy")
    packer, sessions = Packer(), []
    for number in range(6):
        sessions.append(Session("n", bench.study(), selected="x" * number, calls=tuple("abcdef"[: number + 1])))
        bench.step()
    whole = packer.whole(sessions[0], "n")
    texts, last = [whole.text], whole
    for each in sessions[1:]:
        added = moved(last, each)
        assert added is not None
        texts.append(added.text)
        last = added
    return sessions, "".join(texts).encode()


# ---- the report ---------------------------------------------------------------------------------------------------------


def test_the_report_is_one_file_that_asks_nobody_and_escapes_everything(tmp_path):
    evil = '<img src=x onerror="alert(1)">&'
    bench = Workbench.example("multitenancy")
    bench.run(max_steps=3)
    bench.add_request(evil, evil, {"vcore": "1"}, queue="root.system.system-low")
    bench.select(request="P9")
    bench.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<img src" not in page
    assert "default-src 'none'" in html.unescape(page)
    assert not re.search(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="?https?:', page)
    for part in ("P10", "Not yet: P9", "bench.run(max_steps=3)", "priority.policy", "picture-path", "picture-nodes"):
        assert part in page


def test_the_report_is_small_enough_to_be_sent_and_says_what_happened_and_what_was_refused(tmp_path):
    bench = Workbench.example("multitenancy")
    bench.run(max_steps=6)
    bench.add_request("lost", "P99", {"vcore": "1"}, queue="root.nowhere")
    bench.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert len(page) < 2_500_000
    assert "Step 6: " in page and "refused: 1 request of 1 app" in page and "There is no queue root.nowhere" in page
    assert page.count("data-picture role") == 8
