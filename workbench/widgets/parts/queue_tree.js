/* The queue tree: one row per queue, with the keyboard of a tree (WAI-ARIA tree pattern), inline names and dragging.
 *
 * The model holds everything (rows, selected, collapsed), so that a second view or a re-run cell shows the same.
 * Rows are reused by path and patched, never rebuilt, which keeps the focus and makes a step cheap. A change of the tree is
 * only asked for, by message with a number; the answer of that number says whether it was refused, and then the typed name
 * stays where it is, with the reason below it. Every text is set with textContent: names are data.
 */

const PAGE = 10;
const DRAG_STARTS = 6;   // pixels
const EDGE = 0.3;        // of a row: above and below it the drop is beside the row, between them into it

/**
 * @typedef {object} RowData a queue as `queue_rows` says it
 * @property {string} path
 * @property {string} above path of the queue above, "" for the root
 * @property {string} name
 * @property {string} plain the name as written
 * @property {number} level
 * @property {boolean} parent
 * @property {boolean} configured
 * @property {boolean} editable
 * @property {boolean} next
 * @property {string} hue
 * @property {string} label
 * @property {string} title
 * @property {string} value
 * @property {string} rank
 * @property {{text: string, label: string}[]} marks
 * @property {number} used a share
 * @property {number | null} [guaranteed] a share
 */
/**
 * @typedef {object} Traits
 * @property {RowData[]} rows
 * @property {string} selected
 * @property {string[]} collapsed
 * @property {string[]} headings
 * @property {string} empty
 * @property {boolean} editable
 * @property {{verb: string, text: string, title: string}[]} tools
 * @property {string} new_name
 * @property {string} reserved
 * @property {"light" | "dark"} theme
 */
/** @typedef {{verb: string, number: string, refused: string}} Told the answer to a request; "" if it was made */
/**
 * @typedef {object} Wish a change that Python is asked for
 * @property {string} verb
 * @property {string} path
 * @property {string} [name]
 * @property {string} [parent]
 * @property {number} [index]
 */
/** @typedef {{path: string, where: "before" | "into" | "after"}} Target where something is dropped */

/**
 * @param {Element} node
 * @param {string} text
 */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {EventTarget | null} node */
function isInput(node) {
  return node instanceof Element && node.closest("input") !== null;
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {string | number | null | undefined} value none takes it away
 */
function setAttribute(node, name, value) {
  if (value === null || value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/**
 * Rows come anew with every message; one that says the same needs no touch.
 * @param {RowData | undefined} one
 * @param {RowData | undefined} other
 */
function sameRow(one, other) {
  return one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other));
}

/** @param {number} share */
function percent(share) {
  return `${Math.round(Math.max(0, Math.min(1, share)) * 1000) / 10}%`;
}

/* JupyterLab says light or dark on the body; elsewhere the system's preference counts. */
function pageTheme() {
  const told = document.body.dataset.jpThemeLight;
  if (told !== undefined) return told === "false" ? "dark" : "light";
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** @param {Model<Traits, Told>} model */
function watchTheme(model) {
  const report = () => {
    const theme = pageTheme();
    if (model.get("theme") !== theme) {
      model.set("theme", theme);
      model.save_changes();
    }
  };
  const observer = new MutationObserver(report);
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  report();
  return () => observer.disconnect();
}

class Row {
  /** @type {RowData | undefined} what is shown */
  data;

  /** @param {Tree} tree */
  constructor(tree) {
    this.node = element("div", "wb-row");
    this.node.setAttribute("role", "treeitem");
    const line = element("div", "wb-row-line", this.node);
    this.expander = element("span", "wb-expander", line);
    this.expander.setAttribute("aria-hidden", "true");
    this.name = element("span", "wb-name", line);
    this.marks = element("span", "wb-marks", line);
    this.value = element("span", "wb-value", line);
    this.rank = element("span", "wb-rank", line);
    this.bar = element("div", "wb-bar", this.node);
    this.used = element("div", "wb-bar-used", this.bar);
    this.tick = element("div", "wb-bar-tick", this.bar);
    this.line = line;
    this.node.addEventListener("click", (event) => {
      if (isInput(event.target)) return;
      if (!this.data) return;
      if (event.target === this.expander) tree.toggle(this.data.path);
      else tree.select(this.data.path, true);
    });
    this.node.addEventListener("dblclick", (event) => {
      if (event.target === this.expander || isInput(event.target) || !this.data) return;
      if (tree.model.get("editable") && this.data.editable) tree.rename(this.data.path);
      else tree.toggle(this.data.path);
    });
    this.node.addEventListener("pointerdown", (event) => tree.dragging.begin(event, this.data));
  }

  /**
   * @param {RowData} row
   * @param {{position: number | undefined, size: number}} place among its siblings
   * @param {{childless: boolean, open: boolean, selected: boolean, focusable: boolean}} state
   */
  show(row, place, state) {
    const expandable = row.parent && !state.childless;
    const same = sameRow(this.data, row);
    this.data = row;
    if (!same) {
      this.node.style.setProperty("--wb-depth", String(row.level - 1));
      this.node.style.setProperty("--wb-hue", row.hue || "transparent");
      this.node.classList.toggle("is-next", Boolean(row.next));
      setAttribute(this.node, "data-path", row.path);
      setAttribute(this.node, "aria-level", row.level);
      setAttribute(this.node, "aria-label", row.label);
      setAttribute(this.node, "title", row.title || null);
      setText(this.name, row.name);
      setText(this.value, row.value);
      setText(this.rank, row.rank);
      this.marks.replaceChildren();
      for (const mark of row.marks) {
        const node = element("span", "wb-mark", this.marks);
        node.textContent = mark.text;
        node.title = mark.label;
      }
      this.used.style.width = percent(row.used);
      const { guaranteed = null } = row;
      this.tick.hidden = guaranteed === null;
      if (guaranteed !== null) this.tick.style.left = percent(guaranteed);
    }
    setText(this.expander, expandable ? (state.open ? "▾" : "▸") : "·");
    this.expander.classList.toggle("is-button", expandable);
    setAttribute(this.node, "aria-expanded", expandable ? String(state.open) : null);
    setAttribute(this.node, "aria-setsize", place.size);
    setAttribute(this.node, "aria-posinset", place.position);
    setAttribute(this.node, "aria-selected", String(state.selected));
    this.node.classList.toggle("is-selected", state.selected);
    setAttribute(this.node, "tabindex", state.focusable ? 0 : -1);
  }
}

/* A name being typed, in a row of its own or in the place of a row's name. Enter asks, Escape gives up. */
class NameField {
  asked = false;
  closed = false;

  /**
   * @param {Tree} tree
   * @param {object} how
   * @param {HTMLElement} how.place
   * @param {string} how.start
   * @param {string} how.label
   * @param {(name: string) => Wish} how.ask
   * @param {(andFocus: boolean) => void} how.done
   */
  constructor(tree, { place, start, label, ask, done }) {
    this.tree = tree;
    this.ask = ask;
    this.done = done;
    this.box = element("span", "wb-name-field", place);
    this.input = element("input", "wb-name-input", this.box);
    this.input.type = "text";
    this.input.value = start;
    this.input.spellcheck = false;
    this.input.setAttribute("aria-label", label);
    this.problem = element("span", "wb-name-problem", this.box);
    this.problem.setAttribute("role", "alert");
    this.start = start;
    this.input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") this.commit();
      else if (event.key === "Escape") this.close();
    });
    this.input.addEventListener("blur", () => {
      // Leaving an unchanged name ends it; a changed one stays for the person to come back to.
      if (!this.asked && this.input.value === this.start) this.close(false);
    });
    this.input.focus();
    this.input.select();
  }

  commit() {
    const name = this.input.value.trim();
    if (!name || (name === this.start && this.start)) {
      this.close();
      return;
    }
    this.asked = true;
    this.input.readOnly = true;
    this.tree.request(this.ask(name), (refused) => {
      this.asked = false;
      this.input.readOnly = false;
      if (!refused) {
        this.close();
        return;
      }
      this.problem.textContent = refused;
      this.input.setAttribute("aria-invalid", "true");
      this.input.focus();
    });
  }

  close(andFocus = true) {
    if (this.closed) return;
    this.closed = true;
    this.box.remove();
    this.done(andFocus);
  }
}

/* A row under way to another place. The pointer says where: beside a row, or into it. */
class Dragging {
  path = "";
  wanted = "";
  from = { x: 0, y: 0 };
  /** @type {Target | null} */
  at = null;

  /** @param {Tree} tree */
  constructor(tree) {
    this.tree = tree;
    /** @param {PointerEvent} event */
    this.moved = (event) => this.move(event);
    /** @param {PointerEvent} event */
    this.ended = (event) => this.end(event);
    /** @param {KeyboardEvent} event */
    this.escaped = (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.stop();
    };
  }

  /**
   * @param {PointerEvent} event
   * @param {RowData | undefined} row
   */
  begin(event, row) {
    const { model } = this.tree;
    const on = event.target instanceof Element ? event.target.closest("input, .is-button") : null;
    if (event.button !== 0 || on || !model.get("editable") || !row?.editable) return;
    this.from = { x: event.clientX, y: event.clientY };
    this.wanted = row.path;
    window.addEventListener("pointermove", this.moved);
    window.addEventListener("pointerup", this.ended);
    window.addEventListener("pointercancel", this.ended);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.path) {
      if (Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y) < DRAG_STARTS) return;
      this.path = this.wanted;
      this.tree.root.classList.add("is-dragging");
      this.tree.rows.get(this.path)?.node.classList.add("is-dragged");
      window.addEventListener("keydown", this.escaped, true);
    }
    event.preventDefault();
    this.show(this.target(event));
  }

  /**
   * The row below the pointer; null where nothing can be dropped.
   * @param {PointerEvent} event
   * @returns {Target | null}
   */
  target(event) {
    /** @type {HTMLElement | null | undefined} */
    const node = document.elementFromPoint(event.clientX, event.clientY)?.closest(".wb-row[data-path]");
    if (!node || !this.tree.list.contains(node)) return null;
    const path = node.dataset.path;
    if (path === undefined || path === this.path || path.startsWith(`${this.path}.`)) return null;
    const row = this.tree.byPath().get(path);
    const box = node.getBoundingClientRect();
    const share = (event.clientY - box.top) / box.height;
    if (!row?.configured) return null;
    if (!row.editable || (share > EDGE && share < 1 - EDGE)) return { path, where: "into" };
    return { path, where: share <= EDGE ? "before" : "after" };
  }

  /** @param {Target | null} target */
  show(target) {
    this.at = target;
    for (const [path, row] of this.tree.rows) {
      for (const where of ["before", "into", "after"]) {
        row.node.classList.toggle(`is-drop-${where}`, target?.path === path && target.where === where);
      }
    }
  }

  /** @param {PointerEvent} event */
  end(event) {
    // What was shown is what happens, also when the page moved under the pointer since.
    const target = this.path && event.type === "pointerup" ? this.at : null;
    const path = this.path;
    this.stop();
    if (!target) return;
    const above = this.tree.byPath().get(target.path)?.above;
    if (target.where === "into") this.tree.request({ verb: "move", path, parent: target.path });
    else {
      const others = this.tree.siblings(target.path).filter((each) => each !== path);
      const index = others.indexOf(target.path) + (target.where === "after" ? 1 : 0);
      this.tree.request({ verb: "move", path, parent: above, index });
    }
  }

  stop() {
    if (this.path) {
      this.show(null);
      this.tree.rows.get(this.path)?.node.classList.remove("is-dragged");
      this.tree.root.classList.remove("is-dragging");
      // The click that ends a drag selects nothing.
      /** @param {Event} event */
      const swallow = (event) => event.stopPropagation();
      window.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener("click", swallow, true), 50);
    }
    this.path = this.wanted = "";
    this.at = null;
    window.removeEventListener("pointermove", this.moved);
    window.removeEventListener("pointerup", this.ended);
    window.removeEventListener("pointercancel", this.ended);
    window.removeEventListener("keydown", this.escaped, true);
  }
}

class Tree {
  /** @type {Map<string, Row>} */
  rows = new Map();
  /** @type {Map<string, (refused: string) => void>} number of a request -> who waits for its answer */
  answers = new Map();
  /** @type {NameField | null} the name being typed, and the row that it has of its own */
  field = null;
  /** @type {HTMLElement | null} */
  ghost = null;
  focusSelected = false;
  /** The tools that are drawn. */
  drawn = "";
  /** What was typed to find a name, until the timer ends it. */
  typed = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {Model<Traits, Told>} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.model = model;
    this.dragging = new Dragging(this);
    this.root = element("div", "wb-tree", el);
    const head = element("div", "wb-tree-head", this.root);
    this.heads = ["wb-name", "wb-value", "wb-rank"].map((name) => element("span", name, head));
    for (const node of this.heads) node.setAttribute("aria-hidden", "true");
    this.tools = element("div", "wb-tree-tools");
    this.tools.setAttribute("role", "toolbar");
    this.heads[0].after(this.tools);
    this.list = element("div", "wb-tree-rows", this.root);
    this.list.setAttribute("role", "tree");
    this.empty = element("div", "wb-empty", this.root);
    this.list.addEventListener("keydown", (event) => this.onKey(event));
  }

  /**
   * Ask Python for a change; `answered(refused)` gets the reason, or "" when it was made.
   * @param {Wish} message
   * @param {(refused: string) => void} [answered]
   */
  request(message, answered = () => {}) {
    const number = Math.random().toString(36).slice(2);
    this.answers.set(number, answered);
    this.model.send({ ...message, number });
  }

  /** @param {Told} message */
  answer(message) {
    if (message?.verb !== "answer") return;
    const answered = this.answers.get(message.number);
    if (!answered) return;
    this.answers.delete(message.number);
    answered(message.refused);
    if (!message.refused) this.focusSelected = true;
    if (this.focusSelected) this.redraw();
  }

  /**
   * Paths of the configured queues beside a queue, itself included, in the order written.
   * @param {string} path
   */
  siblings(path) {
    const rows = this.model.get("rows");
    const above = rows.find((row) => row.path === path)?.above;
    return rows.filter((row) => row.above === above && row.configured).map((row) => row.path);
  }

  /** @param {string} path */
  rename(path) {
    const [row, data] = [this.rows.get(path), this.byPath().get(path)];
    if (!row || !data?.editable || this.field) return;
    row.name.hidden = true;
    const place = element("span", "wb-name-place");
    row.name.after(place);
    this.field = new NameField(this, {
      place, start: data.plain, label: `${data.plain}: new name`,
      ask: (name) => ({ verb: "rename", path, name }),
      done: (andFocus) => {
        place.remove();
        row.name.hidden = false;
        this.field = null;
        if (andFocus) this.focus(path);
      },
    });
  }

  /** @param {string} path */
  add(path) {
    const rows = this.byPath();
    const parent = rows.get(path)?.configured ? path : this.model.get("rows")[0]?.path;
    if (!parent || this.field) return;
    this.toggle(parent, true);
    /** @type {NodeListOf<HTMLElement>} */
    const lines = this.list.querySelectorAll("[data-path]");
    const shown = [...lines].filter((node) => node.dataset.path === parent || node.dataset.path?.startsWith(`${parent}.`));
    const ghost = element("div", "wb-row wb-row-new");
    ghost.style.setProperty("--wb-depth", String(rows.get(parent)?.level ?? 1));
    ghost.style.setProperty("--wb-hue", "transparent");
    shown[shown.length - 1].after(ghost);
    this.ghost = ghost;
    const line = element("div", "wb-row-line", ghost);
    element("span", "wb-expander", line).textContent = "+";
    this.field = new NameField(this, {
      place: line, start: "", label: this.model.get("new_name"),
      ask: (name) => ({ verb: "add", path: parent, name }),
      done: (andFocus) => {
        ghost.remove();
        this.ghost = this.field = null;
        if (andFocus) this.focus(this.model.get("selected") || parent);
      },
    });
    this.field.input.placeholder = this.model.get("new_name");
    ghost.scrollIntoView({ block: "nearest" });
  }

  /**
   * A tool or key of the selected queue.
   * @param {string} verb
   * @param {string} path
   */
  act(verb, path) {
    const row = this.byPath().get(path);
    if (!this.model.get("editable")) return;
    if (verb === "add") this.add(path);
    else if (!row?.editable) this.request({ verb, path, name: row?.plain ?? "" });   // Python knows why not
    else if (verb === "rename") this.rename(path);
    else this.request({ verb, path });
  }

  /**
   * Alt and an arrow: among the siblings, out to the queue above, or into the sibling above.
   * @param {string} key
   * @param {string} path
   */
  shift(key, path) {
    const row = this.byPath().get(path);
    if (!row?.editable || !this.model.get("editable")) return;
    const siblings = this.siblings(path);
    const at = siblings.indexOf(path);
    /** @type {Record<string, () => {parent: string, index?: number} | null>} */
    const places = {
      ArrowUp: () => (at > 0 ? { parent: row.above, index: at - 1 } : null),
      ArrowDown: () => (at < siblings.length - 1 ? { parent: row.above, index: at + 1 } : null),
      ArrowLeft: () => {
        const above = this.byPath().get(row.above);
        return above?.above ? { parent: above.above, index: this.siblings(row.above).indexOf(row.above) + 1 } : null;
      },
      ArrowRight: () => (at > 0 ? { parent: siblings[at - 1] } : null),
    };
    const place = places[key]?.();
    if (place) this.request({ verb: "move", path, ...place });
  }

  drawTools() {
    const tools = this.model.get("editable") ? this.model.get("tools") : [];
    const row = this.byPath().get(this.model.get("selected"));
    const wanted = JSON.stringify(tools);
    if (this.drawn !== wanted) {
      this.drawn = wanted;
      this.tools.replaceChildren(...tools.map(({ verb, text, title }) => {
        const button = element("button", "wb-tool");
        button.type = "button";
        button.textContent = text;
        button.title = title;
        button.dataset.verb = verb;
        button.addEventListener("click", () => this.act(verb, this.model.get("selected")));
        return button;
      }));
    }
    this.tools.hidden = !tools.length;
    setAttribute(this.tools, "aria-label", this.model.get("headings")[0]);
    for (const button of this.tools.querySelectorAll("button")) button.disabled = button.dataset.verb !== "add" && !row?.editable;
  }

  byPath() {
    return new Map(this.model.get("rows").map((row) => [row.path, row]));
  }

  /* The rows not hidden by a collapsed ancestor; a row's `above` is its parent's path. */
  visible() {
    const collapsed = new Set(this.model.get("collapsed"));
    const hidden = new Set();
    return this.model.get("rows").filter((row) => {
      if (hidden.has(row.above)) {
        hidden.add(row.path);
        return false;
      }
      if (collapsed.has(row.path)) hidden.add(row.path);
      return true;
    });
  }

  redraw() {
    const rows = this.model.get("rows");
    const visible = this.visible();
    const collapsed = new Set(this.model.get("collapsed"));
    const selected = this.model.get("selected");
    const hadFocus = this.list.contains(document.activeElement);
    const [name, value, rank] = this.model.get("headings");
    this.heads.forEach((node, index) => setText(node, [name, value, rank][index]));
    setAttribute(this.list, "aria-label", name);
    setText(this.empty, rows.length ? "" : this.model.get("empty"));

    /** @type {Map<string, RowData[]>} */
    const children = new Map();
    /** @type {Map<string, number>} */
    const places = new Map();
    for (const row of rows) {
      const siblings = children.get(row.above) || [];
      siblings.push(row);
      children.set(row.above, siblings);
      places.set(row.path, siblings.length);
    }
    const shown = visible.some((row) => row.path === selected) ? selected : visible.length ? visible[0].path : "";
    const known = new Set(rows.map((row) => row.path));
    for (const [path, row] of this.rows) {
      if (!known.has(path)) {
        row.node.remove();
        this.rows.delete(path);
      }
    }
    const nodes = visible.map((data) => {
      const row = this.rows.get(data.path) ?? new Row(this);
      this.rows.set(data.path, row);
      row.show(data, { position: places.get(data.path), size: children.get(data.above)?.length ?? 1 }, {
        childless: !children.has(data.path),
        open: !collapsed.has(data.path),
        selected: data.path === selected,
        focusable: data.path === shown,
      });
      return row.node;
    });
    // A name being typed keeps its place; everything else is put in order around it.
    const held = this.ghost ? [...this.list.children].filter((node) => node !== this.ghost) : [...this.list.children];
    if (nodes.length !== held.length || nodes.some((node, i) => node !== held[i])) {
      const after = this.ghost?.previousElementSibling;
      const typing = this.field && document.activeElement === this.field.input ? this.field : null;
      this.list.replaceChildren(...nodes);
      if (this.ghost) (after && after.isConnected ? after : this.list.lastElementChild)?.after(this.ghost);
      typing?.input.focus();
    }
    // The row of a name being typed may be gone.
    if (this.field && !this.list.contains(this.field.box)) this.field.close(false);
    this.drawTools();
    if (this.focusSelected && !this.field) {
      this.focusSelected = false;
      if (this.root.contains(document.activeElement) || document.activeElement === document.body) this.focus(shown);
    }
    if (hadFocus && !this.list.contains(document.activeElement)) this.focus(shown);
  }

  /** @param {string} path */
  focus(path) {
    const row = this.rows.get(path);
    if (row) {
      row.node.focus({ preventScroll: true });
      row.node.scrollIntoView({ block: "nearest" });
    }
  }

  /**
   * @param {string} path
   * @param {boolean} andFocus
   */
  select(path, andFocus) {
    if (!path) return;
    if (this.model.get("selected") !== path) {
      this.model.set("selected", path);
      this.model.save_changes();
    }
    if (andFocus) this.focus(path);
  }

  /**
   * @param {string} path
   * @param {boolean} [open] without, the other way round
   */
  toggle(path, open) {
    const row = this.byPath().get(path);
    if (!row || !row.parent) return;
    const collapsed = new Set(this.model.get("collapsed"));
    const opens = open === undefined ? collapsed.has(path) : open;
    if (opens) collapsed.delete(path);
    else collapsed.add(path);
    this.model.set("collapsed", [...collapsed].sort());
    this.model.save_changes();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (isInput(event.target)) return;
    /** @type {HTMLElement | null} */
    const on = event.target instanceof Element ? event.target.closest("[data-path]") : null;
    const path = on?.dataset.path ?? this.model.get("selected");
    const held = event.altKey || event.ctrlKey || event.metaKey;
    /** @type {Record<string, string>} */
    const acts = { F2: "rename", Insert: "add", Delete: "delete" };
    const isCopy = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "d";
    if (this.model.get("editable") && ((!held && acts[event.key]) || isCopy)) {
      this.act(isCopy ? "duplicate" : acts[event.key], path);
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (this.model.get("editable") && event.altKey && !event.ctrlKey && !event.metaKey && event.key.startsWith("Arrow")) {
      this.shift(event.key, path);
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (held) return;
    // These are verbs of the whole screen, which hears them next.
    if (this.model.get("reserved").includes(event.key)) return;
    const visible = this.visible();
    const paths = visible.map((row) => row.path);
    const index = Math.max(0, paths.indexOf(path));
    const row = visible[index];
    if (!row) return;
    const collapsed = new Set(this.model.get("collapsed"));
    const hasChildren = this.model.get("rows").some((other) => other.above === row.path);
    /** @param {number} to */
    const go = (to) => this.select(paths[Math.max(0, Math.min(paths.length - 1, to))], true);
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowDown: () => go(index + 1),
      ArrowUp: () => go(index - 1),
      PageDown: () => go(index + PAGE),
      PageUp: () => go(index - PAGE),
      Home: () => go(0),
      End: () => go(paths.length - 1),
      ArrowRight: () => {
        if (hasChildren && collapsed.has(row.path)) this.toggle(row.path, true);
        else if (hasChildren) go(index + 1);
      },
      ArrowLeft: () => {
        if (hasChildren && !collapsed.has(row.path)) this.toggle(row.path, false);
        else this.select(row.above, true);
      },
      Enter: () => this.select(row.path, true),
      " ": () => this.select(row.path, true),
    };
    const move = moves[event.key];
    if (move) move();
    else if (event.key.length === 1 && /\S/.test(event.key)) this.typeAhead(event.key, visible, index);
    else return;
    // Handled here: JupyterLab's command mode must not see it.
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {string} key
   * @param {RowData[]} visible
   * @param {number} index
   */
  typeAhead(key, visible, index) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.typed = ""), 700);
    this.typed += key.toLowerCase();
    const start = this.typed.length === 1 ? index + 1 : index;
    const order = [...visible.slice(start), ...visible.slice(0, start)];
    const found = order.find((row) => row.name.toLowerCase().startsWith(this.typed));
    if (found) this.select(found.path, true);
  }
}

/** @type {Render<Traits, Told>} */
function render({ model, el }) {
  const tree = new Tree(model, el);
  const redraw = () => tree.redraw();
  /** @param {Told} message */
  const answer = (message) => tree.answer(message);
  /** @type {(keyof Traits)[]} */
  const names = ["rows", "selected", "collapsed", "headings", "empty", "editable", "tools"];
  for (const name of names) model.on(`change:${name}`, redraw);
  model.on("msg:custom", answer);
  const unwatch = watchTheme(model);
  redraw();
  return () => {
    for (const name of names) model.off(`change:${name}`, redraw);
    model.off("msg:custom", answer);
    tree.dragging.stop();
    unwatch();
  };
}

export default { render };
