// The playback of a report: what moves on the page is what the trace of the run says.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { Chromium } = require("./browser.js");

const chromium = new Chromium(), { skip } = chromium;
// Latencies differ, so that messages overtake each other; some are lost on links and some at receivers that are away.
const scenario = {
  lagnet: 1, name: "played",
  data: { source: "gaussian_regression", samples: 40, features: 12 },
  topology: { kind: "lattice", agents: 9 },
  network: { latency_ms: { kind: "uniform", low: 1, high: 6 }, loss_probability: 0.08, retransmit: { timeout_ms: 9 } },
  participation: { availability: [{ kind: "schedule", down: [{ agent: 4, from_s: 0.08, until_s: 0.1 }] }] },
  algorithm: { kind: "fd_primal_dual" }, stop: { rounds: 60 },
  record: { every: 2, timeline: true, trace: true },
};
const window_s = [0.05, 0.15];
let folder, trace;

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8" });
}

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-playback-"));
  fs.writeFileSync(path.join(folder, "s.json"), JSON.stringify(scenario));
  lagnet("run", "s.json", "--out", "run", "--quiet");
  lagnet("report", "run", "-o", "whole.html");
  lagnet("report", "run", "-o", "part.html", "--from-s", String(window_s[0]), "--to-s", String(window_s[1]));
  trace = fs.readFileSync(path.join(folder, "run/trace.jsonl"), "utf8").trimEnd().split("\n").map((line) =>
    JSON.parse(line));
});

after(async () => {
  await chromium.close();
  fs.rmSync(folder, { recursive: true });
});

function pageTest(name, file, body, options) {
  test(name, { skip }, () => chromium.inReport(path.join(folder, file), body, options));
}

/** The messages of the trace, from when to when they were on their way, in nanoseconds. */
function messagesOfTrace() {
  const messages = new Map();
  for (const { time_ns, event, agent, peer, message, cause } of trace) {
    if (event === "sent") messages.set(message, { from: agent, to: peer, start: time_ns, end: Infinity, lost: "" });
    if (event !== "delivered" && event !== "lost") continue;
    Object.assign(messages.get(message), { end: time_ns, lost: event === "lost" ? cause : "" });
  }
  return [...messages.values()];
}

function inWindow([from_s, to_s]) {
  return messagesOfTrace().filter(({ start, end }) => start < Math.round(to_s * 1e9) && end > Math.round(from_s * 1e9));
}

/** What the page's playback says of itself. */
function playerState(page) {
  return page.evaluate(() => {
    const { playback } = window.lagnetReport.panels, { movement, cursor } = playback;
    return { count: movement.count, window: [movement.from_s, movement.to_s], time: cursor.time,
             losses: movement.losses.length, rate: playback.rate(), told: playback.told.textContent,
             isPlaying: playback.isPlaying(), button: playback.button.textContent, shown: playback.shown };
  });
}

/** From now on the page's clock stands still unless the test moves it on. */
async function stopClock(page) {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(60000);
}

function moveTo(page, time) {
  return page.evaluate((time) => {
    const { playback } = window.lagnetReport.panels;
    playback.cursor.move(time);
    return { ...playback.shown, told: playback.told.textContent };
  }, time);
}

for (const [file, wanted] of [["whole.html", null], ["part.html", window_s]])
  pageTest(`the playback of ${file} has the messages that the trace has in its window`, file, async (page) => {
    const { count, window, losses } = await playerState(page), messages = inWindow(window);
    if (wanted) assert.deepEqual(window, wanted);
    assert.ok(messages.length > 200);
    assert.equal(count, messages.length);
    assert.equal(losses, messages.filter(({ lost }) => lost).length);
    const found = await page.evaluate(() => {
      const { sender, receiver, departure, arrival, cause } = window.lagnetReport.panels.playback.movement;
      return cause.map((lost, k) =>
        [sender[k], receiver[k], Math.round(departure[k] * 1e9), Math.round(arrival[k] * 1e9), lost].join(" "));
    });
    assert.deepEqual(found.sort(), messages.map((one) =>
      [one.from, one.to, one.start, one.end, one.lost].join(" ")).sort());
    assert.ok(found.some((one) => one.endsWith("loss")) && found.some((one) => one.endsWith("receiver_down")));
  });

pageTest("at every moment the dots are the messages that were on their way", "part.html", async (page) => {
  const messages = messagesOfTrace(), counts = [];
  for (let k = 0; k <= 40; ++k) {
    const time_s = window_s[0] + (window_s[1] - window_s[0]) * k / 40, ns = Math.round(time_s * 1e9);
    const wanted = messages.filter(({ start, end }) => start <= ns && end > ns && start < window_s[1] * 1e9).length;
    const { moving, told } = await moveTo(page, time_s);
    assert.equal(moving, wanted, `at ${time_s} s`);
    assert.ok(told.includes(`: ${wanted} on their way, `), told);
    counts.push(wanted);
  }
  assert.ok(Math.max(...counts) > 10 && new Set(counts).size > 5);
});

pageTest("agents have the color of what the timeline shows them do", "part.html", async (page) => {
  const differing = await page.evaluate(() => {
    const { playback } = window.lagnetReport.panels, { movement, model } = playback, differing = [];
    const slices = model.runs[0].timeline.slices.filter(({ length }) => length === 5);
    for (let k = 0; k < 400; ++k) {
      const time = movement.from_s + (movement.to_s - movement.from_s) * (k + 0.5) / 400, agent = k % 9;
      const own = slices.filter((slice) => slice[0] === agent && slice[2] <= time && slice[3] > time);
      const state = ["compute", "encrypt", "wait", "sleep", "away", "idle"][movement.stateOf(agent, time)];
      const isRight = own.length ? own.some((slice) => slice[1] === state) : state === "idle";
      if (!isRight) differing.push([agent, time, state]);
    }
    return differing;
  });
  assert.deepEqual(differing, []);
});

pageTest("one cursor goes through the playback, the timeline and the curves", "whole.html", async (page) => {
  const lines = () => page.evaluate(() => ["timeline", "convergence"].map((name) => {
    const { chart, frame } = window.lagnetReport.panels[name], line = frame.querySelector(".cursor:not([hidden])");
    if (!line) return null;
    const at = line.getBoundingClientRect().left + 0.5 - frame.getBoundingClientRect().left;
    return chart.convertFromPixel({ xAxisIndex: 0 }, at + 0.25);
  }));
  const near = (found, wanted, length) => assert.ok(Math.abs(found - wanted) < 0.005 * length, `${found}, ${wanted}`);
  const { window } = await playerState(page), length = window[1] - window[0], half = window[0] + length / 2;
  await moveTo(page, half);
  for (const time of await lines()) near(time, half, length);
  // A click into the timeline, and one into the curves, go to their times.
  for (const name of ["timeline", "convergence"]) {
    const at = await page.evaluate(([name, time]) => {
      const { chart } = window.lagnetReport.panels[name];
      return chart.convertToPixel({ xAxisIndex: 0 }, time);
    }, [name, window[0] + length * (name === "timeline" ? 0.25 : 0.75)]);
    await page.locator(`#${name} .chart`).click({ position: { x: at, y: 60 } });
    const { time } = await playerState(page);
    near(time, window[0] + length * (name === "timeline" ? 0.25 : 0.75), length);
    for (const found of await lines()) near(found, time, length);
  }
  await page.locator("#playback-at").fill("2500");
  near((await playerState(page)).time, window[0] + length / 4, length);
  await page.locator("#convergence-x").selectOption("round");
  assert.equal((await lines())[1], null);
});

pageTest("arrow keys go from event to event and, with shift, from round to round", "part.html", async (page) => {
  const [from, to] = window_s.map((time) => Math.round(time * 1e9)), frame = page.locator("#playback .frame");
  const time_ns = async () => Math.round((await playerState(page)).time * 1e9);
  await frame.focus();
  const ends = inWindow(window_s).flatMap(({ start, end }) => [start, end]).filter((ns) => ns > from && ns < to);
  const slices = await page.evaluate(() => window.lagnetReport.model.runs[0].timeline.slices
    .filter(({ length }) => length === 5).flatMap(([, , start, end]) => [start, end]));
  const events = [...new Set([...ends, ...slices.map((time) => Math.round(time * 1e9)), to])]
    .filter((ns) => ns > from).sort((a, b) => a - b);
  for (const event of events.slice(0, 5)) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await time_ns(), event);
  }
  await page.keyboard.press("ArrowLeft");
  assert.equal(await time_ns(), events[3]);
  const begun = new Map();
  for (const { event, round, time_ns } of trace)
    if (event === "sent" && !begun.has(round)) begun.set(round, time_ns);
  const next = [...begun.values()].filter((ns) => ns > events[3]);
  for (const ns of next.slice(0, 3)) {
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await time_ns(), ns);
  }
  await page.keyboard.press("Shift+ArrowLeft");
  assert.equal(await time_ns(), next[1]);
});

pageTest("the space bar plays and pauses at the speed of the slider, and the start follows the end", "part.html",
  async (page) => {
    await stopClock(page);
    const length = window_s[1] - window_s[0], before = await playerState(page);
    assert.deepEqual([before.isPlaying, before.time], [false, window_s[0]]);
    assert.ok(Math.abs(20 * before.rate - length) < 1e-12);
    await page.locator("#playback .frame").focus();
    await page.keyboard.press("Space");
    assert.match((await playerState(page)).button, /Pause/);
    await page.clock.runFor(2000);
    // A frame is 16 ms of the clock that the test moves on; the first begins to count.
    const moved = (await playerState(page)).time - before.time;
    assert.ok(moved > 0.09 * length && moved <= 0.1001 * length, `${moved}`);
    await page.keyboard.press("Space");
    const paused = await playerState(page);
    assert.match(paused.button, /Play/);
    await page.clock.runFor(1000);
    assert.equal((await playerState(page)).time, paused.time);
    await page.locator("#playback-speed").fill("1");
    assert.ok(Math.abs((await playerState(page)).rate - 10 * before.rate) < 1e-9 * length);
    await page.locator("#playback button:text-is('▶ Play')").click();
    await page.clock.runFor(1900);  // 90 % of the window are left, which are 1.8 s
    const again = await playerState(page);
    assert.ok(again.isPlaying && again.time < paused.time, `${again.time}`);
    await page.locator("#playback-loop").uncheck();
    await page.clock.runFor(2500);
    const end = await playerState(page);
    assert.deepEqual([end.isPlaying, end.time], [false, window_s[1]]);
  });

pageTest("who wants less motion gets a picture a second", "part.html", async (page) => {
  await stopClock(page);
  const { isPlaying, time, rate } = await playerState(page);
  assert.equal(isPlaying, false);
  await page.locator("#playback .frame").focus();
  await page.keyboard.press("Space");
  const after = async (ms) => {
    await page.clock.runFor(ms);
    return (await playerState(page)).time;
  };
  assert.equal(await after(900), time);
  for (const steps of [1, 2]) assert.ok(Math.abs(await after(1000) - time - steps * rate) < 1e-12);
  await page.keyboard.press("Space");
  assert.equal((await playerState(page)).isPlaying, false);
}, { reducedMotion: "reduce" });

/** The SVG file of the button, as a browser reads it: how many of what is in it. */
async function savedLoop(page) {
  const [download] = await Promise.all([page.waitForEvent("download"),
                                        page.locator("#playback button:text-is('Save loop (SVG)')").click()]);
  const text = fs.readFileSync(await download.path(), "utf8");
  return page.evaluate((text) => {
    const file = new DOMParser().parseFromString(text, "image/svg+xml"), all = [...file.querySelectorAll("*")];
    return {
      root: file.documentElement.tagName, errors: file.querySelectorAll("parsererror").length,
      messages: file.querySelectorAll("circle.message > animateMotion").length,
      lost: file.querySelectorAll("path.lost > animateMotion").length,
      scripts: all.filter(({ tagName }) => /script|foreignObject|image|^a$/i.test(tagName)).length +
        all.flatMap(({ attributes }) => [...attributes]).filter(({ name }) => /^on|href/i.test(name)).length,
      title: file.querySelector("title").textContent,
      durations: [...new Set([...file.querySelectorAll("[dur]")].map((one) => one.getAttribute("dur")))],
    };
  }, text);
}

pageTest("a loop is saved as a picture without scripts, with a moving dot for each message", "part.html",
  async (page) => {
    const messages = inWindow(window_s), loop = await savedLoop(page);
    const inside = messages.filter(({ lost, end }) => lost && end < window_s[1] * 1e9);
    assert.deepEqual([loop.root, loop.errors, loop.scripts], ["svg", 0, 0]);
    assert.deepEqual([loop.messages, loop.lost], [messages.length, inside.length]);
    assert.deepEqual(loop.durations, ["20s"]);
    assert.match(loop.title, /0\.05 to 0\.15 s of simulated time/);
    assert.equal(await page.locator("#playback .remark").isVisible(), false);
  });

pageTest("a loop of too many messages ends earlier, and the page says so", "whole.html", async (page) => {
  const loop = await savedLoop(page), { count } = await playerState(page);
  assert.ok(count > 1500);
  assert.equal(loop.messages, 1500);
  assert.match(await page.locator("#playback .remark").textContent(), /has the first 1.500 of .*--from-s and --to-s/);
});

test("where too many messages set out at once no loop is offered", { skip }, async () => {
  const size = [["topology", { kind: "complete", agents: 41 }], ["participation", {}], ["stop", { rounds: 2 }]];
  lagnet("run", "s.json", "--out", "dense", "--quiet", ...size.flatMap(([key, value]) =>
    ["--set", `/${key}=${JSON.stringify(value)}`]));
  lagnet("report", "dense", "-o", "dense.html");
  await chromium.inReport(path.join(folder, "dense.html"), async (page) => {
    assert.ok(await page.locator("#playback button:text-is('Save loop (SVG)')").isDisabled());
    assert.match(await page.locator("#playback .remark").textContent(), /more than 1.500 messages set out at once/);
  });
});

const narrow = { viewport: { width: 420, height: 900 } }, dark = { colorScheme: "dark" };
for (const [name, options] of Object.entries({ narrow, dark }))
  pageTest(`on a ${name} page the dots are where its graph has their agents`, "part.html", async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    const inside = await page.evaluate(() => {
      const { canvas, chartBox, stage } = window.lagnetReport.panels.playback;
      const [over, under] = [canvas, chartBox].map((one) => one.getBoundingClientRect());
      const nodes = [...chartBox.querySelectorAll("path")].map((one) => one.getBoundingClientRect());
      const isNode = (x, y) => nodes.some(({ left, top, width, height }) =>
        Math.hypot(left + width / 2 - under.left - x, top + height / 2 - under.top - y) < 1.5);
      const isOver = (x, y) => x > over.left - under.left && x < over.right - under.left && y > over.top - under.top &&
        y < over.bottom - under.top;
      return [isNode, isOver].map((holds) => [...stage.x].every((x, agent) => holds(x, stage.y[agent])));
    });
    assert.deepEqual(inside, [true, true]);
  }, options);

test("runs without a timeline have no playback", { skip }, async () => {
  lagnet("run", "s.json", "--out", "plain", "--quiet", "--set", "/record/timeline=false");
  lagnet("report", "plain", "-o", "plain.html");
  await chromium.inReport(path.join(folder, "plain.html"), async (page) => {
    assert.equal(await page.locator("#playback").count(), 0);
    assert.equal(await page.locator(".cursor:not([hidden])").count(), 0);
  });
});
