/* The keys of the whole screen (U-17), heard where they arrive after the tree, the rail and the tables had their turn.
 *
 * Letters are text in a text field. No plain key pressed on the screen reaches JupyterLab, whose command mode would cut cells.
 */

const TEXT_TYPES = new Set(["text", "search", "number", "password", "email", "url", "tel", ""]);
const ARROWS_ARE_TAKEN = "[role=slider], [role=tree], [role=tab], [role=grid], [role=toolbar], input, select, textarea, table";
const SPACE_IS_TAKEN = "button, select, input, [role=tab], [role=slider], [role=grid], summary, a";

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
      const region = screen?.querySelector(".wb-why .wb-why-text .wb-text") ?? screen?.querySelector(".wb-why .wb-text");
      if (!region) return;
      region.tabIndex = -1;
      region.focus({ preventScroll: true });
      region.scrollIntoView({ block: "nearest" });
    },
    find: () => focusIn(".wb-find input"),
  };
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const node = event.target;
    if (!(node instanceof Element)) return;
    const letter = event.key.length === 1;
    if (letter || event.key === "Delete" || event.key === "Backspace" || event.key === "Enter" || event.key.startsWith("Arrow")) {
      event.stopPropagation();
    }
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
    if (screen) screen.addEventListener("keydown", onKey);
    else frame = requestAnimationFrame(find);
  };
  frame = requestAnimationFrame(find);
  return () => {
    cancelAnimationFrame(frame);
    screen?.removeEventListener("keydown", onKey);
  };
}

export default { render };
