// The figure as its scenario lays it out: a panel for each part of it, with the curves that belong there.

function panelFigure(panel, index) {
  const name = `panel-${index + 1}`;
  return {
    name, title: panel.title || `Panel ${index + 1}`, nav: null, lead: null, small: true,
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
      const lines = convergenceLines({ runs: model.runs, groups: panel.curves }, state, look);
      if (!lines.rows.length) return { empty: `No run here has ${columnLabel(panel.y).toLowerCase()}.` };
      const runs = panel.curves.flatMap((curve) => curve.runs);
      const told = { ...state, bands: runs.length > panel.curves.length };
      return { ...convergenceBuilt({ runs }, told, look, lines), height: 300 };
    },
  };
}

function panelFigures(model) {
  return model.panels.map(panelFigure);
}

/** The panels side by side, as many as there is room for; null if the scenarios lay out none. */
function multiplesSection(panels) {
  if (!panels.length) return null;
  return element("section", { id: "figure", "data-nav": "Figure", "aria-labelledby": "figure-title" },
    element("h2", { id: "figure-title" }, "The figure"),
    element("p", { class: "lead" }, "As the scenario lays it out."),
    element("div", { class: "multiples" }, panels.map((panel) => panel.section)));
}
