// The map of sites, on the page and on paper, held against sites.csv, links.csv and the matrix of latencies.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { Chromium } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
// Corners of a rectangle of 30 ms x 40 ms, which a plane has room for; one name would be HTML if it were not a text.
const names = ["<b>north</b>", "east", "south", "west"];
const ms = [[0, 40, 50, 30], [40, 0, 30, 50], [50, 30, 0, 40], [30, 50, 40, 0]];
const scenario = {
  lagnet: 1, name: "four corners",
  data: { source: "gaussian_regression", samples: 40, features: 3 },
  topology: { kind: "star", agents: 6 }, algorithm: { kind: "distributed_proximal_gradient" }, stop: { rounds: 5 },
  network: {
    latency_ms: { kind: "matrix", lines: [["one_way_ms", ...names].join(","),
                                          ...names.map((name, k) => [name, ...ms[k]].join(","))] },
    sites: names.map((name, k) => ({ name, agents: k === 1 ? 2 : 1, price: { other_site_per_gb: 0.1 * (k + 1) } })),
    server_site: "east", currency: "EUR",
  },
};
const peers = {
  ...scenario, name: "one latency", topology: { kind: "complete", agents: 3 }, algorithm: { kind: "extra" },
  network: { latency_ms: 7, sites: ["a", "b", "c"].map((name) => ({ name, agents: 1 })) },
};
const regions = {
  ...peers, name: "ten regions", topology: { kind: "complete", agents: 10 },
  network: { profile: "cross_silo_ten_regions" },
};
// Oslo is far in the north of Paris, Suva and Apia in the west and the east of the date line.
const cities = [["oslo", 59.9, 10.7], ["paris", 48.9, 2.4], ["suva", -18.1, 178.4], ["apia", -13.8, -171.8]];
const graphml = `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
${["label", "Latitude", "Longitude"].map((name, k) =>
    `<key id="k${k}" for="node" attr.name="${name}" attr.type="${k ? "double" : "string"}"/>`).join("\n")}
<graph edgedefault="undirected">
${cities.map((city, node) =>
    `<node id="${node}">${city.map((value, k) => `<data key="k${k}">${value}</data>`).join("")}</node>`).join("\n")}
<edge source="0" target="1"/><edge source="1" target="2"/><edge source="2" target="3"/>
</graph></graphml>`;
const map = {
  ...peers, name: "cities", topology: { kind: "complete", agents: 4 },
  network: { underlay: { path: "cities.graphml", latency_from: "distance" },
             sites: cities.map(([node]) => ({ name: `in ${node}`, node, agents: 1 })) },
};
let folder;

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8" });
}

/** The rows of a table of a run as objects. */
function rowsOf(file) {
  const [head, ...lines] = fs.readFileSync(path.join(folder, file), "utf8").trimEnd().split("\n")
    .map((line) => line.split(","));
  return lines.map((cells) => Object.fromEntries(cells.map((cell, k) => [head[k], cell])));
}

/** Runs `body(page, panel)` in the page of a run, `panel` what the figure built and drew. */
function inFigure(run, body, options) {
  return chromium.inReport(path.join(folder, `${run}.html`), async (page) => {
    await body(page, await page.evaluate(() => {
      const { chart, built } = window.lagnetReport.panels.sites, [{ data, links }] = chart.getOption().series;
      return { data, links, table: built.table, summary: built.summary };
    }));
  }, options);
}

before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-sites-"));
  const { sites, ...alone } = peers.network;
  fs.writeFileSync(path.join(folder, "cities.graphml"), graphml);
  for (const [name, document] of [["corners", scenario], ["peers", peers], ["nowhere", { ...peers, network: alone }],
                                  ["regions", regions], ["map", map]]) {
    fs.writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(document));
    lagnet("run", `${name}.json`, "--out", name, "--quiet");
    lagnet("report", name, "-o", `${name}.html`, "--quiet");
  }
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

function distances(data) {
  return data.map((a) => data.map((b) => Math.hypot(a.x - b.x, a.y - b.y)));
}

test("sites are as far from each other as the matrix says, and no farther over links", { skip }, () =>
  inFigure("corners", async (page, { data, summary }) => {
    assert.deepEqual(data.map(({ name }) => name).sort(), [...names].sort());
    const place = data.map(({ name }) => names.indexOf(name));
    for (const [a, row] of distances(data).entries())
      for (const [b, found] of row.entries())
        assert.ok(Math.abs(found - ms[place[a]][place[b]]) < 1e-3, `${data[a].name} ${data[b].name} ${found}`);
    assert.match(summary, /4 sites, the server in east\. .* Distances differ from latencies by 0 %/);
  }));

test("without a matrix the links say how far sites are", { skip }, () =>
  inFigure("peers", async (page, { data, summary }) => {
    assert.equal(data.length, 3);
    for (const [a, row] of distances(data).entries())
      for (const [b, found] of row.entries()) assert.ok(a === b || Math.abs(found - 7) < 1e-3, `${found}`);
    assert.ok(!summary.includes("server"));
  }));

test("sites whose nodes have a latitude and a longitude are on a map", { skip }, () =>
  inFigure("map", async (page, { data, summary }) => {
    const at = Object.fromEntries(data.map(({ name, x, y }) => [name, [x, y]]));
    const shrink = Math.cos((59.9 - 18.1) / 2 * Math.PI / 180);
    const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a}`);
    near(at["in paris"][1] - at["in oslo"][1], 59.9 - 48.9);  // screens count from the top
    near(at["in oslo"][0] - at["in paris"][0], shrink * (10.7 - 2.4));
    near(at["in apia"][0] - at["in suva"][0], shrink * (360 - 171.8 - 178.4));
    assert.match(summary, /Places are those of a map\.$/);
  }));

test("sites and lines have the loads of sites.csv and links.csv, and the server is another shape", { skip }, () =>
  inFigure("corners", async (page, { data, links, table }) => {
    const rows = new Map(rowsOf("corners/sites.csv").map((row) => [row.site, row]));
    assert.deepEqual(table.head, ["site", "agents", "bytes_sent", "price"]);
    for (const [site, agents, bytes, price] of table.rows) {
      assert.deepEqual([agents, bytes], [Number(rows.get(site).agents), Number(rows.get(site).bytes_sent)]);
      assert.ok(Math.abs(price - Number(rows.get(site).price)) <= 1e-12 * price);
    }
    assert.deepEqual(data.filter(({ symbol }) => symbol === "diamond").map(({ name }) => name), ["east"]);
    const between = new Map();
    for (const { from_site: from, to_site: to, bytes_sent: bytes } of rowsOf("corners/links.csv"))
      if (from !== to) between.set(`${from} ${to}`, (between.get(`${from} ${to}`) || 0) + Number(bytes));
    const drawn = links.flatMap(({ source, target, there, back }) => {
      const [a, b] = [data[source].name, data[target].name];
      return [[`${a} ${b}`, there.bytes, there.ms], [`${b} ${a}`, back.bytes, back.ms]];
    });
    assert.deepEqual(new Map(drawn.map(([key, bytes]) => [key, bytes])), new Map([...between].sort((x, y) =>
      drawn.findIndex(([key]) => key === x[0]) - drawn.findIndex(([key]) => key === y[0]))));
    for (const [key, , latency] of drawn) {
      const [from, to] = key.split(" ");
      assert.equal(latency, ms[names.indexOf(from)][names.indexOf(to)]);
    }
  }));

test("sites and lines say what they are, with names as texts, and sites can be as large as their price", { skip }, () =>
  inFigure("corners", async (page, { data }) => {
    const tip = (dataType, dataIndex) => page.evaluate(([type, index]) => {
      const { chart } = window.lagnetReport.panels.sites, option = chart.getOption();
      const item = option.series[0][type === "edge" ? "links" : "data"][index];
      return option.tooltip[0].formatter({ dataType: type, data: item, dataIndex: index });
    }, [dataType, dataIndex]);
    const place = data.findIndex(({ name }) => name === names[0]);
    assert.match(await tip("node", place), /^&#60;b&#62;north&#60;\/b&#62;: 1 agent<br>.*: <b>\d+<\/b><br>.*: <b>/);
    assert.match(await tip("node", data.findIndex(({ name }) => name === "east")), /^east: server, 2 agents<br>/);
    assert.match(await tip("edge", 0), /^<b>.* – .*<\/b><br>.* → .*: <b>\d+ ms<\/b>, .*<br>.* → /);
    await page.locator("#sites select").selectOption("price");
    const sizes = await page.evaluate(() => window.lagnetReport.panels.sites.chart.getOption().series[0].data
      .map(({ name, value }) => [name, value]));
    const rows = new Map(rowsOf("corners/sites.csv").map((row) => [row.site, Number(row.price)]));
    for (const [name, value] of sizes) assert.ok(Math.abs(value - rows.get(name)) <= 1e-12 * value, name);
  }));

test("a run without sites has no such figure", { skip }, () =>
  chromium.inReport(path.join(folder, "nowhere.html"), async (page) => {
    assert.equal(await page.locator("#sites").count(), 0);
    assert.equal(await page.locator("#topology").count(), 1);
  }));

for (const colorScheme of ["light", "dark"])
  test(`the page and the names on the map are no wider than a narrow window in ${colorScheme} colors`, { skip }, () =>
    inFigure("corners", async (page) => {
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
      const texts = await page.evaluate(() => {
        const { chart } = window.lagnetReport.panels.sites, width = chart.getWidth();
        return chart.getZr().storage.getDisplayList().filter(({ type }) => type === "tspan").map((one) => {
          const box = one.getBoundingRect().clone();
          box.applyTransform(one.transform);
          return [one.style.text, box.x >= 0 && box.x + box.width <= width];
        });
      });
      assert.deepEqual(texts.filter(([, isInside]) => !isInside), []);
      for (const name of names) assert.ok(texts.some(([text]) => text === name), name);
    }, { viewport: { width: 420, height: 900 }, colorScheme }));

test("names do not cover each other on a narrow page", { skip }, () =>
  inFigure("regions", async (page) => {
    const boxes = await page.evaluate(() => {
      const { chart } = window.lagnetReport.panels.sites;
      return chart.getZr().storage.getDisplayList().filter(({ type }) => type === "tspan").map((one) => {
        const box = one.getBoundingRect().clone();
        box.applyTransform(one.transform);
        return [one.style.text, box.x, box.y, box.x + box.width, box.y + box.height];
      });
    });
    assert.equal(boxes.length, 20);
    // The boxes of lines are a few pixels higher than their letters.
    const cover = ([, a, b, c, d], [, e, f, g, h]) =>
      Math.min(c, g) - Math.max(a, e) > 1 && Math.min(d, h) - Math.max(b, f) > 3;
    for (const [k, one] of boxes.entries())
      assert.deepEqual(boxes.slice(0, k).filter((other) => cover(one, other)).map(([text]) => [one[0], text]), []);
  }, { viewport: { width: 420, height: 900 } }));

test("the figure is drawn for print", { skip }, () => {
  lagnet("report", "corners", "--figure", "sites", "--format", "svg", "-o", "sites.svg");
  const drawing = fs.readFileSync(path.join(folder, "sites.svg"), "utf8");
  assert.match(drawing, /aria-label="corners: 4 sites, the server in east\./);
  assert.match(drawing, />server, 2 agents</);
});
