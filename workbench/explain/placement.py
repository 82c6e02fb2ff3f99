"""Why an application is where it is, or was rejected: the verdict with the core's text, and the whole trace of rules. E-30."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.explain import catalogue
from workbench.explain.tables import Table
from workbench.explain.why import MOST_SENTENCES, Explanation
from workbench.explain.wording import name
from workbench.scheduler.placement import Attempt
from workbench.simulation.placements import Placing

CHILD_OF = "↳ "


def why_placed(placing: Placing) -> Explanation:
    """Where the application goes and which rule led there, or why it is rejected and why each rule was passed over."""
    id = placing.application.id
    sentences = []
    if placing.refusal is None:
        headline = catalogue.application_goes(id, placing.queue)
    else:
        headline = catalogue.application_rejected(id)
        sentences.append(catalogue.reason(placing.refusal))
    told = list(_told(placing.trace))
    # The rule that led somewhere says most; those before it say why they did not.
    sentences += told[-1:] + told[:-1] if placing.refusal is None else told
    if placing.created:
        sentences.insert(1, catalogue.queues_created(placing.created))
    most = MOST_SENTENCES - 1
    return Explanation(headline, tuple(sentences[:most]), tuple(sentences[most:]))


def rule_rows(placing: Placing) -> Table:
    """Every rule that was asked, below it its parent rule, with its filter, the queue it led to and why it was passed over."""
    rows = [row for attempt in placing.trace for row in _rows(attempt)]
    keys = tuple(range(len(rows)))
    return Table(catalogue.RULE_CAPTION, catalogue.RULE_COLUMNS, tuple(rows), keys=keys, empty=catalogue.NO_RULES)


def _told(trace: tuple[Attempt, ...]) -> Iterator[str]:
    for attempt in trace:
        if attempt.refusal is None:
            yield catalogue.rule_takes(attempt.rule, attempt.path)
        else:
            yield catalogue.rule_passed_over(attempt.rule, attempt.path, catalogue.reason(attempt.refusal))


def _rows(attempt: Attempt, depth: int = 0) -> Iterator[tuple[str, ...]]:
    passed = "" if attempt.passed_filter is None else catalogue.PASSED if attempt.passed_filter else catalogue.STOPPED
    if attempt.refusal is not None:
        verdict, why = catalogue.short_name(attempt.refusal.code), catalogue.reason(attempt.refusal)
    else:
        verdict, why = (catalogue.GAVE_PARENT if depth else catalogue.TAKES), ""
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
