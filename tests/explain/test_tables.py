"""Tables as stable text, as cells and as accessible HTML: the text twins of the pictures (U-24, U-27)."""

from __future__ import annotations

import pytest

from workbench.explain import Table, node_rows, order_rows, pending_rows, queue_rows, render
from workbench.explain.html import table_html
from workbench.explain.wording import width
from workbench.scheduler.records.commands import AddNode, AskSpec, DrainNode
from workbench.simulation import Simulation, asks
from workbench.simulation.scenario import example
from workbench.values.resources import Resource

HOSTILE = ("<script>alert(1)</script>", "<b>bold</b>", "a\"b'c", "two\nlines", "\u202eturned", "x" * 5000, "שלום", "")


@pytest.fixture
def multitenancy() -> Simulation:
    return Simulation.from_scenario(example("multitenancy"))


def test_what_waits_is_shown_in_ranking_order_with_its_priority_on_the_way_up(multitenancy):  # U-2, R-650
    multitenancy.goto(8)
    assert (
        render(pending_rows(multitenancy))
        == """\
rank  request  app         queue                            priority  seen at leaf → … → root child  why not yet
   1  P8       child-b-2   root.tenants.tenant-b.child-b-2         8  8 → 0 → 0                      next
   2  P7       child-b-1   root.tenants.tenant-b.child-b-1         7  7 → 0 → 0                      not-reached
   3  P3       system-low  root.system.system-low                  3  -997 → -997                    not-reached"""
    )


def test_rows_know_which_ask_they_stand_for(multitenancy):
    assert pending_rows(multitenancy).keys[0] == ("system-high", "P1")


def test_decisions_are_shown_up_to_the_present_step(multitenancy):
    multitenancy.goto(3)
    multitenancy.back()
    assert (
        render(order_rows(multitenancy))
        == """\
step     time  outcome    request  app            queue                      node
   1  0.020 s  allocated  P1       system-high    root.system.system-high    node-1
   2  0.121 s  allocated  P10      system-normal  root.system.system-normal  node-1"""
    )


def test_queues_are_shown_in_tree_order_and_no_priority_as_not_available(multitenancy):
    multitenancy.goto(3)
    lines = render(queue_rows(multitenancy.state)).splitlines()
    assert lines[0].split() == ["queue", "priority", "marks", "allocated", "pending", "guaranteed", "max", "running"]
    assert lines[1].split()[:2] == ["root", "0"]
    assert [line.split()[1] for line in lines if line.startswith("root.system.system-high")] == ["n/a"]
    assert [line.split()[1:3] for line in lines if line.startswith("root.tenants ")] == [["0", "▣"]]
    assert "-2147483648" not in "\n".join(lines)


def test_nodes_are_shown_in_the_order_of_the_policy_with_amounts_in_configuration_units():  # U-26, R-557
    sim = Simulation("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]")
    sim.add_nodes(2, vcore="4", memory="8Gi")
    sim.apply(AddNode(node_id="gpu", capacity=Resource(vcore=500, memory=2**30, gpu=2)))
    sim.apply(DrainNode(node_id="gpu"))
    sim.submit("app", queue="root.a", asks=asks(1, vcore="500m"))
    sim.step()
    assert (
        render(node_rows(sim.state))
        == """\
rank  node       score  capacity                       allocated   others  available                      state
   1  gpu            0  vcore 500m, memory 1Gi, gpu 2                      vcore 500m, memory 1Gi, gpu 2  draining
   2  node-001       0  vcore 4, memory 8Gi                                vcore 4, memory 8Gi
   3  node-000  0.0625  vcore 4, memory 8Gi            vcore 500m          vcore 3500m, memory 8Gi"""
    )


def test_reservations_of_one_key_by_two_applications_are_both_shown():  # keys are unique only within an application
    sim = Simulation("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]")
    sim.apply(AddNode(node_id="n", capacity=Resource({"vcore": 4000})))
    sim.apply(AddNode(node_id="m", capacity=Resource({"vcore": 9000})))
    for app, cores in (("first", 1), ("one", 4), ("two", 4)):
        agent = AskSpec(application_id="", key="agent", resource=Resource({"vcore": cores * 1000}), required_node="n")
        sim.submit(app, queue="root.a", asks=[agent])
        sim.step()
    told = {row[1]: row[-1] for row in node_rows(sim.state).rows}
    assert told["n"] == "reserved for agent of app one, reserved for agent of app two"


def test_an_empty_table_says_what_is_missing():  # U-10
    sim = Simulation("partitions: [{name: default, queues: [{name: root, submitacl: '*'}]}]")
    assert render(pending_rows(sim)) == "Nothing is waiting."
    assert render(order_rows(sim)) == "Nothing was decided yet."
    assert render(node_rows(sim.state)) == "No node is registered."
    assert table_html(order_rows(sim)) == "<p>Nothing was decided yet.</p>"


def test_wide_characters_keep_the_columns_aligned():
    table = Table("", ("name", "n"), (("日本", "1"), ("plain", "22"), ("combine\u0301", "3")), frozenset({"n"}))
    assert len({width(line) for line in render(table).splitlines()}) == 1


@pytest.mark.parametrize("name", HOSTILE, ids=["script", "markup", "quotes", "newline", "override", "long", "hebrew", "empty"])
def test_any_name_stays_in_its_cell(name):
    sim = Simulation("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]")
    sim.apply(AddNode(node_id=name or "node", capacity=Resource(vcore=4000)))
    sim.submit("app", queue="root.a", asks=asks(1, prefix=name, vcore="1"))
    for table in (pending_rows(sim), node_rows(sim.state)):
        text = render(table)
        assert len(text.splitlines()) == 2 and len(text) < 1000 and "\u202e" not in text
        assert "<script" not in table_html(table) and "<b>" not in table_html(table)


def test_html_tables_have_a_caption_and_heads_for_rows_and_columns():  # U-24
    markup = table_html(Table("What & why", ("n", "name"), (("1", "<i>"),), frozenset({"n"})))
    assert markup == (
        '<table><caption>What &amp; why</caption><thead><tr><th scope="col" style="text-align:right">n</th>'
        '<th scope="col" style="text-align:left">name</th></tr></thead><tbody><tr>'
        '<th scope="row" style="text-align:right">1</th><td style="text-align:left">&lt;i&gt;</td></tr>'
        "</tbody></table>"
    )
    assert "<caption>Other</caption>" in table_html(Table("", ("n",), (("1",),)), "Other")


def test_the_same_state_gives_the_same_text(multitenancy):  # U-6
    again = Simulation.from_scenario(example("multitenancy"))
    assert render(pending_rows(multitenancy)) == render(pending_rows(again))
    assert render(queue_rows(multitenancy.state)) == render(queue_rows(again.state))
