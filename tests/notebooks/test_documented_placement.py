"""The outcomes that "App Placement Rules" (user guide) gives for each rule and for the complex examples, against the engine.

That the core places likewise, also where the page says otherwise, is shown by the recordings of the same scenarios.
"""

from __future__ import annotations

import pytest

from notebooks import recordings
from workbench import Workbench

REJECTED = ""
AS_DOCUMENTED = [
    ("placement-provided", "special", "root.developer.my_special_queue"),  # PL-42
    ("placement-provided", "qualified", "root.dev_queue"),  # PL-42
    ("placement-user", "of-finance", "root.finance_dot_test"),  # PL-41
    ("placement-user", "of-developer", REJECTED),  # PL-45: no such queue, and no next rule
    ("placement-fixed", "anything", "root.last_resort"),  # PL-53
    ("placement-tag", "in-default", "root.default"),  # PL-52
    ("placement-tag", "in-testing", "root.testing"),  # PL-52
    ("placement-tag", "no-tag", REJECTED),  # PL-52: nothing to read, and no next rule
    ("placement-chain", "of-john", "root.namespaces.testing"),  # PL-65: rule 2
    ("placement-chain", "of-bob", "root.default"),  # PL-43: the parent rule of rule 2 is for john
    ("placement-acl", "of-john", "root.production"),  # C-106
    ("placement-acl", "of-bob", "root.production"),  # C-106
]
OTHERWISE = [
    ("placement-provided", "no-queue", REJECTED),  # PL-50
    ("placement-tag", "no-tag-later", "root.default"),  # PL-31; the page knows no fallback
    ("placement-chain", "of-sarah", "root.default"),  # PL-45; documented is root.newapp.sarah
    ("placement-acl", "of-sue", REJECTED),  # PL-35; documented is a queue of her own
]
MENDED = [
    ("placement-chain-created", "of-sarah", "root.newapp.sarah"),  # PL-43
    ("placement-acl-open-root", "of-sue", "root.production"),  # C-106
    ("placement-acl-filter", "of-sue", "root.sue"),  # PL-61
    ("placement-acl-filter", "of-john", "root.production"),
]


def opened(name: str) -> Workbench:
    return recordings.variant(name) if name in recordings.VARIANTS else Workbench.example(f"documented/{name}")


@pytest.mark.parametrize(
    ("name", "application", "queue"), AS_DOCUMENTED + OTHERWISE + MENDED, ids=lambda value: value or "rejected"
)
def test_the_application_goes_where_it_should(name, application, queue):
    assert opened(name).simulation.placement(application).queue == queue


def test_the_default_queue_is_named_as_what_took_the_application():  # PL-31
    assert "3. default queue" in Workbench.example("documented/placement-tag").table("placements")


def test_a_created_queue_goes_when_it_is_empty():  # PL-85, PL-84
    bench = Workbench.example("documented/dynamic-queue")
    bench.run()
    assert [step.decision.key for step in bench.simulation.steps] == ["a-0", "a-1", "a-2"]  # a template with 3 cores
    assert bench.simulation.placement("a").created == ("root.users.alice_dot_b",)
    assert "alice_dot_b" not in bench.table("queues")
