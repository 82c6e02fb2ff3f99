/* What the checks found: severity, place, sentence and a button for each remedy. Text only, never HTML. */

/**
 * @typedef {object} Item one check
 * @property {string} id
 * @property {string} severity
 * @property {string} mark
 * @property {string} word
 * @property {string} code
 * @property {string} place
 * @property {boolean} selects the place is a queue of the screen
 * @property {string} key
 * @property {string} line label of a button, or ""
 * @property {string} text
 * @property {string} assumption
 * @property {string[]} remedies
 * @property {string} tries label of a button, or ""
 * @property {string} trial what came of trying it
 * 
 * @typedef {{items: Item[], empty: string, note: string, again: string, name: string, try_hint: string}} Traits
 */

class List {
  /**
   * @param {Model<Traits>} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.model = model;
    this.root = element("div", "wb-checks", el);
  }

  redraw() {
    const { model, root } = this;
    const items = model.get("items");
    const active = document.activeElement;
    const focused = active instanceof HTMLButtonElement && root.contains(active) ? active : null;
    const was = focused && { name: focused.dataset.focus, at: this.buttons().indexOf(focused) };
    root.replaceChildren();
    if (items.length) {
      const list = element("ul", "wb-check-list", root);
      list.setAttribute("aria-label", model.get("name"));
      for (const item of items) this.item(list, item);
    } else {
      element("p", "wb-empty", root, model.get("empty"));
    }
    if (model.get("note")) element("span", "wb-text-note", root, model.get("note"));
    if (model.get("again")) this.button(root, "wb-tool", model.get("again"), "again", { verb: "again" });
    if (was) this.refocus(was);
  }

  /**
   * @param {HTMLUListElement} list
   * @param {Item} item
   */
  item(list, item) {
    const line = element("li", `wb-check is-${item.severity}`, list);
    const head = element("div", "wb-check-head", line);
    element("span", "wb-check-mark", head, item.mark).setAttribute("aria-hidden", "true");
    element("span", "wb-check-word", head, item.word);
    /**
     * @param {string} verb
     * @param {{remedy: string}} [more]
     */
    const say = (verb, more) => ({ verb, id: item.id, ...more });
    if (item.selects) this.button(head, "wb-check-link", item.place, `select ${item.id}`, say("select"));
    else element("span", "", head, item.place);
    if (item.key) element("code", "wb-check-key", head, item.key);
    if (item.line) this.button(head, "wb-check-link", item.line, `line ${item.id}`, say("line"));
    element("span", "wb-check-code", head, item.code);
    const body = element("p", "wb-check-text", line, item.text);
    if (item.assumption) element("span", "wb-text-note", body, ` ${item.assumption}`);
    if (item.trial) element("p", "wb-check-trial", line, item.trial);
    if (!item.remedies.length && !item.tries) return;
    const tools = element("div", "wb-check-remedies", line);
    if (item.tries) {
      const button = this.button(tools, "wb-tool", item.tries, `try ${item.id}`, say("try"));
      button.title = this.model.get("try_hint");
    }
    for (const remedy of item.remedies) {
      this.button(tools, "wb-tool", remedy, `mend ${item.id} ${remedy}`, say("mend", { remedy }));
    }
  }

  /**
   * @param {HTMLElement} parent
   * @param {string} className
   * @param {string} text
   * @param {string} name what tells it apart, for the focus
   * @param {{verb: string, id?: string, remedy?: string}} message
   */
  button(parent, className, text, name, message) {
    const button = element("button", className, parent, text);
    button.type = "button";
    button.dataset.focus = name;
    button.addEventListener("click", () => this.model.send(message));
    return button;
  }

  buttons() {
    return [...this.root.querySelectorAll("button")];
  }

  /**
   * The same button again, or, when its check is gone, the one that came into its place.
   * @param {{name: string | undefined, at: number}} was
   */
  refocus({ name, at }) {
    const now = this.buttons();
    const node = now.find((each) => each.dataset.focus === name) ?? now[Math.min(at, now.length - 1)];
    if (node) node.focus({ preventScroll: true });
    else {
      this.root.tabIndex = -1;
      this.root.focus({ preventScroll: true });
    }
  }
}

/** @type {Render<Traits>} */
function render({ model, el }) {
  const list = new List(model, el);
  let due = false;
  const soon = () => {
    if (due) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      list.redraw();
    });
  };
  /** @type {(keyof Traits)[]} */
  const names = ["items", "empty", "note", "again", "name", "try_hint"];
  for (const name of names) model.on(`change:${name}`, soon);
  list.redraw();
  return () => {
    for (const name of names) model.off(`change:${name}`, soon);
  };
}

export default { render };
