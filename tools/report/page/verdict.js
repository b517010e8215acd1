// What came out, in words: the first part of the page.

const mostNever = 2;

/** On a telephone the bars below the sentences are to be seen, too. */
function mostSentences() {
  return window.innerWidth < 560 ? 2 : 4;
}

/** Whether the runs are a figure of a paper: its statements and its panels are what came out. */
function isPaperFigure(model) {
  return model.claims.length > 0 && model.panels.length > 0 && model.runs.every((run) => run.source);
}

/** "9 agents", or "4 to 256 agents". */
function agentsTold(model) {
  const counts = model.runs.map((run) => run.agent_count).filter((count) => count !== null);
  if (!counts.length) return "";  // no run has come to its end
  const low = Math.min(...counts), high = Math.max(...counts);
  return low === high ? counted(low, "agent") : `${low} to ${counted(high, "agent")}`;
}

/** Agents and data in a line, where the model has none. */
function ownSetting(model) {
  const told = ({ origin, samples, features }) => `${origin.split("/").at(-1)}, ${samples} × ${features}`;
  const data = [...new Set(model.runs.filter((run) => run.data && run.data.origin).map((run) => told(run.data)))];
  return [agentsTold(model), ...(data.length === 1 ? data : [])].filter(Boolean).join("; ");
}

/** How the runs ended, for runs that cannot be compared. */
function endings(model) {
  const told = ({ label, stop, last }) => `${label}: ${stop.reason}, round ${formatNumber(stop.round)}, ` +
    `${formatNumber(stop.simulated_s)} s` +
    (typeof last.relative_error === "number" ? `, relative error ${formatValue("relative_error", last.relative_error)}`
      : "");
  return shortList(model.runs.map(told), 4);
}

/** The first of the sentences, and the others where they are asked for. */
function sentenceList(sentences, label, most = mostSentences()) {
  const item = (text) => element("li", {}, text);
  const rest = sentences.slice(most);
  return [
    element("ul", { class: "sentences", "aria-label": label }, sentences.slice(0, most).map(item)),
    rest.length ? disclosure(`${rest.length} more`, () => element("ul", { class: "sentences" }, rest.map(item))) : null,
  ];
}

/** A table of `lagnet compare` with its numbers. */
function comparedTable(table) {
  const told = (value, k) => (typeof value === "number"
    ? new NumberCell(value, formatValue(table.columns[k].key, value, 6)) : value);
  const more = table.left_out ? `; ${counted(table.left_out, "more row")} are in what lagnet compare prints` : "";
  return tableElement({
    caption: (table.title || table.name) + more, head: table.columns.map(({ heading }) => heading),
    rows: table.rows.map((row) => row.map(told)),
  });
}

/** The tables of `lagnet compare`, folded. */
function comparisonTables(comparison) {
  return comparison.tables.filter(({ rows }) => rows.length).map((table) =>
    disclosure(`${table.title || table.name} (${counted(table.rows.length + (table.left_out || 0), "row")})`,
               () => comparedTable(table)));
}

function verdictSection(model, shared, charts) {
  const { comparison } = model, verdict = comparison && comparison.verdict;
  const never = verdict ? verdict.never || [] : [];
  const remarks = comparison ? comparison.remarks || [] : [];
  const isSecond = isPaperFigure(model);
  const title = isSecond ? "The runs compared" : "What came out";
  const choices = charts.length ? element("div", { class: "controls inline" },
    isOfOneSeries(model) ? null : shared.control(levelControl(model)),
    shared.control({ ...currencyControl(model), label: isOfOneSeries(model) ? "In" : "in" })) : null;
  return element("section", { id: "verdict", "data-nav": isSecond ? "Comparison" : "Verdict",
                              "aria-labelledby": "verdict-title" },
    element("h2", { id: "verdict-title" }, title),
    element("p", { class: "setting" }, (comparison && comparison.setting) || ownSetting(model)),
    verdict ? sentenceList(verdict.sentences, "What came out")
      : [model.comparison_missing ? element("p", {}, model.comparison_missing) : null,
         sentenceList(endings(model), "How the runs ended")],
    never.length ? element("div", { class: "never" }, sentenceList(never, "Who never gets there", mostNever)) : null,
    choices,
    charts.length ? element("div", { class: "pair" }, charts.map((panel) => panel.section)) : null,
    remarks.length ? element("ul", { class: "warnings", "aria-label": "Remarks" },
      remarks.map(({ text }) => element("li", {}, text))) : null,
    comparison ? element("div", { id: "tables" }, comparisonTables(comparison)) : null);
}

/** Which runs the page is about: a list for each key that differs. Null where all fit into a look. */
function filterSection(model, shared) {
  const keys = sweptKeys(model).filter(({ values }) => values.length > 1 && values.length < model.runs.length);
  if (model.groups.length < 5 || !keys.length) return null;
  const lists = keys.map((key) => shared.filter(key));
  return element("section", { id: "filters", "data-nav": "Filter", "aria-labelledby": "filters-title" },
    element("h2", { id: "filters-title" }, "Which runs"),
    element("p", { class: "lead", "aria-live": "polite" }, shared.told),
    element("div", { class: "controls" }, lists));
}
