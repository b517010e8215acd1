// Puts the page of a league together.

/** What the reader compares, and all that shows it. */
class LeaguePage {
  constructor(model) {
    this.model = model;
    this.choices = { level: String(model.usual), currency: "simulated_s", variant: "tuned" };
    this.standings = new Standings(model, this.choices);
    this.method = this.methodOfAddress() ?? this.leader();
    this.winners = new WinnersView(this);
    this.byMethod = new MethodView(this);
    this.panels = [performanceFigure, dataFigure].map((figure) => new Panel(figure, model, this));
    this.views = [this.byMethod, new RankingView(this), this.winners, new NeverView(this)];
    this.draw = this.draw.bind(this);
  }

  // What panels ask of choices that they share.
  has() {
    return false;
  }

  get values() {
    return {};
  }

  view() {
    return this.model;
  }

  /** The entry that wins most often. */
  leader() {
    const wins = new Map();
    for (const { first } of this.standings.instances.values())
      for (const { entry } of first) wins.set(entry, (wins.get(entry) || 0) + 1);
    return [...wins].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([entry]) => entry)[0] ?? 0;
  }

  /** The method of an address that ends in #method=NAME. */
  methodOfAddress() {
    const name = new URLSearchParams(window.location.hash.slice(1)).get("method");
    const found = this.model.entries.findIndex((entry) => entry.name === name);
    return found < 0 ? null : found;
  }

  chooseMethod(entry, scroll = false) {
    this.method = entry;
    history.replaceState(null, "", `#method=${encodeURIComponent(this.model.entries[entry].name)}`);
    this.byMethod.draw();
    this.drawPanels();
    if (scroll) {
      this.byMethod.section.scrollIntoView();
      this.byMethod.select.focus({ preventScroll: true });
    }
  }

  /** A method's name that leads to what it did. */
  methodLink(entry) {
    const { name } = this.model.entries[entry];
    return element("a", { href: `#method=${encodeURIComponent(name)}`, onclick: (event) => {
      event.preventDefault();
      this.chooseMethod(entry, true);
    } }, name);
  }

  control(key, label, options) {
    const choose = (event) => {
      this.choices[key] = event.target.value;
      this.standings = new Standings(this.model, this.choices);
      this.draw();
    };
    return element("label", { for: `choose-${key}` }, label,
      element("select", { id: `choose-${key}`, onchange: choose }, options.map(([value, text]) =>
        element("option", { value, selected: value === this.choices[key] }, text))));
  }

  choicesBox() {
    const { model } = this;
    return element("div", { class: "controls", id: "choices", role: "group", "aria-label": "What is compared" },
      this.control("level", "To", model.levels.map((level, place) => [String(place), formatPower(level, 2)])),
      this.control("currency", "in", model.currencies.map((name) => [name, currencyWords[name].label])),
      this.control("variant", "with options", Object.entries(variantWords)));
  }

  findings() {
    const one = ({ sentence, sql, columns, rows }) => element("li", {}, sentence,
      disclosure("The query over league.sqlite, and its rows", () => element("div", {},
        element("pre", { tabindex: "0", "aria-label": "Query" }, sql),
        tableElement({ caption: `Its ${counted(rows.length, "row")}`, head: columns, rows: rows.slice(0, 50) }))));
    return element("section", { id: "findings", "data-nav": "Findings", "aria-labelledby": "findings-title" },
      element("h2", { id: "findings-title" }, "Findings"),
      element("ol", { class: "findings" }, this.model.findings.map(one)));
  }

  repeat() {
    const { model } = this, folder = shellWord(model.folder);
    const line = (words, command) => [element("dt", {}, words), element("dd", {}, commandBox(command))];
    return element("section", { id: "repeat", "data-nav": "Repeat", "aria-labelledby": "repeat-title" },
      element("h2", { id: "repeat-title" }, "Repeat it"),
      element("p", { class: "lead" }, "Each record has its whole scenario and the hashes of its runs. These commands " +
        "run records again and compare them, digit for digit."),
      element("dl", {},
        line("one record", `lagnet league verify ${folder} --cell PROBLEM/NETWORK/ENTRY.VARIANT`),
        line("pages of runs", `${model.command} --runs 'PROBLEM/NETWORK/*'`),
        line("a random part", `lagnet league verify ${folder} --share 0.02`),
        line("the tables", `lagnet league table ${folder}`)));
  }

  show() {
    const { model } = this;
    const sections = [this.byMethod.section, this.findings(), this.views[1].section, this.winners.section,
                      ...this.panels.map((panel) => panel.section), this.views[3].section, this.repeat()];
    document.querySelector("main").replaceChildren(...sections);
    const many = (list, noun, nouns) => `${list.length} ${list.length === 1 ? noun : nouns}`;
    document.querySelector("h1").textContent = `${many(model.entries, "method", "methods")} on ` +
      `${many(model.problems, "problem", "problems")} over ${many(model.profiles, "network", "networks")}`;
    document.title = "lagnet league";
    const version = model.lagnet ? `, lagnet ${model.lagnet}` : "";
    document.querySelector("#subtitle").textContent = `League ${model.league}, ${model.suite}: medians over ` +
      `${counted(model.seeds, "seed")}${version}. Costs are simulated until the relative error is at a level.`;
    document.querySelector("nav ul").replaceChildren(...sections.map((section) =>
      element("li", {}, element("a", { href: `#${section.id}` }, section.dataset.nav))));
    document.querySelector("nav").append(this.choicesBox());
    // The report's script draws these again when colors, width or paper change.
    all = [...this.panels, this];
    this.draw();
    width = document.querySelector("main").clientWidth;
    if (this.methodOfAddress() !== null) this.byMethod.section.scrollIntoView();
    window.addEventListener("hashchange", () => {
      const found = this.methodOfAddress();
      if (found !== null) this.chooseMethod(found, true);
    });
  }

  drawPanels() {
    for (const panel of this.panels) {
      Object.assign(panel.state, { standings: this.standings, method: this.method });
      if (panel.section.isConnected) panel.draw();
    }
  }

  draw() {
    this.drawPanels();
    for (const view of this.views) view.draw();
  }
}

useLabels({ labels: {} });
const leaguePage = new LeaguePage(JSON.parse(document.getElementById("model").textContent));
leaguePage.show();
// For tests, and for readers who want the numbers in the browser's console.
window.lagnetLeague = { page: leaguePage, performanceSteps, dataSteps, shareAt };
