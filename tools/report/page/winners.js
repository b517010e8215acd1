// Maps of the scenario: who is first to a level, in each cell of two keys of a sweep.

/** Where a run gets to `map.to` in `map.y` and stays at it or below, in `map.x`; infinite where it never does. */
function arrival(run, map) {
  const xs = columnOf(run.progress, map.x) || [], ys = columnOf(run.progress, map.y) || [];
  const above = ys.findLastIndex((y) => y !== null && y > map.to);
  const row = ys.findIndex((y, at) => at > above && y !== null);
  return row < 0 || xs[row] === null || xs[row] === undefined ? Infinity : xs[row];
}

/** Half of the numbers are at most this; the mean of the two in the middle of an even count. */
function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** [column, row, contestants from the first to the last, who is first], contestants {label, number, cost}. */
function winnersOf(model, map) {
  const names = [...new Set(map.curves.map((curve) => curve.label))];
  const cells = new Map();
  for (const { label, column, row, runs } of map.curves) {
    const key = `${column} ${row}`;
    if (!cells.has(key)) cells.set(key, [column, row, []]);
    const cost = median(runs.map((run) => arrival(model.runs[run], map)));
    cells.get(key)[2].push({ label, number: names.indexOf(label), cost });
  }
  for (const cell of cells.values()) {
    cell[2].sort((a, b) => a.cost - b.cost || a.number - b.number);
    cell.push(firstOf(cell[2].map(({ label, cost }) => [label, cost])));
  }
  return [...cells.values()];
}

/** "#0060a8" at a third of its strength, so that ink on it is read. */
function tinted(color) {
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
  return `rgba(${red},${green},${blue},0.34)`;
}

/** "relative error 0.01": what is to be reached. */
function goalOf(map) {
  return `${columnLabel(map.y).split(" (")[0].toLowerCase()} ${formatNumber(map.to, 2)}`;
}

function winnersBuilt(model, map, look) {
  const cells = winnersOf(model, map);
  if (!cells.length) return { empty: "No run here belongs to the map." };
  const told = (cost) => (Number.isFinite(cost) ? formatValue(map.x, cost, 3) : "never");
  const lead = ([first, next]) => (next && first.cost > 0 ? `${formatNumber(next.cost / first.cost, 3)} times` : "");
  const count = new Set(map.curves.map((curve) => curve.label)).size;
  const option = {
    ...baseOption(look, []),
    visualMap: { show: false, type: "piecewise", dimension: 2, seriesIndex: 0,
                 categories: [...Array(count).keys()],
                 inRange: { color: [...Array(count).keys()].map((index) => tinted(lineLook(look, index).color)) } },
    series: [{
      type: "heatmap",
      data: cells.map(([column, row, all, first]) => ({
        value: [column, row, first.length === 1 ? all[0].number : "-"], all, first })),  // who ties has no color
      label: { show: true, color: look.ink, fontSize: look.type - 1.5, fontFamily: look.family,
               lineHeight: look.type + 2,
               formatter: ({ data: { all, first } }) => (first.length
                 ? `${shortened(first.join(" = "), letters)}\n${told(all[0].cost)}` : "never") },
      itemStyle: { borderColor: look.gap, borderWidth: 1 },
      emphasis: { itemStyle: { borderColor: look.ink, borderWidth: 1 } },
    }],
  };
  const named = ({ pointer, values }) => ({ name: keyName(pointer), values: values.map(toldValue) });
  const { cell, higher } = setCategoryAxes(option, look, named(map.across), named(map.down));
  const letters = Math.max(2, Math.min(18, Math.floor(cell / textWidth("0", look.type - 1.5))));
  option.tooltip.formatter = ({ data: { all } }) =>
    all.map(({ label, cost }) => `${escapeHtml(label)}: <b>${told(cost)}</b>`).join("<br>");
  const [across, down] = [map.across, map.down].map((key) => keyName(key.pointer));
  const nameOf = (first) => listed(shortList(first, 3)) || "nobody", wins = new Map();
  for (const [, , , first] of cells) {
    const name = nameOf(first);
    wins.set(name, (wins.get(name) || 0) + 1);
  }
  return {
    option, names: [], height: 90 + higher + Math.max(3, map.down.values.length) * 44, exactHeight: true,
    summary: `First to ${goalOf(map)} over ${across} and ` +
      `${down}: ${listed([...wins].map(([name, cells]) => `${name} in ${counted(cells, "cell")}`))}.`,
    table: { head: [across, down, "first", map.x, "ahead of the next"],
             rows: cells.map(([column, row, all, first]) => [map.across.values[column], map.down.values[row],
               nameOf(first), first.length ? all[0].cost : null, lead(all)]) },
  };
}

function mapFigures(model) {
  return model.maps.map((map, index) => ({
    name: `panel-${model.panels.length + index + 1}`, title: map.title || `Map ${index + 1}`, nav: "Map", small: false,
    lead: `Who is first to ${goalOf(map)}, and its ${columnLabel(map.x).toLowerCase()}.`,
    controls: () => [],
    build: (shown, state, look) => winnersBuilt(shown, shown.maps[index], look),
  }));
}
