// What if the network were another one: sliders that move the curves, exactly, by the recursion of the times.

const sliders = [
  { key: "latency_ms", label: "Latency of all links (ms)", low: 0.01, high: 1e4 },
  { key: "bandwidth_bytes_per_s", label: "Bandwidth of all links (bytes/s)", low: 1e3, high: 1e11 },
  { key: "speed_flops_per_s", label: "Speed of the slowest agent (flops/s)", low: 1e3, high: 1e13 },
];
const sliderSteps = 600, crossingPoints = 30;

/** What the worker runs: the functions that it needs, and how it answers. */
const workerFunctions = [median, stepRows, oneForEach, sendOrder, makeWorld, makeGraph, Resources, whatIsLeft,
                         repetition, InterfaceQueue, roundTimes,
                         slowestAgent, namedLinks, setLinks, setSites, moveServer, changedWorld, allTimes, costsInTime,
                         crossings];

/** The times that the changes give, and where the winner changes with each slider that lies between others. */
function answerWhatIf({ what_if, scenarios, groups }, { changes, level, wants, ranges, points }) {
  const times = allTimes(what_if, scenarios, changes);
  const found = wants.map((key) => {
    const { low, high } = ranges.find((range) => range.key === key);
    const winnerAt = (value) => {
      const moved = allTimes(what_if, scenarios, { ...changes, [key]: value });
      const [first] = costsInTime({ what_if, groups }, moved, level);
      return first && Number.isFinite(first.cost) ? first.group.label : null;
    };
    return { key, list: crossings(winnerAt, low, high, points) };
  });
  return { times, found };
}

/** Answers one question at a time, the newest first; those that others have overtaken are dropped, and long ones that
    ask where the winner changes are given up. */
class WhatIfWorker {
  /** `name` is the function that answers: answerWhatIf or mapRow. */
  constructor(known, name, answered) {
    this.answered = answered;
    this.next = null;
    const text = [...workerFunctions, answerWhatIf, mapRow].map(String).join("\n") +
      "\nlet known; onmessage = ({ data }) => { if (data.known) known = data.known; " +
      `else postMessage(${name}(known, data)); };`;
    this.url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    this.known = known;
    this.start();
  }

  start() {
    this.question = null;
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data }) => {
      const { question } = this;
      this.question = null;
      this.answered(question, data);
      if (this.next) this.ask(this.next);
    };
    this.worker.postMessage({ known: this.known });
  }

  ask(question) {
    if (this.question && this.question.wants && this.question.wants.length) {
      this.worker.terminate();
      this.start();
    }
    if (this.question) {
      this.next = question;
      return;
    }
    this.next = null;
    this.question = question;
    this.worker.postMessage(question);
  }

  stop() {
    this.worker.terminate();
    URL.revokeObjectURL(this.url);
  }
}

const whatIfFigure = {
  name: "what-if", title: "What if", nav: "What if", small: false,
  lead: "The same runs in another network: what agents compute does not depend on when messages come, so that each " +
    "curve keeps its values and moves in time. The numbers are exact.",
  controls(model) {
    const measure = defaultMeasure(model);
    return [
      { key: "y", label: "Vertical axis", kind: "select", value: measure,
        options: [...new Set([measure, "objective", "relative_error"])].filter((name) => hasNumbers(model, name))
          .map((name) => [name, columnLabel(name)]) },
      { key: "logY", label: "logarithmic", kind: "check", value: suitsLog(model, measure) },
      ...(verdictLevels(model).length ? [levelControl(model)] : []),
    ];
  },
  build(model, state, look) {
    const all = { ...state, x: "simulated_s", logX: false, bands: model.groups.some(({ runs }) => runs.length > 1) };
    return { ...convergenceBuilt(model, all, look, convergenceLines(model, all, look)), height: 400 };
  },
};

/** "37 ms", "1.25 MB/s": the value of a slider. */
function toldChange(key, value) {
  if (key === "latency_ms") return `${formatNumber(value, 3)} ms`;
  return key === "speed_flops_per_s" ? `${formatNumber(value, 3)} flops/s` : `${formatNumber(value, 3)} bytes/s`;
}

/** Changes as a fragment of the page's address, and back. */
function fragmentOf(changes) {
  const pairs = Object.entries(changes).filter(([key]) => changeKeys.includes(key));
  return pairs.length ? `#what-if?${new URLSearchParams(pairs)}` : "";
}

function changesOf(fragment) {
  const changes = {};
  if (!fragment.startsWith("#what-if?")) return changes;
  for (const [key, text] of new URLSearchParams(fragment.slice("#what-if?".length))) {
    if (key === "site") changes.site = text;
    const range = sliders.find((slider) => slider.key === key), value = Number(text);
    if (range && value >= 0 && Number.isFinite(value)) changes[key] = value;
  }
  return changes;
}

/** A table of latencies in ms, as a CSV file of sites has it: {sites, ms}, or what is wrong with it. */
function matrixOf(text) {
  const lines = text.trim().split(/\r?\n/).map((line) => line.split(",").map((cell) => cell.trim()));
  const sites = lines[0].slice(1), rows = new Map(lines.slice(1).map(([name, ...cells]) => [name, cells.map(Number)]));
  if (!sites.length || sites.includes("")) return { wrong: "expected a header with the names of sites" };
  const wrong = sites.find((name) => !rows.has(name) || rows.get(name).length !== sites.length ||
    !rows.get(name).every((ms) => ms >= 0 && ms <= 1e9));
  if (wrong !== undefined || rows.size !== sites.length)
    return { wrong: `expected one line of ${sites.length} latencies in ms for each site` +
      (wrong === undefined ? "" : `, ${wrong} has none`) };
  return { sites, ms: sites.map((name) => rows.get(name)) };
}

/** The settings of `lagnet retime` that give a run these changes. */
function settingsOf(changes, described, scenario) {
  const settings = [];
  const set = (key, value) => settings.push(`--set '${key}=${JSON.stringify(value)}'`);
  if (changes.latency_ms !== undefined) set("/network/latency_ms", changes.latency_ms);
  if (changes.matrix) {
    const of = (_, agent) => changes.matrix.sites[agent % changes.matrix.sites.length];
    const agents = (scenario.network.sites || []).length ? { agents: described.neighbors.map(of) } : {};
    set("/network/latency_ms", { kind: "matrix", path: "latencies.csv", ...agents });
  } else if (changes.site !== undefined && described.sites && described.sites.interfaces)
    set("/network/server_site", changes.site);
  else if (changes.site !== undefined && described.sites)
    set("/network/latency_ms/agents", described.sites.of.map((site, agent) =>
      (agent === 0 ? changes.site : described.sites.names[site])));
  if (changes.bandwidth_bytes_per_s !== undefined) set("/network/bandwidth_bytes_per_s", changes.bandwidth_bytes_per_s);
  if (changes.speed_flops_per_s !== undefined) {
    const world = changedWorld(described, scenario, changes);
    set("/compute/speed_flops_per_s", { kind: "list", values: [...world.speed] });
  }
  return settings.join(" ");
}

/** One command for all runs of a folder whose settings are the same. */
function retimeCommands(model, scenarios, changes) {
  const byFolder = new Map();
  model.what_if.runs.forEach((run, index) => {
    if (run.why_not) return;
    const settings = settingsOf(changes, model.what_if.worlds[run.world], scenarios[index]);
    const key = `lagnet retime ${run.folder} ${settings}`;
    byFolder.set(key, [...(byFolder.get(key) || []), index]);
  });
  const name = (k) => (byFolder.size > 1 ? `what-if-${k + 1}` : "what-if");
  return [...byFolder.keys()].map((command, k) => `${command} --out ${name(k)}`);
}
