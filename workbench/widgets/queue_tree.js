/* The queue tree: one row per queue, with the keyboard of a tree (WAI-ARIA tree pattern).
 *
 * The model holds everything (rows, selected, collapsed), so that a second view or a re-run cell shows the same.
 * Rows are reused by path and patched, never rebuilt, which keeps the focus and makes a step cheap.
 * Every text is set with textContent: names are data.
 */

const PAGE = 10;

function element(tag, className, parent) {
  const node = document.createElement(tag);
  node.className = className;
  if (parent) parent.appendChild(node);
  return node;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function setAttribute(node, name, value) {
  if (value === null || value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

function percent(share) {
  return `${Math.round(Math.max(0, Math.min(1, share)) * 1000) / 10}%`;
}

/* JupyterLab says light or dark on the body; elsewhere the system's preference counts. */
function pageTheme() {
  const told = document.body.dataset.jpThemeLight;
  if (told !== undefined) return told === "false" ? "dark" : "light";
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

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
    this.node.addEventListener("click", (event) => {
      if (event.target === this.expander) tree.toggle(this.row.path);
      else tree.select(this.row.path, true);
    });
    this.node.addEventListener("dblclick", () => tree.toggle(this.row.path));
  }

  show(row, place, state) {
    const expandable = row.parent && !state.childless;
    if (this.row !== row) {
      this.row = row;
      this.node.style.setProperty("--wb-depth", row.level - 1);
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
      this.tick.hidden = row.guaranteed === null || row.guaranteed === undefined;
      if (!this.tick.hidden) this.tick.style.left = percent(row.guaranteed);
    }
    setText(this.expander, expandable ? (state.open ? "▾" : "▸") : "·");
    this.expander.classList.toggle("is-button", expandable);
    setAttribute(this.node, "aria-expanded", expandable ? String(state.open) : null);
    setAttribute(this.node, "aria-setsize", place.size);
    setAttribute(this.node, "aria-posinset", place.position);
    setAttribute(this.node, "aria-selected", String(state.selected));
    this.node.classList.toggle("is-selected", state.selected);
    this.node.tabIndex = state.focusable ? 0 : -1;
  }
}

class Tree {
  constructor(model, el) {
    this.model = model;
    this.rows = new Map();
    this.typed = "";
    this.root = element("div", "wb-tree", el);
    const head = element("div", "wb-tree-head", this.root);
    head.setAttribute("aria-hidden", "true");
    this.heads = ["wb-name", "wb-value", "wb-rank"].map((name) => element("span", name, head));
    this.list = element("div", "wb-tree-rows", this.root);
    this.list.setAttribute("role", "tree");
    this.empty = element("div", "wb-empty", this.root);
    this.list.addEventListener("keydown", (event) => this.onKey(event));
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

    const children = new Map();
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
      if (!this.rows.has(data.path)) this.rows.set(data.path, new Row(this));
      const row = this.rows.get(data.path);
      row.show(data, { position: places.get(data.path), size: children.get(data.above).length }, {
        childless: !children.has(data.path),
        open: !collapsed.has(data.path),
        selected: data.path === selected,
        focusable: data.path === shown,
      });
      return row.node;
    });
    if (nodes.length !== this.list.children.length || nodes.some((node, i) => node !== this.list.children[i])) {
      this.list.replaceChildren(...nodes);
    }
    if (hadFocus && !this.list.contains(document.activeElement)) this.focus(shown);
  }

  focus(path) {
    const row = this.rows.get(path);
    if (row) {
      row.node.focus({ preventScroll: true });
      row.node.scrollIntoView({ block: "nearest" });
    }
  }

  select(path, andFocus) {
    if (!path) return;
    if (this.model.get("selected") !== path) {
      this.model.set("selected", path);
      this.model.save_changes();
    }
    if (andFocus) this.focus(path);
  }

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

  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const visible = this.visible();
    const paths = visible.map((row) => row.path);
    const here = event.target.closest("[data-path]")?.dataset.path ?? this.model.get("selected");
    const index = Math.max(0, paths.indexOf(here));
    const row = visible[index];
    if (!row) return;
    const collapsed = new Set(this.model.get("collapsed"));
    const hasChildren = this.model.get("rows").some((other) => other.above === row.path);
    const go = (to) => this.select(paths[Math.max(0, Math.min(paths.length - 1, to))], true);
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

function render({ model, el }) {
  const tree = new Tree(model, el);
  const redraw = () => tree.redraw();
  const events = ["change:rows", "change:selected", "change:collapsed", "change:headings", "change:empty"];
  for (const name of events) model.on(name, redraw);
  const unwatch = watchTheme(model);
  redraw();
  return () => {
    for (const name of events) model.off(name, redraw);
    unwatch();
  };
}

export default { render };
