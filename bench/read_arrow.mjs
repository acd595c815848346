// Measures how long apache-arrow takes to open a file and read every value: node read_arrow.mjs PACKAGES FILE
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.argv[2] + "/");
const { tableFromIPC } = require("apache-arrow");

function touch(vector) {
  let seen = 0;
  for (const value of vector)
    seen += value && typeof value === "object" && !(value instanceof String) ? touch(value) : 1;
  return seen;
}

const table = tableFromIPC(readFileSync(process.argv[3]));
let seen = 0;
for (let i = 0; i < table.numCols; ++i) seen += touch(table.getChildAt(i));
console.log(seen);
