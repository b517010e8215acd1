// Reports as a reader has them: pages that `lagnet report` wrote, opened in headless Chromium.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { chromiumPath, openReport, playwright, seriesOf } = require("./browser.js");

const executablePath = chromiumPath();
const skip = executablePath ? false : "chromium is not installed";
const scenario = {
  lagnet: 1, name: "six </script> runs",
  data: { source: "gaussian_regression", samples: 40, features: 12 },
  topology: { kind: "ring", agents: 9 },
  network: { latency_ms: 2, loss_probability: 0.05, retransmit: { timeout_ms: 9 } },
  algorithm: { kind: "fd_primal_dual" },
  stop: { rounds: 60 },
  record: { every: 2, timeline: true },
  sweep: { "/topology/kind": ["ring", "lattice"], "/seed": [1, 2, 3] },
};
scenario.expect = [
  { kind: "bound", statement: "Sixty rounds", source: "60", metric: "round", combine: "mean", at_least: 60,
    at_most: 60 },
  { kind: "bound", statement: "<b>No round</b> at all", metric: "round", combine: "mean", at_most: 0 },
  { kind: "bound", statement: "No message", metric: "messages", combine: "mean", at_most: 0,
    known_to_fail: "agents <i>talk</i>" },
  { kind: "bound", statement: "Some messages", metric: "messages", combine: "mean", at_least: 1,
    known_to_fail: "there were none once" },
];
scenario.figure = [
  { title: "Rings", where: { "/topology/kind": "ring" }, curves: ["/topology/kind"] },
  { title: "Each", x: "bytes", log_x: true, curves: ["/topology/kind", "/seed"] },
];
const figures = ["convergence", "costs", "faults", "topology", "links", "timeline"];
let folder, report, browser;

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8" });
}

/** The rows of a CSV file as objects of numbers. */
function table(file) {
  const lines = fs.readFileSync(path.join(folder, file), "utf8").trimEnd().split("\n");
  const [head, ...rows] = lines.map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(row.map((cell, k) => [head[k], cell === "" ? null : Number(cell)])));
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-report-"));
  fs.writeFileSync(path.join(folder, "s.json"), JSON.stringify(scenario));
  lagnet("run", "s.json", "--out", "runs", "--quiet");
  report = path.join(folder, "report.html");
  lagnet("report", "runs", "-o", report);
  if (!skip) browser = await playwright().chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  if (browser) await browser.close();
  fs.rmSync(folder, { recursive: true });
});

/** A test of the page, in a context of its own, that ends with the page having had nothing to complain of. */
function pageTest(name, body, options) {
  test(name, { skip }, async () => {
    const { page, complaints } = await openReport(browser, report, options);
    await body(page);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

pageTest("every figure is drawn, without errors and without asking a network", async (page) => {
  const drawn = await page.evaluate(() => Object.entries(window.lagnetReport.panels)
    .map(([name, panel]) => [name, Boolean(panel.chart), panel.chartBox.querySelectorAll("svg, canvas").length]));
  assert.deepEqual(drawn, ["panel-1", "panel-2", ...figures].map((name) => [name, true, 1]));
  assert.equal(await page.locator("h1").textContent(), scenario.name);
});

pageTest("lines have the points of progress.csv", async (page) => {
  await page.locator("#convergence-bands").uncheck();
  const series = await seriesOf(page, "convergence");
  assert.equal(series.length, 6);
  series.forEach((line, k) => {
    const rows = table(`runs/00${k}/progress.csv`).filter((row) => row.relative_error > 0);
    assert.equal(line.data.length, rows.length);
    rows.forEach((row, i) => {
      // Numbers of a page have nine digits.
      for (const [found, wanted] of [[line.data[i][0], row.simulated_s], [line.data[i][1], row.relative_error]])
        assert.ok(Math.abs(found - wanted) <= 1e-8 * Math.abs(wanted), `${found} instead of ${wanted}`);
    });
  });
});

pageTest("bands reach over the seeds of each group", async (page) => {
  const series = await seriesOf(page, "convergence");
  assert.deepEqual(series.map(({ type }) => type), ["line", "custom", "line", "custom"]);
  await page.locator("#convergence-x").selectOption("round");
  const band = (await seriesOf(page, "convergence"))[1].data;
  const runs = [0, 1, 2].map((k) => table(`runs/00${k}/progress.csv`));
  assert.equal(band.length, runs[0].length);
  band.forEach(([round, low, high], row) => {
    const values = runs.map((rows) => rows[row].relative_error);
    assert.equal(round, runs[0][row].round);
    assert.ok(Math.abs(low - Math.min(...values)) <= 1e-8 * low && Math.abs(high - Math.max(...values)) <= 1e-8 * high);
  });
});

pageTest("axes and their scales are the reader's choice", async (page) => {
  const axes = () => page.evaluate(() => {
    const option = window.lagnetReport.panels.convergence.chart.getOption();
    return [option.xAxis[0].type, option.yAxis[0].type, option.xAxis[0].name, option.yAxis[0].name];
  });
  assert.deepEqual((await axes()).slice(0, 2), ["value", "log"]);
  await page.locator("#convergence-y").selectOption("bytes");
  await page.locator("#convergence-logY").uncheck();
  await page.locator("#convergence-x").selectOption("round");
  assert.deepEqual(await axes(), ["value", "value", "Round", "Bytes sent"]);
  const [line] = await seriesOf(page, "convergence");
  assert.deepEqual(line.data.at(-1)[0], scenario.stop.rounds);
  await page.locator("#convergence-logX").check();
  assert.equal((await axes())[0], "log");
});

pageTest("the legend hides and shows lines, by the keyboard too", async (page) => {
  const button = page.locator("#convergence .legend button").first();
  const shown = async () => (await seriesOf(page, "convergence")).filter((series) => series.shown).length;
  assert.equal(await shown(), 4);
  await button.focus();
  await page.keyboard.press("Enter");
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  assert.equal(await shown(), 2);
  await page.keyboard.press("Space");
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  assert.equal(await shown(), 4);
});

pageTest("the graph has every agent and every link, with its load", async (page) => {
  await page.locator("#topology-run").selectOption("3");
  const graph = await page.evaluate(() => {
    const [{ data, links }] = window.lagnetReport.panels.topology.chart.getOption().series;
    const ends = links.map(({ source, target, value }) => [source, target, value]);
    return { values: data.map((node) => node.value), links: ends };
  });
  assert.deepEqual(graph.values, table("runs/003/agents.csv").map((row) => row.bytes_sent));
  const wanted = new Map();
  for (const { from, to, bytes_sent } of table("runs/003/links.csv")) {
    const key = [Math.min(from, to), Math.max(from, to)].join();
    wanted.set(key, (wanted.get(key) || 0) + bytes_sent);
  }
  assert.equal(wanted.size, 12);  // a grid of 3 x 3
  assert.deepEqual(new Map(graph.links.map(([a, b, value]) => [[a, b].join(), value])), wanted);
});

pageTest("the heat map has a cell for each directed link", async (page) => {
  const [{ data }] = await seriesOf(page, "links");
  const wanted = table("runs/000/links.csv").map(({ from, to, bytes_sent }) => [to, from, bytes_sent].join());
  assert.deepEqual(data.map((cell) => cell.join()).sort(), wanted.sort());
});

pageTest("the timeline has computations and messages of the run", async (page) => {
  const series = await seriesOf(page, "timeline");
  const events = JSON.parse(fs.readFileSync(path.join(folder, "runs/000/timeline.json"), "utf8")).traceEvents;
  const end = await page.evaluate(() => window.lagnetReport.model.runs[0].timeline.to_s);
  const computations = events.filter((event) => event.name === "compute" && event.dur > 0 && event.ts < end * 1e6);
  const found = series.find(({ name }) => name === "computing").data;
  assert.ok(computations.length > 100);
  assert.equal(found.length, computations.length);
  const length = (list, of) => list.reduce((sum, one) => sum + of(one), 0);
  // The last slices end with the window; each of the others is right to 12 digits of a second.
  assert.ok(Math.abs(length(found, ([a, b]) => b - a) - length(computations, (event) => event.dur / 1e6)) < 1e-6);
  assert.ok(series.some(({ name, data }) => name === "message lost" && data.length > 0));
});

pageTest("the costs of all rounds add up to the totals", async (page) => {
  const series = await seriesOf(page, "costs");
  const last = table("runs/000/progress.csv").at(-1), first = table("runs/000/progress.csv")[0];
  const spans = await page.evaluate(() => window.lagnetReport.panels.costs.chart.getOption().xAxis[0].data);
  const rounds = spans.map((text) => text.split("–").map(Number)).map(([from, to = from]) => to - from + 1);
  for (const [name, column] of [["agents: idle", "idle_s"], ["messages: transfer", "transfer_s"]]) {
    const { data } = series.find((one) => one.name === name);
    const sum = data.reduce((total, value, k) => total + value * rounds[k], 0), wanted = last[column] - first[column];
    assert.ok(Math.abs(sum - wanted) <= 1e-6 * wanted, `${name}: ${sum} instead of ${wanted}`);
  }
});

pageTest("the scenario's own figure has its panels, curves and axes", async (page) => {
  assert.deepEqual(await page.locator("#figure h3").allTextContents(), ["Rings", "Each"]);
  const rings = await seriesOf(page, "panel-1"), each = await seriesOf(page, "panel-2");
  assert.deepEqual(rings.map(({ type, name }) => [type, name]), [["line", "kind ring"], ["custom", "kind ring"]]);
  assert.deepEqual(each.map(({ name }) => name), [1, 2, 3].map((seed) => `kind ring, seed ${seed}`)
    .concat([1, 2, 3].map((seed) => `kind lattice, seed ${seed}`)));
  const rows = table("runs/000/progress.csv").filter((row) => row.relative_error > 0 && row.bytes > 0);
  assert.deepEqual(each[0].data.map(([bytes]) => bytes), rows.map((row) => row.bytes));
  const axes = await page.evaluate(() => {
    const option = window.lagnetReport.panels["panel-2"].chart.getOption();
    return [option.xAxis[0].type, option.yAxis[0].type];
  });
  assert.deepEqual(axes, ["log", "log"]);
});

pageTest("claims, differences and what repeats a run are told in words", async (page) => {
  assert.match(await page.locator("#claims").textContent(), /2 of 4 statements hold/);
  assert.equal(await page.locator("#claims tbody tr").count(), 4);
  assert.equal(await page.locator("#claims b").count(), 0);  // a claim is text
  const keys = await page.locator("#differences tbody th").allTextContents();
  assert.ok(keys.includes("/seed") && keys.includes("/topology/kind"));
  const repeat = await page.locator("#repeat").textContent();
  const summary = fs.readFileSync(path.join(folder, "runs/004/summary.json"), "utf8");
  const { trace_hash, lagnet_version } = JSON.parse(summary);
  for (const text of [trace_hash, lagnet_version, "lagnet run runs/004/scenario.json", "lagnet report runs"])
    assert.ok(repeat.includes(text), text);
});

pageTest("a claim that is known to fail says why, and also when it holds after all", async (page) => {
  const verdicts = await page.locator("#claims tbody tr td:nth-of-type(1)").allTextContents();
  assert.deepEqual(verdicts, ["✓ holds", "✗ fails", "✗ fails, as is known: agents <i>talk</i>",
                              "✓ holds after all, and was known to fail: there were none once"]);
});

pageTest("every chart has a text for screen readers and its numbers as a table", async (page) => {
  for (const name of figures) {
    const label = await page.locator(`#${name} .chart`).getAttribute("aria-label");
    assert.ok(label.length > 40, `${name}: ${label}`);
    await page.locator(`#${name} details summary`).click();
    await page.locator(`#${name} tbody tr`).nth(3).waitFor();  // what opens is made when the browser says so
  }
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input, a")]
    .filter((one) => !(one.textContent.trim() || (one.labels && one.labels.length))).length);
  assert.equal(nameless, 0);
});

pageTest("colors follow the system, and a button changes them", async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const chart = () => page.evaluate(() => window.lagnetReport.panels.convergence.chart.getOption().backgroundColor);
  const dark = await ground(), darkChart = await chart();
  await page.locator("#theme").click();
  assert.notEqual(await ground(), dark);
  assert.notEqual(await chart(), darkChart);
}, { colorScheme: "dark" });

pageTest("a narrow page is no wider than its window", async (page) => {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
}, { viewport: { width: 420, height: 900 } });

test("single figures are SVG that says what it shows", () => {
  for (const name of figures) {
    lagnet("report", "runs", "--figure", name, "--format", "svg", "-o", `${name}.svg`);
    const svg = fs.readFileSync(path.join(folder, `${name}.svg`), "utf8");
    // 85 mm at 96 dots an inch are 321.
    assert.match(svg, /^<svg role="img" aria-label="[^"]{20,}" width="321" height="[0-9]+"/);
  }
});

test("the README's picture is what its commands draw", () => {
  const root = path.join(__dirname, "..", "..");
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  const words = (start) => {
    const [line, ...more] = readme.split("\n").filter((one) => one.startsWith(`    ${start}`));
    assert.deepEqual(more, []);
    return line.trim().split(" ").slice(1);
  };
  fs.symlinkSync(path.join(root, "scenarios"), path.join(folder, "scenarios"));
  lagnet(...words("lagnet sweep "));
  const draw = words("lagnet report runs/which --figure ");
  lagnet(...draw);
  const [, picture] = readme.match(/!\[[^\]]*\]\(([^)]*)\)/);
  const [wanted, found] = [path.join(root, picture), path.join(folder, draw.at(-1))]
    .map((file) => fs.readFileSync(file, "utf8"));
  // Numbers may differ in their last digits from one machine to another; a figure has no more than a pixel's tenths.
  const numbers = /-?\d+(\.\d+)?/g;
  assert.equal(found.replace(numbers, "#"), wanted.replace(numbers, "#"));
  const values = found.match(numbers).map(Number);
  wanted.match(numbers).map(Number).forEach((value, k) => assert.ok(Math.abs(values[k] - value) <= 0.1));
});
