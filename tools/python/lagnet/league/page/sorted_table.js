// Tables that a reader sorts by a column and filters by words.

class SortedTable {
  /** columns: [{key, label, value(row), cell(row), number, kind, down}]: `value` is what rows are sorted by, `cell` is
      what is shown, `kind` its class, `down` where the largest is the best. sort: the key to begin with. text(row):
      what the filter looks at. */
  constructor({ name, caption, columns, sort, text, most = 400 }) {
    Object.assign(this, { name, columns, text, most, rows: [], key: sort, isTurned: false, wanted: "" });
    this.caption = element("caption", {}, caption);
    this.heads = new Map(columns.map((column) => [column.key, element("th",
      { scope: "col", class: column.number ? "number" : null },
      column.value ? element("button", { type: "button", class: "sort", onclick: () => this.sortBy(column.key) },
                             column.label) : column.label)]));
    this.body = element("tbody", {});
    this.count = element("p", { class: "lead", role: "status" });
    const scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      element("table", {}, this.caption, element("thead", {}, element("tr", {}, [...this.heads.values()])), this.body));
    this.filter = element("input", { type: "search", id: `${name}-filter`, autocomplete: "off", spellcheck: "false",
                                     oninput: (event) => this.filterBy(event.target.value) });
    this.box = element("div", { class: "sorted" },
      text ? element("div", { class: "controls" },
                     element("label", { for: `${name}-filter` }, "Filter by words", this.filter), this.count) : null,
      scroll);
    this.scroll = scroll;
  }

  /** Shows other rows, in the same order and with the same filter. */
  show(rows, caption) {
    this.rows = rows;
    this.caption.textContent = caption;
    this.scroll.setAttribute("aria-label", caption);
    this.draw();
  }

  sortBy(key) {
    this.isTurned = this.key === key ? !this.isTurned : false;
    this.key = key;
    this.draw();
  }

  filterBy(text) {
    this.wanted = text;
    this.draw();
  }

  shown() {
    const words = this.wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const column = this.columns.find(({ key }) => key === this.key);
    const sign = Boolean(column.down) === this.isTurned ? 1 : -1;
    const order = (a, b) => {
      const [x, y] = [column.value(a), column.value(b)];
      return x === y ? 0 : (x < y ? -1 : 1) * sign;
    };
    return this.rows.filter((row) => words.every((word) => this.text(row).toLowerCase().includes(word))).sort(order);
  }

  draw() {
    for (const { key, down } of this.columns) {
      const sorted = key !== this.key ? null : Boolean(down) === this.isTurned ? "ascending" : "descending";
      if (sorted) this.heads.get(key).setAttribute("aria-sort", sorted);
      else this.heads.get(key).removeAttribute("aria-sort");
    }
    const rows = this.text ? this.shown() : [...this.rows];
    this.count.textContent = rows.length < this.rows.length ? `${rows.length} of ${this.rows.length} rows`
      : counted(rows.length, "row");
    this.body.replaceChildren(...rows.slice(0, this.most).map((row) => this.rowElement(row)));
  }

  rowElement(row) {
    return element("tr", {}, this.columns.map(({ cell, number, kind }, k) =>
      element(k ? "td" : "th", { class: kind || (number ? "number" : null), scope: k ? null : "row" }, cell(row))));
  }
}

/** A command with a button that copies it; where nothing can be copied it is selected. `short`: what is shown of it
    until then. */
function commandBox(command, short = command) {
  const code = element("code", {}, short), told = element("span", { role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      told.textContent = "copied";
    } catch {
      code.textContent = command;
      window.getSelection().selectAllChildren(code);
      told.textContent = "selected: copy it with the keyboard";
    }
    setTimeout(() => { told.textContent = ""; }, 2000);
  };
  return element("span", { class: "command" }, code,
    element("button", { type: "button", class: "quiet", onclick: copy, "aria-label": `Copy: ${command}` }, "Copy"),
    told);
}
