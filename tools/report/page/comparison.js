// What came out: the cost of each level of accuracy, as `lagnet compare` has it.

const currencies = ["simulated_s", "bytes", "price", "round", "messages", "flops"];
const mostBars = 12;

function verdictRows(model) {
  return (model.comparison && model.comparison.verdict && model.comparison.verdict.rows) || [];
}

/** The levels, from the first that is reached to the last. */
function verdictLevels(model) {
  return [...new Set(verdictRows(model).map((row) => row.to))];
}

/** The level that was asked for, where some series gets to it; else the last one that two get to, or one. */
function defaultLevel(model) {
  const reached = (least) => verdictRows(model).filter(({ currency, costs }) => currency === "simulated_s" &&
    costs.filter((cost) => cost.median !== null).length >= least).map((row) => row.to);
  const levels = verdictLevels(model), asked = reached(1).find((level) => level === (model.comparison || {}).asked);
  return [asked, reached(2).at(-1), reached(1).at(-1), levels[0]].find((level) => level !== undefined);
}

function levelControl(model) {
  const options = verdictLevels(model).map((level) => [String(level), formatPower(level, 2)]);
  return { key: "to", label: "To", kind: "select", options, value: String(defaultLevel(model)) };
}

function levelName(model) {
  const measure = model.comparison.metric || "relative_error";
  return columnLabel(measure).replace(/ \(.*/, "").toLowerCase();
}

/** A control for the currency of the costs. */
function currencyControl(model) {
  const known = currencies.filter((name) => verdictRows(model).some((row) => row.currency === name));
  return { key: "currency", label: "in", kind: "select", value: "simulated_s",
           options: known.map((name) => [name, columnLabel(name)]) };
}

/** The number of the color of a group: its own, or that of its key where colors tell keys apart. */
function colorNumber(model, group, place) {
  const { color } = defaultSplit(model), key = sweptKeys(model).find(({ pointer }) => pointer === color);
  return key ? key.values.indexOf(key.of[group.runs[0]]) : group.index ?? place;
}

/** The costs of a level in a currency, of the series that are shown. */
function costsOf(model, to, currency) {
  const row = verdictRows(model).find((one) => String(one.to) === String(to) && one.currency === currency);
  if (!row) return [];
  const shown = new Map(model.groups.map((group, place) => [group.label, colorNumber(model, group, place)]));
  const isFiltered = Boolean(model.isShown);
  return row.costs.map((cost) => ({ ...cost, index: shown.get(cost.series) ?? null }))
    .filter(({ index }) => index !== null || !isFiltered || !model.groups.length);
}

/** From the cheapest on; those that never get there at the end. */
function byCost(a, b) {
  return (a.median ?? Infinity) - (b.median ?? Infinity) || b.reached_by - a.reached_by;
}

/** A line from the smallest to the largest cost of a series' runs, with its ends; where some of them never get there,
    it goes on in dashes, without an end. */
function intervalSeries(costs, look) {
  return {
    type: "custom", z: 3, silent: true, tooltip: { show: false }, encode: { x: [1, 2], y: 0 },
    data: costs.map(({ min, max, reached_by, runs }, row) => [row, min, max, reached_by < runs ? 1 : 0])
      .filter(([, low, high, isOpen]) => low !== null && (high > low || isOpen)),
    renderItem(params, api) {
      const [from, y] = api.coord([api.value(1), api.value(0)]), [to] = api.coord([api.value(2), api.value(0)]);
      const end = params.coordSys.x + params.coordSys.width;
      const line = (x1, y1, x2, y2, lineDash = null) => ({
        type: "line", shape: { x1, y1, x2, y2 },
        style: { stroke: look.ink, lineWidth: look.paper ? 1 : 1.5, lineDash } });
      return { type: "group", children: [
        line(from, y, to, y), line(from, y - 4, from, y + 4), line(to, y - 4, to, y + 4),
        ...(api.value(3) ? [line(to, y, end, y, [4, 4])] : [])] };
    },
  };
}

function toldCost({ median, min, max, reached_by, runs }) {
  if (median === null) return reached_by ? `${reached_by} of ${runs} runs` : "never";
  const span = runs > 1 && min !== null && max !== null && max > min
    ? ` (${formatNumber(min, 3)} .. ${formatNumber(max, 3)})` : "";
  return `${formatNumber(median, 3)}${span}${reached_by < runs ? `, ${reached_by} of ${runs} runs` : ""}`;
}

function isOfOneSeries(model) {
  return verdictRows(model).every(({ costs }) => costs.length === 1);
}

/** Of one series: what each level costs. Of several: what the level costs each of them. */
function rankedBars(model, state) {
  const rows = verdictRows(model).filter((row) => row.currency === state.currency);
  if (rows.length && isOfOneSeries(model))
    return rows.map((row) => ({ ...row.costs[0], index: 0, name: `to ${formatPower(row.to, 2)}` }));
  return costsOf(model, state.to, state.currency).map((cost) => ({ ...cost, name: cost.series })).sort(byCost);
}

/** A name in at most two lines of so many letters, broken between words where it can be; what is longer is cut in the
    middle, since names differ at their ends. */
function inTwoLines(name, letters) {
  const cut = (line) => {
    const kept = letters - 1, end = Math.floor(kept / 2);
    return line.length > letters ? `${line.slice(0, kept - end)}…${line.slice(line.length - end)}` : line;
  };
  if (name.length <= letters) return name;
  const at = name.lastIndexOf(" ", letters);
  return at > 0 ? `${name.slice(0, at)}\n${cut(name.slice(at + 1))}` : cut(name);
}

const ranking = {
  name: "ranking", title: "What a level costs", nav: null, small: true, lead: null,
  controls(model) {
    return [levelControl(model), currencyControl(model)];
  },
  build(model, state, look) {
    const all = rankedBars(model, state), bars = all.slice(0, mostBars);
    if (!bars.length) return { empty: "No level of accuracy was compared." };
    if (isOfOneSeries(model) && bars.every(({ median }) => median === null))
      return { empty: "No level of accuracy was reached." };
    const places = look.paper ? 110 : look.width < 460 ? 136 : 200;
    const letters = Math.floor((places - 12) / (0.56 * look.type));  // in a line
    const what = columnLabel(state.currency), known = bars.filter((bar) => bar.median > 0);
    const ends = bars.filter(({ max }) => max > 0), open = ends.filter(({ reached_by, runs }) => reached_by < runs);
    const low = Math.min(...ends.map(({ min }) => min));
    // Lines without an end have room to go on.
    const high = Math.max(...ends.map(({ max }) => max), ...open.map(({ max }) => 1.1 * max));
    const log = known.length > 1 && high > 20 * low;  // else the short bars look alike
    const range = ends.length ? axisRange([low, high], log, true, look) : {};
    const option = {
      ...baseOption(look, []),
      // Bars begin where the axis does: on a logarithmic one they would begin at 1.
      xAxis: numberAxis(look, { name: what, log, more: log ? { ...range, startValue: range.min } : range }),
      yAxis: {
        type: "category", inverse: true, data: bars.map((bar) => bar.name), axisTick: { show: false },
        axisLine: { lineStyle: { color: look.faint } },
        axisLabel: textStyle(look, { lineHeight: look.type + 2, interval: 0,
                                     formatter: (name) => inTwoLines(name, letters) }),
      },
      series: [
        {
          type: "bar", name: what, barMaxWidth: 18, barCategoryGap: "34%",
          data: bars.map((bar) => ({ value: bar.median ?? (log ? null : 0),
                                     itemStyle: { color: lineLook(look, bar.index ?? 0).color, opacity: 0.85 } })),
          label: textStyle(look, { show: true, position: [6, -(look.type + 1)], fontSize: look.type - 1,
                                   formatter: ({ dataIndex }) => toldCost(bars[dataIndex]) }),
        },
        intervalSeries(bars, look),
      ],
    };
    option.grid.left = places;
    option.grid.right = 24;
    option.grid.top = 18;
    Object.assign(option.tooltip, {
      trigger: "axis", axisPointer: { type: "shadow" },
      formatter: ([{ dataIndex }]) => `${escapeHtml(bars[dataIndex].name)}: <b>${toldCost(bars[dataIndex])}</b>`,
    });
    const level = isOfOneSeries(model) ? "at a level" : formatPower(Number(state.to), 2);
    const more = all.length > bars.length ? ` The first ${bars.length} of ${all.length}.` : "";
    const goesOn = open.length ? "; dashed where others never do" : "";
    return {
      option, names: [], height: 76 + bars.length * (look.paper ? 30 : 38), exactHeight: true,
      summary: `${what} until the ${levelName(model)} is ${level}: medians, and lines ` +
        `from the first to the last run that got there${goesOn}. ${bars.slice(0, 3)
          .map((bar) => `${bar.name} ${toldCost(bar)}`).join("; ")}.${more}`,
      table: { head: ["series", "median", "min", "max", "reached by", "runs"],
               rows: all.map((bar) => [bar.name, bar.median, bar.min, bar.max, bar.reached_by, bar.runs]) },
    };
  },
};

const leastLead = 1.01;  // as lagnet compare has it: who is ahead by less ties

/** The names of those that are first, of [name, cost] from the least cost on; none where nobody gets there. */
function firstOf(sorted) {
  const least = sorted.length ? sorted[0][1] : Infinity;
  return Number.isFinite(least) ? sorted.filter(([, cost]) => cost <= leastLead * least).map(([name]) => name) : [];
}

/** "ring", "ring and star", or "nobody". */
function firstTold(sorted) {
  return listed(shortList(firstOf(sorted), 3)) || "nobody";
}

/** Those that no other point beats in both. */
function paretoFront(points) {
  const beats = (a, b) => a.x <= b.x && a.y <= b.y && (a.x < b.x || a.y < b.y);
  return points.filter((point) => !points.some((other) => beats(other, point))).sort((a, b) => a.x - b.x);
}

const pareto = {
  name: "pareto", title: "Time against bytes", nav: null, small: true, lead: null,
  controls: (model) => [levelControl(model)],
  build(model, state, look) {
    const bytes = new Map(costsOf(model, state.to, "bytes").map((cost) => [cost.series, cost.median]));
    const points = costsOf(model, state.to, "simulated_s").filter(({ series, median }) =>
      median !== null && (bytes.get(series) ?? null) !== null)
      .map(({ series, median, index }) => ({ series, index, x: median, y: bytes.get(series) }));
    if (points.length < 2) return { empty: "Fewer than two series get to this level." };
    points.sort((a, b) => a.x - b.x);
    const front = paretoFront(points);
    const spread = (key) => Math.max(...points.map((p) => p[key])) / Math.min(...points.map((p) => p[key])) > 20;
    const log = { x: spread("x"), y: spread("y") };
    // Names of many would lie on each other: they have numbers, and the caption has the names.
    const isCrowded = points.length > 8;
    const shown = (series, place) => (isCrowded ? String(place + 1) : shortened(series, 26));
    const option = {
      ...baseOption(look, []),
      xAxis: numberAxis(look, { name: columnLabel("simulated_s"), log: log.x,
                                more: axisRange(points.map((p) => p.x), log.x, true, look) }),
      yAxis: numberAxis(look, { name: columnLabel("bytes"), log: log.y, vertical: true,
                                more: axisRange(points.map((p) => p.y), log.y, true, look) }),
      series: [
        { type: "line", name: "front", step: "end", data: front.map(({ x, y }) => [x, y]), symbol: "none", silent: true,
          lineStyle: { color: look.faint, type: "dashed", width: look.line }, tooltip: { show: false } },
        {
          type: "scatter", name: "series", symbolSize: look.paper ? 7 : 11, z: 3,
          labelLayout: { moveOverlap: "shiftX" },
          labelLine: { show: true, lineStyle: { color: look.faint } },
          data: points.map(({ x, y, index, series }, place) => ({
            value: [x, y], name: series, itemStyle: { color: lineLook(look, index ?? 0).color },
            label: textStyle(look, { show: true, distance: 6,
                                     position: isCrowded ? "top" : x > 0.6 * points.at(-1).x ? "left" : "right",
                                     fontSize: look.type - 1, formatter: () => shown(series, place) }),
          })),
        },
      ],
    };
    option.tooltip.formatter = ({ name, value }) =>
      `${escapeHtml(name)}<br><b>${formatNumber(value[0])}</b> s, <b>${formatNumber(value[1])}</b>B`;
    return {
      option, names: [], height: 300,
      summary: `To ${formatPower(Number(state.to), 2)}, no other series beats ` +
        `${listed(shortList(front.map((one) => one.series)))} in both time and bytes.` +
        (isCrowded ? ` By time: ${shortList(points.map((one, place) => `${place + 1} ${one.series}`), 24).join(", ")}.`
          : ""),
      table: { head: ["series", "simulated_s", "bytes", "on the front"],
               rows: points.map((p) => [p.series, p.x, p.y, front.includes(p) ? "yes" : "no"]) },
    };
  },
};

/** The first of the words, and how many more there are. */
function shortList(words, most = 6) {
  return words.length > most ? [...words.slice(0, most - 1), `${words.length - most + 1} others`] : words;
}
