// A map of winners over two of the sliders: who is first to the level in each cell, and by what factor.

const mapCells = 40, labelEvery = 3;
/** The factor that the next one needs, from which on a cell is this strong. */
const mapShades = [[2, 0.95], [1.5, 0.7], [1.1, 0.48], [0, 0.26]];

/** The values of a slider for a map. */
function mapValues({ low, high }, count) {
  return Array.from({ length: count }, (_, k) => Number((low * (high / low) ** (k / (count - 1))).toPrecision(3)));
}

/** One row of a map, in the worker: of each cell the groups from the first to the last with their seconds. */
function mapRow({ what_if, scenarios, groups }, { across, down, row, changes, level }) {
  return across.values.map((value) => {
    const times = allTimes(what_if, scenarios, { ...changes, [across.key]: value, [down.key]: down.values[row] });
    return costsInTime({ what_if, groups }, times, level).map(({ place, cost }) => [place, cost]);
  });
}

function strengthOf([first, next]) {
  const ratio = next && first[1] > 0 ? next[1] / first[1] : Infinity;
  return mapShades.find(([from]) => ratio >= from)[1];
}

/** "#0060a8" at a strength. */
function shadedColor(color, strength) {
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
  return `rgba(${red},${green},${blue},${strength})`;
}

/** The cells of one winner, with lines where another one begins. */
function winnerSeries(map, place, name, look) {
  const { color } = lineLook(look, place), winner = (column, row) => {
    const cell = (map.rows[row] || [])[column];
    return cell && cell.length && Number.isFinite(cell[0][1]) ? cell[0][0] : -1;
  };
  const data = [];
  map.rows.forEach((cells, row) => cells.forEach((all, column) => {
    if (winner(column, row) === place) data.push({ value: [column, row], all });
  }));
  return {
    type: "custom", name, data, itemStyle: { color }, encode: { x: 0, y: 1 },
    renderItem(params, api) {
      const [column, row] = [api.value(0), api.value(1)];
      const [x, y] = api.coord([column, row]), [width, height] = api.size([1, 1]);
      const [left, top] = [x - width / 2, y - height / 2];
      const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 },
                                          style: { stroke: look.ink, lineWidth: look.paper ? 1 : 1.5 } });
      const isEdge = (dx, dy) => map.rows[row + dy] && map.rows[row + dy][column + dx] &&
        winner(column + dx, row + dy) !== place;
      return { type: "group", children: [
        { type: "rect", shape: { x: left, y: top, width: width + 0.4, height: height + 0.4 },
          style: { fill: shadedColor(color, strengthOf(map.rows[row][column])) } },
        ...(isEdge(1, 0) ? [line(left + width, top, left + width, top + height)] : []),
        ...(isEdge(0, 1) ? [line(left, top, left + width, top)] : []),
      ] };
    },
  };
}

/** [["lattice", 900], ..]: in how many cells each one is first, or some tie, the most first. */
function winsTold(map, names) {
  const wins = new Map();
  for (const all of map.rows.flat()) {
    const name = firstTold(all.map(([place, cost]) => [names.get(place), cost]));
    wins.set(name, (wins.get(name) || 0) + 1);
  }
  return [...wins].sort((a, b) => b[1] - a[1]);
}

function whatIfMapBuilt(model, map, look) {
  const names = new Map(model.groups.map((group, place) => [group.index ?? place, group.label]));
  const wins = winsTold(map, names), isDrawn = (all) => all.length > 0 && Number.isFinite(all[0][1]);
  const winners = [...new Set(map.rows.flat().filter(isDrawn).map(([[place]]) => names.get(place)))];
  const placeOf = (name) => [...names].find(([, label]) => label === name)[0];
  const axis = ({ label, values }, vertical) => ({
    ...numberAxis(look, { name: label, vertical }), type: "category", data: values.map((value) => formatTick(value)),
    splitLine: { show: false },
    axisLabel: textStyle(look, { color: look.faint, hideOverlap: true, interval: (index) => index % labelEvery === 0 }),
    axisTick: { show: true, interval: (index) => index % labelEvery === 0, lineStyle: { color: look.faint } },
  });
  const told = (all) => all.map(([place, cost]) => `${escapeHtml(names.get(place))}: ` +
    `<b>${Number.isFinite(cost) ? `${formatNumber(cost)} s` : "never"}</b>`).join("<br>");
  const option = {
    ...baseOption(look, winners), xAxis: axis(map.across, false), yAxis: axis(map.down, true),
    series: winners.map((name) => winnerSeries(map, placeOf(name), name, look)),
  };
  option.tooltip.formatter = ({ data }) => `${map.across.label} ${formatNumber(map.across.values[data.value[0]])}, ` +
    `${map.down.label} ${formatNumber(map.down.values[data.value[1]])}<br>${told(data.all)}`;
  const rows = map.rows.flatMap((cells, row) => cells.map((all, column) => {
    const [first, next] = all, isReached = first && Number.isFinite(first[1]);
    return [map.across.values[column], map.down.values[row],
            firstTold(all.map(([place, cost]) => [names.get(place), cost])),
            isReached ? first[1] : null, isReached && next && first[1] > 0 && Number.isFinite(next[1])
              ? next[1] / first[1] : null];
  }));
  return {
    option, names: winners, height: 480, square: true,
    summary: `First to ${formatPower(Number(map.level), 2)}, of ${map.rows.length} × ${map.rows[0].length} cells ` +
      `${listed(wins.map(([name, count]) => `${name} in ${formatNumber(count)}`))}. ` +
      "The stronger the color, the farther the next one is behind: below 1.1, 1.5, 2 times as long, and more.",
    table: { head: [map.across.label, map.down.label, "first", "simulated_s", "next / first"], rows },
  };
}

/** All rows of a map at once, where nothing else waits: outside a page. */
function wholeMap(model, state) {
  const axis = (wanted) => {
    const slider = sliders.find(({ key }) => key === wanted);
    return { ...slider, values: mapValues(slider, mapCells) };
  };
  const scenarios = model.runs.map((run) => run.scenario || patched(model.runs[0].scenario, run.scenario_patch));
  const map = { across: axis(state.across), down: axis(state.down), level: state.to };
  const known = { what_if: model.what_if, scenarios, groups: model.groups };
  return { ...map, rows: map.down.values.map((_, row) => mapRow(known, { ...map, row, changes: {} })) };
}

function hasWhatIfMap(model) {
  return Boolean(model.what_if) && model.what_if.runs.some((run) => !run.why_not) && model.groups.length > 1 &&
    verdictLevels(model).length > 0;
}

/** In a page a worker makes the map, and the figure draws what is there. */
const whatIfMap = {
  name: "what-if-map", title: "Map of winners", nav: "Map of winners", small: true, map: null,
  lead: "Who is first to the level over two of the sliders; the other ones stay where they are.",
  controls: (model) => [
    { key: "across", label: "Columns", kind: "select", value: sliders[0].key,
      options: sliders.map(({ key, label }) => [key, label]) },
    { key: "down", label: "Rows", kind: "select", value: sliders[1].key,
      options: sliders.map(({ key, label }) => [key, label]) },
    levelControl(model),
  ],
  build(model, state, look) {
    if (!hasWhatIfMap(model)) return { empty: "A map needs several series whose times follow from a round." };
    if (state.across === state.down) return { empty: "A map needs two sliders." };
    const map = typeof document === "undefined" ? wholeMap(model, state) : this.map;
    return map ? whatIfMapBuilt(model, map, look) : { empty: "The map is drawn when you ask for it." };
  },
};
