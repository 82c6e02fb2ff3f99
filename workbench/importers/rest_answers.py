"""The answers that tell a cluster: saved as files in a folder, or asked of a scheduler that runs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from workbench.files.reading import decoded, entries, is_folder, read_text
from workbench.files.writing import write_file
from workbench.importers.rest_notes import Missing, Note, OtherPartitions
from workbench.values.errors import ScenarioError, WorkbenchError

if TYPE_CHECKING:
    from workbench.importers.rest_client import Client

WORDS = ("config", "queues", "nodes", "applications")
DEFAULT = "default"
MOST_QUEUES = 20_000
"""Queues that are asked one by one for their applications."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Attributes:
    source: a folder or an address, for messages.
    name: short, for people.
    texts: word -> the answers that tell it, each with the name of its file or address.
    notes: what could not be asked.
    live: they were asked one after the other while the cluster went on.
    """

    source: str
    name: str
    texts: Mapping[str, tuple[tuple[str, str], ...]]
    notes: tuple[Note, ...] = ()
    live: bool = False

    def save(self, folder: Path) -> None:
        """Write them as files that `saved` finds again. FileError if a file cannot be written."""
        for word in WORDS:
            for number, (_, text) in enumerate(self.texts.get(word, ())):
                ending = "yaml" if word == "config" and not text.lstrip().startswith("{") else "json"
                write_file(folder / f"{word}{f'-{number:05d}' if number else ''}.{ending}", text)


def saved(folder: Path) -> Answers:
    """The answers in a folder. ScenarioError if there is none or it cannot be read."""
    if not is_folder(folder, error=ScenarioError):
        raise ScenarioError("there is no such folder", source=str(folder))
    there = [path.name for path in entries(folder, error=ScenarioError) if os.path.isfile(path)]
    texts = {word: tuple((name, read_text(folder / name, error=ScenarioError)) for name in of_word(there, word)) for word in WORDS}
    return Answers(str(folder), folder.resolve().name, texts)


def of_word(names: Iterable[str], word: str) -> list[str]:
    """The names of files that tell an answer of that word, in order."""
    words = {*WORDS} - {word}
    return sorted(
        name
        for name in names
        if not name.startswith(".")
        and word in Path(name).stem.lower()
        and not any(other in Path(name).stem.lower() for other in words - {"queues"})
        and Path(name).suffix.lower() in (".json", ".yaml", ".yml", ".txt", "")
    )


def asked(client: Client, progress: Callable[[float, str], None] | None = None) -> Answers:
    """The answers of a scheduler that runs: what came is kept if something else did not.

    Raises:
        RestError: nobody is there, or there are no nodes and no queues to be had.
    """
    return _Asking(client, progress or (lambda share, words: None)).all()


class _Asking:
    """One round of questions."""

    def __init__(self, client: Client, progress: Callable[[float, str], None]):
        self.client, self.progress = client, progress
        self.texts: dict[str, tuple[tuple[str, str], ...]] = {}
        self.missing: list[Missing] = []

    def all(self) -> Answers:
        from workbench.importers.rest_client import RestError

        notes = self.partitions()
        below = f"/partition/{DEFAULT}"
        for share, (word, path) in enumerate(
            (("config", "/config"), ("queues", f"{below}/queues"), ("nodes", f"{below}/nodes"), ("applications", ""))
        ):
            self.progress(share / 4, f"asking for {word}")
            if path:
                self.one(word, path)
            else:
                self.applications(below)
        if "config" not in self.texts and "queues" not in self.texts:
            raise RestError(f"{self.client.base}: neither configuration nor queues are to be had: {self.missing[0].why}")
        base = self.client.base.partition("://")[2]
        return Answers(self.client.base, base.replace(":", "-").replace("/", "-"), self.texts, (*notes, *self.missing), live=True)

    def partitions(self) -> tuple[Note, ...]:
        """What is left out of them. The first question: where nobody is, nothing else is asked."""
        found = self.fetched("/partitions")
        names = [str(each.get("name", "")) for each in found if isinstance(each, dict)] if isinstance(found, list) else []
        others = tuple(sorted(name for name in names if name.rpartition("]")[2] != DEFAULT))
        return (OtherPartitions(others),) if others else ()

    def one(self, word: str, path: str) -> None:
        text = self.text(word, path)
        if text is not None:
            self.texts[word] = ((path, text),)

    def applications(self, below: str) -> None:
        """All at once, or of each leaf where that is not known yet."""
        from workbench.importers.rest_client import RestError

        try:
            text = self.read(f"{below}/applications/active")
        except RestError as error:
            if error.status not in (400, 404, 405) or "queues" not in self.texts:
                self.missing.append(Missing("applications", str(error)))
                return
        else:
            self.texts["applications"] = ((f"{below}/applications/active", text),)
            return
        found = []
        leaves = _leaves(json.loads(self.texts["queues"][0][1]))
        for number, leaf in enumerate(leaves):
            self.progress(0.75 + number / len(leaves) / 4, f"asking for the applications of {number + 1} of {len(leaves)} queues")
            path = f"{below}/queue/{quote(leaf, safe='')}/applications"
            text_of_leaf = self.text("applications", path)
            if text_of_leaf is not None:
                found.append((path, text_of_leaf))
        self.texts["applications"] = tuple(found)

    def text(self, word: str, path: str) -> str | None:
        """An answer; None where there is none, which is noted."""
        from workbench.importers.rest_client import RestError

        try:
            return self.read(path)
        except RestError as error:
            if not error.reached:
                raise
            self.missing.append(Missing(word, str(error)))
            return None

    def read(self, path: str) -> str:
        """An answer that is what it should be. RestError if it is not."""
        from workbench.importers.rest_client import RestError

        data = self.client.get(path)
        try:
            text = decoded(data, source=path, error=ScenarioError)
            if not path.endswith("/config"):
                json.loads(text)
        except (WorkbenchError, ValueError, RecursionError) as error:
            raise RestError(f"{path}: the answer is no JSON ({str(error)[:120]}); is this the address of a scheduler?") from None
        return text

    def fetched(self, path: str) -> Any:
        text = self.text("partitions", path)
        return None if text is None else json.loads(text)


def _leaves(top: Any) -> list[str]:
    """The paths of the leaf queues in an answer, as far as it is one."""
    found: list[str] = []
    waiting = list(top) if isinstance(top, list) else [top]
    while waiting and len(found) < MOST_QUEUES:
        queue = waiting.pop()
        if not isinstance(queue, dict):
            continue
        children = queue.get("children")
        if isinstance(children, list) and children:
            waiting.extend(reversed(children))
        elif isinstance(queue.get("queuename"), str):
            found.append(queue["queuename"])
    return found
