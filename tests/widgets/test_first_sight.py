"""What somebody new to the screen must not stumble over: what is empty, taken back, dropped or without effect."""

from __future__ import annotations

import pytest

from workbench.explain import words
from workbench.widgets.parts import text_editor

pytest.importorskip("ipywidgets")

from workbench import CommandError, Workbench
from workbench.bench import schema, texts
from workbench.scheduler.releases.profiles import DEFAULT
from workbench.widgets.parts.text_editor import line_in_draft

TENANTS = "root.tenants"
LEAF = """partitions:
- name: default
  queues:
  - name: root
    submitacl: '*'
    queues:
    - name: a
"""


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


# ---- nothing to show, and what would be there ------------------------------------------------------------------------


def test_when_everything_is_served_why_says_so():
    bench = Workbench.example("multitenancy")
    bench.run()
    assert bench.screen.why.text == "Nothing is next: every request has been served."
    assert words.NOTHING_NEXT not in bench.screen.why.text


def test_before_anything_was_asked_for_why_says_where_to_ask():
    bench = Workbench.from_yaml(LEAF)
    assert "no node registered" in bench.screen.why.text
    bench.add_node("node-1", {"vcore": 4})
    assert bench.screen.why.text == texts.NOTHING_ASKED


def test_applications_that_have_asked_for_nothing_yet_are_not_called_served():
    bench = Workbench.example("lessons/priority-moves-exercise")
    assert bench.partition.applications
    assert bench.screen.why.text == texts.NOTHING_ASKED
    bench.add_request("cart", "C1", {"vcore": 1})
    bench.run()
    assert bench.screen.why.text == texts.NOTHING_MORE


def test_what_waits_and_does_not_fit_is_not_called_served(bench):
    bench.run()
    bench.add_request("mine", "huge", {"vcore": 900}, queue="root.system.system-high")
    assert bench.screen.why.text.startswith(words.NOTHING_NEXT)


@pytest.mark.parametrize("tab", [tab for tab in schema.TABS if tab != "Partition"])
def test_every_tab_of_the_editor_says_what_would_be_there(bench, tab):  # U-10
    editor = bench.screen.editor
    editor.tabs.selected_index = schema.TABS.index(tab)
    assert editor.forms[tab].children == (editor.missing,)
    assert all(setting.key in editor.missing.text for setting in schema.queue_settings(DEFAULT) if setting.tab == tab)
    bench.select(TENANTS)
    assert editor.missing not in editor.forms[tab].children


def test_a_preset_without_tables_does_not_send_people_there(bench):  # U-11
    assert texts.SELECT_A_REQUEST in bench.screen.why.text
    bench.show_as("teach")
    assert texts.SELECT_A_REQUEST not in bench.screen.why.text
    bench.show_as("inspect")
    assert texts.SELECT_A_REQUEST in bench.screen.why.text


# ---- fields ----------------------------------------------------------------------------------------------------------


def test_the_way_back_to_the_default_is_a_button_that_is_there_only_where_a_value_is_set(bench):
    bench.select(TENANTS)
    policy, offset = bench.screen.editor.row("priority.policy"), bench.screen.editor.row("priority.offset")
    assert policy.reset.layout.display is None and policy.reset.description == "Reset to default" and policy.reset.icon
    assert offset.reset.layout.display == "none"
    bench.set(TENANTS, "priority.offset", 5)
    assert offset.reset.layout.display is None and offset.reset.description == "Reset to default (0)"
    offset.reset.click()
    assert bench.config.partitions[0].queues[0].queues[1].properties.get("priority.offset") is None
    assert offset.reset.layout.display == "none"


def test_a_choice_that_nothing_looks_at_shows_no_value_as_if_it_were_in_force(bench):  # U-14
    bench.select(TENANTS)
    row = bench.screen.editor.row("application.sort.policy")
    assert row.control.value is None and row.control.disabled and row.note.text == "Only leaf queues sort applications."
    bench.select("root.tenants.tenant-a.child-a-1")
    assert bench.screen.editor.row("application.sort.policy").control.value == "fifo"


def test_a_value_without_effect_can_be_removed_all_the_same():
    bench = Workbench.from_yaml(f"{LEAF}      properties: {{application.sort.policy: fair}}\n      queues:\n      - name: b\n")
    bench.select("root.a")
    row = bench.screen.editor.row("application.sort.policy")
    assert row.control.disabled and row.control.value == "fair" and not row.reset.disabled
    row.reset.click()
    assert "application.sort.policy" not in str(bench.to_yaml())


# ---- a line of the design while a draft is open ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draft", "line", "expected"),
    [
        ("a\nb\nc", 2, (2, True)),
        ("new\na\nb\nc", 2, (3, True)),
        ("a\nchanged\nc", 2, (2, False)),
        ("a\nc", 2, (2, False)),
        ("a", 3, (1, False)),
        ("", 1, (1, False)),
    ],
    ids=["untouched", "a line before", "changed", "deleted", "cut off", "empty"],
)
def test_a_line_of_the_design_is_found_in_a_draft(draft, line, expected):
    assert line_in_draft("a\nb\nc", draft, line) == expected


def test_a_line_pressed_in_checks_is_shown_where_the_draft_has_it_and_says_so(bench):
    screen, sent = bench.screen, []
    editor = screen.tables.tabs["yaml"].widget
    screen.tables.bring("yaml")
    screen.tables.bring("checks")
    editor.send = lambda message, *_buffers: sent.append(message)
    editor.draft = "# a comment\n" + editor.value
    screen._open_line(20)
    assert sent[-1] == {"verb": "reveal", "line": 21}
    assert editor.note == "Line 20 of the design is line 21 of this text, which is not applied yet."
    editor.draft += "# more"
    assert editor.note == text_editor.DRAFT_OPEN
    lines = editor.value.split("\n")
    editor.draft = "\n".join([*lines[:19], "changed: true", *lines[20:]])
    screen._open_line(20)
    assert editor.note == "Line 20 of the design is changed in this text, which is not applied yet."


# ---- trying a check --------------------------------------------------------------------------------------------------


SPLIT = """
partitions:
- name: default
  queues:
  - name: root
    submitacl: '*'
    queues:
    - name: a
      properties: {preemption.policy: fence}
      queues:
      - name: b
        resources: {guaranteed: {vcore: 2}}
    - name: c
"""


def test_a_check_that_depends_on_the_workload_is_tried_with_one_press_and_keeps_its_sentence():  # E-40
    bench = Workbench.from_yaml(SPLIT)
    tab = bench.screen.tables.bring("checks")
    tried = next(item for item in tab.widget.items if item["code"] == "L-31")
    assert tried["tries"] == "Try it" and tried["trial"] == ""
    before = bench.simulation.digest()
    tab.widget._handle_custom_msg({"verb": "try", "id": tried["id"]}, [])
    assert bench.status.text.startswith("Tried, and so it is: root.a.b came to vcore 0 of the 2 it is guaranteed")
    assert next(item for item in tab.widget.items if item["code"] == "L-31")["trial"] == bench.status.text
    assert bench.simulation.digest() == before and not bench.can_undo
    # Another design has other trials.
    bench.set("root.c", "priority.offset", 1)
    assert all(item["trial"] == "" for item in tab.widget.items)


def test_what_cannot_be_tried_has_no_button_and_is_refused(bench):
    tab = bench.screen.tables.bring("checks")
    fence = next(item for item in tab.widget.items if item["code"] == "L-10")
    assert fence["tries"] == ""
    tab.widget._handle_custom_msg({"verb": "try", "id": fence["id"]}, [])
    assert "tried" not in bench.status.text.lower()
    with pytest.raises(CommandError, match="needs no trial"):
        bench.try_out("L-10", TENANTS)
    with pytest.raises(CommandError, match="no check L-99"):
        bench.try_out("L-99", TENANTS)
