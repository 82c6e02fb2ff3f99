"""What a redraw leaves alone: lines, rows and pictures that show the same as before (section 13 of the interface design).

Every test also fails on a console error or on a request that leaves the machine (A-13).
"""

from __future__ import annotations

TOUCHED = """([selector]) => {
  const root = document.querySelector(selector);
  window.__touched = new Set();
  window.__watch?.disconnect();
  window.__watch = new MutationObserver((records) => {
    for (const { target } of records) {
      const node = target.nodeType === 1 ? target : target.parentElement;
      window.__touched.add(node?.closest('td, [data-path]')?.dataset.path ?? node?.textContent);
    }
  });
  window.__watch.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}"""
"""Begin to note which cells and rows below an element are written."""
LINES = """() => [...document.querySelectorAll('.wb-tables tbody tr')]
  .map((line) => (line.__seen ??= line.children[1].textContent))"""
"""Which request every line of the table was first seen with, top to bottom."""
SHOWN = "() => [...document.querySelectorAll('.wb-tables tbody tr')].map((line) => line.children[1].textContent)"
PENDING = ".wb-tables tbody"


def requests(opened) -> list[str]:
    return opened.page.evaluate(SHOWN)


def test_a_step_keeps_the_lines_of_the_table_and_takes_away_the_one_that_was_served(opened):
    page = opened.page
    before = page.evaluate(LINES)
    assert before == requests(opened) and before[0] == "P1"
    opened.button("Step").click()
    opened.wait_for_step(1)
    page.wait_for_function("many => document.querySelectorAll('.wb-tables tbody tr').length === many", arg=len(before) - 1)
    after = page.evaluate(LINES)
    assert after == requests(opened)  # a line still stands for what it stood for
    assert sorted(after) == sorted(before[1:])
    opened.button("Back").click()
    opened.wait_for_step(0)
    page.wait_for_function("many => document.querySelectorAll('.wb-tables tbody tr').length === many", arg=len(before))
    assert page.evaluate(LINES) == requests(opened) == before


def test_only_changed_cells_and_rows_are_written(opened):  # section 13
    page = opened.page
    page.evaluate(TOUCHED, [PENDING])
    opened.queue("root.tenants.tenant-b").click()
    opened.wait_for_text(".wb-editor-head", "root.tenants.tenant-b")
    assert page.evaluate("[...window.__touched]") == []
    page.evaluate(TOUCHED, [".wb-tree-rows"])
    opened.button("Step").click()
    opened.wait_for_text(".wb-status", "Step 1:")
    page.wait_for_function("[...window.__touched].includes('root.system.system-high')")
    touched = page.evaluate("[...window.__touched]")
    assert set(touched) >= {"root", "root.system", "root.system.system-high"}
    assert not [path for path in touched if path.startswith("root.tenants.tenant-b")]


def test_a_sorted_table_stays_sorted_and_scrolled_and_keeps_the_focus(opened):
    page = opened.page
    head = page.locator(".wb-tables").get_by_role("button", name="request")
    head.click()
    assert requests(opened) == sorted(requests(opened), key=lambda name: int(name[1:]))
    page.evaluate("document.querySelector('.wb-table-scroll').scrollTop = 8")
    line = page.locator(".wb-tables tbody tr", has_text="P9").first
    line.focus()
    page.evaluate("document.querySelector('.wb-table-scroll').scrollTop = 8")
    opened.execute("bench.step()")
    opened.wait_for_step(1)
    page.wait_for_function("document.querySelectorAll('.wb-tables tbody tr').length === 10")
    assert requests(opened) == sorted(requests(opened), key=lambda name: int(name[1:]))
    assert "P9" in page.evaluate("document.activeElement.textContent")
    assert page.evaluate("document.querySelector('.wb-table-scroll').scrollTop") == 8


def test_a_long_table_is_shown_by_pages(opened):
    opened.execute("bench.add_request('many', 'X', {'vcore': '1m'}, queue='root.system.system-low', repeat=250)")
    page = opened.page
    page.wait_for_selector(".wb-table-pager")
    assert len(requests(opened)) == 100 and "1 / 3" in page.locator(".wb-table-pager").text_content()
    for number in (2, 3):
        page.get_by_role("button", name="next page").click()
        page.wait_for_function("text => document.querySelector('.wb-table-pager').textContent.includes(text)", arg=f"{number} / 3")
    assert len(requests(opened)) == 61
    assert page.get_by_role("button", name="next page").is_disabled()


def test_a_theme_changed_while_pictures_are_drawn_and_a_cell_runs_again_leaves_pictures_and_no_error(opened):  # U-23, U-29
    page = opened.page

    def change(theme: str) -> None:
        page.evaluate("theme => { window.jupyterapp.commands.execute('apputils:change-theme', {theme}); }", f"JupyterLab {theme}")

    for step, (name, theme) in enumerate((("Slope", "Dark"), ("Usage", "Light"), ("Path", "Dark")), 1):
        page.locator(".wb-picture").get_by_role("tab", name=name, exact=True).click()
        change(theme)
        opened.button("Step").click()
        opened.wait_for_step(step)
        opened.wait_for_theme(theme)
    change("Light")
    opened.run_all()
    opened.wait_for_theme("Light")
    page.wait_for_selector(".wb-screen:not(.wb-dark) .js-plotly-plot .main-svg")
    opened.button("Step").click()
    opened.wait_for_step(1)
