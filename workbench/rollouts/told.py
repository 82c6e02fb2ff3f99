"""A rollout as text, to be read in order: the headline, then the seven parts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.explain.tables import Table, render
from workbench.rollouts.parts import Block, Lines, Quoted, parts

if TYPE_CHECKING:
    from workbench.rollouts.rollout import Rollout

WIDTH = 112


def as_text(found: Rollout) -> str:
    """The whole of it. Texts that are quoted, such as the old file, are left to the page."""
    told = [found.sentence]
    for part in parts(found):
        told += ["", f"{part.number}  {part.title}{' ' if part.title.endswith('?') else ': '}{part.outcome}"]
        told += [line for block in part.blocks for line in _lines(block)]
    told += [f"note: {each}" for each in found.live.notes]
    return "\n".join(told)


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, str):
        yield from _wrapped(block, "   ", "   ")
    elif isinstance(block, Lines):
        for line in block.lines:
            yield from _wrapped(line, "   - ", "     ")
    elif isinstance(block, Table):
        yield f"   {block.caption}:"
        yield from (f"     {line}" for line in render(block).split("\n"))
    elif isinstance(block, Quoted):
        return


def _wrapped(line: str, first: str, further: str) -> list[str]:
    return textwrap.wrap(
        line, WIDTH, initial_indent=first, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
