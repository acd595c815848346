// The site in a real browser: found by search and keyboard, readable on a phone, without any request elsewhere.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { SITE, CHROMIUM } = process.env;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["index.html", "clauses/index.html", "clauses/hep001-2026-07-09/index.html",
               "clauses/hep001-2026-07-09/minmax-min-value.html", "tutorials/first-table.html", "docs/ci.html"];
const address = (page) => pathToFileURL(`${SITE}/${page}`).href;

let browser;
before(async () => { browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] }); });
after(() => browser.close());

async function open(page, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const tab = await context.newPage();
  tab.requests = [];
  tab.problems = [];
  tab.on("request", (request) => tab.requests.push(request.url()));
  tab.on("pageerror", (error) => tab.problems.push(String(error)));
  await tab.goto(address(page));
  return tab;
}

test("search finds a clause, by keyboard alone", async () => {
  const tab = await open("index.html");
  await tab.keyboard.press("/");
  await tab.keyboard.type("minmax-min-value");
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("Enter");
  await tab.waitForURL(/minmax-min-value\.html$/);
  assert.equal(await tab.locator("h1").textContent(), "minmax-min-value");
  assert.equal(await tab.locator("main a[download]").count() > 1, true);
  await tab.locator("#search").fill("no such words at all");
  assert.match(await tab.locator("#results").textContent(), /nothing found/);
  await tab.keyboard.press("Escape");
  assert.equal(await tab.locator("#results").isVisible(), false);
  assert.deepEqual(tab.problems, []);
});

for (const page of PAGES)
  test(`${page}: accessible, nothing from elsewhere, fits a phone`, async () => {
    for (const scheme of ["light", "dark"]) {
      const tab = await open(page, { colorScheme: scheme, viewport: { width: 390, height: 800 } });
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      await tab.evaluate(AXE);
      const found = await tab.evaluate(() => window.axe.run());
      assert.deepEqual(found.violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
      assert.deepEqual(tab.requests.filter((each) => !each.startsWith("file:") && !each.startsWith("data:")), []);
      assert.deepEqual(tab.problems, []);
      await tab.context().close();
    }
  });
