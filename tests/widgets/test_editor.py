"""The editor's tabs, the YAML tab, the tree's wishes and the presets, without a browser."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from workbench import Workbench
from workbench.bench import schema
from workbench.bench.views import REGIONS, VIEWS
from workbench.config import edit
from workbench.scheduler.releases.profiles import DEFAULT
from workbench.widgets.parts.text_editor import TextEditor

TENANTS, SYSTEM, LEAF = "root.tenants", "root.system", "root.tenants.tenant-a.child-a-1"


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


@pytest.fixture
def editor(bench):
    return bench.screen.editor


@pytest.mark.parametrize("path", ["root", TENANTS, LEAF])
@pytest.mark.parametrize("tab", schema.TABS)
def test_every_tab_shows_its_fields_and_edits_nothing(bench, editor, path, tab):
    bench.select(path)
    editor.tabs.selected_index = schema.TABS.index(tab)
    shown = [key for key, row in editor.rows.items() if row.widget in editor.forms[tab].children]
    expected = [each.key for each in (*schema.queue_settings(DEFAULT), *schema.PARTITION_SETTINGS) if each.tab == tab]
    assert shown == expected
    assert not bench.can_undo


def test_a_field_without_effect_is_disabled_and_says_why(bench, editor):  # U-14
    cases = [
        ("root", "resources.max", "The nodes are the maximum of root"),
        (LEAF, "childtemplate", "No effect on a leaf"),
        (TENANTS, "preemption.delay", "the leaves below begin with"),
        (LEAF, "preemption.quota.delay", "quotapreemptionenabled is false"),
        (LEAF, "application.unschedasks.backoff.delay", "backoff is 0"),
        ("root", "parent", "always a parent"),
    ]
    for path, key, told in cases:
        bench.select(path)
        row = editor.row(key)
        assert row.control.disabled, (path, key)
        assert told in row.note.text


def test_a_switch_of_the_partition_enables_what_depends_on_it(bench, editor):
    bench.set("partition", "preemption.quotapreemptionenabled", "true")
    bench.set("partition", "preemption.enabled", "false")
    bench.select(LEAF)
    assert not editor.row("preemption.quota.delay").control.disabled
    assert "preemption.enabled is false" in editor.row("preemption.delay").note.text


def test_settings_that_an_engine_does_not_know_are_disabled():  # C-184
    bench = Workbench.example("state-aware")
    bench.select("root.reports")
    row = bench.screen.editor.row("application.unschedasks.backoff")
    assert row.control.disabled and "Release 1.4" in row.note.text


def test_amounts_are_edited_box_by_box(bench, editor):
    bench.select(SYSTEM)
    form = editor.row("resources.max").form
    form.boxes["vcore"].value = "8"
    form.boxes["memory"].value = "16Gi"
    assert dict(edit.queue_at(bench.config, SYSTEM).resources.max) == {"vcore": "8", "memory": "16Gi"}
    form.other.value = "nvidia.com/gpu: 2"
    assert form.boxes["nvidia.com/gpu"].value == "2"
    form.boxes["vcore"].value = "lots"
    row = editor.rows["resources.max"]
    assert "invalid quantity" in row.problem.text
    assert form.boxes["vcore"].value == "lots"
    form.boxes["vcore"].value = ""
    assert dict(edit.queue_at(bench.config, SYSTEM).resources.max) == {"memory": "16Gi", "nvidia.com/gpu": "2"}
    row.reset.click()
    assert edit.queue_at(bench.config, SYSTEM).resources.max is None


def test_a_block_is_applied_or_told_with_its_line_and_never_lost(bench, editor):
    bench.select(SYSTEM)
    block = editor.row("limits").control
    assert isinstance(block, TextEditor)
    block.apply("- users: [alice]\n  maxapplication: 2")
    assert block.problem_line == 2 and "maxapplication" in block.problem
    bench.step()
    assert block.draft == "- users: [alice]\n  maxapplication: 2"
    block.apply("- users: [alice]\n  maxapplications: 2")
    assert (block.problem, block.has_draft) == ("", False)
    assert edit.queue_at(bench.config, SYSTEM).limits[0].users == ("alice",)
    bench.select(TENANTS)
    assert editor.row("limits").control.draft == ""


def test_a_draft_of_one_queue_is_not_shown_for_another(bench, editor):
    bench.select(SYSTEM)
    editor.row("limits").control.draft = "- half"
    bench.select(TENANTS)
    assert editor.row("limits").control.draft == ""


def test_children_inherit_what_the_field_shows(bench, editor):  # C-130
    bench.set(TENANTS, "application.sort.policy", "fair")
    bench.select(LEAF)
    row = editor.row("application.sort.policy")
    assert row.control.value == "fair"
    assert "◦" not in row.head.text and row.reset.disabled


# ---- the YAML tab -------------------------------------------------------------------------------------------------------


def test_yaml_goes_both_ways(bench):
    tab = bench.screen.tables.bring("yaml").widget
    assert tab.value == str(bench.to_yaml())
    bench.set(TENANTS, "priority.offset", 5)
    assert "priority.offset: 5" in tab.draft
    wrong = tab.draft.replace("priority.offset: 5", "priority.offset: [5")
    tab.apply(wrong)
    assert tab.problem.startswith("line ") and tab.problem_line > 0
    assert tab.draft == wrong
    tab.apply(wrong.replace("[5", "6"))
    assert tab.problem == ""
    assert bench.partition.root.children["tenants"].settings.priority_offset == 6


def test_a_draft_stays_when_the_design_changes_and_goes_with_discard(bench):
    tab = bench.screen.tables.bring("yaml").widget
    tab.draft = tab.value + "# mine\n"
    bench.set(TENANTS, "priority.offset", 5)
    assert tab.draft.endswith("# mine\n")
    assert "has changed since" in tab.note
    tab._handle_custom_msg({"verb": "discard", "text": tab.draft}, [])
    assert tab.draft == str(bench.to_yaml())


def test_messages_that_make_no_sense_are_ignored(bench):
    tab = bench.screen.tables.bring("yaml").widget
    for content in (None, [], {"verb": "apply"}, {"verb": "apply", "text": 5}, {"text": "x"}):
        tab._handle_custom_msg(content, [])
    assert tab.problem == ""


# ---- the tree's wishes --------------------------------------------------------------------------------------------------


def wish(bench: Workbench, **content) -> list[dict]:
    tree, sent = bench.screen.tree, []
    tree.send = lambda message, buffers=None: sent.append(message)
    tree._handle_custom_msg({"number": "n1", **content}, [])
    return sent


def test_a_wish_is_carried_out_and_answered(bench):
    assert wish(bench, verb="add", path=TENANTS, name="new") == [{"verb": "answer", "number": "n1", "refused": ""}]
    assert bench.screen.tree.selected == "root.tenants.new"
    wish(bench, verb="rename", path="root.tenants.new", name="newer")
    wish(bench, verb="duplicate", path="root.tenants.newer")
    wish(bench, verb="move", path="root.tenants.newer-copy", parent=SYSTEM, index=0)
    wish(bench, verb="delete", path="root.tenants.newer")
    paths = [row["path"] for row in bench.screen.tree.rows]
    assert "root.system.newer-copy" in paths and "root.tenants.newer" not in paths
    assert paths.index("root.system.newer-copy") == paths.index(SYSTEM) + 1


def test_a_refused_wish_is_answered_with_the_reason(bench):
    (answer,) = wish(bench, verb="add", path=TENANTS, name="not good")
    assert "invalid queue name" in answer["refused"]
    assert not bench.can_undo


@pytest.mark.parametrize(
    "content",
    [
        {"verb": "add", "path": TENANTS},
        {"verb": "add", "path": 5, "name": "x"},
        {"verb": "nosuch", "path": TENANTS},
        {"path": TENANTS},
    ],
)
def test_a_wish_that_makes_no_sense_is_ignored(bench, content):
    assert wish(bench, **content) == []


def test_rows_say_what_can_be_changed(bench):
    rows = {row["path"]: row for row in bench.screen.tree.rows}
    assert not rows["root"]["editable"] and rows["root"]["configured"]
    assert rows[TENANTS]["editable"]


def test_marks_of_fences_and_draining_queues(bench):  # U-13
    bench.set(SYSTEM, "preemption.policy", "fence")
    bench.set(TENANTS, "preemption.policy", "disabled")
    bench.run(max_steps=4)
    bench.edit_mode("reload")
    bench.delete_queue("root.tenants.tenant-b")
    rows = {row["path"]: row for row in bench.screen.tree.rows}
    assert [mark["text"] for mark in rows[SYSTEM]["marks"]] == ["‖"]
    assert "⊘" in [mark["text"] for mark in rows[TENANTS]["marks"]]
    assert "draining" in [mark["text"] for mark in rows["root.tenants.tenant-b"]["marks"]]
    assert not rows["root.tenants.tenant-b"]["configured"]


# ---- presets, Why -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", VIEWS)
def test_a_preset_shows_its_regions_only(view):  # U-11
    bench = Workbench.example("multitenancy", view=view)
    hidden = {name for name in REGIONS if "wb-hidden" in bench.screen.regions[name]._dom_classes}
    assert hidden == set(REGIONS) - set(VIEWS[view])


def test_the_preset_can_be_changed_and_an_unknown_one_is_refused(bench):
    from workbench import CommandError

    bench.screen.bar.view.value = "teach"
    assert bench.view == "teach" and bench.calls[-1] == 'bench.show_as("teach")'
    with pytest.raises(CommandError, match="full, teach, inspect, edit"):
        bench.show_as("film")


def test_why_shows_what_was_tried_and_would_help(bench):
    bench.run(max_steps=3)
    bench.select(request="P9")
    assert bench.screen.why.text.startswith(str(bench.why_not("P9")))
    assert "(tried)" in bench.screen.why.text
