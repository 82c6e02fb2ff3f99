"""G-1: the queues in scheduling order and the way of the next choice, asserted as data. U-2, U-21, U-24."""

from __future__ import annotations

import json

import plotly.graph_objects as go
import pytest

from workbench.plots.pictures import path as path_picture
from workbench.plots.pictures.path import figure, rows, update
from workbench.plots.pictures.path_rows import CHOSEN, LINES, SKIPPED, WAITING
from workbench.plots.theme import DARK, LIGHT
from workbench.scheduler.records.commands import AddNode
from workbench.scheduler.records.decision import Decision
from workbench.simulation import Simulation, asks
from workbench.simulation.scenario import example
from workbench.values.resources import Resource

HOSTILE = (
    "<script>alert(1)</script>",
    '<a href="javascript:alert(1)">x</a>',
    "<b>bold</b>",
    "a\"b'c",
    "two\nlines",
    "\u202eturned",
    "$x^2$",
    "&lt;",
    "x" * 5000,
    "שלום",
)
BLOCKED = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - {name: serving, properties: {priority.offset: "100"}, resources: {max: {vcore: 1}},
             queues: [{name: online}, {name: canary}]}
          - {name: batch, properties: {priority.policy: fence, priority.offset: "-5"}, queues: [{name: etl}]}
          - {name: empty, queues: [{name: leaf}]}
"""


@pytest.fixture
def multitenancy() -> Simulation:
    return Simulation.from_scenario(example("multitenancy"))


@pytest.fixture
def blocked() -> Simulation:
    """serving comes first, but its ask does not fit its maximum, so that etl is served."""
    sim = Simulation(BLOCKED)
    sim.add_nodes(1, vcore="8")
    sim.submit("api", queue="root.serving.online", asks=asks(1, prefix="api-", vcore="2"))
    sim.submit("etl", queue="root.batch.etl", asks=asks(1, prefix="etl-", vcore="1"))
    return sim


def picture_rows(sim: Simulation, **options) -> path_picture.PathRows:
    return rows(sim.state.partitions["default"], sim.preview(), **options)


def mark(data: path_picture.PathRows, path: str) -> path_picture.QueueMark:
    return next(each for each in data.marks if each.path == path)


# ---- data -----------------------------------------------------------------------------------------------------------


def test_siblings_stand_in_scheduling_order_with_the_next_on_top(multitenancy):
    data = picture_rows(multitenancy)
    leaves = sorted((each for each in data.marks if not each.has_children), key=lambda each: each.place.line)
    assert [each.path.rpartition(".")[2] for each in leaves] == [
        "system-high",
        "system-normal",
        "system-low",
        "child-a-1",
        "child-a-2",
        "child-b-1",
        "child-b-2",
    ]


def test_the_way_of_the_next_choice_leads_to_its_ask(multitenancy):
    data = picture_rows(multitenancy)
    assert [each.path for each in data.marks if each.way == CHOSEN] == ["root", "root.system", "root.system.system-high"]
    assert data.ask.key == "P1" and data.ask.note == "→ node-1"
    assert {each.place.line for each in data.marks if each.way == CHOSEN} == {0}


def test_the_title_says_what_is_seen(multitenancy):
    assert picture_rows(multitenancy).sentence == "system-high goes first: at root 1001 beats 0"


def test_labels_show_the_current_priority_and_edges_what_offsets_and_fences_do(multitenancy):
    data = picture_rows(multitenancy)
    assert (mark(data, "root.system.system-low").value, mark(data, "root.system.system-low").edge) == ("-997", "-1000")
    assert (mark(data, "root.tenants.tenant-a").value, mark(data, "root.tenants.tenant-a").edge) == ("10", "= 10")
    assert mark(data, "root.system").edge == ""
    assert [each.path for each in data.marks if each.is_fence] == ["root.tenants", "root.tenants.tenant-a", "root.tenants.tenant-b"]


def test_an_empty_queue_is_skipped_with_its_reason_and_has_no_priority(multitenancy):
    multitenancy.goto(1)
    high = mark(picture_rows(multitenancy), "root.system.system-high")
    assert (high.way, high.reason, high.value) == (SKIPPED, "no-pending", "n/a")


def test_what_comes_behind_the_next_choice_is_neither_chosen_nor_skipped(multitenancy):
    assert mark(picture_rows(multitenancy), "root.tenants").way == WAITING


def test_a_queue_tried_in_vain_shows_the_reason_where_trying_it_ended(blocked):  # A-05, W-11
    data = picture_rows(blocked)
    assert {each.path: each.reason for each in data.marks if each.way == SKIPPED} == {
        "root.serving": "",
        "root.serving.online": "queue-headroom",
        "root.serving.canary": "no-pending",
        "root.empty": "no-pending",
        "root.empty.leaf": "",
    }
    assert any("queue root.serving has 1 in all" in line for line in mark(data, "root.serving").hover)


def test_hover_holds_the_numbers(multitenancy):
    assert mark(picture_rows(multitenancy), "root.tenants.tenant-b").hover == (
        "root.tenants.tenant-b",
        "current priority 0",
        "priority.policy fence, priority.offset 0",
        "share 0",
        "pending vcore 3, memory 6Gi",
        "headroom vcore 16, memory 64Gi",
    )


def test_marks_keep_their_place_in_the_arrays_while_the_order_changes(multitenancy):
    before = [each.path for each in picture_rows(multitenancy).marks]
    multitenancy.goto(7)
    assert [each.path for each in picture_rows(multitenancy).marks] == before


def test_an_empty_cluster_says_that_nothing_is_waiting():  # U-10
    data = picture_rows(Simulation(BLOCKED))
    assert data.sentence == "Nothing is waiting" and data.ask is None
    assert not any(each.way == CHOSEN for each in data.marks)


def test_a_tree_of_150_queues_is_drawn_on_few_lines_with_the_way_and_its_siblings():
    leaves = ", ".join(f"{{name: q{number}}}" for number in range(14))
    departments = ", ".join(f"{{name: d{number}, queues: [{leaves}]}}" for number in range(10))
    sim = Simulation(f"partitions: [{{name: default, queues: [{{name: root, submitacl: '*', queues: [{departments}]}}]}}]")
    sim.add_nodes(1, vcore="8")
    sim.submit("app", queue="root.d7.q9", asks=asks(1, vcore="1"))
    data = picture_rows(sim)
    assert data.lines <= LINES
    assert {"root.d7", "root.d7.q9"} <= {each.path for each in data.marks if each.way == CHOSEN}
    assert any(each.label == "d3 +14 queues" for each in data.marks) or any("more queues" in each.label for each in data.marks)
    assert picture_rows(sim, most_lines=200).lines == 140


# ---- figure ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_an_updated_figure_equals_a_new_one(multitenancy, blocked, theme):  # recipes 4.1
    picture = figure(picture_rows(multitenancy), LIGHT)
    for sim in (multitenancy, blocked, Simulation(BLOCKED), multitenancy):
        sim.step()
        for titled in (True, False):
            update(picture, picture_rows(sim), theme, titled=titled)
            assert plain(picture) == plain(figure(picture_rows(sim), theme, titled=titled))


def plain(picture: go.Figure) -> dict:
    """The figure as JSON, without what is not set."""
    return json.loads(picture.to_json())


def test_the_number_and_kind_of_traces_never_changes(multitenancy, blocked):  # recipes 4.4
    kinds = {tuple(trace.type for trace in figure(picture_rows(sim)).data) for sim in (multitenancy, blocked, Simulation(BLOCKED))}
    assert len(kinds) == 1


def test_fences_are_squares_and_the_way_is_thick(multitenancy):  # U-21
    data = picture_rows(multitenancy)
    queues = figure(data).data[path_picture.QUEUES]
    symbols = dict(zip(queues.customdata, queues.marker.symbol))
    assert symbols["root.tenants"] == "square" and symbols["root.system"] == "circle"
    picture = figure(data)
    assert picture.data[path_picture.CHOSEN_EDGES].line.width >= 3 * picture.data[path_picture.WAITING_EDGES].line.width
    assert picture.data[path_picture.SKIPPED_EDGES].line.dash
    assert "▣ tenants <b>0</b>" in picture.data[path_picture.LABELS].text


def test_a_queue_has_the_hue_of_its_top_level_queue(multitenancy):
    queues = figure(picture_rows(multitenancy)).data[path_picture.QUEUES]
    colours = dict(zip(queues.customdata, queues.marker.color))
    assert colours["root.tenants.tenant-b.child-b-2"] == colours["root.tenants"] == LIGHT.hues[1]
    assert colours["root"] == LIGHT.free


def test_the_plain_sentence_is_kept_beside_the_title(multitenancy):  # U-24
    picture = figure(picture_rows(multitenancy))
    assert picture.layout.meta["sentence"] == picture.layout.title.text == "system-high goes first: at root 1001 beats 0"
    assert figure(picture_rows(multitenancy), titled=False).layout.title.text is None


def test_every_mark_and_label_lies_on_the_paper(multitenancy, blocked):
    for sim in (multitenancy, blocked):
        for width in (320, 560, 900):
            picture = figure(picture_rows(sim), width=width)
            for trace in picture.data:
                assert all(0 <= x <= width for x in trace.x if x is not None)
                assert all(0 <= y <= 360 for y in trace.y if y is not None)


def test_axes_do_not_jump_between_steps(multitenancy):  # recipes 4.5
    first = figure(picture_rows(multitenancy))
    multitenancy.goto(5)
    second = figure(picture_rows(multitenancy))
    assert first.layout.xaxis.range == second.layout.xaxis.range and first.layout.yaxis.range == second.layout.yaxis.range
    place = dict(zip(first.data[path_picture.QUEUES].customdata, first.data[path_picture.QUEUES].x))
    assert place == dict(zip(second.data[path_picture.QUEUES].customdata, second.data[path_picture.QUEUES].x))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_users_are_no_markup(name):
    sim = Simulation(BLOCKED)
    sim.apply(AddNode(node_id=name, capacity=Resource(vcore=8000)))
    sim.submit(name, queue="root.batch.etl", asks=asks(1, prefix=name, vcore="1"))
    assert_harmless(figure(picture_rows(sim)))


def assert_harmless(picture: go.Figure) -> None:
    """Everything that plotly draws as text has only the markup of this package."""
    texts = [str(text) for trace in picture.data for texts in (trace.text, trace.hovertext) if texts is not None for text in texts]
    texts += [str(label) for label in (*(picture.layout.yaxis.ticktext or ()), picture.layout.title.text)]
    texts += [str(trace.name) for trace in picture.data]
    for text in texts:
        for ours in ("<b>", "</b>", "<br>", "</span>", f'<span style="color:{LIGHT.muted}">'):
            text = text.replace(ours, "")
        assert "<" not in text and "$" not in text and "\u202e" not in text and "\n" not in text and len(text) < 2000
    assert "javascript:" not in str([text for text in texts if "<a" in text])


def test_a_decision_without_comparisons_still_gives_a_picture(multitenancy):
    partition = multitenancy.state.partitions["default"]
    data = rows(partition, Decision(1, 0, "default"))
    assert data.sentence == "Nothing can be placed now"
    decision = multitenancy.step()
    assert rows(partition, decision).ask.key == "P1"


def test_the_figure_is_small_enough_for_a_notebook(multitenancy):  # budget of ux 13
    assert len(figure(picture_rows(multitenancy)).to_json()) < 12_000
