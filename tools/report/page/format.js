// Numbers, units and names as a reader wants them.

/** How columns are called, by name: the labels of the model. */
let columnLabels = {};

function useLabels(model) {
  columnLabels = model.labels;
}

/** A column's name in words; the name itself with blanks where lagnet does not know it. */
function columnLabel(name) {
  return columnLabels[name] || name.replace(/_s$/, " (s)").replace(/_/g, " ");
}

/** The same beside an axis, where on paper there is no room for a definition. */
function axisLabel(look, name) {
  return look.paper ? columnLabel(name).replace(" (F − F*) / (F(0) − F*)", "") : columnLabel(name);
}

const superscripts = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** 10⁻³ and the like. */
function powerOfTen(exponent) {
  return "10" + String(exponent).replace(/./g, (c) => superscripts[c]);
}

const prefixes = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

/** So many significant digits; with a prefix from a million on, in powers of ten below a thousandth. */
function formatNumber(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e6) return x.toLocaleString("en-US").replace(/,/g, "\u202f");
  if (size >= 1e15) return formatPower(x, digits);
  for (const [scale, prefix] of prefixes.slice(0, 3))
    if (size >= scale) return `${Number((x / scale).toPrecision(digits))} ${prefix}`;
  return size >= 1e-3 ? String(Number(x.toPrecision(digits))) : formatPower(x, digits);
}

/** 2.5·10⁻⁷, and 10⁻³ for a power of ten. */
function formatPower(x, digits = 4) {
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  const power = powerOfTen(Number(exponent));
  return Number(mantissa) === 1 ? power : `${Number(mantissa)}·${power}`;
}

/** A number of a column; errors are in powers of ten in every column. */
function formatValue(name, x, digits = 4) {
  const isError = /relative_error|^to$/.test(name);
  return isError && typeof x === "number" && x !== 0 && Math.abs(x) < 0.01 ? formatPower(x, digits)
    : formatNumber(x, digits);
}

/** Cut to `length` characters, with an ellipsis for the rest. */
function shortened(text, length) {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** For the ticks of an axis: short, with a prefix from a thousand on. */
function formatTick(x) {
  const size = Math.abs(x);
  for (const [scale, prefix] of prefixes)
    if (size >= scale) return Number((x / scale).toPrecision(4)) + " " + prefix;
  if (size > 0 && size < 1e-3) return formatNumber(x);
  return String(Number(x.toPrecision(6)));
}

/** The ticks of a logarithmic axis are powers of ten. */
function formatLogTick(x) {
  const exponent = Math.round(Math.log10(x));
  return exponent === 0 ? "1" : exponent === 1 ? "10" : powerOfTen(exponent);
}

/** An agent of a run: "agent 3", or with the name of its node "agent 3 (Oslo)". */
function agentLabel(run, agent) {
  return run.agent_names ? `agent ${agent} (${run.agent_names[agent]})` : `agent ${agent}`;
}

/** Text that goes into a tooltip, which takes HTML. */
function escapeHtml(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** "1 run", "3 runs". */
function counted(count, noun) {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}
