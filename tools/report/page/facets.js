// Several plots in one figure: one beside the other, with one legend and, where they show the same, the same axes.

/** How many plots stand beside each other. */
function facetColumns(count, look) {
  const fitting = Math.max(1, Math.floor(look.width / (look.paper ? 150 : 250)));
  const rows = Math.ceil(count / Math.min(count, fitting, look.paper ? 3 : 4));
  return Math.ceil(count / rows);
}

/** The step of 1, 2, 2.5 or 5 times a power of ten that divides a range into `few` to `many` parts and goes least
    beyond its end; the longest of them. */
function niceStep(low, high, few, many) {
  const least = (high - low) / many, power = 10 ** Math.floor(Math.log10(least));
  const steps = [1, 2, 2.5, 5, 10, 20, 25, 50, 100].map((factor) => factor * power);
  const beyond = (step) => Math.ceil(high / step - 1e-9) * step - high;
  const fitting = steps.filter((step) => step >= least * (1 - 1e-9) && step <= (high - low) / few);
  const better = (best, step) => (beyond(step) <= beyond(best) * (1 + 1e-9) ? step : best);
  return fitting.reduce(better, fitting[0] || steps[4]);
}

/** Ends of an axis that holds the values and ends with a tick; null where there is nothing to show. */
function axisRange(values, log, fromZero, look) {
  let low = Infinity, high = -Infinity;
  for (const x of values) low = Math.min(low, x), high = Math.max(high, x);
  if (!(low <= high)) return null;
  if (log) {
    const first = Math.floor(Math.log10(low) + 1e-9), last = Math.ceil(Math.log10(high) - 1e-9);
    return { min: 10 ** first, max: 10 ** Math.max(last, first + 1) };
  }
  if (fromZero) low = Math.min(low, 0);
  if (high === low) high = low + (Math.abs(low) || 1);
  const step = niceStep(low, high, 2.5, look.paper ? 6 : 9), min = Math.floor(low / step + 1e-9) * step;
  return { min, max: Math.ceil(high / step - 1e-9) * step, interval: step };
}

function pointsOfFacet(facet, place) {
  return facet.series.flatMap((series) => series.data.flatMap((point) => (place === 0 ? [point[0]] : point.slice(1))));
}

/** Whether all facets have the same column on an axis, and for times that they reach about as far. */
function isShared(facets, place) {
  const column = place === 0 ? "x" : "y", log = place === 0 ? "logX" : "logY";
  if (facets.some((facet) => facet[column] !== facets[0][column] || facet[log] !== facets[0][log])) return false;
  if (place === 1) return true;
  const ends = facets.map((facet) => pointsOfFacet(facet, 0).reduce((a, b) => Math.max(a, b), 0)).filter((x) => x > 0);
  return !ends.length || Math.max(...ends) <= 4 * Math.min(...ends);
}

/** Where the plots are, in pixels of a figure that is `look.width` wide. */
function facetLayout(facets, names, look, sharedX, sharedY) {
  const columns = facetColumns(facets.length, look), rows = Math.ceil(facets.length / columns);
  const left = look.paper ? 52 : 66, right = look.paper ? 16 : 22;
  const gapX = (sharedY ? 0 : left - 8) + (look.paper ? 24 : 32);
  const legend = look.paper && names.length > 1 ? 12 + 18 * legendRows(look, names) : 0;
  const title = look.paper ? 22 : 28, below = look.paper ? 40 : 54;
  const gapY = title + (sharedX ? 12 : below);
  const width = Math.floor((look.width - left - right - (columns - 1) * gapX) / columns);
  const height = Math.round(Math.min(width * (columns === 1 ? 0.6 : 0.82), look.paper ? 220 : 250));
  const places = facets.map((_, index) => ({
    left: left + (index % columns) * (width + gapX), width, height,
    top: legend + title + Math.floor(index / columns) * (height + gapY),
    isFirst: index % columns === 0, isLast: index + columns >= facets.length,
  }));
  return { places, height: legend + title + rows * height + (rows - 1) * gapY + below };
}

/** An option of ECharts for plots {title, x, y, logX, logY, series, rows}, and its height. */
function facetOption(facets, names, look) {
  const sharedX = isShared(facets, 0), sharedY = isShared(facets, 1);
  const common = (place, log, fromZero) => axisRange(facets.flatMap((facet) => pointsOfFacet(facet, place)), log,
                                                     fromZero, look);
  const rangeX = sharedX ? common(0, facets[0].logX, true) : null;
  const rangeY = sharedY ? common(1, facets[0].logY, false) : null;
  const { places, height } = facetLayout(facets, names, look, sharedX, sharedY);
  const axis = (facet, index, place) => {
    const vertical = place === 1, log = vertical ? facet.logY : facet.logX, spot = places[index];
    const isNamed = vertical ? spot.isFirst || !sharedY : spot.isLast || !sharedX;
    const range = (vertical ? rangeY : rangeX) || axisRange(pointsOfFacet(facet, place), log, !vertical, look) || {};
    const made = numberAxis(look, { name: isNamed ? axisLabel(look, vertical ? facet.y : facet.x) : "", log, vertical,
                                    more: { gridIndex: index, ...range, scale: true } });
    made.axisLabel = { ...made.axisLabel, show: isNamed };
    if (vertical) made.nameGap = look.paper ? 36 : 48;
    if (vertical && spot.height < 240) made.name = made.name.replace(/ \(.*/, "");
    return made;
  };
  const base = baseOption(look, names, { lines: true });
  return {
    height,
    option: {
      ...base,
      title: facets.map((facet, index) => ({
        text: shortened(facet.title, Math.floor(places[index].width / (0.6 * look.type))),
        left: places[index].left + places[index].width / 2, top: places[index].top - (look.paper ? 18 : 24), padding: 0,
        textAlign: "center", textStyle: textStyle(look, { fontWeight: 600, fontSize: look.type + 0.5 }),
      })),
      grid: places.map(({ left, top, width, height: high }) => ({ left, top, width, height: high,
                                                                   outerBoundsMode: "none" })),
      xAxis: facets.map((facet, index) => axis(facet, index, 0)),
      yAxis: facets.map((facet, index) => axis(facet, index, 1)),
      series: facets.flatMap((facet, index) =>
        facet.series.map((series) => ({ ...series, xAxisIndex: index, yAxisIndex: index }))),
      tooltip: { ...base.tooltip, ...progressTooltip(facets, look) },
    },
  };
}
