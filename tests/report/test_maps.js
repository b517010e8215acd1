// Maps of a scenario, on the page and on paper, held against the progress files.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { Chromium } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
const level = 0.01, latencies = [0.1, 50], speeds = [1e5, 1e9], steppings = [1, 16], seeds = [1, 2, 3];
const scenario = {
  lagnet: 1, name: "who is first",
  data: { source: "gaussian_regression", samples: 60, features: 12 },
  topology: { kind: "star", agents: 4 }, network: { latency_ms: 1 }, compute: { speed_flops_per_s: 1e9 },
  algorithm: { kind: "fed_avg", client_step: 0.05 }, stop: { rounds: 60 },
  maps: [
    { title: "local steps", across: "/network/latency_ms/value", down: "/compute/speed_flops_per_s/value",
      curves: ["/algorithm/local_steps"], to: level },
    { title: "never", across: "/network/latency_ms/value", down: "/compute/speed_flops_per_s/value",
      curves: ["/algorithm/local_steps"], to: 1e-14 },
  ],
  sweep: { "/algorithm/local_steps": steppings, "/network/latency_ms": latencies, "/compute/speed_flops_per_s": speeds,
           "/seed": seeds },
};
let folder;

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8" });
}

/** Seconds to the level, of each run, by "steps latency speed". */
function arrivals() {
  const found = new Map();
  let point = 0;
  const all = steppings.flatMap((steps) => latencies.flatMap((latency) => speeds.flatMap((speed) =>
    seeds.map((seed) => ({ steps, latency, speed, seed })))));
  for (const { steps, latency, speed, seed } of all) {
    const name = String(point++).padStart(3, "0");
    const told = JSON.parse(fs.readFileSync(path.join(folder, "runs", name, "scenario.json"), "utf8"));
    assert.equal(told.seed, seed);
    const lines = fs.readFileSync(path.join(folder, "runs", name, "progress.csv"), "utf8").trimEnd().split("\n");
    const [head, ...rows] = lines.map((line) => line.split(","));
    const above = rows.findLastIndex((cells) => !(Number(cells[head.indexOf("relative_error")]) <= level));
    const row = rows[above + 1];
    const key = `${steps} ${latency} ${speed}`;
    found.set(key, [...(found.get(key) || []), row ? Number(row[head.indexOf("simulated_s")]) : Infinity]);
  }
  return found;
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-maps-"));
  fs.writeFileSync(path.join(folder, "s.json"), JSON.stringify(scenario));
  lagnet("run", "s.json", "--out", "runs", "--quiet");
  lagnet("report", "runs", "-o", "report.html");
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

test("each cell has who is first in the median of the seeds, and its time", { skip }, async () => {
  await chromium.inReport(path.join(folder, "report.html"), async (page) => {
    const cells = await page.evaluate(() => window.lagnetReport.panels["panel-1"].chart.getOption().series[0].data
      .map(({ value, all }) => ({ column: value[0], row: value[1], all })));
    assert.equal(cells.length, 4);
    const wanted = arrivals(), winners = new Set();
    for (const { column, row, all } of cells) {
      const expected = steppings.map((steps) => {
        const times = wanted.get(`${steps} ${latencies[column]} ${speeds[row]}`).sort((a, b) => a - b);
        return { label: `local_steps=${steps}`, cost: times[1] };
      }).sort((a, b) => a.cost - b.cost);
      assert.deepEqual(all.map(({ label }) => label), expected.map(({ label }) => label));
      for (const [k, { cost }] of all.entries())  // the page's numbers have nine digits
        assert.ok(Math.abs(cost - expected[k].cost) <= 1e-8 * expected[k].cost, `${cost}, ${expected[k].cost}`);
      winners.add(all[0].label);
    }
    assert.equal(winners.size, 2);  // latency decides, so that the map shows something
    const never = await page.evaluate(() => window.lagnetReport.panels["panel-2"].chart.getOption().series[0].data
      .map(({ value }) => value[2]));
    assert.deepEqual(never, ["-", "-", "-", "-"]);
    const maps = await page.evaluate(() => window.lagnetReport.model.maps.length);
    assert.equal(maps, 2);
  });
});

test("maps are counted after the panels, and drawn for print with names and times in their cells", () => {
  lagnet("report", "runs", "--panel", "1", "--format", "svg", "-o", "map.svg");
  const svg = fs.readFileSync(path.join(folder, "map.svg"), "utf8");
  assert.match(svg, /aria-label="First to relative error 0.01 over latency_ms and speed_flops_per_s: /);
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
  assert.equal(texts.filter((text) => /^local_steps=(1|16)$/.test(text)).length, 4);
  assert.ok(texts.includes("latency_ms") && texts.includes("speed_flops_per_s"));
  assert.throws(() => lagnet("report", "runs", "--panel", "3", "--format", "svg"), /one of the 2 panels/);
});

test("a map of a column that no run has, or without a level, is refused before any run", () => {
  const refused = (change) => {
    const wrong = { ...scenario, maps: [{ ...scenario.maps[0], ...change }] };
    fs.writeFileSync(path.join(folder, "wrong.json"), JSON.stringify(wrong));
    try {
      lagnet("validate", "wrong.json");
    } catch (error) {
      assert.equal(error.status, 2);
      return error.stderr;
    }
    return "";
  };
  assert.match(refused({ y: "relativ_error" }), /maps\/0\/y: expected one of the columns .*mean relative_error\?/);
  assert.match(refused({ to: 0 }), /maps\/0\/to: expected a number above 0, found 0/);
  assert.match(refused({ across: "latency" }), /maps\/0\/across: expected a JSON pointer, found "?latency"?/);
  assert.match(refused({ curves: [] }), /maps\/0\/curves: expected one JSON pointer or more, found none/);
});
