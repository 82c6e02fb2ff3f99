"""The screen: fixed regions around one `Workbench`, redrawn from its state after every verb.

Regions are Bar, Queues, Editor, Picture, Why, Tables and Status (U-10). Handlers call verbs and nothing else; a redraw
reads the simulation once and hands the same `Present` to every region, so that they cannot disagree. All state is in the
workbench and in widget models, so that two views stay in step and a reload shows the present (U-29).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from workbench.bench import finding, texts
from workbench.bench.present import present_of
from workbench.bench.queue_rows import queue_rows
from workbench.bench.view import register
from workbench.bench.views import REGIONS, VIEWS
from workbench.bench.workbench import Workbench
from workbench.plots.theme import DARK, THEMES, Theme
from workbench.scheduler.objects.tree import find
from workbench.values.errors import WorkbenchError
from workbench.widgets.parts.browser_part import style
from workbench.widgets.parts.keyboard import LETTERS, Keyboard
from workbench.widgets.parts.live_text import LiveText
from workbench.widgets.parts.queue_tree import QueueTree
from workbench.widgets.regions.bar import Bar
from workbench.widgets.regions.editor import QueueEditor
from workbench.widgets.regions.hooks import Hooks
from workbench.widgets.regions.picture import Picture
from workbench.widgets.regions.predict_tools import PredictTools
from workbench.widgets.regions.tables import Tables
from workbench.widgets.regions.why_region import WhyRegion

RESUME = "Continue where I was"
RESUME_HINT = "Come back to the earlier session of this notebook; this one is kept as well"
KEYS: tuple[tuple[str, str], ...] = (
    ("n or →", "step"),
    ("p or ←", "back"),
    ("r", "run"),
    ("space", "play or stop"),
    ("u", "undo"),
    ("e", "to the editor"),
    ("w", "to Why"),
    ("/", "find a queue or request"),
    ("?", "this help"),
    ("in the tree: arrows, Home, End", "move"),
    ("F2", "rename"),
    ("Insert", "add"),
    ("Ctrl+D", "copy"),
    ("Delete", "remove"),
    ("Alt+↑ Alt+↓", "move among the siblings"),
    ("Alt+← Alt+→", "move out, or into the queue above"),
)
KEYS_TITLE = "Keys"
ONCE_MORE = "Nothing is changed yet; do it once more to have it all the same."

STYLE = style("screen.css")
LOG = logging.getLogger(__name__)
TREE_VERBS: Mapping[str, Callable[[dict[str, Any]], tuple[str, ...]]] = {
    "add": lambda wish: ("add_queue", wish["path"], wish["name"]),
    "rename": lambda wish: ("rename_queue", wish["path"], wish["name"]),
    "duplicate": lambda wish: ("duplicate_queue", wish["path"]),
    "delete": lambda wish: ("delete_queue", wish["path"]),
    "move": lambda wish: ("move_queue", wish["path"], wish["parent"]),
}

LOOKING = ("select", "picture", "show_as", "resume")
"""Verbs that change nothing that is worth a session of its own."""


class Screen:
    """The view of one workbench. `widget` is what is displayed; everything else is for the tests."""

    def __init__(self, workbench: Workbench):
        self.workbench = workbench
        self._filling = False
        self._warned: tuple[object, ...] = ()
        """The change that was warned of last, and the state in which that was."""
        self.bar = Bar(workbench, self.carry_out, self._find)
        self.tree = QueueTree(headings=["Queues", "priority", "next"], empty=texts.NO_QUEUES)
        self.tree.observe(self._on_tree, "selected")
        self.tree.observe(lambda _change: self.redraw(), "theme")
        self.tree.on_wish(self._on_wish)
        self.editor = QueueEditor(
            lambda path, key, text: self.carry_out("set", path, key, text), lambda: self.carry_out("select"), workbench.turn
        )
        self.picture = Picture(
            lambda path: self.carry_out("select", path),
            lambda name, option, value: self.carry_out("picture", name, **{option: value}),
            workbench.turn,
        )
        self.predicting = PredictTools(workbench, self.carry_out)
        self.reasons = WhyRegion(workbench, self.carry_out, self.predicting.widget)
        self.why = self.reasons.text
        self.tables = Tables(Hooks(workbench, self._on_request, self.carry_out, self._open_line))
        self.status = LiveText(name="Status")
        self.resume = _classed(widgets.Button(description=RESUME, tooltip=RESUME_HINT), "wb-primary")
        self.resume.on_click(lambda _button: self.carry_out("resume"))
        self.keyboard = Keyboard(enabled=workbench.keys)
        self.keyboard.on_verb(self._on_key)
        self.help = LiveText(name=KEYS_TITLE)
        self.widget = self._layout()
        workbench.on_change(self.redraw)
        self.redraw()

    def _layout(self) -> widgets.Widget:
        self.bar.help.on_click(lambda _button: self._toggle_help())
        help_box = _classed(widgets.VBox([self.help]), "wb-help")
        self.regions: dict[str, widgets.Widget] = {
            "bar": _classed(self.bar.widget, "wb-bar-region"),
            "queues": _region(self.tree, "wb-queues"),
            "picture": _region(self.picture.widget, "wb-picture"),
            "editor": _region(self.editor.widget, "wb-editing"),
            "why": _region(self.reasons.widget, "wb-why"),
            "tables": _region(self.tables.widget, "wb-tables"),
            "status": _classed(widgets.HBox([self.status, self.resume]), "wb-status"),
        }
        middle = _classed(widgets.HBox([self.regions[name] for name in ("queues", "picture", "editor", "why")]), "wb-middle")
        sheet = widgets.HTML(f"<style>{STYLE}</style>", layout={"display": "none"})
        return _classed(
            widgets.VBox(
                [sheet, self.keyboard, self.regions["bar"], help_box, middle, self.regions["tables"], self.regions["status"]]
            ),
            "wb-screen",
        )

    def bundle(self, **options: Any) -> dict[str, Any]:
        """What Jupyter shows."""
        return dict(self.widget._repr_mimebundle_(**options) or {})

    # -- redrawing ----------------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Show the workbench as it is now. A failure is told in the status line; it never stops a verb."""
        with self.workbench.turn:
            self._redraw()

    def _redraw(self) -> None:
        try:
            self._redraw_status()
            player = self.workbench.player
            self.bar.show_busy(player.busy)
            if not player.busy or player.progress is not None and player.progress.show:
                self._redraw_all()
        except Exception as error:
            LOG.exception("redraw")
            self.workbench.fail(error, self.workbench.status.call)
            self._redraw_status()

    def _redraw_all(self) -> None:
        workbench = self.workbench
        _toggle(self.widget, "wb-dark", self.theme is DARK)
        _toggle(self.widget, "wb-still", not workbench.motion)
        for view in VIEWS:
            _toggle(self.widget, f"wb-view-{view}", view == workbench.view)
        for name in REGIONS:
            _toggle(self.regions[name], "wb-hidden", name not in VIEWS[workbench.view])
        present = present_of(workbench)
        self._filling = True
        try:
            self.bar.show(present)
            self.keyboard.enabled = workbench.keys
            with self.tree.hold_sync():
                self.tree.reserved = LETTERS if workbench.keys else ""
                self.tree.rows = queue_rows(
                    present.partition, present.decision, present.waiting, self.theme, covered=present.covered, blind=present.blind
                )
                self.tree.selected = workbench.selected
            self.editor.show(
                find(present.partition, workbench.selected) if workbench.selected else None, workbench.config, present.partition
            )
            self.tables.show(present)
            self.predicting.show(present)
            self.reasons.show(present)
        finally:
            self._filling = False
        self.picture.show(present, self.theme)

    @property
    def theme(self) -> Theme:
        return THEMES[self.tree.theme]

    def _redraw_status(self) -> None:
        status = self.workbench.status
        self.resume.layout.display = None if self.workbench.offers_resume else "none"
        self.resume.description = f"{RESUME}: {self.workbench.resume_offer}" if self.workbench.resume_offer else RESUME
        self.resume.disabled = self.workbench.player.busy
        standing = [("error", self.workbench.warning)] if self.workbench.warning else []
        self.status.show(("error" if status.is_error else "body", status.text), ("code", status.call), *standing)

    # -- answering ----------------------------------------------------------------------------------------------

    def carry_out(self, verb: str, *args: object, **kwargs: object) -> Exception | None:
        """Carry out a verb of the workbench; its refusal or failure, which it tells in the status line itself (P10).

        A long verb goes on in the event loop, and can be stopped there.
        """
        with self.workbench.turn:
            # Within its own turn a redraw changes controls, which is no wish of a person.
            return None if self._filling else self._carried_out(verb, args, kwargs)

    def _carried_out(self, verb: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Exception | None:
        method = getattr(self.workbench, verb)
        if verb not in LOOKING:
            # Whoever begins something else here has seen the offer.
            self.workbench.offers_resume = False
        try:
            work = getattr(method, "work", None)
            if work is None:
                method(*args, **kwargs)
            else:
                self.workbench.player.start(work(self.workbench, *args, **kwargs))
        except WorkbenchError as error:
            LOG.debug("refused", exc_info=True)
            return error
        except Exception as error:
            LOG.exception("verb")
            return error
        return None

    def _on_tree(self, change: dict[str, Any]) -> None:
        if change["new"] != self.workbench.selected and self.carry_out("select", change["new"]) is not None:
            self.tree.selected = self.workbench.selected

    def _on_wish(self, wish: dict[str, Any]) -> str:
        """A change that the tree asks for. Why it was refused, "" when it was carried out.

        One that makes the scheduler refuse what was put in is told first, and carried out when it is asked for once more.
        """
        verb, *given = TREE_VERBS[wish["verb"]](wish)
        index = {"index": wish["index"]} if wish["verb"] == "move" else {}
        asked = (verb, *given, *index.values(), self.workbench.simulation.instant)
        warning = "" if asked == self._warned or self.workbench.player.busy else self.workbench.would_refuse(verb, *given, **index)
        self._warned = asked
        if warning:
            self.workbench.refuse(f"{warning} {ONCE_MORE}")
            return self.workbench.status.text
        refused = self.carry_out(verb, *given, **index)
        return "" if refused is None else self.workbench.status.text

    def _on_request(self, request: tuple[str, str] | None) -> None:
        if request is None:
            self.carry_out("select", self.workbench.selected)
        else:
            application, key = request
            self.carry_out("select", request=key, application=application)

    def _open_line(self, line: int) -> None:
        with self.workbench.turn:
            self.tables.bring("yaml").widget.reveal(line)

    def _on_key(self, verb: str) -> None:
        if verb == "help":
            self._toggle_help()
        elif verb in ("run", "play") and self.workbench.player.busy:
            self.workbench.stop()
        elif verb == "play":
            self.carry_out("play", self.bar.speed.value)
        elif verb in ("step", "back", "run", "undo") and not self.workbench.player.busy:
            self.carry_out(verb)

    def _find(self, text: str) -> Exception | None:
        """Select the queue or the waiting request of that name."""
        try:
            with self.workbench.turn:
                wanted = finding.found(text, self.workbench.partition, self.workbench.simulation.waiting())
        except WorkbenchError as error:
            self.workbench.fail(error, "")
            self.redraw()
            return error
        return self.carry_out("select", **wanted)

    def _toggle_help(self) -> None:
        self.help.show(
            *(() if self.help.paragraphs else (("heading", KEYS_TITLE), *(("key", f"{key}: {what}") for key, what in KEYS)))
        )


def _classed(widget: widgets.Widget, *names: str) -> widgets.Widget:
    for name in names:
        widget.add_class(name)
    return widget


def _toggle(widget: widgets.DOMWidget, name: str, wanted: bool) -> None:
    if wanted != (name in widget._dom_classes):
        (widget.add_class if wanted else widget.remove_class)(name)


def _region(content: widgets.Widget, name: str) -> widgets.Widget:
    return _classed(widgets.VBox([content]), "wb-region", name)


register(Screen)
