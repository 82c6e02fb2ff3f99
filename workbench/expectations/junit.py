"""Expectations as JUnit XML: a suite for each file, a case for each expectation, as Jenkins, GitLab and GitHub actions read it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as xml

from workbench.expectations.result import Expectations, Result
from workbench.expectations.verdicts import Outcome
from workbench.explain.wording import visible_character

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML can hold."""


def junit(found: Sequence[Expectations]) -> str:
    """The whole document as text. It says nothing of times, which are those of a machine and not of a design."""
    root = xml.Element("testsuites", {"name": "workbench test"} | _counts([each for some in found for each in some]))
    for some in found:
        source = "" if some.suite.source is None else some.suite.source.as_posix()
        suite = xml.SubElement(root, "testsuite", {"name": _text(some.suite.name)} | _counts(list(some)))
        for each in some:
            place = {"file": _text(source)} if source else {}
            if each.expectation.line is not None:
                place["line"] = str(each.expectation.line)
            case = {"name": _text(each.name), "classname": _text(some.suite.name)}
            _told(xml.SubElement(suite, "testcase", case | place), each)
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _told(case: xml.Element, result: Result) -> None:
    """What became of it."""
    tag = {Outcome.FAILED: "failure", Outcome.ERROR: "error", Outcome.NOT_JUDGED: "skipped"}.get(result.outcome)
    if tag is None:
        told = xml.SubElement(case, "system-out")
    elif tag == "skipped":
        told = xml.SubElement(case, tag, {"message": _text(result.sentence)})
        return
    else:
        told = xml.SubElement(case, tag, {"message": _text(result.sentence), "type": result.expectation.kind})
    told.text = _text("\n".join((result.sentence, *result.details)))


def _counts(results: list[Result]) -> dict[str, str]:
    def count(outcome: Outcome) -> str:
        return str(sum(each.outcome is outcome for each in results))

    return {
        "tests": str(len(results)),
        "failures": count(Outcome.FAILED),
        "errors": count(Outcome.ERROR),
        "skipped": count(Outcome.NOT_JUDGED),
    }


def _text(text: str) -> str:
    """Text that XML can hold: what it cannot is written as its escape."""
    return _NO_XML.sub(lambda found: visible_character(found[0]), text)
