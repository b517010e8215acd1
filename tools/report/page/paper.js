// Figures outside a page: as SVG text.

/** A figure with a state, drawn for a size in CSS pixels; a legend stands in it if the look is that of paper. */
function figureSvg(figure, model, state, look, { width, height }) {
  const built = figure.build(model, state, look);
  if (built.empty) throw new Error(built.empty);
  if (!look.paper) built.option.legend.show = built.names.length > 1;
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  chart.setOption(built.option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg.replace("<svg ", `<svg role="img" aria-label="${escapeHtml(built.summary)}" `);
}

/** A figure for print: `width_mm` wide, in millimeters as a reader of the file measures it. */
function paperFigure(model, name, choices, width_mm) {
  const figure = figureNamed(name);
  const state = { ...initialState(figure, model), ...choices };
  const width = Math.round(width_mm / 25.4 * 96);
  const height = Math.round(width * (name === "links" ? 0.86 : name === "topology" ? 0.8 : 0.72));
  return figureSvg(figure, model, state, makeLook({ paper: true }), { width, height });
}
