// A comparison in the form that a model of a report has, made of the model's own curves: tests of pages know its every
// number, and what they check of the page does not hang on how runs are compared.
"use strict";

const fs = require("node:fs");

function columnOf(table, name) {
  const values = table.columns[name];
  return Array.isArray(values) ? values : new Array(table.rows).fill(values);
}

/** What a column counts where the relative error of a run first is at most `to`; infinite if it never is. */
function costOf(run, column, to) {
  const row = columnOf(run.progress, "relative_error").findIndex((x) => x !== null && x <= to);
  return row < 0 ? Infinity : columnOf(run.progress, column)[row];
}

function costsOf(model, currency, to) {
  return model.groups.map(({ label, runs }) => {
    const costs = runs.map((run) => costOf(model.runs[run], currency, to)).sort((a, b) => a - b);
    const finite = costs.filter(Number.isFinite), median = costs[(costs.length - 1) >> 1];
    return { series: label, median: Number.isFinite(median) ? median : null, min: finite[0] ?? null,
             max: finite.at(-1) ?? null, reached_by: finite.length, runs: costs.length };
  });
}

function comparisonOf(model, levels) {
  const rows = levels.flatMap((to) => ["simulated_s", "bytes"].map((currency) => {
    const costs = costsOf(model, currency, to);
    const [first, next] = costs.filter(({ median }) => median !== null).sort((a, b) => a.median - b.median);
    const ratio = first && next ? next.median / first.median : null;
    return { to, currency, winner: first ? first.series : null, next: next ? next.series : null, ratio, low: ratio,
             high: ratio, costs };
  }));
  const sentences = rows.filter(({ currency, winner }) => currency === "simulated_s" && winner)
    .map(({ to, winner }) => `To ${to}: ${winner} is the first`);
  const cells = rows.filter(({ currency }) => currency === "simulated_s")
    .flatMap(({ to, costs }) => costs.map(({ series, median }) => [to, series, median]));
  return {
    headline: `${model.groups.length} series`, setting: "9 agents, links of 2 ms",
    verdict: { sentences, never: ["nobody ever gets to 1e-15"], rows },
    tables: [{ name: "accuracy", title: "cost of a level", rows: cells, columns: [
      { key: "to", heading: "to" }, { key: "series", heading: "series" },
      { key: "simulated_s", heading: "simulated time (s)" }] }],
    remarks: [{ code: "interfaces_without_limit", numbers: {}, text: "<i>many</i> neighbors cost nothing" }],
  };
}

/** Puts a comparison at these levels into a page that `lagnet report` wrote. */
function compareIn(file, levels) {
  const text = fs.readFileSync(file, "utf8"), start = text.indexOf('id="model">') + 'id="model">'.length;
  const end = text.indexOf("</script>", start), model = JSON.parse(text.slice(start, end));
  const comparison = comparisonOf(model, levels);
  const json = JSON.stringify({ ...model, comparison }).replace(/</g, "\\u003c");
  fs.writeFileSync(file, text.slice(0, start) + json + text.slice(end));
  return comparison;
}

module.exports = { compareIn };
