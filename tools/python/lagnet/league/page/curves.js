// Performance profiles and data profiles of all entries.

const shownCurves = 7;

/** The entries that a figure names: the best by their area, and the chosen one. */
function namedCurves(steps, chosen, end) {
  const area = (one) => one.reduce((sum, [x, y], k) =>
    sum + (y - (k ? one[k - 1][1] : 0)) * Math.max(0, Math.log(end / Math.max(x, 1e-9))), 0);
  const best = [...steps].map(([entry, one]) => [entry, area(one)]).filter(([, value]) => value > 0)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([entry]) => entry).slice(0, shownCurves);
  return best.includes(chosen) || !steps.has(chosen) ? best : [...best.slice(0, shownCurves - 1), chosen];
}

/** The shares at some places, those first that have the most. */
function profileRows(steps, nameOf, at) {
  const sum = (row) => row.slice(1).reduce((a, b) => a + b, 0);
  return [...steps].map(([entry, one]) => [nameOf(entry), ...at.map((x) => Number(shareAt(one, x).toFixed(4)))])
    .sort((a, b) => sum(b) - sum(a) || (a[0] < b[0] ? -1 : 1));
}

function profileBuilt(model, look, made, { chosen, begin, end, nameX, summary, at }) {
  const { count, steps } = made;
  if (!count) return { empty: "Nobody solves anything at this level." };
  const named = namedCurves(steps, chosen, end), nameOf = (entry) => model.entries[entry].name;
  const points = (one) => [[begin, shareAt(one, begin)], ...one.filter(([x]) => x > begin && x < end),
                           [end, shareAt(one, end)]];
  const series = [...steps].sort(([a], [b]) => named.indexOf(a) - named.indexOf(b)).map(([entry, one]) => {
    const place = named.indexOf(entry), isNamed = place >= 0, wide = entry === chosen ? 2 : 1;
    return { type: "line", step: "end", name: nameOf(entry), data: points(one), symbol: "none", silent: !isNamed,
             lineStyle: isNamed
               ? { ...lineLook(look, place), type: dashes[place % dashes.length], width: wide * look.line }
               : { color: look.grid, width: 1 }, z: isNamed ? 3 : 1 };
  });
  const names = named.map(nameOf), base = baseOption(look, names, { lines: true });
  const option = {
    ...base,
    tooltip: { ...base.tooltip, trigger: "axis", formatter: (found) => {
      const x = found[0].axisValue;
      return `<b>${formatNumber(x, 3)}</b><br>${named.map((entry) =>
        `${escapeHtml(nameOf(entry))}: <b>${formatNumber(100 * shareAt(steps.get(entry), x), 3)} %</b>`).join("<br>")}`;
    } },
    xAxis: numberAxis(look, { name: nameX, log: true, more: { min: begin, max: end } }),
    yAxis: numberAxis(look, { name: "share of problems and networks", vertical: true,
                              more: { min: 0, max: 1, interval: 0.2 } }),
    series,
  };
  return {
    option, names, height: 420, summary: summary(names),
    table: { head: ["entry", ...at.map((x) => `within ${x}`)], rows: profileRows(steps, nameOf, at) },
  };
}

/** "3 of them are solved by nobody and left out": what a profile leaves out. */
function leftOut(left, why) {
  return left ? ` ${counted(left, "pair")} ${left === 1 ? "is" : "are"} left out: ${why}.` : "";
}

const performanceFigure = {
  name: "performance", title: "Performance profiles", nav: "Performance profiles",
  lead: "How often an entry is within x times the best one (Dolan, Moré 2002). At 1: how often it is the best. At " +
        "the right: how often it arrives at all.",
  controls: () => [],
  build(model, { standings, method }, look) {
    const made = performanceSteps(standings);
    return profileBuilt(model, look, made, {
      chosen: method, begin: 1, end: 100, nameX: `times the least ${standings.currencyText()}`, at: [1, 2, 5, 10, 100],
      summary: (names) => `Share of ${counted(made.count, "pair")} of problem and network in which an entry gets to ` +
        `${standings.levelText()} with at most x times the least ${standings.currencyText()}. ` +
        `Named: ${listed(names)}.` + leftOut(made.left, "nobody solves them"),
    });
  },
};

const dataFigure = {
  name: "data-profiles", title: "Data profiles", nav: "Data profiles",
  lead: "How often an entry arrives within a budget (Moré, Wild 2009). A unit of the budget is the cheapest round " +
        "that any entry has on that problem over that network.",
  controls: () => [],
  build(model, { standings, method }, look) {
    const made = dataSteps(standings);
    const places = [...made.steps.values()].flat().map(([x]) => x);
    const end = 10 ** Math.ceil(Math.log10(Math.max(10, ...places)) - 1e-9);
    const begin = 10 ** Math.min(0, Math.floor(Math.log10(Math.min(1, ...places.filter((x) => x > 0))) + 1e-9));
    return profileBuilt(model, look, made, {
      chosen: method, begin, end, nameX: `budget in cheapest rounds, by ${standings.currencyText()}`,
      at: [10, 100, 1000, 10000].filter((x) => x <= end),
      summary: (names) => `Share of ${counted(made.count, "pair")} of problem and network in which an entry gets to ` +
        `${standings.levelText()} for at most the ${standings.currencyText()} of x cheapest rounds. ` +
        `Named: ${listed(names)}.` + leftOut(made.left, "no run there reaches the last level, which gives the unit"),
    });
  },
};
