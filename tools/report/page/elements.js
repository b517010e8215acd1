// Making elements of the page.

/** An element with attributes and children; texts become text, so that nothing in a model is taken for HTML. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

/** A number of a table with the text that shows it. */
class NumberCell {
  constructor(value, text) {
    this.value = value;
    this.text = text;
  }
}

/** A table with a head; numbers are set to the right. `rowHeads` makes the first cell of each row its head. */
function tableElement({ caption, head, rows, rowHeads = false }) {
  const isNumber = (value) => typeof value === "number" || value instanceof NumberCell;
  const textOf = (value, k) => {
    if (value instanceof NumberCell) return value.text;
    if (value instanceof Node) return value;
    return typeof value === "number" ? formatValue(head[k], value) : value === null ? "–" : String(value);
  };
  const cell = (value, k) => (k === 0 && rowHeads ? element("th", { scope: "row" }, textOf(value, k))
    : element("td", { class: isNumber(value) ? "number" : null }, textOf(value, k)));
  const numeric = head.map((_, k) => rows.some((row) => isNumber(row[k])));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, head.map((name, k) =>
        element("th", { scope: "col", class: numeric[k] && !(k === 0 && rowHeads) ? "number" : null }, name)))),
      element("tbody", {}, rows.map((row) => element("tr", {}, row.map(cell))))));
}

/** Something that opens; what is in it is made when it does. */
function disclosure(title, make) {
  let made = false;
  const details = element("details", { ontoggle: () => {
    if (details.open && !made) {
      made = true;
      details.append(make());
    }
  } }, element("summary", {}, title));
  return details;
}

/** Hands a text or a blob to the reader as a file. */
function offerFile(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = element("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
