/* The keys of the whole screen (U-17), heard where they arrive after the tree, the rail and the tables had their turn.
 *
 * Letters are text in a text field. No plain key pressed on the screen reaches JupyterLab, whose command mode would cut cells.
 * Wherever the pointer is pressed inside, the screen has the focus afterwards: otherwise it would be with the notebook's cell, and
 * the next letter a command of the notebook. Keys with Ctrl, Alt or Meta stay with whoever has them, such as Ctrl+S.
 */

const TEXT_TYPES = new Set(["text", "search", "number", "password", "email", "url", "tel", ""]);
const ARROWS_ARE_TAKEN = "[role=slider], [role=tree], [role=tab], [role=grid], [role=toolbar], input, select, textarea, table";
const SPACE_IS_TAKEN = "button, select, input, [role=tab], [role=slider], [role=grid], summary, a";

const PRESSES = ["pointerdown", "pointerup", "click"];

/** @typedef {{enabled: boolean, bindings: Record<string, string>}} Traits key -> verb */

/** @param {Element} node */
function isText(node) {
  if (node.closest("textarea, select, [contenteditable=true]")) return true;
  return node.tagName === "INPUT" && TEXT_TYPES.has((node.getAttribute("type") ?? "").toLowerCase());
}

/** @type {Render<Traits>} */
function render({ model, el }) {
  el.style.display = "none";
  /** @type {HTMLElement | null} */
  let screen = null;
  let frame = 0;

  /** @param {string} selector */
  const focusIn = (selector) => {
    /** @type {HTMLElement | null | undefined} */
    const node = screen?.querySelector(selector);
    if (!node) return;
    if (node.tabIndex < 0 && !node.matches("input, button, select, textarea")) node.tabIndex = -1;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest" });
  };
  /** @type {Record<string, () => void>} */
  const go = {
    editor: () => focusIn(".wb-editor [role=tab].lm-mod-current, .wb-editor input, .wb-editor button"),
    why: () => {
      /** @type {HTMLElement | null | undefined} */
      const region = screen?.querySelector(".wb-why .wb-why-text .wb-text[role=status]") ?? screen?.querySelector(".wb-why .wb-text");
      if (!region) return;
      region.tabIndex = -1;
      region.focus({ preventScroll: true });
      region.scrollIntoView({ block: "nearest" });
    },
    find: () => focusIn(".wb-find input"),
  };
  /** @param {boolean} always also where something in the screen has it */
  const takeFocus = (always) => {
    if (!screen || (!always && screen.contains(document.activeElement))) return;
    screen.focus({ preventScroll: true });
  };
  /** After everybody else has heard of the press: the notebook gives the focus to its cell. */
  const onPress = () => {
    takeFocus(false);
    requestAnimationFrame(() => takeFocus(false));
  };
  /**
   * On the way down: a text field of ipywidgets lets no key up again.
   * @param {KeyboardEvent} event
   */
  const onEscape = (event) => {
    if (event.key !== "Escape" || !(event.target instanceof Element) || !event.target.closest(".wb-find")) return;
    event.stopPropagation();
    takeFocus(true);
  };
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const node = event.target;
    if (!(node instanceof Element)) return;
    event.stopPropagation();
    if (!model.get("enabled") || event.defaultPrevented || isText(node)) return;
    const verb = model.get("bindings")[event.key];
    if (!verb) return;
    if (event.key.startsWith("Arrow") && node.closest(ARROWS_ARE_TAKEN)) return;
    if (event.key === " " && node.closest(SPACE_IS_TAKEN)) return;
    event.preventDefault();
    if (go[verb]) go[verb]();
    else if (!event.repeat || verb === "step" || verb === "back") model.send({ verb });
  };
  const find = () => {
    screen = el.closest(".wb-screen");
    if (screen) {
      screen.tabIndex = -1;
      screen.addEventListener("keydown", onKey);
      screen.addEventListener("keydown", onEscape, true);
      for (const press of PRESSES) screen.addEventListener(press, onPress);
    } else frame = requestAnimationFrame(find);
  };
  frame = requestAnimationFrame(find);
  return () => {
    cancelAnimationFrame(frame);
    screen?.removeEventListener("keydown", onKey);
    screen?.removeEventListener("keydown", onEscape, true);
    for (const press of PRESSES) screen?.removeEventListener(press, onPress);
  };
}

export default { render };
