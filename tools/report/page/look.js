// Colors and sizes. The eight colors of the series are those of Okabe and Ito, which people with any color vision tell
// apart, without their yellow and darkened or lightened for the ground; lines differ in their dashes, too.

const seriesColors = {
  light: ["#0060a8", "#c84a00", "#007d5a", "#a83f84", "#9a6a00", "#3a8fc4", "#333333"],
  dark: ["#5fb4f0", "#ff9350", "#35c99a", "#ec9ccb", "#f0bb3f", "#9fd8ff", "#e6e6e6"],
};
const dashes = ["solid", "dashed", "dotted", [8, 3, 2, 3], [2, 5]];
// Cividis (Nuñez, Anderton, Renslow 2018): as even in gray as in color.
const sequentialColors = {
  light: ["#e9dfa6", "#c9b96c", "#a59c74", "#7c7b78", "#575d6d", "#31446b", "#00224e"],
  dark: ["#1d3a66", "#3f4f6e", "#666870", "#8c8677", "#b4a76f", "#dbc95c", "#fee838"],
};
const activityColors = {
  light: { compute: "#0060a8", encrypt: "#a83f84", wait: "#d9d2c4", sleep: "#aab4bd", away: "#5c5c5c",
           transfer: "#c84a00", lost: "#000000" },
  dark: { compute: "#5fb4f0", encrypt: "#ec9ccb", wait: "#4a463e", sleep: "#5d6a75", away: "#b5b5b5",
          transfer: "#ff9350", lost: "#ffffff" },
};

/** How charts look: on a light or dark ground, or on paper, where a column of text is 85 mm wide and type 8 points. */
function makeLook({ dark = false, paper = false, narrow = false, width = 0 } = {}) {
  const shade = dark ? "dark" : "light";
  return {
    paper, narrow, dark, width,
    ink: dark ? "#e8e6e1" : "#1d1d1b",
    faint: dark ? "#a9a59c" : "#5f5b53",
    grid: dark ? "#34322e" : "#e4e0d8",
    gap: dark ? "#1b1a18" : "#ffffff",  // between areas
    ground: dark ? "#1b1a18" : "#ffffff",
    series: seriesColors[shade],
    sequential: sequentialColors[shade],
    activity: activityColors[shade],
    type: paper ? 10 : 12.5,
    line: paper ? 1.4 : 2,
    family: paper ? "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
      : "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif",
  };
}

/** Color and dashes of the n-th of the lines. */
function lineLook(look, index) {
  const count = look.series.length;
  const type = dashes[Math.floor(index / count) % dashes.length];
  return { color: look.series[index % count], type, width: look.line };
}

/** Where the colors of loads begin: at zero, unless they would hardly differ then, though they do. */
function scaleStart(low, high) {
  return low < 0.5 * high || low === high ? 0 : low;
}

function textStyle(look, more = {}) {
  return { color: look.ink, fontFamily: look.family, fontSize: look.type, ...more };
}

/** An axis that has numbers: linear or logarithmic, with its name along it. */
function numberAxis(look, { name, log = false, vertical = false, more = {} }) {
  return {
    type: log ? "log" : "value",
    name,
    nameLocation: "middle",
    nameMoveOverlap: false,
    nameGap: vertical ? (look.paper ? 37 : 54) : look.paper ? 20 : 28,
    nameTextStyle: textStyle(look),
    axisLabel: textStyle(look, { color: look.faint, hideOverlap: true, formatter: log ? formatLogTick : formatTick }),
    axisLine: { show: true, lineStyle: { color: look.faint } },
    axisTick: { show: true, lineStyle: { color: look.faint } },
    splitLine: { show: true, lineStyle: { color: look.grid, width: look.paper ? 0.6 : 1 } },
    minorTick: { show: log, splitNumber: 9, lineStyle: { color: look.grid } },
    splitNumber: look.paper || look.narrow ? 4 : 6,
    scale: true,
    ...more,
  };
}

/** Sets axes on the values of two keys, {name, values}; names that have no room beside each other stand upright, and
    the plot makes room for them. Gives the pixels of a cell's width, and those by which the figure is to be higher. */
function setCategoryAxes(option, look, across, down) {
  const mostOfName = look.paper ? 110 : 150;
  const widest = (names) =>
    Math.min(mostOfName, Math.ceil(Math.max(...names.map((name) => textWidth(name, look.type)))));
  const axis = ({ name, values }, vertical, more) => ({
    ...numberAxis(look, { name, vertical }), type: "category", data: values, splitLine: { show: false },
    axisLabel: textStyle(look, { color: look.faint, interval: 0, hideOverlap: true, width: mostOfName,
                                 overflow: "truncate", ...more }),
  });
  const atLeft = widest(down.values), below = widest(across.values);
  option.grid.left = 40 + atLeft;
  const cell = (look.width - option.grid.left - option.grid.right) / across.values.length;
  const isUpright = below + 6 > cell, higher = isUpright ? Math.max(0, below - look.type) : 0;
  option.grid.bottom += higher;
  option.xAxis = axis(across, false, isUpright ? { rotate: 90 } : {});
  option.xAxis.nameGap += higher;
  option.yAxis = { ...axis(down, true, {}), nameGap: atLeft + 14 };
  return { cell, higher };
}

/** Where nothing can measure a text: as wide as its letters are in the widest of the fonts that may be taken. */
function textWidth(text, size) {
  return 0.64 * size * text.length;
}

/** A name as the legend of a figure on paper has room for it. */
function legendName(look, name) {
  return shortened(name, Math.max(16, Math.floor((look.width - 40) / (0.64 * look.type))));
}

/** The rows of a legend that fills lines of the look's width. */
function legendRows(look, names) {
  let rows = 1, used = 0;
  for (const name of names) {
    const item = 20 + 5 + textWidth(legendName(look, name), look.type) + 8;
    if (used > 0 && used + item - 8 > look.width - 4) {
      ++rows;
      used = 0;
    }
    used += item;
  }
  return rows;
}

/** What every chart has: the ground, the type, room for the axes' names, a legend that is drawn on paper alone (on the
    page there are buttons instead, which a keyboard reaches), and the tooltip's looks. */
function baseOption(look, names, { lines = false } = {}) {
  const hasLegend = look.paper && names.length > 1;
  return {
    animation: false,
    backgroundColor: look.ground,
    textStyle: textStyle(look),
    color: look.series,
    legend: {
      show: hasLegend, data: names, top: 4, left: "center", itemWidth: 20, itemHeight: 8, itemGap: 8, padding: 2,
      textStyle: textStyle(look), itemStyle: { opacity: lines ? 0 : 1 }, formatter: (name) => legendName(look, name),
    },
    grid: {
      left: look.paper ? 52 : 78, right: look.paper ? 12 : 24, bottom: look.paper ? 38 : 56,
      top: hasLegend ? 14 + 18 * legendRows(look, names) : 14, outerBoundsMode: "none",
    },
    tooltip: {
      confine: true, backgroundColor: look.dark ? "#2a2926" : "#ffffff", borderColor: look.grid,
      textStyle: textStyle(look, { fontSize: 13 }), extraCssText: "max-width: 34em; white-space: normal;",
    },
    aria: { enabled: false },  // the page gives each chart a text of its own
  };
}

/** The scale of a color, at the right of a chart. */
function colorScale(look, { min, max, more = {} }) {
  return {
    type: "continuous", min, max: max > min ? max : min + 1, calculable: false, orient: "vertical", right: 6,
    top: "middle",
    itemHeight: look.paper ? 90 : 150, itemWidth: look.paper ? 9 : 14, inRange: { color: look.sequential },
    text: [formatTick(max), formatTick(min)], textStyle: textStyle(look, { color: look.faint }),
    formatter: formatNumber, hoverLink: false, ...more,
  };
}
