// What agents do in a window of simulated time: a row for each, with its work above and messages on their way to it
// below.

const activities = [
  ["compute", "computing"], ["encrypt", "encrypting"], ["wait", "waiting"], ["sleep", "sleeping"], ["away", "away"],
  ["transfer", "message on its way"],
  ["lost", "message lost"],
];

function isMessage([, activity]) {
  return activity === "transfer" || activity === "lost";
}

/** A rectangle of an agent's row; transfers lie in its lower quarter. */
function timelineSeries(kind, label, slices, rowOf, look) {
  const below = kind === "transfer" || kind === "lost";
  return {
    type: "custom", name: label, clip: true, encode: { x: [0, 1], y: 2 }, progressive: 0,
    itemStyle: { color: look.activity[kind] },
    data: slices.map(([agent, , start, end, round, peer]) => [start, end, rowOf.get(agent), round, peer ?? null]),
    renderItem(params, api) {
      const [left, y] = api.coord([api.value(0), api.value(2)]), right = api.coord([api.value(1), api.value(2)])[0];
      const row = api.size([0, 1])[1];
      const height = row * (below ? 0.22 : 0.5), top = y + row * (below ? 0.2 : -0.36);
      const frame = params.coordSys;
      const x0 = Math.max(left, frame.x), x1 = Math.min(Math.max(right, left + 0.7), frame.x + frame.width);
      if (x1 <= x0) return null;
      return {
        type: "rect", shape: { x: x0, y: top, width: x1 - x0, height },
        style: { fill: look.activity[kind], opacity: kind === "transfer" ? 0.55 : 1 },
      };
    },
  };
}

/** From seconds to a unit that suits the length of the window. */
function timeUnit(length_s) {
  return [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]].find(([scale]) => length_s >= 2 * scale) || [1e-9, "ns"];
}

function timelineSummary(run, shown, slices) {
  const lengthOf = ([, , start, end]) => Math.min(end, shown.to_s) - Math.max(start, shown.from_s);
  const busy = activities.map(([kind, label]) => {
    const length = slices.filter((slice) => slice[1] === kind).reduce((sum, slice) => sum + lengthOf(slice), 0);
    return length > 0 ? `${formatNumber(length)} s ${label}` : "";
  }).filter(Boolean);
  return `${run.label}, from ${formatNumber(shown.from_s)} to ${formatNumber(shown.to_s)} s, ` +
    `${counted(shown.agents.length, "agent")}: ${listed(busy)}, all together.${shown.remark ? " " + shown.remark : ""}`;
}

const timeline = {
  name: "timeline",
  ofOneRun: true,
  title: "Timeline",
  nav: "Timeline",
  lead: "Who computes, who waits, and which messages are on their way. The slider below chooses a part of the window.",
  controls: (model) => runControl(model),
  build(model, state, look) {
    const run = chosenRun(model, state), shown = run.timeline;
    if (!shown || !shown.slices.length) return { empty: `${run.label}: ${run.why_no_timeline}` };
    const rowOf = new Map(shown.agents.map((agent, row) => [agent, row]));
    const [scale, unit] = timeUnit(shown.to_s - shown.from_s);
    const kept = activities.filter(([kind]) => shown.slices.some((slice) => slice[1] === kind));
    const names = kept.map(([, label]) => label);
    const rows = shown.agents.length, rowHeight = look.paper ? 12 : rows > 60 ? 10 : 18;
    const option = {
      ...baseOption(look, names),
      xAxis: {
        ...numberAxis(look, { name: `Simulated time (${unit})` }), min: shown.from_s, max: shown.to_s, splitNumber: 5,
        axisLabel: textStyle(look, { color: look.faint, hideOverlap: true, showMinLabel: false, showMaxLabel: false,
                                     formatter: (x) => String(Number((x / scale).toPrecision(6))) }),
      },
      yAxis: {
        type: "category", inverse: true, data: shown.agents.map(String), name: "Agent", nameLocation: "middle",
        nameMoveOverlap: false,
        nameGap: look.paper ? 30 : 46, nameTextStyle: textStyle(look), axisTick: { show: false },
        axisLine: { lineStyle: { color: look.faint } },
        axisLabel: textStyle(look, { color: look.faint, hideOverlap: true }),
        splitLine: { show: true, lineStyle: { color: look.grid } },
      },
      dataZoom: look.paper ? [] : [{
        type: "slider", xAxisIndex: 0, filterMode: "none", bottom: 6, height: 22, showDataShadow: false,
        labelFormatter: (x) => `${formatNumber(x / scale)} ${unit}`, textStyle: textStyle(look, { color: look.faint }),
        borderColor: look.grid, fillerColor: look.dark ? "#ffffff22" : "#0060a822", backgroundColor: "transparent",
        handleStyle: { color: look.gap, borderColor: look.faint }, moveHandleStyle: { color: look.faint, opacity: 0.5 },
        emphasis: { moveHandleStyle: { color: look.ink }, handleStyle: { borderColor: look.ink } },
      }],
      series: kept.map(([kind, label]) =>
        timelineSeries(kind, label, shown.slices.filter((slice) => slice[1] === kind), rowOf, look)),
    };
    if (!look.paper) option.grid.bottom = 92;
    option.tooltip.formatter = ({ seriesName, value: [start, end, row, round, peer] }) =>
      `${escapeHtml(agentLabel(run, shown.agents[row]))}: ${seriesName}` +
      `${peer === null ? "" : ` from ${escapeHtml(agentLabel(run, peer))}`}, round ${round}<br>` +
      `${formatNumber(start)} s to ${formatNumber(end)} s: <b>${formatNumber((end - start) / scale)} ${unit}</b>`;
    return {
      option, names, height: Math.min(900, 150 + rows * rowHeight), canvas: true, timeAxes: [0],
      summary: timelineSummary(run, shown, shown.slices),
      table: { head: ["agent", "activity", "start_s", "end_s", "round", "from_agent"],
               rows: shown.slices.map((slice) => [...slice.slice(0, 5), slice[5] ?? ""]) },
    };
  },
};
