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

/** A table with a head; numbers are set to the right. `rowHeads` makes the first cell of each row its head. */
function tableElement({ caption, head, rows, rowHeads = false }) {
  const cell = (value, k) => {
    const isNumber = typeof value === "number";
    const text = value instanceof Node ? value : isNumber ? formatNumber(value) : value === null ? "–" : String(value);
    return k === 0 && rowHeads
      ? element("th", { scope: "row" }, text) : element("td", { class: isNumber ? "number" : null }, text);
  };
  const numeric = head.map((_, k) => rows.length > 0 && typeof rows[0][k] === "number");
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

/** Hands a text to the reader as a file. */
function offerFile(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
