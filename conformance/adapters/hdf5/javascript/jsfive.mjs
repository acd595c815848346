// A reader of HDF5 files on jsfive, for hepcheck suite (conformance/protocol-hdf5.md):
//   node jsfive.mjs DIRECTORY    with the packages in DIRECTORY/node_modules
// jsfive does not tell enumerations from integers, nor the datatype and the shape of attributes; what it does not tell
// is left out.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { readFileSync } from "node:fs";
import { serve } from "../../arrow/javascript/conversation.mjs";
import { float, product, refusals } from "./cells.mjs";

const folder = resolve(process.argv[2]);
const load = createRequire(pathToFileURL(`${folder}/`));
const hdf5 = load("jsfive");
const { version } = JSON.parse(readFileSync(`${folder}/node_modules/jsfive/package.json`));
console.log = console.error;

function notation(dtype) {
  if (dtype[0] === "VLEN_STRING") return { class: "string", size: "variable" };
  if (dtype[0] === "VLEN_SEQUENCE") return { class: "vlen" };
  if (dtype[0] === "REFERENCE") return { class: "reference" };
  if (dtype[0] === "S") return { class: "string", size: Number(dtype.slice(1)) };
  const order = dtype[0] === ">" ? "big" : "little", size = Number(dtype.slice(2));
  return dtype[1] === "f" ? { class: "float", size, order } : undefined;
}

function cell(dtype, value) {
  if (dtype[0] === "VLEN_SEQUENCE") return Array.from(value, (each) => cell(dtype[1], each));
  if (dtype[0] === "REFERENCE") {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(Array.isArray(value) ? value[0] : value));
    return { bytes: bytes.toString("base64") };
  }
  if (typeof value === "string") return value;
  return dtype[1] === "f" ? float(value, Number(dtype.slice(2))) : String(value);
}

// The datatype of an attribute is known only while it is read.
function attributes(item) {
  const known = [], prototype = Object.getPrototypeOf(item._dataobjects), before = prototype._attr_value;
  let level = 0;
  prototype._attr_value = function (dtype, ...rest) {
    if (level === 0) known.push(dtype);
    ++level;
    try { return before.call(this, dtype, ...rest); } finally { --level; }
  };
  try {
    return Object.entries(item.attrs).map(([name, value], i) => {
      const scalar = !Array.isArray(value) || known[i][0] === "VLEN_SEQUENCE" && !Array.isArray(value[0]);
      return { name, values: (scalar ? [value] : value).map((each) => cell(known[i], each)) };
    });
  } finally {
    prototype._attr_value = before;
  }
}

function read({ file: path, most }) {
  const bytes = readFileSync(path), objects = [], seen = new Set();
  const file = new hdf5.File(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), path);
  const object = (item, names) => {
    if (seen.has(item._dataobjects.offset)) return;
    seen.add(item._dataobjects.offset);
    const entry = { path: names, kind: item instanceof hdf5.Dataset ? "dataset" : "group" };
    objects.push(entry);
    refusals(entry, () => {
      if (entry.kind === "group") {
        entry.links = item.keys;
      } else {
        const dtype = item.dtype;
        const type = notation(dtype);
        if (type) entry.type = type;
        entry.shape = item.shape.map(String);
        const size = Number(/\d+$/.exec(dtype)?.[0] ?? 16);
        if (product(item.shape) * size <= Number(most)) entry.values = Array.from(item.value, (value) => cell(dtype, value));
      }
    });
    refusals(entry, () => { entry.attributes = attributes(item); });
    for (const name of entry.links ?? []) {
      const below = [...names, name], unknown = { path: below, kind: "unknown" };
      refusals(unknown, () => {
        if (typeof item._links[name] !== "string") object(item.get(name), below);
      });
      if (unknown.refused) objects.push(unknown);
    }
  };
  object(file, []);
  return { objects };
}

await serve({ name: `jsfive ${version}`, capabilities: {
  operations: ["read"], features: ["attributes"],
  datatypes: ["integer", "float", "string", "vlen-string", "enum", "vlen", "reference"] } }, { read });
