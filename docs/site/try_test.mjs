// The page that examines files, in a real browser: over HTTP and opened as a file; the JSON report equals that of the
// native program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, extname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { SITE, CHROMIUM, HEPCHECK, FIXTURES, BIG, ARRAY } = process.env;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LATE = 120_000;  // other work may slow this machine
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

let browser, server, address;
before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  server = createServer((request, response) => {
    const path = join(SITE, new URL(request.url, "http://localhost").pathname);
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
    createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/try.html`;
});
after(async () => {
  await browser.close();
  server.close();
});

async function open(where = address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const tab = await context.newPage();
  tab.requests = [];
  tab.problems = [];
  tab.on("request", (request) => tab.requests.push(request.url()));
  tab.on("pageerror", (error) => tab.problems.push(String(error)));
  tab.on("console", (message) => { if (message.type() === "error") tab.problems.push(message.text()); });
  await tab.goto(where);
  await tab.locator("html[data-ready]").waitFor();
  return tab;
}

const finished = (tab) => tab.locator("#result").waitFor({ state: "visible", timeout: LATE });

// What the native program says about a file, named as the page names it.
function expected(path) {
  const done = spawnSync(HEPCHECK, ["validate", "--no-config", "--format", "json", "--", basename(path)],
                         { cwd: join(path, ".."), maxBuffer: 1 << 28 });
  return done.stdout.toString();
}

// The report that the page offers, as a download: the policy of the page permits no requests.
async function downloaded(tab, id = "json") {
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.locator(`#${id}`).click()]);
  return readFileSync(await download.path(), "utf8");
}

// The first and the last fixture of each specification and kind.
function sample() {
  const files = [];
  for (const name of ["arrow", "hdf5", "hep001", "rntuple", "tiledb"]) {
    const manifest = JSON.parse(readFileSync(`${FIXTURES}/${name}/manifest.json`)).fixtures;
    for (const kind of ["valid", "invalid"]) {
      const some = manifest.filter((each) => each.kind === kind && each.bytes > 0 && statSync(`${FIXTURES}/${name}/${each.file}`).isFile());
      assert.ok(some.length > 3, name);
      files.push(...[some[0], some[some.length >> 1], some.at(-1)].map((each) => `${FIXTURES}/${name}/${each.file}`));
    }
  }
  return files;
}

test("a table with a stale index, by the button, opened as a file", { timeout: LATE }, async () => {
  const tab = await open(pathToFileURL(`${SITE}/try.html`).href);
  await tab.locator("#stale").click();
  await finished(tab);
  assert.deepEqual(tab.problems, []);
  assert.equal(await tab.locator("#verdict").textContent(), "Not conformant");
  assert.match(await tab.locator("#summary").textContent(), /minmax-min-value/);
  await tab.frameLocator("#report").getByText("row 2 lies in chunk 0").first().waitFor();
  assert.deepEqual(tab.requests.filter((each) => !/^(file|data|blob|about):/.test(each)), []);
  await tab.context().close();
});

test("files of every format: the JSON report is that of the native program", { timeout: 5 * LATE }, async () => {
  const tab = await open();
  const files = sample();
  assert.ok(files.length >= 30);
  for (const path of files) {
    await tab.locator("#file").setInputFiles(path);
    await tab.locator("#run").waitFor({ state: "hidden", timeout: LATE });
    await finished(tab);
    assert.equal(await downloaded(tab), expected(path), path);
  }
  assert.match(await downloaded(tab, "page"), /^<!doctype html>/i);
  assert.deepEqual(tab.problems, []);
  assert.deepEqual(tab.requests.filter((each) => !each.startsWith(new URL(address).origin) && !/^(data|blob|about):/.test(each)), []);
  await tab.context().close();
});

test("a folder is one array", { timeout: LATE }, async () => {
  const tab = await open();
  await tab.locator("#folder").setInputFiles(ARRAY);
  await finished(tab);
  assert.equal(await downloaded(tab), expected(ARRAY));
  await tab.context().close();
});

test("a table of 1 GB is read, but not loaded as a whole", { timeout: LATE }, async () => {
  const tab = await open();
  await tab.locator("#file").setInputFiles(BIG);
  await tab.waitForFunction(() => document.getElementById("progress").value > 0.05, null, { timeout: LATE });
  assert.match(await tab.locator("#status").textContent(), /^Examining big.h5, 1.00 GB: [0-9.]+ MB read/);
  await finished(tab);
  const words = await tab.locator("#summary").textContent();
  const [, read, memory] = words.match(/([0-9.]+) GB were read in [0-9.]+ s, with ([0-9.]+) MB of memory/);
  assert.ok(Number(read) >= 0.99, words);
  assert.ok(Number(memory) < 150, words);
  assert.equal(await downloaded(tab), expected(BIG));
  assert.deepEqual(tab.problems, []);
  await tab.context().close();
});

test("cancelling ends the worker, and the page goes on", { timeout: LATE }, async () => {
  const tab = await open();
  await tab.locator("#file").setInputFiles(BIG);
  await tab.waitForFunction(() => document.getElementById("progress").value > 0, null, { timeout: LATE });
  assert.equal(tab.workers().length, 1);
  await tab.locator("#cancel").click();
  assert.equal(await tab.locator("#verdict").textContent(), "Cancelled");
  assert.equal(await tab.locator("#run").isVisible(), false);
  // Chromium gives a worker that is busy two seconds.
  for (let i = 0; i < 100 && tab.workers().length; i++) await tab.waitForTimeout(100);
  assert.equal(tab.workers().length, 0);
  await tab.locator("#stale").click();
  await tab.waitForFunction(() => document.getElementById("verdict").textContent === "Not conformant", null, { timeout: LATE });
  assert.deepEqual(tab.problems, []);
  await tab.context().close();
});

test("what is no file of a known format is said to be so", { timeout: LATE }, async () => {
  const tab = await open();
  await tab.locator("#file").setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes\n") });
  await finished(tab);
  assert.equal(await tab.locator("#verdict").textContent(), "Not decided");
  assert.notEqual(await tab.locator("#summary").textContent(), "");
  await tab.context().close();
});

test("accessible, fits a phone, light and dark", { timeout: LATE }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    const tab = await open(address, { colorScheme, viewport: { width: 390, height: 800 } });
    const check = async () => {
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      const found = await tab.evaluate(() => window.axe.run(document, { iframes: false }));
      assert.deepEqual(found.violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
    };
    await tab.evaluate(AXE);
    await check();
    await tab.locator("#stale").click();
    await finished(tab);
    await check();
    assert.deepEqual(tab.problems, []);
    await tab.context().close();
  }
});
