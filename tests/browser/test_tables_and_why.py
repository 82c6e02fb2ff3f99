"""The tables of what runs and what was said, and the Why region's buttons, in a browser."""

from __future__ import annotations

import pytest
from browser.pages import IN_VIEW
from browser.test_acceptance import SLOW_RUN

EVENTS, RUNNING = "Events", "Running"
WHY = ".wb-why .wb-why-text"
TABS = """() => {
  const bar = document.querySelector('.wb-tables .lm-TabBar').getBoundingClientRect();
  return [...document.querySelectorAll('.wb-tables .lm-TabBar-tab')].map((tab) => {
    const [label, box] = [tab.querySelector('.lm-TabBar-tabLabel'), tab.getBoundingClientRect()];
    return {text: label.textContent, cut: label.scrollWidth > label.clientWidth + 1 || box.right > bar.right + 1,
            row: Math.round(box.top)};
  });
}"""


def tab(opened, name: str):
    return opened.page.locator(".wb-tables").get_by_role("tab", name=name, exact=True)


@pytest.mark.parametrize("width", [1366, 1010], ids=["laptop", "1010 px"])
def test_no_word_of_the_tabs_is_cut(opened, width):  # section 3
    opened.page.set_viewport_size({"width": width, "height": 768})
    opened.page.wait_for_timeout(300)
    tabs = opened.page.evaluate(TABS)
    opened.screenshot(f"tabs-{width}", ".wb-middle")
    assert [each["text"] for each in tabs if each["cut"]] == []
    assert len(tabs) >= 10
    assert len({each["row"] for each in tabs}) == 1


def test_what_runs_and_what_was_said_can_be_read_and_selected(opened):  # U-12, section 3
    page = opened.page
    for _ in range(3):
        opened.button("Step").click()
    opened.wait_for_step(3)
    tab(opened, RUNNING).click()
    opened.wait_for_column(RUNNING, "allocation", ["P1", "P10", "P2"])
    row = page.locator(".wb-tables tr.is-selectable").filter(has_text="P10")
    row.focus()
    page.keyboard.press("Enter")
    opened.wait_for_text(WHY, "P10 of app system-normal in root.system.system-normal runs on node-1 since 0.121 s.")
    assert opened.queue("root.system.system-normal").get_attribute("aria-selected") == "true"
    opened.screenshots("running", ".wb-middle")
    tab(opened, EVENTS).click()
    opened.wait_for_text(".wb-tables", "is now Running (runApplication)")
    head = page.locator(".wb-tables").get_by_role("button", name="subject", exact=True)
    head.click()
    page.wait_for_function("document.querySelector('.wb-tables th[aria-sort=ascending]') !== null")
    opened.wait_for_cell(EVENTS, "subject ▴", "child-a-1")
    opened.screenshots("events", ".wb-middle")


def test_show_all_opens_what_was_compared_with_the_keyboard(opened):  # U-19, U-24
    page = opened.page
    page.locator(".wb-rail").focus()
    page.keyboard.press("w")
    page.wait_for_function("document.activeElement?.closest('.wb-why') !== null")
    toggle = page.locator(".wb-why").get_by_role("button", name="Show all", exact=True)
    toggle.focus()
    page.keyboard.press("Enter")
    opened.wait_for_text(WHY, "queues of root, by priority, share")
    assert page.locator(".wb-why").get_by_role("button", name="Show less", exact=True).is_visible()
    opened.screenshots("show-all", ".wb-middle")
    page.keyboard.press("Enter")
    page.wait_for_function("!document.querySelector('.wb-why .wb-why-text').innerText.includes('queues of root')")


def test_what_the_last_step_changed_is_one_click_away(opened):  # section 5, what_changed
    opened.button("Step").click()
    opened.wait_for_step(1)
    opened.page.locator(".wb-why").get_by_role("button", name="What changed", exact=True).click()
    opened.wait_for_text(WHY, "after step 0 and after step 1")
    opened.wait_for_cell("What changed", "name", "P1 of app system-high")
    opened.screenshots("what-changed", ".wb-middle")
    opened.button("Step").click()
    opened.wait_for_text(WHY, "after step 1 and after step 2")


def test_why_not_is_one_click_away_and_so_is_the_way_back(opened):  # section 3
    page = opened.page
    why = page.locator(".wb-why")
    why.get_by_role("button", name="Why not P10", exact=True).click()
    opened.wait_for_text(WHY, "Not yet: P10")
    assert opened.queue("root.system.system-normal").get_attribute("aria-selected") == "true"
    opened.screenshot("why-not-button", ".wb-middle")
    why.get_by_role("button", name="Clear", exact=True).click()
    page.wait_for_function("!document.querySelector('.wb-why .wb-why-text').innerText.includes('Not yet')")
    assert page.evaluate(IN_VIEW, ".wb-why") is not None


def test_show_all_is_there_where_there_are_no_tables(opened):  # U-11, U-19
    opened.execute("bench.show_as('teach')")
    opened.page.locator(".wb-why").get_by_role("button", name="Show all", exact=True).click()
    opened.wait_for_text(WHY, "queues of root, by priority, share")
    opened.screenshot("show-all-teach", ".wb-middle")


def test_an_input_of_the_future_waits_on_the_list_and_can_be_taken_back(opened):  # section 5, "time stamp or now"
    page = opened.page
    tab(opened, "Inputs").click()
    region = page.locator(".wb-inputs")
    region.get_by_label("Input", exact=True).select_option("Node")
    region.get_by_label("node", exact=True).fill("n9")
    region.get_by_label("at (s)", exact=True).fill("60")
    region.get_by_role("button", name="Add", exact=True).click()
    opened.wait_for_text(".wb-status", "1 input waits for 60 s of simulated time.")
    page.wait_for_function("document.querySelector('.wb-inputs tbody tr')?.textContent.includes('at 60 s')")
    row = page.locator(".wb-inputs tbody tr").first
    row.focus()
    page.keyboard.press("Enter")
    region.get_by_role("button", name="Remove selected", exact=True).click(trial=True)  # waits until it can be pressed
    opened.screenshots("future-input", ".wb-tables")
    region.get_by_role("button", name="Remove selected", exact=True).press("Enter")
    opened.wait_for_text(".wb-status", "No longer planned for 60 s: add_node n9.")
    page.wait_for_function("!document.querySelector('.wb-inputs tbody tr').textContent.includes('at 60 s')")


MOVING = """() => [...document.querySelectorAll('.wb-screen, .wb-screen *')].filter((node) => {
  const style = getComputedStyle(node);
  return style.transitionDuration.split(', ').some((time) => parseFloat(time) > 0) || style.animationName !== 'none';
}).map((node) => node.className)"""


@pytest.mark.parametrize("how", ["the system", "the constructor"])
def test_nothing_moves_where_nobody_wants_it(opened, how):  # U-25
    page = opened.page
    assert page.evaluate(MOVING) == []  # nothing does at present; a control that would is put in
    page.evaluate("""() => {
      const control = document.createElement('div');
      control.className = 'probe';
      control.style.transition = 'opacity 0.3s';
      document.querySelector('.wb-screen').appendChild(control);
    }""")
    assert page.evaluate(MOVING) == ["probe"]
    if how == "the system":
        page.emulate_media(reduced_motion="reduce")
    else:
        opened.execute("bench.motion = False; bench.refresh()")
        page.wait_for_selector(".wb-screen.wb-still")
    try:
        assert page.evaluate(MOVING) == []
    finally:
        page.emulate_media(reduced_motion="no-preference")


def test_a_kernel_killed_in_mid_run_is_continued_with_one_click(lab, notebook):  # the session is saved while a run goes on
    page = notebook.page
    notebook.open(lab.copy("continued.ipynb"))
    notebook.run_all()
    notebook.execute(
        "from workbench.bench import session; session.MIDWAY_SECONDS = 0.0\nbench.set('root.tenants', 'priority.offset', 5)"
    )
    notebook.execute(SLOW_RUN)
    notebook.button("Run").click()
    notebook.wait_for_text(".wb-status", "Running: step 4")
    lab.restart_kernel("continued.ipynb")
    page.reload(wait_until="domcontentloaded")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    notebook.wait_until_ready()
    notebook.run_all()
    notebook.wait_for_text(".wb-status", "An earlier session of this notebook is kept")
    notebook.screenshots("continue")
    button = page.locator(".wb-screen").first.get_by_role("button", name="Continue where I was")
    button.focus()
    page.keyboard.press("Enter")
    notebook.wait_for_text(".wb-status", "Back in the session of design multitenancy, at step")
    page.wait_for_function("Number(document.querySelector('.wb-rail').getAttribute('aria-valuenow')) >= 2")
    assert not button.is_visible()
    notebook.execute("assert bench.can_undo and bench.partition.root.children['tenants'].settings.priority_offset == 5")
    notebook.errors[:] = [error for error in notebook.errors if "widget model not found" not in error]
