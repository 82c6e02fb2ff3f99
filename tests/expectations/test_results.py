"""What came of expectations: as text, in a notebook, as JUnit XML, as a page. EX-2"""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree as xml

import pytest
from expected import QUEUES, UNFENCED, judged, monday

import workbench as wb
from workbench.expectations import Judge, Outcome, load_suite
from workbench.expectations.suite import parse_suite

HOSTILE = '<script>alert("x")</script> & \x1b[31m\u202e \x00 ]]>'
MIXED = (
    {"name": "holds", "measure": "wait.p95", "of": "root.system", "at_most": "2m"},
    {"name": "breaks", "measure": "wait.p95", "of": "root.system", "at_most": "20s"},
    {"name": "wrong", "measure": "wait.p95", "of": "root.nowhere", "at_most": "20s"},
)
ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"name", "classname", "file", "line"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "system-out": set(),
}
"""What the schemas of Jenkins and of pytest's own reports know, and nothing beyond."""
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}


def checked(text: str) -> xml.Element:
    """The document, if it is as the schema says."""
    root = xml.fromstring(text.encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        assert set(element.attrib) <= ATTRIBUTES[element.tag], element.tag
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
    for suite in (root, *root):
        cases = list(suite.iter("testcase"))
        assert int(suite.get("tests")) == len(cases)
        for tag, count in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert int(suite.get(count)) == sum(case.find(tag) is not None for case in cases)
    return root


def test_the_text_has_a_line_for_each_and_the_why_below_what_failed():
    lines = str(judged(*MIXED)).splitlines()
    assert [line.partition(":")[0] for line in lines if not line.startswith(" ")] == [
        "passed      holds",
        "failed      breaks",
        "error       wrong",
        "expectations",
    ]
    assert lines[2].startswith("    backup in root.system waited 34 s from 6 s on: no node with room (34 s).")
    assert lines[-1] == "expectations: 1 passed, 1 failed, 1 errors".replace("1 errors", "1 error")


def test_an_unnamed_expectation_is_called_what_it_expects():
    result = judged({"measure": "wait.p95", "of": "root.system", "at_most": "2m"}, {"order": ["night", "backup"]})
    assert [each.name for each in result] == [
        "wait that 95 of 100 do not exceed, root.system: at most 2 minutes",
        "placed in this order: night, backup",
    ]
    assert str(result[result.results[1].name]) == "passed      placed in this order: night, backup: they were (monday)"


def test_junit_has_a_case_for_each_with_its_reason():
    cases = list(checked(judged(*MIXED).to_junit()).iter("testcase"))
    assert [[child.tag for child in case] for case in cases] == [["system-out"], ["failure"], ["error"]]
    failure = cases[1].find("failure")
    assert failure.get("type") == "measure"
    assert failure.get("message").startswith("wait that 95 of 100 do not exceed, root.system: 34 seconds")
    assert "no node with room" in failure.text


def test_junit_says_file_and_line(tmp_path):
    (tmp_path / "queues.yaml").write_text(QUEUES)
    path = tmp_path / "a.expect.yaml"
    path.write_text("design: queues.yaml\nexpect:\n  - {name: one, no_findings: true}\n")
    case = next(checked(wb.expect(path).to_junit(tmp_path / "found.xml")).iter("testcase"))
    assert (case.get("file"), case.get("line"), case.get("classname")) == (path.as_posix(), "3", "a.expect.yaml")
    checked((tmp_path / "found.xml").read_text("utf-8"))


class Markup(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self):
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("shown", ["to_html", "_repr_html_", "to_junit"])
def test_hostile_names_are_text(shown):
    hostile = monday()
    job = wb.workloads.Job(id="urgent" + HOSTILE, submit_ms=0, tasks=hostile.jobs[0].tasks, queue="root.system", user=HOSTILE)
    hostile = wb.Workload(jobs=(job,), pools=hostile.pools)
    expectation = {"name": HOSTILE, "measure": "wait.p95", "of": f"user:{HOSTILE}", "at_most": "1ms"}
    found = judged(expectation, {"name": "b" + HOSTILE, "order": ["x" + HOSTILE, "y"]}, workloads={HOSTILE: hostile}, name=HOSTILE)
    text = getattr(found, shown)()
    if shown == "to_junit":
        assert next(checked(text).iter("testcase")).get("name").startswith('<script>alert("x")</script> & \\x1b[31m')
        return
    markup = Markup()
    markup.feed(text)
    assert "script" not in markup.tags
    assert "<script>" in markup.text
    assert "\x1b" not in text and "\u202e" not in text


def test_the_page_needs_no_network_and_says_why(tmp_path):
    text = judged(*MIXED).to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == text
    assert "Content-Security-Policy" in text and "default-src" in text
    assert "http:" not in text and "https:" not in text and "<script" not in text
    for said in ("✓ passed", "✗ failed: breaks", "! error: wrong", "no node with room (34 s)", "1 passed, 1 failed, 1 error"):
        assert said in text, said


def test_stopped_what_was_judged_stays_and_the_rest_is_not_judged():
    suite = parse_suite({"design": QUEUES, "workload": monday(), "expect": list(MIXED)})
    asked = iter([True] * 10**6)
    judge = Judge(suite, stop=lambda: next(asked))
    assert list(judge.results()) == []
    found = judge.found()
    assert [each.outcome for each in found] == [Outcome.NOT_JUDGED] * 3
    assert not found.passed
    assert int(checked(found.to_junit()).get("skipped")) == 3
    assert "it was ended before this one's turn came" in str(found)


def test_progress_is_told_run_by_run_and_never_goes_back():
    heard = []
    suite = {
        "design": QUEUES,
        "workload": monday(),
        "expect": [MIXED[0], {"measure": "preempted", "compared_to": UNFENCED, "at_most": 5}],
    }
    wb.expect(suite, progress=lambda part, text: heard.append((part, text)))
    assert [part for part, _ in heard] == sorted(part for part, _ in heard)
    assert {part for part, _ in heard} >= {0.0, 0.5}
    assert heard[0][1] == "workload: begins"


def test_the_only_one_that_failed_is_opened_without_its_name():
    assert judged(*MIXED).open().now_ns == (6 + 20) * 10**9


def test_a_file_is_read_again_each_time(tmp_path):
    (tmp_path / "queues.yaml").write_text(QUEUES)
    path = tmp_path / "a.expect.yaml"
    path.write_text("design: queues.yaml\nexpect: [{name: one, no_findings: true}]\n")
    suite = load_suite(path)
    assert suite.name == "a.expect.yaml" and suite.expectations[0].line == 2
