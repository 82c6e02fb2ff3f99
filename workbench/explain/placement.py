"""Why an application is where it is, or was rejected: the verdict with the core's text, and the whole trace of rules. E-30."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.explain import refusals, words
from workbench.explain.tables import Table
from workbench.explain.why import MOST_SENTENCES, Explanation
from workbench.explain.wording import listing, name
from workbench.scheduler.placement import Attempt
from workbench.simulation.placements import Placing

RULE_CAPTION = "Placement rules in the order in which they were asked"
NO_RULES = "No placement rule was asked."
PASSED = "passes"
STOPPED = "stops"
TAKES = "takes it"
GAVE_PARENT = "gives the parent"

CHILD_OF = "↳ "


def why_placed(placing: Placing) -> Explanation:
    """Where the application goes and which rule led there, or why it is rejected and why each rule was passed over."""
    id = placing.application.id
    sentences = []
    if placing.refusal is None:
        headline = application_goes(id, placing.queue)
    else:
        headline = application_rejected(id)
        sentences.append(refusals.reason(placing.refusal))
    told = list(_told(placing.trace))
    # The rule that led somewhere says most; those before it say why they did not.
    sentences += told[-1:] + told[:-1] if placing.refusal is None else told
    if placing.created:
        sentences.insert(1, queues_created(placing.created))
    most = MOST_SENTENCES - 1
    return Explanation(headline, tuple(sentences[:most]), tuple(sentences[most:]))


def rule_rows(placing: Placing) -> Table:
    """Every rule that was asked, below it its parent rule, with its filter, the queue it led to and why it was passed over."""
    rows = [row for attempt in placing.trace for row in _rows(attempt)]
    keys = tuple(range(len(rows)))
    return Table(RULE_CAPTION, words.RULE_COLUMNS, tuple(rows), keys=keys, empty=NO_RULES)


def _told(trace: tuple[Attempt, ...]) -> Iterator[str]:
    for attempt in trace:
        if attempt.refusal is None:
            yield rule_takes(attempt.rule, attempt.path)
        else:
            yield rule_passed_over(attempt.rule, attempt.path, refusals.reason(attempt.refusal))


def _rows(attempt: Attempt, depth: int = 0) -> Iterator[tuple[str, ...]]:
    passed = "" if attempt.passed_filter is None else PASSED if attempt.passed_filter else STOPPED
    if attempt.refusal is not None:
        verdict, why = refusals.short_name(attempt.refusal), refusals.reason(attempt.refusal)
    else:
        verdict, why = (GAVE_PARENT if depth else TAKES), ""
    yield (
        CHILD_OF * depth + name(attempt.rule),
        name(attempt.value) if attempt.value else "",
        "yes" if attempt.create else "no",
        passed,
        name(attempt.path) if attempt.path else "",
        verdict,
        why,
    )
    if attempt.parent is not None:
        yield from _rows(attempt.parent, depth + 1)


# ---- in words ---------------------------------------------------------------------------------------------------------


def application_goes(id: str, queue: str) -> str:
    return f"App {name(id)} goes to {name(queue)}."


def application_rejected(id: str) -> str:
    return f"App {name(id)} is rejected."


def rule_takes(rule: str, path: str) -> str:
    return f"Rule {name(rule)} leads to {name(path)}, which takes it."


def rule_passed_over(rule: str, path: str, why: str) -> str:
    return f"Rule {name(rule)}{f' leads to {name(path)}' if path else ''}, passed over: {why}"


def queues_created(paths: Sequence[str]) -> str:
    return f"Created for it: {listing([name(path) for path in paths])}."
