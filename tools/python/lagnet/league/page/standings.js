// What the page knows of the league: costs, ratios to the best, and who is first.

const currencyWords = {
  simulated_s: { label: "simulated seconds", unit: "s" },
  bytes: { label: "bytes sent", unit: "B" },
  flops_per_agent_max: { label: "flops of the busiest agent", unit: "flop" },
  joules: { label: "joules", unit: "J" },
};

const variantWords = { tuned: "tuned, where there is something to tune", default: "default" };

/** "1.23 MB", "12.3 s": a cost in three digits. */
function costText(currency, cost) {
  if (!Number.isFinite(cost)) return "never";
  const { unit } = currencyWords[currency];
  if (unit === "s" && cost > 0 && cost < 0.1) return `${Number((1e3 * cost).toPrecision(3))} ms`;
  const text = unit === "s" && cost >= 1e3 ? formatNumber(Math.round(cost)) : formatNumber(cost, 3);
  return `${text}${/[kMGT]$/.test(text) ? "" : " "}${unit}`;
}

/** "first", "3.2 times": a cost over the least one. */
function ratioText(ratio) {
  if (!Number.isFinite(ratio)) return "never";
  return ratio === 1 ? "first" : `${ratio < 100 ? Number(ratio.toPrecision(3)) : formatNumber(Math.round(ratio))}×`;
}

/** How runs ended: "3 out of budget". */
function endText(status, number) {
  return `${number} ${status === "budget" ? "out of budget" : status}`;
}

/** How a cell ended, in words: "5 reached", "3 out of budget, 2 diverged". */
function endsText(cell) {
  if (!cell) return "not run";
  if (cell.reason !== undefined) return `refused: ${cell.reason}`;
  return Object.entries(cell.ends).map(([status, number]) => endText(status, number)).join(", ");
}

/** The same as an element: a long reason opens. */
function endsElement(cell) {
  const text = endsText(cell);
  return text.length <= 100 ? text : element("details", {}, element("summary", {}, shortened(text, 60)), text);
}

/** The shell's word for a text. */
function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

function verifyCommand(model) {
  return `lagnet league verify ${shellWord(model.folder)}`;
}

class Standings {
  /** choices: {level, currency, variant}, level by its place in the model. */
  constructor(model, { level, currency, variant }) {
    this.model = model;
    this.currency = currency;
    this.level = Number(level);
    this.variant = variant;
    const place = model.currencies.indexOf(currency);
    this.instances = new Map();  // by "problem profile": {problem, profile, least, all: [{entry, cell, cost, ratio}]}
    for (const cell of model.cells) {
      if (!cell.in.includes(variant)) continue;
      const key = `${cell.problem} ${cell.profile}`;
      if (!this.instances.has(key))
        this.instances.set(key, { problem: cell.problem, profile: cell.profile, all: [] });
      const cost = cell.reason === undefined ? cell.costs[place][this.level] : undefined;
      this.instances.get(key).all.push({ entry: cell.entry, cell, cost: cost === undefined ? Infinity : cost });
    }
    const nameOf = (one) => model.entries[one.entry].name;
    for (const instance of this.instances.values()) {
      instance.least = Math.min(...instance.all.map(({ cost }) => cost));
      for (const one of instance.all) one.ratio = Standings.ratio(one.cost, instance.least);
      instance.all.sort((a, b) => a.cost - b.cost || (nameOf(a) < nameOf(b) ? -1 : 1));
      instance.first = instance.all.filter(({ ratio }) => ratio === 1);
    }
  }

  static ratio(cost, least) {
    if (!Number.isFinite(cost)) return Infinity;
    return least > 0 ? cost / least : cost === 0 ? 1 : Infinity;
  }

  instance(problem, profile) {
    return this.instances.get(`${problem} ${profile}`);
  }

  /** All that an entry did, in the league's order: [{problem, profile, instance, one}], `one` null where none ran. */
  of(entry) {
    return [...this.instances.values()].map((instance) => ({
      problem: instance.problem, profile: instance.profile, instance,
      one: instance.all.find((found) => found.entry === entry) || null,
    }));
  }

  /** The numbers of the entries that compete. */
  entries() {
    return [...new Set([...this.instances.values()].flatMap(({ all }) => all.map(({ entry }) => entry)))]
      .sort((a, b) => a - b);
  }

  levelText() {
    return formatPower(this.model.levels[this.level], 2);
  }

  currencyText() {
    return currencyWords[this.currency].label;
  }

  /** "problem over network". */
  where({ problem, profile }) {
    return `${this.model.problems[problem]} over ${this.model.profiles[profile]}`;
  }

  cellName(cell) {
    const { problems, profiles, entries } = this.model;
    return `${problems[cell.problem]}/${profiles[cell.profile]}/${entries[cell.entry].name}.${cell.variant}`;
  }

  /** The page of a cell's runs and the command that replays them; without a page the command that makes it. */
  runsBox(cell) {
    if (cell.reason !== undefined) return "–";
    const name = this.cellName(cell);
    return cell.page
      ? [element("a", { href: cell.page }, "page"),
         commandBox(`lagnet replay ${shellWord(`${this.model.runs}/${name}`)}`, "replay")]
      : commandBox(`${this.model.command} --runs ${shellWord(name)}`, "make a page");
  }

  /** The command that repeats a record, with a button to copy it. */
  commandBox(cell) {
    return commandBox(`${verifyCommand(this.model)} --cell ${shellWord(this.cellName(cell))}`, "verify");
  }
}

/** The steps of a profile: [place, share] of each instance in which an entry has a place, rising; shares of `count`. */
function profileSteps(places, count) {
  const finite = places.filter(Number.isFinite).sort((a, b) => a - b);
  return finite.map((place, index) => [place, (index + 1) / count])
    .filter(([place], index) => finite[index + 1] !== place);
}

/** Performance profiles (Dolan, Moré 2002): of each entry the share of instances within x times the best one. */
function performanceSteps(standings) {
  const solved = [...standings.instances.values()].filter(({ least }) => Number.isFinite(least));
  return { count: solved.length, left: standings.instances.size - solved.length, steps: stepsOf(standings, solved,
    (one) => one.ratio) };
}

/** Data profiles (Moré, Wild 2009): the share of instances that an entry solves within x cheapest rounds. */
function dataSteps(standings) {
  const units = new Map(standings.model.units[standings.currency]
    .map(([problem, profile, unit]) => [`${problem} ${profile}`, unit]));
  const solved = [...standings.instances.values()]
    .filter(({ problem, profile }) => units.has(`${problem} ${profile}`));
  return { count: solved.length, left: standings.instances.size - solved.length, steps: stepsOf(standings, solved,
    (one, { problem, profile }) => one.cost / units.get(`${problem} ${profile}`)) };
}

function stepsOf(standings, solved, placeOf) {
  const places = new Map(standings.entries().map((entry) => [entry, []]));
  for (const instance of solved) for (const one of instance.all) places.get(one.entry).push(placeOf(one, instance));
  return new Map([...places].map(([entry, found]) => [entry, profileSteps(found, solved.length)]));
}

/** The value of a profile at a place. */
function shareAt(steps, place) {
  return steps.reduce((share, [x, y]) => (x <= place ? y : share), 0);
}
