// Rankings over a network, with intervals, and who never arrives.

/** A bar for an interval of a score, from 1 to 100 on a logarithmic axis. */
function intervalBar(score, low, high) {
  const x = (value) => (100 * Math.log10(Math.min(100, value)) / 2).toFixed(2);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("viewBox", "-3 0 106 12");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("class", "interval");
  const add = (tag, attributes) => {
    const made = document.createElementNS(svg.namespaceURI, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    svg.append(made);
  };
  add("line", { x1: x(low), x2: x(high), y1: 6, y2: 6, class: "span" });
  add("line", { x1: x(score), x2: x(score), y1: 1, y2: 11, class: "point" });
  return svg;
}

class RankingView {
  constructor(page) {
    this.page = page;
    const { model } = page;
    this.network = 0;
    this.table = new SortedTable({
      name: "ranking-table", caption: "", sort: "rank", text: (row) => `${row.name} ${row.form}`,
      columns: [
        { key: "name", label: "entry", value: (row) => row.name, cell: (row) => page.methodLink(row.entry) },
        { key: "rank", label: "rank", number: true, value: (row) => row.rank,
          cell: (row) => `${row.rank} (${row.best}–${row.worst})` },
        { key: "score", label: "times the best", number: true, value: (row) => row.score,
          cell: (row) => `${formatNumber(row.score, 3)} (${formatNumber(row.low, 3)}–${formatNumber(row.high, 3)})` },
        { key: "bar", label: "1 to 100", cell: (row) => intervalBar(row.score, row.low, row.high) },
        { key: "solved", label: "solved", number: true, down: true, value: (row) => row.solved,
          cell: (row) => `${row.solved} of ${row.problems}` },
        { key: "form", label: "form", value: (row) => row.form, cell: (row) => row.form }],
    });
    const choose = (event) => {
      this.network = Number(event.target.value);
      this.draw();
    };
    this.over = new SortedTable({
      name: "ranks-table", caption: "", sort: "profile0", text: (row) => `${row.name} ${row.form}`,
      columns: [
        { key: "name", label: "entry", value: (row) => row.name, cell: (row) => page.methodLink(row.entry) },
        { key: "form", label: "form", value: (row) => row.form, cell: (row) => row.form },
        ...model.profiles.map((name, place) => ({
          key: `profile${place}`, label: name, number: true, value: (row) => row.ranks[place] || Infinity,
          cell: (row) => (row.ranks[place] ? String(row.ranks[place]) : "–") }))],
    });
    this.section = element("section", { id: "ranking", "data-nav": "Rankings", "aria-labelledby": "ranking-title" },
      element("h2", { id: "ranking-title" }, "Rankings"),
      element("p", { class: "lead" }, "The geometric mean over problems of an entry's cost over the least one; at " +
        "most 100 each, and 100 for a problem that it does not solve. In brackets the interval of 95 % by bootstrap " +
        "over problems and seeds: where intervals overlap, the order is not certain."),
      element("div", { class: "controls" }, element("label", { for: "network" }, "Network",
        element("select", { id: "network", onchange: choose },
          model.profiles.map((name, place) => element("option", { value: String(place) }, name))))),
      this.table.box,
      element("h3", {}, "Ranks over all networks"), this.over.box);
  }

  draw() {
    const { standings, model } = this.page, { variant, currency, level } = standings;
    const listOf = (network) => model.rankings[`${variant} ${currency} ${level} ${network}`] || [];
    const namesOf = (entry) => ({ entry, name: model.entries[entry].name, form: model.entries[entry].form });
    const rows = listOf(this.network).map(([entry, rank, score, low, high, best, worst, solved, problems]) =>
      ({ ...namesOf(entry), rank, score, low, high, best, worst, solved, problems }));
    const title = `to ${standings.levelText()} in ${standings.currencyText()}`;
    this.table.show(rows, rows.length ? `Ranking over ${model.profiles[this.network]}, ${title}`
      : `Over ${model.profiles[this.network]} nobody gets ${title}`);
    const ranks = new Map(standings.entries().map((entry) => [entry, []]));
    for (const place of model.profiles.keys())
      for (const [entry, rank] of listOf(place)) ranks.get(entry)[place] = rank;
    this.over.show([...ranks].map(([entry, found]) => ({ ...namesOf(entry), ranks: found })), `Ranks ${title}`);
  }
}

/** Who never gets to the last level, and why. */
class NeverView {
  constructor(page) {
    this.page = page;
    this.words = element("p", { class: "outcome" });
    this.table = new SortedTable({
      name: "never-table", caption: "", sort: "name", text: (row) => `${row.name} ${row.form} ${row.why}`,
      columns: [
        { key: "name", label: "entry", value: (row) => row.name, cell: (row) => page.methodLink(row.entry) },
        { key: "error", label: "least error", number: true, value: (row) => row.error ?? Infinity,
          cell: (row) => formatValue("relative_error", row.error, 2) },
        { key: "why", label: "how its runs ended", value: (row) => row.why, cell: (row) => row.why },
        { key: "refused", label: "refused", number: true, down: true, value: (row) => row.refused,
          cell: (row) => `${row.refused} of ${row.all}` },
        { key: "form", label: "form", value: (row) => row.form, cell: (row) => row.form }],
    });
    this.section = element("section", { id: "never", "data-nav": "Never", "aria-labelledby": "never-title" },
      element("h2", { id: "never-title" }, "Who never arrives"), this.words, this.table.box);
  }

  draw() {
    const { standings, model } = this.page, last = model.levels.length - 1;
    const rows = standings.entries().map((entry) => {
      const cells = standings.of(entry).map(({ one }) => one && one.cell).filter(Boolean);
      const ran = cells.filter((cell) => cell.reason === undefined), ends = new Map();
      for (const cell of ran)
        for (const [status, number] of Object.entries(cell.ends)) ends.set(status, (ends.get(status) || 0) + number);
      const errors = ran.map(({ error }) => error).filter((error) => error !== null);
      const told = [...ends].sort((a, b) => b[1] - a[1]).map(([status, number]) => endText(status, number));
      return { entry, name: model.entries[entry].name, form: model.entries[entry].form,
               arrives: ran.some((cell) => cell.costs[0].length > last),
               error: errors.length ? Math.min(...errors) : null,
               refused: cells.length - ran.length, all: cells.length, why: told.join(", ") || "–" };
    });
    const never = rows.filter(({ arrives }) => !arrives), level = formatPower(model.levels[last], 2);
    this.words.textContent = never.length
      ? `${never.length} of ${rows.length} entries never get to ${level}, on any problem over any network.`
      : `Every entry gets to ${level} on some problem over some network.`;
    this.table.box.hidden = !never.length;
    this.table.show(never, `Entries that never get to ${level}`);
  }
}
