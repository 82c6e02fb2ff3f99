"""The exercise of the lesson on placement: what solves it, and what does not."""

from __future__ import annotations

import pytest
from lessons.trying import with_settings

from workbench import Workbench

RULES = """
- name: provided
- name: user
  create: true
  parent: {name: fixed, value: root.people}
"""
CREATING = RULES.replace("- name: provided", "- name: provided\n  create: true")
STATIC = """
- name: provided
- name: user
  parent: {name: fixed, value: root.people}
"""
RED, BLUE, PEOPLE = "root.teams.red", "root.teams.blue", "root.people"
TEMPLATE = "resources: {max: {vcore: 2}}"
ACCESS = [("root", "submitacl", None), (RED, "submitacl", " red"), (BLUE, "submitacl", " blue"), (PEOPLE, "submitacl", "*")]


def applied(bench: Workbench, changes) -> Workbench:
    with_settings(bench, changes)
    return bench


LIMIT = "[{limit: each, users: ['*'], maxresources: {vcore: 2}}]"


@pytest.mark.parametrize(
    "changes",
    [
        [*ACCESS, ("partition", "placementrules", RULES), (PEOPLE, "childtemplate", TEMPLATE)],
        [*ACCESS, ("partition", "placementrules", CREATING), (PEOPLE, "childtemplate", TEMPLATE)],
        [
            ("root", "submitacl", None),
            (RED, "submitacl", "rosa"),
            (BLUE, "submitacl", "bob"),
            (PEOPLE, "submitacl", "rosa,bob"),
            ("partition", "placementrules", RULES),
            (PEOPLE, "limits", LIMIT),
        ],
    ],
    ids=["a template", "teams that nobody may add to", "users by name and a limit"],
)  # PL-34, PL-35, C-142
def test_rules_access_and_a_bound_solve_it(exercise, bench, changes):
    assert exercise.check(applied(bench, changes)).startswith("Solved.")


def test_queues_written_down_beforehand_solve_it_too(exercise, bench):
    applied(bench, [*ACCESS, ("partition", "placementrules", STATIC)])
    bench.add_queue(PEOPLE, "rosa")
    bench.add_queue(PEOPLE, "bob")
    bench.set("root.people.bob", "resources.max", {"vcore": 2})
    assert exercise.check(bench).startswith("Solved.")


@pytest.mark.parametrize(
    "changes, says",
    [
        ([], "trespass goes to root.teams.blue"),
        ([("partition", "placementrules", RULES)], "trespass goes to root.teams.blue"),
        (
            [(RED, "submitacl", " red"), (BLUE, "submitacl", " blue"), ("partition", "placementrules", RULES)],
            "trespass goes to root.teams.blue",
        ),
        (ACCESS, "trespass is rejected"),
        ([*ACCESS[:3], ("partition", "placementrules", RULES)], "trespass is rejected"),
        ([*ACCESS, ("partition", "placementrules", RULES)], "root.people.bob uses 4 cores"),
        (
            [*ACCESS, ("partition", "placementrules", RULES), (PEOPLE, "childtemplate", "resources: {max: {vcore: 1}}")],
            "nothing of root.people.rosa is ever served",
        ),
    ],
    ids=[
        "as given",
        "rules alone",
        "access granted above",
        "no rule for the rest",
        "no access to people",
        "no bound",
        "too small a bound",
    ],
)
def test_what_does_not_solve_it_is_told_by_what_happens(exercise, bench, changes, says):  # C-106, PL-36
    answer = exercise.check(applied(bench, changes))
    assert answer.startswith("Not yet:")
    assert says in answer
