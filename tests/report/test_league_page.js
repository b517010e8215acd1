// The page of a league in headless Chromium, held against what the Python package computes from the same records.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { Chromium, waitFor } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
const root = path.join(__dirname, "..", "..");
// The records are drawn; one name would be HTML or the end of a script if it were not taken as text.
const script = `
import json, pathlib, sys
from lagnet.league import data_profile, drawn, page, performance_profile, ranking, read
drawn.write("runs", problems=4, profiles=3, entries=9, seeds=3)
for path in pathlib.Path("runs/records").rglob("entry_3.*.json"):
    record = json.loads(path.read_text()) | {"status": "refused", "runs": [], "tuning": None}
    path.write_text(json.dumps(record | {"reason": "</script><b>needs</b> an l2 regularizer"}))
there = pathlib.Path("runs/runs/problem_1/network_1/entry_1.tuned.html")
there.parent.mkdir(parents=True)
there.write_text("<title>its runs</title>")
page.write("runs")
league = read("runs")
def steps(profile):
    return {entry: list(map(list, steps)) for entry, steps in profile.curves.items()}
json.dump({
    "performance": steps(performance_profile(league, "bytes", 1e-3, "default")),
    "data": steps(data_profile(league, "bytes", 1e-3, "default")),
    "ranking": [[one.entry, one.rank] for one in ranking(league, "network_2", "simulated_s", 1e-3)],
}, sys.stdout)
`;
let folder, file, computed;

before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-league-"));
  const env = { ...process.env, PYTHONPATH: path.join(root, "tools", "python") };
  computed = JSON.parse(execFileSync("python3", ["-B", "-c", script], { cwd: folder, env, encoding: "utf8" }));
  file = path.join(folder, "runs", "league.html");
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

function pageTest(name, body, options) {
  test(name, { skip }, () => chromium.inReport(file, body, options));
}

const textsOf = (page, selector) => page.locator(selector).allTextContents();

pageTest("profiles of the chosen level, currency and options are those of the package", async (page) => {
  await page.locator("#choose-currency").selectOption("bytes");
  await page.locator("#choose-variant").selectOption("default");
  const found = await page.evaluate(() => {
    const { page: { standings }, performanceSteps, dataSteps } = window.lagnetLeague;
    const named = ({ steps }) => Object.fromEntries([...steps].map(([entry, one]) =>
      [standings.model.entries[entry].name, one]));
    return { performance: named(performanceSteps(standings)), data: named(dataSteps(standings)) };
  });
  for (const which of ["performance", "data"]) {
    assert.deepEqual(Object.keys(found[which]), Object.keys(computed[which]));
    for (const [entry, steps] of Object.entries(computed[which])) {
      assert.equal(found[which][entry].length, steps.length, `${which} ${entry}`);
      for (const [k, [x, share]] of steps.entries()) {  // the page's numbers have nine digits
        assert.ok(Math.abs(found[which][entry][k][0] - x) <= 1e-8 * x, `${which} ${entry}`);
        assert.ok(Math.abs(found[which][entry][k][1] - share) < 1e-12, `${which} ${entry}`);
      }
    }
  }
  const drawn = await page.evaluate(() => window.lagnetLeague.page.panels[0].chart.getOption().series.length);
  assert.equal(drawn, Object.keys(computed.performance).length);
});

pageTest("a ranking has the places of the package, and pressing the head of a column sorts by it", async (page) => {
  await page.locator("#network").selectOption({ label: "network_2" });
  const table = page.locator("#ranking .sorted").first();
  const rows = async () => (await table.locator("tbody tr").evaluateAll((all) =>
    all.map((row) => [row.cells[0].textContent, Number.parseInt(row.cells[1].textContent, 10)])));
  assert.deepEqual(await rows(), computed.ranking);
  const head = table.locator("th button", { hasText: "entry" });
  await head.focus();
  await page.keyboard.press("Enter");
  assert.equal(await table.locator("th[aria-sort]").getAttribute("aria-sort"), "ascending");
  assert.deepEqual((await rows()).map(([name]) => name), computed.ranking.map(([name]) => name).sort());
  await page.keyboard.press("Enter");
  assert.equal(await table.locator("th[aria-sort]").getAttribute("aria-sort"), "descending");
  assert.deepEqual((await rows()).map(([name]) => name), computed.ranking.map(([name]) => name).sort().reverse());
  await table.locator("input[type=search]").fill("server entry_2");
  assert.deepEqual((await rows()).map(([name]) => name), ["entry_2"]);
  assert.match(await table.locator("[role=status]").first().textContent(), /^1 of \d rows$/);
});

pageTest("a method's view counts where it wins, and each record has the command that repeats it", async (page) => {
  await page.locator("#method").selectOption({ label: "entry_1" });
  const counts = await page.evaluate(() => {
    const { standings } = window.lagnetLeague.page;
    const mine = [...standings.instances.values()].map(({ all }) =>
      all.find(({ entry }) => standings.model.entries[entry].name === "entry_1"));
    return [mine.filter((one) => one && one.ratio === 1).length, mine.length];
  });
  const [first] = await textsOf(page, "#by-method .outcome");
  assert.equal(first, `entry_1 is the first to 10⁻³ in simulated seconds on ${counts[0]} of ${counts[1]} pairs of ` +
                      "problem and network.");
  const words = await textsOf(page, "#by-method .map td");
  assert.equal(words.filter((word) => word === "first").length, counts[0]);
  assert.equal(await page.locator("#by-method .sorted tbody tr").count(), counts[1]);
  const commands = await page.locator("#by-method .sorted tbody tr").evaluateAll((all) => all.map((row) =>
    [...row.querySelectorAll(".command button")].map((button) => button.getAttribute("aria-label"))));
  assert.equal(commands.length, counts[1]);
  for (const [runs, proof] of commands) {
    const [, name] = proof.match(/^Copy: lagnet league verify runs --cell (problem_\d\/network_\d\/entry_1\.tuned)$/);
    assert.ok(fs.existsSync(path.join(folder, "runs", "records", `${name}.json`)), name);
    assert.ok([`Copy: lagnet league page runs --runs ${name}`, `Copy: lagnet replay runs/runs/${name}`].includes(runs));
  }
  assert.match(page.url(), /#method=entry_1$/);
});

pageTest("a cell leads to the page of its runs and the command that replays them, if it is there", async (page) => {
  await page.locator("#by-method #method").selectOption({ label: "entry_1" });
  const link = page.locator("#by-method .sorted tbody a");
  assert.deepEqual(await textsOf(page, "#by-method .sorted tbody a"), ["page"]);
  assert.equal(await link.getAttribute("href"), "runs/problem_1/network_1/entry_1.tuned.html");
  assert.equal(await page.locator("#by-method .sorted td:has(a) button").getAttribute("aria-label"),
               "Copy: lagnet replay runs/runs/problem_1/network_1/entry_1.tuned");
  await link.click();
  await waitFor(page, () => document.title === "its runs");
});

pageTest("a command is copied, or selected where nothing can be copied", async (page) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => { window.copied = text; };
  });
  const box = page.locator("#repeat .command").first();
  await box.locator("button").click();
  const command = "lagnet league verify runs --cell PROBLEM/NETWORK/ENTRY.VARIANT";
  assert.equal(await page.evaluate(() => window.copied), command);
  assert.equal(await box.locator("[role=status]").textContent(), "copied");
  await page.evaluate(() => {
    navigator.clipboard.writeText = async () => { throw new Error("no"); };
  });
  const row = page.locator("#by-method .sorted .command").last();
  await row.locator("button").click();
  await waitFor(page, () => window.getSelection().toString().startsWith("lagnet league verify runs --cell problem_"));
});

pageTest("an address with a method opens its view, and names lead to it", async (page) => {
  const link = page.locator("#ranking tbody a").last(), name = await link.textContent();
  await link.focus();
  await page.keyboard.press("Enter");
  assert.ok((await textsOf(page, "#by-method .outcome"))[0].startsWith(`${name} `));
  assert.equal(await page.evaluate(() => document.activeElement.id), "method");
  await page.evaluate(() => { window.location.hash = "method=entry_2"; });
  await waitFor(page, () => document.querySelector("#by-method .outcome").textContent.startsWith("entry_2 "));
});

pageTest("a cell of the map shows all entries there if it is pressed, with texts as texts", async (page) => {
  const cell = page.locator("#map .map td button").first();
  assert.match(await cell.getAttribute("aria-label"), /^problem_1 over network_1: .*; show all entries$/);
  await cell.focus();
  await page.keyboard.press("Enter");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^On problem_1 over network_1, to 10⁻³ /);
  const rows = await page.locator("#cell tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.cells].map((one) => one.textContent)));
  assert.equal(rows[0][2], "first");
  const refused = rows.find(([name]) => name === "entry_3");
  assert.equal(refused[4], "refused: </script><b>needs</b> an l2 regularizer");
  assert.equal(await page.locator("main b").count(), 0);
});

pageTest("who never arrives is named with how its runs ended", async (page) => {
  const rows = await page.locator("#never tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.cells].map((one) => one.textContent)));
  const found = rows.find(([name]) => name === "entry_3");
  assert.deepEqual(found.slice(1, 4), ["–", "–", "12 of 12"]);
});

pageTest("each finding opens to its query and rows", async (page) => {
  assert.equal(await page.locator("#findings ol > li").count(), 10);
  await page.locator("#findings summary").first().click();
  await page.locator("#findings tbody tr").first().waitFor();
  assert.match((await textsOf(page, "#findings pre"))[0], /^WITH least AS \(SELECT problem, profile, MIN\(/);
});

pageTest("everything that can be pressed has a name, every table a caption, and every list a label", async (page) => {
  const nameless = await page.evaluate(() => {
    window.lagnetLeague.page.winners.choose(0, 0);
    const wrong = [];
    for (const one of document.querySelectorAll("button, a, summary"))
      if (!(one.getAttribute("aria-label") || one.textContent).trim()) wrong.push(one.outerHTML);
    for (const one of document.querySelectorAll("select, input")) if (!one.labels.length) wrong.push(one.outerHTML);
    for (const one of document.querySelectorAll("main table"))
      if (!one.caption.textContent) wrong.push(one.parentNode.outerHTML.slice(0, 100));
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    return [...wrong, ...ids.filter((id, k) => ids.indexOf(id) !== k)];
  });
  assert.deepEqual(nameless, []);
});

for (const colorScheme of ["light", "dark"])
  pageTest(`a narrow page in ${colorScheme} colors is no wider than its window, and is readable`, async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    const contrasts = await page.evaluate(() => {
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const pixel = (...colors) => {  // one over the other
        canvas.clearRect(0, 0, 1, 1);
        for (const color of colors) {
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
        }
        const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
          const x = value / 255;
          return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const ground = getComputedStyle(document.body).backgroundColor;
      return [...document.querySelectorAll(".map td > button")].map((button) => {
        const { color } = getComputedStyle(button), { backgroundColor } = getComputedStyle(button.parentNode);
        const [a, b] = [pixel(ground, backgroundColor), pixel(ground, backgroundColor, color)];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      });
    });
    assert.ok(contrasts.length >= 24 && Math.min(...contrasts) >= 4.5, `${Math.min(...contrasts)}`);
  }, { viewport: { width: 420, height: 900 }, colorScheme });

pageTest("figures are saved as SVG that says what it shows, and colors change with the button", async (page) => {
  const [download] = await Promise.all([page.waitForEvent("download"),
                                        page.locator("#performance .saving button:text-is('SVG')").click()]);
  assert.match(fs.readFileSync(await download.path(), "utf8"), /^<svg role="img" aria-label="Share of \d+ pairs of/);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.locator("#theme").click();
  assert.notEqual(await ground(), before);
});
