"""The Why region without a browser: five sentences, everything behind Show all, what changed, and the way to ask why not."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from workbench import CommandError, Workbench
from workbench.widgets.regions.why_region import WhyRegion
from workbench.widgets.screen import Screen


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


@pytest.fixture
def why(bench) -> WhyRegion:
    return bench.screen.reasons


def kinds(why: WhyRegion) -> list[str]:
    return [paragraph["kind"] for paragraph in why.text.paragraphs]


def is_shown(widget) -> bool:
    return widget.layout.display != "none"


def test_an_answer_has_five_sentences_and_the_rest_comes_with_show_all(monkeypatch):  # U-19
    bench = Workbench.example("multitenancy")
    for queue in range(1, 9):
        bench.add_app(f"big-{queue}", "root.system.system-low")
        bench.add_request(f"big-{queue}", "huge", {"vcore": "999"}, priority=100)
    bench.run()
    why = bench.screen.reasons
    assert why.text.text.startswith("Nothing can be placed now.")
    assert len([kind for kind in kinds(why) if kind in ("title", "body")]) == 5
    assert len(why.more.paragraphs) >= 4
    assert not is_shown(why._all_box)
    why.all.value = True
    assert is_shown(why._all_box)
    assert "999" in why.more.text


def test_show_all_opens_the_table_of_records_and_show_less_closes_it(bench, why):  # U-19, section 7
    assert why.records.rows == []
    why.all.value = True
    assert why.all.description == "Show less"
    assert why.records.columns == ["level", "tried", "candidate", "compared", "verdict", "why"]
    assert ["queues of root, by priority, share", "1", "system", "priority 1001, share 0", "taken", ""] in why.records.rows
    assert kinds(why) == ["title"]
    bench.step()
    assert ["queues of root, by priority, share", "1", "system", "priority 10, share 0.0625", "taken", ""] in why.records.rows
    why.all.value = False
    assert why.all.description == "Show all" and not is_shown(why._all_box)
    assert "body" in kinds(why)


def test_what_the_last_step_changed_is_shown_and_follows_the_steps(bench, why):  # section 5
    why.changed.value = True
    assert why.changes.rows == [] and why.changes.empty == "Nothing was decided yet."
    bench.step()
    assert why.changes.rows[0] == ["allocation", "P1 of app system-high", "node", "–", "node-1"]
    bench.back()
    assert why.changes.rows == []
    why.changed.value = False
    assert not is_shown(why._changed_box)


def test_what_is_closed_is_not_made(bench, why, monkeypatch):  # section 13
    from workbench import explain

    def never(*_args, **_options):
        raise AssertionError("a closed table was made")

    monkeypatch.setattr(explain, "record_rows", never)
    monkeypatch.setattr(explain, "change_rows", never)
    bench.step()
    assert not bench.status.is_error


def test_why_not_is_offered_for_the_request_of_the_highest_priority_that_is_not_next(bench, why):  # section 3
    assert why.why_not.description == "Why not P10" and is_shown(why.why_not) and not is_shown(why.clear)
    why.why_not.click()
    assert bench.selected_request == ("system-normal", "P10")
    assert why.text.text.startswith("Not yet: P10")
    assert is_shown(why.clear) and not is_shown(why.why_not)
    why.clear.click()
    assert bench.selected_request is None and bench.selected == ""
    assert is_shown(why.why_not)


def test_while_a_prediction_is_asked_for_nothing_of_it_is_told(bench, why):  # section 5, predict
    why.all.value = why.changed.value = True
    bench.step()
    assert why.records.rows
    bench.predict()
    assert why.records.rows == [] and not is_shown(why._all_box) and not is_shown(why.all) and not is_shown(why.why_not)
    assert "P10" not in why.text.text and kinds(why) == ["title", "body"]
    assert why.changes.rows[0][1] == "P1 of app system-high"
    bench.reveal()
    assert why.records.rows == []
    bench.uncover()
    assert why.records.rows and is_shown(why._all_box)


def test_a_blind_question_covers_what_the_last_step_did_to_priorities_too(bench, why):  # lesson 4
    why.changed.value = True
    bench.step()
    assert why.changes.rows
    bench.predict(blind=True)
    assert why.changes.rows == [] and not is_shown(why._changed_box) and not is_shown(why.changed)
    bench.reveal()
    assert why.changes.rows and is_shown(why.changed)


def test_nothing_is_offered_when_only_the_next_one_waits(bench, why):
    bench.run(max_steps=10)
    assert not is_shown(why.why_not)


def test_names_on_buttons_are_text(bench, why):
    evil = '<img src=x onerror="alert(1)">'
    bench.add_request("x", evil, {"vcore": "1"}, queue="root.system.system-low", priority=10_000)
    bench.set("root.system.system-low", "priority.offset", -20_000)
    assert why.why_not.description.startswith("Why not <img")
    assert len(why.why_not.description) <= len("Why not ") + 16


def test_what_changed_leaves_everything_as_it_was(bench):  # section 5, U-4
    bench.run(max_steps=5)
    bench.back()
    before = (
        bench.simulation.digest(),
        bench.simulation.position,
        bench.simulation.recorded,
        list(bench.simulation.said),
        bench.can_undo,
    )
    bench.what_changed(0, 5)
    bench.what_changed()
    assert (
        bench.simulation.digest(),
        bench.simulation.position,
        bench.simulation.recorded,
        list(bench.simulation.said),
        bench.can_undo,
    ) == before


def test_what_changed_holds_everything_that_the_decision_says_it_changed(bench):
    bench.run(max_steps=6)
    for number in range(1, 7):
        told = {
            (change.subject, change.what)
            for change in bench.simulation.explain(number).changes
            if change.what in ("priority", "allocated", "state")
        }
        lines = str(bench.what_changed(number - 1, number))
        for subject, what in told:
            assert any(subject in line.split() and what in line.split() for line in lines.splitlines()), (number, subject, what)


def test_what_changed_sees_what_was_put_in_and_what_ended(bench):
    bench.run(max_steps=2)
    bench.finish("system-high", "P1")
    bench.add_node("node-9", {"vcore": "1"})
    bench.drain_node("node-1")
    rows = [line.split() for line in str(bench.what_changed(1, 2)).splitlines()]
    assert ["allocation", "P1", "of", "app", "system-high", "node", "node-1", "–"] in rows
    assert ["node", "node-9", "schedulable", "–", "yes"] in rows
    assert ["node", "node-1", "schedulable", "yes", "no"] in rows


@pytest.mark.parametrize("steps", [(0, 9), (-1, 0), (3, 4)])
def test_steps_that_were_not_taken_are_refused(bench, steps):
    bench.run(max_steps=2)
    with pytest.raises(CommandError, match="no recorded step"):
        bench.what_changed(*steps)


def test_equal_states_are_said_to_be_equal(bench):
    bench.step()
    assert str(bench.what_changed(1, 1)) == "Nothing differs between the states after step 1 and after step 1."


def test_screen_and_text_say_the_same(bench, why):  # U-5, U-24
    bench.run(max_steps=2)
    why.changed.value = True
    lines = str(bench.what_changed()).splitlines()[1:]
    assert [line.split() for line in lines] == [" ".join(row).split() for row in why.changes.rows]
    assert isinstance(bench.screen, Screen)
