"""Keys belong to the screen wherever somebody has clicked in it, and a kernel that has ended is a sentence."""

from __future__ import annotations

PLACES = (".wb-picture .js-plotly-plot", ".wb-why .wb-why-text", ".wb-editing", ".wb-status")
CELLS = "document.querySelectorAll('.jp-CodeCell').length"
IN_SCREEN = "document.querySelector('.wb-screen').contains(document.activeElement)"
SIGNS = """() => [...document.querySelectorAll('.wb-screen .jupyter-widgets-disconnected')].filter(
  (each) => !['none', 'normal'].includes(getComputedStyle(each, '::before').content)).length"""
SENTENCE = "getComputedStyle(document.querySelector('.wb-screen'), '::before').content"


def test_after_a_click_anywhere_letters_are_verbs_of_the_screen(opened):
    page = opened.page
    cells = page.evaluate(CELLS)
    opened.button("Step").click()
    opened.wait_for_step(1)
    for number, place in enumerate(PLACES, 2):
        box = page.locator(place).first.bounding_box()
        # Near the right edge, and not so far down that the region may be below the window.
        page.mouse.click(box["x"] + box["width"] - 6, box["y"] + min(box["height"] - 6, 60))
        page.wait_for_function(IN_SCREEN)
        page.keyboard.press("n")
        opened.wait_for_step(number)
    page.keyboard.press("r")
    opened.wait_for_step(11)
    assert page.evaluate(CELLS) == cells


def test_escape_leaves_find(opened):
    page = opened.page
    page.locator(".wb-find input").first.click()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    opened.wait_for_step(1)
    opened.screenshot("just-happened")


def test_a_kernel_that_was_started_again_is_a_sentence(opened):
    page = opened.page
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    page.wait_for_selector(".wb-screen.jupyter-widgets-disconnected", timeout=60_000)
    opened.screenshot("dead-kernel")
    assert "Run All Cells, then Continue where I was" in page.evaluate(SENTENCE)
    assert page.evaluate(SIGNS) == 0
    opened.wait_until_ready()
