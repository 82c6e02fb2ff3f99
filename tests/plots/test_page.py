"""The frame of a self-contained page, as text."""

from __future__ import annotations

from workbench.plots.page import Section, page, text_html

EVIL = '<img src=x onerror="alert(1)">'


def test_every_text_is_escaped_and_nothing_may_be_asked_for():
    shown = page(EVIL, EVIL, [Section(EVIL, EVIL, text_html(EVIL))], description=EVIL, linked=True)
    assert "<img" not in shown
    assert shown.count("&lt;img src=x") == 9
    assert "default-src &#x27;none&#x27;" in shown


def test_links_and_description_are_there_only_where_they_are_wanted():
    sections = [Section("steps", "Steps", "<p>one</p>")]
    bare, full = page("a", "b", sections), page("a", "b", sections, description="c", linked=True)
    assert "<nav>" not in bare and "<p>c</p>" not in bare
    assert '<nav><a href="#steps">Steps</a></nav>' in full and "<p>c</p>" in full
    assert '<section id="steps"><h2>Steps</h2><div class="scroll"><p>one</p></div></section>' in bare
