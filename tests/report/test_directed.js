// Reports of runs whose links go one way: arrows where a link has no opposite, and times of other networks.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { Chromium, waitFor } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
const scenario = {
  lagnet: 1, name: "one way",
  data: { source: "gaussian_regression", samples: 63, features: 4 },
  problem: { loss: { kind: "squared" }, regularizer: { kind: "l2", weight: 0.1 } },
  topology: { kind: "orient", of: { kind: "lattice", rows: 3, columns: 3 }, one_way: 0.5 },
  network: { latency_ms: { kind: "uniform", low: 1, high: 30 }, bandwidth_bytes_per_s: 1e5,
             links: [{ links: [[0, 1]], latency_ms: 11 }] },
  algorithm: { kind: "push_diging", step: 0.02 }, stop: { rounds: 40 },
  record: { timeline: true },
};
let folder;

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8" });
}

/** The rows of a CSV file as lists of numbers, without its head. */
function rows(file) {
  const lines = fs.readFileSync(path.join(folder, file), "utf8").trimEnd().split("\n");
  return lines.slice(1).map((line) => line.split(",").map(Number));
}

/** "0 1" for each link, and of them those that have no opposite. */
function links() {
  const all = new Set(rows("run/links.csv").map(([from, to]) => `${from} ${to}`));
  const oneWay = [...all].filter((ends) => !all.has(ends.split(" ").reverse().join(" ")));
  assert.ok(oneWay.length > 0 && oneWay.length < all.size);
  return { all, oneWay: new Set(oneWay), drawn: oneWay.length + (all.size - oneWay.length) / 2 };
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-directed-"));
  // Named is a link that there is.
  for (let seed = 1; ; ++seed) {
    fs.writeFileSync(path.join(folder, "s.json"), JSON.stringify({ ...scenario, seed }));
    try {
      lagnet("run", "s.json", "--out", "run", "--quiet");
      break;
    } catch (error) {
      assert.match(String(error.stderr), /a link of the topology/);
    }
  }
  lagnet("report", "run", "-o", "report.html");
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

function pageTest(name, body) {
  test(name, { skip }, () => chromium.inReport(path.join(folder, "report.html"), body));
}

for (const figure of ["topology", "playback"])
  pageTest(`links that go one way have arrows: ${figure}`, async (page) => {
    const { oneWay, drawn } = links();
    const shown = await page.evaluate((name) => {
      const [series] = window.lagnetReport.panels[name].chart.getOption().series;
      return series.links.map(({ source, target, symbol }) => [`${source} ${target}`, symbol ? symbol.join() : ""]);
    }, figure);
    assert.equal(shown.length, drawn);
    const arrows = shown.filter(([, symbol]) => symbol === "none,arrow").map(([ends]) => ends);
    assert.deepEqual(new Set(arrows), oneWay);
    assert.equal(shown.filter(([, symbol]) => !symbol).length, drawn - oneWay.size);
  });

pageTest("the topology's summary counts links that go one way", async (page) => {
  const { oneWay, drawn } = links();
  const told = await page.locator("#topology").textContent();
  assert.ok(told.includes(`9 agents and ${drawn} links, ${oneWay.size} of them one way.`), told);
});

pageTest("a saved loop has an arrow for each link that goes one way", async (page) => {
  const [download] = await Promise.all([page.waitForEvent("download"),
                                        page.locator("#playback button:text-is('Save loop (SVG)')").click()]);
  const svg = fs.readFileSync(await download.path(), "utf8"), [, points] = svg.match(/class="arrows" d="([^"]*)"/);
  assert.equal(points.split("z").length - 1, links().oneWay.size);
});

pageTest("times of other networks are those of lagnet retime, link by link", async (page) => {
  const setNumber = async (key, value) => {
    await page.locator(`#what-if-${key}-number`).fill(String(value));
    await page.keyboard.press("Tab");
    await waitFor(page, () => {
      const panel = window.lagnetReport.panels["what-if"];
      return panel.times && !panel.worker.question && !panel.worker.next;
    });
  };
  await setNumber("latency_ms", 7.5);
  await setNumber("bandwidth_bytes_per_s", 23456);
  lagnet("retime", "run", "--quiet", "--out", "other", "--set", "network.latency_ms=7.5",
         "--set", "network.bandwidth_bytes_per_s=23456");
  const now = await page.evaluate(() => window.lagnetReport.panels["what-if"].times[0]);
  const wanted = rows("other/progress.csv");
  assert.equal(wanted.length, 41);
  for (const [round, seconds] of wanted) assert.equal(now[round] / 1e9, seconds);
});

test("figures for print have arrows, too", () => {
  for (const figure of ["topology", "playback"]) {
    lagnet("report", "run", "--figure", figure, "--format", "svg", "-o", `${figure}.svg`);
    const svg = fs.readFileSync(path.join(folder, `${figure}.svg`), "utf8");
    // The arrow of ECharts: from its point to both corners and back.
    assert.equal([...svg.matchAll(/d="M0 0L[^"MA]*L0 0Z"/g)].length, links().oneWay.size, figure);
  }
});
