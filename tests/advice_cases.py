"""For each check a design in which it speaks up and one, as near as can be, in which it has no reason to.

`at` is the queue it speaks of, "" for the partition. Trees are in the short form of `scenes.config_text`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scenes import config_text

from workbench import checks, load_config
from workbench.advice import Check
from workbench.config.model import SchedulerConfig


@dataclass(frozen=True)
class Case:
    name: str
    code: str
    at: str
    flagged: str
    clean: str
    partition: dict[str, Any] = field(default_factory=dict)
    """Further keys of the partition, in both."""
    flagged_partition: dict[str, Any] = field(default_factory=dict)
    clean_partition: dict[str, Any] = field(default_factory=dict)
    remedies: int = 1

    def __str__(self) -> str:
        return f"{self.code} {self.name}"

    @property
    def flagged_config(self) -> SchedulerConfig:
        return load_config(config_text(self.flagged, **self.partition, **self.flagged_partition))

    @property
    def clean_config(self) -> SchedulerConfig:
        return load_config(config_text(self.clean, **self.partition, **self.clean_partition))


def of(case: Case, config: SchedulerConfig) -> list[Check]:
    """What this check says of the queue of the case."""
    return [check for check in checks(config) if (check.code, check.path) == (case.code, case.at)]


QUOTA_ON = {"preemption": {"quotapreemptionenabled": True}}
USER_RULE = {"placementrules": [{"name": "user", "create": True}]}

CASES = (
    Case(
        "only a parent guarantees",
        "L-01",
        "root.p",
        "p: {guaranteed: {vcore: 4}, a: {}, b: {}}",
        "p: {guaranteed: {vcore: 4}, a: {guaranteed: {vcore: 2}}, b: {guaranteed: {vcore: 2}}}",
    ),
    Case(
        "one leaf under it cannot share",
        "L-01",
        "root.p",
        "p: {guaranteed: {vcore: 4}, a: {}, b: {x: {}}}",
        "p: {guaranteed: {vcore: 4}, a: {}}",
    ),
    Case(
        "one sibling without a guarantee",
        "L-02",
        "root.p.b",
        "p: {guaranteed: {vcore: 8}, a: {guaranteed: {vcore: 4}}, b: {}}",
        "p: {guaranteed: {vcore: 8}, a: {guaranteed: {vcore: 4}}, b: {guaranteed: {vcore: 4}}}",
    ),
    Case(
        "a disabled sibling loses nothing",
        "L-02",
        "root.p.b",
        "p: {guaranteed: {vcore: 8}, a: {guaranteed: {vcore: 8}}, b: {}}",
        "p: {guaranteed: {vcore: 8}, a: {guaranteed: {vcore: 8}}, b: {preemption.policy: disabled}}",
        remedies=0,
    ),
    Case(
        "a queue between hides the sum",
        "L-03",
        "root.p",
        "p: {guaranteed: {vcore: 4}, mid: {guaranteed: {memory: 1}, a: {guaranteed: {vcore: 4}}, b: {guaranteed: {vcore: 4}}}}",
        "p: {guaranteed: {vcore: 8}, mid: {guaranteed: {memory: 1}, a: {guaranteed: {vcore: 4}}, b: {guaranteed: {vcore: 4}}}}",
    ),
    Case(
        "a fence on a leaf",
        "L-07",
        "root.a",
        "a: {guaranteed: {vcore: 4}, preemption.policy: fence}\nb: {}",
        "a: {guaranteed: {vcore: 4}}\nb: {}",
    ),
    Case(
        "too little behind the fence",
        "L-08",
        "root.t.b",
        "t: {preemption.policy: fence, b: {guaranteed: {vcore: 4}}, c: {max: {vcore: 2}}}\no: {}",
        "t: {preemption.policy: fence, b: {guaranteed: {vcore: 4}}, c: {max: {vcore: 4}}}\no: {}",
    ),
    Case(
        "an offset that nothing compares",
        "L-09",
        "root.t.m",
        "t: {priority.policy: fence, priority.offset: 5, m: {priority.offset: 100, a: {}, b: {}}}\no: {}",
        "t: {priority.offset: 5, m: {priority.offset: 100, a: {}, b: {}}}\no: {}",
    ),
    Case(
        "an offset that counts inside only",
        "L-09",
        "root.t.m",
        "t: {priority.policy: fence, m: {priority.offset: 100}, n: {}}\no: {}",
        "t: {m: {priority.offset: 100}, n: {}}\no: {}",
        remedies=0,
    ),
    Case(
        "a fence without an offset",
        "L-10",
        "root.t",
        "t: {priority.policy: fence, a: {}}\no: {}",
        "t: {priority.policy: fence, priority.offset: 3, a: {}}\no: {}",
        remedies=2,
    ),
    Case(
        "a fence without a sibling",
        "L-10",
        "root.t",
        "t: {priority.policy: fence, a: {}}\no: {}",
        "t: {priority.policy: fence, a: {}}",
        remedies=2,
    ),
    Case(
        "an offset above preemption",
        "L-11",
        "root.p",
        "p: {priority.offset: 100, a: {guaranteed: {vcore: 4}}, b: {}}",
        "p: {a: {guaranteed: {vcore: 4}, priority.offset: 100}, b: {priority.offset: 100}}",
    ),
    Case(
        "a priority fence above preemption",
        "L-11",
        "root.p",
        "p: {priority.policy: fence, priority.offset: 0, a: {guaranteed: {vcore: 4}}, b: {}}",
        "p: {priority.policy: fence, priority.offset: 0, a: {}, b: {}}",
        remedies=0,
    ),
    Case("an offset that is no number", "L-12", "root.a", "a: {priority.offset: lots}", "a: {priority.offset: 5}"),
    Case(
        "offsets that add up too far",
        "L-12",
        "root.p",
        "p: {priority.offset: 2000000000, a: {priority.offset: 2000000000}}\no: {}",
        "p: {priority.offset: 1000000000, a: {priority.offset: 1000000000}}\no: {}",
        remedies=0,
    ),
    Case(
        "an unknown property", "L-13", "root.a", "a: {premption.policy: disabled}", "a: {preemption.policy: disabled}", remedies=2
    ),
    Case(
        "the documented quota key",
        "L-13",
        "root.a",
        "a: {max: {vcore: 4}, quota.preemption.delay: 90s}",
        "a: {max: {vcore: 4}, preemption.quota.delay: 90s}",
        QUOTA_ON,
        remedies=2,
    ),
    Case(
        "an unknown property of a template",
        "L-13",
        "root.p",
        "p: {parent: true, template: {properties: {application.sort.polcy: fair}}}",
        "p: {parent: true, template: {properties: {application.sort.policy: fair}}}",
        remedies=2,
    ),
    Case(
        "a text that means nothing",
        "L-14",
        "root.a",
        "a: {preemption.policy: fenced}\nb: {}",
        "a: {preemption.policy: disabled}\nb: {}",
        remedies=2,
    ),
    Case(
        "a policy with a capital",
        "L-14",
        "root.a",
        "a: {guaranteed: {vcore: 1}, application.sort.policy: Fair}",
        "a: {guaranteed: {vcore: 1}, application.sort.policy: fair}",
        remedies=2,
    ),
    Case("a delay without a unit", "L-14", "root.a", "a: {preemption.delay: 30}", "a: {preemption.delay: 30s}"),
    Case("stateaware", "L-15", "root.a", "a: {application.sort.policy: stateaware}", "a: {application.sort.policy: fifo}"),
    Case(
        "a sort policy that nobody inherits",
        "L-16",
        "root.p",
        "p: {application.sort.policy: fair, a: {application.sort.policy: fifo}}",
        "p: {a: {application.sort.policy: fifo}}",
    ),
    Case(
        "a sort policy that a leaf inherits",
        "L-16",
        "root.p",
        "p: {application.sort.policy: fair, a: {guaranteed: {vcore: 1}}}",
        "p: {a: {application.sort.policy: fair, guaranteed: {vcore: 1}}}",
        remedies=0,
    ),
    Case(
        "fair without a guarantee",
        "L-18",
        "root.a",
        "a: {application.sort.policy: fair}",
        "a: {application.sort.policy: fair, guaranteed: {vcore: 1, memory: 1}}",
        remedies=0,
    ),
    Case(
        "nobody may submit",
        "L-19",
        "root.a",
        "submitacl: ''\na: {}\nb: {submitacl: '*'}",
        "submitacl: ''\na: {submitacl: sue}\nb: {submitacl: '*'}",
    ),
    Case(
        "no rule leads there",
        "L-19",
        "root.a",
        "a: {}\nb: {}",
        "a: {}\nb: {}",
        flagged_partition={"placementrules": [{"name": "fixed", "value": "root.b"}]},
        clean_partition={"placementrules": [{"name": "provided"}, {"name": "fixed", "value": "root.b"}]},
    ),
    Case(
        "a rule behind one that takes all",
        "PL-36",
        "",
        "a: {}\nb: {}",
        "a: {}\nb: {}",
        flagged_partition={"placementrules": [{"name": "fixed", "value": "root.b"}, {"name": "provided"}]},
        clean_partition={"placementrules": [{"name": "provided"}, {"name": "fixed", "value": "root.b"}]},
    ),
    Case(
        "a rule that takes only some",
        "PL-36",
        "",
        "submitacl: ''\na: {}\nb: {submitacl: '*'}",
        "submitacl: ''\na: {}\nb: {submitacl: sue}",
        {"placementrules": [{"name": "fixed", "value": "root.b"}, {"name": "provided"}]},
    ),
    Case("a maximum of no cores", "L-19", "root.a", "a: {max: {vcore: 0, memory: 5}}", "a: {max: {memory: 5, gpu: 0}}"),
    Case("a maximum of nothing", "L-20", "root.a", "a: {max: {vcore: 0}}", "a: {max: {vcore: 1}}"),
    Case(
        "a template with a maximum of nothing",
        "L-20",
        "root.p",
        "p: {parent: true, template: {resources: {max: {vcore: 0}}}}",
        "p: {parent: true, template: {resources: {max: {vcore: 2}}}}",
    ),
    Case(
        "children that may block each other",
        "L-22",
        "root.p",
        "p: {maxapplications: 3, a: {maxapplications: 2}, b: {maxapplications: 2}}",
        "p: {maxapplications: 4, a: {maxapplications: 2}, b: {maxapplications: 2}}",
    ),
    Case(
        "a number never reached",
        "L-22",
        "root.p",
        "p: {maxapplications: 9, a: {maxapplications: 2}, b: {maxapplications: 2}}",
        "p: {maxapplications: 4, a: {maxapplications: 2}, b: {maxapplications: 2}}",
    ),
    Case("one application for all", "L-23", "root.a", "a: {maxapplications: 1}", "a: {maxapplications: 2}"),
    Case(
        "one application for one user",
        "L-23",
        "root.a",
        "submitacl: ''\na: {maxapplications: 1, submitacl: 'sue,bob'}",
        "submitacl: ''\na: {maxapplications: 1, submitacl: sue}",
    ),
    Case(
        "one application for a group",
        "L-23",
        "root.a",
        "a: {limits: [{limit: x, groups: [dev], maxapplications: 1}]}",
        "a: {limits: [{limit: x, users: [sue], maxapplications: 1}]}",
        remedies=0,
    ),
    Case(
        "users and groups in one limit",
        "L-24",
        "root.a",
        "a: {limits: [{limit: x, users: [sue], groups: [dev], maxresources: {vcore: 2}}]}",
        "a: {limits: [{limit: x, users: [sue], maxresources: {vcore: 2}}, {limit: y, groups: [dev], maxresources: {vcore: 2}}]}",
    ),
    Case(
        "a limit for each",
        "L-25",
        "root.a",
        "a: {limits: [{limit: x, users: ['*'], maxresources: {vcore: 2}}]}",
        "a: {limits: [{limit: x, users: [sue], maxresources: {vcore: 2}}]}",
        remedies=0,
    ),
    Case(
        "a limit that never binds",
        "L-26",
        "root.p.a",
        "p: {limits: [{limit: w, users: ['*'], maxresources: {vcore: 2}}], "
        "a: {limits: [{limit: x, users: [sue], maxresources: {vcore: 2}}]}}",
        "p: {limits: [{limit: w, users: ['*'], maxresources: {vcore: 2}}], "
        "a: {limits: [{limit: x, users: [sue], maxresources: {vcore: 1}}]}}",
    ),
    Case(
        "a name that begins like another",
        "L-28",
        "root.team",
        "team: {guaranteed: {vcore: 2}}\nteam2: {guaranteed: {vcore: 2}}",
        "team1: {guaranteed: {vcore: 2}}\nteam2: {guaranteed: {vcore: 2}}",
        remedies=0,
    ),
    Case(
        "a delay below the interval",
        "L-29",
        "root.a",
        "a: {guaranteed: {vcore: 2}, preemption.delay: 5s}\nb: {}",
        "a: {guaranteed: {vcore: 2}, preemption.delay: 20s}\nb: {}",
    ),
    Case(
        "disabled above dynamic leaves",
        "L-30",
        "root",
        "preemption.policy: disabled\na: {}",
        "template: {properties: {preemption.policy: disabled}}\npreemption.policy: disabled\na: {}",
        USER_RULE,
    ),
    Case(
        "an offset above dynamic leaves",
        "L-30",
        "root.p",
        "p: {parent: true, priority.offset: 5}",
        "p: {parent: true}",
        {"placementrules": [{"name": "user", "create": True, "parent": {"name": "fixed", "value": "root.p"}}]},
        remedies=0,
    ),
    Case(
        "nothing behind the fence",
        "L-31",
        "root.t.b",
        "t: {preemption.policy: fence, b: {guaranteed: {vcore: 4}}}\no: {}",
        "t: {b: {guaranteed: {vcore: 4}}}\no: {}",
    ),
    Case(
        "everybody else is disabled",
        "L-31",
        "root.b",
        "b: {guaranteed: {vcore: 4}}\no: {preemption.policy: disabled}",
        "b: {guaranteed: {vcore: 4}}\no: {}",
        remedies=0,
    ),
    Case(
        "a quota delay without the switch",
        "L-32",
        "root.a",
        "a: {max: {vcore: 4}, preemption.quota.delay: 90s}",
        "a: {max: {vcore: 4}, preemption.quota.delay: 90s}",
        clean_partition=QUOTA_ON,
        remedies=2,
    ),
    Case(
        "a quota delay without a maximum",
        "L-32",
        "root.a",
        "a: {preemption.quota.delay: 90s}",
        "a: {max: {vcore: 4}, preemption.quota.delay: 90s}",
        QUOTA_ON,
    ),
    Case(
        "the switch without a delay",
        "L-32",
        "",
        "a: {max: {vcore: 4}}",
        "a: {max: {vcore: 4}, preemption.quota.delay: 90s}",
        QUOTA_ON,
    ),
    Case(
        "a quota delay in a template",
        "L-32",
        "root.p",
        "p: {parent: true, template: {properties: {preemption.quota.delay: 90s}}}\n"
        "a: {max: {vcore: 1}, preemption.quota.delay: 90s}",
        "p: {parent: true}\na: {max: {vcore: 1}, preemption.quota.delay: 90s}",
        QUOTA_ON,
    ),
    Case(
        "a quota delay on a parent",
        "L-33",
        "root.p",
        "p: {max: {vcore: 4}, preemption.quota.delay: 90s, a: {}, b: {}}",
        "p: {max: {vcore: 4}, a: {max: {vcore: 4}, preemption.quota.delay: 90s}, b: {}}",
        QUOTA_ON,
    ),
    Case(
        "a short quota delay",
        "L-34",
        "root.a",
        "a: {max: {vcore: 4}, preemption.quota.delay: 10s}",
        "a: {max: {vcore: 4}, preemption.quota.delay: 1m}",
        QUOTA_ON,
    ),
    Case(
        "a template on a leaf",
        "L-35",
        "root.a",
        "a: {template: {maxapplications: 3}}",
        "a: {parent: true, template: {maxapplications: 3}}",
    ),
    Case(
        "dynamic leaves without a template", "L-35", "root", "a: {}", "template: {maxapplications: 3}\na: {}", USER_RULE, remedies=0
    ),
    Case("a parent of nothing", "L-36", "root.p", "p: {parent: true}\na: {}", "p: {parent: true, x: {}}\na: {}"),
    Case(
        "a parent that rules fill",
        "L-36",
        "root.p",
        "p: {parent: true}\na: {}",
        "p: {parent: true}\na: {}",
        clean_partition={"placementrules": [{"name": "user", "create": True, "parent": {"name": "fixed", "value": "root.p"}}]},
    ),
    Case(
        "weights of 0",
        "L-37",
        "",
        "a: {}",
        "a: {}",
        flagged_partition={"nodesortpolicy": {"resourceweights": {"vcore": 0}}},
        clean_partition={"nodesortpolicy": {"resourceweights": {"vcore": 0, "memory": 1}}},
    ),
    Case(
        "offsets that are not sorted by",
        "L-39",
        "root.p",
        "p: {application.sort.priority: disabled, a: {priority.offset: 5}, b: {}}",
        "p: {a: {priority.offset: 5}, b: {}}",
        remedies=0,
    ),
    Case(
        "resources of a queue named root",
        "C-121",
        "root.root",
        "root: {max: {vcore: 1}}\na: {}",
        "roots: {max: {vcore: 1}}\na: {}",
        remedies=0,
    ),
    Case(
        "limits of a name with capitals",
        "PL-104",
        "root.Team".lower(),
        "Team: {limits: [{limit: x, users: [sue], maxresources: {vcore: 1}}]}",
        "team: {limits: [{limit: x, users: [sue], maxresources: {vcore: 1}}]}",
    ),
    Case(
        "a priority fence around everything",
        "R-651",
        "root.t",
        "t: {priority.policy: fence, priority.offset: 5, a: {}, b: {}}",
        "t: {priority.policy: fence, priority.offset: 5, a: {}, b: {}}\no: {}",
    ),
    Case(
        "a preemption fence around everything",
        "P-30",
        "root.t",
        "t: {preemption.policy: fence, a: {guaranteed: {vcore: 2}}, b: {}}",
        "t: {preemption.policy: fence, a: {guaranteed: {vcore: 2}}, b: {}}\no: {}",
    ),
    Case("a preemption fence at the root", "P-30", "root", "preemption.policy: fence\na: {}\nb: {}", "a: {}\nb: {}"),
    Case(
        "an ACL with a name that never matches",
        "C-103",
        "root.a",
        "a: {submitacl: 'sue,svc:build dev'}",
        "a: {submitacl: 'sue,svc dev'}",
    ),
    Case("an ACL with a star among names", "C-103", "root.a", "a: {submitacl: 'sue,*'}", "a: {submitacl: '*'}", remedies=2),
    Case(
        "a filter with a capital",
        "PL-62",
        "",
        "a: {}",
        "a: {}",
        flagged_partition={"placementrules": [{"name": "provided", "filter": {"type": "Deny", "users": ["sue"]}}]},
        clean_partition={"placementrules": [{"name": "provided", "filter": {"type": "deny", "users": ["sue"]}}]},
    ),
    Case(
        "a denial of nobody",
        "PL-60",
        "",
        "a: {}",
        "a: {}",
        flagged_partition={"placementrules": [{"name": "user", "filter": {"type": "deny"}}, {"name": "provided"}]},
        clean_partition={"placementrules": [{"name": "user", "filter": {"type": "allow"}}, {"name": "provided"}]},
    ),
)
