// What a level costs over two keys of a sweep: a cell for each pair of values.

function heatKeys(model) {
  return sweptKeys(model).filter(({ pointer, values }) => pointer !== "/seed" && values.length > 1 &&
    values.length <= 40);
}

/** The cheapest series of each pair of values: [column, row, cost or null, series]. */
function heatCells(model, state, across, down) {
  const costs = new Map(costsOf(model, state.to, "simulated_s").map((cost) => [cost.series, cost.median]));
  const cells = new Map();
  for (const group of model.groups) {
    const [run] = group.runs, cost = costs.get(group.label) ?? null;
    const column = across.values.indexOf(across.of[run]), row = down.values.indexOf(down.of[run]);
    const key = `${column} ${row}`, before = cells.get(key);
    if (!before || (cost !== null && (before[2] === null || cost < before[2])))
      cells.set(key, [column, row, cost, group.label]);
  }
  return [...cells.values()];
}

const heat = {
  name: "heat",
  title: "Map of the time to a level",
  nav: "Map",
  lead: "Simulated time in s until the level is reached, by the fastest series of each cell.",
  controls(model) {
    const keys = heatKeys(model), options = keys.map(({ pointer, name }) => [pointer, name]);
    const [first, second] = [...keys].sort((a, b) => b.values.length - a.values.length);
    return [
      levelControl(model),
      { key: "across", label: "Columns", kind: "select", options, value: first ? first.pointer : "" },
      { key: "down", label: "Rows", kind: "select", options, value: second ? second.pointer : "" },
    ];
  },
  build(model, state, look) {
    const keys = heatKeys(model);
    const [across, down] = [state.across, state.down].map((name) => keys.find(({ pointer }) => pointer === name));
    if (!across || !down || across === down) return { empty: "A map needs two keys that differ between the runs." };
    const cells = heatCells(model, state, across, down), reached = cells.filter((cell) => cell[2] > 0);
    if (!reached.length) return { empty: `No series gets to ${formatPower(Number(state.to), 2)}.` };
    const logs = reached.map((cell) => Math.log10(cell[2]));
    const low = Math.min(...logs), high = Math.max(...logs);
    const isDark = (value) => (value - low > 0.55 * (high - low)) !== look.dark;
    const shade = (value) => (isDark(value) ? "#ffffff" : "#1d1d1b");
    const option = {
      ...baseOption(look, []),
      visualMap: { show: false, type: "continuous", dimension: 2, seriesIndex: 0, min: low,
                   max: high > low ? high : low + 1, inRange: { color: look.sequential } },
      series: [{
        type: "heatmap", data: cells.map(([x, y, cost, series]) => ({
          value: [x, y, cost > 0 ? Math.log10(cost) : "-"], cost, series,
        })),
        label: { show: true, fontSize: look.type - 1.5, fontFamily: look.family,
                 formatter: ({ data }) => (data.cost === null ? "" : formatNumber(data.cost, 3)) },
        itemStyle: { borderColor: look.gap, borderWidth: 1 },
        emphasis: { itemStyle: { borderColor: look.ink, borderWidth: 1 } },
      }],
    };
    for (const datum of option.series[0].data)
      datum.label = { color: shade(datum.value[2]) };
    const told = ({ name, values }) => ({ name, values: values.map(toldValue) });
    const { cell, higher } = setCategoryAxes(option, look, told(across), told(down));
    option.series[0].label.show = cell > textWidth("0.123", look.type - 1.5);
    option.tooltip.formatter = ({ data }) => `${escapeHtml(data.series)}: <b>` +
      `${data.cost === null ? "never" : `${formatNumber(data.cost)} s`}</b>`;
    const sorted = [...reached].sort((a, b) => a[2] - b[2]), [best] = sorted;
    const never = cells.length - reached.length;
    return {
      option, names: [], height: 90 + higher + Math.max(3, down.values.length) * 34, exactHeight: true,
      summary: `Simulated time (s) to ${formatPower(Number(state.to), 2)} over ${across.name} and ${down.name}: ` +
        `least with ${firstTold(sorted.map((cell) => [cell[3], cell[2]]))}, ${formatNumber(best[2], 3)} s.` +
        (never ? ` In ${counted(never, "empty cell")} no run gets there.` : ""),
      table: { head: [across.name, down.name, "simulated_s", "series"],
               rows: cells.map(([x, y, cost, series]) => [across.values[x], down.values[y], cost, series]) },
    };
  },
};
