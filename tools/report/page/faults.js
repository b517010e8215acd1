// What went wrong, and what agents did about it: counts from the start of the run, over time.

const faultColumns = ["dropped", "late", "lost", "retransmitted", "superseded", "duplicates", "stale"];

const faults = {
  name: "faults",
  ofOneRun: true,
  title: "Losses",
  nav: "Losses",
  lead: "Messages that did not come, or not in time, counted from the start of the run.",
  controls: (model) => [
    ...runControl(model),
    { key: "x", label: "Horizontal axis", kind: "select", value: "simulated_s",
      options: ["simulated_s", "round"].map((name) => [name, columnLabel(name)]) },
  ],
  build(model, state, look) {
    const run = chosenRun(model, state);
    const found = faultColumns.filter((name) => hasColumnOtherThanZero(run.progress, name));
    if (!found.length)
      return { empty: `${run.label}: no message was lost, late, superseded, copied or sent again; no one dropped.` };
    const xs = columnOf(run.progress, state.x), names = found.map(columnLabel);
    const option = {
      ...baseOption(look, names, { lines: true }),
      xAxis: numberAxis(look, { name: columnLabel(state.x), more: { scale: false } }),
      yAxis: numberAxis(look, { name: "Count since the start", vertical: true, more: { scale: false } }),
      series: found.map((name, index) => ({
        ...lineSeries(columnLabel(name), columnOf(run.progress, name).map((y, k) => [xs[k], y]),
                      { ...lineLook(look, index), type: dashes[index % dashes.length] }, look),
        step: "end",
      })),
    };
    Object.assign(option.tooltip, { trigger: "axis", valueFormatter: formatNumber });
    return {
      option, names, height: 360,
      summary: `${run.label}: ` + listed(found.map((name) => `${columnLabel(name).toLowerCase()} ` +
        formatNumber(columnOf(run.progress, name).at(-1)))) + " at the end.",
      table: { head: [state.x, ...found], rows: rowsOf([xs, ...found.map((name) => columnOf(run.progress, name))]) },
    };
  },
};
