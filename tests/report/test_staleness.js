// The histogram of staleness, on the page and on paper, held against staleness.csv.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { Chromium, seriesOf } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
const scenario = {
  lagnet: 1, name: "one slow client",
  data: { source: "gaussian_regression", samples: 60, features: 4 },
  topology: { kind: "star", agents: 6 }, network: { latency_ms: { kind: "uniform", low: 1, high: 3 } },
  compute: { update_ms: [10, 11, 12, 13, 400] },
  algorithm: { kind: "async_gradient", step: 0.05 }, stop: { simulated_s: 3 }, record: { every: 10 },
  sweep: { "/algorithm": [{ kind: "async_gradient", step: 0.05 }, { kind: "fed_avg", client_step: 0.05 }] },
};
let folder;

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8" });
}

/** How often what was so old was used, over all agents: [[age, count]], ascending. */
function ages() {
  const lines = fs.readFileSync(path.join(folder, "runs/000/staleness.csv"), "utf8").trimEnd().split("\n");
  assert.equal(lines[0], "agent,staleness,count");
  const sums = new Map();
  for (const line of lines.slice(1)) {
    const [, age, count] = line.split(",").map(Number);
    sums.set(age, (sums.get(age) || 0) + count);
  }
  return [...sums].sort(([a], [b]) => a - b);
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-staleness-"));
  fs.writeFileSync(path.join(folder, "s.json"), JSON.stringify(scenario));
  lagnet("run", "s.json", "--out", "runs", "--quiet");
  lagnet("report", "runs", "-o", "report.html");
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

function pageTest(name, body, options) {
  test(name, { skip }, () => chromium.inReport(path.join(folder, "report.html"), body, options));
}

/** The bars with what their ticks say, as [from, to, height]. */
function bars(page) {
  return page.evaluate(() => {
    const { xAxis: [{ data: ticks }], series: [{ data }] } = window.lagnetReport.panels.staleness.chart.getOption();
    return ticks.map((tick, k) => {
      const [from, to = from] = String(tick).split("–").map(Number);
      return [from, to, data[k]];
    });
  });
}

pageTest("bars are the sums of staleness.csv over their spans, which follow each other from 0 to the oldest",
  async (page) => {
    const wanted = ages(), drawn = await bars(page);
    const [oldest] = wanted.at(-1);
    assert.ok(oldest > 60, `${oldest}`);  // so that a bar is more than one age
    assert.ok(drawn.length <= 60);
    assert.equal(drawn[0][0], 0);
    drawn.forEach(([from, to, count], k) => {
      if (k > 0) assert.equal(from, drawn[k - 1][1] + 1);
      const sum = wanted.filter(([age]) => age >= from && age <= to).reduce((all, [, n]) => all + n, 0);
      assert.equal(count, sum);
    });
    assert.ok(drawn.at(-1)[0] <= oldest && oldest <= drawn.at(-1)[1]);
  });

pageTest("shares add up to 100, and a logarithmic axis leaves empty spans out", async (page) => {
  const counts = await bars(page), uses = counts.reduce((sum, [, , count]) => sum + count, 0);
  await page.locator("#staleness-share").check();
  const shares = await bars(page);
  assert.ok(Math.abs(shares.reduce((sum, [, , share]) => sum + share, 0) - 100) < 1e-9);
  shares.forEach(([, , share], k) => assert.ok(Math.abs(share - 100 * counts[k][2] / uses) < 1e-9));
  await page.locator("#staleness-share").uncheck();
  await page.locator("#staleness-logY").check();
  const type = await page.evaluate(() => window.lagnetReport.panels.staleness.chart.getOption().yAxis[0].type);
  assert.equal(type, "log");
  const logarithmic = await bars(page);
  assert.ok(counts.some(([, , count]) => count === 0));
  logarithmic.forEach(([, , count], k) => assert.equal(count, counts[k][2] || null));
});

pageTest("the numbers open by the keyboard as a table that has every age, and the caption says mean and largest",
  async (page) => {
    const wanted = ages();
    const summary = page.locator("#staleness details > summary", { hasText: "Numbers of this figure as a table" });
    await summary.focus();
    await page.keyboard.press("Enter");
    await page.locator("#staleness table").waitFor();
    const told = await page.evaluate(() => window.lagnetReport.panels.staleness.built.table);
    assert.deepEqual(told.head, ["staleness", "count"]);
    assert.deepEqual(told.rows, wanted);
    assert.equal(await page.locator("#staleness tbody tr").count(), wanted.length);
    const uses = wanted.reduce((sum, [, count]) => sum + count, 0);
    const mean = wanted.reduce((sum, [age, count]) => sum + age * count, 0) / uses;
    const caption = await page.locator("#staleness figcaption").textContent();
    assert.ok(caption.includes(`${Number(mean.toPrecision(3))} updates old in the mean`), caption);
    assert.ok(caption.endsWith(`${wanted.at(-1)[0]} at most.`), caption);
    assert.equal(await page.locator("#staleness .chart").getAttribute("aria-label"), caption);
  });

pageTest("a run that has rounds says that it has none of it", async (page) => {
  await page.locator("#shared-run").selectOption("1");
  assert.equal(await page.locator("#staleness .chart").isVisible(), false);
  assert.match(await page.locator("#staleness figcaption").textContent(), /its updates are those of rounds/);
});

for (const colorScheme of ["light", "dark"])
  pageTest(`bars have the colors of a ${colorScheme} page, and the other ones after a press of its button`,
    async (page) => {
      const colors = () => page.evaluate(() => {
        const { backgroundColor, series: [{ itemStyle }] } = window.lagnetReport.panels.staleness.chart.getOption();
        return [backgroundColor, itemStyle.color];
      });
      const wanted = { light: ["#ffffff", "#0060a8"], dark: ["#1b1a18", "#5fb4f0"] };
      assert.deepEqual(await colors(), wanted[colorScheme]);
      await page.locator("#theme").click();
      assert.deepEqual(await colors(), wanted[colorScheme === "dark" ? "light" : "dark"]);
    }, { colorScheme });

test("a page whose runs all have rounds has no such figure", { skip }, async () => {
  lagnet("report", "runs/001", "-o", "rounds.html");
  await chromium.inReport(path.join(folder, "rounds.html"), async (page) => {
    assert.equal(await page.locator("#staleness").count(), 0);
    assert.equal(await page.locator("#costs").count(), 1);
  });
});

test("the histogram is drawn for print, and refused for a run that has rounds", () => {
  lagnet("report", "runs/000", "--figure", "staleness", "--format", "svg", "-o", "staleness.svg");
  const svg = fs.readFileSync(path.join(folder, "staleness.svg"), "utf8");
  assert.match(svg, /^<svg role="img" aria-label="[^"]*updates old in the mean[^"]*" width="321"/);
  assert.match(svg, />Updates old</);
  const told = spawnSync(process.env.LAGNET, ["report", "runs/001", "--figure", "staleness", "--format", "svg"],
                         { cwd: folder, encoding: "utf8" });
  assert.equal(told.status, 2);
  assert.match(told.stderr, /its updates are those of rounds/);
});
