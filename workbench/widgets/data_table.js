/* A table of text: sort by a head, choose a row, page after 200 rows. Text only, never HTML. */

const PAGE = 200;

function element(tag, className, parent, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}

const order = new Intl.Collator("en", { numeric: true }).compare;

class Table {
  constructor(model, el) {
    this.model = model;
    this.root = element("div", "wb-table", el);
    this.sort = { column: -1, down: false };
    this.page = 0;
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
    const [columns, rows, keys] = [model.get("columns"), model.get("rows"), model.get("row_keys")];
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
    const scroll = this.scroller?.scrollTop ?? 0;
    this.root.replaceChildren();
    if (!rows.length) {
      element("p", "wb-empty", this.root, model.get("empty"));
      return;
    }
    const indices = this.order();
    const pages = Math.ceil(rows.length / PAGE);
    this.page = Math.min(this.page, pages - 1);
    this.scroller = element("div", "wb-table-scroll", this.root);
    const table = element("table", "", this.scroller);
    element("caption", "wb-table-caption", table, model.get("name"));
    const head = element("tr", "", element("thead", "", table));
    columns.forEach((name, column) => {
      const cell = element("th", "", head);
      cell.scope = "col";
      cell.classList.toggle("is-number", model.get("numeric").includes(name));
      const sorted = this.sort.column === column;
      cell.setAttribute("aria-sort", !sorted ? "none" : this.sort.down ? "descending" : "ascending");
      const button = element("button", "wb-table-head", cell, name);
      button.type = "button";
      button.dataset.focus = `head-${column}`;
      if (sorted) element("span", "", button, this.sort.down ? " ▾" : " ▴").setAttribute("aria-hidden", "true");
      button.addEventListener("click", () => {
        if (sorted && this.sort.down) this.sort = { column: -1, down: false };
        else this.sort = { column, down: sorted };
        this.redraw();
      });
    });
    const body = element("tbody", "", table);
    const selectable = keys.length === rows.length;
    if (selectable) table.setAttribute("role", "grid");
    for (const index of indices.slice(this.page * PAGE, (this.page + 1) * PAGE)) {
      const line = element("tr", "", body);
      const chosen = selectable && keys[index] === model.get("selected");
      if (selectable) {
        line.classList.add("is-selectable");
        line.classList.toggle("is-selected", chosen);
        line.setAttribute("aria-selected", String(chosen));
        line.tabIndex = 0;
        line.dataset.focus = `row-${keys[index]}`;
        line.addEventListener("click", () => this.select(keys[index]));
        line.addEventListener("keydown", (event) => this.onRowKey(event, keys[index]));
      }
      rows[index].forEach((text, column) => {
        const cell = element("td", "", line, text);
        if (model.get("numeric").includes(columns[column])) cell.classList.add("is-number");
      });
    }
    if (pages > 1) this.pager(pages);
    if (model.get("note")) element("p", "wb-empty", this.root, model.get("note"));
    this.scroller.scrollTop = scroll;
    if (focused !== undefined) {
      const again = [...this.root.querySelectorAll("[data-focus]")].find((node) => node.dataset.focus === focused);
      again?.focus({ preventScroll: true });
    }
  }

  pager(pages) {
    const bar = element("div", "wb-table-pager", this.root);
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

  select(key) {
    this.model.set("selected", this.model.get("selected") === key ? "" : key);
    this.model.save_changes();
  }

  onRowKey(event, key) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const line = event.currentTarget;
    if (event.key === "Enter" || event.key === " ") this.select(key);
    else if (event.key === "ArrowDown") line.nextElementSibling?.focus();
    else if (event.key === "ArrowUp") line.previousElementSibling?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function render({ model, el }) {
  const table = new Table(model, el);
  const redraw = () => table.redraw();
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
