// What `lagnet report` says of the runs: `model` is the JSON in the page, made by scenarios/report/report_model.cpp.

/** The values of a column of a table; those that are all the same stand there once. Null if there is no such column. */
function columnOf(table, name) {
  if (!table || !(name in table.columns)) return null;
  const values = table.columns[name];
  return Array.isArray(values) ? values : new Array(table.rows).fill(values);
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

/** A control that chooses the run that a figure is about; none where there is but one. */
function runControl(model) {
  if (model.runs.length < 2) return [];
  const options = model.runs.map((run, index) => [String(index), run.label]);
  return [{ key: "run", label: "Run", kind: "select", options, value: "0" }];
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
