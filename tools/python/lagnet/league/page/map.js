// Who wins: problems down, networks across.

/** A table of problems and networks; cell(problem, profile) gives {text, kind, tint, label, onpress}. */
function mapTable(model, caption, cell) {
  const made = (problem, profile) => {
    const { text, kind = "", tint, label, press } = cell(problem, profile);
    return element("td", { class: `cell ${kind}`, style: tint ? `background: ${tint}` : null },
      press ? element("button", { type: "button", "aria-label": label, onclick: press }, text) : text);
  };
  return element("div", { class: "scroll map", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "problem"),
        model.profiles.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, model.problems.map((name, problem) => element("tr", {},
        element("th", { scope: "row" }, name), model.profiles.map((_, profile) => made(problem, profile)))))));
}

/** The map of who is first, and all entries of the cell that the reader chose. */
class WinnersView {
  constructor(page) {
    this.page = page;
    this.chosen = null;
    this.map = element("div", {});
    this.heading = element("h3", { tabindex: "-1" });
    this.detail = element("div", { id: "cell" });
    this.table = new SortedTable({
      name: "cell", caption: "", sort: "cost", text: (row) => `${row.name} ${row.form} ${row.ends}`,
      columns: [
        { key: "entry", label: "entry", value: (row) => row.name, cell: (row) => page.methodLink(row.entry) },
        { key: "cost", label: "cost", number: true, value: (row) => row.cost, cell: (row) => row.costText },
        { key: "ratio", label: "to the first", number: true, value: (row) => row.ratio, cell: (row) => row.ratioText },
        { key: "form", label: "form", value: (row) => row.form, cell: (row) => row.form },
        { key: "ends", label: "runs", value: (row) => row.ends, kind: "words", cell: (row) => endsElement(row.cell) },
        { key: "page", label: "their page", kind: "runs", cell: (row) => page.standings.runsBox(row.cell) },
        { key: "command", label: "proof", cell: (row) => page.standings.commandBox(row.cell) }],
    });
    this.section = element("section", { id: "map", "data-nav": "Who wins", "aria-labelledby": "map-title" },
      element("h2", { id: "map-title" }, "Who wins where"),
      element("p", { class: "lead" }, "The first over each network on each problem, and its cost. Press a cell for " +
              "all entries there, with the pages of their runs and the commands that repeat them."),
      this.map, this.detail);
  }

  draw() {
    const { standings, model } = this.page, wins = new Map();
    for (const { first } of standings.instances.values())
      for (const { entry } of first) wins.set(entry, (wins.get(entry) || 0) + 1);
    const order = [...wins].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([entry]) => entry);
    const look = makeLook({ dark: isDark() });
    const tint = (entry) => {
      const place = order.indexOf(entry);
      return place >= 0 && place < look.series.length ? tinted(look.series[place]) : null;
    };
    const text = order.map((entry) => `${model.entries[entry].name} on ${wins.get(entry)}`).slice(0, 5);
    this.map.replaceChildren(mapTable(model,
      `First to ${standings.levelText()} in ${standings.currencyText()}: ${listed(text) || "nobody"}.`,
      (problem, profile) => {
        const instance = standings.instance(problem, profile);
        if (!instance) return { text: "not run", kind: "none" };
        const press = () => this.choose(problem, profile), { first } = instance;
        const name = shortened(listed(first.map(({ entry }) => model.entries[entry].name)), 40) || "nobody";
        const cost = first.length ? costText(standings.currency, instance.least) : "";
        return { press, tint: first.length === 1 ? tint(first[0].entry) : null, kind: first.length ? "" : "never",
                 text: [element("strong", {}, name), element("span", {}, cost)],
                 label: `${standings.where(instance)}: ${name} ${cost}; show all entries` };
      }));
    this.drawDetail();
  }

  choose(problem, profile) {
    this.chosen = [problem, profile];
    this.drawDetail();
    this.detail.scrollIntoView({ block: "nearest" });
    this.heading.focus({ preventScroll: true });
  }

  drawDetail() {
    const { standings, model } = this.page, instance = this.chosen && standings.instance(...this.chosen);
    if (!instance) {
      this.detail.replaceChildren();
      return;
    }
    const rows = instance.all.map(({ entry, cell, cost, ratio }) => ({
      entry, name: model.entries[entry].name, form: model.entries[entry].form, cost, ratio,
      costText: costText(standings.currency, cost), ratioText: ratioText(ratio), ends: endsText(cell),
      cell }));
    const title = `On ${standings.where(instance)}, to ${standings.levelText()} in ${standings.currencyText()}`;
    this.table.show(rows, `${title}: all entries`);
    this.heading.textContent = title;
    this.detail.replaceChildren(this.heading, this.table.box);
  }
}
