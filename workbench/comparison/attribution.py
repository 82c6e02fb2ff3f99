"""Which edit does what: each edit alone on the first design, and each left out of the second. CP-4.

The change of a measure is put down to an edit that brings about most of it alone and without which most of it is gone; to several
edits if each does its part alone and the parts make up the whole; otherwise to their combination. Edits under which every run is
the same decision by decision, alone and left out, change nothing in these runs, whatever they say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import NamedTuple

from workbench.comparison import words
from workbench.comparison.changes import Change, change
from workbench.comparison.edits import Edit
from workbench.comparison.sides import Side
from workbench.comparison.variants import Variants
from workbench.explain.html import table_html
from workbench.explain.tables import Table
from workbench.explain.wording import listing, name
from workbench.measures import measure_named, scope_of
from workbench.runs.run import Tell

MOSTLY = 0.8
"""Share of a change that has to be there alone, and gone without it, for one edit to account for it."""
A_PART = 0.1
"""Share of a change below which an edit has no part in it."""


SHOWN = "wait.p95"
"""The measure that is shown first."""
MOST_SCOPES = 2
"""Queues that are shown first."""


class Effect(NamedTuple):
    """What one edit does to one measure, in the measure's unit.

    Attributes:
        edit: the edit.
        alone: by how much the measure changes with this edit alone on the first design; None if the scheduler would not take that.
        left_out: by how much less it changes if this edit is left out of the second; None likewise.
        alone_value, without_value: the measure itself in the two.
    """

    edit: Edit
    alone: float | None
    left_out: float | None
    alone_value: float | None
    without_value: float | None


@dataclass(frozen=True)
class Credit:
    """To what the change of one measure is put down.

    Attributes:
        change: of the measure, from the first design to the second.
        effects: of every edit.
        edits: those that it is put down to; none if it does not change.
        together: they bring it about only together.
    """

    change: Change
    effects: tuple[Effect, ...]
    edits: tuple[Edit, ...]
    together: bool

    @property
    def sentence(self) -> str:
        """To what it is put down, in words."""
        of = f"{words.place(self.change.scope)}, {self.change.title}: {words.difference(self.change)}"
        if not self.edits:
            return f"{of or 'no change'}; no edit accounts for it"
        who = listing([str(each) for each in self.edits], most=4)
        if len(self.edits) == 1 and not self.together:
            return f"{of}, which is due to {who}"
        return f"{of}, which comes from {who} {'in combination' if self.together else 'each with its part'}"


class Attribution:
    """Which of the edits between two designs does what."""

    def __init__(self, variants: Variants):
        self.variants = variants

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits; of more than eight, several count as one."""
        return self.variants.edits

    def play(self, *, progress: Tell | None = None, stop: Callable[[], bool] | None = None) -> None:
        """Play every design in between; otherwise it is done when it is first asked.

        Raises:
            Interrupted: `stop` said so; what was played is kept.
        """
        wanted = [chosen for each in self.edits for chosen in (frozenset((each,)), self.variants.without(each))]
        for number, chosen in enumerate(wanted):

            def tell(fraction: float, text: str, number: int = number) -> None:
                if progress is not None:
                    progress((number + fraction) / len(wanted), f"edit {number // 2 + 1} of {len(self.edits)}: {text}")

            self.variants.side(chosen, progress=tell, stop=stop)

    def alone(self, edit: Edit) -> Side | None:
        """The first design with this edit only; None if the scheduler would not take it."""
        return self.variants.side((edit,))

    def without(self, edit: Edit) -> Side | None:
        """The second design without this edit; None if the scheduler would not take it."""
        return self.variants.side(self.variants.without(edit))

    @cached_property
    def idle(self) -> tuple[Edit, ...]:
        """The edits that change nothing in these runs, decision by decision."""
        first, other = self.variants.first, self.variants.other
        return tuple(each for each in self.edits if _alike(self.alone(each), first) and _alike(self.without(each), other))

    @cached_property
    def decisive(self) -> tuple[Edit, ...]:
        """The edits that change anything."""
        return tuple(each for each in self.edits if each not in self.idle)

    def effects(self, measure: str, of: str = "cluster") -> tuple[Effect, ...]:
        """What each edit does to a measure.

        Raises:
            CommandError: there is no such measure.
        """
        measured, scope = measure_named(measure), scope_of(of)
        first, other = self.variants.first, self.variants.other
        made = []
        for each in self.edits:
            alone, without = self.alone(each), self.without(each)
            there = None if alone is None else change(first, alone, measured, scope)
            back = None if without is None else change(without, other, measured, scope)
            made.append(
                Effect(
                    each,
                    None if there is None else there.change,
                    None if back is None else back.change,
                    None if there is None else there.b,
                    None if back is None else back.a,
                )
            )
        return tuple(made)

    def credit(self, measure: str, of: str = "cluster") -> Credit | None:
        """To which edit the change of a measure is put down; None if neither design has anything to measure.

        Raises:
            CommandError: there is no such measure.
        """
        whole = change(self.variants.first, self.variants.other, measure_named(measure), scope_of(of))
        if whole is None:
            return None
        effects = self.effects(measure, of)
        edits, together = _put_down(whole, [each for each in effects if each.edit not in self.idle])
        return Credit(whole, effects, edits, together)

    @property
    def sentence(self) -> str:
        """Which edits count, in a sentence."""
        if not self.edits:
            return "The designs mean the same; there is no edit between them."
        if not self.decisive:
            return f"None of the {len(self.edits)} edits changes anything in these runs: there is no difference."
        which = listing([str(each) for each in self.decisive], most=4)
        idle = len(self.idle)
        rest = f" The other {idle} change nothing." if idle > 1 else " The other one changes nothing." if idle else ""
        return f"What changes is due to {which}.{rest}"

    def table(self, measure: str = "wait.p95", of: str = "cluster") -> Table:
        """The edits with their effect on one measure, alone and left out."""
        found = self.credit(measure, of)
        shown = measure_named(measure)
        rows = []
        for each in found.effects if found is not None else ():
            values = ("not a valid design" if side is None else shown.show_short(value) for side, value in (
                (self.alone(each.edit), each.alone_value), (self.without(each.edit), each.without_value)))  # fmt: skip
            rows.append((str(each.edit), *values, "changes nothing" if each.edit in self.idle else _role(found, each.edit)))
        one, two = (name(each.name) for each in (self.variants.first, self.variants.other))
        before, after = (
            ("", "") if found is None else (words.value(found.change, found.change.a), words.value(found.change, found.change.b))
        )
        return Table(
            f"{shown.title[:1].upper()}{shown.title[1:]}, {words.place(of)}: {before} with {one}, {after} with {two}",
            ("edit", f"alone on {one}", f"{two} without it", "that is"),
            tuple(rows),
            keys=self.edits,
            empty="There is no edit between the designs.",
        )

    @cached_property
    def scopes(self) -> tuple[str, ...]:
        """Of whom it is shown first: the queues without queues below them whose long waits change most, by their share; else the
        cluster."""
        first, other = self.variants.first, self.variants.other
        queues = dict.fromkeys(path for side in (first, other) for run in side.runs for path in run.record.queues)
        changes = (change(first, other, measure_named(SHOWN), scope_of(path)) for path in queues)
        found = sorted((each for each in changes if each is not None and each.counts), key=lambda each: (-each.size, each.scope))
        return tuple(each.scope for each in found[:MOST_SCOPES]) or ("cluster",)

    def tables(self) -> tuple[Table, ...]:
        """A table for each of `scopes`."""
        return tuple(self.table(SHOWN, scope) for scope in self.scopes)

    def __str__(self) -> str:
        return "\n".join([self.sentence, *(line for each in self.tables() for line in ("", f"{each.caption}.", str(each)))])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p><strong>{escape(self.sentence)}</strong></p>{''.join(map(table_html, self.tables()))}"


def _alike(one: Side | None, other: Side) -> bool:
    return one is not None and one.digests == other.digests


def _role(found: Credit | None, edit: Edit) -> str:
    if found is None or edit not in found.edits:
        return "hardly any part of it"
    shares = [each.alone for each in found.effects if each.edit == edit and each.alone]
    if shares and found.change.change and shares[0] * found.change.change < 0:
        return "works against it"
    if found.together:
        return "only in combination"
    return "the cause" if len(found.edits) == 1 else "a part of it"


def _put_down(whole: Change, effects: list[Effect]) -> tuple[tuple[Edit, ...], bool]:
    """The edits that account for a change, and whether only together."""
    if not whole.change:
        return (), False
    shares = [(each.edit, (each.alone or 0.0) / whole.change, (each.left_out or 0.0) / whole.change) for each in effects]
    if len(shares) == 1:
        return (shares[0][0],), False
    main = [edit for edit, alone, left_out in shares if alone >= MOSTLY and left_out >= MOSTLY]
    if len(main) == 1:
        return (main[0],), False
    parts = [(edit, alone) for edit, alone, left_out in shares if min(abs(alone), abs(left_out)) >= A_PART]
    if parts and abs(sum(share for _, share in parts) - 1) <= 1 - MOSTLY:
        return tuple(edit for edit, _ in parts), False
    involved = tuple(edit for edit, alone, left_out in shares if max(abs(alone), abs(left_out)) >= A_PART)
    return involved or tuple(edit for edit, _, _ in shares), True
