"""CP-5: the jobs and users whose waits change most, with what held them back in both runs."""

from __future__ import annotations

import pytest
from comparisons import FIRST, PLAIN, behind_nightly_work, production_first

import workbench as wb


def test_winners_and_losers_come_with_their_waits_and_reasons():
    found = production_first()
    assert [(each.job, each.wait_a, each.wait_b, each.change) for each in found.winners] == [
        ("prod-0", 290, 90, -200),
        ("prod-1", 289, 89, -200),
    ]
    assert [(each.job, each.change) for each in found.losers] == [(f"night-{number}", 20) for number in (2, 3, 4, 5)]
    assert all(each.reason_a and each.reason_b for each in (*found.winners, *found.losers))
    assert found.moved.sentence == (
        "With B 2 of 8 jobs wait less, most of all prod-0: 3 min 20 s sooner; "
        "4 of 8 jobs wait longer, most of all night-2: 20 s later."
    )


def test_users_have_the_average_of_their_jobs():
    anna, ben = production_first().moved.users
    assert (anna.user, anna.jobs, anna.change) == ("anna", 2, -200)
    assert (ben.user, ben.jobs, ben.change) == ("ben", 6, pytest.approx(80 / 6))


def test_who_never_starts_waits_until_the_end_and_is_told_apart():
    found = wb.compare(FIRST, PLAIN, workload=behind_nightly_work(), until=150)
    lost = next(each for each in found.losers if each.job == "prod-0")
    assert (lost.wait_a, lost.wait_b, lost.started_a, lost.started_b) == (90, 140, True, False)
    assert "never ran, 2 min 20 s until the end" in str(found.moved)


def test_names_are_escaped():
    found = production_first()
    assert "<" not in found.moved._repr_html_().replace("<p>", "").replace("<strong>", "")[:5]
    assert wb.compare(PLAIN, FIRST, workload=behind_nightly_work(), names=["<i>", "B"]).moved._repr_html_().count("<i>") == 0
