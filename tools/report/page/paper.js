// Figures outside a page: as SVG text.

/** What was asked for cannot be drawn. */
class Unsuitable extends Error {}

/** Throws unless every choice is one that the figure offers. */
function checkChoices(controls, choices) {
  for (const [key, value] of Object.entries(choices)) {
    const control = controls.find((one) => one.key === key);
    const keys = controls.map((one) => one.key);
    if (!control) throw new Unsuitable(`expected a choice of ${keys.join(", ") || "nothing"}, found ${key}`);
    const allowed = control.kind === "check" ? [true, false] : control.options.map((option) => option[0]);
    if (!allowed.includes(value)) throw new Unsuitable(`${key}: expected one of ${allowed.join(", ")}, found ${value}`);
  }
}

/** How high figures are for their width. */
const heightShares = { links: 0.86, topology: 0.8, timeline: 0.8 };

/** Programs that make PDFs disagree on where the middle of a text is; that its letters go down by so much is plain. */
function withPlainBaselines(svg) {
  const shifts = { central: "0.35em", "text-before-edge": "0.85em", hanging: "0.8em", "text-after-edge": "-0.2em" };
  const shifted = (whole, name) => (shifts[name] ? ` dy="${shifts[name]}"` : whole);
  return svg.replace(/ dominant-baseline="([a-z-]+)"/g, shifted);
}

/** A figure with a state and a width in CSS pixels. Its legend adds to its height, and takes nothing from the plot. */
function figureSvg(figure, model, state, width) {
  const look = makeLook({ paper: true, width });
  const built = figure.build(model, state, look);
  if (built.empty) throw new Unsuitable(built.empty);
  const legend = built.names.length > 1 ? 18 * Math.max(0, legendRows(look, built.names) - 2) : 0;
  const height = built.exactHeight ? built.height
    : Math.round(width * (heightShares[figure.name] || 0.72)) + legend;
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  chart.setOption(built.option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return withPlainBaselines(svg).replace("<svg ", `<svg role="img" aria-label="${escapeHtml(built.summary)}" `);
}

/** A figure for print: `width_mm` wide, in millimeters as a reader of the file measures it. */
function paperFigure(model, name, choices, width_mm) {
  const figure = figureNamed(model, name);
  const state = { ...initialState(figure, model), ...choices };
  const sizeOf = (font) => Number((/([0-9.]+)px/.exec(font) || [0, 12])[1]);
  echarts.setPlatformAPI({ measureText: (text, font) => ({ width: textWidth(text, sizeOf(font)) }) });
  return figureSvg(figure, model, state, Math.round(width_mm / 25.4 * 96));
}

/** For `lagnet report --format`: the figure on stdout; 2 and a line on stderr if a choice or the run does not suit. */
function paperFigureToStdout(model, name, choices, width_mm) {
  try {
    useLabels(model);
    raiseToFloor(model);
    const figure = figureNamed(model, name);
    const panels = model.panels.length + model.maps.length;
    if (!figure) throw new Unsuitable(`expected one of the ${counted(panels, "panel")} of the scenario`);
    checkChoices(figure.controls(model), choices);
    process.stdout.write(paperFigure(model, name, choices, width_mm));
  } catch (error) {
    if (!(error instanceof Unsuitable)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 2;
  }
}
