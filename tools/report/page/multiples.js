// The figure as its scenario lays it out: a panel for each part of it, with the curves that belong there.

/** Names of curves are numbered over all panels, so that one name has one color in each of them. */
function curveNumbers(model) {
  const labels = [...new Set(model.panels.flatMap((panel) => panel.curves.map((curve) => curve.label)))];
  return new Map(labels.map((label, index) => [label, index]));
}

function panelLines(model, panel, state, look) {
  const numbers = curveNumbers(model);
  const called = (curve) => [curve.label, numbers.get(curve.label)];
  return convergenceLines({ runs: model.runs, groups: panel.curves }, { ...state, bands: true }, look, called);
}

function panelTitle(panel, index) {
  return panel.title || `Panel ${index + 1}`;
}

/** One panel alone. */
function panelFigure(panel, index) {
  return {
    name: `panel-${index + 1}`, title: panelTitle(panel, index), nav: null, lead: null, small: true,
    controls(model) {
      const columns = [panel.x, ...axisColumns.filter((column) => column !== panel.x)];
      const options = columns.filter((column) => hasNumbers(model, column))
        .map((column) => [column, columnLabel(column)]);
      return [
        { key: "x", label: "Against", kind: "select", value: panel.x, options },
        { key: "logX", label: "log x", kind: "check", value: panel.log_x },
        { key: "logY", label: "log y", kind: "check", value: panel.log_y },
      ];
    },
    build(model, chosen, look) {
      const state = { ...chosen, y: panel.y, bands: true };
      const lines = panelLines(model, panel, state, look);
      if (!lines.rows.length) return { empty: `No run here has ${columnLabel(panel.y).toLowerCase()}.` };
      const part = { runs: panel.curves.flatMap((curve) => curve.runs.map((run) => model.runs[run])),
                     groups: panel.curves };
      return { ...convergenceBuilt(part, state, look, lines), height: 300 };
    },
  };
}

function panelFigures(model) {
  return model.panels.map(panelFigure);
}

/** All panels, with the same axes where they show the same, one legend, and a color for each name. */
const panels = {
  name: "panels",
  title: "The figure",
  nav: "Figure",
  lead: "As the scenario lays it out.",
  controls(model) {
    const options = axisColumns.filter((column) => hasNumbers(model, column))
      .map((column) => [column, columnLabel(column)]);
    const scales = [["", "as laid out"], ["log", "logarithmic"], ["linear", "linear"]];
    return [
      { key: "x", label: "Horizontal axis", kind: "select", value: "", options: [["", "as laid out"], ...options] },
      { key: "scaleX", label: "Horizontal scale", kind: "select", value: "", options: scales },
      { key: "scaleY", label: "Vertical scale", kind: "select", value: "", options: scales },
    ];
  },
  build(model, chosen, look) {
    const isLog = (scale, own) => (scale ? scale === "log" : own);
    const facets = model.panels.map((panel, index) => {
      const state = { x: chosen.x || panel.x, y: panel.y, logX: isLog(chosen.scaleX, panel.log_x),
                      logY: isLog(chosen.scaleY, panel.log_y) };
      return { title: panelTitle(panel, index), ...state, ...panelLines(model, panel, state, look) };
    });
    if (!facets.some((facet) => facet.rows.length)) return { empty: "No run here has what the figure shows." };
    const numbers = curveNumbers(model), built = facetsBuilt(model, {}, look, facets);
    built.names.sort((a, b) => numbers.get(a) - numbers.get(b));
    return built;
  },
};
