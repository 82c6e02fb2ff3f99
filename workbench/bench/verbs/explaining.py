"""Selecting and explaining: what is looked at, why it comes next, why something else does not, tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from workbench import explain
from workbench.bench import texts
from workbench.bench.controller import Sentences, Text, call_of, quoted
from workbench.bench.desk import Desk
from workbench.bench.named_tables import TABLES
from workbench.bench.present import present_of
from workbench.bench.verbs import edits
from workbench.bench.work import Work
from workbench.explain import words
from workbench.explain.running import running
from workbench.explain.tables import with_cells_broken, without_empty_columns
from workbench.explain.wording import listing, name
from workbench.scheduler.objects.tree import find
from workbench.scheduler.records.commands import Advance
from workbench.scheduler.records.state import Allocation, Application
from workbench.simulation.driver import MS_NS
from workbench.simulation.remedies import Remedy
from workbench.simulation.waiting import Waiting
from workbench.values.errors import CommandError

if TYPE_CHECKING:
    import plotly.graph_objects as go


SENTENCE_WIDTH = 40
"""Letters of a sentence in a line of a table."""


NARROWEST, WIDEST = 100, 20_000
"""Pixels that a picture may be wide."""


def select(desk: Desk, path: str = "", *, request: str | None = None, application: str | None = None) -> None:
    """Select a queue by path, or a waiting or running request by its key (and application, if several have the key).

    Without arguments nothing is selected. CommandError if there is no such queue or request.
    """
    call = ", ".join(
        [quoted(path)]
        if path
        else [f"{name}={quoted(value)}" for name, value in (("request", request), ("application", application)) if value]
    )
    with desk.verb(f"bench.select({call})", repeats="bench.select(") as say:
        if request is not None:
            owner, ask = _request(desk, request, application)
            desk.selected, desk.selected_request = owner.queue_path, (owner.id, ask.key)
            say(texts.selected_request(owner.id, ask.key, desk.selected))
        else:
            if path and find(desk.partition, path) is None:
                raise CommandError(f"there is no queue {path}")
            desk.selected, desk.selected_request = path, None
            say(texts.selected(path))


def _request(desk: Desk, key: str, application: str | None) -> tuple[Application, Allocation]:
    """What waits under that key, else what runs."""
    known = [(item.application, item.ask) for item in desk.simulation.waiting()] + list(running(desk.partition))
    found = [pair for pair in known if pair[1].key == key and application in (None, pair[0].id)]
    if not found:
        raise CommandError(no_request(key, desk.refused.of(key, application)))
    return found[0]


def _waiting(desk: Desk, key: str, application: str | None) -> Waiting:
    found = [item for item in desk.simulation.waiting() if item.ask.key == key and application in (None, item.application.id)]
    if not found:
        raise CommandError(f"no request {name(key)} is waiting")
    return found[0]


def why(desk: Desk, request: str | None = None, *, application: str | None = None, step: int | None = None) -> Sentences:
    """Why the next choice is what it is; with `request`, why that one is not next; with `step`, why that step was taken.

    While a prediction is asked for, only that this is covered, as with everything here that would tell the answer.

    CommandError if there is no such waiting request or recorded step.
    """
    if desk.question_open and (step is None or step > desk.simulation.position):
        return Sentences(texts.COVERED_WHY)
    if request is not None:
        return why_not(desk, request, application=application)
    if step is not None:
        return Sentences(explain.why(desk.simulation.explain(step), done=True))
    return Sentences(explain.why(desk.simulation.preview()))


def what_changed(desk: Desk, a: int | None = None, b: int | None = None) -> Text:
    """What differs between the states after steps `a` and `b`, as a table; without them, what the last step changed.

    The state stays as it is. CommandError if such a step was not taken.
    """
    if desk.priorities_covered or _looks_ahead(desk, a, b):
        return Text(texts.COVERED_WHY)
    return Text(explain.render(explain.change_rows(desk.simulation, a, b, desk.partition.name)))


def _looks_ahead(desk: Desk, *steps: int | None) -> bool:
    """Whether one of the steps is still to be predicted."""
    return desk.question_open and any(step is not None and step > desk.simulation.position for step in steps)


def why_not(desk: Desk, request: str, *, application: str | None = None) -> Sentences:
    """Why a waiting request is not the next one, and what would help it. CommandError if no request of that key waits."""
    waits = any(item.ask.key == request and application in (None, item.application.id) for item in desk.simulation.waiting())
    refused = "" if waits else desk.refused.of(request, application)
    if refused:
        return Sentences(was_refused(request, refused))
    item = _waiting(desk, request, application)
    return Sentences(texts.COVERED_WHY if desk.question_open else "\n".join(why_not_sentences(desk, item)))


def why_placed(desk: Desk, application: str) -> Sentences:
    """Why a submitted application went where it did, or was rejected, as of its submission. CommandError if there is none."""
    return Sentences(explain.why_placed(desk.simulation.placement(application)))


def rules_asked(desk: Desk, application: str) -> Text:
    """Every placement rule that was asked for a submitted application, with what it came to. CommandError if there is none."""
    table = explain.rule_rows(desk.simulation.placement(application))
    return Text(without_empty_columns(with_cells_broken(table, words.RULE_COLUMNS[-1], SENTENCE_WIDTH)))


def why_not_sentences(desk: Desk, item: Waiting) -> tuple[str, ...]:
    """The same of one waiting ask, as sentences. What could help it is tried once in a state."""
    simulation = desk.simulation
    instant = (*simulation.instant, item.application.id, item.ask.key)
    if desk.helped is None or desk.helped[0] != instant:
        desk.helped = instant, simulation.remedies(item)
    return explain.why_not(item, simulation.preview(), desk.helped[1])


def remedies_of(desk: Desk, item: Waiting) -> tuple[Remedy, ...]:
    """The changes that help a waiting ask, in the order in which `why_not_sentences` tells them."""
    why_not_sentences(desk, item)
    assert desk.helped is not None
    return desk.helped[1].found


def apply_remedy(desk: Desk, request: str, remedy: str = "", *, application: str | None = None) -> Work[Text]:
    """Carry out what would help a waiting request: by its words in `why_not`, or the first that helps. One undo entry.

    An edit of the design takes effect as other edits do (`edit_mode`); a node, or time that passes, is an input at this step.

    Raises:
        CommandError: no such request waits, or nothing of these words was found to help it.
        ConfigError: the scheduler would refuse the edit. The design is unchanged.
    """
    with desk.verb(call_of("apply_remedy", request, remedy=remedy, application=application), works=True) as say:
        item = _waiting(desk, request, application)
        found = {explain.remedy_change(each): each for each in remedies_of(desk, item)}
        chosen = next((text for text in found if text.startswith(remedy)), None)
        if chosen is None:
            raise CommandError(no_remedy(request, remedy, list(found)))
        wanted, before = found[chosen], desk.study()
        if wanted.config is not None:
            outcome = yield from edits.redesign(desk, wanted.config)
            say(texts.EDIT_STOPPED if outcome is None else f"{done(chosen)} {outcome}")
        else:
            desk.forget_turns()
            for command in wanted.commands:
                if isinstance(command, Advance):
                    desk.simulation.advance(-(-command.ns // MS_NS) / 1000)
                else:
                    desk.simulation.apply(command)
            desk.remember(before)
            desk.drop_lost_selection()
            say(f"{done(chosen)} {texts.restored(0, 0, desk.simulation.preview())}")
    return Text(desk.status.text)


def table(desk: Desk, name: str = "pending") -> Text:
    """A table of the present state as stable plain text, by name (see `TABLES`); columns with nothing in them are left out."""
    if name not in TABLES:
        raise CommandError(texts.no_such("table", name, TABLES))
    return Text(without_empty_columns(TABLES[name](desk)))


def use_since(desk: Desk, before: int, after: int | None = None, *, resource: str = "") -> Text:
    """What every queue used after two steps, `after` being the present one unless it is given, as stable plain text.

    CommandError if one of the steps does not exist.
    """
    last = desk.simulation.position if after is None else after
    if _looks_ahead(desk, before, last):
        return Text(texts.COVERED_WHY)
    return Text(explain.render(explain.use_change_rows(desk.simulation, before, last, resource or None, desk.partition.name)))


def figure(desk: Desk, name: str = "path", *, dark: bool = False, width: int | None = None) -> go.Figure:
    """A picture of the present state as a plain plotly Figure, by name (see `PICTURES`). Needs plotly.

    Args:
        width: in pixels; None for that of the screen. Names that are cut short there may fit into more.
    """
    from workbench.bench.pictures import PICTURES, covered_figure
    from workbench.plots.theme import DARK, LIGHT

    if name not in PICTURES:
        raise CommandError(texts.no_such("figure", name, PICTURES))
    if width is not None and not NARROWEST <= width <= WIDEST:
        raise CommandError(f"figure: width must be from {NARROWEST} to {WIDEST} pixels, not {width}")
    kind = PICTURES[name]
    size = {} if width is None else {"width": width}
    if desk.question_open and kind.tells_next:
        return covered_figure(DARK if dark else LIGHT)
    return kind.figure(
        kind.data(present_of(desk, told=not desk.question_open), desk.pictures.get(name, {})), DARK if dark else LIGHT, **size
    )


def picture(desk: Desk, name: str, **options: str) -> None:
    """Bring a picture to the front, and choose what it shows: `picture("nodes")`, `picture("usage", resource="memory")`.

    CommandError if there is no such picture, option or, at present, value. Needs plotly.
    """
    from workbench.bench.pictures import PICTURES

    repeats = f"bench.picture({quoted(name)}, {next(iter(options))}=" if len(options) == 1 else ""
    with desk.verb(call_of("picture", name, **options), repeats=repeats) as say:
        if name not in PICTURES:
            raise CommandError(texts.no_such("picture", name, PICTURES))
        if options and desk.question_open and PICTURES[name].tells_next:
            raise CommandError(texts.COVERED_PICTURE)
        known, present = PICTURES[name].options, present_of(desk)
        for option, value in options.items():
            if option not in known:
                raise CommandError(texts.no_such("option", option, known))
            if value not in known[option].choices(present):
                raise CommandError(texts.no_such(option, value, known[option].choices(present)))
        if options:
            desk.pictures = {**desk.pictures, name: {**desk.pictures.get(name, {}), **options}}
        desk.wanted_picture = name, desk.wanted_picture[1] + 1
        say(drawn_with(PICTURES[name].title, options))


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_remedy(key: str, wanted: str, found: Sequence[str]) -> str:
    what = f"{name(wanted, 120)} was not found to help" if wanted else "nothing was found that helps"
    helps = f"; {listing(found)} would" if found else ""
    return f"{what} {name(key)}{helps}"


def done(change: str) -> str:
    return f"Done: {change[:1].lower()}{change[1:]}."


def was_refused(key: str, why: str) -> str:
    return f"{name(key)} does not wait: the scheduler refused it.\n{why}"


def no_request(key: str, refused: str = "") -> str:
    return f"{name(key)} was refused. {refused}" if refused else f"no request {name(key)} is waiting or running"


def drawn_with(picture: str, options: Mapping[str, str]) -> str:
    if not options:
        return f"{name(picture)} is in front."
    return f"{name(picture)} shows {', '.join(f'{name(option)} {name(value)}' for option, value in options.items())}."
