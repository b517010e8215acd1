// Progress against cost: any column over any other, one line a run, or one band a group of runs that differ in their
// seed.

const axisColumns = ["simulated_s", "round", "bytes", "messages", "flops", "flops_per_agent_max", "round_trips",
                     "computing_s", "transfer_s"];

function defaultMeasure(model) {
  return ["relative_error", "objective"].find((name) => hasNumbers(model, name)) || "messages";
}

/** Whether all numbers of a column are above zero but those of a run's first row, and spread over a decade or more. */
function suitsLog(model, name) {
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

/** The value between two points, along a straight line as the axis shows it; null outside. */
function valueAt(points, x, log) {
  if (!points.length || x < points[0][0] || x > points[points.length - 1][0]) return null;
  let low = 0, high = points.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle][0] <= x) low = middle;
    else high = middle;
  }
  const [x0, y0] = points[low], [x1, y1] = points[high];
  if (x >= x1) return y1;
  if (x <= x0) return y0;
  const share = (x - x0) / (x1 - x0);
  return log ? y0 * (y1 / y0) ** share : y0 + (y1 - y0) * share;
}

/** [x, smallest, median, largest] where every run of the group has a value, at every x that one of them has. */
function bandOf(lines, log) {
  const xs = [...new Set(lines.flatMap((points) => points.map((point) => point[0])))].sort((a, b) => a - b);
  const band = [];
  for (const x of xs) {
    const values = lines.map((points) => valueAt(points, x, log));
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

function convergenceTooltip(state) {
  return {
    trigger: "axis", axisPointer: { type: "line" },
    formatter(items) {
      const rows = items.filter((item) => item.seriesType === "line").slice(0, 14).map((item) =>
        `${item.marker} ${escapeHtml(item.seriesName)}: <b>${formatNumber(item.value[1])}</b> ` +
        `at ${formatNumber(item.value[0])}`);
      return rows.length ? `${escapeHtml(columnLabel(state.y))}<br>${rows.join("<br>")}` : "";
    },
  };
}

/** The lines of a figure with their names and what of them cannot be shown. */
function convergenceLines(model, state, look) {
  const series = [], names = [], rows = [];
  let left_out = 0;
  const take = (run) => {
    const found = pointsOf(run, state);
    left_out += found.left_out;
    for (const [x, y] of found.points) rows.push([run.label, x, y]);
    return found.points;
  };
  if (state.bands)
    model.groups.forEach((group, index) => {
      const band = bandOf(group.runs.map((r) => take(model.runs[r])), state.logY);
      const style = lineLook(look, index);
      names.push(group.label);
      series.push(lineSeries(group.label, band.map(([x, , middle]) => [x, middle]), style, look));
      if (group.runs.length > 1) series.push(bandSeries(group.label, band, style.color));
    });
  else
    model.runs.forEach((run, index) => {
      names.push(run.label);
      series.push(lineSeries(run.label, take(run), lineLook(look, index), look));
    });
  return { series, names, rows, left_out };
}

function convergenceSummary(model, state, lines) {
  const what = `${columnLabel(state.y)} against ${columnLabel(state.x).toLowerCase()}`;
  const ends = lines.series.filter((s) => s.type === "line" && s.data.length).slice(0, 6)
    .map((s) => `${s.name} ends at ${formatNumber(s.data[s.data.length - 1][1])}`);
  const bands = state.bands
    ? " Lines are medians over the seeds, bands reach from the smallest to the largest value." : "";
  const gone = lines.left_out
    ? ` ${counted(lines.left_out, "value")} not above zero cannot be shown on a logarithmic axis.` : "";
  return `${what} of ${counted(model.runs.length, "run")}. ${ends.join("; ")}.${bands}${gone}`;
}

/** What a figure of these lines is made of. */
function convergenceBuilt(model, state, look, lines) {
  const option = {
    ...baseOption(look, lines.names, { lines: true }),
    xAxis: numberAxis(look, { name: axisLabel(look, state.x), log: state.logX, more: { scale: state.logX } }),
    yAxis: numberAxis(look, { name: axisLabel(look, state.y), log: state.logY, vertical: true }),
    series: lines.series,
  };
  Object.assign(option.tooltip, convergenceTooltip(state));
  return {
    option, names: lines.names,
    summary: convergenceSummary(model, state, lines),
    table: { head: ["run", state.x, state.y], rows: lines.rows },
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
    return [
      { key: "y", label: "Vertical axis", kind: "select", value: measure,
        options: options([measure, ...all.filter((name) => ![measure, "round", "simulated_s"].includes(name))]) },
      { key: "logY", label: "logarithmic", kind: "check", value: suitsLog(model, measure) },
      { key: "x", label: "Horizontal axis", kind: "select", value: "simulated_s",
        options: options(axisColumns.filter((name) => all.includes(name))) },
      { key: "logX", label: "logarithmic", kind: "check", value: false },
      ...(hasSeeds ? [{ key: "bands", label: "bands over seeds", kind: "check", value: true }] : []),
    ];
  },
  build(model, state, look) {
    return { ...convergenceBuilt(model, state, look, convergenceLines(model, state, look)), height: 460 };
  },
};
