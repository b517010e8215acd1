// Progress against cost: any column over any other, one line a run, or one band a group of runs that differ in their
// seed.

const axisColumns = ["simulated_s", "round", "bytes", "price", "joules", "grams", "messages", "flops",
                     "flops_per_agent_max", "round_trips", "computing_s", "transfer_s"];

function defaultMeasure(model) {
  return ["relative_error", "objective"].find((name) => hasNumbers(model, name)) || "messages";
}

/** Whether all numbers of a column are above zero but those of a run's first row, and spread over a decade or more.
    Relative errors always suit: they have a floor above zero. */
function suitsLog(model, name) {
  if (errorColumns.includes(name)) return true;
  let low = Infinity, high = 0;
  for (const run of model.runs)
    for (const x of columnOf(run.progress, name) || []) {
      if (x === null) continue;
      if (x < 0) return false;
      if (x > 0) low = Math.min(low, x), high = Math.max(high, x);
    }
  return high / low >= 10;
}

/** The points [x, y] of a run that the axes can show, and how many they cannot. */
function pointsOf(run, state) {
  const xs = columnOf(run.progress, state.x), ys = columnOf(run.progress, state.y);
  const points = [];
  let left_out = 0;
  if (!xs || !ys) return { points, left_out };
  for (let k = 0; k < xs.length; ++k) {
    if (xs[k] === null || ys[k] === null) continue;
    if ((state.logX && xs[k] <= 0) || (state.logY && ys[k] <= 0)) ++left_out;
    else points.push([xs[k], ys[k]]);
  }
  return { points, left_out };
}

/** The last value at or before x: what a run has recorded by then. Null before its first and after its last, unless the
    run is done there: it keeps its last value. */
function valueAt(points, x, isDone = false) {
  if (!points.length || x < points[0][0]) return null;
  if (x > points[points.length - 1][0]) return isDone ? points[points.length - 1][1] : null;
  let low = 0, high = points.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle][0] <= x) low = middle;
    else high = middle;
  }
  return points[low][1];
}

const goals = ["relative_error", "metric"];  // among the reasons of a run's end

/** [x, smallest, median, largest] where every run of the group has a value, at every x that one of them has. A run that
    reached its goal, a tolerance or a metric, is done: it keeps its value until the last run has ended. Any other end
    is that of the band. So does lagnet compare. */
function bandOf(lines, areDone = []) {
  const xs = [...new Set(lines.flatMap((points) => points.map((point) => point[0])))].sort((a, b) => a - b);
  const band = [];
  for (const x of xs) {
    const values = lines.map((points, run) => valueAt(points, x, areDone[run]));
    if (values.includes(null)) continue;
    values.sort((a, b) => a - b);
    const half = values.length >> 1;
    const middle = values.length % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
    band.push([x, values[0], middle, values[values.length - 1]]);
  }
  return band;
}

/** A group's area from its smallest to its largest value; one polygon, drawn with the first point. */
function bandSeries(name, band, color) {
  return {
    type: "custom", name, z: 1, silent: true, clip: true, tooltip: { show: false },
    encode: { x: 0, y: [1, 2] },
    data: band.map(([x, low, , high]) => [x, low, high]),
    renderItem(params, api) {
      if (params.dataIndexInside !== 0) return null;
      const upper = band.map(([x, , , high]) => api.coord([x, high]));
      const lower = band.map(([x, low]) => api.coord([x, low])).reverse();
      return { type: "polygon", shape: { points: [...upper, ...lower] }, style: { fill: color, opacity: 0.18 } };
    },
  };
}

function lineSeries(name, points, style, look) {
  const alone = points.length < 2;
  return {
    type: "line", name, z: 2, data: points, showSymbol: alone, symbol: look.paper && !alone ? "none" : "circle",
    symbolSize: 6, lineStyle: style, itemStyle: { color: style.color }, emphasis: { focus: "none" },
  };
}

/** What theory proves of a run, drawn with dots where its measure is: the page's legend shows and hides it with the
    run. Null for print, and if nothing is known of that measure. */
function boundSeries(run, state, style, look) {
  const bound = run.bound, rounds = columnOf(run.progress, "round"), xs = columnOf(run.progress, state.x);
  if (!bound || look.paper || bound.measure !== state.y || !rounds || !xs) return null;
  const at = (t) => (bound.floor + bound.resolution +
    bound.C * bound.q ** t * (t + bound.shift) ** -bound.power) ** bound.exponent;
  const points = rounds.map((t, k) => [xs[k], t < bound.from ? null : at(t)])
    .filter(([x, y]) => x !== null && y !== null && (!state.logX || x > 0) && (!state.logY || y > 0));
  return { ...lineSeries(run.label, points, { ...style, type: [1, 3], width: 1.5 }, look), isBound: true };
}

const mostTold = 16;

/** What every line of a plot has at the place of the pointer, the smallest first. */
function progressTooltip(facets, look) {
  return {
    trigger: "axis", axisPointer: { type: "line" },
    formatter(items) {
      if (!items.length) return "";
      const facet = facets[items[0].axisIndex] || facets[0], x = items[0].axisValue;
      const told = facet.series.filter(({ type, name }) => type === "line" && !(look.hidden && look.hidden.has(name)))
        .map(({ name, data, lineStyle, isBound }) => ({
          name: isBound ? `${name}, at most` : name, y: valueAt(data, x), color: lineStyle.color }))
        .filter(({ y }) => y !== null).sort((a, b) => a.y - b.y);
      const rows = told.slice(0, mostTold).map(({ name, y, color }) =>
        `<span style="color:${color}">●</span> ${escapeHtml(name)}: <b>${formatValue(facet.y, y)}</b>`);
      if (told.length > mostTold) rows.push(`and ${told.length - mostTold} more`);
      return [`${escapeHtml(columnLabel(facet.y))} at ${formatNumber(x)}`, ...rows].join("<br>");
    },
  };
}

/** The lines of a plot with their names and what of them cannot be shown. `called` names a group and gives the number
    of its color. */
function convergenceLines(model, state, look, called = (group, index) => [group.label, index]) {
  const series = [], names = [], rows = [], bounds = [];
  let left_out = 0;
  const take = (run) => {
    const found = pointsOf(run, state);
    left_out += found.left_out;
    for (const [x, y] of found.points) rows.push([run.label, x, y]);
    return found.points;
  };
  const isShown = model.isShown || (() => true);
  if (state.bands)
    model.groups.forEach((group, place) => {
      const runs = group.runs.map((r) => model.runs[r]);
      const band = bandOf(runs.map(take), runs.map(({ stop }) => goals.includes(stop.reason)));
      const [name, index] = called(group, group.index ?? place);
      const style = lineLook(look, index);
      if (!names.includes(name)) names.push(name);
      series.push(lineSeries(name, band.map(([x, , middle]) => [x, middle]), style, look));
      if (group.runs.length > 1) series.push(bandSeries(name, band, style.color));
      else bounds.push(boundSeries({ ...runs[0], label: name }, state, style, look));
    });
  else
    model.runs.forEach((run, index) => {
      if (!isShown(index)) return;
      names.push(run.label);
      series.push(lineSeries(run.label, take(run), lineLook(look, index), look));
      bounds.push(boundSeries(run, state, lineLook(look, index), look));
    });
  const known = bounds.filter((one) => one);
  series.push(...known);
  return { series, names, rows, left_out, isBounded: known.length > 0 };
}

/** "ring ends at 0.3": the first lines of a plot with where they end. */
function endsTold(state, series) {
  return series.filter((s) => s.type === "line" && !s.isBound && s.data.length).slice(0, 6)
    .map((s) => `${s.name} ends at ${formatValue(state.y, s.data[s.data.length - 1][1])}`);
}

/** The line of a plot that ends lowest. */
function lowestTold(facet) {
  const lines = facet.series.filter((s) => s.type === "line" && !s.isBound && s.data.length);
  const title = facet.title ? `${facet.title}: ` : "";
  if (!lines.length) return `${title}nothing`;
  const lowest = lines.reduce((a, b) => (b.data.at(-1)[1] < a.data.at(-1)[1] ? b : a));
  return `${title}${lowest.name} ends lowest, at ${formatValue(facet.y, lowest.data.at(-1)[1])}`;
}

/** " Thinned out: 146 of 1,672 rows.": how much of the longest run is drawn. */
function thinnedTold(model) {
  const longest = model.runs.reduce((a, b) => (b.rows > a.rows ? b : a));
  return longest.progress.rows < longest.rows
    ? ` Thinned out: ${formatNumber(longest.progress.rows)} of ${formatNumber(longest.rows)} rows.` : "";
}

function convergenceSummary(model, state, lines) {
  const what = `${columnLabel(state.y)} against ${columnLabel(state.x).toLowerCase()}`;
  const ends = lines.ends || endsTold(state, lines.series);
  const seeds = [...new Set(model.groups.map((group) => group.runs.length))].sort((a, b) => a - b);
  const over = seeds.length > 1 ? `${seeds[0]} to ${seeds.at(-1)}` : seeds[0];
  const bands = state.bands && seeds.at(-1) > 1
    ? ` Lines are medians over ${over} seeds, bands reach from the smallest to the largest value.` : "";
  const floored = errorColumns.includes(state.y)
    ? model.runs.filter((run) => (columnOf(run.progress, state.y) || []).some((x) => isAtFloor(run, x))) : [];
  const floor = floored.length
    ? ` ${counted(floored.length, "run")} got to or below the accuracy of the optimum's certificate, drawn at ` +
      `${formatPower(Math.max(...floored.map((run) => run.smallest_error)), 2)}.` : "";
  const gone = lines.left_out
    ? ` ${counted(lines.left_out, "value")} not above zero cannot be shown on a logarithmic axis.` : "";
  const told = `${what} of ${counted(model.runs.length, "run")}. ${ends.join("; ")}.`;
  const proven = lines.isBounded ? " Dotted: what theory proves at most." : "";
  return told + bands + proven + floor + gone + thinnedTold(model);
}

/** Which of the plots are over simulated time, for the cursor of the playback. */
function timeAxesOf(plots) {
  return [...plots.keys()].filter((k) => plots[k].x === "simulated_s");
}

/** What a figure of these lines is made of. */
function convergenceBuilt(model, state, look, lines) {
  const option = {
    ...baseOption(look, lines.names, { lines: true }),
    xAxis: numberAxis(look, { name: axisLabel(look, state.x), log: state.logX, more: { scale: state.logX } }),
    yAxis: numberAxis(look, { name: axisLabel(look, state.y), log: state.logY, vertical: true }),
    series: lines.series,
  };
  Object.assign(option.tooltip, progressTooltip([{ ...state, series: lines.series }], look));
  return {
    option, names: lines.names, timeAxes: timeAxesOf([state]),
    summary: convergenceSummary(model, state, lines),
    table: { head: ["run", state.x, state.y], rows: lines.rows },
  };
}

const readableLines = 8;

/** The keys that separate many series: one by plots, another one by colors. */
function splitKeys(model) {
  return sweptKeys(model).filter(({ pointer, values }) => pointer !== "/seed" && values.length <= 12);
}

/** By which key there are plots, and by which key colors, where one plot cannot show all. */
function defaultSplit(model) {
  const keys = splitKeys(model);
  if (model.groups.length <= readableLines || !keys.length) return { split: "", color: "" };
  const sizes = [...keys].sort((a, b) => b.values.length - a.values.length);
  const color = sizes.find(({ values }) => values.length <= 7 && values.length > 1) || sizes[0];
  const split = sizes.find((key) => key !== color);
  return { split: split ? split.pointer : "", color: color.pointer };
}

/** A plot for each value of a key. */
function splitBuilt(model, state, look) {
  const keys = sweptKeys(model), split = keys.find(({ pointer }) => pointer === state.split);
  const color = keys.find(({ pointer }) => pointer === state.color);
  const valueOf = (key, group) => key.of[group.runs[0]];
  const told = (key, value) => (key.name === "label" ? toldValue(value) : `${key.name} ${toldValue(value)}`);
  const called = (group, index) =>
    (color ? [told(color, valueOf(color, group)), color.values.indexOf(valueOf(color, group))]
      : [group.label, index]);
  const parts = split ? split.values.map((value) => ({
    title: told(split, value), groups: model.groups.filter((group) => valueOf(split, group) === value),
  })).filter(({ groups }) => groups.length) : [{ title: "", groups: model.groups }];
  const facets = parts.map(({ title, groups }) =>
    ({ title, ...state, ...convergenceLines({ ...model, groups }, { ...state, bands: true }, look, called) }));
  return facetsBuilt(model, state, look, facets);
}

/** What a figure of several plots is made of. */
function facetsBuilt(model, state, look, facets) {
  const names = [...new Set(facets.flatMap((facet) => facet.names))];
  const { option, height } = facetOption(facets, names, look);
  const all = { ends: facets.slice(0, 6).map(lowestTold), isBounded: facets.some((facet) => facet.isBounded),
                left_out: facets.reduce((sum, facet) => sum + facet.left_out, 0) };
  const { x, y } = facets[0];
  return {
    option, names, height, exactHeight: true, timeAxes: timeAxesOf(facets),
    summary: `${counted(facets.length, "panel")}. ` + convergenceSummary(model, { bands: true, ...state, x, y }, all),
    table: { head: ["panel", "run", x, y],
             rows: facets.flatMap((facet) => facet.rows.map((row) => [facet.title, ...row])) },
  };
}

const convergence = {
  name: "convergence",
  title: "Convergence",
  nav: "Convergence",
  lead: "How far the optimization has come, against what it cost.",
  controls(model) {
    const all = progressColumns(model).filter((name) => hasNumbers(model, name));
    const options = (names) => names.map((name) => [name, columnLabel(name)]);
    const measure = defaultMeasure(model);
    const hasSeeds = model.groups.some((group) => group.runs.length > 1);
    const split = defaultSplit(model), keys = splitKeys(model).map(({ pointer, name }) => [pointer, name]);
    const isSplit = model.groups.length > 3 && keys.length > 0;
    return [
      { key: "y", label: "Vertical axis", kind: "select", value: measure,
        options: options([measure, ...all.filter((name) => ![measure, "round", "simulated_s"].includes(name))]) },
      { key: "logY", label: "logarithmic", kind: "check", value: suitsLog(model, measure) },
      { key: "x", label: "Horizontal axis", kind: "select", value: "simulated_s",
        options: options(axisColumns.filter((name) => all.includes(name))) },
      { key: "logX", label: "logarithmic", kind: "check", value: false },
      ...(hasSeeds ? [{ key: "bands", label: "bands over seeds", kind: "check", value: true }] : []),
      ...(isSplit ? [
        { key: "split", label: "A plot for each", kind: "select", value: split.split, options: [["", "–"], ...keys] },
        { key: "color", label: "Colors by", kind: "select", value: split.color, options: [["", "series"], ...keys] },
      ] : []),
    ];
  },
  build(model, state, look) {
    if (state.split || state.color) return splitBuilt(model, state, look);
    return { ...convergenceBuilt(model, state, look, convergenceLines(model, state, look)), height: 460 };
  },
};
