"""The seven laws of the design document *Preemption*, a scene for each on the shared research cluster; chapter 08, section 3.

Each test fails if the law were broken. What the real core takes less strictly than the document is tested as it is, and says so.
"""

from __future__ import annotations

import pytest
from notebooks.test_documented_preemption import newest, played, stopped, used

from workbench.explain import attempts, candidate_rows
from workbench.scheduler.objects.tree import find

NS_1, NS_2, UNIVERSITY, INTERACTIVE, SCAVENGING = "general.ns-1", "general.ns-2", "university", "interactive", "scavenging"


def verdicts(bench, key: str) -> dict[tuple[str, str], int]:
    """(queue below root, verdict) -> allocations, in the attempt of that ask that comes next."""
    (attempt,) = attempts(bench.simulation.preview(), key)
    return {(queue.removeprefix("root."), verdict): int(count) for queue, verdict, count, _ in candidate_rows(attempt).rows}


def test_law_1_who_opted_out_goes_last_but_goes():  # P-72
    bench = played("preemption-law-1")
    assert stopped(bench) == newest("plain", 3, 4) + newest("opted-out", 3, 2)
    assert used(bench, UNIVERSITY, SCAVENGING) == [6, 2]


def test_law_2_taking_ends_at_the_guarantee_of_who_gives():  # P-52, P-73
    bench = played("preemption-law-2")
    assert used(bench, NS_1, UNIVERSITY) == [4, 4]
    assert stopped(bench) == newest("lab", 7, 4)
    assert verdicts(bench, "uni-004")[NS_1, "victim-not-over-guarantee"] == 4


def test_law_2_a_large_pod_may_go_although_less_than_the_guarantee_is_left():  # P-74, a quirk: the document says that it may not
    bench = played("preemption-law-2-large-pods")
    assert find(bench.partition, f"root.{NS_1}").guaranteed["vcore"] == 4000
    assert used(bench, NS_1, UNIVERSITY) == [3, 3]


def test_law_3_nobody_stops_pods_of_the_own_application():  # P-51
    bench = played("preemption-law-3")
    assert stopped(bench) == []
    assert used(bench, UNIVERSITY, INTERACTIVE) == [4, 4]
    assert verdicts(bench, "urgent") == {(UNIVERSITY, "same-app"): 4, (INTERACTIVE, "preemption-disabled"): 4}


def test_law_4_who_has_its_guarantee_stops_nobody():  # P-60
    bench = played("preemption-law-4")
    assert stopped(bench) == []
    assert used(bench, UNIVERSITY, SCAVENGING) == [8, 4]
    assert verdicts(bench, "more-000")[SCAVENGING, "not-under-guarantee"] == 4


def test_law_4_with_one_core_more_guaranteed_it_does():  # P-60: it is the guarantee that decides
    bench = played("preemption-law-4")
    bench.set(f"root.{UNIVERSITY}", "resources.guaranteed", {"vcore": "9"})
    bench.run()
    assert used(bench, UNIVERSITY, SCAVENGING) == [9, 3]


def test_law_5_who_is_within_its_guarantee_gives_nothing():  # P-52
    bench = played("preemption-law-5")
    assert stopped(bench) == []
    assert used(bench, NS_1, NS_2, UNIVERSITY) == [4, 4, 0]
    assert verdicts(bench, "uni-000") == {(NS_1, "victim-not-over-guarantee"): 4, (NS_2, "victim-not-over-guarantee"): 4}


def test_law_6_equal_and_lower_priorities_go_and_higher_ones_stay():  # P-54
    bench = played("preemption-law-6")
    assert sorted(stopped(bench)) == ["equal-000", "equal-001", "low-000", "low-001"]
    assert used(bench, UNIVERSITY, SCAVENGING) == [4, 2]
    assert verdicts(bench, "uni-004")[SCAVENGING, "higher-priority"] == 2


def test_law_7_nobody_reaches_out_of_its_fence():  # P-30
    bench = played("preemption-law-7")
    assert stopped(bench) == newest("lab", 5, 2)
    assert used(bench, NS_1, NS_2, SCAVENGING) == [4, 2, 6]
    assert verdicts(bench, "obs-002")[SCAVENGING, "outside-fence"] == 6


def test_law_7_without_the_fence_it_does():  # P-30: it is the fence that keeps it
    bench = played("preemption-law-7")
    bench.set("root.general", "preemption.policy", "default")
    bench.run()
    assert used(bench, NS_2, SCAVENGING) == [4, 2]


def test_law_7_a_fence_does_not_keep_others_from_looking_in():  # P-31
    bench = played("preemption-law-2")
    bench.set("root.general", "preemption.policy", "fence")
    bench.run()
    assert used(bench, NS_1, UNIVERSITY) == [4, 4]


# -- the whole cluster -------------------------------------------------------------------------------------------------


def test_the_reserved_queue_gets_what_is_reserved_from_scavenging_alone():  # laws 4 and 5; P-12, P-52
    bench = played("site-namespaces")
    assert used(bench, UNIVERSITY, SCAVENGING, INTERACTIVE, NS_1) == [8, 4, 4, 4]
    assert stopped(bench) == newest("scav", 11, 8)


@pytest.mark.parametrize(("policy", "after"), [("disabled", [8, 4, 4]), ("default", [8, 6, 2])])
def test_interactive_gives_unless_it_is_protected(policy, after):  # P-12
    bench = played("site-namespaces")
    bench.set(f"root.{INTERACTIVE}", "preemption.policy", policy)
    bench.run()
    assert used(bench, UNIVERSITY, SCAVENGING, INTERACTIVE) == after
