"""Release 1.8: what every chapter of the specification describes."""

from __future__ import annotations

from types import MappingProxyType

from workbench.config.properties import PROPERTIES
from workbench.scheduler.releases.profile import SECOND_NS, Profile, StateTimer

PROFILE = Profile(
    version="1.8",
    transitions=MappingProxyType(
        {
            "New": {
                "runApplication": "Accepted",
                "rejectApplication": "Rejected",
                "failApplication": "Failing",
                "resumeApplication": "Resuming",
            },
            "Accepted": {
                "runApplication": "Running",
                "completeApplication": "Completing",
                "failApplication": "Failing",
                "resumeApplication": "Resuming",
            },
            "Running": {"runApplication": "Running", "completeApplication": "Completing", "failApplication": "Failing"},
            "Completing": {"runApplication": "Running", "completeApplication": "Completed"},
            "Failing": {"failApplication": "Failed"},
            "Resuming": {"runApplication": "Accepted"},
            "Completed": {"expireApplication": "Expired"},
            "Failed": {"expireApplication": "Expired"},
            "Rejected": {"expireApplication": "Expired"},
            "Expired": {},
        }
    ),
    state_timers=MappingProxyType(
        {
            "Completing": StateTimer("completing", 30 * SECOND_NS),
            **dict.fromkeys(("Completed", "Failed", "Rejected"), StateTimer("expireApplication", 3 * 24 * 3600 * SECOND_NS)),
        }
    ),
    running_states=frozenset(("Running",)),
    properties=PROPERTIES,
)
