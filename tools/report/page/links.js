// Who sent what to whom: a cell for each link, or for the links between two groups of agents where there are many.

const cellsPerSide = 64;

/** [column, row, value] of each pair of groups that has a link. A group is a number of consecutive agents. */
function linkCells(links, load, group) {
  const from = columnOf(links, "from"), to = columnOf(links, "to"), values = columnOf(links, load);
  const cells = new Map();
  for (let k = 0; k < from.length; ++k) {
    const key = `${Math.floor(to[k] / group)} ${Math.floor(from[k] / group)}`;
    const value = values[k] || 0, before = cells.get(key) || 0;
    cells.set(key, load === "utilization" ? Math.max(before, value) : before + value);
  }
  return [...cells].map(([key, value]) => [...key.split(" ").map(Number), value]);
}

function groupNames(agents, group) {
  const names = [];
  for (let first = 0; first < agents; first += group)
    names.push(group === 1 ? String(first) : `${first}–${Math.min(first + group, agents) - 1}`);
  return names;
}

const links = {
  name: "links",
  ofOneRun: true,
  title: "Links",
  nav: "Links",
  lead: "What each agent sent to each other one. Columns are receivers, rows senders.",
  controls: (model) => [
    ...runControl(model),
    { key: "load", label: "Load", kind: "select", options: loadOptions(model, "links", linkLoads),
      value: "bytes_sent" },
  ],
  build(model, state, look) {
    const run = chosenRun(model, state);
    if (!run.links) return { empty: `${run.label}: ${run.why_no_links}` };
    const group = Math.ceil(run.agent_count / cellsPerSide);
    const names = groupNames(run.agent_count, group), cells = linkCells(run.links, state.load, group);
    const values = cells.map((cell) => cell[2]);
    const low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), 0);
    const axis = (name, more) => ({
      ...numberAxis(look, { name, vertical: more.inverse }), type: "category", data: names, splitLine: { show: false },
      axisLabel: textStyle(look, { color: look.faint, fontSize: look.type - (names.length > 30 ? 2.5 : 0) }),
      ...more,
    });
    const option = {
      ...baseOption(look, []),
      xAxis: axis("To agent", {}), yAxis: axis("From agent", { inverse: true }),
      visualMap: colorScale(look, { min: values.length ? scaleStart(low, high) : 0, max: high }),
      series: [{
        type: "heatmap", name: columnLabel(state.load), data: cells,
        itemStyle: { borderColor: look.gap, borderWidth: names.length > 40 ? 0 : 1 },
        emphasis: { itemStyle: { borderColor: look.ink, borderWidth: 1 } },
      }],
    };
    option.grid.right = look.paper ? 84 : 120;
    if (group > 1) {  // ranges are longer than numbers
      option.grid.left += look.paper ? 24 : 40;
      option.yAxis.nameGap += look.paper ? 24 : 40;
    }
    const place = (index) => (group === 1 ? agentLabel(run, names[index]) : `agents ${names[index]}`);
    option.tooltip.formatter = ({ value: [to, from, load] }) =>
      `from ${escapeHtml(place(from))} to ${escapeHtml(place(to))}: ` +
      `<b>${formatNumber(load)}</b> ${columnLabel(state.load)}`;
    const top = cells.find((cell) => cell[2] === high);
    const grouped = group > 1 ? `, in groups of ${counted(group, "agent")}` : "";
    const most = top ? `at most ${formatNumber(high)}, from ${place(top[1])} to ${place(top[0])}.` : "";
    return {
      option, names: [], height: 440, square: true, canvas: cells.length > 1500,
      summary: `${run.label}: ${counted(run.links.rows, "directed link")}${grouped}. ` +
        `${columnLabel(state.load)}: ${most}`,
      table: wholeTable(run.links),
    };
  },
};
