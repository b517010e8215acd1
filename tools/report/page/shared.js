// Choices that several figures share: the run of the figures of one run, the level of the verdict, which runs are
// shown at all, and the moment of simulated time.

class SharedChoices {
  constructor(model) {
    this.model = model;
    this.values = {};  // by the key of a control
    this.filters = {};  // by the pointer of a swept key
    this.listeners = [];
    this.cursor = new Cursor();
    this.told = element("span", {});
    this.tell();
  }

  /** These controls are shared from now on. */
  know(controls) {
    for (const { key, value } of controls) this.values[key] = value;
  }

  has(key) {
    return key in this.values;
  }

  /** The runs that the filters leave. */
  view() {
    return Object.keys(this.filters).length ? filteredModel(this.model, this.filters) : this.model;
  }

  changed(keys) {
    for (const listener of this.listeners) listener(keys);
  }

  tell() {
    const { groups } = this.view(), runs = groups.reduce((sum, group) => sum + group.runs.length, 0);
    this.told.textContent = `${counted(runs, "run")} of ${formatNumber(this.model.runs.length)} in ` +
      `${groups.length} series; all figures up to the figures of one run show these.`;
  }

  /** A list for a control of figures, which then have none of their own. */
  control({ key, label, options, value }) {
    const choose = (event) => {
      this.values[key] = event.target.value;
      this.changed([key]);
    };
    return element("label", { for: `shared-${key}` }, label,
      element("select", { id: `shared-${key}`, onchange: choose },
        options.map(([name, text]) => element("option", { value: name, selected: name === value }, text))));
  }

  filter({ pointer, name, values }) {
    const id = `filter-${pointer}`;
    const choose = (event) => {
      const index = Number(event.target.value);
      if (index < 0) delete this.filters[pointer];
      else this.filters[pointer] = values[index];
      this.tell();
      this.changed(["filters"]);
    };
    return element("label", { for: id }, name,
      element("select", { id, onchange: choose }, element("option", { value: "-1" }, "all"),
        values.map((value, index) => element("option", { value: String(index) }, toldValue(value)))));
  }
}

/** The moment that all figures over simulated time mark, within the window of the playback. */
class Cursor {
  constructor() {
    this.window = null;  // [from, to] in seconds; null where nothing is played
    this.time = 0;
    this.listeners = [];
  }

  /** Keeps to this window from now on; null for none. */
  cover(window) {
    this.window = window;
    this.move(this.time);
  }

  move(time) {
    if (this.window) this.time = Math.min(Math.max(time, this.window[0]), this.window[1]);
    for (const listener of this.listeners) listener();
  }
}

/** Where the plots of a chart are, in its pixels. */
function plotsOf(chart, option) {
  const end = (start, size, margin, whole) => (size === undefined ? whole - margin : start + size);
  return [option.grid].flat().map(({ left, top, right, bottom, width, height }) => ({
    left, top, right: end(left, width, right, chart.getWidth()), bottom: end(top, height, bottom, chart.getHeight()),
  }));
}

/** The cursor on a panel whose chart has plots over simulated time: a line in each of them, and clicks move it. */
class CursorLines {
  constructor(panel, cursor) {
    this.panel = panel;
    this.cursor = cursor;
    this.lines = [];
    panel.drawn = () => this.place();
    cursor.listeners.push(() => this.move());
  }

  /** Makes the lines anew: plots and axes are others after each drawing. */
  place() {
    const { chart, built } = this.panel, axes = (chart && built.timeAxes) || [];
    for (const { line } of this.lines) line.remove();
    const plots = axes.length ? plotsOf(chart, built.option) : [];
    this.lines = axes.map((axis) => ({ axis, plot: plots[axis], line: element("div", { class: "cursor" }) }));
    for (const { line, plot } of this.lines) {
      line.style.top = `${plot.top}px`;
      line.style.height = `${plot.bottom - plot.top}px`;
      this.panel.frame.append(line);
    }
    if (chart && chart !== this.heard) {
      chart.getZr().on("click", (event) => this.click(event));
      chart.on("datazoom", () => this.move());
    }
    this.heard = chart;
    this.move();
  }

  click({ offsetX: x, offsetY: y }) {
    const hit = this.lines.find(({ plot }) => x >= plot.left && x <= plot.right && y >= plot.top && y <= plot.bottom);
    if (hit && this.cursor.window) this.cursor.move(this.panel.chart.convertFromPixel({ xAxisIndex: hit.axis }, x));
  }

  move() {
    for (const { axis, plot, line } of this.lines) {
      const x = this.cursor.window ? this.panel.chart.convertToPixel({ xAxisIndex: axis }, this.cursor.time) : NaN;
      line.hidden = !(x >= plot.left - 0.5 && x <= plot.right + 0.5);
      line.style.transform = line.hidden ? "" : `translateX(${x.toFixed(1)}px)`;
    }
  }
}
