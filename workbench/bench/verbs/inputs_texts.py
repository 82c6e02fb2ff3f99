"""What an input did, for the status line."""

from __future__ import annotations

from workbench.explain import words
from workbench.explain.wording import counted, name, seconds


def _several(noun: str, id: str, repeat: int) -> str:
    return f"{noun} {name(id)}" if repeat == 1 else f"{counted(repeat, noun)} {name(id)}-000 and so on"


def submitted(id: str, repeat: int) -> str:
    return f"{_several('Application' if repeat == 1 else 'application', id, repeat)} submitted."


def asked(key: str, app: str, repeat: int) -> str:
    return f"App {name(app)} asks for {_several('request', key, repeat)}."


def gang_submitted(id: str, members: int) -> str:
    return f"Gang {name(id)} submitted, with {counted(members, 'placeholder')}."


def node_added(id: str, repeat: int) -> str:
    return f"Registered: {_several('node', id, repeat)}."


def node_drained(id: str) -> str:
    return f"Node {name(id)} takes nothing new."


def node_opened(id: str) -> str:
    return f"Node {name(id)} takes new work again."


def node_removed(id: str) -> str:
    return f"Node {name(id)} is removed; what ran there is released."


def finished(app: str, key: str) -> str:
    return f"{words.request(key, app)} ended." if key else f"Everything of app {name(app)} ended."


def app_removed(app: str) -> str:
    return f"App {name(app)} is removed."


def planned(number: int, first_ns: int, last_ns: int) -> str:
    when = seconds(first_ns) if first_ns == last_ns else f"{seconds(first_ns)} to {seconds(last_ns)}"
    return f"{counted(number, 'input')} {'waits' if number == 1 else 'wait'} for {when} of simulated time."


def not_ahead(number: int) -> str:
    return f"input {number} is none that waits for its time"


def input_removed(kind: str, who: str, at_ns: int) -> str:
    return f"No longer planned for {seconds(at_ns)}: {kind} {who}."


def input_rejected(number: int, reason: str) -> str:
    return f"The scheduler rejected {number} of it: {name(reason, 200).rstrip('.')}."
