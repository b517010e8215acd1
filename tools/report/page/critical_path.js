// What everybody waited for, back from the last report of a run to its beginning.

const pathKinds = {
  computing: (look) => look.activity.compute,
  encrypting: (look) => look.activity.encrypt,
  queueing: (look) => look.activity.sleep,
  transfer: (look) => look.activity.transfer,
  latency: (look) => look.series[2],
  sleeping: (look) => look.series[5],
  absence: (look) => look.activity.away,
  deadline: (look) => look.activity.wait,
  repair: (look) => look.activity.lost,
};

const countedKinds = new Set(["absence", "deadline", "repair"]);

/** What was waited for, the longest first, with the shares of the kinds in %: [{ what, shares: { latency: 40 } }]. */
function waitedFor({ longest }) {
  const found = new Map();
  for (const { what, kind, share } of longest) {
    const one = found.get(what) || { what, sum: 0, shares: {} };
    one.shares[kind] = 100 * share;
    one.sum += 100 * share;
    found.set(what, one);
  }
  const visible = 0.05;
  return [...found.values()].filter(({ sum }) => sum >= visible).sort((a, b) => b.sum - a.sum);
}

const criticalPath = {
  name: "critical-path",
  ofOneRun: true,
  suits: (model) => model.runs.some((run) => run.critical_path),
  title: "What everybody waited for",
  nav: "Waits",
  lead: "Back from the last report: what its agent did, the message that ended each wait, what its sender did before.",
  controls: (model) => runControl(model),
  build(model, state, look) {
    const run = chosenRun(model, state);
    if (!run.critical_path) return { empty: `${run.label}: record.critical_path was not asked for.` };
    const things = waitedFor(run.critical_path);
    if (!things.length) return { empty: `${run.label}: its last report is at the beginning.` };
    const kinds = Object.keys(pathKinds).filter((kind) => things.some(({ shares }) => kind in shares));
    const unit = "Share of the run's time (%)";
    const places = look.paper ? 110 : look.width < 460 ? 136 : 180;
    const letters = Math.floor((places - 12) / (0.56 * look.type));  // in a line
    const option = {
      ...baseOption(look, kinds),
      xAxis: numberAxis(look, { name: unit, more: { scale: false } }),
      yAxis: {
        type: "category", inverse: true, data: things.map(({ what }) => what), axisTick: { show: false },
        axisLine: { lineStyle: { color: look.faint } },
        axisLabel: textStyle(look, { lineHeight: look.type + 2, interval: 0,
                                     formatter: (name) => inTwoLines(name, letters) }),
      },
      series: kinds.map((kind) => ({
        type: "bar", name: kind, stack: "all", barMaxWidth: 18,
        data: things.map(({ shares }) => shares[kind] ?? 0),
        itemStyle: { color: pathKinds[kind](look), borderColor: look.gap, borderWidth: 0.5 },
      })),
    };
    option.grid.left = places;
    Object.assign(option.tooltip, { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: formatNumber });
    const shares = Object.entries(run.critical_path.share_by_kind).sort(([, a], [, b]) => b - a)
      .map(([kind, share]) => `${countedKinds.has(kind) ? `${kind}s` : kind} (${formatNumber(100 * share, 3)} %)`);
    return {
      option, names: kinds, height: 120 + 28 * things.length,
      summary: `${run.label}: in ${formatNumber(run.critical_path.until_s)} s everybody waited for ` +
        `${listed(shares)}, longest for ${things[0].what} (${formatNumber(things[0].sum, 3)} %).`,
      table: {
        head: ["what", "kind", "time_s", "share"],
        rows: run.critical_path.longest.map(({ what, kind, time_s: time, share }) => [what, kind, time, share]),
      },
    };
  },
};
