// The page's recursion of times, held against the events of the engine: to the nanosecond, in every round, without a
// browser.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const vm = require("node:vm");

const script = path.join(__dirname, "../../tools/report/page/what_if/recursion.js");
const page = vm.createContext({});
vm.runInContext(`${fs.readFileSync(script, "utf8")}
  globalThis.timesOf = (world, graph, last, rounds) => roundTimes(makeWorld(world), makeGraph(graph), last, rounds);
  globalThis.Resources = Resources;`, page);

const rounds = 60, base = {
  lagnet: 1, data: { source: "gaussian_regression", samples: 80, features: 12 },
  topology: { kind: "lattice", agents: 9 }, algorithm: { kind: "extra" }, stop: { rounds },
};
const server = { topology: { kind: "star", agents: 7 }, algorithm: { kind: "fed_avg", client_step: 0.05 } };
const drawn = (low, high) => ({ kind: "uniform", low, high }), latency_ms = drawn(1, 30);
const worlds = {
  "links alone": { network: { latency_ms, bandwidth_bytes_per_s: drawn(5e3, 5e5) } },
  "upload that queues": { network: { latency_ms, up_bytes_per_s: drawn(3e3, 9e4) } },
  "download that queues": { network: { latency_ms, down_bytes_per_s: drawn(3e3, 9e4) } },
  "all three, with a server": { ...server, network: { latency_ms, bandwidth_bytes_per_s: 5e4, header_bytes: 66,
                                                      up_bytes_per_s: drawn(3e3, 9e4), down_bytes_per_s: 2e4 } },
  "ties at a receiver": { network: { latency_ms: 5, up_bytes_per_s: 1e4, down_bytes_per_s: 1e4 } },
  "nothing shared": { network: { latency_ms, sharing: "none", bandwidth_bytes_per_s: drawn(5e3, 5e5),
                                 up_bytes_per_s: drawn(3e3, 9e4), down_bytes_per_s: 2e4 } },
};
for (const [name, { network, ...more }] of Object.entries(worlds))
  if (network.sharing !== "none")
    worlds[`${name}, cut through`] =
      { ...more, network: { ...network, forwarding: "cut_through", send_order: "rotated" } };
worlds["zero latencies, cut through"] = { network: { latency_ms: 0, up_bytes_per_s: 1e4, down_bytes_per_s: 2e4,
                                                     forwarding: "cut_through" } };
let folder;

before(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-recursion-")); });
after(() => fs.rmSync(folder, { recursive: true }));

function lagnet(...words) {
  execFileSync(process.env.LAGNET, words, { cwd: folder });
}

/** What the page of a run holds for its sliders. */
function whatIf(name) {
  const html = fs.readFileSync(path.join(folder, `${name}.html`), "utf8");
  return JSON.parse(html.match(/<script type="application\/json" id="model">(.*?)<\/script>/s)[1]).what_if;
}

Object.entries(worlds).forEach(([name, changes], k) => test(`the script has the times of the events: ${name}`, () => {
  const file = `world${k}`;
  fs.writeFileSync(path.join(folder, `${file}.json`), JSON.stringify({ ...base, ...changes }));
  lagnet("run", `${file}.json`, "--out", file, "--quiet");
  lagnet("report", file, "-o", `${file}.html`);
  const model = whatIf(file), [run] = model.runs;
  assert.deepEqual(run.why_not, undefined);
  const times = page.timesOf(model.worlds[run.world], model.graphs[run.graph], rounds, run.rounds);
  const [head, ...rows] = fs.readFileSync(path.join(folder, file, "progress.csv"), "utf8").trimEnd().split("\n")
    .map((line) => line.split(","));
  const column = (row, key) => Number(row[head.indexOf(key)]);
  assert.equal(rows.length, rounds + 1);
  for (const row of rows) assert.equal(times[column(row, "round")] / 1e9, column(row, "simulated_s"));
}));

test("whole messages leave a resource one after the other, each after its own time", () => {
  const all = new page.Resources([1e9, 0.5e9, Infinity]);  // the cases of Resource in C++
  assert.deepEqual([[100, 300], [150, 50], [450, 50], [900, 0]].map(([at, bytes]) => all.lastLeaves(0, at, at, bytes)),
                   [400, 450, 500, 900]);
  assert.equal(all.lastLeaves(1, 100, 100, 300), 700);  // the others do not wait for it
  assert.equal(all.lastLeaves(2, 7, 7, 1e6), 7);
  assert.deepEqual([0, 1, 2].map((k) => all.isLimited(k)), [true, true, false]);
});

test("slow senders share a fast resource", () => {
  const one = new page.Resources([1e9]);  // the cases of Backlog in C++
  const both = (first, last, bytes) => [one.firstLeaves(0, first, last, bytes), one.lastLeaves(0, first, last, bytes)];
  assert.deepEqual([both(0, 200, 100), both(0, 200, 100), both(100, 100, 100), both(200, 200, 1)],
                   [[0, 200], [0, 200], [100, 300], [300, 301]]);
});
