// Reports as a reader has them: pages that `lagnet report` wrote, opened in headless Chromium.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { compareIn } = require("./comparison.js");
const { Chromium, seriesOf } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
const scenario = {
  lagnet: 1, name: "six </script> runs",
  data: { source: "gaussian_regression", samples: 40, features: 12 },
  topology: { kind: "ring", agents: 9 },
  network: { latency_ms: 2, loss_probability: 0.05, retransmit: { timeout_ms: 9 } },
  algorithm: { kind: "fd_primal_dual" }, stop: { rounds: 60 },
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
const figures = ["convergence", "costs", "faults", "topology", "links", "playback", "timeline"];
let folder, report, comparison;

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
  comparison = compareIn(report, [0.9, 0.5, 0.1, 1e-15]);
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

/** A test of the page, in a context of its own, that ends with the page having had nothing to complain of. Its figures
    of one run are of the first one. */
function pageTest(name, body, options) {
  const ofFirstRun = async (page) => {
    await page.locator("#shared-run").selectOption("0");
    await body(page);
  };
  test(name, { skip }, () => chromium.inReport(report, ofFirstRun, options));
}

pageTest("every figure is drawn, without errors and without asking a network", async (page) => {
  const drawn = await page.evaluate(() => Object.entries(window.lagnetReport.panels)
    .map(([name, panel]) => [name, Boolean(panel.chart), panel.chartBox.querySelectorAll("svg, canvas").length]));
  assert.deepEqual(drawn, ["ranking", "pareto", "panels", ...figures].map((name) => [name, true, 1]));
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
  await page.locator("#shared-run").selectOption("3");
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
  const option = await page.evaluate(() => {
    const { title, xAxis, yAxis, series } = window.lagnetReport.panels.panels.chart.getOption();
    const lines = series.map(({ type, name, xAxisIndex, data, lineStyle }) =>
      ({ type, name, xAxisIndex, data, color: lineStyle && lineStyle.color }));
    return { titles: title.map(({ text }) => text), types: [...xAxis, ...yAxis].map(({ type }) => type),
             ends: yAxis.map(({ min, max }) => [min, max]), lines };
  });
  assert.deepEqual(option.titles, ["Rings", "Each"]);
  const rings = option.lines.filter(({ xAxisIndex }) => xAxisIndex === 0);
  const each = option.lines.filter(({ xAxisIndex }) => xAxisIndex === 1);
  assert.deepEqual(rings.map(({ type }) => type), ["line", "custom"]);
  assert.equal(each.length, 6);
  const rows = table("runs/000/progress.csv").filter((row) => row.relative_error > 0 && row.bytes > 0);
  assert.deepEqual(each[0].data.map(([bytes]) => bytes), rows.map((row) => row.bytes));
  assert.deepEqual(option.types, ["value", "log", "log", "log"]);
  assert.deepEqual(option.ends[0], option.ends[1]);  // one vertical axis for both
  await page.locator("#panels-scaleX").selectOption("log");
  const types = await page.evaluate(() => window.lagnetReport.panels.panels.chart.getOption().xAxis
    .map(({ type }) => type));
  assert.deepEqual(types, ["log", "log"]);
});

test("a name has one color in all panels, and the figure is drawn for print with one legend outside the plots", () => {
  lagnet("report", "runs", "--figure", "panels", "--format", "svg", "-o", "panels.svg");
  const svg = fs.readFileSync(path.join(folder, "panels.svg"), "utf8");
  assert.match(svg, /^<svg role="img" aria-label="[^"]{20,}" width="680"/);  // 180 mm
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
  for (const text of ["Rings", "Each"]) assert.equal(texts.filter((one) => one === text).length, 1, text);
  const names = texts.filter((text) => /seed/.test(text));
  assert.equal(new Set(names).size, names.length);
  lagnet("report", "runs", "--panel", "2", "--format", "svg", "-o", "second.svg");
  assert.match(fs.readFileSync(path.join(folder, "second.svg"), "utf8"), /width="321"/);
  assert.throws(() => lagnet("report", "runs", "--panel", "3", "--format", "svg"), /one of the 2 panels/);
  assert.throws(() => lagnet("report", "runs", "--panel", "1", "--figure", "costs", "--format", "svg"), /no --figure/);
});

pageTest("claims, differences and what repeats a run are told in words", async (page) => {
  assert.match(await page.locator("#claims").textContent(), /2 of 4 statements hold/);
  assert.equal(await page.locator("#claims tbody tr").count(), 4);
  assert.equal(await page.locator("#claims b").count(), 0);  // a claim is text
  await page.locator("#differences summary").click();
  await page.locator("#differences tbody th").first().waitFor();
  const keys = await page.locator("#differences tbody th").allTextContents();
  assert.ok(keys.includes("/seed") && keys.includes("/topology/kind"));
  for (const summary of await page.locator("#repeat > details > summary").all()) await summary.click();
  await page.locator("#repeat pre").waitFor();
  const repeat = await page.locator("#repeat").textContent();
  const summary = fs.readFileSync(path.join(folder, "runs/004/summary.json"), "utf8");
  const { trace_hash, lagnet_version } = JSON.parse(summary);
  for (const text of [trace_hash, lagnet_version, "lagnet run runs/004/scenario.json", "lagnet report runs"])
    assert.ok(repeat.includes(text), text);
});

pageTest("a claim that is known to fail says why, and also when it holds after all", async (page) => {
  const verdicts = await page.locator("#claims tbody tr td:nth-of-type(1)").allTextContents();
  assert.deepEqual(verdicts, ["✓ holds (in 3 of 3 draws)", "✗ fails (holds in 0 of 3 draws)",
                              "✗ fails (holds in 0 of 3 draws), as is known: agents <i>talk</i>",
                              "✓ holds (in 3 of 3 draws) after all, and was known to fail: there were none once"]);
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

pageTest("the verdict is in the first 800 pixels, before curves and claims", async (page) => {
  const tops = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("main > section")]
    .map((section) => [section.id, section.getBoundingClientRect().top])));
  const order = Object.keys(tops);
  assert.equal(order[0], "verdict");
  assert.ok(order.indexOf("convergence") < order.indexOf("claims"));
  const chart = await page.locator("#ranking .chart").boundingBox();
  assert.ok(chart.y + chart.height <= 800, `the bars end at ${chart.y + chart.height}`);
});

pageTest("the verdict has the sentences, costs and tables of the comparison, with its numbers", async (page) => {
  assert.equal(await page.locator("#verdict .setting").textContent(), comparison.setting);
  const said = await page.locator("#verdict > .sentences").first().locator("li").allTextContents();
  assert.deepEqual(said, comparison.verdict.sentences);
  assert.deepEqual(await page.locator("#verdict .never li").allTextContents(), comparison.verdict.never);
  assert.equal(await page.locator("#verdict i").count(), 0);  // a remark is text
  const rowOf = (to, currency) => comparison.verdict.rows.find((row) => row.to === to && row.currency === currency);
  const bars = async () => (await seriesOf(page, "ranking"))[0].data.map(({ value }) => value);
  const medians = ({ costs }) => costs.map(({ median }) => median).sort((a, b) => a - b);
  await page.locator("#shared-to").selectOption("0.9");
  assert.deepEqual(await bars(), medians(rowOf(0.9, "simulated_s")));
  await page.locator("#shared-currency").selectOption("bytes");
  assert.deepEqual(await bars(), medians(rowOf(0.9, "bytes")));
  const points = (await seriesOf(page, "pareto"))[1].data.map(({ value }) => value);
  assert.deepEqual(points, rowOf(0.9, "simulated_s").costs
    .map(({ median }, k) => [median, rowOf(0.9, "bytes").costs[k].median]).sort((a, b) => a[0] - b[0]));
  await page.locator("#shared-to").selectOption("1e-15");
  assert.match(await page.locator("#ranking figcaption").textContent(), /never/);
  await page.locator("#tables summary").click();
  await page.locator("#tables tbody tr").first().waitFor();
  const cells = await page.locator("#tables tbody tr").evaluateAll((rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.equal(cells.length, comparison.tables[0].rows.length);
  assert.equal(Number(cells[0][2]), Number(comparison.tables[0].rows[0][2].toPrecision(6)));
  assert.equal(cells.at(-1)[0], "10⁻¹⁵");
  assert.equal(cells.at(-1)[2], "–");
});

pageTest("the verdict is in the first 800 pixels of a telephone", async (page) => {
  const first = await page.locator("#verdict .sentences li").first().boundingBox();
  const chart = await page.locator("#ranking .chart").boundingBox();
  assert.ok(first.y < 400 && chart.y <= 800, `sentences at ${first.y}, bars at ${chart.y}`);
}, { viewport: { width: 420, height: 900 } });

pageTest("one list chooses the run of all figures of one run", async (page) => {
  const told = () => page.evaluate(() => ["costs", "topology", "links", "timeline"]
    .map((name) => document.querySelector(`#${name} figcaption`).textContent));
  const before = await told();
  await page.locator("#shared-run").selectOption("3");
  const after = await told();
  const label = await page.evaluate(() => window.lagnetReport.model.runs[3].label);
  for (const [k, text] of after.entries()) {
    assert.notEqual(text, before[k]);
    assert.ok(text.startsWith(label), text);
  }
  assert.equal(await page.locator("#one-run select[id$=run]").count(), 1);
});

pageTest("the tooltip tells every series at that place", async (page) => {
  const told = await page.evaluate(() => {
    const { panels } = window.lagnetReport, option = panels.convergence.chart.getOption();
    const axisValue = option.series[0].data[4][0];
    return option.tooltip[0].formatter([{ axisIndex: 0, axisValue }]);
  });
  assert.equal(told.match(/●/g).length, 2);
});

pageTest("a scale of equal loads begins at zero", async (page) => {
  const [{ min, max }] = await page.evaluate(() => window.lagnetReport.panels.links.chart.getOption().visualMap);
  assert.ok(min < max && (min === 0 || min >= max / 2));
  const same = await page.evaluate(() => {
    const { panels } = window.lagnetReport, panel = panels.links;
    panel.model.runs[0].links.columns.bytes_sent = 5;
    panel.draw();
    const [map] = panel.chart.getOption().visualMap;
    return [map.min, map.max];
  });
  assert.deepEqual(same, [0, 5]);
});

pageTest("figures are saved as CSV, SVG and PNG", async (page) => {
  const saved = async (format) => {
    const [download] = await Promise.all([page.waitForEvent("download"),
                                          page.locator(`#convergence .saving button:text-is("${format}")`).click()]);
    return fs.readFileSync(await download.path());
  };
  assert.match((await saved("CSV")).toString(), /^run,simulated_s,relative_error\n[^\n]+,0,1\n/);
  assert.match((await saved("SVG")).toString(), /^<svg role="img"/);
  assert.equal((await saved("PNG")).subarray(1, 4).toString(), "PNG");
  // A browser prints the figure alone; what it saves is its PDF.
  const shown = await page.evaluate(() => {
    let seen = null;
    window.print = () => { seen = document.querySelectorAll("#print-figure svg").length; };
    [...document.querySelectorAll("#convergence .saving button")].find((one) => one.textContent === "PDF").click();
    window.dispatchEvent(new Event("afterprint"));
    return [seen, document.querySelectorAll("#print-figure").length];
  });
  assert.deepEqual(shown, [1, 0]);
});

test("two hundred runs are a page of at most 8 000 pixels and 3.5 MB, with filters and a map", { skip }, async () => {
  const many = { ...scenario, name: "many", record: { every: 1 }, stop: { rounds: 60 }, sweep: {
    "/topology/kind": ["ring", "lattice", "complete", "star"],
    "/network/latency_ms": [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], "/seed": [1, 2, 3, 4, 5],
  }, network: { latency_ms: 2 } };
  delete many.expect;
  delete many.figure;
  fs.writeFileSync(path.join(folder, "many.json"), JSON.stringify(many));
  lagnet("run", "many.json", "--out", "many", "--quiet");
  lagnet("report", "many", "-o", "many.html");
  const file = path.join(folder, "many.html");
  compareIn(file, [0.9, 0.5]);
  assert.ok(fs.statSync(file).size < 3.5e6, `${fs.statSync(file).size} bytes`);
  await chromium.inReport(file, async (page) => {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height <= 8000, `${height} pixels`);
    const plots = () => page.evaluate(() => {
      const { title, legend } = window.lagnetReport.panels.convergence.chart.getOption();
      return [title.length, legend[0].data.length];
    });
    assert.deepEqual(await plots(), [10, 4]);  // one for each latency, one color for each topology
    assert.equal((await seriesOf(page, "heat"))[0].data.length, 40);
    assert.ok((await seriesOf(page, "pareto"))[1].data.length >= 2);
    assert.equal(await page.locator("#runs tbody tr").count(), 200);
    await page.locator("[id='filter-/topology/kind']").selectOption({ label: "ring" });
    assert.deepEqual(await plots(), [10, 1]);
    assert.equal(await page.locator("#runs tbody tr").count(), 50);
    const [{ data: cells }] = await seriesOf(page, "heat");
    assert.equal(cells.length, 10);
    // Scenarios after the first are shown as their changes.
    await page.locator("#repeat > details > summary").first().click();
    await page.locator("#repeat article").first().waitFor();
    const seeds = await page.evaluate(() => [...document.querySelectorAll("#repeat article")].slice(0, 6)
      .map((article) => article.querySelector("dl").textContent.match(/Seed(\d)lagnet/)[1]));
    assert.deepEqual(seeds, ["1", "2", "3", "4", "5", "1"]);
  });
});

pageTest("a narrow page is no wider than its window", async (page) => {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
}, { viewport: { width: 420, height: 900 } });

test("errors at or below zero are drawn at the certificate's accuracy, on an axis that stays logarithmic", { skip },
  async () => {
    fs.cpSync(path.join(folder, "runs"), path.join(folder, "below"), { recursive: true });
    const file = path.join(folder, "below/000/progress.csv");
    const [head, ...rows] = fs.readFileSync(file, "utf8").trimEnd().split("\n");
    const column = head.split(",").indexOf("relative_error");
    const put = (row, value) => row.split(",").map((cell, k) => (k === column ? value : cell)).join(",");
    rows.splice(-2, 2, put(rows.at(-2), "0"), put(rows.at(-1), "-1.2e-16"));
    fs.writeFileSync(file, [head, ...rows, ""].join("\n"));
    lagnet("report", "below", "-o", "below.html");
    await chromium.inReport(path.join(folder, "below.html"), async (page) => {
      const type = await page.evaluate(() => window.lagnetReport.panels.convergence.chart.getOption().yAxis[0].type);
      assert.equal(type, "log");
      await page.locator("#convergence-x").selectOption("round");
      // The median of the group goes on where one of its runs has got below zero, and the band's edge is the floor.
      const [median, band] = await seriesOf(page, "convergence");
      assert.equal(median.data.length, rows.length);
      assert.ok(median.data.every(([, y]) => y > 0));
      const floor = await page.evaluate(() => window.lagnetReport.model.runs[0].smallest_error);
      assert.ok(floor >= 1e-16 && floor < 1e-9);
      assert.equal(Math.min(...band.data.map(([, low]) => low)), floor);
      const caption = await page.locator("#convergence figcaption").textContent();
      assert.match(caption, /accuracy of the optimum's certificate/);
    });
    lagnet("report", "below", "--figure", "convergence", "--format", "svg", "-o", "below.svg");
    assert.match(fs.readFileSync(path.join(folder, "below.svg"), "utf8"), /10⁻/);
  });

test("single figures are SVG that says what it shows", () => {
  for (const name of figures) {
    lagnet("report", "runs", "--figure", name, "--format", "svg", "-o", `${name}.svg`);
    const svg = fs.readFileSync(path.join(folder, `${name}.svg`), "utf8");
    // 85 mm at 96 dots an inch are 321.
    assert.match(svg, /^<svg role="img" aria-label="[^"]{20,}" width="321" height="[0-9]+"/);
  }
});
