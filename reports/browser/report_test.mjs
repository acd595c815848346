// The HTML report in a real browser: read, filtered, walked by keyboard, linked into, printed.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { HEPCHECK, FIXTURES, WORK, CHROMIUM } = process.env;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const GOOD = "valid/14.1/worked-example-accepted--five-rows.h5";
const BAD = "invalid/10.4/minmax-min-value--other-chunk.h5";
const BROKEN = "minmax-min-value";

function hepcheck(...args) {
  try {
    return execFileSync(HEPCHECK, args, { cwd: FIXTURES, encoding: "utf8", maxBuffer: 1 << 28,
                                          stdio: ["ignore", "pipe", "inherit"] });
  } catch (error) {
    assert.ok([1, 3].includes(error.status), String(error));
    return error.stdout;
  }
}

function report(name, ...inputs) {
  const file = join(WORK, `${name}.html`);
  hepcheck("validate", "--no-config", "--quiet", "--format", `html=${file}`, ...inputs);
  return pathToFileURL(file).href;
}

function rendered(name, document) {
  const json = join(WORK, `${name}.json`), file = join(WORK, `${name}.html`);
  writeFileSync(json, JSON.stringify(document));
  hepcheck("report", "render", "--format", "html", "--output", file, json);
  return pathToFileURL(file).href;
}

const everySo = (kind, step) =>
  readdirSync(join(FIXTURES, kind)).sort().flatMap((section) =>
    readdirSync(join(FIXTURES, kind, section)).filter((name) => name.endsWith(".h5")).sort()
      .map((name) => `${kind}/${section}/${name}`)).filter((_, i) => i % step === 0);
const MANY = [GOOD, BAD, ...everySo("invalid", 45), ...everySo("valid", 60)];

// A report of a suite with these verdicts, as `hepcheck suite --format json` writes it.
function judged(name, verdicts) {
  const file = join(WORK, `${name}.json`);
  const clauses = Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict, examined: 1, known: false,
    findings: verdict === "fail" ? [{ object: "t", where: "row 1", observed: "1", expected: "2" }] : [] }));
  writeFileSync(file, JSON.stringify({ schema: "hepcheck-suite-1", specification: "hep001-2026-07-09",
                                       program: { name }, role: "reader", scope: [], clauses }));
  return file;
}

const address = (...parts) => "#/" + parts.map(encodeURIComponent).join("/");
const item = (page, id) => page.locator(`#clauses li[data-clause="${id}"]`);
const choice = (name) => page.locator(`#clauses input[name="${name}"]`);
const nodes = (page) => page.evaluate(() => document.querySelectorAll("*").length);

let browser, context, page, requests, complaints;
const reports = {};

// The bytes of a container, in whose global heap one thing is wrong.
const CONTAINER = join(FIXTURES, "..", "hdf5", "invalid", "IV.B", "h5-region-reference-object-exists--no-collection.h5");

function bytesPage(name, file) {
  const page = join(WORK, `${name}.html`);
  writeFileSync(page, hepcheck("layout", "--format", "html", file));
  return pathToFileURL(page).href;
}

before(async () => {
  reports.bytes = bytesPage("bytes", CONTAINER);
  reports.container = report("container", CONTAINER);
  reports.good = report("good", GOOD);
  reports.bad = report("bad", BAD);
  reports.many = report("many", ...MANY);
  // Another format, long names of chapters and of files.
  reports.arrow = report("arrow", join(FIXTURES, "..", "arrow", "invalid", "2.6"));
  reports.hostile = report("hostile", join(WORK, "hostile.h5"));
  browser = await chromium.launch({ executablePath: CHROMIUM,
                                    args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
});
after(() => browser?.close());

// Nothing is fetched but the page, and nothing goes wrong on the way: in every test.
function clean() {
  assert.deepEqual(complaints, []);
  assert.deepEqual([...new Set(requests.map((url) => url.split("#")[0]))].filter((url) => !url.startsWith("data:")).length, 1,
                   `requests: ${requests}`);
}

async function fresh(options) {
  if (context) {
    clean();
    await context.close();
    context = null;
  }
  context = await browser.newContext(options);
  page = await context.newPage();
  requests = [];
  complaints = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
}
afterEach(async () => {
  const used = context;
  context = null;
  await used.close();
  clean();
});

test("the verdict comes first", async () => {
  await fresh();
  await page.goto(reports.good);
  assert.equal(await page.locator("h1").innerText(), "Conformant");
  assert.equal(await page.locator("#fix").count(), 0);
  await fresh();
  await page.goto(reports.bad);
  assert.equal(await page.locator("h1").innerText(), "Not conformant");
  assert.equal(await page.title(), "HEP001: not conformant");
  const fix = page.locator(`#fix-${BROKEN}`);
  for (const words of ["min 2", "min -1", "Rebuild the index", "row 2 lies in chunk 0"])
    assert.ok((await fix.innerText()).includes(words), words);
  const box = await fix.boundingBox();
  assert.ok(box.y + box.height < 720, "the first thing to fix is on the first screen");
});

test("without scripts the verdict and every broken clause can be read", async () => {
  await fresh({ javaScriptEnabled: false });
  await page.goto(reports.many);
  const document = JSON.parse(hepcheck("validate", "--no-config", "--format", "json", ...MANY));
  const tables = document.files.flatMap((file) => file.tables);
  const failed = tables.filter((table) => table.verdict === "fail").length;
  assert.equal(await page.locator("h1").innerText(), `${failed} of ${tables.length} tables not conformant`);
  const broken = new Set(tables.flatMap((table) => table.clauses)
    .filter((clause) => clause.verdict === "fail").map((clause) => clause.id));
  assert.ok(broken.size > 10);
  for (const id of broken) assert.equal(await page.locator(`#fix-${id}`).count(), 1, id);
  assert.ok(await page.locator("noscript").isVisible());
  assert.equal(await page.locator("#tables tbody tr").count(), tables.length);
});

test("filters", async () => {
  await fresh();
  await page.goto(reports.bad);
  const rows = page.locator("#clauses li[data-clause]");
  assert.equal(await rows.count(), 1);
  await choice("passed").check();
  const passed = await rows.count();
  assert.ok(passed > 50, String(passed));
  await page.getByRole("combobox", { name: "Chapter" }).selectOption("7");
  const chapter = await rows.count();
  assert.ok(chapter > 5 && chapter < passed, String(chapter));
  await choice("MUST").uncheck();
  assert.ok(await rows.count() < chapter);
  await choice("MUST").check();
  await page.getByLabel("Text").fill("nrows-uint64");
  assert.deepEqual(await rows.evaluateAll((all) => all.map((each) => each.dataset.clause)), ["nrows-uint64"]);
  assert.equal(await page.locator("#clauses [role=status]").innerText(), "1 clause shown below");
  await page.getByLabel("Text").fill("no such words");
  assert.equal(await rows.count(), 0);
  assert.match(await page.locator("#clauses [role=status]").innerText(), /No clause/);
});

test("a clause opens by keyboard", async () => {
  await fresh();
  await page.goto(reports.bad);
  await choice("passed").check();
  await page.locator("h1").click();
  await page.keyboard.press("/");
  assert.ok(await page.getByLabel("Text").evaluate((input) => input === document.activeElement));
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const open = item(page, BROKEN);
  await open.locator(".body").waitFor();
  const text = await open.innerText();
  for (const words of ["Where", "Found", "min 2", "Expected", "min -1", "Witness", "Fix", "Requirement", "How it is checked", "looked at"])
    assert.ok(text.includes(words), words);
  const [way, words] = (await page.evaluate(() => location.hash)).split("?");
  assert.equal(way, address(BAD, "/events", BROKEN));
  assert.match(new URLSearchParams(words).get("show"), /passed/);
  await page.keyboard.press("Enter");
  assert.equal(await open.locator("details[open]").count(), 0);
  // The squares: one stop for Tab in each chapter, arrows within.
  await page.locator(".squares").first().locator("a[tabindex='0']").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.locator("#clauses details[open] .body").waitFor();
});

test("a deep link leads to a clause of one table among many", async () => {
  await fresh();
  await page.goto(reports.many + address(BAD, "/events", BROKEN));
  await item(page, BROKEN).locator(".body").waitFor();
  assert.equal(await page.locator("#table h2").innerText(), `${BAD}:/events`);
  assert.ok(await item(page, BROKEN).locator("summary").evaluate((each) => each === document.activeElement));
  const box = await item(page, BROKEN).boundingBox();
  assert.ok(box.y >= 0 && box.y < page.viewportSize().height, "it is in view");
  // A clause that the filters hide, in another table; the address changes within the page.
  await page.goto(reports.many + address(GOOD, "/my_table", "nrows-uint64"));
  await item(page, "nrows-uint64").locator(".body").waitFor();
  assert.equal(await page.locator("#table h2").innerText(), `${GOOD}:/my_table`);
  // Addresses that lead nowhere do no harm.
  for (const hash of ["#/", "#/%", "#/no/such", address(GOOD, "/my_table", "no-such-clause"), "#fix"])
    await page.goto(reports.many + hash);
});

test("many tables: the matrix", async () => {
  await fresh();
  await page.goto(reports.many);
  const rows = page.locator("#tables tbody tr");
  const all = await rows.count();
  assert.ok(all >= 20, String(all));
  await page.locator("#tables").getByRole("combobox", { name: "Verdict" }).selectOption("pass");
  const passed = await rows.count();
  assert.ok(passed > 0 && passed < all);
  await page.locator("#tables").getByRole("combobox", { name: "Verdict" }).selectOption("");
  await page.locator("#tables").getByLabel("Name contains").fill(BAD);
  assert.equal(await rows.count(), 1);
  const cell = rows.locator("td.cell a");
  assert.equal(await cell.getAttribute("title"), "11.4 CHUNK_MINMAX: 1 clause broken");
  await cell.click();
  await item(page, BROKEN).locator(".body").waitFor();
  await page.getByRole("combobox", { name: "Of" }).selectOption("all");
  assert.ok(await page.locator("#clauses li[data-clause]").count() > 20);
});

test("programs are compared clause by clause", async () => {
  const file = join(WORK, "compare.html");
  const one = judged("reader", { "consumer-lossless-read": "pass", "consumer-identify-by-class": "pass" });
  const other = judged("reader2", { "consumer-lossless-read": "pass", "consumer-identify-by-class": "fail" });
  writeFileSync(file, hepcheck("suite", "compare", "--format", "html", one, other));
  await fresh();
  await page.goto(pathToFileURL(file).href);
  const rows = page.locator("#programs tbody tr");
  assert.equal(await rows.count(), 2);
  assert.match(await rows.nth(0).innerText(), /^consumer-identify-by-class/);
  assert.equal(await rows.nth(0).locator("a.passed, a.broken").count(), 2);
  assert.equal(await rows.nth(1).locator("a.passed").count(), 2);
  assert.match(await page.locator("#programs").innerText(), /disagree on 1 clause,/);
});

test("each specification has a matrix of its own", async () => {
  await fresh();
  await page.goto(report("mixed", GOOD, BAD, join(FIXTURES, "..", "arrow", "invalid", "2.6")));
  const heads = await page.locator("#tables h3").allInnerTexts();
  assert.equal(heads.length, 2);
  for (const scroll of await page.locator("#tables .scroll").all())
    assert.ok(await scroll.evaluate((each) => each.scrollWidth <= each.clientWidth + 1), `no column is cut: ${await scroll.locator("thead").innerText()}`);
});

test("pictures of columns", async () => {
  await fresh();
  await page.goto(reports.bad);
  const labels = await page.locator("#table svg").evaluateAll((all) => all.map((svg) => svg.getAttribute("aria-label")));
  assert.deepEqual(labels.map((label) => label.split(":")[0]), ["Missing values of x", "CHUNK_MINMAX of x"]);
  assert.match(labels[1], /differs in chunk 0 \(1 difference\)/);
  // Chunk 0 is rows 0 to 3 of 7, and red from its first row to its last.
  assert.equal(await page.locator("#table path.differs").getAttribute("d"), "M0 0H4V20H0Z");
  await page.locator("#table svg").last().hover({ position: { x: 5, y: 5 } });
  assert.match(await page.locator("#table .readout").innerText(), /^row \d, chunk 0: .*CHUNK_MINMAX 1 difference/);
  await fresh();
  await page.goto(report("sorted", "invalid/10.5/sorted-integer-order--descending.h5"));
  const sorted = await page.locator("#table svg[aria-label^='SORTED_ROWS']").getAttribute("aria-label");
  assert.match(sorted, /the order breaks at elements? 1/);
  assert.ok(await page.locator("#table path.breaks").count() === 1);
});

const NARROW = ["good", "bad", "many", "arrow", "hostile", "bytes", "container"].map((name) => [name, 390]);
// In the dark, only the colors are others.
for (const [scheme, pages, rules] of [["light", [["good", 1280], ["bad", 1280], ["many", 1280], ...NARROW], {}],
                                      ["dark", NARROW, { runOnly: ["color-contrast", "link-in-text-block"] }]])
  test(`axe finds nothing, ${scheme}`, async () => {
    for (const [name, width] of pages) {
      await fresh({ colorScheme: scheme, viewport: { width, height: 800 } });
      const linked = ["bad", "many"].includes(name);
      await page.goto(reports[name] + (linked ? address(BAD, "/events", BROKEN) : ""));
      if (name === "bytes") await page.locator("#findings button").first().click();
      else if (name === "container") await page.locator("#blocks summary").first().click();
      else if (!linked) await choice("none").check();
      else await item(page, BROKEN).locator(".body").waitFor();
      await page.evaluate(AXE);
      const violations = await page.evaluate(async (rules) => (await window.axe.run(document, rules)).violations
        .map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => `${node.html} ${node.failureSummary}`).join("\n")}`), rules);
      assert.deepEqual(violations, [], `${name} ${width}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0, `${name} does not fit into ${width} pixels`);
    }
  });

test("the worst comes first, and other orders can be had", async () => {
  await fresh();
  await page.goto(reports.many);
  const verdicts = () => page.locator("#tables tbody td .word").allInnerTexts();
  const names = () => page.locator("#tables tbody th").allInnerTexts();
  const first = await verdicts();
  assert.deepEqual(first, [...first].sort((a, b) => ["not conformant", "not fully checked", "unsupported", "conformant"].indexOf(a) -
    ["not conformant", "not fully checked", "unsupported", "conformant"].indexOf(b)));
  await page.getByRole("combobox", { name: "Order" }).selectOption("name");
  const byName = await names();
  assert.deepEqual(byName, [...byName].sort((a, b) => a.localeCompare(b, "en", { numeric: true })));
  await page.getByRole("combobox", { name: "Order" }).selectOption("given");
  assert.equal((await names())[0].split(":")[0], MANY[0]);
});

test("filters are in the address", async () => {
  await fresh();
  await page.goto(reports.many);
  await page.locator("#tables").getByRole("combobox", { name: "Verdict" }).selectOption("fail");
  await choice("passed").check();
  await page.getByLabel("Text").fill("nrows");
  await page.getByRole("combobox", { name: "Of" }).selectOption("all");
  const shown = [await page.locator("#tables tbody tr").count(), await page.locator("#clauses [role=status]").innerText()];
  const url = page.url();
  await fresh();
  await page.goto(url);
  assert.deepEqual([await page.locator("#tables tbody tr").count(), await page.locator("#clauses [role=status]").innerText()], shown);
  assert.equal(await page.getByLabel("Text").inputValue(), "nrows");
  // Words that mean nothing do no harm.
  await page.goto(`${reports.many}#/?show=nothing&sort=sideways&verdict=x&chapter=0&of=some&more=%zz`);
  assert.ok(await page.locator("#tables tbody tr").count() > 10);
});

test("further places unfold", async () => {
  await fresh();
  const document = JSON.parse(hepcheck("validate", "--no-config", "--format", "json", BAD));
  const clause = document.files[0].tables[0].clauses.find((each) => each.id === BROKEN);
  clause.findings = Array.from({ length: 12 }, (_, i) => ({ ...clause.findings[0], where: `chunk ${i}` }));
  await page.goto(rendered("places", document));
  const more = page.locator(`#fix-${BROKEN} details`);
  assert.equal(await more.locator("summary").innerText(), "and 9 more places");
  await more.locator("summary").click();
  const places = await more.locator("li").allInnerTexts();
  assert.equal(places.length, 9);
  assert.ok(places[8].includes("chunk 11"), places[8]);
});

test("links and commands can be copied", async () => {
  await fresh({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(reports.bad + address(BAD, "/events", BROKEN));
  await page.getByRole("button", { name: "Copy command" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `hepcheck explain ${BROKEN}`);
  await page.getByRole("button", { name: "Copy link" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), reports.bad + address(BAD, "/events", BROKEN));
});

test("since an earlier report", async () => {
  await fresh();
  const earlier = join(WORK, "earlier.json"), file = join(WORK, "since.html");
  const document = JSON.parse(hepcheck("validate", "--no-config", "--format", "json", BAD, GOOD));
  const finding = document.files[0].tables[0].clauses.find((each) => each.id === BROKEN).findings[0];
  finding.where = "chunk 77";
  writeFileSync(earlier, JSON.stringify(document));
  hepcheck("validate", "--no-config", "--quiet", "--against", earlier, "--stamp", "--format", `html=${file}`, BAD, GOOD);
  await page.goto(pathToFileURL(file).href);
  const since = page.locator("#against");
  assert.match(await since.innerText(), /1 finding new, 1 gone, 0 still there/);
  await since.getByText("Gone", { exact: true }).click();
  assert.match(await since.innerText(), /chunk 77: minmax-min-value/);
  assert.match(await page.locator("#stamp").innerText(), /--against=.*SHA-256 [0-9a-f]{64}/s);
});

test("paper has all that is broken", async () => {
  await fresh({ javaScriptEnabled: true });
  const document = JSON.parse(hepcheck("validate", "--no-config", "--format", "json", BAD));
  const [file] = document.files;
  document.files = Array.from({ length: 80 }, (_, i) => ({ ...file, path: `part-${i}.h5` }));
  await page.goto(rendered("paper", document));
  assert.equal(await page.locator("#tables tbody tr").count(), 50);
  await page.pdf({ format: "A4" });  // says beforeprint and afterprint
  assert.equal(await page.locator("#tables tbody tr").count(), 80);
  assert.equal(await page.locator(`#fix-${BROKEN} details[open]`).count(), 0);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("details.rest:not([open])").count(), 0);
  assert.ok(await page.locator(`#fix-${BROKEN} details li`).last().isVisible());
});

test("without scripts, too, nothing broken stays folded on paper", async () => {
  await fresh({ javaScriptEnabled: false });
  await page.goto(reports.many);
  await page.emulateMedia({ media: "print" });
  for (const item of await page.locator("#fix .fix > li").all()) assert.ok(await item.isVisible());
});

test("it prints", async () => {
  await fresh();
  await page.goto(reports.bad);
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  assert.match(pdf.toString("latin1"), /\/Type \/Pages/);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.ok(await page.locator(`#fix-${BROKEN}`).isVisible());
  assert.equal(await page.locator("#clauses .tools").isVisible(), false);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
});

test("names from files are only text", async () => {
  await fresh();
  await page.goto(reports.hostile);
  assert.equal(await page.locator("main b:not(.hint b, .demand b), main img, main i:not(.key i), main script").count(), 0);
  for (const summary of await page.locator("#clauses summary").all()) await summary.click();
  const text = await page.locator("body").innerText();
  for (const part of ["<script>alert(1)<", "--><img src=x>", "&amp;", "]]>", "\\x1B[31m", "\\u{202E}"])
    assert.ok(text.includes(part), part);
  assert.equal(await page.locator("main b:not(.hint b, .demand b), main img, main script").count(), 0);
});

// Opening and filtering take as long as the page has nodes to make: few, whatever the findings.
const MOST_NODES = 6000;

test("10,000 findings of one clause", async () => {
  await fresh();
  const document = JSON.parse(hepcheck("validate", "--no-config", "--format", "json", BAD));
  const clause = document.files[0].tables[0].clauses.find((each) => each.id === BROKEN);
  clause.findings = Array.from({ length: 10_000 }, (_, i) => ({ ...clause.findings[0], where: `chunk ${i}` }));
  await page.goto(rendered("findings", document) + address(BAD, "/events", BROKEN));
  const findings = item(page, BROKEN).locator(".finding");
  await findings.first().waitFor();
  assert.equal(await findings.count(), 20);
  await item(page, BROKEN).getByRole("button", { name: /more findings/ }).click();
  assert.equal(await findings.count(), 40);
  await page.getByLabel("Text").fill("chunk 9999");
  assert.equal(await page.locator("#clauses li[data-clause]").count(), 1);
  assert.ok(await nodes(page) < MOST_NODES, String(await nodes(page)));
});

test("10,000 findings in 200 tables", async () => {
  await fresh();
  const document = JSON.parse(hepcheck("validate", "--no-config", "--format", "json", BAD));
  const [file] = document.files;
  const clause = file.tables[0].clauses.find((each) => each.id === BROKEN);
  clause.findings = Array.from({ length: 50 }, (_, i) => ({ ...clause.findings[0], where: `chunk ${i}` }));
  document.files = Array.from({ length: 200 }, (_, i) => ({ ...file, path: `part-${i}.h5` }));
  await page.goto(rendered("tables", document));
  assert.equal(await page.locator("h1").innerText(), "200 of 200 tables not conformant");
  await page.getByRole("combobox", { name: "Of" }).selectOption("all");
  assert.equal(await page.locator("#clauses [role=status]").innerText(), "200 clauses shown below");
  assert.ok(await nodes(page) < MOST_NODES, String(await nodes(page)));
  await page.getByLabel("Text").fill("part-177.h5");
  assert.equal(await page.locator("#clauses li[data-clause]").count(), 1);
  await page.locator("#tables").getByLabel("Name contains").fill("part-177.h5");
  assert.equal(await page.locator("#tables tbody tr").count(), 1);
});

test("a block opens and shows its fields, with the finding at its byte", async () => {
  const map = JSON.parse(hepcheck("layout", "--fields", "--format", "json", CONTAINER));
  const [found] = map.findings.filter((each) => each.clause === "h5-global-heap-signature");
  await fresh();
  await page.goto(reports.bytes);
  assert.equal(await page.locator("#blocks > li").count(), map.ranges.length + map.gaps.length);
  assert.equal(await page.locator(".fields").count(), 0, "fields are rendered when they are asked for");
  await page.locator("#blocks summary").first().click();
  const first = page.locator("#blocks details").first();
  const rows = await first.locator("tbody tr").evaluateAll((all) => all.map((row) => row.cells[2].innerText));
  assert.deepEqual(rows, map.ranges[0].fields.map((field) => field.name || "(no name)"));
  await page.locator("#findings button").first().click();
  const open = page.locator("#blocks details[open]").last();
  await open.locator("tbody tr").first().waitFor();  // the fields are rendered when the block opens
  const words = await open.innerText();
  assert.ok(words.includes(found.clause) && words.includes(found.observed), words);
  await page.locator("#only").check();
  assert.equal(await page.locator("#blocks > li").count(), 1);
  await page.locator("#only").uncheck();
  await page.locator("#search").fill("superblock");
  assert.equal(await page.locator("#blocks > li").count(), 1);
});

test("a finding stands in the row of its byte", async () => {
  const { findings, ranges } = JSON.parse(hepcheck("layout", "--fields", "--format", "json", CONTAINER));
  const { address } = findings.find((each) => each.severity === "error");
  const field = ranges.flatMap((range) => range.fields).find((each) => each.address <= address && address < each.address + each.size);
  await fresh();
  await page.goto(reports.bytes);
  await page.locator("#findings button").first().click();
  const row = page.locator("#blocks tr.found").first();
  assert.equal(await row.locator("td").first().innerText(), String(field.address));
});

test("a report opens the blocks of a container, and leads from a finding to its byte and back", async () => {
  const { ranges, gaps } = JSON.parse(hepcheck("layout", "--fields", "--format", "json", CONTAINER));
  await fresh();
  await page.goto(reports.container + address(CONTAINER, "/", "h5-global-heap-signature"));
  assert.equal(await page.locator("#blocks > li").count(), ranges.length + gaps.length);
  await item(page, "h5-global-heap-signature").locator(".finding button.copy").click();
  const open = page.locator("#blocks details[open]");
  const row = open.locator("tr.found.broken").first();
  assert.ok((await row.innerText()).includes("h5-global-heap-signature"));
  const names = await open.locator("tbody tr").evaluateAll((all) => all.map((each) => each.cells[2].innerText));
  const at = Number(await open.locator("summary .at").innerText());
  assert.deepEqual(names, ranges.find((each) => each.address === at).fields.map((field) => field.name || "(no name)"));
  await row.getByRole("link", { name: "clause" }).click();
  await item(page, "h5-global-heap-signature").locator("summary").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY");
});

test("other subjects have no blocks", async () => {
  await fresh();
  await page.goto(reports.good);
  assert.equal(await page.locator("#bytes").isVisible(), false);
});
