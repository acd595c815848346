// Uses an installed npm package as its README says. usage: check_node.mjs FIXTURES
import assert from "node:assert";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { UsageError, validate } from "hepcheck";

const fixtures = process.argv[2];
const good = `${fixtures}/hep001/valid/14.1/worked-example-accepted--five-rows.h5`;
const bad = `${fixtures}/hep001/invalid/10.4/minmax-min-value--other-chunk.h5`;

assert.equal((await validate(good)).claim, "conformant");
for (const input of [bad, await readFile(bad), createReadStream(bad)]) {
  const report = await validate(input);
  assert.equal(report.claim, "not conformant");
  const broken = report.files[0].tables[0].clauses.filter((clause) => clause.verdict === "fail");
  assert.deepEqual(broken.map((clause) => clause.id), ["minmax-min-value"]);
}
assert.equal((await validate([good, bad], { only: "class-value" })).files.length, 2);
await assert.rejects(validate(good, { spec: "no-such-format" }), UsageError);
await assert.rejects(validate(7), TypeError);
await assert.rejects(validate(good, { signal: AbortSignal.abort() }), { name: "AbortError" });
await assert.rejects(validate(createEndless(), { spec: "arrow", signal: AbortSignal.timeout(1000) }), { name: "TimeoutError" });
await assert.rejects(validate(createFailing()), { message: "no more" });

async function* createEndless() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    yield new Uint8Array(1000);
  }
}
async function* createFailing() {
  yield new Uint8Array(10);
  throw new Error("no more");
}
