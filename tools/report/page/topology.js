// The graph, with what its agents and links had to carry.

const nodeLoads = ["bytes_sent", "messages_sent", "computing_s", "idle_s", "compute_utilization", "flops", "lost",
                   "late", "dropped", "away_s"];
const linkLoads = ["bytes_sent", "messages_sent", "lost", "queueing_s", "transfer_s", "utilization"];

/** Each pair of agents that is linked once, with the load of both directions: the sum, or the larger utilization; and
    whether the link goes one way, from the first agent to the second: [[agent, agent, load, isOneWay], ..]. */
function pairLoads(links, load) {
  const from = columnOf(links, "from"), to = columnOf(links, "to"), values = columnOf(links, load);
  const pairs = new Map();
  for (let k = 0; k < from.length; ++k) {
    const key = from[k] < to[k] ? `${from[k]} ${to[k]}` : `${to[k]} ${from[k]}`, value = values[k] || 0;
    const before = pairs.get(key);
    if (!before) pairs.set(key, [from[k], to[k], value, true]);
    else {
      const sum = load === "utilization" ? Math.max(before[2], value) : before[2] + value;
      pairs.set(key, [Math.min(from[k], to[k]), Math.max(from[k], to[k]), sum, false]);
    }
  }
  return [...pairs.values()];
}

/** The arrow at the end of a link that goes one way; its size is in pixels. */
function arrowOf(isOneWay, size) {
  return isOneWay ? { symbol: ["none", "arrow"], symbolSize: [0, size] } : {};
}

/** "12 links", and how many of them go one way. */
function countedLinks(pairs) {
  const oneWay = pairs.filter(([, , , isOneWay]) => isOneWay).length;
  const which = oneWay === pairs.length ? ", one way" : oneWay ? `, ${formatNumber(oneWay)} of them one way` : "";
  return counted(pairs.length, "link") + which;
}

function loadOptions(model, table, names) {
  return names.filter((name) => model.runs.some((run) => run[table] && (hasColumnOtherThanZero(run[table], name))))
    .map((name) => [name, columnLabel(name)]);
}

/** How wide an agent is drawn, in pixels. */
function agentSize(count, look) {
  return Math.max(3, Math.min(look.paper ? 12 : 22, (look.paper ? 70 : 200) / Math.sqrt(count)));
}

function graphSeries(run, model, state, look, pairs) {
  const place = model.layouts[run.layout], loads = columnOf(run.agents, state.node);
  const count = place.x.length, crowded = count > 400;
  const largest = pairs.reduce((high, pair) => Math.max(high, pair[2]), 0) || 1;
  const size = agentSize(count, look);
  const widest = crowded ? 1.5 : look.paper ? 3 : 6;
  return {
    type: "graph", layout: "none", roam: state.zoom ? true : "move", left: look.paper ? 16 : 40, top: 24, bottom: 24,
    right: look.paper ? 88 : 120, symbolSize: size, preserveAspect: true,
    data: place.x.map((x, agent) => ({
      name: String(agent), x: 1000 * x, y: 1000 * place.y[agent], value: loads ? loads[agent] : 0,
      label: { show: count <= 64 && size >= 8, ...(run.agent_names && { formatter: run.agent_names[agent] }) },
    })),
    links: pairs.map(([a, b, value, isOneWay]) => {
      const share = value / largest;
      return { source: a, target: b, value, isOneWay, ...arrowOf(isOneWay, Math.max(4, 0.5 * size)),
               lineStyle: { width: 0.4 + (widest - 0.4) * share, opacity: crowded ? 0.25 : 0.3 + 0.5 * share } };
    }),
    lineStyle: { color: look.faint },
    itemStyle: { borderColor: look.ink, borderWidth: crowded ? 0 : 0.8 },
    label: textStyle(look, { position: "right", distance: 3, color: look.faint, fontSize: look.type - 2 }),
    emphasis: { focus: crowded ? "none" : "adjacency" },
  };
}

const topology = {
  name: "topology",
  ofOneRun: true,
  title: "Topology",
  nav: "Topology",
  lead: "Agents are colored by their load, links are as wide as theirs; one with an arrow goes one way. Drag to move.",
  controls: (model) => [
    ...runControl(model),
    { key: "node", label: "Color of agents", kind: "select", options: loadOptions(model, "agents", nodeLoads),
      value: "bytes_sent" },
    { key: "link", label: "Width of links", kind: "select", options: loadOptions(model, "links", linkLoads),
      value: "bytes_sent" },
    { key: "zoom", label: "wheel zooms", kind: "check", value: false },
  ],
  build(model, state, look) {
    const run = chosenRun(model, state);
    if (run.layout === null) return { empty: `${run.label}: ${run.why_no_layout}` };
    const pairs = run.links ? pairLoads(run.links, state.link) : [];
    const loads = (columnOf(run.agents, state.node) || []).map((x) => x || 0);
    const low = loads.reduce((a, b) => Math.min(a, b), Infinity), high = loads.reduce((a, b) => Math.max(a, b), 0);
    const option = {
      ...baseOption(look, []),
      series: [graphSeries(run, model, state, look, pairs)],
      visualMap: colorScale(look, { min: scaleStart(low, high), max: high, more: { seriesIndex: 0 } }),
    };
    option.tooltip.formatter = (item) => item.dataType === "edge"
      ? `${item.data.source} ${item.data.isOneWay ? "→" : "–"} ${item.data.target}: ` +
        `<b>${formatNumber(item.data.value)}</b> ${columnLabel(state.link)}`
      : `${escapeHtml(agentLabel(run, item.name))}: <b>${formatNumber(item.value)}</b> ${columnLabel(state.node)}`;
    const busiest = loads.indexOf(high);
    return {
      option, names: [], height: 440, canvas: loads.length > 400,
      summary: `${run.label}: ${counted(loads.length, "agent")} and ${countedLinks(pairs)}. ` +
        `${columnLabel(state.node)}: from ${formatNumber(low)} to ${formatNumber(high)} (${agentLabel(run, busiest)}).`,
      table: wholeTable(run.agents, { name: "agent", values: loads.map((_, agent) => agent) }),
    };
  },
};
