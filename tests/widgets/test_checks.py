"""The Checks tab and the verbs behind it: what is wrong, where, and mending it with one undoable edit."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("ipywidgets")

from workbench import Workbench, advice
from workbench.bench.verbs import checking
from workbench.widgets.parts import later

TENANTS = "root.tenants"
FENCE = "L-10"
"""A priority fence without an offset."""


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


@pytest.fixture
def tab(bench):
    return bench.screen.tables.bring("checks")


def press(tab, verb: str, item: dict, **more: str) -> None:
    tab.widget._handle_custom_msg({"verb": verb, "id": item["id"], **more}, [])


def title_of(bench: Workbench) -> str:
    tables = bench.screen.tables
    return tables.widget.titles[list(tables.tabs).index("checks")]


def item_of(tab, code: str) -> dict:
    return next(item for item in tab.widget.items if item["code"] == code)


def test_a_check_tells_severity_place_line_sentence_and_remedies(tab):
    item = item_of(tab, FENCE)
    assert (item["severity"], item["word"], item["mark"]) == ("warning", "warning", "▲")
    assert (item["place"], item["selects"], item["line"], item["key"]) == (TENANTS, True, "line 20", "properties.priority.policy")
    assert "has a priority fence and no priority.offset" in item["text"]
    assert item["remedies"][0] == f"Set priority.offset of {TENANTS} to 0."


def test_what_is_assumed_is_told(bench):
    tab = Workbench.example("quota-headroom").screen.tables.bring("checks")
    assert item_of(tab, "L-42")["assumption"] == "This assumes that later requests are of the same size."


def test_the_title_counts_errors_and_warnings_also_while_another_tab_is_in_front(bench):
    assert title_of(bench) == "Checks ▲ 1"
    bench.mend(FENCE, TENANTS)
    assert title_of(bench) == "Checks"


def test_where_somebody_waits_for_the_redraw_the_checks_come_after_it_and_once(bench, monkeypatch):  # section 13
    monkeypatch.setattr(later, "QUIET_SECONDS", 0.01)
    real, made = advice.checks, []
    monkeypatch.setattr(advice, "checks", lambda *args: made.append(args) or real(*args))

    async def edit_twice() -> None:
        assert bench.screen.widget is not None
        bench.set(TENANTS, "priority.offset", 5)
        bench.set(TENANTS, "priority.policy", None)
        assert made == [] and title_of(bench) == "Checks"
        while not made:
            await asyncio.sleep(0.01)
        assert len(made) == 1 and made[0][0] == bench.config and made[0][0].text == str(bench.to_yaml()), (
            "their lines are those of the text"
        )
        bench.undo()
        bench.undo()
        assert len(made) == 1
        while len(made) == 1:
            await asyncio.sleep(0.01)
        assert title_of(bench) == "Checks ▲ 1"
        # In front they are shown with the redraw.
        bench.screen.tables.bring("checks")
        bench.mend(FENCE, TENANTS)
        assert len(made) == 3 and title_of(bench) == "Checks"

    asyncio.run(asyncio.wait_for(edit_twice(), 10))


def test_checks_that_fail_in_the_background_are_logged_and_do_no_harm(bench, monkeypatch, caplog):
    monkeypatch.setattr(later, "QUIET_SECONDS", 0.01)
    monkeypatch.setattr(advice, "checks", lambda *args: 1 // 0)

    async def wait() -> None:
        assert bench.screen.widget is not None
        while not caplog.records:
            await asyncio.sleep(0.01)
        bench.step()

    asyncio.run(asyncio.wait_for(wait(), 10))
    assert bench.simulation.position == 1 and "Step 1" in bench.status.text


def test_a_remedy_is_one_edit_that_undo_takes_back(bench, tab):
    bench.run(max_steps=2)
    before = str(bench.to_yaml())
    item = item_of(tab, FENCE)
    press(tab, "mend", item, remedy=item["remedies"][0])
    assert FENCE not in [each["code"] for each in tab.widget.items]
    assert "priority.offset: 0" in str(bench.to_yaml()) and "priority.offset: 0" not in before.split("tenant-a")[0]
    assert bench.status.text.startswith(f"Applied: Set priority.offset of {TENANTS} to 0.")
    assert bench.status.call == f'bench.mend("{FENCE}", "{TENANTS}", remedy="Set priority.offset of {TENANTS} to 0.")'
    assert bench.simulation.position == 2
    bench.undo()
    assert item_of(tab, FENCE) == item
    assert str(bench.to_yaml()) == before
    bench.redo()
    assert FENCE not in [each["code"] for each in tab.widget.items]


def test_the_call_of_a_remedy_comes_to_the_same_state(bench, tab):
    item = item_of(tab, FENCE)
    press(tab, "mend", item, remedy=item["remedies"][1])
    again = Workbench.example("multitenancy")
    exec(bench.calls[-1], {"bench": again})
    assert again.to_yaml() == bench.to_yaml()


def test_a_place_selects_its_queue_and_a_line_opens_the_text(bench, tab):
    item = item_of(tab, FENCE)
    sent = []
    editor = bench.screen.tables.tabs["yaml"].widget
    editor.send = sent.append
    press(tab, "select", item)
    assert bench.selected == TENANTS
    press(tab, "line", item)
    assert bench.screen.tables.front == "yaml"
    assert sent == [{"verb": "reveal", "line": 20}]
    assert "priority.policy" in editor.value.split("\n")[19]


@pytest.mark.parametrize(
    "message",
    [
        None,
        "mend",
        {},
        {"verb": "mend"},
        {"verb": "mend", "id": "L-99||root|", "remedy": "x"},
        {"verb": "select", "id": ["x"]},
        {"verb": "again", "id": 1},
    ],
)
def test_messages_that_name_no_check_change_nothing(bench, tab, message):
    before = str(bench.to_yaml())
    tab.widget._handle_custom_msg(message, [])
    press(tab, "mend", item_of(tab, FENCE), remedy="Delete everything.")
    assert (str(bench.to_yaml()), bench.selected, bench.can_undo) == (before, "", False)


def test_nothing_found_is_said_honestly(bench):
    tab = Workbench.example("node-packing").screen.tables.bring("checks")
    assert tab.widget.items == []
    assert "only steps show" in tab.widget.empty


def test_an_edit_in_the_editor_makes_the_checks_anew(bench, tab):
    bench.set(TENANTS, "priority.offset", "0")
    assert FENCE not in [each["code"] for each in tab.widget.items]
    bench.undo()
    assert item_of(tab, FENCE)


def test_slow_checks_are_not_made_at_every_step_but_when_the_tab_is_opened(bench, tab, monkeypatch):
    monkeypatch.setattr(checking, "SLOW_SECONDS", -1.0)
    made = []
    real = advice.checks
    monkeypatch.setattr(advice, "checks", lambda *args: made.append(1) or real(*args))
    bench.run(max_steps=3)
    bench.step()
    assert made == []
    assert "step 0" in tab.widget.note
    tab.widget._handle_custom_msg({"verb": "again"}, [])
    assert (len(made), tab.widget.note, tab.widget.again) == (1, "", "")
    bench.screen.tables.bring("pending")
    bench.step()
    bench.screen.tables.bring("checks")
    assert (len(made), tab.widget.note) == (2, "")
    bench.set(TENANTS, "priority.offset", "7")
    assert len(made) == 3


def test_a_remedy_of_another_partition_mends_that_one():
    queues = """
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: a, properties: {priority.ofset: "5"}}, {name: b}]
"""
    bench = Workbench.from_yaml(f"partitions:\n  - name: default{queues}  - name: other{queues}")
    tab = bench.screen.tables.bring("checks")
    here, there = (item for item in tab.widget.items if item["key"] == "properties.priority.ofset")
    assert (here["selects"], there["selects"]) == (True, False)
    press(tab, "mend", there, remedy=there["remedies"][0])
    assert bench.status.call.endswith('partition="other")')
    assert [item["id"] for item in tab.widget.items if item["key"] == here["key"]] == [here["id"]]


def test_names_from_outside_stay_texts(bench):
    bench.set(TENANTS, "priority.offset", "0")
    bench.edit_yaml(str(bench.to_yaml()).replace("priority.policy: fence", "<img src=x>: fence", 1))
    item = next(item for item in bench.screen.tables.bring("checks").widget.items if "<img" in item["key"])
    assert item["key"] == "properties.<img src=x>"
