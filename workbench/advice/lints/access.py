"""Names in ACLs and filters that never match, and filters that mean something else: C-103, PL-60, PL-62."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice.edits import SetField, SetFilterType, SetRules, accepted
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.config.acl import WILDCARD, dropped_names
from workbench.config.facts import Design
from workbench.explain.wording import name
from workbench.values.errors import ConfigError


@dataclass(frozen=True, slots=True)
class NamesThatNeverMatch(Lint):
    """Names that an ACL drops without a word; `acl` is its key."""

    code = "C-103"
    rules = ("C-103", "C-104")
    acl: str
    names: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"{name(self.acl)} of {where} names {named(self.names)}, which can never match and is dropped without a word"
            + (": a * counts only where it is all that is written" if WILDCARD in self.names else "")
            + ". Correct it, or remove it."
        )


def names_that_never_match(design: Design) -> Iterator[Finding]:
    """C-103: names that an ACL drops without a word; a * beside other names is one of them (C-104)."""
    for queue in design.queues.values():
        for key, text in (("adminacl", queue.config.admin_acl), ("submitacl", queue.config.submit_acl)):
            try:
                dropped = dropped_names(text)
            except ConfigError:  # loading reports it (C-102)
                continue
            if dropped:
                kept = " ".join(",".join(name for name in part.split(",") if name not in dropped) for part in text.split(" "))
                values = dict.fromkeys(([WILDCARD] if WILDCARD in dropped else []) + [kept.rstrip()])
                repairs = ((SetField(design.place(queue), key, value or None),) for value in values)
                yield finding(design, queue, key, NamesThatNeverMatch(key, tuple(dropped)), *repairs)


@dataclass(frozen=True, slots=True)
class FilterIsNoDenial(Lint):
    """The type of a filter is deny, but not in lower case; `value` is as it is written."""

    code = "PL-62"
    rules = ("PL-62",)
    rule: str
    value: str

    def sentence(self, where: str) -> str:
        return (
            f"The filter of the placement rule {name(self.rule)} has the type {name(self.value)}. Only deny in lower case "
            "denies; everything else allows, so it does the opposite. Write deny."
        )


@dataclass(frozen=True, slots=True)
class FilterDeniesNobody(Lint):
    """A filter denies and names nobody."""

    code = "PL-60"
    rules = ("PL-60",)
    rule: str

    def sentence(self, where: str) -> str:
        return (
            f"The filter of the placement rule {name(self.rule)} denies and names nobody. That lets nobody pass, so the rule "
            "never counts. Name whom it denies, or remove the rule."
        )


def filter_that_is_no_denial(design: Design) -> Iterator[Finding]:
    """PL-62 and PL-60: a filter type other than deny in lower case allows; a denial without a list lets nobody pass."""
    rules = design.partition.placement_rules
    for position, rule in enumerate(rules):
        chosen = rule.filter
        key = f"placementrules[{position}].filter.type"
        if chosen.type != "deny" and chosen.type.lower() == "deny":
            mended = (SetFilterType(design.place(), position, "deny"),) if chosen.users or chosen.groups else None
            yield finding(design, None, key, FilterIsNoDenial(rule.name, chosen.type), mended)
        elif chosen.type == "deny" and not chosen.users and not chosen.groups:
            others = (*rules[:position], *rules[position + 1 :])
            without = accepted(design, SetRules(design.place(), others)) if others else None
            yield finding(design, None, key, FilterDeniesNobody(rule.name), without)


CHECKS = (names_that_never_match, filter_that_is_no_denial)
