"""What the scheduler refused is counted wherever the present is told, with the true cause of each."""

from __future__ import annotations

import pytest

from workbench import CommandError, Workbench
from workbench.bench import reasons, texts
from workbench.bench.present import present_of

OPEN = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: a
            queues: [{name: low}]
"""
CLOSED = OPEN.replace('        submitacl: "*"\n', "")


def told(bench: Workbench) -> str:
    shown, _ = reasons.paragraphs(bench, present_of(bench))
    return "\n".join(text for _, text in shown)


@pytest.fixture
def bench() -> Workbench:
    bench = Workbench.from_yaml(OPEN)
    bench.add_node("node-1", {"vcore": 8})
    return bench


def test_a_design_that_refuses_everything_is_not_said_to_have_served_it():
    bench = Workbench.example("multitenancy")
    bench.delete_queue("root.tenants")
    bench.delete_queue("root.system")
    assert texts.NOTHING_MORE not in told(bench) and texts.NOTHING_ASKED not in told(bench)
    assert "refused 10 requests of 7 apps" in told(bench) or "refused 11 requests of 7 apps" in told(bench)
    bench.step()
    assert "every request has been served" not in bench.status.text
    assert "refused" in bench.status.text
    assert "refused" in repr(bench)


def test_a_queue_below_a_leaf_with_applications_refuses_them_and_the_edit_says_so_at_once(bench):
    bench.add_request("app", "P1", {"vcore": 1}, queue="root.a.low")
    bench.add_queue("root.a.low", "below")
    assert "Refused now: 1 request of 1 app." in bench.status.text
    assert "root.a.low is a parent, and applications run in leaves." in bench.status.text
    assert "root.a.low is a parent" in told(bench)
    bench.undo()
    assert "efused" not in bench.status.text and "refused" not in told(bench)


@pytest.mark.parametrize(
    ("design", "queue", "cause"),
    [
        (OPEN, "root.gone", "There is no queue root.gone"),
        (OPEN, "root.a", "root.a is a parent, and applications run in leaves."),
        (CLOSED, "root.a.low", 'submitacl: "*" on root lets everybody submit.'),
    ],
)
def test_a_rejected_request_says_its_true_cause_in_why_in_its_row_and_in_the_status_line(design, queue, cause):
    bench = Workbench.from_yaml(design)
    bench.add_node("node-1", {"vcore": 8})
    bench.add_request("app", "P1", {"vcore": 1}, queue=queue)
    assert cause in told(bench)
    assert cause.rstrip(".") in bench.status.text
    rows = [line for line in str(bench.table("inputs")).splitlines() if "add_app" in line or "add_ask" in line]
    assert len(rows) == 2 and all("refused: " in row and cause in row for row in rows)
    assert cause in bench.why("P1")
    with pytest.raises(CommandError, match="refused"):
        bench.select(request="P1")


def test_what_was_accepted_is_told_apart_from_what_was_refused(bench):
    bench.add_request("good", "P1", {"vcore": 1}, queue="root.a.low")
    bench.add_request("bad", "P2", {"vcore": 1}, queue="root.b")
    assert "The scheduler refused 1 request of 1 app." in told(bench)
    assert "P1 of app good is next" in told(bench)
    bench.run()
    assert told(bench).startswith(texts.NOTHING_MORE_ACCEPTED)


def test_causes_are_put_together_and_the_most_frequent_comes_first(bench):
    bench.add_request("x", "P1", {"vcore": 1}, queue="root.x")
    bench.add_app("many", "root.a", repeat=5)
    sentences = bench.refused.sentences
    assert sentences[0] == "The scheduler refused 1 request of 6 apps."
    assert sentences[1].startswith("app many-000, app many-001, app many-002 and 2 more: root.a is a parent")
    assert sentences[2].startswith("app x: There is no queue root.x")


def test_a_node_that_is_refused_counts(bench):
    bench.add_node("node-1", {"vcore": 8})
    assert bench.refused.many == "1 node"
    assert "node node-1: The scheduler answers" in told(bench)


def test_an_application_that_is_there_after_all_is_not_told_as_refused(bench):
    bench.add_app("app", "root.a")
    bench.edit_mode("reload")
    bench.set("root", "submitacl", "*")
    bench.add_app("app", "root.a.low")
    assert "app" in bench.partition.applications
    assert not bench.refused


def test_the_cause_is_that_of_its_own_time(bench):
    bench.add_app("early", "root.new")
    bench.edit_mode("reload")
    bench.add_queue("root", "new")
    bench.add_queue("root.new", "below")
    bench.add_app("late", "root.new")
    assert "There is no queue root.new" in bench.refused.applications["early"]
    assert "root.new is a parent" in bench.refused.applications["late"]


def test_going_back_before_a_refusal_takes_it_back(bench):
    bench.add_request("good", "P1", {"vcore": 1}, queue="root.a.low")
    bench.step()
    bench.add_request("bad", "P2", {"vcore": 1}, queue="root.b")
    assert bench.refused
    bench.back()
    assert not bench.refused


def test_an_edit_that_would_have_requests_refused_can_be_asked_about_before(bench):
    bench.add_request("app", "P1", {"vcore": 1}, queue="root.a.low")
    before = bench.simulation.digest(), list(bench.calls)
    assert bench.would_refuse("add_queue", "root.a.low", "below") == (
        "With this the scheduler would refuse 1 request of 1 app. root.a.low is a parent, and applications run in leaves."
    )
    assert "would refuse 1 request" in bench.would_refuse("delete_queue", "root.a.low")
    assert bench.would_refuse("add_queue", "root.a", "other") == ""
    assert bench.would_refuse("add_queue", "root.gone", "other") == ""
    assert (bench.simulation.digest(), list(bench.calls)) == before
    bench.edit_mode("reload")
    assert bench.would_refuse("delete_queue", "root.a.low") == ""
