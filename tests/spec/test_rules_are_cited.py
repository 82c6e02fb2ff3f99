"""Every rule of the specification is cited by a test: in a comment, a docstring or a name of a case.

A rule is what the chapters set in bold with a number, or put first in a row of a table. A test cites it by that number;
`R-10 to R-16` and `R-10..R-16` cite all from the first to the last.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
PACKAGE = TESTS.parent / "workbench"
RULE = re.compile(r"\b(RE|R|C|PL|P|E|U|G|A|K|Y)-(\d+)\b")
RANGE = re.compile(r"\b(RE|R|C|PL|P|E|U|G|A|K|Y)-(\d+)(?:\s*(?:\.\.|…|to|-|–)\s*)(?:\1-)?(\d+)\b")
DEFINITION = re.compile(r"\*\*((?:RE|R|C|PL|P|E|U|G|A|K|Y)-\d+)\*\*|^\|\s*\**((?:R|C|PL|P|E)-\d+)\**\s*\|", re.MULTILINE)
INTERFACE = HERE / "10-interface.md"


def rules(chapter: Path) -> set[str]:
    """The rules that a chapter defines."""
    return {bold or row for bold, row in DEFINITION.findall(chapter.read_text("utf-8"))}


def cited() -> set[str]:
    """The rules that any test names."""
    found: set[str] = set()
    for path in TESTS.rglob("*.py"):
        if path == Path(__file__).resolve():
            continue
        text = path.read_text("utf-8")
        found |= {f"{letter}-{number}" for letter, number in RULE.findall(text)}
        for letter, first, last in RANGE.findall(text):
            found |= {f"{letter}-{number}" for number in range(int(first), int(last) + 1)}
    for path in (TESTS / "conformance").rglob("*.json"):
        found |= {f"{letter}-{number}" for letter, number in RULE.findall(path.read_text("utf-8")[:2000])}
    for path in (TESTS / "conformance").glob("*.yaml"):
        found |= {f"{letter}-{number}" for letter, number in re.findall(r"rules: .*?\b(P)-(\d+)", path.read_text("utf-8"))}
    return found


CITED = cited()

NOT_BUILT: dict[str, str] = {
    "R-963": "the core's loggers: what it writes to its log is not shown",
    **dict.fromkeys(
        ("R-974", "R-975", "R-976", "R-977"),
        "how the Kubernetes side sends its messages, and how it makes pods: neither is to be seen in its objects",
    ),
    **dict.fromkeys(("R-990", "R-991", "R-992", "R-993"), "the insides of the core, which decide nothing"),
}
"""Rules of parts that do not exist yet, each with what is missing. Nothing else may go uncited."""


@pytest.mark.parametrize("chapter", sorted(HERE.glob("[0-9]*.md")), ids=lambda path: path.stem)
def test_every_rule_of_the_chapter_is_cited_by_a_test(chapter):
    missing = sorted(rules(chapter) - CITED - NOT_BUILT.keys(), key=lambda rule: (rule.split("-")[0], int(rule.split("-")[1])))
    assert not missing, f"{len(missing)} rules that no test cites: {', '.join(missing)}"


def test_a_rule_that_is_said_not_to_be_built_is_cited_by_nothing():
    named = {
        rule
        for rule in NOT_BUILT
        if any(rule in path.read_text("utf-8") for path in TESTS.rglob("*.py") if path != Path(__file__).resolve())
    }
    assert not named


def test_every_rule_of_the_interface_that_is_cited_can_be_read_there():
    known = rules(INTERFACE) | set(re.findall(r"\bA-0\d\b", (HERE / "09-explaining-decisions.md").read_text("utf-8")))
    sources = [path for top in (TESTS, PACKAGE) for path in top.rglob("*") if path.suffix in (".py", ".js", ".css")]
    strange = {
        f"{path.relative_to(TESTS.parent)}: {number}"
        for path in sources
        if "node_modules" not in path.parts and path != Path(__file__).resolve()
        for number in re.findall(r"\b[UGA]-\d+\b", path.read_text("utf-8"))
        if number not in known
    }
    assert not strange
