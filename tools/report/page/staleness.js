// How old what updates used was: answers of clients, or values of neighbors, of runs without rounds.

/** What all uses come to: how many they are, and their ages in the mean, in the median and at most, in updates. */
function stalenessFacts(staleness) {
  const uses = staleness.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  const [median] = staleness.find(([, count]) => (before += count) >= uses / 2);
  return { uses, mean: staleness.reduce((sum, [age, count]) => sum + age * count, 0) / uses, median,
           largest: staleness.at(-1)[0] };
}

/** Spans of ages from the least on, all of one width, at most a given number of them: [{from, to, count}]. */
function stalenessSpans(staleness, most) {
  const least = Math.min(0, staleness[0][0]), width = Math.ceil((staleness.at(-1)[0] - least + 1) / most);
  const place = (age) => Math.floor((age - least) / width);
  const spans = Array.from({ length: place(staleness.at(-1)[0]) + 1 },
                           (_, k) => ({ from: least + k * width, to: least + (k + 1) * width - 1, count: 0 }));
  for (const [age, count] of staleness) spans[place(age)].count += count;
  return spans;
}

const staleness = {
  name: "staleness",
  ofOneRun: true,
  suits: (model) => model.runs.some((run) => run.staleness),
  title: "Staleness",
  nav: "Staleness",
  lead: "How old, in updates, what updates used was: answers of clients, or values of neighbors.",
  controls: (model) => [
    ...runControl(model),
    { key: "share", label: "as shares", kind: "check", value: false },
    { key: "logY", label: "logarithmic", kind: "check", value: false },
  ],
  build(model, state, look) {
    const run = chosenRun(model, state);
    if (!run.staleness)
      return { empty: `${run.label}: its updates are those of rounds, and use nothing that is older.` };
    const { uses, mean, median, largest } = stalenessFacts(run.staleness);
    const spans = stalenessSpans(run.staleness, look.paper || look.narrow ? 24 : 60);
    const value = (count) => (state.share ? 100 * count / uses : count);
    const ticks = spans.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`));
    const unit = state.share ? "Share of all uses (%)" : "Uses";
    const option = {
      ...baseOption(look, [unit]),
      xAxis: {
        ...numberAxis(look, { name: "Updates old" }), type: "category", data: ticks, splitLine: { show: false },
        axisLabel: textStyle(look, { color: look.faint, hideOverlap: true }),
      },
      yAxis: numberAxis(look, { name: unit, log: state.logY, vertical: true, more: { scale: false } }),
      series: [{
        type: "bar", name: unit, barCategoryGap: "8%", itemStyle: { color: look.series[0] },
        data: spans.map(({ count }) => (state.logY && count === 0 ? null : value(count))),
      }],
    };
    Object.assign(option.tooltip, { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: formatNumber });
    return {
      option, names: [unit], height: 320,
      summary: `${run.label}: ${formatNumber(uses)} uses of what was ${formatNumber(mean, 3)} updates old in the ` +
        `mean, ${formatNumber(median)} in the median and ${formatNumber(largest)} at most.`,
      table: { head: ["staleness", "count"], rows: run.staleness },
    };
  },
};
