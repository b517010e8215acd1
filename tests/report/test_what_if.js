// What if: the panel's sliders, held against what `lagnet retime` makes of the same runs.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { Chromium, seriesOf, waitFor } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
const scenario = {
  lagnet: 1, name: "what if",
  data: { source: "gaussian_regression", samples: 80, features: 12 },
  topology: { kind: "ring", agents: 9 },
  network: { latency_ms: { kind: "uniform", low: 1, high: 30 }, bandwidth_bytes_per_s: 1e6 },
  algorithm: { kind: "extra" }, stop: { rounds: 400 }, record: { every: 5 },
  sweep: { "/topology/kind": ["ring", "lattice", "star"], "/seed": [1, 2] },
};
const sites = { lagnet: 1, name: "sites", data: scenario.data, topology: { kind: "star", agents: 4 },
                network: { latency_ms: { kind: "matrix", path: "sites.csv", round_trip: true },
                           up_bytes_per_s: 2e4, down_bytes_per_s: 1e4 },
                algorithm: { kind: "fed_avg", client_step: 0.05 }, stop: { rounds: 40 } };
const placed = { ...sites, name: "placed", network: {
  latency_ms: sites.network.latency_ms, server_site: "oslo", sites: [
    { name: "oslo", agents: 1, up_bytes_per_s: 2e4, server: { up_bytes_per_s: 3e4, down_bytes_per_s: 1e5 } },
    { name: "lima", agents: 2, down_bytes_per_s: 1e4, server: { up_bytes_per_s: 5e3 } }] } };
const matrix = "ms,oslo,lima,cairo\noslo,0.5,190,60\nlima,188,0.5,215\ncairo,61,210,0.5\n";
let folder;

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8" });
}

/** Seconds of the row from which on all are at or below the level, for each run of a folder, by its topology. */
function costs(runs, level) {
  const found = {};
  for (const point of fs.readdirSync(path.join(folder, runs)).filter((name) => /^\d+$/.test(name)).sort()) {
    const text = (file) => fs.readFileSync(path.join(folder, runs, point, file), "utf8");
    const [head, ...rows] = text("progress.csv").trimEnd().split("\n").map((line) => line.split(","));
    const above = rows.findLastIndex((cells) => !(Number(cells[head.indexOf("relative_error")]) <= level));
    const row = rows[above + 1];
    const { kind } = JSON.parse(text("scenario.json")).topology;
    (found[kind] = found[kind] || []).push(row ? Number(row[head.indexOf("simulated_s")]) : Infinity);
  }
  return Object.fromEntries(Object.entries(found).map(([kind, all]) => [kind, (all[0] + all[1]) / 2]));
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-what-if-"));
  const write = (name, content) => fs.writeFileSync(path.join(folder, name), content);
  write("s.json", JSON.stringify(scenario));
  write("sites.json", JSON.stringify(sites));
  write("placed.json", JSON.stringify(placed));
  write("sites.csv", matrix);
  write("jitter.json", JSON.stringify({ ...sites, network: { jitter_ms: 1 } }));
  lagnet("run", "s.json", "--out", "runs", "--quiet");
  lagnet("report", "runs", "-o", "report.html");
  for (const name of ["sites", "placed", "jitter"]) {
    lagnet("run", `${name}.json`, "--out", name, "--quiet");
    lagnet("report", name, "-o", `${name}.html`);
  }
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

function pageTest(name, body, { file = "report.html", ...options } = {}) {
  test(name, { skip }, () => chromium.inReport(path.join(folder, file), body, options));
}

/** Waits until the times of these changes are there, and where the winner changes. */
async function settled(page) {
  await waitFor(page, () => {
    const panel = window.lagnetReport.panels["what-if"];
    const moved = Object.keys(panel.changes).length > 0;
    return !moved || (panel.times && !panel.worker.question && !panel.worker.next);
  });
}

async function setNumber(page, key, value) {
  await page.locator(`#what-if-${key}-number`).fill(String(value));
  await page.keyboard.press("Tab");
  await settled(page);
}

/** The rows of the panel's table: {series: seconds now}. */
async function table(page) {
  const rows = await page.locator(".what-if-result tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\u202f/g, ""))));
  return Object.fromEntries(rows.map(([series, , now]) => [series.replace(/^topology=?\s*/, ""), now]));
}

const settings = {
  latency: [["latency_ms", 7.25, "network.latency_ms"]],
  bandwidth: [["bandwidth_bytes_per_s", 2345.5, "network.bandwidth_bytes_per_s"]],
  both: [["latency_ms", 0.125, "network.latency_ms"],
         ["bandwidth_bytes_per_s", 54321, "network.bandwidth_bytes_per_s"]],
};
for (const [name, changes] of Object.entries(settings))
  pageTest(`the table is that of lagnet retime to six digits: ${name}`, async (page) => {
    for (const [key, value] of changes) await setNumber(page, key, value);
    const wanted = changes.flatMap(([, value, key]) => ["--set", `${key}=${value}`]);
    lagnet("retime", "runs", "--quiet", "--out", name, ...wanted);
    const level = Number(await page.evaluate(() => window.lagnetReport.panels["what-if"].currentState().to));
    const shown = await table(page), real = costs(name, level);
    assert.equal(Object.keys(shown).length, 3);
    for (const [series, now] of Object.entries(shown)) {
      const kind = Object.keys(real).find((one) => series.includes(one));
      assert.equal(Number(now), Number(real[kind].toPrecision(6)), series);
    }
  });

pageTest("curves have the times of lagnet retime, row by row", async (page) => {
  const before = await seriesOf(page, "what-if");
  await setNumber(page, "latency_ms", 80);
  lagnet("retime", "runs/000", "--quiet", "--out", "slow", "--set", "network.latency_ms=80");
  const [head, ...rows] = fs.readFileSync(path.join(folder, "slow", "progress.csv"), "utf8").trimEnd().split("\n")
    .map((line) => line.split(","));
  const seconds = rows.map((cells) => Number(cells[head.indexOf("simulated_s")]));
  const now = await page.evaluate(() => window.lagnetReport.panels["what-if"].times[0]);
  rows.forEach((cells, k) => assert.equal(now[Number(cells[0])] / 1e9, seconds[k]));
  const after = await seriesOf(page, "what-if");
  assert.notDeepEqual(after.map(({ data }) => data), before.map(({ data }) => data));
});

pageTest("sliders move by the keyboard, and go back to what was recorded", async (page) => {
  const recorded = await table(page), slider = page.locator("#what-if-latency_ms");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.notDeepEqual(await table(page), recorded);
  assert.match(await slider.getAttribute("aria-valuetext"), / ms$/);
  await page.locator("[aria-label='Latency of all links (ms): as recorded']").click();
  assert.deepEqual(await table(page), recorded);
  assert.equal(await slider.getAttribute("aria-valuetext"), "as recorded");
});

pageTest("a state of the sliders is a link and a command", async (page) => {
  await setNumber(page, "latency_ms", 12.5);
  const address = page.url(), shown = await table(page);
  assert.ok(address.endsWith("#what-if?latency_ms=12.5"), address);
  await page.locator("#what-if summary", { hasText: "command" }).click();
  const command = await page.locator("#what-if pre").textContent();
  assert.equal(command, "lagnet retime runs --set '/network/latency_ms=12.5' --out what-if");
  execFileSync("sh", ["-c", command.replace(/^lagnet/, `"${process.env.LAGNET}" --quiet`)], { cwd: folder });
  const other = await page.context().newPage();
  await other.goto(address);
  await settled(other);
  assert.deepEqual(await table(other), shown);
});

pageTest("where the winner changes is named, and true on both sides", async (page) => {
  await setNumber(page, "latency_ms", 10);
  await setNumber(page, "bandwidth_bytes_per_s", 3000);
  const sentences = await page.locator(".what-if-result li").allTextContents();
  assert.match(sentences[0], /^First to relative error /);
  for (const sentence of sentences.slice(1)) {
    const [, at, unit, winner] = /^Above (.*) (ms|bytes\/s) (.*) beats .*\.$/.exec(sentence) || [];
    assert.ok(at, sentence);
    const key = unit === "ms" ? "latency_ms" : "bandwidth_bytes_per_s";
    const first = (factor) => page.evaluate(([name, value]) => {
      const panel = window.lagnetReport.panels["what-if"];
      return answer(panel, name, value);
      function answer({ model, scenarios, changes, currentState }, k, v) {
        const { allTimes, costsInTime } = window.lagnetReport.recursion;
        const times = allTimes(model.what_if, scenarios, { ...changes, [k]: v });
        return costsInTime(model, times, currentState.call(panel).to)[0].group.label;
      }
    }, [key, Number(at.replace(/[\u202f ]/g, "").replace("k", "e3").replace("M", "e6").replace("G", "e9")) * factor]);
    assert.equal(await first(1.03), winner, sentence);
    assert.notEqual(await first(0.97), winner, sentence);
  }
});

pageTest("cells of a map of two sliders have the times of lagnet retime", async (page) => {
  await page.locator("#what-if-map button", { hasText: "Draw the map" }).click();
  await waitFor(page, () => window.lagnetReport.panels["what-if-map"].figure.map);
  const { map, level, labels } = await page.evaluate(() => {
    const panel = window.lagnetReport.panels["what-if-map"];
    return { map: panel.figure.map, level: panel.currentState().to,
             labels: panel.model.groups.map(({ label }) => label) };
  });
  const [columns, rows] = [[0, 13, 39], [5, 20, 38]];
  for (const row of rows)
    for (const column of columns) {
      const name = `cell-${row}-${column}`;
      lagnet("retime", "runs", "--quiet", "--out", name, "--set", `network.latency_ms=${map.across.values[column]}`,
             "--set", `network.bandwidth_bytes_per_s=${map.down.values[row]}`);
      const real = costs(name, Number(level));
      for (const [place, seconds] of map.rows[row][column]) {
        const kind = Object.keys(real).find((one) => labels[place].includes(one));
        assert.equal(seconds, real[kind], `${name} ${kind}`);
      }
    }
  assert.equal(await page.locator("#what-if-map .chart svg").count(), 1);
  const pictures = process.env.LAGNET_SCREENSHOTS;
  if (pictures) await page.locator("#what-if-map").screenshot({ path: `${pictures}-map.png` });
});

test("the map is a figure for print, too", () => {
  lagnet("report", "runs", "--figure", "what-if-map", "--format", "svg", "-o", "map.svg",
         "--choose", "down=speed_flops_per_s");
  const svg = fs.readFileSync(path.join(folder, "map.svg"), "utf8");
  assert.match(svg, /Speed of the slowest agent/);
  const [, told] = /aria-label="First to [^"]* of 40 × 40 cells ([^"]*?)\./.exec(svg);
  const counts = [...told.matchAll(/ in ([\d\u202f]+)/g)].map(([, count]) => Number(count.replace(/\u202f/g, "")));
  assert.equal(counts.reduce((a, b) => a + b, 0), 1600, told);
});

/** Moves the server to lima, by the page and by its command: the times are the same. */
async function moveServer(page, setting) {
  await page.locator("#what-if-site").selectOption("lima");
  await settled(page);
  const command = await page.evaluate(() => window.lagnetReport.panels["what-if"].command.textContent);
  assert.match(command, setting);
  execFileSync("sh", ["-c", command.replace(/^lagnet/, `"${process.env.LAGNET}" --quiet`) + " --replace"],
               { cwd: folder });
  const last = fs.readFileSync(path.join(folder, "what-if/progress.csv"), "utf8").trimEnd().split("\n").at(-1);
  const times = await page.evaluate(() => [...window.lagnetReport.panels["what-if"].times[0]]);
  assert.equal(times.at(-1) / 1e9, Number(last.split(",")[1]));
}

pageTest("the server moves to another place of a matrix, as lagnet retime moves it",
         (page) => moveServer(page, /agents=\["lima","lima","cairo","oslo"\]/), { file: "sites.html" });

pageTest("the server moves to another site, with the interface that it has there",
         (page) => moveServer(page, /server_site="lima"/), { file: "placed.html" });

pageTest("a matrix in the box gives the latencies of its sites, and a wrong one is told", async (page) => {
  await page.locator("#what-if summary", { hasText: "matrix" }).click();
  const use = async (text) => {
    await page.locator("#what-if textarea").fill(text);
    await page.locator("#what-if button", { hasText: "use it" }).click();
    await settled(page);
    return page.locator("#what-if [role=status]").textContent();
  };
  assert.match(await use("ms,a,b\na,0,1\n"), /b has none/);
  assert.match(await use("ms,a,b\na,0,40\nb,70,0\n"), /^2 sites/);
  fs.writeFileSync(path.join(folder, "two.csv"), "ms,a,b\na,0,40\nb,70,0\n");
  lagnet("retime", "runs/002", "--quiet", "--out", "two", "--set",
         `network.latency_ms={"kind": "matrix", "path": "${path.join(folder, "two.csv")}"}`);
  const last = fs.readFileSync(path.join(folder, "two", "progress.csv"), "utf8").trimEnd().split("\n").at(-1);
  const times = await page.evaluate(() => [...window.lagnetReport.panels["what-if"].times[2]]);
  assert.equal(times.at(-1) / 1e9, Number(last.split(",")[1]));
});

pageTest("runs whose times are drawn say so, and have no sliders", async (page) => {
  assert.equal(await page.locator("#what-if input[type=range]").count(), 0);
  const reasons = await page.locator(".what-if-reasons").textContent();
  assert.match(reasons, /network\.jitter_ms: it is drawn for every message/);
}, { file: "jitter.html" });

for (const [width, colorScheme] of [[420, "light"], [420, "dark"], [1400, "dark"]])
  pageTest(`nothing is wider than ${width} pixels, ${colorScheme}`, async (page) => {
    await setNumber(page, "latency_ms", 37);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
    const pictures = process.env.LAGNET_SCREENSHOTS;  // a prefix of files, for those who want to look
    if (pictures) await page.locator("#what-if").screenshot({ path: `${pictures}-${width}-${colorScheme}.png` });
  }, { viewport: { width, height: 1000 }, colorScheme });
