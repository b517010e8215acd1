// The parts of the page that are words and tables: the runs, the claims, what differs, and how to repeat it all.

function runsSection(model) {
  const ended = (stop) => `${stop.reason}, round ${formatNumber(stop.round)}`;
  const facts = ({ label, status, stop, last, totals }) => [
    label, status, ended(stop), stop.simulated_s, last.relative_error ?? null, last.objective ?? null,
    totals.messages_sent, totals.bytes_sent, totals.flops];
  const told = model.runs.flatMap((run) => run.warnings.map((text) => `${run.label}: ${text}`)).concat(model.broken);
  const warnings = told.map((text) => element("li", {}, text));
  return element("section", { id: "runs", "data-nav": "Runs", "aria-labelledby": "runs-title" },
    element("h2", { id: "runs-title" }, model.runs.length === 1 ? "The run" : "The runs"),
    tableElement({
      caption: "How each run ended and what it cost", rowHeads: true, rows: model.runs.map(facts),
      head: ["Run", "Status", "Ended by", "Simulated s", "Relative error", "Objective", "Messages", "Bytes", "Flops"],
    }),
    warnings.length ? element("ul", { class: "warnings", "aria-label": "Warnings" }, warnings) : null);
}

function claimsSection(model) {
  if (!model.claims.length) return null;
  const held = model.claims.filter((claim) => claim.holds).length;
  const known = { true: " after all, and was known to fail: ", false: ", as is known: " };
  const verdict = ({ holds, known_to_fail: why }) => (holds === null ? "not decided by these runs"
    : element("span", { class: holds ? "holds" : "fails" },
      `${holds ? "✓ holds" : "✗ fails"}${why ? known[holds] + why : ""}`));
  return element("section", { id: "claims", "data-nav": "Claims", "aria-labelledby": "claims-title" },
    element("h2", { id: "claims-title" }, "What is expected"),
    element("p", { class: "lead" }, `${held} of ${counted(model.claims.length, "statement")} hold in these runs.`),
    tableElement({
      caption: "Each statement with what was measured", rowHeads: true,
      head: ["Statement", "Verdict", "Measured", "Allowed", "Source"],
      rows: model.claims.map((claim) => [claim.statement, verdict(claim), claim.measured, claim.allowed,
                                         claim.source || null]),
    }));
}

function differencesSection(model) {
  if (model.runs.length < 2) return null;
  const body = model.differences.length
    ? tableElement({
      caption: "Values of the scenarios that are not the same in all runs", rowHeads: true,
      head: ["Key", ...model.runs.map((run) => run.label)],
      rows: model.differences.map(({ pointer, values }) =>
        [pointer, ...values]),
    })
    : element("p", {}, "The scenarios of these runs are the same.");
  return element("section", { id: "differences", "data-nav": "Differences", "aria-labelledby": "differences-title" },
    element("h2", { id: "differences-title" }, "How the scenarios differ"), body);
}

function repeatOf(run) {
  const text = JSON.stringify(run.scenario, null, 2) + "\n";
  const facts = [["Trace hash", run.trace_hash], ["Seed", String(run.scenario.seed)], ["lagnet version", run.version],
                 ["Folder", run.folder],
                 ["Rows in this page", `${formatNumber(run.progress.rows)} of ${formatNumber(run.rows)}`]];
  const { origin, samples, features } = run.data || {};
  const data = run.data ? [["Data", `${origin}, ${formatNumber(samples)} × ${formatNumber(features)}`]] : [];
  const save = () => offerFile("scenario.json", "application/json", text);
  return element("article", {},
    element("h3", {}, run.label),
    run.description ? element("p", {}, run.description) : null,
    run.source ? element("p", {}, `Source: ${run.source}`) : null,
    element("pre", { tabindex: "0", "aria-label": "Command" }, element("code", {}, run.command)),
    element("dl", {}, [...facts, ...data].map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    disclosure("The scenario with every default", () => element("div", {},
      element("button", { type: "button", class: "quiet", onclick: save }, "Save as scenario.json"),
      element("pre", { tabindex: "0", "aria-label": `Scenario of ${run.label}` }, element("code", {}, text)))));
}

function repeatSection(model) {
  return element("section", { id: "repeat", "data-nav": "Repeat", "aria-labelledby": "repeat-title" },
    element("h2", { id: "repeat-title" }, "To repeat it"),
    element("p", { class: "lead" }, "The same scenario and the same build give the same bits. ",
            element("code", {}, "lagnet replay DIR"), " runs a folder again and compares."),
    model.runs.map(repeatOf),
    element("h3", {}, "This page"),
    element("pre", { tabindex: "0", "aria-label": "Command of this page" }, element("code", {}, model.command)),
    element("p", {}, `Made by lagnet ${model.lagnet_version}. Where a run has more rows than can be shown, the ` +
      "first and the last are kept, and the smallest and the largest value of every column in every span of rounds."));
}
