"""How a refusal or a surprise gets its words: one function for each class, registered where it stands.

What nobody has words for is shown raw with its fields, never hidden. Amounts are in the units of the configuration; what is
missing is said wherever a test compared numbers (E-5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TypeVar

from workbench.explain.wording import amounts, name
from workbench.scheduler.records.refusals.base import Reason, Refusal, Surprise
from workbench.values.resources import Resource

Sentence = Callable[..., str]
S = TypeVar("S", bound=Sentence)
SENTENCES: dict[type[Reason], Sentence] = {}
SHORT_NAMES: dict[type[Refusal], str] = {}


def says(kind: type[Reason], short: str = "") -> Callable[[S], S]:
    """Register a function from a reason of this class to its sentence; a refusal has a short name, too."""

    def register(sentence: S) -> S:
        SENTENCES[kind] = sentence
        if issubclass(kind, Refusal):
            SHORT_NAMES[kind] = short
        return sentence

    return register


def short_name(refusal: Refusal | type[Refusal]) -> str:
    """A word or two for a table; of a refusal that nobody has words for, its code."""
    kind = refusal if isinstance(refusal, type) else type(refusal)
    return SHORT_NAMES.get(kind) or name(kind.code)


def reason(refusal: Refusal) -> str:
    """One sentence saying why, with the compared numbers."""
    sentence = SENTENCES.get(type(refusal))
    return sentence(refusal) if sentence is not None else raw(refusal)


def preemption_reason(refusal: Refusal) -> str:
    """One sentence on why the ask could not help itself by preemption (W-23); "" if that is no part of the refusal."""
    return reason(refusal.preemption) if refusal.preemption is not None else ""


def surprise(met: Surprise) -> str:
    """What the real scheduler does here against expectation; the same is done here."""
    sentence = SENTENCES.get(type(met))
    told = f"This is a known surprise of the real scheduler ({name(met.code)})."
    return f"{sentence(met) if sentence is not None else raw(met)} {told}"


def raw(met: Reason) -> str:
    """The code, the subject and the fields as they are."""
    values = {field.name: getattr(met, field.name) for field in fields(met) if field.name != "subject"}
    return raw_text(met.code, met.subject, {key: value for key, value in values.items() if value not in (None, "")})


def raw_text(code: str, subject: str, numbers: Mapping[str, object]) -> str:
    """The same of values by name."""
    told = ", ".join(f"{name(key)}={_raw_value(value)}" for key, value in sorted(numbers.items()))
    return f"{name(code)}: {name(subject)}" + (f" ({told})." if told else ".")


def _raw_value(value: object) -> str:
    return amounts(value, "nothing") if isinstance(value, Resource) else name(str(value), 120)
