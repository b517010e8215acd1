// The panel of what if: the figure with its sliders, the table that follows them, and the command that repeats it.

class WhatIfPanel extends Panel {
  constructor(model, shared) {
    const isPossible = model.what_if.runs.some((run) => !run.why_not);
    super(isPossible ? whatIfFigure : { ...whatIfFigure, lead: null }, model, shared);
    this.possible = isPossible;
    this.scenarios = model.runs.map((run) => run.scenario || patched(model.runs[0].scenario, run.scenario_patch));
    this.changes = changesOf(window.location.hash);
    this.times = null;  // of all rounds in ns, null: as recorded
    this.found = [];
    const { worlds } = model.what_if;
    this.result = element("div", { class: "what-if-result", "aria-live": "polite" });
    this.command = element("pre", { tabindex: "0", "aria-label": "The command that gives these times" });
    this.inputs = new Map();
    const haveSites = worlds.length && worlds.every((world) => world.sites);
    this.keepsInterface = haveSites && !worlds[0].sites.interfaces;
    const sites = haveSites ? worlds[0].sites.names : [];
    this.tools = this.possible ? element("div", { class: "sliders" }, sliders.map((slider) => this.slider(slider)),
      sites.length ? this.siteChoice(sites) : null, this.matrixBox()) : null;
    this.box.after(...[this.tools, this.result].filter(Boolean), this.reasons());
    if (this.possible) this.saving.after(disclosure("The command that gives these times", () => this.command));
    else for (const part of [this.box, this.legend, this.chartBox, this.caption, this.saving]) part.hidden = true;
    if (this.possible && Object.keys(this.changes).length) this.ask();
  }

  /** Why some runs stand still. */
  reasons() {
    const reasons = new Map();
    for (const { why_not } of this.model.what_if.runs)
      for (const reason of why_not || []) reasons.set(reason, (reasons.get(reason) || 0) + 1);
    if (!reasons.size) return element("p", { hidden: true });
    return element("div", { class: "what-if-reasons" },
      element("p", {}, this.possible ? "These runs cannot be retimed; sliders leave them where they are recorded:"
        : "These runs cannot be retimed:"),
      element("ul", {}, [...reasons].map(([reason, count]) =>
        element("li", {}, this.model.runs.length > 1 ? `${reason} (${counted(count, "run")})` : reason))));
  }

  slider({ key, label, low, high }) {
    const id = `what-if-${key}`, place = (value) => sliderSteps * Math.log(value / low) / Math.log(high / low);
    const range = element("input", { id, type: "range", min: 0, max: sliderSteps, step: 1, "aria-label": label });
    const number = element("input", { id: `${id}-number`, type: "number", min: 0, step: "any",
                                      placeholder: "as recorded", "aria-label": `${label}, as a number` });
    const reset = element("button", { type: "button", class: "quiet", "aria-label": `${label}: as recorded`,
                                      onclick: () => this.change(key, undefined) }, "as recorded");
    range.addEventListener("input", () =>
      this.change(key, Number((low * (high / low) ** (range.value / sliderSteps)).toPrecision(3))));
    number.addEventListener("change", () => {
      const value = Number(number.value), least = key === "latency_ms" ? 0 : 1;
      this.change(key, number.value !== "" && value >= least && Number.isFinite(value) ? value : undefined);
    });
    this.inputs.set(key, (value) => {
      number.value = value === undefined ? "" : String(value);
      const at = value === undefined ? sliderSteps / 2 : place(value || low);
      range.value = String(Math.min(sliderSteps, Math.max(0, at)));
      range.setAttribute("aria-valuetext", value === undefined ? "as recorded" : toldChange(key, value));
      reset.hidden = value === undefined;
    });
    this.inputs.get(key)(this.changes[key]);
    return element("div", { class: "slider" }, element("label", { for: id }, label), range, number, reset);
  }

  siteChoice(names) {
    const id = "what-if-site";
    const select = element("select", { id, onchange: () => this.change("site", select.value || undefined) },
      element("option", { value: "" }, "as recorded"),
      names.map((name) => element("option", { value: name, selected: name === this.changes.site }, name)));
    const label = this.keepsInterface ? "Site of the server; agent 0 keeps its interface" : "Site of the server";
    return element("div", { class: "slider" }, element("label", { for: id }, label), select);
  }

  matrixBox() {
    const told = element("p", { role: "status" });
    const text = element("textarea", { rows: 6, cols: 40, spellcheck: "false",
                                       "aria-label": "Latencies between sites, in ms",
                                       placeholder: "ms,paris,oslo\nparis,0.5,20\noslo,20,0.5" });
    const use = () => {
      const read = text.value.trim() ? matrixOf(text.value) : null;
      told.textContent = read && read.wrong ? `The matrix is not used: ${read.wrong}.`
        : read ? `${counted(read.sites.length, "site")}; agents take them in their order.` : "";
      this.change("matrix", read && !read.wrong ? read : undefined);
    };
    const save = () => offerFile("latencies.csv", "text/csv", `${text.value.trim()}\n`);
    return disclosure("Latencies from a matrix", () => element("div", {}, text, told,
      element("button", { type: "button", class: "quiet", onclick: use }, "use it"),
      element("button", { type: "button", class: "quiet", onclick: save }, "save it")));
  }

  change(key, value) {
    if (value === undefined) delete this.changes[key];
    else this.changes[key] = value;
    if (this.inputs.has(key)) this.inputs.get(key)(value);
    window.history.replaceState(null, "", fragmentOf(this.changes) || "#what-if");
    this.ask();
  }

  ask() {
    if (!Object.keys(this.changes).length) {
      this.section.removeAttribute("aria-busy");
      this.times = null;
      this.found = [];
      this.draw();
      return;
    }
    const { what_if, groups } = this.model;
    this.worker = this.worker || new WhatIfWorker({ what_if, scenarios: this.scenarios, groups }, "answerWhatIf",
      (question, answer) => this.take(question, answer));
    this.found = [];
    this.section.setAttribute("aria-busy", "true");  // what is shown is of the question before
    this.worker.ask({ changes: { ...this.changes }, level: this.currentState().to, wants: [], ranges: sliders,
                      points: crossingPoints });
  }

  /** The times come first; where the winner changes, which takes longer, once the sliders rest. */
  take(question, { times, found }) {
    if (!this.worker.next) this.section.removeAttribute("aria-busy");
    if (!Object.keys(this.changes).length) return;
    this.times = times;
    this.found = found;
    this.draw();
    const moved = sliders.map(({ key }) => key).filter((key) => question.changes[key] !== undefined);
    const asksMore = !this.worker.next && !question.wants.length && question.level !== undefined &&
      this.model.groups.length > 1 && moved.length;
    if (asksMore) this.worker.ask({ ...question, wants: moved });
  }

  view() {
    const view = super.view();
    return this.times ? retimedModel(view, this.times) : view;
  }

  draw() {
    super.draw();
    const level = this.currentState().to;
    if (level !== this.level && this.times) this.ask();
    this.level = level;
    this.result.replaceChildren(...this.told(level));
    this.command.textContent = this.times ? retimeCommands(this.model, this.scenarios, this.changes).join("\n")
      : "Move a slider first.";
  }

  /** Who is first to the level in these times, where that changes, and the table. */
  told(level) {
    if (!this.possible || level === undefined) return [];
    const before = new Map(costsOf(this.model, level, "simulated_s").map(({ series, median }) => [series, median]));
    const costs = this.times ? costsInTime(super.view(), this.times, level)
      : super.view().groups.map((group, place) => ({ group, place, cost: before.get(group.label) ?? Infinity }))
        .sort((a, b) => a.cost - b.cost);
    const first = costs[0], tied = firstOf(costs.map(({ group, cost }) => [group.label, cost]));
    const next = costs[tied.length], goal = `${levelName(this.model)} ${formatPower(Number(level), 2)}`;
    const isReached = first && Number.isFinite(first.cost);
    const ahead = isReached && next && Number.isFinite(next.cost) && first.cost > 0
      ? `; ${next.group.label} needs ${formatNumber(next.cost / first.cost, 3)} times as long` : "";
    const sentences = [isReached
      ? `First to ${goal}: ${listed(shortList(tied, 3))}, ${formatNumber(first.cost, 6)} s${ahead}.`
      : `Nobody gets to ${goal}.`,
      ...this.found.flatMap(({ key, list }) => list.map(({ at, before: lower, after }) =>
        `Above ${toldChange(key, at)} ${after} beats ${lower}.`))];
    const seconds = (value) => (value !== undefined && value !== null && Number.isFinite(value)
      ? new NumberCell(value, formatNumber(value, 6)) : "never");
    const rows = costs.map(({ group, cost }) => [group.label, seconds(before.get(group.label)), seconds(cost)]);
    return [element("ul", { class: "sentences" }, sentences.map((text) => element("li", {}, text))),
            tableElement({ caption: `Simulated time (s) to ${goal}`, head: ["series", "as recorded", "now"], rows })];
  }
}

class WhatIfMapPanel extends Panel {
  /** `whatIf` has the scenarios and what is changed beside the two keys. */
  constructor(model, shared, whatIf) {
    super(whatIfMap, model, shared);
    this.whatIf = whatIf;
    this.button = element("button", { type: "button", onclick: () => this.start() }, "Draw the map");
    this.box.append(this.button);
  }

  start() {
    const state = this.currentState(), { what_if, groups } = this.model, { scenarios, changes } = this.whatIf;
    const axis = (wanted) => {
      const slider = sliders.find(({ key }) => key === wanted);
      return { ...slider, values: mapValues(slider, mapCells) };
    };
    const map = { across: axis(state.across), down: axis(state.down), level: state.to, rows: [] };
    if (state.across === state.down) {
      this.figure.map = null;
      this.draw();
      return;
    }
    if (this.worker) this.worker.stop();
    this.button.disabled = true;
    const question = { across: map.across, down: map.down, changes: { ...changes }, level: state.to };
    this.worker = new WhatIfWorker({ what_if, scenarios, groups }, "mapRow", ({ row }, cells) => {
      map.rows[row] = cells;
      this.button.textContent = `${row + 1} of ${mapCells} rows`;
      if (row + 1 < mapCells) {
        this.worker.ask({ ...question, row: row + 1 });
        return;
      }
      this.worker.stop();
      this.figure.map = map;
      this.button.disabled = false;
      this.button.textContent = "Draw the map";
      this.draw();
    });
    this.worker.ask({ ...question, row: 0 });
  }
}
