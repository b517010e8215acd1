// What `lagnet compare` prints and what the page of the same runs shows.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { Chromium, seriesOf } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
// After 18 rounds some seeds have reached the tolerance and others have not.
const scenario = {
  lagnet: 1, data: { source: "gaussian_regression", samples: 60, features: 8 },
  problem: { regularizer: { kind: "l2", weight: 0.1 } },
  topology: { kind: "ring", agents: 6 },
  network: { latency_ms: { kind: "uniform", low: 1, high: 9 }, up_bytes_per_s: 1e5, down_bytes_per_s: 1e5 },
  algorithm: { kind: "extra" }, stop: { rounds: 18, relative_error: 1e-3 },
  sweep: { "/algorithm/kind": ["extra", "nids"], "/seed": [1, 2, 3, 4, 5] },
};
let folder;

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8", maxBuffer: 1e8 });
}

// Numbers of a page have nine digits.
function assertSame(found, wanted, what) {
  assert.ok(Math.abs(found - wanted) <= 1e-8 * Math.abs(wanted), `${what}: ${found} instead of ${wanted}`);
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-compared-"));
  fs.writeFileSync(path.join(folder, "s.json"), JSON.stringify(scenario));
  lagnet("run", "s.json", "--out", "runs", "--quiet");
  lagnet("report", "runs", "-o", "page.html");
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

function pageTest(name, body) {
  test(name, { skip }, () => chromium.inReport(path.join(folder, "page.html"), body));
}

pageTest("the page begins with the sentences that compare prints", async (page) => {
  const printed = lagnet("compare", "runs").split("\n").map((line) => line.trim());
  const items = await page.locator("#verdict li").allTextContents();
  const levels = printed.filter((line) => /^To 1e-/.test(line));
  assert.ok(levels.length >= 2);
  for (const sentence of levels) assert.ok(items.includes(sentence), sentence);
  assert.equal(await page.locator("#verdict .setting").textContent(), printed[1]);
});

pageTest("bars are the medians that compare prints, from the axis on", async (page) => {
  const { accuracy } = JSON.parse(lagnet("compare", "runs", "--json", "--to", "1e-2"));
  await page.locator("#verdict select").first().selectOption("0.01");
  const { bars, start, least } = await page.evaluate(() => {
    const { chart } = window.lagnetReport.panels.ranking;
    const { yAxis: [{ data: names }], series: [{ data }], xAxis: [axis] } = chart.getOption();
    return { bars: names.map((name, k) => [name, data[k].value]), start: axis.startValue ?? 0, least: axis.min };
  });
  assert.equal(start, least);
  assert.equal(bars.length, 2);
  const seconds = accuracy.filter(({ currency }) => currency === "simulated_s");
  for (const [name, value] of bars) assertSame(value, seconds.find(({ series }) => series === name).median, name);
});

test("curves of long runs are drawn as they were recorded, in their steep beginning, too", { skip }, async () => {
  const long = { ...scenario, data: { source: "gaussian_regression", samples: 200, features: 30 },
                 problem: { regularizer: { kind: "l2", weight: 0.001 } }, algorithm: { kind: "gradient_tracking" },
                 stop: { rounds: 4000, relative_error: 1e-12 },
                 sweep: { "/seed": [1, 2, 3], "/topology/kind": ["ring", "complete", "path", "star"] } };
  fs.writeFileSync(path.join(folder, "long.json"), JSON.stringify(long));
  lagnet("run", "long.json", "--out", "long", "--quiet");
  lagnet("report", "long", "-o", "long.html");
  const { curves } = JSON.parse(lagnet("compare", "long", "--json", "--table", "curves", "--points", "0"));
  await chromium.inReport(path.join(folder, "long.html"), async (page) => {
    const lines = (await seriesOf(page, "convergence")).filter(({ type }) => type === "line");
    assert.equal(lines.length, 4);
    let leftOut = 0;
    for (const { name, data } of lines) {
      const wanted = curves.filter(({ series }) => series === name);
      leftOut += wanted.length - data.length;
      const decades = Math.log10(wanted[0].median / wanted.at(-1).median);
      let k = 0;
      for (const { simulated_s: x, median } of wanted) {
        while (k + 1 < data.length && data[k + 1][0] <= x * (1 + 1e-9)) ++k;
        const off = Math.abs(Math.log10(data[k][1] / median));
        // Two hundredths of the height of the curve: what a pen covers.
        assert.ok(off <= 0.02 * decades, `${name} at ${x}: ${data[k][1]} instead of ${median}`);
      }
    }
    assert.ok(leftOut > 1000, `only ${leftOut} points were left out`);
    const caption = await page.locator("#convergence figcaption").textContent();
    assert.match(caption, /Thinned out: \d+ of [\d\u202f]+ rows\./);
  });
});

pageTest("the page begins with the tolerance of the runs and a run of whom compare has first", async (page) => {
  const { verdict } = JSON.parse(lagnet("compare", "runs", "--json"));
  const { to, leader } = verdict.findLast((row) => row.currency === "simulated_s" && row.leader);
  assert.equal(await page.locator("#verdict select").first().inputValue(), String(to));
  assert.match(await page.locator("#shared-run option:checked").textContent(), new RegExp(`^${leader}`));
});

test("the page begins with the level that was asked for, which only figures of levels take", { skip }, async () => {
  lagnet("report", "runs", "-o", "asked.html", "--to", "1e-2,3e-2");
  await chromium.inReport(path.join(folder, "asked.html"), async (page) => {
    const select = page.locator("#verdict select").first();
    assert.equal(await select.inputValue(), "0.01");
    const values = await select.locator("option").evaluateAll((all) => all.map(({ value }) => value));
    assert.deepEqual(values, ["0.03", "0.01"]);
  });
  assert.throws(() => lagnet("report", "runs", "--figure", "convergence", "-o", "c.svg", "--to", "0.1"), { status: 2 });
  assert.throws(() => lagnet("report", "runs", "-o", "x.html", "--to", "small"), { status: 2 });
  assert.ok(!fs.existsSync(path.join(folder, "c.svg")) && !fs.existsSync(path.join(folder, "x.html")));
});

test("bars of which some runs never get there have lines without an end", { skip }, async () => {
  const tight = { ...scenario, stop: { rounds: 18 } };
  fs.writeFileSync(path.join(folder, "tight.json"), JSON.stringify(tight));
  lagnet("run", "tight.json", "--out", "tight", "--quiet");
  lagnet("report", "tight", "-o", "tight.html");
  const { accuracy } = JSON.parse(lagnet("compare", "tight", "--json"));
  const some = accuracy.find(({ currency, reached_by: by, runs }) => currency === "simulated_s" && by > 0 && by < runs);
  assert.ok(some, "a level that some runs get to");
  await chromium.inReport(path.join(folder, "tight.html"), async (page) => {
    await page.locator("#verdict select").first().selectOption(String(some.to));
    const open = await page.evaluate(() => window.lagnetReport.panels.ranking.chart.getOption().series[1].data
      .filter(([, , , isOpen]) => isOpen).length);
    assert.ok(open > 0);
    assert.match(await page.locator("#ranking figcaption").textContent(), /; dashed where others never do\. /);
  });
});

test("a deadlock is told in the first screen, without bars for levels that were not reached", { skip }, async () => {
  const lossy = { ...scenario, network: { latency_ms: 5, loss_probability: 0.9 }, sweep: undefined };
  fs.writeFileSync(path.join(folder, "lossy.json"), JSON.stringify(lossy));
  assert.throws(() => lagnet("run", "lossy.json", "--out", "lossy", "--quiet"), { status: 1 });
  lagnet("report", "lossy", "-o", "lossy.html");
  await chromium.inReport(path.join(folder, "lossy.html"), async (page) => {
    const told = page.locator("#verdict .never li").first();
    assert.match(await told.textContent(), /^extra: deadlock after .*: agents wait for messages that never come/);
    assert.ok((await told.boundingBox()).y < 400);
    assert.match(await page.locator("#ranking").textContent(), /No level of accuracy was reached/);
  });
});

pageTest("lines with bands are the median curves of compare, to the same ends", async (page) => {
  const { curves } = JSON.parse(lagnet("compare", "runs", "--json", "--points", "0"));
  const lines = (await seriesOf(page, "convergence")).filter(({ type }) => type === "line");
  assert.deepEqual(lines.map(({ name }) => name), ["extra", "nids"]);
  for (const { name, data } of lines) {
    const wanted = new Map(curves.filter(({ series, median }) => series === name && median !== null)
      .map(({ simulated_s, median }) => [simulated_s, median]));
    assert.ok(data.length > 18);
    for (const [x, y] of data) {
      const at = [...wanted.keys()].find((one) => Math.abs(one - x) <= 1e-8 * x);
      assert.notEqual(at, undefined, `${name} at ${x}`);
      assertSame(y, wanted.get(at), `${name} at ${x}`);
    }
    assertSame(Math.max(...wanted.keys()), data.at(-1)[0], `the end of ${name}`);
  }
});
