"""A rollout as one page that needs no network: the verdict, then the seven parts, in light or dark as the reader has it. RO-1

Every text is escaped where it becomes markup; names come from clusters and may hold anything.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from workbench.explain.html import sentences_html, table_html
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.plots.page import Section
from workbench.plots.page import page as whole_page
from workbench.rollouts.parts import Block, Lines, Part, Quoted, parts

if TYPE_CHECKING:
    from workbench.rollouts.rollout import Rollout

STYLE = """\
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --faint: #595959; --line: #e3e3e3; --link: #0072b2;
        --shade: #f5f5f5; --good: #006b4f; --bad: #a33800; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181b; --ink: #e8e8e8; --faint: #a8adb3; --line: #3a3f45; --link: #6cb8ee; --shade: #22262a;
          --good: #4fd1a5; --bad: #ff9d6b; }
}
body { background: var(--paper); color: var(--ink); }
h2 { margin: 1.6rem 0 0.4rem; font-size: 1.2rem; }
p, ul { margin: 0.4rem 0; max-width: 60rem; }
nav a { color: var(--link); white-space: nowrap; }
caption { color: var(--faint); }
table { margin: 0.6rem 0; }
th, td { border-bottom-color: var(--line); }
td:last-child { white-space: normal; }
pre { background: var(--shade); }
summary { cursor: pointer; color: var(--link); }
body > p > strong { display: block; border-left: 0.4rem solid var(--good); background: var(--shade); padding: 0.6rem 0.9rem;
                    font-size: 1.05rem; }
body.against > p > strong { border-left-color: var(--bad); }
.note { color: var(--faint); }
"""


def page(found: Rollout) -> str:
    """The whole page as text."""
    sections = [Section(each.name, f"{each.number}  {each.title}", _content(each)) for each in parts(found)]
    if found.live.notes:
        sections.append(Section("notes", "What is not known of the cluster", sentences_html(found.live.notes)))
    sign = "✗" if found.against else "✓"
    about = f"{_of(found.new.source, 'a new file')} to {_of(found.live.source, 'a cluster')}, release {found.live.release}"
    made = whole_page("Rollout", f"{sign} {found.sentence}", sections, description=f"{about}.", linked=True, style=STYLE)
    return made.replace("<body>", '<body class="against">', 1) if found.against else made


def body(found: Rollout) -> str:
    """The same for a notebook, in its colours."""
    made = "".join(f"<h4>{each.number}  {escape(each.title)}</h4>{_content(each)}" for each in parts(found))
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
