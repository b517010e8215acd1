// What everybody waited for, on the page and on paper, held against critical_path.csv.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { Chromium } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
const scenario = {
  lagnet: 1, name: "narrow up-link",
  data: { source: "gaussian_regression", samples: 20, features: 3 },
  topology: { kind: "star", agents: 3 }, algorithm: { kind: "distributed_proximal_gradient" }, stop: { rounds: 10 },
  network: { latency_ms: 50, bandwidth_bytes_per_s: null, model_bytes: 1e6,
             interfaces: [{ agents: [0], up_bytes_per_s: 1e6 }] },
  compute: { update_ms: 100 },
};
let folder;

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8" });
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-path-"));
  fs.writeFileSync(path.join(folder, "s.json"), JSON.stringify(scenario));
  lagnet("run", "s.json", "--out", "with", "--quiet", "--set", "record.critical_path=true");
  lagnet("run", "s.json", "--out", "without", "--quiet");
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

test("bars are the rows of critical_path.csv, stacked by what was waited for", { skip }, async () => {
  lagnet("report", "with", "-o", "with.html");
  const rows = fs.readFileSync(path.join(folder, "with/critical_path.csv"), "utf8").trimEnd().split("\n").slice(1)
    .map((line) => line.split(",")).map(([what, kind, time, share]) => [what, kind, Number(time), Number(share)]);
  await chromium.inReport(path.join(folder, "with.html"), async (page) => {
    const { option, table } = await page.evaluate(() => {
      const panel = window.lagnetReport.panels["critical-path"];
      const { yAxis: [{ data }], series } = panel.chart.getOption();
      return { option: { data, series: series.map(({ name, data: bars }) => [name, bars]) }, table: panel.built.table };
    });
    assert.deepEqual(table, { head: ["what", "kind", "time_s", "share"], rows });
    assert.deepEqual(option.data, ["server's up-link", "agent 2", "link 0 -> 2", "link 2 -> 0"]);
    const drawn = option.series.flatMap(([kind, bars]) => bars.map((bar, k) => [option.data[k], kind, bar]))
      .filter(([, , bar]) => bar > 0);
    const wanted = rows.map(([what, kind, , share]) => [what, kind, 100 * share]);
    assert.deepEqual(drawn.map(String).sort(), wanted.map(String).sort());
    const caption = await page.locator("#critical-path figcaption").textContent();
    assert.equal(caption, "with: in 22 s everybody waited for queueing (45.5 %), transfer (45.5 %), computing " +
      "(4.55 %) and latency (4.55 %), longest for server's up-link (90.9 %).");
  });
});

test("a page whose runs did not record it has no such figure", { skip }, async () => {
  lagnet("report", "without", "-o", "without.html");
  await chromium.inReport(path.join(folder, "without.html"), async (page) => {
    assert.equal(await page.locator("#critical-path").count(), 0);
    assert.equal(await page.locator("#costs").count(), 1);
  });
});

test("the figure is drawn for print", { skip }, () => {
  lagnet("report", "with", "--figure", "critical-path", "--format", "svg", "-o", "path.svg");
  assert.match(fs.readFileSync(path.join(folder, "path.svg"), "utf8"), /up-link/);
});
