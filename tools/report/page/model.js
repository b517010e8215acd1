// What `lagnet report` says of the runs: `model` is the JSON in the page, made by scenarios/report/report_model.cpp.

/** The values of a column of a table; those that are all the same stand there once. Null if there is no such column. */
function columnOf(table, name) {
  if (!table || !(name in table.columns)) return null;
  const values = table.columns[name];
  return Array.isArray(values) ? values : new Array(table.rows).fill(values);
}

const errorColumns = ["relative_error", "relative_error_last"];

/** Whether a relative error is too small to be distinguished from 0: at or below what the optimum's certificate
    guarantees. */
function isAtFloor(run, x) {
  return x !== null && x <= run.smallest_error * (1 + 1e-8);
}

/** Errors that cannot be distinguished from 0 are drawn at the smallest that can: rounding makes some of them zero or
    negative. */
function raiseToFloor(model) {
  for (const run of model.runs) {
    const floor = run.smallest_error;
    if (floor === null) continue;
    const raised = (x) => (isAtFloor(run, x) ? floor : x);
    const { columns } = run.progress;
    for (const name of errorColumns) {
      if (name in columns)
        columns[name] = Array.isArray(columns[name]) ? columns[name].map(raised) : raised(columns[name]);
      if (typeof run.last[name] === "number") run.last[name] = raised(run.last[name]);
    }
  }
}

/** Columns as rows. */
function rowsOf(columns) {
  return columns[0].map((_, row) => columns.map((column) => column[row]));
}

/** All of a table of the model, with a first column before it if there is one. */
function wholeTable(table, first = null) {
  const names = Object.keys(table.columns), columns = names.map((name) => columnOf(table, name));
  if (!first) return { head: names, rows: rowsOf(columns) };
  return { head: [first.name, ...names], rows: rowsOf([first.values, ...columns]) };
}

/** Every column that some run has, in the order of the first that has it. */
function progressColumns(model) {
  const names = new Set();
  for (const run of model.runs) for (const name of Object.keys(run.progress.columns)) names.add(name);
  return [...names];
}

/** Whether a column has a number anywhere. */
function hasNumbers(model, name) {
  return model.runs.some((run) => (columnOf(run.progress, name) || []).some((x) => x !== null));
}

function hasColumnOtherThanZero(table, name) {
  return (columnOf(table, name) || []).some((x) => x !== null && x !== 0);
}

/** The number of a run of the series that is first to the page's level: what figures of one run begin with. */
function leadingRun(model) {
  const [first] = costsOf(model, defaultLevel(model), "simulated_s").sort(byCost);
  const group = first && first.median !== null && model.groups.find(({ label }) => label === first.series);
  return group ? group.runs[0] : 0;
}

/** A control that chooses the run that a figure is about; none where there is but one. */
function runControl(model) {
  if (model.runs.length < 2) return [];
  const options = model.runs.map((run, index) => [String(index), run.label]);
  return [{ key: "run", label: "Run", kind: "select", options, value: String(leadingRun(model)) }];
}

function chosenRun(model, state) {
  return model.runs[Number(state.run || 0)];
}

/** The values that a figure starts with. */
function initialState(figure, model) {
  return Object.fromEntries(figure.controls(model).map((control) => [control.key, control.value]));
}

/** "a", "a and b", "a, b and c". */
function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** "latency_ms" of "/network/latency_ms/value", "topology" of "/topology/kind": a key without what says nothing. */
function keyName(pointer) {
  const words = pointer.split("/").slice(1);
  while (words.length > 1 && ["value", "kind"].includes(words[words.length - 1])) words.pop();
  return words[words.length - 1] || pointer;
}

/** A value of a key as a reader writes it: 1 where the scenario has 1.0. */
function toldValue(value) {
  return value !== "" && Number.isFinite(Number(value)) ? formatNumber(Number(value)) : shortened(value, 40);
}

/** The keys that tell the runs apart, [{pointer, name, values, of}], `of` with the value of each run. A key whose value
    follows from that of another one, such as the rows that only lattices have, tells nothing more. */
function sweptKeys(model) {
  const keys = [];
  for (const { pointer, values: of } of model.differences) {
    const follows = keys.some((known) => {
      const seen = new Map();
      return known.pointer !== "/seed" && of.every((value, run) => {
        const key = known.of[run];
        if (!seen.has(key)) seen.set(key, value);
        return seen.get(key) === value;
      });
    });
    const values = [...new Set(of)];
    if (values.every((value) => value !== "" && Number.isFinite(Number(value)))) values.sort((a, b) => a - b);
    if (!follows) keys.push({ pointer, name: keyName(pointer), values, of });
  }
  return keys.map((key) => {
    const isUnique = keys.filter((other) => other.name === key.name).length === 1;
    return isUnique ? key : { ...key, name: key.pointer.slice(1) };
  });
}

/** The model with the runs alone whose keys have the chosen values; groups keep their number, which gives their color,
    and panels lose the curves that have no run left. */
function filteredModel(model, chosen) {
  const wanted = sweptKeys(model).filter((key) => chosen[key.pointer] !== undefined);
  const isShown = (run) => wanted.every((key) => key.of[run] === chosen[key.pointer]);
  const kept = (curves) => curves.map((curve, index) => ({ index, ...curve, runs: curve.runs.filter(isShown) }))
    .filter((curve) => curve.runs.length);
  return { ...model, isShown, groups: kept(model.groups),
           panels: model.panels.map((panel) => ({ ...panel, curves: kept(panel.curves) })),
           maps: model.maps.map((map) => ({ ...map, curves: kept(map.curves) })) };
}

/** A document with the operations of a JSON Patch (RFC 6902) done to it: add, remove and replace. */
function patched(document, operations) {
  const holder = { root: JSON.parse(JSON.stringify(document)) };
  for (const { op, path, value } of operations) {
    const keys = ["root", ...path.split("/").slice(1).map((key) => key.replace(/~1/g, "/").replace(/~0/g, "~"))];
    const last = keys.pop(), parent = keys.reduce((object, key) => object[key], holder);
    if (Array.isArray(parent)) parent.splice(last === "-" ? parent.length : Number(last), op === "add" ? 0 : 1,
                                             ...(op === "remove" ? [] : [value]));
    else if (op === "remove") delete parent[last];
    else parent[last] = value;
  }
  return holder.root;
}
