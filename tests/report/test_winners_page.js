// Whom the page names: its own sentences, of 300 random comparisons and maps, against a plain script. They have ties,
// series that some seeds or none get there with, and levels that one alone reaches.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const vm = require("node:vm");

const page = path.join(__dirname, "../../tools/report/page");
const scripts = ["format", "model", "look", "facets", "convergence", "comparison", "heat", "winners"];
const wanted = "{ranking, pareto, heat, winnersBuilt, leadingRun, defaultLevel, makeLook, useLabels, initialState}";
const names = vm.runInNewContext(
  `${scripts.map((name) => fs.readFileSync(path.join(page, `${name}.js`), "utf8")).join("\n")}\n(${wanted})`);
const trials = 300, levels = [0.1, 0.01, 0.001];

/** Numbers from 0 to 1, the same for each seed (Knuth's linear congruential generator, MMIX). */
function drawing(seed) {
  let state = BigInt(seed) * 7919n + 1n;
  const next = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
    return Number(state >> 11n) / 2 ** 53;
  };
  return { next, among: (list) => list[Math.floor(next() * list.length)] };
}

/** Costs of a series' runs, each null where it does not get there. */
function randomCosts(draws, runs, share) {
  const scale = draws.among([1, 2, 5, 40]);
  return Array.from({ length: runs }, () => (draws.next() < share ? null : scale * draws.among([1, 1, 2, 3])));
}

function costOf(series, all) {
  const known = all.filter((one) => one !== null).sort((a, b) => a - b), half = all.length >> 1;
  const padded = [...known, ...new Array(all.length - known.length).fill(Infinity)];
  const middle = all.length % 2 ? padded[half] : (padded[half - 1] + padded[half]) / 2;
  return { series, median: Number.isFinite(middle) ? middle : null, min: known[0] ?? null, max: known.at(-1) ?? null,
           reached_by: known.length, runs: all.length };
}

function randomModel(draws) {
  const labels = ["a", "b", "c", "d"].slice(0, 2 + Math.floor(draws.next() * 3)), count = draws.among([1, 2, 3]);
  const share = draws.among([0.2, 0.2, 0.2, 0.97]);
  const runsOf = (group) => Array.from({ length: count }, (_, k) => group * count + k);
  const groups = labels.map((label, group) => ({ label, runs: runsOf(group) }));
  const runs = groups.flatMap(({ label, runs: own }) => own.map((k) => ({ label: `${label} ${k}` })));
  const rows = levels.flatMap((to) => ["simulated_s", "bytes"].map((currency) =>
    ({ to, currency, costs: labels.map((label) => costOf(label, randomCosts(draws, count, share))) })));
  const asked = draws.among([null, ...levels]);
  const pointers = { "/x": ["1", "2"], "/y": ["8", "9"] };
  const differences = Object.entries(pointers).map(([pointer, values], digit) => ({
    pointer, values: runs.map((_, run) => values[(groups.findIndex((one) => one.runs.includes(run)) >> digit) & 1]) }));
  return { labels: {}, runs, groups, differences, panels: [], maps: [], comparison: { asked, verdict: { rows } } };
}

/** Those whose cost is the least, or at most a hundredth more. */
function tiedAt(costs) {
  const least = Math.min(...costs.map(([, cost]) => cost));
  return costs.filter(([, cost]) => cost < Infinity && cost <= 1.01 * least).map(([name]) => name).sort();
}

/** "a", "a, b and c", and of more two and how many others there are; or "nobody". */
function assertNames(told, names) {
  const words = told === "nobody" ? [] : told.split(/, | and /);
  if (names.length > 3) assert.equal(words.pop(), `${names.length - 2} others`, told);
  else assert.equal(words.length, names.length, told);
  for (const word of words) assert.ok(names.includes(word), `${told}: expected ${names}`);
}

const look = { ...names.makeLook(), width: 1000 };

test("bars, fronts, maps and the run shown first are of whom a plain script names", () => {
  names.useLabels({ labels: {} });
  const seen = { asked: 0, front: 0, nobody: 0, open: 0, empty: 0, tied: 0 };
  for (let trial = 0; trial < trials; ++trial) {
    const draws = drawing(trial), model = randomModel(draws), { rows } = model.comparison.verdict;
    const timeTo = (to) => rows.find((row) => row.to === to && row.currency === "simulated_s").costs;
    const reachedBy = (to) => timeTo(to).filter(({ median }) => median !== null).length;
    const { asked } = model.comparison, level = asked !== null && reachedBy(asked) ? asked
      : levels.findLast((to) => reachedBy(to) > 1) ?? levels.findLast((to) => reachedBy(to)) ?? levels[0];
    assert.equal(names.defaultLevel(model), level, `trial ${trial}`);
    seen.asked += asked === level;

    const costs = timeTo(level), least = Math.min(...costs.map(({ median }) => median ?? Infinity));
    const first = costs.find(({ median }) => median === least);
    const leader = model.groups.find(({ runs }) => runs.includes(names.leadingRun(model)));
    if (first) assert.equal(costs.find(({ series }) => series === leader.label).median, least, `trial ${trial}`);
    else seen.nobody += 1;

    const { summary, table, option } = names.ranking.build(model, names.initialState(names.ranking, model), look);
    const medians = table.rows.map(([, median]) => median ?? Infinity);
    assert.deepEqual([...medians].sort((a, b) => a - b), [...medians]);
    for (const [series, median] of table.rows) assert.equal(costs.find((one) => one.series === series).median, median);
    const isOpen = costs.some(({ min, reached_by: by, runs }) => min !== null && by < runs);
    assert.equal(summary.includes("dashed"), isOpen, summary);
    assert.equal(option.series[1].data.some(([, , , open]) => open), isOpen);
    seen.open += isOpen;

    const bytes = rows.find((row) => row.to === level && row.currency === "bytes").costs;
    const bytesOf = (name) => bytes.find(({ series }) => series === name).median;
    const points = costs.map(({ series, median }) => ({ series, x: median, y: bytesOf(series) }))
      .filter(({ x, y }) => x !== null && y !== null);
    const isBeaten = (one) => points.some(({ x, y }) => x <= one.x && y <= one.y && (x < one.x || y < one.y));
    const built = names.pareto.build(model, names.initialState(names.pareto, model), look);
    if (points.length < 2) {
      assert.ok(built.empty);
    } else {
      const front = built.table.rows.filter((row) => row[3] === "yes").map(([series]) => series).sort();
      assert.deepEqual([...front], points.filter((one) => !isBeaten(one)).map(({ series }) => series).sort());
      for (const series of front) assert.ok(built.summary.includes(series), built.summary);
      seen.front += 1;
    }

    const map = names.heat.build(model, { to: level, across: "/x", down: "/y" }, look);
    if (!first || model.groups.length < 3) {  // the second key differs from the third series on
      assert.ok(map.empty);
      seen.empty += 1;
    } else {
      const [, told, seconds] = /least with (.+), ([^ ]+) s\./.exec(map.summary);
      assertNames(told, tiedAt(costs.map(({ series, median }) => [series, median ?? Infinity])));
      assert.equal(Number(seconds), least);
      seen.tied += told.length > 1;
    }
  }
  assert.ok(Math.min(...Object.values(seen)) > 10, JSON.stringify(seen));
});

test("cells of a scenario's map are of whom a plain script names", () => {
  let tied = 0;
  for (let trial = 0; trial < trials; ++trial) {
    const draws = drawing(trial), to = 0.1, contestants = ["a", "b", "c"], runs = [], curves = [], cells = new Map();
    for (const [column, row] of [[0, 0], [1, 0], [0, 1]])
      for (const label of contestants) {
        const arrivals = Array.from({ length: draws.among([1, 2, 3]) }, () => {
          const y = Array.from({ length: 12 }, (_, k) => 0.6 ** (k * draws.among([0.5, 1, 1.5])));
          const x = y.map((_, k) => k * draws.among([1, 1, 2]) + k * 4), above = y.findLastIndex((one) => one > to);
          runs.push({ label, progress: { rows: 12, columns: { t: x, e: y } } });
          return above + 1 < 12 ? x[above + 1] : Infinity;
        });
        const ids = arrivals.map((_, k) => runs.length - arrivals.length + k), sorted = arrivals.sort((a, b) => a - b);
        const half = sorted.length >> 1, key = `${column} ${row}`;
        const middle = sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        curves.push({ label, column, row, runs: ids });
        cells.set(key, [...(cells.get(key) || []), [label, middle]]);
      }
    const map = { x: "t", y: "e", to, curves, across: { pointer: "/p", values: ["1", "2"] },
                  down: { pointer: "/q", values: ["3", "4"] } };
    const { table } = names.winnersBuilt({ runs }, map, look);
    for (const [across, down, first, cost] of table.rows) {
      const all = cells.get(`${map.across.values.indexOf(across)} ${map.down.values.indexOf(down)}`);
      const least = Math.min(...all.map(([, one]) => one));
      assert.equal(cost, Number.isFinite(least) ? least : null, `trial ${trial}`);
      assertNames(first, tiedAt(all));
      tied += / and /.test(first);
    }
  }
  assert.ok(tied > 10, `${tied} ties`);
});
