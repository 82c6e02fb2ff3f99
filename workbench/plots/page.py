"""One HTML page that needs nothing but itself: sections with tables, texts and pictures. The command line and the screen use it.

Its policy forbids every request, so that even a name that were read as markup could reach nobody; names are escaped all the
same. Pictures bring the drawing script into the page, as a static picture would need a browser to be made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import plotly.graph_objects as go

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
STYLE = """\
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 70rem; margin: 2rem auto;
       padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; }
nav a { margin-right: 1rem; color: #0072b2; }
figure { margin: 1rem 0; }
figcaption { font-weight: 600; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; }
caption { text-align: left; padding: 0.3rem 0; color: #595959; }
th, td { padding: 0.2rem 0.7rem 0.2rem 0; border-bottom: 1px solid #e3e3e3; vertical-align: top; font-weight: normal;
         text-align: left; }
thead th { font-weight: 600; vertical-align: bottom; }
tbody th, td:not(:last-child) { white-space: nowrap; }
pre { background: #f5f5f5; padding: 1rem; overflow-x: auto; }
@media print { nav { display: none; } section { break-inside: avoid-page; } }
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: its name in addresses, its title, and its content as markup."""

    name: str
    title: str
    content: str


def page(
    title: str, lead: str, sections: Sequence[Section], *, description: str = "", linked: bool = False, style: str = ""
) -> str:
    """The whole page as text. Texts are escaped here; the content of sections is markup already.

    Args:
        lead: what it came to, in a sentence.
        description: said above it.
        linked: links to the sections stand at the top.
        style: further rules, which come after `STYLE`.
    """
    shown = escape(title)
    about = f"<p>{escape(description)}</p>\n" if description else ""
    links = "".join(f'<a href="#{escape(each.name)}">{escape(each.title)}</a>' for each in sections) if linked else ""
    nav = f"<nav>{links}</nav>\n" if links else ""
    body = "\n".join(
        f'<section id="{escape(each.name)}"><h2>{escape(each.title)}</h2><div class="scroll">{each.content}</div></section>'
        for each in sections
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(page_title(title))}</title>
<style>
{STYLE}{style}</style>
</head>
<body>
<h1>{shown}</h1>
{about}<p><strong>{escape(lead)}</strong></p>
{nav}{body}
</body>
</html>
"""


def text_html(text: str) -> str:
    """Text of several lines as it is."""
    return f"<pre>{escape(text)}</pre>"


def figure_html(figure: go.Figure, identifier: str, *, with_script: bool) -> str:
    """A figure as markup; the first one on a page brings the drawing script with it."""
    return str(
        figure.to_html(
            full_html=False, include_plotlyjs=with_script, div_id=identifier, config={"displaylogo": False, "responsive": True}
        )
    )


# ---- in words ---------------------------------------------------------------------------------------------------------


def page_title(title: str) -> str:
    return f"{title}: policy workbench"
