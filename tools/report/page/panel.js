// A figure on the page: its controls, legend, chart, text and table.

const mostTableRows = 2000;

class Panel {
  constructor(figure, model) {
    this.figure = figure;
    this.model = model;
    this.state = initialState(figure, model);
    this.hidden = new Set();  // names that the reader has switched off
    this.legend = element("ul", { class: "legend", "aria-label": "Legend: press to hide or show a line" });
    this.chartBox = element("div", { class: "chart", role: "img" });
    this.caption = element("figcaption", { "aria-live": "polite" });
    this.table = element("div", { class: "numbers" });
    this.svgButton = element("button", { type: "button", class: "quiet" }, "Save as SVG");
    this.svgButton.addEventListener("click", () => this.offerSvg());
    const heading = `${figure.name}-title`;
    const names = { id: figure.name, "aria-labelledby": heading, "data-nav": figure.nav };
    this.section = element("section", names,
      element(figure.small ? "h3" : "h2", { id: heading }, figure.title),
      figure.lead && element("p", { class: "lead" }, figure.lead),
      element("div", { class: "controls" }, figure.controls(model).map((control) => this.control(control))),
      this.legend,
      element("figure", {}, this.chartBox, this.caption),
      this.table, this.svgButton);
  }

  control(control) {
    const id = `${this.figure.name}-${control.key}`;
    const changed = (value) => {
      this.state[control.key] = value;
      this.draw();
    };
    const check = (event) => changed(event.target.checked);
    if (control.kind === "check")
      return element("label", { class: "check", for: id },
        element("input", { id, type: "checkbox", checked: control.value, onchange: check }), control.label);
    return element("label", { for: id }, control.label,
      element("select", { id, onchange: (event) => changed(event.target.value) },
        control.options.map(([value, text]) => element("option", { value, selected: value === control.value }, text))));
  }

  /** Draws anew, as the state and the colors of the page now are. */
  draw() {
    const look = makeLook({ dark: isDark(), narrow: this.section.clientWidth < 560 });
    const built = this.figure.build(this.model, this.state, look);
    this.built = built;
    this.chartBox.hidden = this.svgButton.hidden = Boolean(built.empty);
    this.caption.textContent = built.empty || built.summary;
    this.table.replaceChildren();
    if (built.empty) {
      this.legend.replaceChildren();
      this.dispose();
      return;
    }
    this.drawChart(built);
    this.drawLegend(built);
    this.table.append(disclosure("Numbers of this figure as a table", () => this.numbers(built)));
  }

  drawChart(built) {
    const width = this.section.clientWidth;
    const height = built.square ? Math.min(built.height, Math.max(300, width * 0.85)) : built.height;
    this.chartBox.style.height = `${printing ? Math.min(height, 340) : height}px`;
    this.chartBox.setAttribute("aria-label", built.summary);
    const renderer = built.canvas ? "canvas" : "svg";
    if (this.renderer !== renderer) this.dispose();
    this.renderer = renderer;
    this.chart = this.chart || echarts.init(this.chartBox, null, { renderer });
    built.option.legend.selected = Object.fromEntries(built.names.map((name) => [name, !this.hidden.has(name)]));
    this.chart.setOption(built.option, { notMerge: true });
    this.chart.resize();
    if (printing) this.chart.getZr().flush();  // paper does not wait for the next frame
  }

  drawLegend(built) {
    const styleOf = ({ lineStyle, itemStyle }) => lineStyle || { color: (itemStyle || {}).color, type: "block" };
    const drawn = (name) => built.option.series.find((series) => series.name === name);
    this.legend.hidden = built.names.length < 2;
    this.legend.replaceChildren(...built.names.map((name) => {
      const isShown = () => !this.hidden.has(name);
      const button = element("button", { type: "button", "aria-pressed": String(isShown()) },
                             swatch(styleOf(drawn(name))), name);
      button.addEventListener("click", () => {
        if (!this.hidden.delete(name)) this.hidden.add(name);
        button.setAttribute("aria-pressed", String(isShown()));
        this.chart.dispatchAction({ type: isShown() ? "legendSelect" : "legendUnSelect", name });
      });
      return element("li", {}, button);
    }));
  }

  numbers({ table, summary }) {
    const rows = table.rows.slice(0, mostTableRows);
    const csv = () => offerFile(`${this.figure.name}.csv`, "text/csv", csvText(table));
    return element("div", {},
      element("p", {}, rows.length < table.rows.length
        ? `The first ${formatNumber(rows.length)} of ${formatNumber(table.rows.length)} rows. ` : "",
        element("button", { type: "button", class: "quiet", onclick: csv }, "Save all as CSV")),
      tableElement({ caption: `${this.figure.title}: ${summary}`, head: table.head, rows }));
  }

  offerSvg() {
    const width = 480;  // 127 mm on paper
    offerFile(`${this.figure.name}.svg`, "image/svg+xml", figureSvg(this.figure, this.model, this.state, width));
  }

  resize() {
    if (this.chart) this.chart.resize();
  }

  dispose() {
    if (this.chart) this.chart.dispose();
    this.chart = null;
  }
}

/** A piece of the line that a name of the legend stands for. */
function swatch({ color, type }) {
  const dash = Array.isArray(type) ? type.join(" ") : { dashed: "6 4", dotted: "2 3" }[type] || "none";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("viewBox", "0 0 24 10");
  const line = document.createElementNS(svg.namespaceURI, "line");
  for (const [key, value] of Object.entries({ x1: 0, x2: 24, y1: 5, y2: 5, stroke: color, "stroke-dasharray": dash,
                                               "stroke-width": type === "block" ? 9 : 2.5 }))
    line.setAttribute(key, value);
  svg.append(line);
  return svg;
}

function csvText({ head, rows }) {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return [head, ...rows].map((row) => row.map(cell).join(",") + "\n").join("");
}
