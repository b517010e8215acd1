// A figure on the page: its controls, legend, chart, text and table.

const mostTableRows = 2000;

class Panel {
  /** Controls that `shared` has are not the panel's own. */
  constructor(figure, model, shared) {
    this.figure = figure;
    this.model = model;
    this.shared = shared;
    this.state = initialState(figure, model);
    this.hidden = new Set();  // names that the reader has switched off
    this.legend = element("ul", { class: "legend", "aria-label": "Legend: press to hide or show a line" });
    this.chartBox = element("div", { class: "chart", role: "img" });
    this.frame = element("div", { class: "frame" }, this.chartBox);
    this.drawn = () => {};  // what lies on the chart follows it
    this.caption = element("figcaption", { "aria-live": "polite" });
    this.table = element("div", { class: "numbers" });
    const save = (format, what) => element("button", {
      type: "button", class: "quiet", title: what, "aria-label": `${figure.title}: ${what}`,
      onclick: () => this.save(format),
    }, format.toUpperCase());
    this.saving = element("div", { class: "saving" }, this.table,
      save("svg", "save as SVG"), save("png", "save as PNG"),
      save("pdf", "print this figure alone, or save it as PDF"), save("csv", "save the numbers as CSV"));
    this.controls = figure.controls(model).filter(({ key }) => !shared.has(key));
    this.box = element("div", { class: "controls", hidden: !this.controls.length },
                       this.controls.map((control) => this.control(control)));
    const heading = `${figure.name}-title`;
    this.section = element("section", { id: figure.name, "aria-labelledby": heading, "data-nav": figure.nav },
      element(figure.small ? "h3" : "h2", { id: heading }, figure.title),
      figure.lead && element("p", { class: "lead" }, figure.lead),
      this.box, this.legend,
      element("figure", {}, this.frame, this.caption), this.saving);
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

  /** Whether a change of these shared choices changes the figure. */
  dependsOn(keys) {
    return keys.some((key) => (key === "filters" ? !this.figure.ofOneRun : key in this.state));
  }

  currentState() {
    const known = Object.entries(this.shared.values).filter(([key]) => key in this.state);
    return { ...this.state, ...Object.fromEntries(known) };
  }

  /** Draws anew, as the state and the colors of the page now are. */
  draw() {
    const width = this.section.clientWidth;
    const look = { ...makeLook({ dark: isDark(), narrow: width < 560, width }), hidden: this.hidden };
    const built = this.figure.build(this.view(), this.currentState(), look);
    this.built = built;
    this.chartBox.hidden = this.saving.hidden = Boolean(built.empty);
    this.caption.textContent = built.empty || built.summary;
    this.table.replaceChildren();
    this.box.hidden = !this.controls.length || Boolean(built.empty && this.figure.ofOneRun);
    if (built.empty) {
      this.legend.replaceChildren();
      this.dispose();
      this.drawn();
      return;
    }
    this.drawChart(built);
    this.drawLegend(built);
    this.table.append(disclosure("Numbers of this figure as a table", () => this.numbers(built)));
    this.drawn();
  }

  view() {
    return this.figure.ofOneRun ? this.model : this.shared.view();
  }

  drawChart(built) {
    const width = this.section.clientWidth;
    const height = built.square ? Math.min(built.height, Math.max(300, width * 0.85)) : built.height;
    this.chartBox.style.height = `${printing && !built.exactHeight ? Math.min(height, 340) : height}px`;
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
    return element("div", {},
      rows.length < table.rows.length
        ? element("p", {}, `The first ${formatNumber(rows.length)} of ${formatNumber(table.rows.length)} rows; ` +
          "the CSV file has all.") : null,
      tableElement({ caption: `${this.figure.title}: ${summary}`, head: table.head, rows }));
  }

  /** The figure as it is drawn for print, as wide as a page of a journal where it has several plots. */
  svg() {
    const width = this.built.exactHeight && this.built.names.length ? 680 : 480;  // 180 and 127 mm
    return figureSvg(this.figure, this.view(), this.currentState(), width);
  }

  save(format) {
    const { name } = this.figure;
    if (format === "csv") offerFile(`${name}.csv`, "text/csv", csvText(this.built.table));
    if (format === "svg") offerFile(`${name}.svg`, "image/svg+xml", this.svg());
    if (format === "png") savePng(`${name}.png`, this.svg());
    if (format === "pdf") printFigure(this.svg());
  }

  resize() {
    if (this.chart) this.chart.resize();
  }

  dispose() {
    if (this.chart) this.chart.dispose();
    this.chart = null;
  }
}

function sizeOfSvg(svg) {
  const [, width, height] = /width="([0-9.]+)" height="([0-9.]+)"/.exec(svg).map(Number);
  return { width, height };
}

const dotsPerPixel = 4;  // 384 an inch

/** Draws the text of a picture and hands it to the reader. */
function savePng(name, svg) {
  const { width, height } = sizeOfSvg(svg), image = new Image();
  image.onload = () => {
    const canvas = element("canvas", { width: dotsPerPixel * width, height: dotsPerPixel * height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => offerFile(name, "image/png", blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** Prints a figure alone, on paper of its size: what a browser saves as PDF then is the figure. */
function printFigure(svg) {
  const { width, height } = sizeOfSvg(svg), box = element("div", { id: "print-figure" });
  const paper = element("style", {}, `@page { size: ${width}px ${height}px; margin: 0; }`);
  box.innerHTML = svg;  // made by the chart library from escaped texts
  printingFigure = true;
  document.body.append(box, paper);
  document.documentElement.classList.add("print-one");
  const done = () => {
    printingFigure = false;
    box.remove();
    paper.remove();
    document.documentElement.classList.remove("print-one");
  };
  window.addEventListener("afterprint", done, { once: true });
  window.print();
}

/** A small picture of one shape. */
function mark(shape, attributes) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("viewBox", "0 0 24 10");
  const drawn = document.createElementNS(svg.namespaceURI, shape);
  for (const [key, value] of Object.entries(attributes)) drawn.setAttribute(key, value);
  svg.append(drawn);
  return svg;
}

/** A piece of the line that a name of the legend stands for. */
function swatch({ color, type }) {
  const dash = Array.isArray(type) ? type.join(" ") : { dashed: "6 4", dotted: "2 3" }[type] || "none";
  return mark("line", { x1: 0, x2: 24, y1: 5, y2: 5, stroke: color, "stroke-dasharray": dash,
                        "stroke-width": type === "block" ? 9 : 2.5 });
}

function csvText({ head, rows }) {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return [head, ...rows].map((row) => row.map(cell).join(",") + "\n").join("");
}
