/* A table of text: sort by a head, choose a row, page after 100 rows. Text only, never HTML.
 *
 * The rows of a step are mostly those of the step before, so lines are reused by what they stand for and only changed cells are
 * written: laying a table out anew costs more than everything else on the screen.
 */

const PAGE = 100;

const order = new Intl.Collator("en", { numeric: true }).compare;

/**
 * @typedef {object} Traits
 * @property {string[]} columns
 * @property {string[][]} rows
 * @property {string[]} row_keys what each row stands for; none where rows cannot be chosen
 * @property {string[]} numeric
 * @property {string} selected a key, or ""
 * @property {string} empty
 * @property {string} note
 * @property {string} name
 */

class Table {
  /**
   * @param {Model<Traits>} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.model = model;
    this.root = element("div", "wb-table", el);
    this.sort = { column: -1, down: false };
    this.page = 0;
    this.shape = "";
    /** @type {Map<string, HTMLTableRowElement>} */
    this.lines = new Map();
    this.below = element("div", "wb-table-below");
    this.body = element("tbody");
  }

  /* Row indices in the order shown; the model's order unless a head was clicked. */
  order() {
    const rows = this.model.get("rows");
    const indices = [...rows.keys()];
    const { column, down } = this.sort;
    if (column < 0) return indices;
    return indices.sort((a, b) => (down ? -1 : 1) * order(rows[a][column] ?? "", rows[b][column] ?? "") || a - b);
  }

  redraw() {
    const { model } = this;
    const rows = model.get("rows");
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && this.root.contains(active) ? active.dataset.focus : undefined;
    if (!rows.length) {
      this.shape = "";
      this.root.replaceChildren(element("p", "wb-empty", null, model.get("empty")));
      return;
    }
    const pages = Math.ceil(rows.length / PAGE);
    this.page = Math.min(this.page, pages - 1);
    this.build();
    this.fill(this.order().slice(this.page * PAGE, (this.page + 1) * PAGE));
    this.below.replaceChildren();
    if (pages > 1) this.pager(pages);
    if (model.get("note")) element("p", "wb-empty", this.below, model.get("note"));
    if (focused !== undefined && !this.root.contains(document.activeElement)) {
      /** @type {NodeListOf<HTMLElement>} */
      const places = this.root.querySelectorAll("[data-focus]");
      const again = [...places].find((node) => node.dataset.focus === focused);
      again?.focus({ preventScroll: true });
    }
  }

  /* What stays while only rows change: the frame and the heads. */
  build() {
    const { model, sort } = this;
    const [columns, numeric] = [model.get("columns"), model.get("numeric")];
    const selectable = model.get("row_keys").length === model.get("rows").length;
    const shape = JSON.stringify([columns, numeric, model.get("name"), selectable, sort]);
    if (this.shape === shape) return;
    this.shape = shape;
    this.lines = new Map();
    const scroll = this.scroller?.scrollTop ?? 0;
    this.scroller = element("div", "wb-table-scroll");
    this.below = element("div", "wb-table-below");
    const table = element("table", "", this.scroller);
    if (selectable) table.setAttribute("role", "grid");
    element("caption", "wb-table-caption", table, model.get("name"));
    const head = element("tr", "", element("thead", "", table));
    columns.forEach((name, column) => {
      const cell = element("th", "", head);
      cell.scope = "col";
      cell.classList.toggle("is-number", numeric.includes(name));
      const sorted = sort.column === column;
      cell.setAttribute("aria-sort", !sorted ? "none" : sort.down ? "descending" : "ascending");
      const button = element("button", "wb-table-head", cell, name);
      button.type = "button";
      button.dataset.focus = `head-${column}`;
      if (sorted) element("span", "", button, sort.down ? " ▾" : " ▴").setAttribute("aria-hidden", "true");
      button.addEventListener("click", () => {
        if (sorted && sort.down) this.sort = { column: -1, down: false };
        else this.sort = { column, down: sorted };
        this.redraw();
      });
    });
    this.body = element("tbody", "", table);
    this.root.replaceChildren(this.scroller, this.below);
    if (scroll) this.scroller.scrollTop = scroll;
  }

  /**
   * Lines are kept by what they stand for and patched, so that a step costs as much as it changes.
   * @param {number[]} indices
   */
  fill(indices) {
    const [rows, keys, selected] = [this.model.get("rows"), this.model.get("row_keys"), this.model.get("selected")];
    const selectable = keys.length === rows.length;
    const times = new Map();
    const names = indices.map((index, place) => {
      if (!selectable) return String(place);
      const count = times.get(keys[index]) ?? 0;
      times.set(keys[index], count + 1);
      return count ? `${keys[index]} ${count}` : keys[index];
    });
    const wanted = new Set(names);
    for (const [name, line] of this.lines) {
      if (wanted.has(name)) continue;
      line.remove();
      this.lines.delete(name);
    }
    // One line is reached with Tab, the others from it with the arrows.
    const first = Math.max(0, indices.findIndex((index) => keys[index] === selected));
    let at = this.body.firstElementChild;
    indices.forEach((index, place) => {
      const name = names[place];
      let line = this.lines.get(name);
      if (!line) {
        line = selectable ? this.selectableLine(keys[index]) : element("tr");
        this.lines.set(name, line);
      }
      this.patch(line, rows[index]);
      if (selectable) {
        const chosen = keys[index] === selected;
        const stop = place === first ? 0 : -1;
        if (line.tabIndex !== stop || !line.hasAttribute("tabindex")) line.tabIndex = stop;
        if (line.getAttribute("aria-selected") !== String(chosen)) {
          line.classList.toggle("is-selected", chosen);
          line.setAttribute("aria-selected", String(chosen));
        }
      }
      if (at && line === at) at = at.nextElementSibling;
      else this.body.insertBefore(line, at);
    });
  }

  /** @param {string} key */
  selectableLine(key) {
    const line = element("tr", "is-selectable");
    line.dataset.focus = `row-${key}`;
    line.addEventListener("click", () => this.select(key));
    line.addEventListener("keydown", (event) => this.onRowKey(event, line, key));
    return line;
  }

  /**
   * @param {HTMLTableRowElement} line
   * @param {string[]} texts
   */
  patch(line, texts) {
    const [columns, numeric] = [this.model.get("columns"), this.model.get("numeric")];
    texts.forEach((text, column) => {
      const cell = line.children[column] ?? element("td", numeric.includes(columns[column]) ? "is-number" : "", line, "");
      if (cell.textContent !== text) cell.textContent = text;
    });
    while (line.children.length > texts.length) line.lastElementChild?.remove();
  }

  /** @param {number} pages */
  pager(pages) {
    const bar = element("div", "wb-table-pager", this.below);
    /**
     * @param {number} by
     * @param {string} text
     * @param {string} name
     */
    const move = (by, text, name) => {
      const button = element("button", "wb-table-head", bar, text);
      button.type = "button";
      button.dataset.focus = name;
      button.setAttribute("aria-label", name);
      button.disabled = this.page + by < 0 || this.page + by >= pages;
      button.addEventListener("click", () => {
        this.page += by;
        this.redraw();
      });
    };
    move(-1, "◂", "previous page");
    element("span", "", bar, ` ${this.page + 1} / ${pages} `);
    move(1, "▸", "next page");
  }

  /** @param {string} key */
  select(key) {
    this.model.set("selected", this.model.get("selected") === key ? "" : key);
    this.model.save_changes();
  }

  /** @param {Element | null} line the one to go to, if there is one */
  step(line) {
    if (line instanceof HTMLElement) line.focus();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement} line
   * @param {string} key
   */
  onRowKey(event, line, key) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.select(key);
    else if (event.key === "ArrowDown") this.step(line.nextElementSibling);
    else if (event.key === "ArrowUp") this.step(line.previousElementSibling);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @type {Render<Traits>} */
function render({ model, el }) {
  const table = new Table(model, el);
  const redraw = () => table.redraw();
  /** @type {(keyof Traits)[]} */
  const names = ["columns", "rows", "row_keys", "numeric", "selected", "empty", "note", "name"];
  let due = false;
  // One redraw for all traits that arrive in one message.
  const soon = () => {
    if (due) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      redraw();
    });
  };
  for (const name of names) model.on(`change:${name}`, soon);
  redraw();
  return () => {
    for (const name of names) model.off(`change:${name}`, soon);
  };
}

export default { render };
