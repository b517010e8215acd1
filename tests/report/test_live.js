// The page of `lagnet serve` in headless Chromium, while a sweep fills its folder.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const readline = require("node:readline");
const { Chromium, seriesOf, waitFor } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
// Two points that end, and two that only an interruption ends.
const scenario = {
  lagnet: 1, name: "live <b>runs</b>",
  data: { source: "gaussian_regression", samples: 20, features: 7 },
  topology: { kind: "ring", agents: 5 },
  network: { latency_ms: 2 },
  algorithm: { kind: "fd_primal_dual" },
  record: { every: 2000 },
  sweep: { "/stop/rounds": [20000, 1e12], "/seed": [1, 2] },
};
const started = [];
let folder;

function start(...words) {
  const child = spawn(process.env.LAGNET, words, { cwd: folder });
  const said = { out: "", err: "", status: once(child, "close").then(([code]) => code) };
  child.stdout.on("data", (text) => { said.out += text; });
  child.stderr.on("data", (text) => { said.err += text; });
  started.push(child);
  return { child, said };
}

/** A server of runs, with the address of its page. */
async function serve() {
  const { child } = start("serve", "runs", "--ends-with-input");
  const [url] = await once(readline.createInterface({ input: child.stdout }), "line");
  return url;
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-live-"));
  fs.writeFileSync(path.join(folder, "s.json"), JSON.stringify(scenario));
});

after(async () => {
  await chromium.close();
  for (const child of started) child.kill("SIGKILL");
  fs.rmSync(folder, { recursive: true });
});

const line = (page) => page.locator("#live p").first();

/** Waits for a text of the strip, which says how far the sweep is. */
function waitForLine(page, pattern) {
  return waitFor(page, (source) => new RegExp(source).test(document.querySelector("#live p").textContent),
                 pattern.source);
}

/** How many points the longest curve has. */
async function longestCurve(page) {
  return Math.max(...(await seriesOf(page, "convergence")).map(({ data }) => data.length));
}

async function waitUntil(isSo, what) {
  const deadline = Date.now() + 120_000;
  while (!await isSo()) {
    assert.ok(Date.now() < deadline, `waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test("points appear, curves grow, choices stay, and a button stops the sweep, which can go on", { skip }, async () => {
  const url = await serve();
  await chromium.inServed(url, async (page) => {
    await waitForLine(page, /No point has begun yet/);
    const sweep = start("sweep", "s.json", "--out", "runs", "--jobs", "1");
    await waitForLine(page, /^2 of 4 points done, 1 under way, best relative error \S+ \(.+\)/);
    await waitFor(page, () => window.lagnetReport && window.lagnetReport.model.runs.length === 3);
    assert.equal(await page.locator("h1").textContent(), scenario.name);
    assert.match(await page.locator("#runs tbody").textContent(), /under way, round/);
    // What the reader has chosen outlives the next model.
    await page.locator("#convergence-x").selectOption("round");
    await page.locator("#convergence-logY").uncheck();
    await page.locator("#shared-run").selectOption({ index: 1 });
    await page.locator("#repeat details summary").last().click();
    const run = await page.locator("#shared-run option:checked").textContent();
    const rows = Math.max(await longestCurve(page), 11);  // the two that have ended have 11 rows
    await waitUntil(async () => await longestCurve(page) > rows, "the curve grows");
    assert.equal(await page.locator("#convergence-x").inputValue(), "round");
    assert.equal(await page.locator("#convergence-logY").isChecked(), false);
    assert.equal(await page.locator("#shared-run option:checked").textContent(), run);
    assert.equal(await page.locator("#repeat details").last().getAttribute("open"), "");
    const axes = await page.evaluate(() => {
      const { xAxis, yAxis } = window.lagnetReport.panels.convergence.chart.getOption();
      return [xAxis[0].name, yAxis[0].type];
    });
    assert.deepEqual(axes, ["Round", "value"]);

    await page.locator("#live button").click();
    assert.equal(await sweep.said.status, 130);
    assert.match(sweep.said.err, /finished points are in .*runs\.partial, and the same command goes on from there/);
    await waitForLine(page, /^Stopped: 2 of 4 points done.*Finished points are kept in .*runs\.partial/);
    assert.equal(await page.locator("#live button").isVisible(), false);
    await waitFor(page, () => window.lagnetReport.model.runs.length === 2);

    const again = start("sweep", "s.json", "--out", "runs", "--jobs", "1", "--verbose");
    await waitUntil(() => (again.said.out.match(/: finished before/g) || []).length === 2, "both are finished before");
    await waitForLine(page, /^2 of 4 points done, 1 under way/);
    again.child.kill("SIGINT");
    assert.equal(await again.said.status, 130);
  });
});

test("a page that was opened without the token shows the results and has no button", { skip }, async () => {
  const url = await serve();
  await chromium.inServed(url.split("#")[0], async (page) => {
    const sweep = start("sweep", "s.json", "--out", "runs", "--jobs", "1", "--quiet");
    await waitForLine(page, /^2 of 4 points done, 1 under way/);
    assert.equal(await page.locator("#live button").isVisible(), false);
    sweep.child.kill("SIGINT");
    await waitForLine(page, /^Stopped/);
    assert.match(await line(page).textContent(), /2 of 4/);
  });
});
