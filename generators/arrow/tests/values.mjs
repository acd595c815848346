// The values of Arrow streams and files as two readers have them: node values.mjs PACKAGES < PATHS
//
// A line of output for each path: {"apache-arrow": columns, "arrow-rs": columns}, columns a list of
// [name, values], or a text that says why there are none. Integers are texts, since some have 64 bits,
// floats numbers or "nan", "inf", "-inf"; bytes {"hex": text}; a struct is an object. What arrow-rs has
// read comes back through a stream of its own.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.argv[2] + "/");
const parquet = require("parquet-wasm/node");
const arrow = require("apache-arrow");
const { DataType, tableFromIPC } = arrow;

function float(value) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return Object.is(value, -0) ? 0 : value;
}

function plain(type, value) {
  if (value === null || value === undefined) return null;
  if (DataType.isDictionary(type)) return plain(type.dictionary, value);
  if (DataType.isBool(type)) return value;
  if (DataType.isInt(type)) return String(value);
  if (DataType.isFloat(type)) return float(value);
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return value;
  if (DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isFixedSizeBinary(type))
    return { hex: Buffer.from(value).toString("hex") };
  if (DataType.isStruct(type))
    return Object.fromEntries(type.children.map((field) => [field.name, plain(field.type, value[field.name])]));
  if (type.children && type.children.length === 1)
    return Array.from(value, (each) => plain(type.children[0].type, each));
  // Dates, times and decimals: only to be equal to themselves.
  return ArrayBuffer.isView(value) ? { hex: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex") }
                                   : String(value);
}

// Null columns of any length take no room in a file.
const MOST_ROWS = 100000;

function columns(bytes) {
  const table = tableFromIPC(bytes);
  if (table.numRows > MOST_ROWS) throw new Error("too many rows");
  return table.schema.fields.map((field, number) => {
    const vector = table.getChildAt(number), values = [];
    for (let i = 0; i < table.numRows; ++i) values.push(plain(field.type, vector.get(i)));
    return [field.name, values];
  });
}

function attempt(read) {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

for (const path of readFileSync(0, "utf8").split("\n").filter((line) => line)) {
  const bytes = new Uint8Array(readFileSync(path));
  const stream = path.endsWith(".arrow") ? bytes.slice(8) : bytes;
  console.log(JSON.stringify({
    "apache-arrow": attempt(() => columns(bytes)),
    "arrow-rs": attempt(() => columns(parquet.Table.fromIPCStream(stream).intoIPCStream())),
  }));
}
