// A figure is an object: `controls(model)` lists what a reader can choose, and `build(model, state, look)` gives an
// option of ECharts with a text that says the same, a table of the numbers, and the names of the legend; or `empty`,
// why there is nothing to draw. Nothing here knows a page, so that the same code draws single figures on paper.

const figures = [convergence, criticalPath, costs, faults, staleness, topology, links, sites, playback, timeline,
                 ranking, pareto, heat, whatIfMap, panels];

/** Null if the model has no such figure. */
function figureNamed(model, name) {
  if (name === panels.name && !model.panels.length) return null;
  return [...panelFigures(model), ...mapFigures(model), ...figures].find((figure) => figure.name === name) || null;
}
