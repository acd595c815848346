// A reader of HDF5 files on h5wasm, for hepcheck suite (conformance/protocol-hdf5.md):
//   node h5wasm.mjs DIRECTORY    with the packages in DIRECTORY/node_modules
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { readFileSync } from "node:fs";
import { serve } from "../../arrow/javascript/conversation.mjs";
import { float, product, reason, refusals } from "./cells.mjs";

const folder = resolve(process.argv[2]);
const { default: h5wasm, Attribute } = await import(pathToFileURL(`${folder}/node_modules/h5wasm/dist/node/hdf5_hl.js`));
const { version } = JSON.parse(readFileSync(`${folder}/node_modules/h5wasm/package.json`));
const Module = await h5wasm.ready;
// Otherwise it prints what the library refuses, and returns the memory into which it should have read.
Module.activate_throwing_error_handler();

// A type as h5wasm describes it.
function notation(m) {
  const order = m.littleEndian ? "little" : "big", size = m.size;
  switch (m.type) {
    case 0: return { class: "integer", size, order, signed: m.signed };
    case 1: return { class: "float", size, order };
    case 3: return m.vlen ? { class: "string", size: "variable" }
                          : { class: "string", size, padding: ["null-term", "null-pad", "space-pad"][m.strpad] };
    case 6: return { class: "compound", fields: m.compound_type.members.map((member) => [member.name, notation(member)]) };
    case 8: return { class: "enum", members: Object.entries(m.enum_type.members).map(([name, code]) => [name, String(code)]) };
    case 9: return { class: "vlen", base: notation(m.vlen_type) };
    case 10: return { class: "array", dims: m.array_type.shape, base: notation(m.array_type) };
    default: return { class: ["time", "bitfield", "opaque", "reference"][[2, 4, 5, 7].indexOf(m.type)] ?? "unknown" };
  }
}

// A value of h5wasm.
function cell(m, value) {
  switch (m.type) {
    case 0: case 8: return String(value);
    case 1: return float(value, m.size);
    case 3: return value;
    case 6: return m.compound_type.members.map((member, i) => cell(member, value[i]));
    case 9: return [...value].map((each) => cell(m.vlen_type, each));
    case 10: return [...value].flat(m.array_type.shape.length - 1).map((each) => cell(m.array_type, each));
    default: throw new Error("no values of this class");
  }
}

function values(entry, m, most, read) {
  entry.type = notation(m);
  entry.shape = m.shape && m.shape.map(String);
  if (!m.shape || product(m.shape) * m.size > most) return;
  const got = m.total_size ? read() : [];
  const all = m.shape.length || m.type === 10 && Array.isArray(got?.[0]) ? got : [got];
  entry.values = Array.from(m.total_size ? all : [], (value) => cell(m, value));
}

function read({ file: path, most }) {
  const file = new h5wasm.File(path, "r"), objects = [], seen = new Set();
  if (file.file_id < 0n) throw new Error("the library cannot open the file");
  const id = file.file_id;
  const attributes = (at) => [...Module.get_attribute_names(id, at)].map((name) => {
    const one = { name };
    refusals(one, () => {
      const attribute = new Attribute(id, at, name);
      values(one, attribute.metadata, Number(most), () => attribute.value);
    });
    return one;
  });
  const object = (names) => {
    const at = "/" + names.join("/"), address = Buffer.from(Module.create_object_reference(id, at)).toString("hex");
    if (seen.has(address)) return;
    seen.add(address);
    const type = Module.get_type(id, at), entry = { path: names, kind: "unknown" };
    objects.push(entry);
    if (type === Module.H5G_GROUP) entry.kind = "group";
    else if (type === Module.H5G_DATASET) entry.kind = "dataset";
    else if (type === Module.H5G_TYPE) entry.kind = "type";
    else entry.refused = "no kind of object";
    refusals(entry, () => {
      if (entry.kind === "dataset") {
        const dataset = new h5wasm.Dataset(id, at);
        values(entry, dataset.metadata, Number(most), () => dataset.value);
      } else if (entry.kind === "type") {
        entry.type = notation(new h5wasm.Datatype(id, at).metadata);
      } else if (entry.kind === "group") {
        entry.links = [...Module.get_names(id, at, false)];
      }
    });
    refusals(entry, () => { entry.attributes = attributes(at); });
    for (const name of entry.links ?? []) {
      const below = [...names, name], unknown = { path: below, kind: "unknown" };
      refusals(unknown, () => {
        const path = "/" + below.join("/");
        if (Module.get_symbolic_link(id, path) === null && Module.get_external_link(id, path)?.filename === undefined) object(below);
      });
      if (unknown.refused) objects.push(unknown);
    }
  };
  try {
    object([]);
    return { objects };
  } finally {
    file.close();
  }
}

await serve({ name: `h5wasm ${version}`, capabilities: {
  operations: ["read"], features: ["attributes", "committed-types"],
  datatypes: ["integer", "float", "string", "vlen-string", "enum", "compound", "array", "vlen"] } }, {
  read: (request) => {
    try {
      return read(request);
    } catch (error) {
      // The memory of the library is damaged.
      if (!(error instanceof WebAssembly.RuntimeError)) throw new Error(reason(error));
      console.error(error);
      process.exit(70);
    }
  } });
