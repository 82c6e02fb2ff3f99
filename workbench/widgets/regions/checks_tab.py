"""The tab of checks: what is wrong with the design, where, and a button for everything that would mend it.

The browser part only shows the list; which queue, line or remedy was pressed is looked up here, by ids that name the check
itself, so that a press upon a list that has just changed reaches nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import anywidget
import traitlets

from workbench.advice import Check, Trial, can_be_tried, check_texts
from workbench.bench import texts
from workbench.bench.present import Present
from workbench.explain.wording import counted, name
from workbench.scheduler.objects.tree import find
from workbench.scheduler.records.state import Partition
from workbench.widgets.parts.browser_part import script
from workbench.widgets.regions.hooks import Hooks

SEVERITY_MARKS: Mapping[str, str] = {"error": "✕", "warning": "▲", "hint": "○"}
CHECK_AGAIN = "Check again"
TRY_IT = "Try it"
TRY_HINT = "Play a small workload that should bring this about, in a cluster of its own"

MOST_ITEMS = 200
URGENT = ("error", "warning")


class CheckList(anywidget.AnyWidget):
    """What was found, as a list of plain texts and buttons.

    Traits:
        items: {"id", "severity", "mark", "word", "code", "place", "selects", "key", "line", "text", "assumption", "remedies",
            "tries", "trial"} each; `selects` says whether the place is a queue of the screen, `line` and `tries` are the labels
            of buttons or "", `trial` is what came of trying it.
        empty: what to say while there is nothing; note: what to say below the list; again: label of a button beside it.
        name: accessible name; try_hint: what trying does.
    """

    _esm = script("check_list.js")

    items: traitlets.List[Any] = traitlets.List().tag(sync=True)
    empty = traitlets.Unicode("").tag(sync=True)
    note = traitlets.Unicode("").tag(sync=True)
    again = traitlets.Unicode("").tag(sync=True)
    name = traitlets.Unicode("").tag(sync=True)
    try_hint = traitlets.Unicode(TRY_HINT).tag(sync=True)


class ChecksTab:
    """`widget` is what is displayed. A place selects its queue, a line goes to the configuration, a remedy is one edit."""

    def __init__(self, hooks: Hooks):
        self._hooks = hooks
        self._checks: dict[str, Check] = {}
        self.widget = CheckList(name=texts.CHECKS, empty=texts.NO_CHECKS)
        self.widget.on_msg(self._received)

    def title(self) -> str:
        """The title of the tab, with the number of errors and warnings as far as it is known."""
        found = self._hooks.workbench.last_checked
        return checks_title(sum(each.severity in URGENT for each in found.checks) if found is not None else 0)

    def open(self) -> None:
        """The tab comes to the front: checks that take too long to be made at every step are made now."""
        self._hooks.workbench.checked(anew=True)

    def draw(self, present: Present) -> None:
        """Show the checks."""
        found = self._hooks.workbench.checked()
        self._checks = dict(_named(found.checks[:MOST_ITEMS]))
        old = found.instant != (present.simulation.position, present.simulation.now_ns)
        trial_of = self._hooks.workbench.trial_of
        with self.widget.hold_sync():
            self.widget.items = [_item(name, each, present.partition, trial_of(each)) for name, each in self._checks.items()]
            self.widget.note = " ".join(
                filter(None, (checks_old(found.step) if old else "", more_checks(len(found.checks) - MOST_ITEMS)))
            )
            self.widget.again = CHECK_AGAIN if old else ""

    def _received(self, _widget: object, content: object, _buffers: object) -> None:
        if not isinstance(content, dict):
            return
        if content.get("verb") == "again":
            self._hooks.carry_out("check")
        chosen = self._checks.get(str(content.get("id")))
        if chosen is None:
            return
        match content.get("verb"):
            case "select":
                self._hooks.carry_out("select", chosen.path)
            case "line" if chosen.line:
                self._hooks.open_line(chosen.line)
            case "try" if can_be_tried(chosen):
                self._hooks.carry_out("try_out", chosen.code, chosen.path, **self._elsewhere(chosen))
            case "mend":
                described = [one.description for one in chosen.remedies]
                if content.get("remedy") in described:
                    self._hooks.carry_out("mend", chosen.code, chosen.path, content["remedy"], **self._elsewhere(chosen))

    def _elsewhere(self, chosen: Check) -> dict[str, str]:
        """The partition of a check, where it is not the one on the screen."""
        return {"partition": chosen.partition} if chosen.partition != self._hooks.workbench.partition.name else {}


def _named(found: Iterable[Check]) -> Iterator[tuple[str, Check]]:
    """Each with an id that stays the same while the check is there."""
    times: Counter[str] = Counter()
    for each in found:
        name = "|".join((each.code, each.partition, each.path, each.key))
        times[name] += 1
        yield f"{name}|{times[name]}", each


def _item(name: str, check: Check, partition: Partition, trial: Trial | None) -> dict[str, object]:
    return {
        "id": name,
        "severity": check.severity,
        "mark": SEVERITY_MARKS[check.severity],
        "word": check_texts.SEVERITY_NAMES[check.severity],
        "code": check.code,
        "place": texts.check_place(check.path, check.partition),
        "key": check_key(check.key),
        "selects": bool(check.path) and check.partition == partition.name and find(partition, check.path) is not None,
        "line": check_line(check.line) if check.line else "",
        "text": check.text,
        "assumption": check.assumption,
        "remedies": [one.description for one in check.remedies],
        "tries": TRY_IT if can_be_tried(check) else "",
        "trial": trial.text if trial is not None else "",
    }


# ---- in words ---------------------------------------------------------------------------------------------------------


def check_key(key: str) -> str:
    return name(key, 120) if key else ""


def check_line(line: int) -> str:
    return f"line {line}"


def checks_title(urgent: int) -> str:
    """With the number of errors and warnings."""
    return f"{texts.CHECKS} ▲ {urgent}" if urgent else texts.CHECKS


def checks_old(step: int) -> str:
    return f"These are the checks of step {step}; they take too long to be made at every step."


def more_checks(number: int) -> str:
    return f"and {counted(number, 'more check')}" if number > 0 else ""
