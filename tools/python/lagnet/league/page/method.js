// One method: where it wins, where it loses, and the commands that repeat its records.

const closeRatio = 2, farRatio = 10;

function ratioKind(one) {
  if (!one) return "none";
  if (one.cell.reason !== undefined) return "refused";
  if (!Number.isFinite(one.ratio)) return "never";
  return one.ratio === 1 ? "best" : one.ratio <= closeRatio ? "close" : one.ratio <= farRatio ? "behind" : "far";
}

const kindTexts = { none: "not run", refused: "refused", never: "never" };

class MethodView {
  constructor(page) {
    this.page = page;
    const { model } = page;
    const choose = (event) => page.chooseMethod(Number(event.target.value));
    this.select = element("select", { id: "method", onchange: choose },
      model.entries.map(({ name }, entry) => element("option", { value: String(entry) }, name)));
    this.words = element("div", { "aria-live": "polite" });
    this.map = element("div", {});
    this.table = new SortedTable({
      name: "method-cells", caption: "", sort: "ratio",
      text: (row) => `${row.problem} ${row.profile} ${row.first} ${row.ends} ${row.kind}`,
      columns: [
        { key: "problem", label: "problem", value: (row) => row.problem, cell: (row) => row.problem },
        { key: "profile", label: "network", value: (row) => row.profile, cell: (row) => row.profile },
        { key: "ratio", label: "to the first", number: true, value: (row) => row.ratio, cell: (row) => row.ratioText },
        { key: "cost", label: "cost", number: true, value: (row) => row.cost, cell: (row) => row.costText },
        { key: "first", label: "the first", value: (row) => row.first, cell: (row) => row.first },
        { key: "ends", label: "runs", value: (row) => row.ends, kind: "words", cell: (row) => endsElement(row.record) },
        { key: "page", label: "their page", kind: "runs",
          cell: (row) => (row.record ? page.standings.runsBox(row.record) : "–") },
        { key: "command", label: "proof",
          cell: (row) => (row.record ? page.standings.commandBox(row.record) : "–") }],
    });
    const title = "by-method-title";
    this.section = element("section", { id: "by-method", "data-nav": "By method", "aria-labelledby": title },
      element("h2", { id: title }, "By method"),
      element("p", { class: "lead" }, "Where a method wins, where it loses, the pages of its runs, and the commands " +
              "that repeat them."),
      element("div", { class: "controls" }, element("label", { for: "method" }, "Method", this.select)),
      this.words, this.map, element("h3", {}, "Its records, those where it is best first"), this.table.box);
  }

  draw() {
    const { standings, model, method } = this.page, { name, form, kind } = model.entries[method];
    this.select.value = String(method);
    const found = standings.of(method), kinds = found.map(({ one }) => ratioKind(one));
    const count = (...wanted) => kinds.filter((one) => wanted.includes(one)).length;
    if (!standings.entries().includes(method)) {
      this.words.replaceChildren(element("p", { class: "outcome" }, `${name} does not compete.`),
        element("p", {}, "One agent that has all samples sends nothing: it is a yardstick for the others."));
      this.map.replaceChildren();
      this.table.show([], `${name} has no records that compete`);
      return;
    }
    const all = counted(found.length, "pair");
    this.words.replaceChildren(
      element("p", { class: "outcome" }, `${name} is the first to ${standings.levelText()} in ` +
        `${standings.currencyText()} on ${count("best")} of ${all} of problem and network.`),
      element("ul", { class: "sentences" },
        element("li", {}, `It needs up to twice as much as the first on ${count("close") || "none"}, up to ten ` +
                          `times on ${count("behind") || "none"}, more on ${count("far") || "none"}.`),
        element("li", {}, this.missing(count("never"), count("refused"), count("none"))),
        this.extremes(found),
        element("li", {}, `Form: ${form}. Kind: ${kind}. Options: ${variantWords[standings.variant]}.`)));
    this.map.replaceChildren(mapTable(model, `${name}: ${standings.currencyText()} to ${standings.levelText()}, over ` +
      "the least of all entries", (problem, profile) => this.cell(problem, profile)));
    this.table.show(found.map(({ problem, profile, instance, one }) => ({
      problem: model.problems[problem], profile: model.profiles[profile], kind: ratioKind(one),
      ratio: one ? one.ratio : Infinity, cost: one ? one.cost : Infinity,
      ratioText: kindTexts[ratioKind(one)] || ratioText(one.ratio),
      costText: one && Number.isFinite(one.cost) ? costText(standings.currency, one.cost) : "–",
      first: listed(instance.first.map(({ entry }) => model.entries[entry].name)) || "nobody",
      ends: endsText(one && one.cell),
      record: one && one.cell,
    })), `${name}: ${all} of problem and network, to ${standings.levelText()} in ${standings.currencyText()}`);
  }

  /** A sentence on the pairs where it does not arrive. */
  missing(never, refused, none) {
    const parts = [never && `it does not arrive on ${never}`, refused && `lagnet refuses it on ${refused}`,
                   none && `it was not run on ${none}`].filter(Boolean);
    const text = listed(parts) || "it arrives on all of them";
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  }

  /** A sentence on where it is best and where it is worst. */
  extremes(found) {
    const { standings } = this.page;
    const there = found.filter(({ one }) => one && Number.isFinite(one.ratio))
      .sort((a, b) => a.one.ratio - b.one.ratio);
    if (!there.length) return element("li", {}, "It arrives nowhere at this level.");
    const told = (one) => `${standings.where(one)} (${ratioText(one.one.ratio)})`;
    const best = there.slice(0, 3).map(told);
    const worst = there.slice(3).filter(({ one }) => one.ratio > 1).slice(-3).reverse().map(told);
    const end = worst.length ? `, and worst on ${listed(worst)}` : "";
    return element("li", {}, `It does best on ${listed(best)}${end}.`);
  }

  cell(problem, profile) {
    const { standings, model, method } = this.page, instance = standings.instance(problem, profile);
    const one = instance && instance.all.find(({ entry }) => entry === method), kind = ratioKind(one);
    const text = kindTexts[kind] || ratioText(one.ratio);
    const where = `${model.problems[problem]} over ${model.profiles[profile]}`;
    return { text, kind, label: `${where}: ${text}; show all entries`,
             press: instance ? () => this.page.winners.choose(problem, profile) : null };
  }
}
