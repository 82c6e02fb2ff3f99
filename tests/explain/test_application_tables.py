"""Tables of applications, their states, their placements, limits, settings and verdicts."""

from __future__ import annotations

import pytest

from workbench import Workbench, explain
from workbench.simulation import Simulation, asks

CONFIG = """
partitions:
  - name: default
    placementrules:
      - name: provided
      - name: user
        create: true
        filter: {groups: [dev]}
        parent: {name: fixed, value: root.people}
    queues:
      - name: root
        submitacl: "*"
        limits:
          - {limit: all, users: ["*"], maxresources: {vcore: 3}}
        queues:
          - name: shared
            properties: {application.sort.policy: fair, priority.offset: "5", preemption.delay: nonsense}
            limits:
              - {limit: named, users: [alice], maxapplications: 1, maxresources: {vcore: 2}}
              - {limit: group, groups: [dev], maxresources: {vcore: 2}}
          - name: people
            parent: true
            childtemplate: {maxapplications: 2, resources: {max: {vcore: 4}}}
"""


@pytest.fixture
def sim() -> Simulation:
    sim = Simulation(CONFIG)
    sim.add_nodes(1, vcore="10")
    sim.submit("first", queue="shared", user="alice", groups=["ops"], asks=asks(3, prefix="f-", priority=4, vcore="1"))
    sim.submit("second", user="bob", groups=["dev"], asks=asks(1, prefix="s-", vcore="1"), tags={"namespace": "n"})
    sim.submit("third", user="carol", groups=["none"])
    sim.run()
    return sim


def test_applications_show_state_and_priority_ended_and_rejected_ones_too(sim):
    assert (
        str(explain.application_rows(sim.state))
        == """\
app     user   queue            state     priority  allocated  pending
first   alice  root.shared      Running          4  vcore 2    vcore 1
second  bob    root.people.bob  Running        n/a  vcore 1
third   carol                   Rejected       n/a"""
    )


def test_states_are_told_with_their_time(sim):
    assert [row[1:] for row in explain.state_rows(sim.state).rows] == [
        ("first", "root.shared", "Accepted"),
        ("second", "root.people.bob", "Accepted"),
        ("third", "", "Rejected"),
        ("first", "root.shared", "Running"),
        ("second", "root.people.bob", "Running"),
    ]


def test_placements_tell_the_rule_by_its_place(sim):  # PL-36, PL-80
    assert (
        str(explain.placement_rows(sim))
        == """\
app     user   groups  asks for       goes to          by rule      created
first   alice  ops     shared         root.shared      1. provided
second  bob    dev     namespace = n  root.people.bob  2. user      bob
third   carol  none                   rejected"""
    )


def test_limits_show_what_counts_and_a_wildcard_for_each_user(sim):  # PL-102, PL-103
    assert (
        str(explain.limit_rows(sim.state))
        == """\
queue        limit of            max      used     max apps  running
root         user alice, as any  vcore 3  vcore 2                  1
root         user bob, as any    vcore 3  vcore 1                  1
root.shared  user alice          vcore 2  vcore 2         1        1
root.shared  group dev           vcore 2                           0"""
    )
    nobody_yet = Simulation(CONFIG.replace("users: [alice]", "groups: [ops]"))
    assert explain.limit_rows(nobody_yet.state).rows[0] == ("root", "any user", "vcore 3", "", "0")


def test_settings_leave_out_defaults_and_what_means_nothing(sim):  # C-131, C-142
    lines = str(explain.setting_rows(sim.state)).splitlines()
    assert lines == [
        "queue            type           max apps  max      property in force        value",
        "root             parent",
        "root.people      parent",
        "root.people.bob  leaf, dynamic         2  vcore 4",
        "root.shared      leaf                              application.sort.policy  fair",
        "                                                   priority.offset          5",
    ]


def test_verdicts_give_the_words_of_the_scheduler_and_the_line():  # C-39
    table = explain.verdict_rows(
        {
            "fine": CONFIG,
            "twice": "partitions:\n- name: default\n  queues:\n  - name: a\n  - name: A\n",
            "no YAML": "partitions: [",
        }
    )
    assert [row[:2] for row in table.rows] == [("fine", "accepted"), ("twice", "refused"), ("no YAML", "refused")]
    assert table.rows[1][2:] == ("5", "duplicate child name found with name 'A', level 1")
    assert table.rows[2][3].startswith("not valid YAML: ")


def test_verdicts_of_parts_need_no_lines():  # C-34, C-52
    assert str(explain.verdict_rows({"plain": "{name: a}, {name: b}", "dot": "{name: a.b}"}, of="root")).splitlines()[1:] == [
        "plain          accepted",
        "dot            refused   invalid queue name, max 64 characters consisting of alphanumeric characters",
        "                         and '-', '_', '#', '@', '/', ':' allowed",
    ]
    table = explain.verdict_rows({"weight": "nodesortpolicy: {resourceweights: {vcore: -1}}"}, of="partition")
    assert table.rows == (("weight", "refused", "negative resource weight for vcore is not allowed"),)
    with pytest.raises(ValueError, match="a text is of file, root, partition"):
        explain.verdict_rows({"a": ""}, of="queue")


def test_tables_without_rows_say_so():  # U-10
    empty = Simulation("partitions: [{name: default, queues: [{name: root, submitacl: '*'}]}]")
    assert str(explain.application_rows(empty.state)) == "No application was submitted."
    assert str(explain.state_rows(empty.state)) == "No application was submitted."
    assert str(explain.placement_rows(empty)) == "No application was submitted."
    assert str(explain.limit_rows(empty.state)) == "Nobody is limited."


@pytest.mark.parametrize("name", ["applications", "states", "placements", "limits", "settings"])
def test_a_workbench_has_them_by_name(name):  # U-5
    assert len(Workbench.example("multitenancy").table(name).splitlines()) > 0


def test_a_workbench_says_why_an_application_is_where_it_is():  # E-30
    wb = Workbench.example("multitenancy")
    assert wb.why_placed("child-a-1").splitlines()[0] == "App child-a-1 goes to root.tenants.tenant-a.child-a-1."
    assert wb.rules_asked("child-a-1").splitlines()[1].split()[0] == "provided"
