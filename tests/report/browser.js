// A report in headless Chromium: what the tests of pages share.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

/** Debian's browser; undefined if it is not installed. */
function chromiumPath() {
  const folders = (process.env.PATH || "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, "chromium")).find((file) => fs.existsSync(file));
}

/** The module folder of the build, which holds playwright-core. */
function playwright() {
  return require(require.resolve("playwright-core", { paths: [process.env.LAGNET_REPORT_MODULES] }));
}

const hangAfter = 180_000;  // ms; tests take seconds, also on a busy machine

/** `what` itself, or an error once it has taken longer than any machine needs. */
function orHang(what) {
  let timer;
  const hang = new Promise((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("the browser hangs"), { name: "TimeoutError" })),
                       1.5 * hangAfter);
  });
  return Promise.race([what, hang]).finally(() => clearTimeout(timer));
}

/** Chromium for the tests of one file. Without graphics hardware it now and then stops to answer for ever (Playwright's
    issue 4761, which says to do without its GPU process): then the test begins again in a new one, once. */
class Chromium {
  constructor() {
    this.path = chromiumPath();
    this.skip = this.path ? false : "chromium is not installed";
  }

  async launch() {
    this.browser = await playwright().chromium.launch(
      { executablePath: this.path, args: ["--no-sandbox", "--disable-gpu"] });
  }

  async close() {
    if (this.browser) await this.browser.close();
    this.browser = null;
  }

  /** Runs `body(page)` in a page, in a context of its own, which has nothing to complain of: no errors, no messages, no
      requests of other addresses than the allowed ones. */
  async attempt(url, allowed, body, options) {
    if (!this.browser) await this.launch();
    const context = await this.browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
    context.setDefaultTimeout(hangAfter);
    const page = await context.newPage(), complaints = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("request", (request) => {
      if (!allowed.test(request.url())) complaints.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    await body(page);
    assert.deepEqual(complaints, []);
    await context.close();
  }

  /** A page from disk, without any network. `body` may run twice. */
  async inReport(file, body, options = {}) {
    const attempt = () => orHang(this.attempt(pathToFileURL(file).href, /^(file|blob|data):/, body,
                                              { offline: true, ...options }));
    try {
      await attempt();
    } catch (error) {
      if (error.name !== "TimeoutError") throw error;
      console.log(`once more, in a new browser: ${error.stack}`);
      await this.close();
      await attempt();
    }
  }

  /** A page of `lagnet serve`, which may ask that server and no other. */
  inServed(url, body) {
    const { origin } = new URL(url);
    return this.attempt(url, new RegExp(`^(blob:|data:|${origin}/)`), body, {});
  }
}

/** Waits until a condition holds in the page. Asks by a clock, since a page that is not painted has no frames. */
function waitFor(page, condition, argument) {
  return page.waitForFunction(condition, argument, { polling: 50 });
}

/** The series of a figure's chart, as the chart itself has them: name, type, data and whether the legend shows it. */
function seriesOf(page, figure) {
  return page.evaluate((name) => {
    const { chart } = window.lagnetReport.panels[name];
    const option = chart.getOption(), selected = (option.legend[0] || {}).selected || {};
    return option.series.map(({ name, type, data }) => ({ name, type, data, shown: selected[name] !== false }));
  }, figure);
}

module.exports = { Chromium, seriesOf, waitFor };
