"""What the checks of a design must not find: `no_findings: [L-10, L-31]`.

`true` for none at all, or the severities (`error`, `warning`, `hint`) of which there must be none, codes among them. With
`scenario:` the nodes and applications at its end are looked at, too; codes that need them are refused without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from workbench.advice import Check, checks
from workbench.advice.codes import known_codes, needs_a_state
from workbench.advice.lint import SEVERITIES
from workbench.expectations.kinds.registry import Case, Kind, Place, register_kind
from workbench.expectations.verdicts import Offender, Outcome, Verdict
from workbench.explain.wording import counted, listing, name
from workbench.simulation.scenario.document import Cursor


@dataclass(frozen=True)
class NoFindings:
    """No check finds any of these: codes, or severities."""

    wanted: tuple[str, ...]

    def __str__(self) -> str:
        return f"no findings: {listing(self.wanted, most=6)}"

    def judge(self, case: Case) -> Verdict:
        simulation = case.simulation
        found = [
            each
            for each in checks(case.design, None if simulation is None else simulation.state)
            if each.code in self.wanted or each.severity in self.wanted
        ]
        if not found:
            return Verdict(Outcome.PASSED, f"{self}: there are none", 0.0)
        sentence = f"{self}: {counted(len(found), 'finding')}, first {found[0].code}"
        return Verdict(Outcome.FAILED, sentence, float(len(found)), -float(len(found)), _offender(found))


def _offender(found: list[Check]) -> Offender:
    first = found[0]
    more = len(found) - 1
    said = str(first) + (f" And {counted(more, 'more finding')}." if more else "")
    return Offender(first.path or "the partition", said)


def read(at: Cursor, given: Mapping[str, Cursor], place: Place) -> NoFindings:
    """The codes of a file."""
    if at.value is True:
        return NoFindings(tuple(SEVERITIES))
    if at.value is False:
        raise at.fault("is false, which expects nothing", "say true, or a list of codes")
    texts = [at] if isinstance(at.value, str) else list(at.items())
    if not texts:
        raise at.fault("is empty, so that this can never fail", "name codes such as L-10, or true for all")
    known = known_codes()
    for each in texts:
        code = each.name()
        if code in SEVERITIES:
            continue
        if code not in known:
            near = get_close_matches(code, SEVERITIES, n=1)  # codes are all alike
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join((*SEVERITIES, *known))}"
            raise each.fault(f"there is no check {name(code)}", hint)
        if needs_a_state(code) and "scenario" not in given:
            raise each.fault(
                f"{code} looks at nodes and applications, so that it can never be found in the design alone",
                "give a scenario beside it",
            )
    return NoFindings(tuple(dict.fromkeys(each.name() for each in texts)))


register_kind("no_findings", Kind("what the checks must not find", read, by="design or scenario"))
