"""The screen without a browser: buttons pressed, traits set as a browser would, and the regions read."""

from __future__ import annotations

import asyncio
import time

import pytest

pytest.importorskip("ipywidgets")

from workbench import Workbench
from workbench.bench.pictures import PICTURES
from workbench.scheduler.records.commands import AddApplication, AddAsk, ApplicationSpec, AskSpec
from workbench.values.resources import Resource
from workbench.widgets.screen import Screen

TENANTS = "root.tenants"
EVIL = '<img src=x onerror="alert(1)">$x$'


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


@pytest.fixture
def screen(bench) -> Screen:
    return bench.screen


def requests_of(screen: Screen) -> list[str]:
    return [row[screen.tables.tabs["pending"].widget.columns.index("request")] for row in screen.tables.tabs["pending"].widget.rows]


def text_colour(screen: Screen) -> str:
    return screen.picture.figures["path"].figure["layout"]["template"]["layout"]["font"]["color"]


# ---- showing ------------------------------------------------------------------------------------------------------


def test_the_workbench_shows_its_screen_and_its_text(bench):  # U-28
    bundle = bench._repr_mimebundle_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == bench.screen.widget.model_id
    assert bundle["text/plain"] == repr(bench)


def test_showing_twice_shows_the_same_models(bench):  # U-29
    first, second = bench._repr_mimebundle_(), bench._repr_mimebundle_()
    assert first == second


def test_two_workbenches_are_independent(bench, screen):  # U-29
    other = Workbench.example("multitenancy")
    other.screen.bar.step.click()
    assert bench.simulation.position == 0
    assert screen.bar.rail.position == 0


def test_every_region_shows_the_start(screen):  # U-2, U-7
    assert len(screen.tree.rows) == 12
    assert screen.why.text.startswith("P1 of app system-high is next")
    assert requests_of(screen)[0] == "P1"
    assert screen.picture.captions["path"].text.startswith("system-high goes first")
    assert screen.editor.title.text == "Select a queue in the tree to edit it."
    assert screen.tables.tabs["order"].widget.rows == [] and screen.tables.tabs["order"].widget.empty
    assert (screen.bar.rail.position, screen.bar.rail.recorded, screen.bar.rail.total) == (0, 0, 11)


def test_buttons_that_cannot_do_anything_are_disabled(screen):
    assert screen.bar.back.disabled and screen.bar.reset.disabled and screen.bar.undo.disabled and screen.bar.redo.disabled
    screen.bar.step.click()
    assert not screen.bar.back.disabled and not screen.bar.reset.disabled


# ---- stepping -----------------------------------------------------------------------------------------------------


def test_step_updates_every_region(screen):
    screen.bar.step.click()
    assert screen.bar.rail.labels == ["P1"]
    assert screen.why.text.startswith("P10 of app system-normal is next")
    assert "P1" not in requests_of(screen)
    assert screen.status.text == "Step 1: P1 of app system-high was placed on node-1.\nbench.step()"


def test_only_the_table_in_front_is_redrawn(bench, screen):  # section 13
    bench.run(max_steps=3)
    assert screen.tables.tabs["order"].widget.rows == []
    screen.tables.bring("order")
    order = screen.tables.tabs["order"].widget
    assert [row[order.columns.index("request")] for row in order.rows] == ["P1", "P10", "P2"]
    waiting = screen.tables.tabs["pending"].widget.rows
    bench.step()
    assert screen.tables.tabs["pending"].widget.rows == waiting
    screen.tables.bring("calls")
    assert screen.tables.tabs["calls"].widget.text.splitlines()[1:] == ["bench.run(max_steps=3)", "bench.step()"]
    screen.tables.bring("pending")
    assert screen.tables.tabs["pending"].widget.rows != waiting


def test_eleven_steps_and_one_more(screen):
    for _ in range(12):
        screen.bar.step.click()
    assert screen.bar.rail.labels == ["P1", "P10", "P2", "P8", "P6", "P5", "P4", "P9", "P8", "P7", "P3"]
    assert screen.status.text.startswith("Nothing is waiting")
    assert screen.tables.tabs["pending"].widget.rows == []


def test_verbs_in_code_move_the_screen_too(bench, screen):  # U-5, U-29
    bench.run(max_steps=4)
    assert screen.bar.rail.position == 4
    bench.goto(2)
    assert (screen.bar.rail.position, screen.bar.rail.recorded) == (2, 4)


def test_the_rail_moves_through_recorded_steps_only(bench, screen):
    bench.run(max_steps=3)
    screen.bar.rail._handle_custom_msg({"verb": "goto", "step": 1}, [])
    assert bench.simulation.position == 1
    screen.bar.rail._handle_custom_msg({"verb": "goto", "step": "2"}, [])  # no number, no move
    screen.bar.rail._handle_custom_msg(["goto"], [])
    assert bench.simulation.position == 1


def test_run_without_an_event_loop_runs_to_the_end(bench, screen):
    screen.bar.run.click()
    assert bench.simulation.position == 11


def test_a_run_in_a_kernel_can_be_stopped_and_keeps_the_last_completed_step(bench, screen, monkeypatch):  # U-18, A-9
    monkeypatch.setattr("workbench.bench.work.AT_ONCE_SECONDS", 0.0)
    monkeypatch.setattr("workbench.bench.work.CHUNK_SECONDS", 0.0)
    real_step = bench.simulation.step
    monkeypatch.setattr(bench.simulation, "step", lambda: (time.sleep(0.02), real_step())[1])

    async def press_run_then_stop() -> None:
        screen.bar.run.click()
        await asyncio.sleep(0.05)
        assert screen.bar.run.description == "Stop"
        assert screen.bar.step.disabled
        screen.bar.run.click()
        for _ in range(50):
            if screen.bar.run.description == "Run":
                return
            await asyncio.sleep(0.01)
        raise AssertionError("the run did not stop")

    asyncio.run(press_run_then_stop())
    assert 0 < bench.simulation.position < 11
    assert screen.bar.rail.position == bench.simulation.position
    assert bench.calls[-1] == f"bench.run(max_steps={bench.simulation.position})"
    assert not screen.bar.step.disabled


def test_a_run_in_a_kernel_ends_by_itself(bench, screen):
    async def press_run() -> None:
        screen.bar.run.click()
        while screen.bar.run.description == "Stop" or bench.simulation.position == 0:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(press_run(), 10))
    assert bench.simulation.position == 11
    assert bench.calls[-1] == "bench.run()"


# ---- selecting ----------------------------------------------------------------------------------------------------


def test_selecting_in_the_tree_fills_the_editor(bench, screen):  # U-12
    screen.tree.selected = TENANTS
    assert bench.selected == TENANTS
    assert screen.editor.title.text == TENANTS
    screen.editor.clear.click()
    assert bench.selected == "" and screen.tree.selected == ""


def test_selecting_a_request_selects_its_queue_and_tells_why_it_waits(bench, screen):  # U-12, U-20
    at = requests_of(screen).index("P9")
    screen.tables.tabs["pending"].widget.selected = screen.tables.tabs["pending"].widget.row_keys[at]
    assert bench.selected_request == ("child-b-1", "P9")
    assert screen.tree.selected == "root.tenants.tenant-b.child-b-1"
    assert screen.why.text.startswith("Not yet: P9 of app child-b-1")
    screen.tables.tabs["pending"].widget.selected = ""
    assert bench.selected_request is None
    assert screen.why.text.startswith("P1 of app")


def test_a_click_on_a_queue_in_the_picture_selects_it(bench, screen):
    traces = screen.picture.figures["path"].figure["data"]
    at = next(index for index, trace in enumerate(traces) if TENANTS in trace.get("customdata", ()))
    click = {"event": "click", "trace": at, "point": list(traces[at]["customdata"]).index(TENANTS)}
    screen.picture.figures["path"]._handle_custom_msg(click, [])
    assert screen.tree.selected == TENANTS
    ring = screen.picture.figures["path"].figure["data"][-1]
    assert list(ring["customdata"]) == [TENANTS]


def test_an_unknown_selection_from_a_view_is_told_not_raised(bench, screen):
    screen.tree.selected = "root.gone"
    assert bench.status.is_error
    assert screen.tree.selected == ""


# ---- editing ------------------------------------------------------------------------------------------------------


def test_the_fence_toggled_in_the_editor_changes_the_ranking_at_once(bench, screen):  # A-2, U-3
    bench.run(max_steps=1)
    before = requests_of(screen)
    screen.tree.selected = TENANTS
    screen.editor.row("priority.policy").control.value = "default"
    assert requests_of(screen) != before
    assert [row["value"] for row in screen.tree.rows if row["path"] == TENANTS] == ["10"]
    assert [row["marks"] for row in screen.tree.rows if row["path"] == TENANTS] == [[]]
    screen.bar.undo.click()
    assert requests_of(screen) == before


def test_an_edit_in_mid_run_marks_the_first_difference_on_the_rail(bench, screen):  # A-3, U-16
    bench.run(max_steps=5)
    bench.set(TENANTS, "priority.policy", "default")
    assert screen.bar.rail.differs_at == 2
    assert screen.bar.rail.position == 5
    bench.undo()
    assert screen.bar.rail.labels == ["P1", "P10", "P2", "P8", "P6"]


def test_a_wrong_offset_has_its_sentence_beside_the_field_and_changes_nothing(bench, screen):  # A-7, U-9
    screen.tree.selected = TENANTS
    config = bench.config
    field = screen.editor.row("priority.offset")
    field.control.value = "many"
    assert "'many' is no whole number" in field.problem.text
    assert field.control.value == "many"
    assert screen.status.paragraphs[0]["kind"] == "error"
    assert bench.config == config
    field.control.value = "12"
    assert field.problem.text == ""
    assert bench.config != config


def test_a_problem_goes_when_another_queue_is_selected(screen):
    screen.tree.selected = TENANTS
    field = screen.editor.row("priority.offset")
    field.control.value = "many"
    screen.tree.selected = "root.system"
    assert field.problem.text == ""
    assert field.control.value == "0"


def test_the_slider_and_the_text_are_one_value(bench, screen):  # U-15
    screen.tree.selected = "root.system.system-high"
    field = screen.editor.row("priority.offset")
    assert (field.control.value, field.slider.value) == ("1000", 1000)
    field.slider.value = 200
    assert field.control.value == "200"
    field.control.value = "5000"
    assert field.slider.value == 1000
    assert bench.calls[-1] == 'bench.set("root.system.system-high", "priority.offset", "5000")'


def test_default_removes_a_property(bench, screen):
    screen.tree.selected = TENANTS
    field = screen.editor.row("priority.policy")
    assert not field.reset.disabled
    field.reset.click()
    assert field.control.value == "default"
    assert field.reset.disabled
    assert bench.calls[-1] == 'bench.set("root.tenants", "priority.policy", None)'


def test_the_editor_offers_what_the_engine_version_of_the_design_knows(bench, screen):  # U-14, C-183
    bench.select("root.tenants.tenant-a.child-a-1")
    policy = screen.editor.row("application.sort.policy").control
    assert policy.options == ("fifo", "fair")
    old = Workbench.example("state-aware")
    old.select("root.reports")
    policy = old.screen.editor.row("application.sort.policy").control
    assert (policy.options, policy.value) == (("fifo", "fair", "stateaware"), "stateaware")
    policy.value = "fifo"
    assert old.simulation.release == "1.4"
    assert old.partition.root.children["reports"].settings.application_sort_policy == "fifo"
    bench.load("state-aware")
    bench.select("root.reports")
    assert screen.editor.row("application.sort.policy").control.value == "stateaware"


def test_fields_without_effect_are_disabled_and_say_why(screen):  # U-14
    screen.tree.selected = TENANTS
    sort = screen.editor.row("application.sort.policy")
    assert sort.control.disabled
    assert "Only leaf queues sort applications" in sort.note.text
    screen.tree.selected = "root"
    assert screen.editor.row("priority.offset").control.disabled
    assert "no queue beside it" in screen.editor.row("priority.offset").note.text
    screen.tree.selected = "root.system.system-low"
    assert not screen.editor.row("application.sort.policy").control.disabled


def test_showing_a_queue_edits_nothing(bench, screen):
    for row in list(screen.tree.rows):
        screen.tree.selected = row["path"]
    assert not bench.can_undo


def test_another_design_is_loaded_from_the_bar(bench, screen):
    screen.bar.design.value = "two-tenants"
    assert bench.name == "two-tenants"
    assert {row["path"] for row in screen.tree.rows} != set()
    assert screen.bar.rail.position == 0


# ---- theme, size, robustness --------------------------------------------------------------------------------------


def test_the_theme_of_the_page_reaches_the_picture(screen):  # U-23
    light = text_colour(screen)
    screen.tree.theme = "dark"
    assert text_colour(screen) != light
    assert "wb-dark" in screen.widget._dom_classes
    screen.tree.theme = "light"
    assert "wb-dark" not in screen.widget._dom_classes


def test_pictures_are_laid_out_for_the_measured_width(screen):
    screen.picture.region.width = 700
    assert 650 < screen.picture.figures["path"].figure["layout"]["width"] <= 700


def test_a_picture_is_made_when_its_tab_is_first_seen_and_then_kept(bench, screen):
    assert list(screen.picture.figures) == ["path"]
    screen.picture.tabs.selected_index = list(PICTURES).index("nodes")
    nodes = screen.picture.figures["nodes"]
    bench.step()
    screen.picture.tabs.selected_index = 0
    assert screen.picture.figures["nodes"] is nodes


def test_names_of_any_kind_are_shown_as_text(bench, screen):
    bench.apply(
        AddApplication(application=ApplicationSpec(id=EVIL, queue="root.tenants.tenant-a.child-a-1", user="alice")),
        AddAsk(ask=AskSpec(application_id=EVIL, key=EVIL, resource=Resource(vcore=1000), priority=2_000_000)),
    )
    at = next(index for index, row in enumerate(screen.tables.tabs["pending"].widget.rows) if EVIL in row)
    screen.tables.tabs["pending"].widget.selected = screen.tables.tabs["pending"].widget.row_keys[at]
    assert EVIL in screen.why.text
    assert bench.selected_request == (EVIL, EVIL)
    for trace in screen.picture.figures["path"].figure["data"]:
        assert not any("<img" in text for text in trace.get("text", ()))
    bench.run()
    assert EVIL in " ".join(screen.bar.rail.hints)


def test_a_failing_redraw_is_told_and_does_not_break_the_verb(bench, screen, monkeypatch):  # P10
    def broken(*_args):
        raise RuntimeError("no ink")

    monkeypatch.setattr(screen.picture, "show", broken)
    assert bench.step().key == "P1"
    assert "no ink" in screen.status.text


def test_a_bug_behind_a_button_is_told_in_the_status_line(bench, screen, monkeypatch):  # P10
    def broken():
        raise RuntimeError("engine trouble")

    monkeypatch.setattr(bench.simulation, "step", broken)
    screen.bar.step.click()
    assert "engine trouble" in screen.status.text


def test_a_large_backlog_is_cut_and_says_so(bench, screen):  # section 13: updates stay small
    bench.apply(
        *(
            AddAsk(ask=AskSpec(application_id="system-low", key=f"many-{number}", resource=Resource(vcore=1)))
            for number in range(1000)
        )
    )
    assert len(screen.tables.tabs["pending"].widget.rows) == 1000
    assert screen.tables.tabs["pending"].widget.note == "and 11 more requests"


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_follows_steps_edits_and_selections(bench, screen, name):
    screen.picture.tabs.selected_index = list(PICTURES).index(name)
    digest = bench.simulation.digest()
    assert screen.picture.captions[name].text
    bench.refresh()
    assert bench.simulation.digest() == digest
    bench.run(max_steps=4)
    bench.select(TENANTS)
    bench.set(TENANTS, "priority.offset", 50)
    assert not bench.status.is_error
    assert bench.simulation.position == 4
