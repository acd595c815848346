// Reads every entry of flat fields of an RNTuple with jsroot: node read.mjs PACKAGES FILE NAME FIELD...
// Prints a JSON object of columns; numbers beyond 2^53 are decimal strings.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [packages, path, name, ...wanted] = process.argv.slice(2);
console.log = console.error;  // what the library has to say
const part = (file) => import(pathToFileURL(createRequire(packages + "/").resolve(`jsroot/${file}`)));
const [{ openFile }, { rntupleProcess, readHeaderFooter }, { TSelector }] =
  await Promise.all([part("io"), part("rntuple"), part("tree")]);

const bytes = readFileSync(path);
const file = await openFile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
const rntuple = await file.readObject(name);
const builder = await readHeaderFooter(rntuple);
const names = wanted.length ? wanted : builder.fieldDescriptors.filter((field, i) => field.parentFieldId === i).map((field) => field.fieldName);
const selector = new TSelector();
const columns = Object.fromEntries(names.map((each) => [each, []]));
for (const each of names) selector.addBranch(each);
selector.Process = function () {
  for (const each of names) columns[each].push(this.tgtobj[each]);
};
await rntupleProcess(rntuple, selector);
process.stdout.write(JSON.stringify(columns, (key, value) => (typeof value === "bigint" ? String(value) : value)));
