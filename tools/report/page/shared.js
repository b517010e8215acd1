// Choices that several figures share: the run of the figures of one run, the level of the verdict, and which runs are
// shown at all.

class SharedChoices {
  constructor(model) {
    this.model = model;
    this.values = {};  // by the key of a control
    this.filters = {};  // by the pointer of a swept key
    this.listeners = [];
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
