// A report in headless Chromium: what the tests of pages share.
"use strict";

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

/** Opens a page. Gives it with the list of what went wrong in it: errors, messages, and requests of other addresses. */
async function openPage(browser, url, allowed, options) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  context.setDefaultTimeout(0);  // how long a busy machine takes is nothing to judge by
  const page = await context.newPage(), complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!allowed.test(request.url())) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** Opens a page from disk, without any network. */
function openReport(browser, file, options = {}) {
  return openPage(browser, pathToFileURL(file).href, /^(file|blob|data):/, { offline: true, ...options });
}

/** Opens a page of `lagnet serve`, which may ask that server and no other. */
function openServed(browser, url) {
  const { origin } = new URL(url);
  return openPage(browser, url, new RegExp(`^(blob:|data:|${origin}/)`), {});
}

/** The series of a figure's chart, as the chart itself has them: name, type, data and whether the legend shows it. */
function seriesOf(page, figure) {
  return page.evaluate((name) => {
    const { chart } = window.lagnetReport.panels[name];
    const option = chart.getOption(), selected = (option.legend[0] || {}).selected || {};
    return option.series.map(({ name, type, data }) => ({ name, type, data, shown: selected[name] !== false }));
  }, figure);
}

module.exports = { chromiumPath, playwright, openReport, openServed, seriesOf };
