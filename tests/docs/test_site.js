// The built site in a browser, from disk and without a network, in a wide and in a narrow window.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { after, test } = require("node:test");
const { pathToFileURL } = require("node:url");
const { Chromium, waitFor } = require("../report/browser.js");

const site = path.join(process.env.LAGNET_DOCS, "html");
const skip = fs.existsSync(path.join(site, "index.html")) ? false : "the site has not been built";
const chromium = new Chromium();
after(() => chromium.close());

/** Addresses of the pages, but for those of rooms, which are all of one kind. */
function pagesBelow(folder) {
  return fs.readdirSync(path.join(site, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return ["live", "rooms", "_static", "_sources"].includes(name) ? [] : pagesBelow(name);
    return name.endsWith(".html") ? [name] : [];
  });
}

const rooms = ["rooms/index.html", "rooms/tools.html", "rooms/scenarios/papers.html"];

/** Visits the pages, a few in each context of the browser. */
async function visit(names, width) {
  for (let first = 0; first < names.length; first += 10)
    await chromium.inReport(path.join(site, names[first]), async (page) => {
      for (const name of names.slice(first, first + 10)) {
        await page.goto(pathToFileURL(path.join(site, name)).href);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        const empty = await page.evaluate(() => [...document.images]
          .filter((image) => image.loading !== "lazy" && !image.naturalWidth).map((image) => image.src));
        assert.deepEqual({ name, wide, empty }, { name, wide: false, empty: [] });
      }
    }, { viewport: { width, height: 900 } });
}

for (const width of [1280, 390])
  test(`at ${width} px no page complains or is wider than the window`, { skip: skip || chromium.skip }, async () => {
    const names = [...pagesBelow(""), ...rooms];
    assert.ok(names.length > 60, `${names.length} pages`);
    await visit(names, width);
  });

test("code of the first pages is not cut off at its width", { skip: skip || chromium.skip }, async () => {
  for (const name of ["index.html", "rooms/index.html"])
    await chromium.inReport(path.join(site, name), async (page) => {
      const cut = await page.evaluate(() => [...document.querySelectorAll("article pre")]
        .filter((block) => block.scrollWidth > block.clientWidth).map((block) => block.textContent));
      assert.deepEqual(cut, [], name);
    }, { viewport: { width: 1280, height: 900 } });
});

test("figures of the gallery are drawn within their pages", { skip: skip || chromium.skip }, async () => {
  const papers = fs.readdirSync(path.join(site, "gallery"));
  assert.ok(papers.length >= 30);
  for (const name of ["ancelin2021.html", "maros2022.html", "bao2022.html", "overman2023.html", "yu2017.html"])
    await chromium.inReport(path.join(site, "gallery", name), async (page) => {
      const frame = await (await page.waitForSelector("iframe.live")).contentFrame();
      await waitFor(frame, () => window.lagnetReport && document.querySelectorAll("main canvas, main svg").length > 1);
      assert.ok(await frame.evaluate(() => window.lagnetReport.model.claims.length > 0), name);
    });
});

test("the menu opens in a narrow window, and the search finds a page", { skip: skip || chromium.skip }, async () => {
  await chromium.inReport(path.join(site, "index.html"), async (page) => {
    const link = page.locator(".sidebar-tree a", { hasText: "Explanations" });
    assert.equal(await link.evaluate((node) => node.getBoundingClientRect().right > 0), false);
    await page.locator("label.nav-overlay-icon").first().click();
    await waitFor(page, () => [...document.querySelectorAll(".sidebar-tree a")]
      .some((node) => node.textContent.includes("Explanations") && node.getBoundingClientRect().left >= 0));
  }, { viewport: { width: 390, height: 900 } });
  await chromium.inReport(path.join(site, "search.html"), async (page) => {
    await page.fill(".sidebar-search", "retime");
    await page.press(".sidebar-search", "Enter");
    await waitFor(page, () => document.querySelectorAll("#search-results li").length > 0);
  });
});
