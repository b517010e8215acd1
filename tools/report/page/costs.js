// What the rounds cost: agents compute, encrypt or idle, while their messages queue or travel. Time of agents and time
// of messages pass at once, so that they stand beside each other and are not added.

const costParts = [
  { name: "computing_s", label: "agents: computing", stack: "agents", color: "compute" },
  { name: "encrypting_s", label: "agents: encrypting", stack: "agents", color: "encrypt" },
  { name: "idle_s", label: "agents: idle", stack: "agents", color: "wait" },
  { name: "queueing_s", label: "messages: queueing", stack: "messages", color: "sleep" },
  { name: "transfer_s", label: "messages: transfer", stack: "messages", color: "transfer" },
];

/** Rows that divide a run into at most `count` spans of about as many rounds; the first and the last among them. */
function spanEnds(rounds, count) {
  const ends = [0], last = rounds.length - 1;
  for (let span = 1; span <= count; ++span) {
    const wanted = rounds[0] + (rounds[last] - rounds[0]) * span / count;
    let k = ends[ends.length - 1];
    while (k < last && rounds[k] < wanted) ++k;
    if (k > ends[ends.length - 1]) ends.push(k);
  }
  return ends;
}

function costSpans(run, share, count) {
  const rounds = columnOf(run.progress, "round");
  const ends = spanEnds(rounds, count);
  const spans = ends.slice(1).map((end, k) => ({ from: rounds[ends[k]], to: rounds[end] }));
  const parts = costParts.map((part) => {
    const sums = columnOf(run.progress, part.name);
    return sums ? ends.slice(1).map((end, k) => (sums[end] - sums[ends[k]]) / (rounds[end] - rounds[ends[k]])) : null;
  });
  if (share)
    for (const stack of ["agents", "messages"]) {
      const members = parts.filter((values, p) => values && costParts[p].stack === stack);
      spans.forEach((_, k) => {
        const sum = members.reduce((total, values) => total + values[k], 0);
        for (const values of members) values[k] = sum > 0 ? 100 * values[k] / sum : 0;
      });
    }
  return { spans, parts };
}

const costs = {
  name: "costs",
  ofOneRun: true,
  title: "Cost of a round",
  nav: "Costs",
  lead: "Where the simulated time of agents and of messages goes, per round.",
  controls: (model) => [
    ...runControl(model),
    { key: "share", label: "as shares", kind: "check", value: false },
  ],
  build(model, state, look) {
    const run = chosenRun(model, state);
    if (run.progress.rows < 2) return { empty: "The run has no recorded round but its start." };
    const { spans, parts } = costSpans(run, state.share, look.paper || look.narrow ? 12 : 25);
    const kept = costParts.map((part, p) => ({ ...part, values: parts[p] }))
      .filter((part) => part.values && part.values.some((x) => x !== 0));
    const names = kept.map((part) => part.label);
    const unit = state.share ? "Share (%)" : "Seconds per round, all together";
    const ticks = spans.map(({ from, to }) => (to - from === 1 ? String(to) : `${from + 1}–${to}`));
    const option = {
      ...baseOption(look, names),
      xAxis: {
        ...numberAxis(look, { name: "Rounds" }), type: "category", data: ticks, splitLine: { show: false },
        axisLabel: textStyle(look, { color: look.faint, hideOverlap: true }),
      },
      yAxis: numberAxis(look, { name: unit, vertical: true, more: { scale: false, max: state.share ? 100 : null } }),
      series: kept.map((part) => ({
        type: "bar", name: part.label, stack: part.stack, data: part.values, barGap: "8%", barCategoryGap: "24%",
        itemStyle: { color: look.activity[part.color], borderColor: look.gap, borderWidth: 0.5 },
      })),
    };
    Object.assign(option.tooltip, { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: formatNumber });
    const total = (name) => formatNumber(run.totals[name]);
    return {
      option, names, height: 320,
      summary: `${run.label}: ${total("computing_s")} s computing, ${total("encrypting_s")} s encrypting and ` +
        `${total("idle_s")} s idle over all agents; messages queued for ${total("queueing_s")} s and travelled for ` +
        `${total("transfer_s")} s, all together.`,
      table: { head: ["rounds", ...names], rows: rowsOf([ticks, ...kept.map((part) => part.values)]) },
    };
  },
};
