"""Names in ACLs and filters that never match, and filters that mean something else: C-103, PL-60, PL-62."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config.acl import WILDCARD, dropped_names
from workbench.config.checks.design import Design
from workbench.config.checks.finding import Finding
from workbench.values.errors import ConfigError


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
                yield design.finding(
                    "C-103",
                    "warning",
                    queue,
                    key,
                    "C-103",
                    "C-104",
                    acl=key,
                    names=dropped,
                    wildcard=WILDCARD in dropped,
                    repairs=tuple((design.edit("field", queue, key, value or None),) for value in values),
                )


def filter_that_is_no_denial(design: Design) -> Iterator[Finding]:
    """PL-62 and PL-60: a filter type other than deny in lower case allows; a denial without a list lets nobody pass."""
    rules = design.partition.placement_rules
    for position, rule in enumerate(rules):
        chosen = rule.filter
        key = f"placementrules[{position}].filter.type"
        if chosen.type != "deny" and chosen.type.lower() == "deny":
            mended = (design.edit("filter-type", key=str(position), value="deny"),) if chosen.users or chosen.groups else None
            yield design.finding("PL-62", "warning", None, key, "PL-62", value=chosen.type, rule=rule.name, repairs=(mended,))
        elif chosen.type == "deny" and not chosen.users and not chosen.groups:
            yield design.finding(
                "PL-60",
                "warning",
                None,
                key,
                "PL-60",
                rule=rule.name,
                repairs=(
                    design.accepted(design.edit("rules", value=(*rules[:position], *rules[position + 1 :])))
                    if len(rules) > 1
                    else None,
                ),
            )


CHECKS = (names_that_never_match, filter_that_is_no_denial)
