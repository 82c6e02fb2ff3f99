"""A rollout as one page that needs no network, in light or dark: the verdict, what each part comes to, then the seven parts. RO-1

Every text is escaped where it becomes markup; names come from clusters and may hold anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from workbench.explain.html import sentences_html, table_html
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.plots.page import Section
from workbench.plots.page import page as whole_page
from workbench.rollouts import picture
from workbench.rollouts.parts import Block, Lines, Part, Quoted, parts

if TYPE_CHECKING:
    from workbench.rollouts.rollout import Rollout

STYLE = f"""\
:root {{ color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --faint: #595959; --line: #e3e3e3; --link: #0072b2;
        --shade: #f5f5f5; --good: #006b4f; --bad: #a33800; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --paper: #16181b; --ink: #e8e8e8; --faint: #a8adb3; --line: #3a3f45; --link: #6cb8ee; --shade: #22262a;
          --good: #4fd1a5; --bad: #ff9d6b; }}
}}
body {{ background: var(--paper); color: var(--ink); margin-top: 1rem; }}
h1 {{ font-size: 1.5rem; margin: 0.4rem 0; }}
h2 {{ margin: 1.6rem 0 0.4rem; font-size: 1.2rem; }}
p, ul {{ margin: 0.4rem 0; max-width: 62rem; }}
li {{ overflow-wrap: anywhere; }}
a, summary {{ color: var(--link); }}
caption, .note {{ color: var(--faint); }}
table {{ margin: 0.6rem 0; }}
th, td {{ border-bottom-color: var(--line); }}
td:last-child {{ white-space: normal; overflow-wrap: anywhere; }}
#comparison td {{ white-space: normal; overflow-wrap: normal; }}
pre {{ background: var(--shade); }}
summary {{ cursor: pointer; }}
#outcome h2 {{ display: none; }}
#effects .scroll {{ display: flex; flex-wrap: wrap; gap: 0 2.5rem; align-items: flex-start; }}
#effects .scroll > p, #effects .scroll > ul, .uses {{ flex: 1 0 100%; }}
body > p > strong {{ display: block; border-left: 0.4rem solid var(--good); background: var(--shade); padding: 0.6rem 0.9rem;
                    font-size: 1.05rem; overflow-wrap: anywhere; }}
body.against > p > strong {{ border-left-color: var(--bad); }}
{picture.STYLE}"""


def page(found: Rollout) -> str:
    """The whole page as text."""
    made = parts(found)
    sections = [Section("outcome", "In short", _short(made))]
    for each in made:
        drawn = picture.drawn(found.effects) if each.name == "effects" and found.effects is not None else ""
        sections.append(Section(each.name, f"{each.number}  {each.title}", _content(each) + drawn))
    if found.live.notes:
        sections.append(Section("notes", "What is not known of the cluster", sentences_html(found.live.notes)))
    sign = "✗" if found.against else "✓"
    about = f"{_of(found.new.source, 'a new file')} to {_of(found.live.source, 'a cluster')}, release {found.live.release}"
    told = whole_page("Rollout", f"{sign} {found.sentence}", sections, description=f"{about}.", style=STYLE)
    return told.replace("<body>", '<body class="against">', 1) if found.against else told


def _short(made: Sequence[Part]) -> str:
    """Every part in a line, which leads to it."""
    rows = "".join(
        f'<tr><th scope="row"><a href="#{each.name}">{each.number}  {escape(each.title)}</a></th>'
        f"<td>{escape(each.outcome)}</td></tr>"
        for each in made
    )
    return f"<table><tbody>{rows}</tbody></table>"


def body(found: Rollout) -> str:
    """The same for a notebook, in its colours: what each part comes to, and the parts folded away."""
    made = "".join(
        f"<details><summary>{each.number}  {escape(each.title)}{' ' if each.title.endswith('?') else ': '}"
        f"<strong>{escape(each.outcome)}</strong></summary>{_content(each)}</details>"
        for each in parts(found)
    )
    return f"<p><strong>{escape(found.sentence)}</strong></p>{made}{sentences_html(found.live.notes)}"


def _of(source: str, otherwise: str) -> str:
    return name(source, 100) if source else otherwise


def _content(part: Part) -> str:
    return "".join(_markup(each) for each in part.blocks)


def _markup(block: Block) -> str:
    if isinstance(block, Lines):
        return f"<ul>{''.join(f'<li>{escape(each)}</li>' for each in block.lines)}</ul>"
    if isinstance(block, Table):
        note = f'<p class="note">{escape(block.note)}</p>' if block.note else ""
        return f"{table_html(block)}{note}"
    if isinstance(block, Quoted):
        return f"<details><summary>{escape(block.title)}</summary><pre>{escape(block.text)}</pre></details>"
    return f"<p>{escape(block)}</p>"
