// The parts of the page that are words and tables: the runs, the claims, what differs, and how to repeat it all.

/** "2.4, 17": how old what a run's updates used was, in updates. */
function toldStaleness({ staleness }) {
  if (!staleness) return "";
  const { mean, largest } = stalenessFacts(staleness);
  return `${formatNumber(mean, 3)}, ${formatNumber(largest)}`;
}

/** How each run that is shown ended; `update` draws the rows anew. */
function runsSection(model, shared) {
  const isStale = model.runs.some((run) => run.staleness);
  const ended = ({ status, stop }) => `${["done", "running"].includes(status) ? "" : `${status}: `}${stop.reason}, ` +
    `round ${formatNumber(stop.round)}`;
  const facts = (run) => [
    run.label, ended(run), run.stop.simulated_s, run.last.relative_error ?? null, run.last.objective ?? null,
    run.totals.messages_sent, run.totals.bytes_sent, run.totals.flops, ...(isStale ? [toldStaleness(run)] : [])];
  const error = (row) => row.map((value, k) => (k === 3 && value !== null
    ? new NumberCell(value, formatValue("relative_error", value)) : value));
  const make = () => {
    const { isShown } = shared.view();
    return tableElement({
      caption: "How each run ended and what it cost", rowHeads: true,
      rows: model.runs.filter((_, index) => !isShown || isShown(index)).map(facts).map(error),
      head: ["Run", "Ended by", "Simulated s", "Relative error", "Objective", "Messages", "Bytes", "Flops",
             ...(isStale ? ["Staleness: mean, largest"] : [])],
    });
  };
  let table = make();
  shared.listeners.push((keys) => {
    if (!keys.includes("filters")) return;
    const next = make();
    table.replaceWith(next);
    table = next;
  });
  return element("section", { id: "runs", "data-nav": "Runs", "aria-labelledby": "runs-title" },
    element("h2", { id: "runs-title" }, model.runs.length === 1 ? "The run" : "The runs"), table, warningsList(model));
}

const mostWarnings = 6;

/** What the runs warn of, each once with how many runs say it; some of them may do so with other numbers. */
function warningsList(model) {
  const found = new Map();
  for (const run of model.runs)
    for (const { code, numbers, text } of run.warnings) {
      const kind = Object.keys(numbers).length ? code : text;
      const same = found.get(kind) || { text, labels: [], differ: "" };
      same.labels.push(run.label);
      if (text !== same.text) same.differ = ", with other numbers";
      found.set(kind, same);
    }
  const item = ({ text, labels, differ }) => element("li", {}, model.runs.length === 1 ? text
    : `${labels.length > 3 ? counted(labels.length, "run") : listed(labels)}${differ}: ${text}`);
  const items = [...found.values()].map(item).concat(model.broken.map((text) => element("li", {}, text)));
  if (!items.length) return null;
  const rest = items.slice(mostWarnings);
  return element("div", { class: "warnings" },
    element("ul", { "aria-label": "Warnings" }, items.slice(0, mostWarnings)),
    rest.length ? disclosure(`${rest.length} more`, () => element("ul", {}, rest)) : null);
}

/** "11 of 11 statements hold in these runs.", with the number of draws where there are several. */
function claimsTold(model) {
  const held = model.claims.filter((claim) => claim.holds).length;
  const draws = Math.max(...model.claims.map((claim) => claim.draws || 1));
  return `${held} of ${counted(model.claims.length, "statement")} hold in these runs` +
    `${draws > 1 ? `, over ${draws} draws` : ""}.`;
}

/** The verdict on a figure of a paper: whether it came out as the paper says. */
function outcomeSection(model) {
  const sources = [...new Set(model.runs.map((run) => run.source))];
  const failed = model.claims.filter((claim) => !claim.holds).map((claim) => claim.statement);
  return element("section", { id: "outcome", "data-nav": "Verdict", "aria-labelledby": "outcome-title" },
    element("h2", { id: "outcome-title" }, "What came out"),
    element("p", { class: "outcome" }, claimsTold(model), ` ${listed(sources)}.`),
    failed.length ? element("ul", { class: "sentences never" }, failed.map((text) =>
      element("li", {}, `Does not hold: ${text}`))) : null);
}

function claimsSection(model) {
  if (!model.claims.length) return null;
  const known = { true: " after all, and was known to fail: ", false: ", as is known: " };
  const share = ({ holds, draws, holding }) =>
    (draws > 1 ? ` (${holds ? "" : "holds "}in ${holding} of ${draws} draws)` : "");
  const verdict = (claim) => (claim.holds === null ? "not decided by these runs"
    : element("span", { class: claim.holds ? "holds" : "fails" },
      `${claim.holds ? "✓" : "✗"} ${claim.verdict}${share(claim)}` +
      `${claim.known_to_fail ? known[claim.holds] + claim.known_to_fail : ""}`));
  const source = ({ source: figures, quote, paper, place }) =>
    [figures, quote ? `“${quote}”` : paper, place].filter(Boolean).join("; ");
  const stated = ({ statement, weaker, quote, paper }) =>
    (weaker ? `${statement} (${quote || paper ? "weaker than the paper: " : ""}${weaker})` : statement);
  return element("section", { id: "claims", "data-nav": "Claims", "aria-labelledby": "claims-title" },
    element("h2", { id: "claims-title" }, "Claims"),
    element("p", { class: "lead" }, claimsTold(model)),
    tableElement({
      caption: "Each statement with what was measured", rowHeads: true,
      head: ["Statement", "Verdict", "Measured", "Allowed", "Source"],
      rows: model.claims.map((claim) => [stated(claim), verdict(claim), claim.measured, claim.allowed,
                                         source(claim) || null]),
    }));
}

const widestTable = 8;

/** The keys are the rows where the runs fit beside each other, else the columns. */
function differencesSection(model) {
  if (model.runs.length < 2) return null;
  const labels = model.runs.map((run) => run.label), { differences } = model;
  const caption = "Values of the scenarios that are not the same in all runs";
  const table = () => (labels.length <= widestTable
    ? tableElement({ caption, rowHeads: true, head: ["Key", ...labels],
                     rows: differences.map(({ pointer, values }) => [pointer, ...values]) })
    : tableElement({ caption, rowHeads: true, head: ["Run", ...differences.map(({ pointer }) => pointer)],
                     rows: labels.map((label, run) => [label, ...differences.map(({ values }) => values[run])]) }));
  return element("section", { id: "differences", "data-nav": "Differences", "aria-labelledby": "differences-title" },
    element("h2", { id: "differences-title" }, "How the scenarios differ"),
    differences.length ? disclosure(`${counted(differences.length, "key")}: ` +
      listed(shortList(sweptKeys(model).map(({ name }) => name))), table)
      : element("p", {}, "The scenarios of these runs are the same."));
}

/** The scenario of a run; those after the first are shown as their changes to it. */
function scenarioOf(model, index) {
  const run = model.runs[index];
  return run.scenario || patched(model.runs[0].scenario, run.scenario_patch);
}

function repeatOf(model, index) {
  const run = model.runs[index];
  const { origin, samples, features } = run.data || {};
  const facts = [
    ["Command", element("code", {}, run.command)], ["Trace hash", run.trace_hash],
    ["Seed", String(scenarioOf(model, index).seed)], ["lagnet version", run.version], ["Folder", run.folder],
    ["Rows in this page", `${formatNumber(run.progress.rows)} of ${formatNumber(run.rows)}`],
    ...(run.data ? [["Data", `${origin}, ${formatNumber(samples)} × ${formatNumber(features)}`]] : []),
    ...(run.source ? [["Source", run.source]] : []),
  ];
  const scenario = () => {
    const text = JSON.stringify(scenarioOf(model, index), null, 2) + "\n";
    const save = () => offerFile("scenario.json", "application/json", text);
    return element("div", {},
      element("button", { type: "button", class: "quiet", onclick: save }, "Save as scenario.json"),
      element("pre", { tabindex: "0", "aria-label": `Scenario of ${run.label}` }, element("code", {}, text)));
  };
  return element("article", {},
    element("h3", {}, run.label),
    run.description ? element("p", {}, run.description) : null,
    element("dl", {}, facts.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    disclosure("The scenario with every default", scenario));
}

/** What repeats each run, folded. */
function repeatSection(model) {
  const single = model.runs.length === 1;
  const all = () => (single ? repeatOf(model, 0) : element("div", { class: "scroll" },
    model.runs.map((_, index) => repeatOf(model, index))));
  return element("section", { id: "repeat", "data-nav": "Repeat", "aria-labelledby": "repeat-title" },
    element("h2", { id: "repeat-title" }, "To repeat it"),
    element("p", { class: "lead" }, "The same scenario and the same build give the same bits. ",
            element("code", {}, "lagnet replay DIR"), " runs a folder again and compares."),
    disclosure(single ? "The run: command, seed, trace hash, scenario"
      : `${counted(model.runs.length, "run")}: commands, seeds, trace hashes, scenarios`, all),
    disclosure("This page", () => element("div", {},
      element("pre", { tabindex: "0", "aria-label": "Command of this page" }, element("code", {}, model.command)),
      element("p", {}, `Made by lagnet ${model.lagnet_version}. Where a run has more rows than can be shown, the ` +
        "first and the last are kept, and the smallest and the largest value of every column in every span of " +
        "rounds."))));
}
